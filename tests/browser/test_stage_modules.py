"""The stage's modules in a blank page: bytes, projections, pixels, motion, sums over neighbours."""

import numpy as np
import pytest
from playwright.sync_api import expect

from tests.browser.stage_page import CORNERS, WHITE, feed, pixels, press_points, scene_with, seek, settle, snapshot


def test_points_are_painted_where_the_projection_says(opened):
    page = opened(scene_with(CORNERS, [0, 1, 2, 3]))
    for panel in (0, 1):
        x, y = np.array(page.evaluate("(p) => [[...stage.panels[p].xs], [...stage.panels[p].ys]]", panel))
        scale = (x[1] - x[0]) / 4
        assert scale > 20
        np.testing.assert_allclose((y[0] - y[2]) / 2, scale, rtol=1e-5)  # one scale for both axes, y upwards
        size = page.evaluate("(p) => [stage.panels[p].raster.width, stage.panels[p].raster.height]", panel)
        np.testing.assert_allclose([x.mean(), y.mean()], np.array(size) / 2)
        colours = pixels(page, panel)
        assert len(set(map(tuple, colours))) == 4
        assert WHITE not in colours
    feed(page, snapshot(0, np.eye(3, 7)), snapshot(1, np.eye(3, 7)))  # of a new run, whose scene comes later
    settle(page)
    np.testing.assert_allclose(np.reshape(page.evaluate("[...stage.panels[1].Y]"), (4, 2)), CORNERS, atol=1e-6)


def test_a_frame_in_between_is_the_projection_by_the_blended_matrix(opened):
    rng = np.random.default_rng(2)
    X = rng.normal(size=(30, 6))
    page = opened(scene_with(X, np.arange(30) % 4))
    A0, A1 = rng.normal(size=(2, 2, 6))
    feed(page, snapshot(0, A0), snapshot(1, A1))
    centred = X - X.mean(axis=0)
    for t in (0.0, 0.3, 0.75, 1.0):
        seek(page, t)
        Y = np.reshape(page.evaluate("[...stage.panels[1].Y]"), (30, 2))
        np.testing.assert_allclose(Y, centred @ ((1 - t) * A0 + t * A1).T, atol=2e-6)
        still = np.reshape(page.evaluate("[...stage.panels[0].Y]"), (30, 2))
        np.testing.assert_allclose(still, centred[:, :2], atol=1e-6)


@pytest.mark.parametrize(("size", "length"), [(1.0, "0.5"), (15.0, "5"), (1e140, "5e+139"), (1e-200, "5e-201")])
def test_the_bar_is_as_long_as_it_says(opened, size, length):
    page = opened(scene_with(CORNERS * size, [0, 1, 2, 3]))
    bar = page.locator(".panel .bar").first
    expect(bar).to_have_text(f"{length} unit" if length == "1" else f"{length} units")
    width = bar.locator(".length").bounding_box()["width"]
    assert 40 <= width <= 120
    (left, _), (right, _) = press_points(page, 0, 0), press_points(page, 0, 1)
    assert width / (right - left) == pytest.approx(float(length) / (4 * size), rel=1e-3)


def test_in_three_dimensions_the_nearer_point_covers_the_farther(opened):
    page = opened(scene_with(np.array([[0, 0, -1.0], [0, 0, 1], [2, 0, 0], [-2, 0, 0]]), [0, 1, 2, 3], d=3))

    def seen(facing, hidden):
        page.evaluate("(codes) => { stage.hidden = new Set(codes); stage.chosen(); }", hidden)
        page.evaluate(
            "(z) => { stage.views.shared.rotation = [z, 0, 0, 0, 1, 0, 0, 0, z]; stage.viewChanged(); }", facing
        )
        settle(page)
        return page.evaluate("pixel(0, 0)")

    assert seen(1, []) == seen(1, [0]) != seen(1, [1])
    assert seen(-1, []) == seen(-1, [1]) != seen(-1, [0])
    near, far = page.evaluate("""() => {
      const { sprites: { edgeFrom, solidFrom }, layers } = stage.panels[0];
      const size = (k) => solidFrom[k + 1] - solidFrom[k] + edgeFrom[k + 1] - edgeFrom[k];
      return [size(layers.count * layers.sprites - 4), size(layers.sprites - 4)];
    }""")
    assert near > far  # the nearer point is larger
    seen(1, [0, 1, 2, 3])
    inked = "stage.panels[0].raster.pixels.reduce((sum, pixel) => sum + (pixel !== -1), 0)"
    assert page.evaluate(inked) > 400  # the box around the points


def test_less_motion_where_the_system_asks_for_it(blank, opened):
    blank.emulate_media(reduced_motion="reduce")
    page = opened(scene_with(CORNERS, [0, 1, 2, 3]))
    feed(page, snapshot(0, np.eye(2)), snapshot(1, np.eye(2) * 50))
    page.evaluate("stage.setRuns({ nca: { run: 1, state: 'running' } })")
    settle(page)
    assert page.evaluate("stage.panels[1].extent") == pytest.approx(50 * page.evaluate("stage.panels[0].extent"))
    expect(page.locator(".readout .status")).to_contain_text("(reduced motion: pictures jump)")


def test_a_change_of_theme_repaints_and_no_webgl_is_asked_for(blank, opened):
    blank.evaluate("""() => {
      window.kinds = [];
      const ask = HTMLCanvasElement.prototype.getContext;
      HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
        kinds.push(kind);
        return ask.call(this, kind, ...rest);
      };
    }""")
    page = opened(scene_with(CORNERS, [0, 1, 2, 3]))
    page.evaluate("document.body.style.setProperty('--st-background-color', '#101418')")
    corner = "() => stage.panels[0].canvas.getContext('2d').getImageData(2, 2, 1, 1).data[0] === 16"
    page.evaluate("document.body.style.setProperty('--st-text-color', '#fafafa')")
    page.wait_for_function(corner)
    assert set(page.evaluate("kinds")) == {"2d"}


def test_half_covered_pixels_blend_with_what_is_below(blank):
    seen = blank.evaluate("""async () => {
      const { DrawList, Raster, spriteSheet } = await import("./raster.js");
      const raster = new Raster(document.createElement("canvas"));
      raster.resize(9, 9);
      const sprite = (alpha, colour) => ({ reach: 1, pixels: [[0, colour, alpha]] });
      const sheet = spriteSheet([sprite(255, [200, 100, 0]), sprite(102, [0, 255, 250])]);
      const list = new DrawList(3), at = Float32Array.from([3, 3, 5]), four = Float32Array.from([4, 4, 4]);
      const visible = [0, 1, 2], spriteIndex = [0, 1, 1];
      list.flat({ xs: at, ys: four, visible, count: 3, spriteIndex, raster, sprites: sheet });
      raster.paint(list, sheet, [255, 255, 255]);
      return [[3, 4], [5, 4], [6, 4]].map(([x, y]) => [...raster.context.getImageData(x, y, 1, 1).data]);
    }""")
    np.testing.assert_allclose(seen, [[120, 162, 100, 255], [153, 255, 253, 255], WHITE], atol=1.5)
