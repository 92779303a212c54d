"""The charts below the stage: what is climbed, round ticks, readable names, the best held-out iteration."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from playwright.sync_api import expect

from pages.stage.scene import Panel
from tests.browser.live_panels import clock, live_scene, train
from tests.browser.stage_page import CORNERS, feed, scene_of, settle, snapshot

SCENE = scene_of(CORNERS, [0, 1, 2, 3])
HELD_OUT = replace(SCENE, held_out=np.array([True, False, False, False]))
F_N, K = "Chance of picking a same-class neighbour (f/n)", "K̂: effective number of neighbours"
BEST = ".toolbar button:has-text('best held-out')"


def titles(page):
    return page.locator(".chart:visible h4")


def key(page, title):
    return page.locator(".chart", has=page.get_by_role("heading", name=title)).locator(".key span")


def climbing(*objectives):
    panels = (Panel(f"nca-{k}", f"P{k}", np.eye(2), live=True, objective=o) for k, o in enumerate(objectives))
    return replace(SCENE, panels=tuple(panels))


def test_curves_of_several_panels_have_a_line_each(opened):
    page = opened(live_scene(2))
    train(page, 0, [0.1, 0.2, 0.3], held_out_1nn=0.7)
    train(page, 1, [0.1, 0.2], held_out_1nn=float("nan"))
    expect(titles(page)).to_have_text([F_N, K, "1-NN on held-out rows"])
    expect(key(page, F_N)).to_have_text(["Standard 0.500", "Random start 0.500"])
    expect(key(page, "1-NN on held-out rows")).to_have_text(["Standard 0.700", "Random start –"])
    inks = "(n) => [...n.querySelectorAll('.ink')].map((s) => [s.style.getPropertyValue('--ink'), s.className])"
    of_lines = page.locator(".chart .key").nth(0).evaluate(inks)
    assert len({tuple(ink) for ink in of_lines}) == 2
    assert page.locator(".panels").evaluate(inks) == of_lines  # each panel bears its line's colour and dash


def test_without_held_out_rows_curves_compare_the_training_rows(opened):
    page = opened(live_scene(2))
    train(page, 0, [0.1, 0.2])
    name = "1-NN on training rows (optimistic)"
    expect(titles(page).last).to_have_text(name)
    expect(key(page, name)).to_have_text(["Standard 0.900", "Random start –"])


def test_one_live_panel_has_both_accuracies_side_by_side(opened):
    page = opened(HELD_OUT)
    train(page, 1, [0.1, 0.2], run=1, held_out_1nn=0.7)
    expect(titles(page)).to_have_text([F_N, K, "Accuracy"])
    expect(key(page, K)).to_have_text(["K̂ 6.500", "mean of each point's own K 7.500"])
    names = ["1-NN on held-out rows 0.700", "1-NN on training rows (optimistic) 0.900"]
    expect(key(page, "Accuracy")).to_have_text(names)
    expect(page.locator(".readout .numbers")).to_have_text("iteration 1   f/n 0.500   K̂ 6.5")
    expect(page.locator(".panel .foot")).to_have_text(
        ["", "1-NN: held-out rows 0.700   training rows (optimistic) 0.900"]
    )
    expect(page.locator(".panel h3.ink")).to_have_count(0)
    widths = page.evaluate("""async () => {
      const { linesOf, measures } = await import("./chart_lines.js");
      return linesOf(measures[3], stage).lines.map(({ name, width }) => [name, width]);
    }""")
    assert dict(widths)["held_out_1nn"] > dict(widths)["accuracy_1nn"]


def test_the_objective_that_is_climbed_has_a_chart_with_its_own_range(opened):
    page = opened(climbing("Σ log pᵢ"))
    feed(page, replace(snapshot(0, np.eye(2)), objective=-123.0), replace(snapshot(1, np.eye(2)), objective=-40.0))
    settle(page)
    expect(titles(page)).to_have_text([F_N, "Objective climbed: Σ log pᵢ", K, "Accuracy"])
    expect(key(page, "Objective climbed")).to_have_text(["objective -40.0"])
    expect(key(page, F_N)).to_have_text(["f/n 0.500"])
    label = page.locator(".chart:visible canvas").nth(1).get_attribute("aria-label")
    assert "from -123.0 to -40.0" in label


def test_different_objectives_are_named_and_share_no_range(opened):
    page = opened(climbing("Σ log pᵢ", ""))
    feed(page, replace(snapshot(0, np.eye(2)), objective=-100.0), replace(snapshot(1, np.eye(2)), objective=-40.0))
    feed(page, replace(snapshot(0, np.eye(2)), objective=0.2), panel=1, run=2)
    settle(page)
    expect(titles(page).nth(1)).to_have_text("Objectives climbed, each on its own range")
    expect(key(page, "Objectives climbed")).to_have_text(["P0, Σ log pᵢ -40.0", "P1, Σ pᵢ 0.200"])
    page = opened(climbing("Σ log pᵢ", "Σ log pᵢ"))
    expect(titles(page).nth(1)).to_have_text("Objective climbed: Σ log pᵢ")
    page = opened(climbing("", ""))
    expect(titles(page)).to_have_count(3)  # f/n shows it already


@pytest.mark.parametrize(
    ("values", "chart", "texts"),
    [
        ([4.76, 37.0], {"bounds": [1, None], "from": 1}, ["1", "20", "40"]),
        ([1.01, 6.5], {"bounds": [1, None], "from": 1}, ["1", "2", "4", "6", "8"]),
        ([0.909, 1.0], {"bounds": [0, 1]}, ["0.90", "0.95", "1.00"]),
        ([0.5, 0.5], {"bounds": [0, 1]}, None),
        ([-123.0, -40.0], {"bounds": [None, None]}, ["-150", "-100", "-50", "0"]),
        ([-3.2e6, -1.1e6], {"bounds": [None, None]}, None),
        (None, {"bounds": [0, 1]}, ["0.0", "0.5", "1.0"]),
        (None, {"bounds": [1, None], "from": 1}, ["1", "5", "10"]),
        ([40, 50], {"bounds": [1, None], "from": 1}, ["1", "20", "40", "60"]),
    ],
)
def test_ticks_are_round_and_the_axis_holds_the_values(blank, values, chart, texts):
    axis = blank.evaluate(
        """async ([values, chart]) => {
          const { axisOf } = await import("./chart_axis.js");
          const [least, most] = chart.bounds;
          return axisOf(values, { ...chart, bounds: [least ?? -Infinity, most ?? Infinity] });
        }""",
        [values, chart],
    )
    assert axis["low"] < axis["high"]
    if values:
        assert axis["low"] <= values[0]
        assert axis["high"] >= values[1]
    assert 2 <= len(axis["ticks"]) <= 7
    assert axis["low"] == pytest.approx(axis["ticks"][0])
    assert axis["high"] == pytest.approx(axis["ticks"][-1])
    assert len(set(axis["texts"])) == len(axis["texts"])
    if chart.get("from"):
        assert axis["ticks"][0] == 1
    if texts:
        assert axis["texts"] == texts


# -- the best held-out iteration


def with_best(page):
    held = [0.5, 0.75, 1.0, 1.0, 0.75]
    feed(page, *(snapshot(k, np.eye(2) * (1 + k), held_out_1nn=h, seconds=0.1 * 2**k) for k, h in enumerate(held)))
    settle(page)


def test_the_best_held_out_iteration_is_marked_and_gone_to(opened):
    page = opened(HELD_OUT)
    button = page.locator(BEST)
    expect(button).to_be_hidden()
    with_best(page)
    expect(button).to_have_text("best held-out: iteration 2")
    mark, track = page.locator(".best-mark"), page.locator(".scrub")
    expect(mark).to_be_visible()
    box, rail = mark.bounding_box(), track.bounding_box()
    assert box["x"] + box["width"] / 2 == pytest.approx(rail["x"] + rail["width"] / 2, abs=1)
    button.click()
    settle(page)
    assert page.evaluate("[stage.player.position, stage.player.mode]") == [2, "hold"]
    expect(page.locator(".readout .numbers")).to_contain_text("iteration 2 ")
    canvas = page.locator(".chart:visible canvas").last
    assert "best held-out accuracy at iteration 2" in canvas.get_attribute("aria-label")


def test_by_seconds_the_mark_stands_at_its_seconds(opened):
    page = opened(replace(live_scene(2), held_out=HELD_OUT.held_out))
    train(page, 0, [0.1, 0.2, 0.4], held_out_1nn=0.5)
    others = (snapshot(k, np.eye(2), held_out_1nn=0.6 + 0.4 * (k == 1), seconds=s) for k, s in enumerate([1, 2, 8]))
    feed(page, *others, panel=1, run=2)
    clock(page).select_option("seconds")
    settle(page)
    expect(page.locator(BEST)).to_have_text("best held-out: Random start, iteration 1")
    box, rail = page.locator(".best-mark").bounding_box(), page.locator(".scrub").bounding_box()
    wanted = rail["x"] + 8 + (rail["width"] - 16) * 2 / 8
    assert box["x"] + box["width"] / 2 == pytest.approx(wanted, abs=1)
    page.locator(BEST).click()
    assert page.evaluate("stage.player.position") == 2


def test_without_held_out_rows_no_iteration_is_called_best(opened):
    page = opened(SCENE)
    with_best(page)
    expect(page.locator(BEST)).to_be_hidden()
    expect(page.locator(".best-mark")).to_be_hidden()


def test_the_scrubber_says_where_it_stands(opened):
    page = opened(HELD_OUT)
    with_best(page)
    page.evaluate("stage.seek(3)")
    settle(page)
    expect(page.locator(".scrub")).to_have_attribute("aria-valuetext", "iteration 3 of 4")
