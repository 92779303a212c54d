"""Which points are painted, where and in which order; from where a scene is seen first."""

import numpy as np
import pytest

from tests.stage.javascript import run


def test_no_point_is_painted_over_the_rim_and_the_far_come_first():
    """The rim would wrap a sprite around to the other side."""
    width, height, reach = 40, 30, 3
    rng = np.random.default_rng(6)
    odd = [np.nan, np.inf, -np.inf, 4.3e9, -4.3e9, -1, 0, 2.4, 2.6, 35.4, 35.6, 36.4, 36.6, 25.6, 26.6]
    xs, ys = np.array([(x, y) for x in [*odd, *rng.uniform(0, 40, 9)] for y in [*odd, *rng.uniform(0, 30, 9)]]).T
    zs = rng.uniform(-1, 1, len(xs))
    flat, deep, layers = run(
        """async ([places, width, height, reach]) => {
          const { DrawList } = await import("./raster.js");
          const number = (text) => (text === "nan" ? NaN : Number(text.replace("inf", "Infinity")));
          const [xs, ys, zs] = places.map((each) => Float32Array.from(each, number));
          const n = xs.length, all = Int32Array.from(xs, (_, i) => i), list = new DrawList(n);
          const got = () => [[...list.places.slice(0, list.count)], [...list.which.slice(0, list.count)]];
          const panel = { xs, ys, zs, depth: 1, visible: all, count: n, spriteIndex: all, sprites: { reach },
            raster: { width, height }, layers: { count: 1, sprites: 0 } };
          list.flat(panel);
          const flat = got();
          list.byDepth(panel);
          const deep = got();
          list.byDepth({ ...panel, spriteIndex: new Int32Array(n), layers: { count: 4, sprites: 10 } });
          return [flat, deep, got()[1]];
        }""",
        [[[str(v) for v in each] for each in (xs, ys, zs)], width, height, reach],
    )
    for places, which in (flat, deep):
        assert len(which) == len(set(which)) > 50
        column, line = np.array(places) % width, np.array(places) // width
        np.testing.assert_array_equal(column, np.floor(xs[which] + 0.5))
        np.testing.assert_array_equal(line, np.floor(ys[which] + 0.5))
        assert reach <= column.min() <= column.max() < width - reach
        assert reach <= line.min() <= line.max() < height - reach
    assert sorted(flat[1]) == sorted(deep[1])
    depths = zs[deep[1]]
    assert np.diff(depths).min() > -0.01  # in 512 steps of depth
    np.testing.assert_array_equal(layers, 10 * np.floor(2 * (depths + 1 - 1e-3)))  # sprites of the nearer half


def test_a_scene_is_first_seen_along_its_least_axis():
    """The rows of the rotation are the principal axes of the points, most spread first."""
    rng = np.random.default_rng(3)
    Q = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    Y = rng.normal(size=(500, 3)) * [5, 2, 0.5] @ Q.T + [9, -4, 2]
    found = run("async (Y) => (await import('./view.js')).principalRotation(Float64Array.from(Y))", Y.ravel().tolist())
    R = np.reshape(found, (3, 3))
    np.testing.assert_allclose(R @ R.T, np.eye(3), atol=1e-9)
    assert np.linalg.det(R) == pytest.approx(1)
    spread = np.cov((Y @ R.T).T)
    np.testing.assert_allclose(spread - np.diag(np.diag(spread)), 0, atol=1e-6)
    assert spread[0, 0] > spread[1, 1] > spread[2, 2]
