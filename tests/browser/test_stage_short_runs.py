"""The short runs that looked for a start: shown one after another before the training goes on, kept in a chart."""

from __future__ import annotations

import numpy as np
from playwright.sync_api import expect

from tests.browser.stage_page import CORNERS, feed, message, scene_of, settle, snapshot

SCENE = scene_of(CORNERS, [0, 1, 2, 3], still=False)
SHOWN = ".panel .start-shown"


def short_run(page, number, factors, mean_p):
    """A short run of the first panel; its picture is the scene's, so many times as large."""
    path = (snapshot(k, np.eye(2) * factor, mean_p) for k, factor in enumerate(factors))
    page.evaluate("(text) => feed(text)", message(*path, short_run=number))


def held(page):
    """Time stands still, so that each moment can be looked at."""
    page.evaluate("stage.player.histories.get('nca').shortRuns.advance = function () { return this.shown; }")


def at(page, seconds):
    page.evaluate("(s) => { stage.player.looking('nca').seconds = s; stage.redraw(); }", seconds)
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def begun(opened):
    page = opened(SCENE)
    page.evaluate("stage.player.begin('nca', 1)")
    held(page)
    short_run(page, 1, [1, 3], 0.25)
    short_run(page, 2, [5, 5, 7], 0.75)
    feed(page, snapshot(0, np.eye(2) * 7, 0.75))
    page.evaluate("stage.setRuns({ nca: { run: 1, state: 'running', starts: ['PCA', 'LDA × 3'] } })")
    return page


def test_short_runs_are_shown_before_the_training_goes_on(opened):
    page = begun(opened)
    at(page, 0.64)
    expect(page.locator(SHOWN)).to_have_text("start 1 of 2: PCA, f/n 0.25")
    assert page.evaluate("stage.panels[0].Y[2] / 2") == 2  # half way from 1 to 3
    expect(page.locator(".readout .numbers")).to_have_text("short run 1 of 2")
    expect(page.locator(".panel .foot")).to_have_text("")  # iteration 0 has numbers, but is not what is shown
    at(page, 3.0)
    expect(page.locator(SHOWN)).to_have_text("start 2 of 2: LDA × 3, f/n 0.75, the best one goes on")
    expect(page.locator(".story")).to_contain_text("short runs from all of them")
    feed(page, snapshot(1, np.eye(2) * 8, 0.8))
    settle(page)
    expect(page.locator(SHOWN)).to_have_text("")
    expect(page.locator(".readout .numbers")).to_contain_text("iteration 1")
    assert page.evaluate("stage.player.last") == 1  # they are no part of the history
    label = page.locator(".chart canvas").first.get_attribute("aria-label")
    assert "short runs from 2 starts, which reached 0.250, 0.750; the last one went on" in label


def test_they_end_by_themselves_and_a_replay_shows_them_again(opened):
    page = begun(opened)
    page.evaluate("""() => {
      window.shown = []; // each of them for a moment only
      const { start } = stage.panels[0];
      new MutationObserver(() => shown.push(start.textContent)).observe(start, { childList: true });
      delete stage.player.histories.get("nca").shortRuns.advance;
    }""")
    page.wait_for_function("shown.at(-1) === '' && shown.some((text) => text.startsWith('start 2 of 2'))")
    expect(page.locator(SHOWN)).to_have_text("")
    settle(page)
    assert page.evaluate("stage.panels[0].Y[2] / 2") == 7
    held(page)
    page.get_by_label("Replay or hold (space)").click()
    expect(page.locator(SHOWN)).to_contain_text("start 1 of 2")
    page.get_by_label("One iteration on").click()
    expect(page.locator(SHOWN)).to_have_text("")


def test_the_line_of_f_n_begins_right_of_the_short_runs(opened):
    page = begun(opened)
    feed(page, *(snapshot(k, np.eye(2) * (7 + k), 0.8) for k in range(1, 11)))
    settle(page)
    chart = page.locator(".chart canvas").first
    box = chart.bounding_box()
    left = 40 + 0.3 * box["width"]
    chart.click(position={"x": left + 0.1 * (box["width"] - left - 10), "y": 40})
    assert page.evaluate("stage.player.position") == 1
    chart.click(position={"x": left + 0.9 * (box["width"] - left - 10), "y": 40})
    assert page.evaluate("stage.player.position") == 9
