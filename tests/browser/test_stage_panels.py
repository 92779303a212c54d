"""Panels on the stage: runs, numbers, clock, curves, words, short runs before a training; panels of every kind."""

from dataclasses import replace

import numpy as np
import pytest
from playwright.sync_api import expect

from stage.scene import Panel
from tests.browser.stage_page import (
    CORNERS,
    HOSTILE,
    WHITE,
    feed,
    message,
    pixels,
    press_points,
    scene_with,
    seek,
    settle,
    snapshot,
)
from tests.browser.waiting import at_last
from tests.stage.test_wire import make_embedding

SCENE = scene_with(CORNERS, [0, 1, 2, 3])
NOT_YET = "Once you train, this line explains what moves and why."
TITLES = ("Standard", "Random start", "Shuffled", "D", "E", "F", "G", "H", "I")
HELD_OUT = np.array([True, False, False, False])


def live_scene(count=2, still=False, **changes):
    live = tuple(Panel(f"nca-{k}", TITLES[k], np.eye(2), live=True) for k in range(count))
    return replace(SCENE, panels=(*(SCENE.panels[:1] if still else ()), *live), **changes)


def train(page, panel, seconds, run=None, **numbers):
    """A history for a panel: one snapshot for each of the seconds, scaled by 1, 2, 3 ..."""
    snapshots = (snapshot(k, np.eye(2) * (1 + k), seconds=s, **numbers) for k, s in enumerate(seconds))
    feed(page, *snapshots, panel=panel, run=run or panel + 1)


def scales(page):
    """By how much each panel's points are scaled now."""
    settle(page)
    return page.evaluate("stage.panels.map((panel) => panel.Y[2] / 2)")


# -- runs and numbers


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
    expect(status).to_have_text(NOT_YET)
    opened(live_scene(1))
    page.evaluate("stage.setRuns({ 'nca-0': { run: 1, state: 'ended', reason: 'Converged.' } })")
    expect(status).to_have_text("Converged.")  # one live panel says it where it always did
    expect(states).to_have_text([""])


def test_numbers_clock_and_lines_of_several_live_panels(opened):
    page = opened(live_scene(2, still=True))
    train(page, 1, [0.1, 0.2, 0.3], run=1, held_out_1nn=0.75, accuracy_knn=0.5, held_out_knn=0.25)
    train(page, 2, [0.25, 1.25], run=2)
    expect(page.locator(".panel .foot")).to_have_text(
        [
            "",
            "f/n 0.500   K̂ 6.5   1-NN: held out 75 %   training (optimistic) 90 %",
            "f/n 0.500   K̂ 6.5   1-NN: training (optimistic) 90 %",
        ]
    )
    expect(titles(page)).to_have_text([F_N, K, "1-NN on held-out rows"])
    expect(key(page, F_N)).to_have_text(["Standard 0.500", "Random start 0.500"])
    expect(key(page, "1-NN on held-out rows")).to_have_text(["Standard 0.750", "Random start –"])
    inks = "(n) => [...n.querySelectorAll('.ink')].map((s) => [s.style.getPropertyValue('--ink'), s.className])"
    of_lines = page.locator(".chart .key").nth(0).evaluate(inks)
    assert len({tuple(ink) for ink in of_lines}) == 2
    assert page.locator(".panels").evaluate(inks) == of_lines  # each panel bears its line's colour and dash
    page.get_by_label("What the panels keep step by").select_option("seconds")
    page.locator(".scrub").fill("0.75")
    assert scales(page) == pytest.approx([1, 3, 1.5])
    expect(page.locator(".readout .numbers")).to_have_text("0.75 s of computing")
    page.get_by_role("button", name="One iteration on").click()
    assert scales(page) == pytest.approx([1, 3, 2])
    opened(live_scene(1))  # nothing to keep step with
    expect(page.get_by_label("What the panels keep step by")).to_be_hidden()
    assert page.evaluate("stage.player.clock") == "number"


def test_numbers_and_charts_share_frames_while_points_move_and_are_all_there_at_rest(opened):
    page = opened(live_scene(2))
    train(page, 0, [0.1, 0.2])
    settle(page)
    frames, begun, left, feet = page.evaluate("""() => {
      const now = performance.now();
      let calls = 0;
      performance.now = () => now + 10 * calls++; // there is time for one part in a frame
      const feet = stage.panels.map((panel) => panel.foot.textContent);
      const forget = () => stage.panels.forEach((panel) => (panel.foot.textContent = ""));
      const frame = (time, moving) => stage.showReadouts(time, moving, moving);
      const shown = () => stage.panels.every((panel, k) => panel.foot.textContent === feet[k]);
      let frames = 0;
      forget();
      do { frame(1e9 + frames, true); frames++; } while (stage.unshown.length);
      const inTheEnd = shown();
      frame(2e9, true);
      forget();
      const begun = stage.unshown.length;
      frame(2e9, false);
      delete performance.now;
      return [frames, begun, stage.unshown.length, [inTheEnd, shown(), feet[0] !== ""]];
    }""")
    assert frames > 4
    assert (begun, left) == (frames - 1, 0)
    assert feet == [True] * 3


def test_a_history_that_was_thinned_is_named(opened):
    page = opened(live_scene(2))
    page.evaluate("stage.player.mostBytes = 20_000")
    train(page, 1, [0.1, 0.2, 0.3])
    note = page.locator(".thinned")
    expect(note).to_have_text("")
    train(page, 0, [0.01 * (k + 1) for k in range(200)])
    expect(note).to_contain_text("(Standard)")


# -- panels of every kind


def test_coordinates_are_drawn_and_blended_as_they_are(opened):
    """Beside them a matrix on features of its own, and coordinates that a point lacks."""
    rng = np.random.default_rng(0)
    Y0, Y1 = rng.normal(size=(2, 4, 2))
    X, A = rng.normal(size=(4, 5)), rng.normal(size=(2, 5))
    others = (
        Panel("tsne", "t-SNE", Y0, kind="coordinates", live=True),
        Panel("kernel", "Kernel PCA", A, features=1),
        Panel("mds", "MDS", np.where(np.arange(4)[:, None] == 3, np.nan, CORNERS), kind="coordinates"),
    )
    page = opened(replace(SCENE, features=(SCENE.features[0], X), panels=(SCENE.panels[0], *others)))

    def drawn(panel):
        return np.reshape(page.evaluate("(k) => [...stage.panels[k].Y]", panel), (4, 2))

    np.testing.assert_allclose(drawn(1), Y0 - Y0.mean(axis=0), atol=1e-6)
    np.testing.assert_allclose(drawn(2), (X - X.mean(axis=0)) @ A.T, atol=1e-5)
    assert [seen == WHITE for seen in page.evaluate("[0, 1, 2].map((i) => pixel(3, i))")] == [False] * 3
    assert page.evaluate("stage.panels[3].extent") == pytest.approx(1.12 * 8 / 3, rel=0.01)  # x from -2, 2, -2
    page.mouse.move(*press_points(page, 3, 0))
    expect(page.locator(".card")).to_contain_text("row 11")
    feed(page, make_embedding(0, Y0), make_embedding(1, Y1), run=4, rows=np.arange(4))
    seek(page, 0.25)
    wanted = 0.75 * (Y0 - Y0.mean(axis=0)) + 0.25 * (Y1 - Y1.mean(axis=0))
    np.testing.assert_allclose(drawn(1), wanted, atol=1e-6)


def test_a_panel_with_labels_of_its_own_goes_by_them(opened):
    shuffled = replace(SCENE.panels[1], key="shuffled", labels=np.array([1, 0, 2, -1]))
    page = opened(replace(SCENE, panels=(SCENE.panels[0], shuffled)))
    assert pixels(page, 0)[0] == pixels(page, 1)[1] != pixels(page, 0)[1]
    expect(page.locator(".legend .class").last).to_have_text("unlabelled")
    page.mouse.move(*press_points(page, 1, 0))
    card = page.locator(".card")
    expect(card.locator("b")).to_have_text("b")
    expect(card).to_contain_text("a in the other panels")
    page.locator(".legend .class").first.click()  # hides class a
    settle(page)
    assert [seen == WHITE for seen in pixels(page, 0)] == [True, False, False, False]
    assert [seen == WHITE for seen in pixels(page, 1)] == [False, True, False, False]


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
    seek(page, 2)
    assert page.evaluate("stage.panels[2].Y[2] / 2") == pytest.approx(3)
    opened(replace(SCENE, panels=(SCENE.panels[0],)))
    expect(page.locator(".panel.problem")).to_have_count(0)


@pytest.mark.parametrize(("count", "columns", "width"), [(4, 2, 1200), (9, 2, 480)])
def test_panels_lie_in_a_grid(opened, count, columns, width):
    page = opened(live_scene(count))
    page.set_viewport_size({"width": width, "height": 900})
    expect(page.locator(".panel.hero")).to_have_count(0)

    def in_a_grid():
        lefts = page.locator(".panel").evaluate_all("panels => panels.map((p) => p.getBoundingClientRect().left)")
        assert len({round(left) for left in lefts}) == columns
        assert page.evaluate("document.documentElement.scrollWidth") <= width

    at_last(page, in_a_grid)


# -- curves


F_N, K = "Chance of picking a same-class neighbour (f/n)", "K̂: effective number of neighbours"
BEST = ".toolbar button:has-text('best held-out')"


def titles(page):
    return page.locator(".chart:visible h4")


def key(page, title):
    return page.locator(".chart", has=page.get_by_role("heading", name=title)).locator(".key span")


def test_one_live_panel_has_both_accuracies_side_by_side(opened):
    page = opened(replace(SCENE, held_out=HELD_OUT))
    train(page, 1, [0.1, 0.2], run=1, held_out_1nn=0.7)
    expect(titles(page)).to_have_text([F_N, K, "Accuracy"])
    expect(key(page, K)).to_have_text(["K̂ 6.500", "mean of each point's own K 7.500"])
    names = ["1-NN on held-out rows 0.700", "1-NN on training rows (optimistic) 0.900"]
    expect(key(page, "Accuracy")).to_have_text(names)
    expect(page.locator(".readout .numbers")).to_have_text("iteration 1   f/n 0.500   K̂ 6.5")
    expect(page.locator(".panel .foot").last).to_have_text("1-NN: held out 70 %   training (optimistic) 90 %")
    expect(page.locator(".panel h3.ink")).to_have_count(0)


@pytest.mark.parametrize(
    ("formulas", "title", "words"),
    [
        (["Σ log pᵢ"], "Objective climbed: Σ log pᵢ", ["objective -40.0"]),
        (["Σ log pᵢ"] * 2, "Objective climbed: Σ log pᵢ", ["P0 -40.0", "P1 0.200"]),
        (["Σ log pᵢ", ""], "Objectives climbed, each on its own range", ["P0, Σ log pᵢ -40.0", "P1, Σ pᵢ 0.200"]),
        (["", ""], K, None),  # f/n shows it already
    ],
)
def test_the_objective_that_is_climbed_has_a_chart(opened, formulas, title, words):
    panels = [Panel(f"nca-{k}", f"P{k}", np.eye(2), live=True, objective=o) for k, o in enumerate(formulas)]
    page = opened(replace(SCENE, panels=tuple(panels)))
    feed(page, replace(snapshot(0, np.eye(2)), objective=-123.0), replace(snapshot(1, np.eye(2)), objective=-40.0))
    if len(formulas) > 1:
        feed(page, replace(snapshot(0, np.eye(2)), objective=0.2), panel=1, run=2)
    settle(page)
    expect(titles(page).nth(1)).to_have_text(title)
    if words:
        expect(key(page, "climbed")).to_have_text(words)
        assert "from -123.0 to -40.0" in page.locator(".chart:visible canvas").nth(1).get_attribute("aria-label")


def test_the_best_held_out_iteration_is_marked_and_gone_to(opened):
    page = opened(live_scene(2, held_out=HELD_OUT))
    button = page.locator(BEST)
    expect(button).to_be_hidden()
    train(page, 0, [0.1, 0.2, 0.4], held_out_1nn=0.5)
    others = (snapshot(k, np.eye(2), held_out_1nn=0.6 + 0.4 * (k == 1), seconds=s) for k, s in enumerate([1, 2, 8]))
    feed(page, *others, panel=1, run=2)
    page.get_by_label("What the panels keep step by").select_option("seconds")
    settle(page)
    expect(button).to_have_text("best held-out: Random start, iteration 1")
    box, rail = page.locator(".best-mark").bounding_box(), page.locator(".scrub").bounding_box()
    wanted = rail["x"] + 8 + (rail["width"] - 16) * 2 / 8
    assert box["x"] + box["width"] / 2 == pytest.approx(wanted, abs=1)
    button.click()
    settle(page)
    assert page.evaluate("[stage.player.position, stage.player.mode]") == [2, "hold"]
    label = page.locator(".chart:visible canvas").last.get_attribute("aria-label")
    assert "best held-out accuracy at iteration 1" in label


# -- the story in words


def test_of_many_live_panels_three_are_told_and_the_story_follows_the_scrubber(opened):
    page = opened(live_scene(4))
    for k in range(4):
        train(page, k, [0.1, 0.2])
    story = page.locator(".story")
    for iteration in (1, 0):
        page.evaluate("(k) => stage.player.seek(k)", iteration)
        expect(story).to_contain_text(f"{TITLES[2]}, iteration {iteration}")
        expect(story).not_to_contain_text(TITLES[3])
    page.evaluate("stage.setRuns({})")
    expect(story).to_have_text("")
    expect(page.locator(".readout .status")).to_have_text(NOT_YET)


# -- between two iterations


def test_between_two_iterations_no_number_passes_for_the_picture_s(opened):
    page = opened(live_scene(1))
    train(page, 0, [0.1, 0.2, 0.3], mean_p=0.427, held_out_1nn=0.5)
    numbers, foot = page.locator(".readout .numbers"), page.locator(".panel .foot")
    widths = set()
    for position, name in ((0.4, "0 to 1"), (1.6, "1 to 2")):
        seek(page, position)
        expect(numbers).to_have_text(f"iteration {name}   at {name[0]}: f/n 0.427   K̂ 6.5")
        expect(page.locator(".readout .passed")).to_have_count(1)
        expect(foot).to_contain_text(f"at {name[0]}: held out 50")
        assert "accuracy" not in page.locator(".panel .unseen").first.text_content()
        widths.add(page.evaluate("stage.toolbar.readout.offsetHeight"))
    seek(page, 1)
    expect(numbers).to_have_text("iteration 1   f/n 0.427   K̂ 6.5")
    expect(foot).to_contain_text("1-NN: held out 50")
    expect(page.locator(".passed")).to_have_count(0)
    assert widths == {page.evaluate("stage.toolbar.readout.offsetHeight")}


def test_between_two_iterations_charts_name_the_numbers_that_the_readout_names(opened):
    page = opened(live_scene(1))
    feed(page, *(snapshot(k, np.eye(2) * (1 + k), mean_p=0.4 + 0.2 * k) for k in range(3)))
    for position, value in ((0.3, "0.400"), (0.7, "0.400"), (0.99, "0.600"), (1.7, "0.600"), (2, "0.800")):
        seek(page, position)
        expect(page.locator(".chart .key").first).to_have_text(f"f/n {value}")
        expect(page.locator(".readout .numbers")).to_contain_text(f"f/n {value}")


def test_the_phase_stands_above_the_panels_while_the_picture_moves(opened):
    page = opened(live_scene(1))
    shots = (
        snapshot(k, np.eye(2) * (1 + 0.01 * k), mean_p, seconds=k) for k, mean_p in enumerate((0.4, 0.6, 0.8, 0.8, 0.8))
    )
    feed(page, *shots)
    page.evaluate("stage.setRuns({ 'nca-0': { run: 1, state: 'ended', reason: 'Converged.' } })")
    status = page.locator(".readout .status")
    expect(status).to_have_text("Converged.")
    seek(page, 0.5)
    expect(status).to_have_text("Classes part: f/n rises from 0.400 to 0.800.")
    page.evaluate("stage.without = new Set(['f'])")  # as a lesson that has not explained it
    seek(page, 0.6)
    expect(status).to_have_text("Classes part: points of a class come together.")
    seek(page, 3.5)
    expect(status).to_have_text("Settling: little changes now.")
    seek(page, 4)
    expect(status).to_have_text("Converged.")
    page.evaluate("stage.without = new Set()")
    page.evaluate("stage.setRuns({ 'nca-0': { run: 2, state: 'running' } })")
    for k, mean_p in enumerate((0.4, 0.6, 0.61)):  # the last one brings little
        feed(page, snapshot(k, np.eye(2), mean_p, seconds=k), run=2)
        settle(page)
        if k:
            expect(status).to_have_text("Classes part: f/n rises from 0.400.")


# -- short runs before a training


def test_short_runs_are_shown_before_the_training_goes_on(opened):
    page = opened(scene_with(CORNERS, [0, 1, 2, 3], still=False))
    shown, chart = page.locator(".panel .start"), page.locator(".chart canvas").first
    page.evaluate("stage.player.begin('nca', 1)")
    # Time stands still, so that each moment can be looked at.
    page.evaluate("stage.player.histories.get('nca').shortRuns.advance = function () { return this.shown; }")
    for number, factors, mean_p in ((1, [1, 3], 0.25), (2, [5, 5, 7], 0.75)):
        path = (snapshot(k, np.eye(2) * factor, mean_p) for k, factor in enumerate(factors))
        page.evaluate("(text) => feed(text)", message(*path, short_run=number))
    feed(page, snapshot(0, np.eye(2) * 7, 0.75))
    page.evaluate("stage.setRuns({ nca: { run: 1, state: 'running', starts: ['PCA', 'LDA × 3'] } })")

    def show_at(seconds):
        page.evaluate("(s) => { stage.player.shownShortRuns('nca').seconds = s; stage.redraw(); }", seconds)
        page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")

    show_at(0.64)
    expect(shown).to_have_text("start 1 of 2: PCA, f/n 0.25")
    assert page.evaluate("stage.panels[0].Y[2] / 2") == 2  # half way from 1 to 3
    assert page.evaluate("[...stage.panels[0].matrix]") == [2, 0, 0, 2]
    expect(page.locator(".readout .numbers")).to_have_text("short run 1 of 2")
    expect(page.locator(".panel .foot")).to_have_text("")  # iteration 0 has numbers, but is not what is shown
    page.evaluate("stage.without = new Set(['f'])")
    show_at(3.0)
    expect(shown).to_have_text("start 2 of 2: LDA × 3; training continues from it")
    expect(page.locator(".story")).to_contain_text("Short runs compare several starts")
    feed(page, *(snapshot(k, np.eye(2) * (7 + k), 0.8) for k in range(1, 11)))
    settle(page)
    expect(shown).to_have_text("")
    expect(page.locator(".readout .numbers")).to_contain_text("iteration 10")
    assert "short runs from 2 starts, which reached 0.250, 0.750" in chart.get_attribute("aria-label")
    box = chart.bounding_box()
    left = 40 + 0.3 * box["width"]  # the line of f/n begins right of the short runs
    for share, position in ((0.1, 1), (0.9, 9)):
        chart.click(position={"x": left + share * (box["width"] - left - 10), "y": 40})
        assert page.evaluate("stage.player.position") == position


@pytest.mark.parametrize(("width", "panels"), [(700, 3), (1200, 3), (700, 9)])
def test_numbers_below_narrow_panels_move_nothing_when_they_come(opened, width, panels):
    page = opened(live_scene(panels))
    page.set_viewport_size({"width": width, "height": 900})
    settle(page)
    heights = page.evaluate("""() => ["", "1-NN: held out 95 %   training (optimistic) 93 %"].map((text) => {
      const [{ foot }] = stage.panels;
      foot.textContent = text;
      return foot.getBoundingClientRect().height;
    })""")
    assert heights[0] == heights[1]


def test_in_large_type_on_a_small_window_charts_stay_readable(opened):
    page = opened(replace(live_scene(1, still=True), held_out=HELD_OUT))
    page.set_viewport_size({"width": 1024, "height": 700})
    numbers = [{"mean_p": 0.1 + 0.8 * k, "held_out_1nn": 0.7} for k in range(2)]
    feed(page, *(snapshot(k, np.eye(2), **each) for k, each in enumerate(numbers)), panel=1, run=1)
    accuracy = page.locator(".chart", has=page.get_by_role("heading", name="Accuracy"))
    expect(page.locator(".beside")).to_have_count(1)
    expect(accuracy).to_be_visible()
    page.evaluate("document.documentElement.style.setProperty('--nca-type', '1.3')")
    page.evaluate("Object.assign(stage, { theme: { ...stage.theme, type: 1.3 } }).resized()")
    expect(accuracy).to_be_hidden()
    gaps = """() => new Promise((resolve) => {
      const { prototype } = CanvasRenderingContext2D, plain = prototype.fillText, places = new Map();
      prototype.fillText = function (text, x, y) {
        if (this.textAlign === 'right' && x < 60) places.set(this.canvas, [...(places.get(this.canvas) ?? []), y]);
        return plain.apply(this, arguments);
      };
      for (const { style } of document.querySelectorAll(".chart canvas")) style.cssText = "flex: none; height: 50px";
      setTimeout(() => {
        resolve([...places.values()].map((ys) => Math.abs(ys.at(-1) - ys.at(-2))));
      }, 500);
    })"""
    gaps = page.evaluate(gaps)
    assert len(gaps) == 2
    assert min(gaps) > 12
