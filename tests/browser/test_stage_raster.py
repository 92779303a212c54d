"""Points written straight into a picture: rims, blending, depth, and the quick way of very many points."""

from __future__ import annotations

import numpy as np

WHITE = [255, 255, 255, 255]


def test_no_point_is_painted_over_the_rim_and_the_far_come_first(blank):
    """The rim would wrap a sprite around to the other side."""
    width, height, reach = 40, 30, 3
    rng = np.random.default_rng(6)
    odd = [np.nan, np.inf, -np.inf, 4.3e9, -4.3e9, -1, 0, 2.4, 2.6, 35.4, 35.6, 36.4, 36.6, 25.6, 26.6]
    xs, ys = np.array([(x, y) for x in [*odd, *rng.uniform(0, 40, 9)] for y in [*odd, *rng.uniform(0, 30, 9)]]).T
    zs = rng.uniform(-1, 1, len(xs))
    flat, deep = blank.evaluate(
        """async ([places, width, height, reach]) => {
          const { DrawList } = await import("./raster.js");
          const number = (text) => (text === "nan" ? NaN : Number(text.replace("inf", "Infinity")));
          const [xs, ys, zs] = places.map((each) => Float32Array.from(each, number));
          const n = xs.length, all = Int32Array.from(xs, (_, i) => i), list = new DrawList(n);
          const got = () => [[...list.places.slice(0, list.count)], [...list.which.slice(0, list.count)]];
          list.flat(xs, ys, all, n, all, { width, height }, reach);
          const flat = got();
          list.byDepth(xs, ys, zs, 1, all, n, all, { width, height }, reach);
          return [flat, got()];
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
    assert np.diff(zs[deep[1]]).min() > -0.01  # in 512 steps of depth


def test_half_covered_pixels_blend_with_what_is_below(blank):
    seen = blank.evaluate("""async () => {
      const { DrawList, Raster, spriteSheet } = await import("./raster.js");
      const raster = new Raster(document.createElement("canvas"));
      raster.resize(9, 9);
      const sprite = (alpha, colour) => ({ reach: 1, pixels: [[0, colour, alpha]] });
      const sheet = spriteSheet([sprite(255, [200, 100, 0]), sprite(102, [0, 255, 250])]);
      const list = new DrawList(3), at = Float32Array.from([3, 3, 5]), four = Float32Array.from([4, 4, 4]);
      list.flat(at, four, Int32Array.from([0, 1, 2]), 3, Int32Array.from([0, 1, 1]), raster, 1);
      raster.paint(list, sheet, [255, 255, 255]);
      return [[3, 4], [5, 4], [6, 4]].map(([x, y]) => [...raster.context.getImageData(x, y, 1, 1).data]);
    }""")
    np.testing.assert_allclose(seen, [[120, 162, 100, 255], [153, 255, 253, 255], WHITE], atol=1.5)


def test_very_many_points_make_the_same_picture_as_the_sorted_ones(blank):
    """Solid and hollow sprites of two sizes and layers of depth; each point has a depth of its own."""
    rng = np.random.default_rng(3)
    n, width, height = 400, 60, 40
    xs, ys = rng.uniform(-3, width + 3, n), rng.uniform(-3, height + 3, n)
    xs[:2] = np.nan, 4.3e9
    zs = (2 * rng.permutation(512)[:n] + 1) / 512 - 1
    flat, deep, seen, ink = blank.evaluate(
        """async ([xs, ys, zs, sprites, width, height]) => {
          const { DrawList, Raster, spriteSheet } = await import("./raster.js");
          const { Dots, dotSheet } = await import("./dots.js");
          const { makeSprite } = await import("./palette.js");
          const made = [1.1, 0.9].flatMap((radius) => [0, 1, 2].flatMap((label) => [false, true].map((hollow) =>
            makeSprite({ label, classes: 3, dark: false, radius, hollow, pale: radius < 1 ? 0.5 : 0,
              background: [255, 255, 255], width }))));
          const sheet = spriteSheet(made), tiny = dotSheet(made), layers = { count: 2, sprites: 6 };
          [xs, ys, zs] = [xs, ys, zs].map((each) => Float32Array.from(each, (v) => v ?? NaN));
          const n = xs.length, all = Int32Array.from(xs, (_, i) => i), which = Int32Array.from(sprites);
          const picture = (draw) => {
            const raster = new Raster(document.createElement("canvas"));
            raster.resize(width, height);
            const seen = draw(raster);
            return [[...raster.context.getImageData(0, 0, width, height).data], seen];
          };
          const white = [255, 255, 255], beneath = () => {};
          const listed = (lay) => picture((raster) => {
            const list = new DrawList(n);
            lay(list, raster);
            raster.paint(list, sheet, white);
            return list.count;
          });
          const slow = [
            listed((list, raster) => list.flat(xs, ys, all, n, which, raster, sheet.reach)),
            listed((list, raster) => list.byDepth(xs, ys, zs, 1, all, n, which, raster, sheet.reach, layers)),
          ];
          const quick = [
            picture((raster) => new Dots(raster).flat(xs, ys, all, n, which, tiny, white)),
            picture((raster) => new Dots(raster).byDepth(xs, ys, zs, 1, all, n, which, layers, tiny, white, beneath)),
          ];
          const pairs = slow.map((each, k) => [each[0], quick[k][0]]);
          return [...pairs, [...slow, ...quick].map((each) => each[1]), new Set(tiny.ink).size];
        }""",
        [
            [None if np.isnan(x) else x for x in xs],
            ys.tolist(),
            zs.tolist(),
            rng.integers(6, size=n).tolist(),
            width,
            height,
        ],
    )
    np.testing.assert_array_equal(*flat)
    np.testing.assert_array_equal(*deep)
    assert flat[0] != deep[0]
    assert ink == 6
    assert len(set(seen)) == 1
    assert 250 < seen[0] < n


def test_sprites_that_blend_or_have_many_pixels_are_no_dots(blank):
    got = blank.evaluate("""async () => {
      const { dotSheet } = await import("./dots.js");
      const of = (...alphas) => ({ reach: 1, pixels: alphas.map((alpha, k) => [k, [1, 2, 3], alpha]) });
      return [[255, 255], [255, 254], [255, 255, 255, 255, 255], []]
        .map((each) => dotSheet([of(255), of(...each)]) !== null);
    }""")
    assert got == [True, False, False, False]
