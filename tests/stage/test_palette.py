"""The stage's colours and shapes: ten classes have a colour each, also for colour-blind eyes; more differ by shape."""

from functools import cache
from itertools import combinations

import numpy as np
import pytest

from export.film import sprite
from pages.server.workspace import MOST_LIVE_PANELS
from stage.palette import CLASS_COLOURS
from tests.stage.javascript import run

COLOURS = """async () => {
  const { colourOf, shapeOf } = await import("./palette.js");
  const { default: palette } = await import("./palette.json", { with: { type: "json" } });
  const { dashOf } = await import("./curves.js");
  const marks = (classes, dark) => [...Array(classes).keys()].map((k) => [colourOf(k, dark), shapeOf(k, classes)]);
  const lines = ["light", "dark"].map((theme) => palette.lines[theme].map((ink, k) => [ink, dashOf(k)]));
  return { lines, ten: [marks(10, false), marks(10, true)], many: marks(40, false) };
}"""
colours = cache(lambda: run(COLOURS))
# Linear RGB as seen with each kind of dichromacy (Machado, Oliveira and Fernandes 2009, severity 1).
SEEN = {
    "all": np.eye(3),
    "no red": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "no green": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
}
XYZ = np.array(
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]]
)


def lab(colour, seen):
    """CIE L*a*b* of "#rrggbb" under D65."""
    value = np.array([int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)])
    linear = np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)
    t = XYZ @ np.clip(np.asarray(seen) @ linear, 0, 1) / [0.95047, 1.0, 1.08883]
    x, y, z = np.where(t > 0.008856, np.cbrt(t), 7.787 * t + 16 / 116)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


@pytest.mark.parametrize(("kind", "count"), [("ten", 10), ("lines", MOST_LIVE_PANELS)])
@pytest.mark.parametrize("seen", SEEN)
def test_ten_classes_and_the_lines_of_nine_live_panels_are_told_apart(seen, kind, count):
    for marks in colours()[kind]:
        assert len({colour for colour, _ in marks}) == len(marks) == count
        for (one, shape), (other, another) in combinations(marks, 2):
            apart = np.linalg.norm(lab(one, SEEN[seen]) - lab(other, SEEN[seen]))
            assert apart > 15 or (apart > 5 and shape != another), (one, other)


def test_python_reads_the_same_colours_many_classes_have_a_mark_each_and_lines_stand_out():
    found = colours()
    assert [colour for colour, _ in found["ten"][0]] == list(CLASS_COLOURS)
    assert len({tuple(mark) for mark in found["many"]}) == 40
    for lines, paper in zip(found["lines"], ("#ffffff", "#12161c"), strict=True):
        for colour, _ in lines:
            light, dark = sorted((luminance(colour), luminance(paper)), reverse=True)
            assert (light + 0.05) / (dark + 0.05) >= 3, colour  # WCAG 2.1, 1.4.11


def luminance(colour):
    """Relative luminance, from L* of CIE L*a*b*."""
    lightness = lab(colour, np.eye(3))[0]
    return ((lightness + 16) / 116) ** 3 if lightness > 8 else lightness / 903.3


def test_markers_are_small_where_there_are_many_points():
    radii = run("""async () => {
      const { markerRadius } = await import("./palette.js");
      return [[178, 300], [1797, 300], [1797, 600], [5000, 300], [100_000, 300]].map((each) => markerRadius(...each));
    }""")
    assert radii == sorted(radii[:2], reverse=True) + radii[2:]
    assert radii[0] > 4
    assert 2 <= radii[1] < 2.5
    assert radii[2] > radii[1]
    assert 1.2 <= radii[4] <= radii[3] < 2


@pytest.mark.parametrize(("radius", "hollow"), [(4.8, False), (4.8, True), (8.0, False), (8.0, True)])
def test_a_point_is_drawn_alike_in_browser_and_film(radius, hollow):
    """Each shape of the film covers the pixels that the same shape covers in the browser, and no other as well."""
    found = run(
        """async ([radius, hollow]) => {
          const { makeSprite } = await import("./palette.js");
          const draw = (hollow) => [...Array(8).keys()].map((label) => makeSprite({ label, classes: 8, dark: false,
            radius, hollow, faded: false, background: [255, 255, 255], width: 1000 }).pixels);
          draw(!hollow); // as a panel does: filled and hollow points share the cached outlines
          return draw(hollow);
        }""",
        [radius, hollow],
    )
    browser, film = np.zeros((2, 8, 31, 31))
    for shape, pixels in enumerate(found):
        for offset, _, alpha in pixels:
            down = round(offset / 1000)
            browser[shape, 15 + down, 15 + offset - 1000 * down] = alpha / 255
        covered = np.asarray(sprite(shape, radius, hollow, "#ff0000", "#ffffff").getchannel("A")) / 255
        film[shape] = np.pad(covered, (31 - len(covered)) // 2)
    apart = np.abs(film[:, None] - browser).sum(axis=(2, 3)) / browser.sum(axis=(1, 2))
    np.testing.assert_array_equal(np.argmin(apart, axis=1), np.arange(8))
    assert np.diag(apart).max() < (0.35 if hollow else 0.1)  # of a thin line each half covered pixel counts
