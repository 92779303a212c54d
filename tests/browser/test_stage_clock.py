"""Several live panels under one clock, by iteration or by seconds."""

from __future__ import annotations

import numpy as np
import pytest
from playwright.sync_api import expect

from tests.browser.live_panels import PLACES, SCENE, clock, live_scene, scales, text_of_scene, train
from tests.browser.stage_page import settle


def test_by_iteration_each_panel_stands_at_the_position_or_at_its_own_last(opened):
    page = opened(live_scene(3))
    train(page, 0, [0.1, 0.2, 0.3, 0.4, 0.5])
    train(page, 1, [1.0, 2.0, 3.0])
    page.evaluate("stage.seek(1.5)")
    assert scales(page) == pytest.approx([2.5, 2.5, 1])
    page.evaluate("stage.seek(4)")
    assert scales(page) == pytest.approx([5, 3, 1])
    expect(page.locator(".readout .numbers")).to_have_text("iteration 4")
    page.evaluate("stage.seek(99)")
    assert page.evaluate("stage.player.position") == 4


def test_by_seconds_each_panel_finds_its_place_in_its_own_time(opened):
    page = opened(live_scene(2))
    train(page, 0, [0.1, 0.2, 0.3, 0.4, 0.5])
    train(page, 1, [0.25, 1.25, 2.25])
    page.evaluate("stage.seek(2)")
    settle(page)
    clock(page).select_option("seconds")
    assert page.evaluate("stage.player.position") == pytest.approx(2.25)  # the farthest stays where it was
    page.evaluate("stage.seek(0.3)")
    assert scales(page) == pytest.approx([3, 1.05])
    expect(page.locator(".readout .numbers")).to_have_text("0.30 s of computing")
    page.evaluate("stage.seek(1.75)")
    assert scales(page) == pytest.approx([5, 2.5])
    page.evaluate("stage.seek(0)")
    assert scales(page) == pytest.approx([1, 1])
    assert float(page.locator(".scrub").get_attribute("max")) == 2.25


def test_a_step_by_seconds_goes_to_the_next_snapshot_of_any_panel(opened):
    page = opened(live_scene(2))
    train(page, 0, [0.1, 0.2, 0.3])
    train(page, 1, [0.25, 1.25])
    clock(page).select_option("seconds")
    page.evaluate("stage.seek(0.2)")
    seen = []
    for name in ("One iteration on",) * 4 + ("One iteration back",) * 5:
        page.get_by_role("button", name=name).click()
        seen.append(page.evaluate("stage.player.position"))
    assert seen == [0.25, 0.3, 1.25, 1.25, 0.3, 0.25, 0.2, 0.1, 0.1]
    clock(page).select_option("number")
    page.evaluate("stage.seek(0)")
    page.get_by_role("button", name="One iteration on").click()
    assert page.evaluate("[stage.player.position, stage.player.mode]") == [1, "hold"]


@pytest.mark.parametrize("kind", ["number", "seconds"])
def test_all_follow_replay_and_end_together_by_either_clock(opened, kind):
    page = opened(live_scene(2))
    train(page, 0, [0.01 * k for k in range(1, 21)])
    train(page, 1, [0.05, 0.1, 0.15])
    clock(page).select_option(kind)
    settle(page)
    ends = [19, 2] if kind == "number" else [0.2, 0.15]
    page.wait_for_function("stage.player.mode === 'follow'")
    page.wait_for_function(f"{PLACES}.every((at, k) => Math.abs(at - {ends}[k]) < 1e-9)")
    moved = page.evaluate(
        """() => {
          const { player } = stage;
          player.toggle();
          const seen = [];
          for (let frame = 0; player.mode === "replay" && frame < 1000; frame++) {
            player.advance(1 / 60);
            seen.push([...player.histories.values()].map((history) => history.at));
          }
          return seen;
        }"""
    )
    assert len(moved) / 60 == pytest.approx(1.9, abs=0.3)  # 19 iterations at 10 a second, by either clock
    assert np.all(np.diff(np.array(moved), axis=0) >= 0)
    assert moved[-1] == pytest.approx(ends)
    assert moved[3][0] == moved[3][1]  # side by side until the shorter one ends


def test_following_each_panel_glides_to_its_own_newest(opened):
    """A panel that is behind the others must not jump from snapshot to snapshot."""
    lags = opened(live_scene(2)).evaluate("""async () => {
      const { Player } = await import("./player.js");
      const player = new Player();
      player.showPanels([{ key: "a" }, { key: "b" }]);
      const seen = [];
      for (let frame = 0; frame < 600; frame++) {
        if (frame % 6 === 0) player.add("a", 1, [{}]);
        if (frame % 12 === 0) player.add("b", 2, [{}]);
        player.advance(1 / 60);
        seen.push([...player.histories.values()].map((history) => history.last("number") - history.at));
      }
      return seen;
    }""")
    for k, rate in ((0, 10), (1, 5)):
        assert max(lag[k] for lag in lags) / rate < 0.6
        assert len({lag[k] for lag in lags}) > 100


def test_the_clock_is_offered_with_two_live_panels_and_goes_with_the_second(opened):
    page = opened(SCENE)
    expect(clock(page)).to_be_hidden()
    page = opened(live_scene(2))
    expect(clock(page)).to_be_visible()
    train(page, 0, [0.1, 0.2, 0.3])
    clock(page).select_option("seconds")
    page.evaluate("(text) => show(text)", text_of_scene(live_scene(1)))
    settle(page)
    expect(clock(page)).to_be_hidden()
    assert page.evaluate("[stage.player.clock, stage.player.position]") == ["number", 2]


def test_the_view_goes_on_to_fit_what_a_jump_has_shown(opened):
    page = opened(live_scene(2))
    train(page, 0, [0.1, 0.2, 0.3])
    page.evaluate("stage.seek(2)")
    settle(page)
    page.wait_for_timeout(500)
    settle(page)
    assert page.evaluate("stage.panels[0].extent") == pytest.approx(1.12 * 6, rel=0.01)
