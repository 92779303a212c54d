"""The stage's JavaScript alone: its modules in a blank page, fed with bytes that the Python side made."""

from __future__ import annotations

import base64
from dataclasses import replace

import numpy as np
import pytest
from playwright.sync_api import expect

from nca_core.snapshot import Snapshot
from pages.stage.routes import MODULE
from pages.stage.scene import Panel, Scene
from pages.stage.wire import NUMBERS, encode_scene, encode_snapshots

HOST = "http://stage.test"
HOSTILE = "<img src=x onerror='window.harmed=true'>"
BLANK = f"""<!doctype html><link rel="stylesheet" href="{HOST}/stage.css">
<body style="--st-background-color:#ffffff;--st-text-color:#111111"><div class="nca-stage"></div>"""
LOAD = """
async (scene) => {
  const { Stage } = await import("./stage.js");
  const wire = await import("./wire.js");
  window.bytes = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0)).buffer;
  window.wire = wire;
  window.reports = [];
  window.stage = new Stage(document.querySelector(".nca-stage"), {
    report: (indices, total) => window.reports.push([indices, total]),
  });
  window.feed = (text) => stage.addSnapshots(wire.decodeSnapshots(bytes(text)));
  window.show = (text) => stage.showScene(wire.decodeScene(bytes(text)));
  // The pixel at a point of a panel, read from the canvas itself.
  window.pixel = (panel, i) => {
    const { canvas, xs, ys } = stage.panels[panel];
    return [...canvas.getContext("2d").getImageData(Math.round(xs[i]), Math.round(ys[i]), 1, 1).data];
  };
  show(scene);
}
"""
SETTLED = "() => !stage.stirred && stage.panels.every((panel) => !panel.dirty && panel.extent)"
WHITE = [255, 255, 255, 255]
CORNERS = np.array([[-2.0, -1], [2, -1], [-2, 1], [2, 1]])


def text_of(data: bytes) -> str:
    return base64.b64encode(data).decode()


def scene_of(X, labels, d=2, names=("a", "b", "c", "d"), still=True):
    D = X.shape[1]
    panels = (Panel("nca", "NCA", np.eye(d, D), live=True),)
    if still:
        panels = (Panel("pca", "PCA", np.eye(d, D)), *panels)
    return Scene(
        X=X,
        labels=np.asarray(labels),
        class_names=names,
        hover=X,
        hover_names=tuple(f"f{k}" for k in range(D)),
        row_numbers=np.arange(len(X)) + 11,
        held_out=np.zeros(len(X), bool),
        panels=panels,
        n_components=d,
    )


def snapshot(iteration, A, score=0.5):
    return Snapshot(iteration, np.asarray(A, dtype=float), score, score, 0.1, 6.5, 7.5, accuracy_1nn=0.9)


@pytest.fixture
def blank(page):
    def answer(route):
        name = route.request.url.removeprefix(HOST + "/")
        if not name:
            route.fulfill(body=BLANK, content_type="text/html")
        elif (MODULE / name).is_file():
            kind = "text/css" if name.endswith(".css") else "text/javascript"
            route.fulfill(body=(MODULE / name).read_bytes(), content_type=kind)
        else:
            route.fulfill(status=404)

    page.route(HOST + "/**", answer)
    page.goto(HOST + "/")
    return page


@pytest.fixture
def opened(blank):
    def open_scene(scene):
        blank.evaluate(LOAD, text_of(encode_scene(scene)))
        blank.wait_for_function(SETTLED)
        return blank

    return open_scene


def feed(page, *snapshots):
    page.evaluate("(text) => feed(text)", text_of(encode_snapshots(snapshots)))


def settle(page):
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    page.wait_for_function(SETTLED)


def press_points(page, panel, i):
    """Where a point is, in the window's coordinates."""
    return page.evaluate(
        """([panel, i]) => {
          const { canvas, xs, ys, ratio } = stage.panels[panel];
          const box = canvas.getBoundingClientRect();
          return [box.left + xs[i] / ratio, box.top + ys[i] / ratio];
        }""",
        [panel, i],
    )


def test_bytes_decode_to_what_python_encoded(opened):
    rng = np.random.default_rng(1)
    scene = scene_of(rng.normal(size=(7, 5)) + 1e5, [0, 1, 2, 3, -1, 0, 1], d=3)
    scene = replace(scene, held_out=np.arange(7) == 2, note="a note")
    page = opened(scene)
    got = page.evaluate("""() => {
      const s = stage.scene;
      return { X: [...s.X], labels: [...s.labels], rows: [...s.rows], held: [...s.heldOut], A: [...s.panels[1].A],
               classes: s.classes, note: s.note };
    }""")
    np.testing.assert_allclose(np.reshape(got["X"], (7, 5)), scene.X - scene.X.mean(axis=0), atol=1e-6)
    assert got["labels"] == [0, 1, 2, 3, -1, 0, 1]
    assert got["rows"] == list(range(11, 18))
    assert got["held"] == [0, 0, 1, 0, 0, 0, 0]
    np.testing.assert_array_equal(np.reshape(got["A"], (3, 5)), np.eye(3, 5))
    assert (got["classes"], got["note"]) == (["a", "b", "c", "d"], "a note")

    sent = [snapshot(k, rng.normal(size=(3, 5)), score=0.1 * k) for k in range(3)]
    back = page.evaluate(
        "(text) => wire.decodeSnapshots(bytes(text)).map((s) => ({ ...s, A: [...s.A] }))",
        text_of(encode_snapshots(sent)),
    )
    assert page.evaluate("wire.NUMBERS") == list(NUMBERS)
    for given, read in zip(sent, back, strict=True):
        np.testing.assert_array_equal(read["A"], given.transformation.astype(np.float32).ravel())
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


def test_in_three_dimensions_the_nearer_point_covers_the_farther(opened):
    X = np.array([[0, 0, -1.0], [0, 0, 1], [2, 0, 0], [-2, 0, 0]])
    page = opened(scene_of(X, [0, 1, 2, 3], d=3))
    seen = []
    for turn in ([1, 0, 0, 0, 1, 0, 0, 0, 1], [-1, 0, 0, 0, 1, 0, 0, 0, -1]):
        page.evaluate("(R) => { stage.view.rotation = R; stage.viewChanged(); }", turn)
        settle(page)
        seen.append(page.evaluate("pixel(0, 0)"))
    alone = []
    for hidden in (0, 1):
        page.evaluate("(c) => { stage.hidden.clear(); stage.hidden.add(c); stage.chosen(); }", hidden)
        settle(page)
        alone.append(page.evaluate("pixel(0, 0)"))
    without_first, without_second = alone
    assert seen == [without_first, without_second]  # seen along z, then along −z
    assert without_first != without_second


def test_the_legend_hides_isolates_and_shows_again_in_all_panels(opened):
    page = opened(scene_of(CORNERS, [0, 1, 2, -1]))
    full = [[page.evaluate("([p, i]) => pixel(p, i)", [p, i]) for i in range(4)] for p in (0, 1)]
    buttons = page.locator(".legend .class")
    expect(buttons).to_have_count(5)
    buttons.nth(1).focus()
    page.keyboard.press("Enter")
    expect(buttons.nth(1)).to_have_attribute("aria-pressed", "false")
    settle(page)
    for p in (0, 1):
        assert page.evaluate("(p) => pixel(p, 1)", p) == WHITE
        assert page.evaluate("(p) => pixel(p, 0)", p) == full[p][0]
    buttons.nth(0).dblclick()
    settle(page)
    for p in (0, 1):
        assert [page.evaluate("([p, i]) => pixel(p, i)", [p, i]) == WHITE for i in range(4)] == [
            False,
            True,
            True,
            True,
        ]
    page.get_by_role("button", name="show all").click()
    settle(page)
    assert [[page.evaluate("([p, i]) => pixel(p, i)", [p, i]) for i in range(4)] for p in (0, 1)] == full


def test_hostile_names_are_shown_as_text(opened):
    scene = scene_of(CORNERS, [0, 1, 2, 3], names=(HOSTILE, "b", "c", "d"))
    hostile = [replace(panel, title=HOSTILE, note=HOSTILE) for panel in scene.panels]
    page = opened(replace(scene, hover_names=(HOSTILE, "f1"), panels=tuple(hostile), note=HOSTILE))
    page.mouse.move(*press_points(page, 1, 0))
    card = page.locator(".card")
    expect(card).to_be_visible()
    expect(card).to_contain_text(HOSTILE)
    expect(card).to_contain_text("row 11")
    expect(card.locator("dd").first).to_have_text("-2")
    expect(page.locator(".panel .remark").first).to_have_text(HOSTILE)
    expect(page.locator(".legend .class").first).to_have_text(HOSTILE)
    assert page.locator("img").count() == 0
    assert page.evaluate("window.harmed") is None


def test_keys_play_step_move_and_clear(opened):
    page = opened(scene_of(CORNERS, [0, 1, 2, 3]))
    feed(page, *(snapshot(k, np.eye(2) * (1 + k)) for k in range(5)))
    page.evaluate("stage.seek(3)")
    slider = page.get_by_label("Iteration shown")
    slider.focus()
    page.keyboard.press("ArrowLeft")
    assert page.evaluate("stage.player.position") == 2
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("stage.player.position") == 4  # not past the end
    canvas = page.locator(".panel canvas").first
    canvas.focus()
    page.keyboard.press("Space")
    assert page.evaluate("stage.player.mode") == "replay"
    page.keyboard.press("Space")
    assert page.evaluate("stage.player.mode") == "hold"
    page.keyboard.press("+")
    page.keyboard.press("ArrowRight")
    zoom, pan = page.evaluate("[stage.view.zoom, stage.view.panX]")
    assert zoom == pytest.approx(1.2)
    assert pan == pytest.approx(0.12)
    page.keyboard.press("0")
    assert page.evaluate("[stage.view.zoom, stage.view.panX]") == [1, 0]
    page.evaluate("stage.select([1, 2])")
    page.keyboard.press("Escape")
    assert page.evaluate("[reports, stage.selected.size]") == [[[[1, 2], 2], [[], 0]], 0]


def test_a_lasso_reports_the_points_inside_and_never_hidden_ones(opened):
    page = opened(scene_of(CORNERS, [0, 1, 2, 3]))
    page.evaluate("() => { stage.hidden.add(2); stage.chosen(); stage.toggleLasso(); }")
    settle(page)
    (left, low), (_, high) = press_points(page, 0, 0), press_points(page, 0, 2)
    line = [(left - 20, high - 20), (left + 20, high - 20), (left + 20, low + 20), (left - 20, low + 20)]
    page.mouse.move(*line[0])
    page.mouse.down()
    for place in line[1:]:
        page.mouse.move(*place, steps=3)
    page.mouse.up()
    assert page.evaluate("reports") == [[[0], 1]]  # of the two points on the left, class 2 is hidden
    assert page.evaluate("[stage.view.panX, stage.view.panY]") == [0, 0]


def test_many_selected_points_are_counted_but_not_all_reported(opened):
    page = opened(scene_of(np.random.default_rng(0).normal(size=(6000, 2)), np.zeros(6000, int)))
    page.evaluate("stage.select([...Array(6000).keys()])")
    assert page.evaluate("[reports[0][0].length, reports[0][1]]") == [5000, 6000]


def test_the_view_survives_retraining_and_another_scene(opened):
    scene = scene_of(np.random.default_rng(3).normal(size=(20, 4)), np.arange(20) % 4, d=3)
    page = opened(scene)
    box = page.locator(".panel canvas").first.bounding_box()
    page.mouse.move(box["x"] + 80, box["y"] + 80)
    page.mouse.down()
    page.mouse.move(box["x"] + 160, box["y"] + 110, steps=4)
    page.mouse.up()
    page.evaluate("() => { stage.hidden.add(3); stage.view.zoomBy(1.5); stage.viewChanged(); }")
    turned = page.evaluate("[...stage.view.rotation, stage.view.zoom]")
    assert turned != page.evaluate("() => { const v = new stage.view.constructor(3); return [...v.rotation, v.zoom]; }")
    feed(page, snapshot(0, np.eye(3, 4)), snapshot(1, np.eye(3, 4) * 2))
    page.evaluate("stage.newRun()")
    assert page.evaluate("stage.player.snapshots.length") == 0
    feed(page, snapshot(0, np.eye(3, 4)))
    page.evaluate("(text) => show(text)", text_of(encode_scene(scene)))
    settle(page)
    assert page.evaluate("[...stage.view.rotation, stage.view.zoom]") == turned
    assert page.evaluate("[...stage.hidden]") == [3]


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
      const lags = [];
      for (let frame = 0; frame < 600; frame++) {
        if (frame % 6 === 0) player.add([{}]);
        player.advance(1 / 60);
        lags.push((player.last - player.position) / 10);
      }
      return lags;
    }""")
    assert max(lags) < 0.6
    assert len(set(lags)) > 100  # it glides; it does not jump


def test_less_motion_where_the_system_asks_for_it(blank):
    blank.emulate_media(reduced_motion="reduce")
    moved = blank.evaluate("""async () => {
      const { Player } = await import("./player.js");
      const player = new Player();
      player.add([{}, {}, {}]);
      player.advance(1 / 60);
      return player.position;
    }""")
    assert moved == 2


def test_a_lost_connection_comes_back_with_the_number_of_snapshots_it_has(blank):
    seen = blank.evaluate("""async () => {
      const made = [];
      window.WebSocket = class {
        static OPEN = 1;
        constructor(address) { this.address = address; this.readyState = 1; this.sent = []; made.push(this); }
        send(text) { this.sent.push(text); }
        close() {}
      };
      const { Feed } = await import("./feed.js");
      const links = [];
      let count = 0;
      const feed = new Feed("ws://here/live", {
        received: () => count, onSnapshots: (s) => (count += s.length), onState: () => {}, onLink: (l) => links.push(l),
      });
      made[0].onopen();
      made[0].onmessage({ data: new Float64Array([2, 1, 0, ...new Array(22).fill(0)]).buffer });
      made[0].onclose({ code: 1006, reason: "" });
      while (made.length < 2) await new Promise((next) => setTimeout(next, 20));
      made[1].onopen();
      made[1].onclose({ code: 4404, reason: "" });
      await new Promise((next) => setTimeout(next, 700));
      feed.close();
      return [made.map((s) => s.address), made[0].sent, links];
    }""")
    assert seen == [["ws://here/live?after=0", "ws://here/live?after=2"], ["ack"], ["open", "lost", "open", "gone"]]


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


def test_an_element_keeps_its_stage_through_reruns_until_it_is_unmounted(blank):
    payload = text_of(encode_scene(scene_of(CORNERS, [0, 1, 2, 3])))
    seen = blank.evaluate(
        """async (text) => {
          const scene = Uint8Array.from(atob(text), (c) => c.charCodeAt(0)).buffer;
          const asked = [], sockets = [];
          window.fetch = async (address) => { asked.push(address); return new Response(scene.slice(0)); };
          window.WebSocket = class {
            constructor(address) { sockets.push(this); this.address = address; }
            close() { this.closed = true; }
          };
          const { mount, unmount } = await import("./stage.js");
          const root = document.querySelector(".nca-stage");
          const data = { base: "/nca", version: "v", token: "t", scene: 1, run: 1, known: "none" };
          const told = [];
          const component = (data) => ({ data, setStateValue() {}, setTriggerValue: (...said) => told.push(said) });
          mount(root, component(data));
          await new Promise((next) => setTimeout(next, 300));
          const first = root.querySelector(".panel canvas");
          mount(root, component({ ...data, run: 2 }));
          await new Promise((next) => setTimeout(next, 300));
          const kept = root.querySelector(".panel canvas") === first;
          sockets[1].onmessage({ data: JSON.stringify({ run: 2, state: "ended", reason: "Converged." }) });
          sockets[1].onmessage({ data: JSON.stringify({ run: 2, state: "ended", reason: "Converged." }) });
          unmount(root);
          return { asked, sockets: sockets.map((s) => [new URL(s.address).pathname, s.closed ?? false]), kept, told };
        }""",
        payload,
    )
    assert seen["asked"] == ["/nca/t/scene/1"]  # the scene travels once
    assert seen["sockets"] == [["/nca/t/live", True], ["/nca/t/live", True]]
    assert seen["kept"]
    assert seen["told"] == [["settled", "2:ended"]]
