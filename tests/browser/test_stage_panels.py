"""Several live panels on one stage: their runs, numbers and curves; panels of every kind."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from playwright.sync_api import expect

from pages.stage.scene import Panel
from tests.browser.live_panels import SCENE, TITLES, clock, live_scene, scales, text_of_scene, train
from tests.browser.stage_page import CORNERS, HOSTILE, WHITE, feed, press_points, settle, snapshot
from tests.browser.waiting import at_last
from tests.pages.stage.test_wire import make_embedding

# -- runs


def test_a_run_that_is_replaced_begins_anew_and_the_others_stay(opened):
    page = opened(live_scene(2))
    train(page, 0, [0.1, 0.2, 0.3])
    train(page, 1, [0.1, 0.2])
    page.evaluate("stage.seek(2)")
    assert scales(page) == pytest.approx([3, 2])
    states = "{ 'nca-0': { run: 9, state: 'ready' }, 'nca-1': { run: 2, state: 'running' } }"
    page.evaluate(f"stage.setRuns({states})")
    page.wait_for_function("stage.player.position === 1")
    assert scales(page) == pytest.approx([1, 2])
    feed(page, snapshot(0, np.eye(2) * 7), panel=0, run=9)
    settle(page)
    assert scales(page) == pytest.approx([7, 2])
    page.evaluate("stage.setRuns({ 'nca-1': { run: 2, state: 'running' } })")
    assert scales(page) == pytest.approx([1, 2])


def test_the_status_counts_and_each_panel_says_its_own(opened):
    page = opened(live_scene(3, still=True))
    status, states = page.locator(".readout .status"), page.locator(".panel .state")
    page.evaluate("""stage.setRuns({
      'nca-0': { run: 1, state: 'running' }, 'nca-1': { run: 2, state: 'running' },
      'nca-2': { run: 3, state: 'ended', reason: 'Converged after 21 iterations.' },
    })""")
    expect(status).to_have_text("2 of 3 training, 1 ended")
    expect(states).to_have_text(["", "training", "training", "Converged after 21 iterations."])
    page.evaluate("""stage.setRuns({
      'nca-0': { run: 1, state: 'waiting', queue: 4 }, 'nca-1': { run: 2, state: 'paused' },
    })""")
    expect(status).to_have_text("1 of 3 waiting (number 4 in the queue), 1 paused")
    page.evaluate("stage.setRuns({})")
    expect(status).to_have_text("")
    page.evaluate("(text) => show(text)", text_of_scene(live_scene(1)))
    page.evaluate("stage.setRuns({ 'nca-0': { run: 1, state: 'ended', reason: 'Converged.' } })")
    expect(status).to_have_text("Converged.")  # one live panel says it where it always did
    expect(states).to_have_text([""])


def test_each_live_panel_has_its_numbers_at_its_foot(opened):
    page = opened(live_scene(2, still=True))
    train(page, 1, [0.1, 0.2], run=1, held_out_1nn=0.75, accuracy_knn=0.5, held_out_knn=0.25)
    train(page, 2, [0.1], run=2)
    expect(page.locator(".panel .foot")).to_have_text(
        [
            "",
            "f/n 0.500   K̂ 6.5   1-NN: held-out rows 0.750   training rows (optimistic) 0.900",
            "f/n 0.500   K̂ 6.5   1-NN: training rows (optimistic) 0.900",
        ]
    )


def test_a_history_that_grew_too_large_is_thinned_and_that_is_said(opened):
    page = opened(live_scene(2))
    page.evaluate("stage.player.mostBytes = 20_000")
    train(page, 1, [0.1, 0.2, 0.3])
    note = page.locator(".thinned")
    expect(note).to_have_text("")
    train(page, 0, [0.01 * (k + 1) for k in range(200)])
    expect(note).to_have_text("The histories have reached 0 MB: of the older iterations only some are kept (Standard).")
    kept = page.evaluate("[...stage.player.histories.values()].map((h) => h.snapshots.map((s) => s.iteration))")
    bytes_kept = page.evaluate("[...stage.player.histories.values()].map((h) => h.bytes).reduce((a, b) => a + b)")
    assert bytes_kept <= 20_000
    assert kept[1] == [0, 1, 2]
    assert kept[0][0] == 0
    assert kept[0][-10:] == list(range(190, 200))
    assert kept[0] == sorted(set(kept[0]))
    assert len(kept[0]) > 20
    # What is gone lies between what is kept: iterations keep their places on the clock.
    page.evaluate("stage.seek(100)")
    assert scales(page)[0] == pytest.approx(101)
    assert page.evaluate("stage.player.held()") == "nca-0:1:200,nca-1:2:3"
    feed(page, snapshot(200, np.eye(2) * 201), panel=0, run=1)
    assert page.evaluate("stage.player.last") == 200


# -- curves


def test_a_press_on_a_chart_scrubs_by_seconds_too(opened):
    page = opened(live_scene(2))
    train(page, 0, [0.1, 0.2, 0.3, 0.4])
    clock(page).select_option("seconds")
    settle(page)
    canvas = page.locator(".chart canvas").first
    box = canvas.bounding_box()
    page.mouse.move(box["x"] + 40 + (box["width"] - 50) * 0.6, box["y"] + 40)
    page.mouse.down()
    page.mouse.up()
    assert page.evaluate("stage.player.position") == pytest.approx(0.24, abs=0.005)


# -- panels of every kind


def test_coordinates_are_drawn_and_blended_as_they_are(opened):
    rng = np.random.default_rng(0)
    Y0, Y1 = rng.normal(size=(2, 4, 2))
    tsne = Panel("tsne", "t-SNE", Y0, kind="coordinates", live=True)
    page = opened(replace(SCENE, panels=(*SCENE.panels, tsne)))
    drawn = "[...stage.panels[2].Y]"
    np.testing.assert_allclose(np.reshape(page.evaluate(drawn), (4, 2)), Y0 - Y0.mean(axis=0), atol=1e-6)
    feed(page, make_embedding(0, Y0), make_embedding(1, Y1), panel=2, run=4, rows=np.arange(4))
    page.evaluate("stage.seek(0.25)")
    settle(page)
    wanted = 0.75 * (Y0 - Y0.mean(axis=0)) + 0.25 * (Y1 - Y1.mean(axis=0))
    np.testing.assert_allclose(np.reshape(page.evaluate(drawn), (4, 2)), wanted, atol=1e-6)


def test_points_without_coordinates_are_not_there(opened):
    Y = CORNERS.copy()
    Y[3] = np.nan
    page = opened(replace(SCENE, panels=(SCENE.panels[0], Panel("tsne", "t-SNE", Y, kind="coordinates"))))
    colours = [page.evaluate("([p, i]) => pixel(p, i)", [1, i]) for i in (0, 1, 2)]
    assert WHITE not in colours
    assert page.evaluate("stage.panels[1].extent") == pytest.approx(1.12 * 8 / 3, rel=0.01)  # x from -2, 2, -2
    page.evaluate("() => { stage.views.shared.zoomBy(1.1); stage.viewChanged(); }")
    settle(page)
    page.mouse.move(*press_points(page, 1, 0))
    expect(page.locator(".card")).to_contain_text("row 11")


def test_each_feature_set_has_its_own_matrix(opened):
    rng = np.random.default_rng(1)
    X, A = rng.normal(size=(4, 5)), rng.normal(size=(2, 5))
    kernel = Panel("kernel", "Kernel PCA", A, features=1)
    page = opened(replace(SCENE, features=(SCENE.X, X), panels=(*SCENE.panels, kernel)))
    drawn = np.reshape(page.evaluate("[...stage.panels[2].Y]"), (4, 2))
    np.testing.assert_allclose(drawn, (X - X.mean(axis=0)) @ A.T, atol=1e-5)


def test_a_panel_with_labels_of_its_own_goes_by_them(opened):
    shuffled = replace(SCENE.panels[1], key="shuffled", labels=np.array([1, 0, 2, -1]))
    page = opened(replace(SCENE, panels=(SCENE.panels[0], shuffled)))
    colour = "([p, i]) => pixel(p, i)"
    assert page.evaluate(colour, [0, 0]) == page.evaluate(colour, [1, 1]) != page.evaluate(colour, [0, 1])
    expect(page.locator(".legend .class").last).to_have_text("unlabelled")
    page.mouse.move(*press_points(page, 1, 0))
    card = page.locator(".card")
    expect(card.locator("b")).to_have_text("b")
    expect(card).to_contain_text("a in the other panels")
    page.mouse.move(*press_points(page, 0, 0))
    expect(card.locator("b")).to_have_text("a")
    expect(card).not_to_contain_text("other panels")
    page.locator(".legend .class").first.click()  # hides class a
    settle(page)
    assert [page.evaluate(colour, [0, i]) == WHITE for i in range(4)] == [True, False, False, False]
    assert [page.evaluate(colour, [1, i]) == WHITE for i in range(4)] == [False, True, False, False]
    page.evaluate("stage.toggleSelecting('box')")
    box = page.locator(".panel canvas").nth(1).bounding_box()
    page.mouse.move(box["x"] + 2, box["y"] + 2)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] - 2, box["y"] + box["height"] - 2, steps=3)
    page.mouse.up()
    assert page.evaluate("reports") == [[[0, 2, 3], 3]]


def test_a_problem_is_a_card_and_the_others_go_on(opened):
    problem = Panel("lda", "LDA", None, problem=f"LDA needs three classes. {HOSTILE}")
    lost = Panel("nca-2", "NCA again", None, live=True, problem="There are no labels.")
    page = opened(replace(SCENE, panels=(SCENE.panels[0], problem, SCENE.panels[1], lost)))
    expect(page.locator(".panel .reason").nth(1)).to_have_text(problem.problem)
    expect(page.locator(".panel.problem")).to_have_count(2)
    expect(page.locator(".panel canvas:visible")).to_have_count(2)
    expect(page.locator(".panel.hero h3")).to_have_text("NCA")  # the one panel that moves
    assert page.evaluate("window.harmed") is None
    feed(page, *(snapshot(k, np.eye(2) * (1 + k)) for k in range(3)), panel=2)
    page.evaluate("stage.seek(2)")
    settle(page)
    assert page.evaluate("stage.panels[2].Y[2] / 2") == pytest.approx(3)
    page.locator(".panel canvas").nth(2).scroll_into_view_if_needed()
    page.mouse.move(*press_points(page, 2, 0))
    expect(page.locator(".card")).to_be_visible()
    page.evaluate("(text) => show(text)", text_of_scene(replace(SCENE, panels=(SCENE.panels[0],))))
    settle(page)
    expect(page.locator(".panel.problem")).to_have_count(0)


def test_a_problem_that_is_gone_gives_the_panel_back(opened):
    page = opened(replace(SCENE, panels=(Panel("nca", "NCA", None, problem="No."),)))
    expect(page.locator(".panel canvas:visible")).to_have_count(0)
    page.evaluate("(text) => show(text)", text_of_scene(SCENE))
    settle(page)
    expect(page.locator(".panel canvas:visible")).to_have_count(2)
    assert page.evaluate("pixel(1, 0)") != WHITE


# -- the grid


@pytest.mark.parametrize(
    ("count", "columns", "width"), [(3, 3, 1200), (4, 2, 1200), (5, 3, 1200), (9, 3, 1200), (9, 2, 480)]
)
def test_panels_lie_in_a_grid(opened, count, columns, width):
    page = opened(live_scene(count))
    page.set_viewport_size({"width": width, "height": 900})
    expect(page.locator(".panel.hero")).to_have_count(0)

    def in_a_grid():
        lefts = page.locator(".panel").evaluate_all("panels => panels.map((p) => p.getBoundingClientRect().left)")
        assert len({round(left) for left in lefts}) == columns
        assert page.evaluate("document.documentElement.scrollWidth") <= width

    at_last(page, in_a_grid)


def test_one_live_panel_is_the_hero(opened):
    page = opened(live_scene(1, still=True))
    expect(page.locator(".panel.hero h3")).to_have_text(TITLES[0])


def test_a_panel_keeps_its_own_view_when_others_come_and_go(opened):
    page = opened(live_scene(2))
    page.evaluate("() => { stage.toggleLinked(); stage.views.of(stage.panels[1]).zoomBy(3); }")
    three = replace(SCENE, panels=(SCENE.panels[0], *live_scene(2).panels))
    page.evaluate("(text) => show(text)", text_of_scene(three))
    zooms = "stage.panels.map((panel) => stage.views.of(panel).zoom)"
    assert page.evaluate(zooms) == [1, 1, 3]


def test_the_projections_around_nine_panels_stay_at_hand(opened):
    """Two frames of each live panel, one to come, and the still ones: none is projected anew for each picture."""
    page = opened(live_scene(9, still=True))
    assert (
        page.evaluate("""async () => {
      const { Projections } = await import("./projection.js");
      const huge = { ...stage.scene, samples: 100_000_000 };
      return new Projections(huge).room;
    }""")
        >= 2.5 * 9 + 1
    )
