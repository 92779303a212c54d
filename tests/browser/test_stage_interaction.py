"""What people do on the stage: mouse, keys, legend, hover card, selection, a point looked at, the scale."""

import re
from dataclasses import replace

import numpy as np
import pytest
from playwright.sync_api import expect

from tests.browser.stage_page import (
    CORNERS,
    HOSTILE,
    WHITE,
    feed,
    pan,
    pixels,
    press_points,
    scene_with,
    seek,
    settle,
    snapshot,
)
from tests.stage.oracle import A0, A1, CENTRED, HELD_OUT, LABELS, X, local

SCENE = scene_with(CORNERS, [0, 1, 2, 3])


def test_the_legend_hides_isolates_and_shows_again_in_all_panels(opened):
    page = opened(scene_with(CORNERS, [0, 1, 2, -1]))
    full = [pixels(page, panel) for panel in (0, 1)]
    buttons = page.locator(".legend .class")
    expect(buttons).to_have_count(5)

    def expect_hidden(*points):
        settle(page)
        for panel in (0, 1):
            assert pixels(page, panel) == [WHITE if i in points else full[panel][i] for i in range(4)]

    buttons.nth(1).focus()
    page.keyboard.press("Enter")
    expect(buttons.nth(1)).to_have_attribute("aria-pressed", "false")
    expect_hidden(1)
    buttons.nth(0).dblclick()
    expect_hidden(1, 2, 3)
    page.get_by_role("button", name="show all").click()
    expect_hidden()


def test_held_out_points_are_hollow_and_named_so_and_no_others(opened):
    expect(opened(SCENE).locator(".legend .hollow")).to_have_count(0)
    page = opened(replace(SCENE, held_out=np.array([False, True, False, False])))
    expect(page.locator(".legend .hollow")).to_have_text("hollow: held out, not trained on")
    assert [middle == WHITE for middle in pixels(page, 0) + pixels(page, 1)] == [False, True, False, False] * 2
    for row, words in ((1, "row 12, held out"), (2, "row 13")):
        page.mouse.move(*press_points(page, 0, row))
        expect(page.locator(".card .quiet").first).to_have_text(words)
    page = opened(replace(SCENE, row_names=np.array(["", HOSTILE, "", ""]), row_word="line"))
    for row, words in ((1, HOSTILE), (2, "line 13")):
        page.mouse.move(*press_points(page, 0, row))
        expect(page.locator(".card > div").first).to_have_text(words)
    expect(page.locator(".card > div")).to_have_count(2)  # the number and the neighbourhood


def test_keys_step_move_and_clear(opened):
    page = opened(SCENE)
    feed(page, *(snapshot(k, np.eye(2) * (1 + k)) for k in range(5)))
    seek(page, 3)
    slider = page.get_by_label("Iteration shown")
    slider.focus()
    page.keyboard.press("ArrowLeft")
    assert page.evaluate("stage.player.position") == 2
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    assert page.evaluate("stage.player.position") == 4  # not past the end
    canvas = page.locator(".panel canvas").first
    canvas.focus()
    page.keyboard.press("+")
    page.keyboard.press("ArrowRight")
    view = "[stage.views.shared.zoom, stage.views.shared.panX]"
    assert page.evaluate(view) == pytest.approx([1.2, 0.12])
    page.keyboard.press("0")
    assert page.evaluate(view) == [1, 0]
    page.evaluate("stage.select([1, 2])")
    page.keyboard.press("Escape")
    assert page.evaluate("[reports, stage.selected.size]") == [[[[1, 2], 2], [[], 0]], 0]


def test_a_lasso_reports_the_points_inside_and_never_hidden_ones(opened):
    page = opened(SCENE)
    page.evaluate("() => { stage.hidden.add(2); stage.chosen(); stage.toggleSelecting('lasso'); }")
    settle(page)
    (left, low), (_, high) = press_points(page, 0, 0), press_points(page, 0, 2)
    line = [(left - 20, high - 20), (left + 20, high - 20), (left + 20, low + 20), (left - 20, low + 20)]
    pan(page, *line)
    assert page.evaluate("reports") == [[[0], 1]]  # of the two points on the left, class 2 is hidden
    assert page.evaluate("[stage.views.shared.panX, stage.views.shared.panY]") == [0, 0]


def test_a_box_selects_what_is_between_its_corners_and_ends_when_pressed_again(opened):
    page = opened(SCENE)
    button = page.get_by_role("button", name="Select points by a rectangle")
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")
    (left, low), (right, high) = press_points(page, 0, 0), press_points(page, 0, 3)
    page.mouse.move(right, low)
    expect(page.locator(".card")).to_be_visible()
    page.mouse.move(right + 9, low + 9)  # from any corner to the one across
    page.mouse.down()
    page.mouse.move(left - 15, low - 5, steps=3)
    page.mouse.move(left - 15, (low + high) / 2, steps=3)
    expect(page.locator(".panel .overlay path").first).to_have_attribute("d", re.compile(r"^M[^L]+(L[^L]+){3}Z$"))
    expect(page.locator(".card")).to_be_hidden()
    page.mouse.up()
    assert page.evaluate("reports") == [[[0, 1], 2]]
    lasso = page.get_by_role("button", name="Select points by drawing around them")
    lasso.click()
    expect(button).to_have_attribute("aria-pressed", "false")
    lasso.click()
    expect(lasso).to_have_attribute("aria-pressed", "false")
    pan(page, (left, low), (left + 40, low))
    assert len(page.evaluate("reports")) == 1  # that drag moved the view
    assert page.evaluate("stage.views.shared.panX") > 0


@pytest.mark.parametrize("d", [2, 3])
def test_unlinked_each_panel_has_its_own_view_and_linked_all_take_the_last_one(opened, d):
    page = opened(scene_with(np.random.default_rng(5).normal(size=(20, 4)), np.arange(20) % 4, d=d))
    places = "(p) => [...stage.panels[p].xs, ...stage.panels[p].ys]"
    button = page.get_by_role("button", name="Turn and zoom all panels together")
    expect(button).to_have_attribute("aria-pressed", "true")

    def press(*keys):
        for key in keys:
            page.keyboard.press(key)
        settle(page)
        return [page.evaluate(places, p) for p in (0, 1)]

    page.locator(".panel canvas").nth(0).focus()
    together = press("+", "ArrowRight")
    assert together[0] == together[1]
    button.click()
    expect(button).to_have_attribute("aria-pressed", "false")
    assert press() == together  # it goes on from there
    page.locator(".panel canvas").nth(1).focus()
    apart = press("ArrowUp", "+")
    assert apart[0] == together[0]
    assert apart[1] != together[1]
    page.locator(".panel canvas").nth(1).dblclick()
    assert press()[0] == together[0]
    assert press("ArrowUp")[1] not in (apart[1], together[1])
    page.locator(".panel canvas").nth(0).focus()
    last = press("ArrowLeft")[0]
    button.click()
    assert press() == [last, last]
    page.get_by_role("button", name="Zoom and rotation as at first").click()
    first = press()
    assert first[0] == first[1] != last


def test_the_view_survives_retraining_and_another_scene(opened):
    scene = scene_with(np.random.default_rng(3).normal(size=(20, 4)), np.arange(20) % 4, d=3)
    page = opened(scene)
    box, hint = page.locator(".panel canvas").first.bounding_box(), page.locator(".turn-hint")
    expect(hint).to_be_visible()
    pan(page, (box["x"] + 80, box["y"] + 80), (box["x"] + 160, box["y"] + 110))
    expect(hint).to_have_count(0)
    page.evaluate("() => { stage.hidden.add(3); stage.views.shared.zoomBy(1.5); stage.viewChanged(); }")
    turned = page.evaluate("[...stage.views.shared.rotation, stage.views.shared.zoom]")
    fresh = "() => { const view = new stage.views.shared.constructor(3); return [...view.rotation, view.zoom]; }"
    assert turned != page.evaluate(fresh)
    feed(page, snapshot(0, np.eye(3, 4)), snapshot(1, np.eye(3, 4) * 2))
    page.evaluate("stage.setRuns({ nca: { run: 2, state: 'ready' } })")
    assert page.evaluate("stage.player.histories.get('nca').length") == 0
    feed(page, snapshot(0, np.eye(3, 4)))
    opened(scene)
    assert page.evaluate("[...stage.views.shared.rotation, stage.views.shared.zoom]") == turned
    assert page.evaluate("[...stage.hidden]") == [3]


def test_the_card_shows_writing_dark_and_photographs_light(opened):
    """Ink is the high value of a scan, light that of a photograph: neither is to look like its negative."""
    ink = np.zeros((6, 16))
    ink[:, 5] = 16.0
    photograph = np.random.default_rng(4).uniform(40, 200, (6, 16))
    photograph[:, 5] = 250.0
    for picture, brightest in ((ink, 255), (photograph, 0)):
        scene = scene_with(picture, [0, 1, 2, 3, 0, 1])
        page = opened(replace(scene, image_shape=(4, 4)))
        page.mouse.move(*press_points(page, 0, 0))
        canvas = page.locator(".card canvas.picture")
        expect(canvas).to_be_visible()
        seen = canvas.evaluate("""(canvas) => {
          const { data } = canvas.getContext("2d").getImageData(0, 0, 4, 4);
          return [...Array(16).keys()].map((k) => data[4 * k]);
        }""")
        assert seen[5] == 255 - brightest
        others = seen[:5] + seen[6:]
        assert max(others) == 255 if brightest else min(others) == 0


# The hints that are shown from now on, however soon they go.
HINTED = """() => {
  window.hinted = [];
  new MutationObserver((changes) => {
    const added = changes.flatMap(({ addedNodes }) => [...addedNodes]);
    hinted.push(...added.filter((node) => node.className === "hint").map((node) => node.textContent));
  }).observe(stage.row, { childList: true, subtree: true });
}"""


def test_a_wheel_scrolls_the_page_until_the_panel_is_focused_or_ctrl_is_held(opened):
    page = opened(SCENE)
    page.set_viewport_size({"width": 900, "height": 320})
    settle(page)
    zoom, hint = "stage.views.shared.zoom", page.locator(".hint")
    canvas = page.locator(".panel canvas").first
    box = canvas.bounding_box()
    page.mouse.move(box["x"] + 30, box["y"] + 30)
    page.evaluate(HINTED)
    page.mouse.wheel(0, 60)
    page.wait_for_function("scrollY > 0 && hinted.length > 0")
    assert page.evaluate(zoom) == 1
    assert re.match("^Hold (Ctrl|⌘) to zoom, or click the panel first$", page.evaluate("hinted[0]"))
    expect(hint).to_have_count(0)  # it goes by itself
    page.evaluate("scrollTo(0, 0)")
    page.mouse.move(box["x"] + 31, box["y"] + 30)
    page.keyboard.down("Control")
    page.mouse.wheel(0, -60)
    page.wait_for_function(f"{zoom} > 1")
    page.keyboard.up("Control")
    page.evaluate("stage.resetView()")
    canvas.focus()
    page.mouse.wheel(0, -60)
    page.wait_for_function(f"{zoom} > 1")
    assert page.evaluate("scrollY") == 0
    expect(hint).to_have_count(0)
    page.evaluate(
        "() => { for (let k = 0; k < 9; k++) { stage.hints.last = -1e9; stage.hints.wheel(stage.panels[0]); } }"
    )
    expect(hint).to_have_count(0)
    page.evaluate("() => { hinted.length = 0; stage.hints.wheel(stage.panels[0]); }")
    assert page.evaluate("[hinted, stage.hints.root.isConnected]") == [[], False]  # it has been said often enough


def test_escape_clears_from_anywhere_but_a_field_in_which_one_types(opened):
    page = opened(SCENE)
    page.evaluate("""() => {
      const made = (name) => document.body.append(Object.assign(document.createElement(name), { id: name }));
      made("input"), made("button");
      stage.select([1, 2]);
      stage.spotlight.press(3);
    }""")
    left = "[stage.selected.size, stage.spotlight.pinned]"
    page.locator("#input").focus()
    page.keyboard.press("Escape")
    assert page.evaluate(left) == [2, 3]
    page.locator("#button").focus()
    page.keyboard.press("Escape")
    assert page.evaluate(left) == [0, -1]
    page.evaluate("() => { stage.select([1]); stage.end(); }")
    page.keyboard.press("Escape")
    assert page.evaluate(left) == [1, -1]  # a stage that has ended hears nothing


CHOSEN, STORY = ".chosen", ".story"
CELLS = "(rows) => rows.map((row) => [...row.cells].map((c) => c.innerText))"


def test_selected_points_stand_where_the_story_does_until_they_are_let_go(opened):
    scene = scene_with(CORNERS, [1, 0, 1, -1], names=("a", HOSTILE))
    page = opened(replace(scene, held_out=np.array([True, False, False, False])))
    expect(page.locator(CHOSEN)).to_be_hidden()
    page.evaluate("stage.select([3, 2, 0])")
    expect(page.locator(CHOSEN)).to_contain_text(f"3 points selected: 2 {HOSTILE}, 1 unlabelled")
    assert page.locator(f"{CHOSEN} tr").evaluate_all(CELLS) == [
        ["row", "class", "f0", "f1"],
        ["11", f"{HOSTILE}, held out", "-2", "-1"],
        ["13", HOSTILE, "-2", "1"],
        ["14", "unlabelled", "2", "1"],
    ]
    expect(page.locator(STORY)).to_be_hidden()
    page.get_by_role("button", name="Clear the selection (Escape)").click()
    expect(page.locator(CHOSEN)).to_be_hidden()
    expect(page.locator(STORY)).to_be_visible()
    assert page.evaluate("window.harmed") is None


AXES = """() => [...stage.panels[0].root.querySelectorAll(".axis-names span")].map((each) => {
  const frame = stage.panels[0].canvas.getBoundingClientRect(), box = each.getBoundingClientRect();
  return [each.textContent, box.left + box.width / 2 - frame.left, box.top + box.height / 2 - frame.top];
})"""


def test_in_three_dimensions_the_box_names_the_features_that_are_its_axes(opened):
    scene = replace(scene_with(np.eye(4, 3), [0, 1, 2, 3], d=3, still=False), feature_names=("x", "y", "noise"))
    page = opened(scene)
    names = page.locator(".panel .axis-names")
    expect(names).to_be_visible()
    page.evaluate("stage.views.shared.rotation = [1, 0, 0, 0, 1, 0, 0, 0, 1]")
    page.evaluate("stage.panels[0].dirty = true, stage.requestFrame()")
    settle(page)
    wide, high = page.evaluate("[stage.panels[0].canvas.clientWidth, stage.panels[0].canvas.clientHeight]")
    (x, *at_x), (y, *at_y), (noise, *_) = page.evaluate(AXES)
    assert (x, y, noise) == ("x", "y", "noise")
    assert at_x[0] == pytest.approx(wide / 2, abs=1)  # along the lower edge
    assert at_x[1] > 0.7 * high
    assert at_y[1] == pytest.approx(high / 2, abs=1)  # along the left edge
    assert at_y[0] < 0.5 * wide - 0.2 * high
    feed(page, snapshot(0, np.eye(3)), snapshot(1, np.eye(3) + 0.1))
    seek(page, 1)
    expect(names).to_be_hidden()  # axes that mix features have no name


SAME_SCALE = "Same scale: the view is held"


def make_scene(d=2, **changes):
    return replace(scene_with(X, LABELS, d=d), held_out=HELD_OUT, **changes)


def test_the_circle_and_its_numbers_follow_the_picture_in_every_panel(opened):
    page = opened(make_scene())
    feed(page, snapshot(0, A0), snapshot(1, A1))
    at(page, 0)
    expect(page.locator(".panel .circle:visible")).to_have_count(0)
    i = 33
    page.mouse.click(*press_points(page, 0, i))
    page.mouse.move(2, 2)
    for t in (0.0, 0.4, 1.0):
        at(page, t)
        for panel, frame in ((0, A0), (1, (1 - t) * A0 + t * A1)):
            radius, p, k = local(CENTRED @ frame.T, i)
            pixels = page.evaluate("(p) => stage.panels[p].scale / stage.panels[p].ratio", panel)
            box = page.locator(".panel .circle").nth(panel).bounding_box()
            shown = [box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, box["width"] / 2]
            assert shown == pytest.approx([*press_points(page, panel, i), radius * pixels], abs=0.6)
            expect(page.locator(".panel .own").nth(panel)).to_have_text(f"K {k:.1f}  p {p:.2f}")


def test_the_pointer_shows_a_press_pins_and_escape_or_a_second_press_releases(opened):
    page = opened(make_scene())
    circles = page.locator(".panel .circle:visible")
    first, second = press_points(page, 1, 7), press_points(page, 1, 50)

    def leave(shown):
        page.mouse.move(2, 2)
        expect(circles).to_have_count(shown)

    page.mouse.move(*first)
    expect(circles).to_have_count(2)
    leave(0)
    page.mouse.click(*first)
    page.mouse.move(*second)
    assert page.evaluate("[stage.spotlight.pinned, stage.spotlight.hovered]") == [7, 50]
    leave(2)
    page.mouse.click(*first)
    leave(0)
    page.mouse.click(*first)
    page.keyboard.press("Escape")
    leave(0)
    pan(page, first, (first[0] + 30, first[1] + 10))  # a drag pins nothing
    assert page.evaluate("stage.spotlight.pinned") == -1
    page.locator(".panel canvas").first.focus()
    page.keyboard.press("Enter")
    assert page.evaluate("stage.spotlight.pinned") >= 0
    opened(make_scene())
    assert page.evaluate("stage.spotlight.pinned") == -1


def test_the_card_has_p_and_k_and_says_whether_the_scale_was_learnt(opened):
    page = opened(make_scene())
    card = page.locator(".card .neighbourhood")
    _, p, k = local(CENTRED[:, :2], 33)
    page.mouse.move(*press_points(page, 1, 33))
    expect(card).to_contain_text(f"{k:.1f} points")
    expect(card).to_contain_text(f"probability {p:.3f} (pᵢ)")
    expect(card).not_to_contain_text("Scale not learnt")
    page.mouse.move(*press_points(page, 0, 33))
    expect(card).to_contain_text("Scale not learnt")
    page.mouse.move(*press_points(page, 0, 3))
    expect(card).not_to_contain_text("(pᵢ)")  # unlabelled


# -- the scale


def at(page, position):
    """How far the points of the moving panel reach, in pixels, and how long a unit of its bar is, at a position."""
    seek(page, position)
    reach = page.evaluate("Math.max(...stage.panels[1].xs) - Math.min(...stage.panels[1].xs)")
    bar = page.locator(".panel .bar").nth(1)
    return reach, bar.locator(".length").bounding_box()["width"] / float(bar.inner_text().split()[0])


def test_points_far_from_the_others_are_counted(opened):
    far = np.array(X)
    far[0] = 400.0
    page = opened(replace(scene_with(far, LABELS), held_out=HELD_OUT))
    outside = page.locator(".panel .outside").first
    expect(outside).to_have_text("1 point outside")
    box = page.locator(".panel canvas").first.bounding_box()
    pan(page, (box["x"] + 100, box["y"] + 100), (box["x"] + 130, box["y"] + 110))
    expect(outside).to_have_text("")  # moved by hand, it is no news


def test_fitted_the_bar_shrinks_held_the_points_fly_apart(opened):
    page = opened(make_scene())
    feed(page, snapshot(0, A0), snapshot(1, A0 * 3))
    reach, bar = at(page, 0)
    assert at(page, 1) == pytest.approx((reach, bar / 3), rel=0.01)
    at(page, 0)
    button, outside = page.get_by_role("button", name=SAME_SCALE), page.locator(".panel .outside").nth(1)
    expect(button).to_have_attribute("aria-pressed", "false")
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")
    assert at(page, 1) == pytest.approx((3 * reach, bar), rel=0.01)
    expect(outside).to_have_text(re.compile(r"^\d+ points outside$"))
    # Reset view fits what is there now, and holds that.
    page.get_by_role("button", name="Zoom and rotation as at first").click()
    assert at(page, 1)[0] == pytest.approx(reach, rel=0.01)
    expect(outside).to_have_text("")
    assert at(page, 0)[0] == pytest.approx(reach / 3, rel=0.01)
    button.click()
    assert at(page, 0)[0] == pytest.approx(reach, rel=0.01)


@pytest.mark.parametrize("held", [False, True])
def test_reset_fits_the_start_at_once_with_zoom_and_pan_as_at_first(opened, held):
    page = opened(make_scene())
    start, _ = at(page, 0)
    if held:
        page.get_by_role("button", name=SAME_SCALE).click()
    page.evaluate("stage.setRuns({ nca: { run: 1, state: 'running' } })")
    feed(page, snapshot(0, A0), snapshot(1, A0 * 40))
    at(page, 1)
    page.evaluate("() => { stage.views.shared.zoomBy(0.3, 0.2, 0.1); stage.viewChanged(); }")
    settle(page)
    first = page.evaluate("""() => {
      stage.setRuns({});
      return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => {
        const [still, moved] = stage.panels;
        const { zoom, panX } = stage.views.shared;
        done([moved.extent / still.extent, moved.scale / still.scale, zoom, panX]);
      })));
    }""")
    assert first == pytest.approx([1, 1, 1, 0])  # both show the same start, and are painted so
    assert at(page, 0)[0] == pytest.approx(start, rel=1e-3)
