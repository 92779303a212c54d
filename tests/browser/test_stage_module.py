"""The stage's JavaScript alone: bytes, projection, painting, playing, the link to the server."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from playwright.sync_api import expect

from pages.stage.wire import NUMBERS
from tests.browser.stage_page import CORNERS, WHITE, feed, message, press_points, scene_of, settle, snapshot


def test_bytes_decode_to_what_python_encoded(opened):
    rng = np.random.default_rng(1)
    scene = scene_of(rng.normal(size=(7, 5)) + 1e5, [0, 1, 2, 3, -1, 0, 1], d=3)
    scene = replace(scene, held_out=np.arange(7) == 2, note="a note")
    page = opened(scene)
    got = page.evaluate("""() => {
      const s = stage.scene;
      return { X: [...s.features[0].X], labels: [...s.labels], rows: [...s.rows], held: [...s.heldOut],
               A: [...s.panels[1].frame], classes: s.classes, note: s.note };
    }""")
    np.testing.assert_allclose(np.reshape(got["X"], (7, 5)), scene.X - scene.X.mean(axis=0), atol=1e-6)
    assert got["labels"] == [0, 1, 2, 3, -1, 0, 1]
    assert got["rows"] == list(range(11, 18))
    assert got["held"] == [0, 0, 1, 0, 0, 0, 0]
    np.testing.assert_array_equal(np.reshape(got["A"], (3, 5)), np.eye(3, 5))
    assert (got["classes"], got["note"]) == (["a", "b", "c", "d"], "a note")

    sent = [snapshot(k, rng.normal(size=(3, 5)), mean_p=0.1 * k) for k in range(3)]
    back = page.evaluate(
        """(text) => {
          const { panel, run, snapshots } = wire.decodeSnapshots(bytes(text));
          return { panel, run, snapshots: snapshots.map((s) => ({ ...s, frame: [...s.frame] })) };
        }""",
        message(*sent, panel=1, run=7),
    )
    assert (back["panel"], back["run"]) == (1, 7)
    assert page.evaluate("wire.NUMBERS") == list(NUMBERS)
    for given, read in zip(sent, back["snapshots"], strict=True):
        np.testing.assert_array_equal(read["frame"], given.transformation.astype(np.float32).ravel())
        for name in NUMBERS:
            np.testing.assert_equal(np.nan if read[name] is None else read[name], float(getattr(given, name)))


def test_points_are_painted_where_the_projection_says(opened):
    page = opened(scene_of(CORNERS, [0, 1, 2, 3]))
    for panel in (0, 1):
        x, y = np.array(page.evaluate("(p) => [[...stage.panels[p].xs], [...stage.panels[p].ys]]", panel))
        scale = (x[1] - x[0]) / 4
        assert scale > 20
        np.testing.assert_allclose((y[0] - y[2]) / 2, scale, rtol=1e-5)  # one scale for both axes, y upwards
        size = page.evaluate("(p) => [stage.panels[p].raster.width, stage.panels[p].raster.height]", panel)
        np.testing.assert_allclose([x.mean(), y.mean()], np.array(size) / 2)
        colours = [tuple(page.evaluate("([p, i]) => pixel(p, i)", [panel, i])) for i in range(4)]
        assert len(set(colours)) == 4
        assert tuple(WHITE) not in colours


def test_a_frame_in_between_is_the_projection_by_the_blended_matrix(opened):
    rng = np.random.default_rng(2)
    X = rng.normal(size=(30, 6))
    page = opened(scene_of(X, np.arange(30) % 4))
    A0, A1 = rng.normal(size=(2, 2, 6))
    feed(page, snapshot(0, A0), snapshot(1, A1))
    centred = X - X.mean(axis=0)
    for t in (0.0, 0.3, 0.75, 1.0):
        page.evaluate("(t) => { stage.seek(t); }", t)
        settle(page)
        Y = np.reshape(page.evaluate("[...stage.panels[1].Y]"), (30, 2))
        np.testing.assert_allclose(Y, centred @ ((1 - t) * A0 + t * A1).T, atol=2e-6)
        still = np.reshape(page.evaluate("[...stage.panels[0].Y]"), (30, 2))
        np.testing.assert_allclose(still, centred[:, :2], atol=1e-6)


@pytest.mark.parametrize(("size", "length"), [(1.0, "1"), (1e140, "5e+139"), (1e-200, "5e-201")])
def test_the_bar_is_as_long_as_it_says(opened, size, length):
    page = opened(scene_of(CORNERS * size, [0, 1, 2, 3]))
    bar = page.locator(".panel .bar").first
    expect(bar).to_have_text(f"{length} unit" if length == "1" else f"{length} units")
    width = bar.locator(".length").bounding_box()["width"]
    (left, _), (right, _) = press_points(page, 0, 0), press_points(page, 0, 1)
    assert width / (right - left) == pytest.approx(float(length) / (4 * size), rel=1e-3)


def test_in_three_dimensions_the_nearer_point_covers_the_farther(opened):
    X = np.array([[0, 0, -1.0], [0, 0, 1], [2, 0, 0], [-2, 0, 0]])
    page = opened(scene_of(X, [0, 1, 2, 3], d=3))
    seen = []
    for turn in ([1, 0, 0, 0, 1, 0, 0, 0, 1], [-1, 0, 0, 0, 1, 0, 0, 0, -1]):
        page.evaluate("(R) => { stage.views.shared.rotation = R; stage.viewChanged(); }", turn)
        settle(page)
        seen.append(page.evaluate("pixel(0, 0)"))
    alone = []
    for hidden in (1, 0):  # turned as it is now, then as it was
        page.evaluate("(c) => { stage.hidden.clear(); stage.hidden.add(c); stage.chosen(); }", hidden)
        settle(page)
        alone.append(page.evaluate("pixel(0, 0)"))
        page.evaluate("() => { stage.views.shared.rotation = [1, 0, 0, 0, 1, 0, 0, 0, 1]; stage.viewChanged(); }")
    from_behind, from_before = alone
    assert seen == [from_before, from_behind]
    assert from_before != from_behind


def test_in_three_dimensions_the_nearer_is_larger_and_stronger(opened):
    X = np.array([[-1.0, 0, -1], [1, 0, 1], [0, 1, -1], [0, -1, 1]])
    page = opened(scene_of(X, [0, 0, 0, 0], d=3))
    page.evaluate("() => { stage.views.shared.rotation = [1, 0, 0, 0, 1, 0, 0, 0, 1]; stage.viewChanged(); }")
    settle(page)
    far, near = (page.evaluate("(i) => pixel(0, i)", i) for i in (0, 1))
    assert sum(abs(a - b) for a, b in zip(far, WHITE, strict=True)) < sum(
        abs(a - b) for a, b in zip(near, WHITE, strict=True)
    )
    size = """(i) => {
      const { canvas, xs, ys } = stage.panels[0];
      const box = [Math.round(xs[i]) - 12, Math.round(ys[i]) - 12, 24, 24];
      const { data } = canvas.getContext("2d").getImageData(...box);
      return data.reduce((sum, value, k) => sum + (k % 4 === 0 && value < 200), 0);
    }"""
    assert page.evaluate(size, 1) > 1.2 * page.evaluate(size, 0)


def test_the_box_is_drawn_under_the_points_and_turns_with_them(opened):
    X = np.random.default_rng(0).normal(size=(30, 3))
    page = opened(scene_of(X, np.zeros(30, int), d=3))
    page.evaluate("() => { stage.hidden.add(0); stage.chosen(); }")
    grey = """() => {
      const { canvas } = stage.panels[0];
      const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
      let count = 0, sum = 0;
      for (let k = 0; k < data.length; k += 4) if (data[k] < 250) { count++; sum = (sum * 31 + k) % 1e9; }
      return [count, sum];
    }"""
    settle(page)
    before = page.evaluate(grey)
    assert before[0] > 500
    page.evaluate("() => { stage.views.shared.drag(0.3, 0.1); stage.viewChanged(); }")
    settle(page)
    assert page.evaluate(grey) != before
    page = opened(scene_of(X, np.zeros(30, int), d=2))
    page.evaluate("() => { stage.hidden.add(0); stage.chosen(); }")
    settle(page)
    assert page.evaluate(grey)[0] == 0


def test_a_scene_is_first_seen_along_its_least_axis(blank):
    """The rows of the rotation are the principal axes of the points, most spread first."""
    rng = np.random.default_rng(3)
    Q = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    Y = rng.normal(size=(500, 3)) * [5, 2, 0.5] @ Q.T + [9, -4, 2]
    found = blank.evaluate(
        "async (Y) => (await import('./opening.js')).principalRotation(Float64Array.from(Y))", Y.ravel().tolist()
    )
    R = np.reshape(found, (3, 3))
    np.testing.assert_allclose(R @ R.T, np.eye(3), atol=1e-9)
    assert np.linalg.det(R) == pytest.approx(1)
    spread = np.cov((Y @ R.T).T)
    np.testing.assert_allclose(spread - np.diag(np.diag(spread)), 0, atol=1e-6)
    assert spread[0, 0] > spread[1, 1] > spread[2, 2]


def test_a_snapshot_of_another_shape_never_reaches_the_points(opened):
    """A new run's first snapshots may come before its scene does."""
    page = opened(scene_of(CORNERS, [0, 1, 2, 3]))
    feed(page, snapshot(0, np.eye(3, 7)), snapshot(1, np.eye(3, 7)))
    settle(page)
    np.testing.assert_allclose(np.reshape(page.evaluate("[...stage.panels[1].Y]"), (4, 2)), CORNERS, atol=1e-6)


def test_following_lags_less_than_six_tenths_of_a_second(opened):
    """At ten snapshots a second, with a clock of our own."""
    page = opened(scene_of(CORNERS, [0, 1, 2, 3]))
    lags = page.evaluate("""async () => {
      const { Player } = await import("./player.js");
      const player = new Player();
      player.showPanels([{ key: "nca" }]);
      const lags = [];
      for (let frame = 0; frame < 600; frame++) {
        if (frame % 6 === 0) player.add("nca", 1, [{}]);
        player.advance(1 / 60);
        lags.push((player.last - player.position) / 10);
      }
      return lags;
    }""")
    assert max(lags) < 0.6
    assert len(set(lags)) > 100  # it glides; it does not jump


def test_where_snapshots_are_slow_the_motion_fills_the_time_and_is_eased(opened):
    """One snapshot every 0.7 seconds: no jump at its beginning, no overshoot, there before the next."""
    seen = opened(scene_of(CORNERS, [0, 1, 2, 3])).evaluate("""async () => {
      const { Player } = await import("./player.js");
      const player = new Player();
      player.showPanels([{ key: "nca" }]);
      const seen = [];
      for (let frame = 0; frame < 420; frame++) {
        if (frame % 42 === 0) player.add("nca", 1, [{}]);
        player.advance(1 / 60);
        seen.push(player.position);
      }
      return seen;
    }""")
    last = np.array(seen[-42:])
    steps = np.diff([seen[-43], *last])
    assert np.all(steps >= 0)
    assert last[-1] > 8.9  # of 9: there before the next one
    assert last[-1] <= 9
    assert steps[0] < 0.5 * steps.max()  # it starts gently
    assert steps[-1] < 0.2 * steps.max()  # and stops gently
    moving = np.sum(steps > 0.1 * steps.max()) / 60
    assert moving > 0.35  # seconds


def test_less_motion_where_the_system_asks_for_it(blank, opened):
    blank.emulate_media(reduced_motion="reduce")
    moved, replayed = blank.evaluate("""async () => {
      const { Player } = await import("./player.js");
      const player = new Player();
      player.showPanels([{ key: "nca" }]);
      player.add("nca", 1, [{}, {}, {}]);
      player.advance(1 / 60);
      const moved = player.position;
      player.toggle();
      const seen = new Set();
      for (let frame = 0; player.mode === "replay" && frame < 300; frame++) {
        player.advance(1 / 60);
        seen.add(player.histories.get("nca").at);
      }
      return [moved, [...seen]];
    }""")
    assert moved == 2
    assert replayed == [0, 1, 2]
    page = opened(scene_of(CORNERS, [0, 1, 2, 3]))
    feed(page, snapshot(0, np.eye(2)), snapshot(1, np.eye(2) * 50))
    page.evaluate("stage.setRuns({ nca: { run: 1, state: 'running' } })")
    settle(page)
    assert page.evaluate("stage.panels[1].extent") == pytest.approx(50 * page.evaluate("stage.panels[0].extent"))
    expect(page.locator(".readout .status")).to_have_text("training (reduced motion: pictures jump)")


def test_a_change_of_theme_repaints_and_no_webgl_is_asked_for(blank, opened):
    blank.evaluate("""() => {
      window.kinds = [];
      const ask = HTMLCanvasElement.prototype.getContext;
      HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
        kinds.push(kind);
        return ask.call(this, kind, ...rest);
      };
    }""")
    page = opened(scene_of(CORNERS, [0, 1, 2, 3]))
    page.evaluate("document.body.style.setProperty('--st-background-color', '#101418')")
    corner = "() => stage.panels[0].canvas.getContext('2d').getImageData(2, 2, 1, 1).data[0] === 16"
    page.evaluate("document.body.style.setProperty('--st-text-color', '#fafafa')")
    page.wait_for_function(corner)
    assert set(page.evaluate("kinds")) == {"2d"}
