"""The point that is looked at: its circle and numbers, and the scale that is held or fitted."""

import re
from dataclasses import replace

import numpy as np
import pytest
from playwright.sync_api import expect

from tests.browser.stage_page import feed, pan, press_points, scene_with, seek, settle, snapshot
from tests.stage.oracle import A0, A1, CENTRED, HELD_OUT, LABELS, X, local

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
