"""Turning the shadow along a path of true projections, the cloud to begin with, and one picture onto another."""

import itertools

import numpy as np
import pytest
from scipy.linalg import orthogonal_procrustes

from tests.stage.javascript import run

RNG = np.random.default_rng(6)
PATH = """async ([from, to, columns, times]) => {
  const { planePath } = await import("./manual_view.js");
  const path = planePath(Float32Array.from(from), Float32Array.from(to), columns);
  return times.map((t) => path(t));
}"""


def path(A0, A1, times):
    found = run(PATH, [A0.ravel(), A1.ravel(), A0.shape[1], list(times)])
    return [np.reshape(A, A0.shape) for A in found]


MIRROR = np.diag([1.0, -1.0])
START = RNG.normal(size=(2, 5))
ENDS = {
    "another plane": RNG.normal(size=(2, 5)),
    "larger": 8 * START,
    "turned by half": -START,
    "mirrored": MIRROR @ START,
    "the opposite side of another plane": -3 * RNG.normal(size=(2, 5)),
}


@pytest.mark.parametrize("end", ENDS)
def test_it_begins_and_ends_there_and_never_collapses(end):
    A1 = ENDS[end]
    found = path(START, A1, np.linspace(0, 1, 41))
    np.testing.assert_allclose(found[0], START, atol=1e-5)
    np.testing.assert_allclose(found[-1], A1, atol=1e-5)
    steps = [np.linalg.norm(b - a) for a, b in itertools.pairwise(found)]
    assert max(steps) < 4 * np.mean(steps)  # continuous
    least = min(np.linalg.svd(A)[1][1] for A in (START, A1))
    assert min(np.linalg.svd(A)[1][1] for A in found) > 0.4 * least


@pytest.mark.parametrize("mirrored", [False, True])
def test_planes_turn_evenly_along_their_principal_angles(mirrored):
    A0, A1 = (np.linalg.qr(RNG.normal(size=(6, 2)))[0].T for _ in range(2))
    A1[1] *= np.sign(np.linalg.det(A0 @ A1.T)) * (-1 if mirrored else 1)
    angles = np.arccos(np.linalg.svd(A0 @ A1.T)[1])
    if mirrored:  # then the second one turns through the rest of half a circle
        angles[1] = np.pi - angles[1]
    quarter = path(A0, A1, [0.25])[0]
    turned = np.arccos(np.linalg.svd(A0 @ np.linalg.qr(quarter.T)[0])[1])
    assert sorted(turned) == pytest.approx(sorted(angles / 4), abs=1e-4)
    assert np.linalg.svd(quarter)[1] == pytest.approx([1, 1], abs=1e-4)


@pytest.mark.parametrize("columns", [3, 6])
def test_the_cloud_is_the_features_or_the_first_principal_axes(columns):
    X = RNG.normal(size=(80, columns)) @ np.diag(1 + np.arange(columns))
    X -= X.mean(axis=0)
    axes = run(
        """async ([X, columns]) => {
          const { cloudAxes } = await import("./manual_view.js");
          return cloudAxes({ X: Float32Array.from(X), columns }, X.length / columns);
        }""",
        [X.ravel(), columns],
    )
    axes = np.reshape(axes, (3, -1))
    np.testing.assert_allclose(axes @ axes.T, np.eye(3), atol=1e-6)
    wanted = np.eye(3) if columns == 3 else np.linalg.svd(X)[2][:3]
    np.testing.assert_allclose(np.abs(axes @ wanted.T), np.eye(3), atol=2e-2)


def test_a_shadow_is_the_first_two_rows_of_the_turned_cloud():
    found = run(
        """async () => {
          const { shadowOf } = await import("./manual_view.js");
          const { turned } = await import("./view.js");
          const R = turned([1, 0, 0, 0, 1, 0, 0, 0, 1], Math.PI / 2, 0);
          return [R, shadowOf(R, [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0], 2)];
        }"""
    )
    np.testing.assert_allclose(np.reshape(found[0], (3, 3)), [[0, 0, 1], [0, 1, 0], [-1, 0, 0]], atol=1e-9)
    np.testing.assert_allclose(np.reshape(found[1], (2, 4)), [[0, 0, 2, 0], [0, 2, 0, 0]], atol=1e-6)


PROCRUSTES = """async ([Y, Z, d]) => {
  const { procrustes } = await import("./aligning.js");
  const { R, size, from, to } = procrustes(Float32Array.from(Y), Float32Array.from(Z), d);
  return { R: R.filter((_, k) => k % 3 < d && k < 3 * d), size, from, to };
}"""


@pytest.mark.parametrize("d", [2, 3])
def test_it_is_orthogonal_procrustes_at_the_same_size(d):
    Y, Z = RNG.normal(size=(50, d)) * [3, 1, 2][:d] + 5, RNG.normal(size=(50, d)) @ RNG.normal(size=(d, d)) - 1
    for turned in (Z, 0.3 * Y @ np.linalg.qr(RNG.normal(size=(d, d)))[0]):
        found = run(PROCRUSTES, [Y.ravel(), turned.ravel(), d])
        y, z = Y - Y.mean(axis=0), turned - turned.mean(axis=0)
        R, _ = orthogonal_procrustes(y, z)
        np.testing.assert_allclose(np.reshape(found["R"], (d, d)), R.T, atol=1e-5)
        assert found["size"] == pytest.approx(np.linalg.norm(z) / np.linalg.norm(y), rel=1e-5)
        np.testing.assert_allclose([found["from"], found["to"]], [Y.mean(axis=0), turned.mean(axis=0)], rtol=1e-5)


@pytest.mark.parametrize("d", [2, 3])
def test_points_on_a_line_or_without_a_place_do_no_harm(d):
    line = np.outer(RNG.normal(size=30), [1.0, 2.0, -1.0][:d])
    there = np.outer(line[:, 0], [0.0, 5.0, 0.0][:d])
    there[4] = np.nan
    found = run(PROCRUSTES, [line.ravel(), there.ravel(), d])
    R = np.reshape(found["R"], (d, d))
    np.testing.assert_allclose(R @ R.T, np.eye(d), atol=1e-6)
    assert np.linalg.det(R) == pytest.approx(1, abs=1e-6)
    moved = found["to"] + found["size"] * (line - found["from"]) @ R.T
    np.testing.assert_allclose(np.delete(moved, 4, axis=0), np.delete(there, 4, axis=0), atol=1e-4)
    for nothing in (np.zeros((30, d)), np.full((30, d), np.nan)):
        found = run(PROCRUSTES, [line.ravel(), nothing.ravel(), d])
        assert np.isfinite([*found["R"], found["size"]]).all()
