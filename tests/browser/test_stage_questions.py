"""Questions answered on the stage: lines to neighbours, the metric, colours, A moved by hand, pulls."""

import re
from dataclasses import replace

import numpy as np
import pytest
from playwright.sync_api import expect

from nca_core.objectives.evaluator import Evaluator
from stage.scene import Panel
from tests.browser.stage_page import feed, pan, scene_with, seek, settle, snapshot
from tests.browser.waiting import at_last
from tests.stage.oracle import A0, A1, CENTRED, HELD_OUT, LABELS, POINT, TRAIN, X, local, picks

NAMES = ("ash", "birch", "cedar", "date")
ANSWER = ".question .answer"


def make_scene(**changes):
    return replace(scene_with(X, LABELS), held_out=HELD_OUT, feature_names=NAMES, **changes)


@pytest.fixture
def trained(opened):
    """PCA and a training of two frames, at the first one."""
    page = opened(make_scene())
    feed(page, snapshot(0, A0), snapshot(1, A1))
    at(page, 0)
    return page


def ask(page, question):
    page.evaluate("(question) => stage.showQuestion(question)", question)
    settle(page)


def press(page, i):
    page.evaluate("(i) => stage.spotlight.press(i)", i)
    settle(page)


def at(page, t):
    seek(page, t)
    return (1 - t) * A0 + t * A1


# -- lines to neighbours


def lines_of(page, panel):
    """As they are drawn, the widest first."""
    return page.evaluate(
        """(panel) => [...stage.panels[panel].root.querySelectorAll(".lines line:not([hidden])")].map((line) => ({
          x: Number(line.getAttribute("x2")), y: Number(line.getAttribute("y2")),
          width: Number(line.getAttribute("stroke-width")), kind: line.getAttribute("class"),
          dashed: line.getAttribute("stroke-dasharray") !== "none",
        }))""",
        panel,
    )[::-1]


def test_lines_lead_to_the_most_probable_neighbours_in_every_panel_at_every_frame(trained):
    assert trained.locator(".panel .lines").count() == 0
    press(trained, POINT)
    expect(trained.locator(".lines-legend")).to_be_visible()
    ratio = trained.evaluate("stage.panels[0].ratio")
    for t in (0.0, 0.4, 1.0):
        for panel, frame in enumerate((A0, at(trained, t))):
            rows, _, p = picks(CENTRED @ frame.T, POINT)
            kept = p[:30] >= 1e-6
            drawn = lines_of(trained, panel)
            assert len(drawn) == kept.sum()
            places = trained.evaluate(
                "([k, rows]) => rows.map((j) => [stage.panels[k].xs[j], stage.panels[k].ys[j]])",
                [panel, rows[:30][kept].tolist()],
            )
            for line, (x, y), j, share in zip(drawn, places, rows, p, strict=False):
                assert [line["x"], line["y"]] == pytest.approx([x / ratio, y / ratio], abs=0.06)
                assert line["width"] == pytest.approx(max(0.8, 9 * share), abs=0.006)
                assert line["kind"] == ("same" if LABELS[j] == LABELS[POINT] else "other")
                assert line["dashed"] == (LABELS[j] != LABELS[POINT])
    assert {line["kind"] for line in lines_of(trained, 0)} == {"same", "other"}


def test_lines_go_with_the_pin_and_where_there_is_no_p(opened):
    tsne = Panel("tsne", "t-SNE", X[:, :2], kind="coordinates")
    page = opened(make_scene(panels=(make_scene().panels[0], tsne)))
    page.evaluate("() => { window.reported = []; stage.reportPoint = (i) => reported.push(i); }")
    page.evaluate("() => { stage.spotlight.pin(9, true); stage.clearSelection(); stage.clearSelection(); }")
    page.evaluate("stage.hover(stage.panels[0], 7)")
    assert page.locator(".panel .lines").count() == 0  # only of a point that was pressed
    press(page, 3)
    assert page.locator(".panel .lines").count() == 1
    expect(page.locator(".panel .circle:visible")).to_have_count(1)
    expect(page.locator(".panel .own").nth(1)).to_have_text("")
    drawn = lines_of(page, 0)
    assert {(line["kind"], line["dashed"]) for line in drawn} == {("", False)}  # it has no class
    page.locator(".legend .class").nth(1).click()
    settle(page)
    assert 0 < len(lines_of(page, 0)) < len(drawn)  # none leads to a point of a hidden class
    page.locator(".legend .class").last.click()  # its own
    settle(page)
    expect(page.locator(".panel .circle:visible")).to_have_count(0)
    page.keyboard.press("Escape")
    assert page.locator(".panel .lines").count() == 0
    expect(page.locator(".lines-legend")).to_be_hidden()
    assert page.evaluate("reported") == [-1, 3, -1]  # a request of the page is not


# -- why is this point here?


def listed(page, column):
    rows = page.locator(".neighbours").nth(column).locator(".neighbour:visible")
    numbers = [int(re.sub(r"\D", "", row)) - 11 for row in rows.locator(".name").all_inner_texts()]
    return numbers, rows.locator(".p").all_inner_texts()


def test_the_neighbours_of_a_point_are_listed_panel_by_panel_and_follow_the_frames(trained):
    ask(trained, "point")
    expect(trained.locator(".neighbours")).to_have_count(0)
    press(trained, POINT)
    expect(trained.locator(".question h3")).to_contain_text(f"row {POINT + 11}")
    titles = ["All features (scale not learnt)", "PCA (scale not learnt)", "NCA"]
    expect(trained.locator(".neighbours h4")).to_have_text(titles)
    for t in (0.0, 0.5, 1.0):
        A = at(trained, t)
        shared = []
        for column, Y in enumerate((CENTRED, CENTRED @ A0.T, CENTRED @ A.T)):
            rows, _, p = picks(Y, POINT)
            found, shares = listed(trained, column)
            assert found == rows[:10].tolist()
            assert shares == ["<.01" if share < 0.01 else f"{share:.2f}" for share in p[:10]]
            shared.append(np.count_nonzero(LABELS[rows[:10]] == LABELS[POINT]))
        answer = trained.locator(ANSWER).first
        expect(answer).to_contain_text(
            f"In NCA it picks its own class with probability {p[LABELS[rows] == 1].sum():.3f}. "
            f"Of its 10 nearest neighbours, of its class: All features: {shared[0]}, PCA: {shared[1]}."
        )
    assert trained.locator(".neighbour.foreign:visible").count() == 30 - sum(shared)
    expect(answer).to_contain_text(f"Row {POINT + 11} (class b).")
    check_split(trained, A)
    press(trained, 5)
    expect(answer).to_contain_text("Row 16 (held out, class a).")
    press(trained, 3)  # without a label: the nearest class in each space
    nearest = ["ab"[LABELS[picks(Y, 3)[0][0]]] for Y in (CENTRED, CENTRED @ A0.T, CENTRED @ A.T)]
    expect(answer).to_contain_text(f"All features: {nearest[0]}, PCA: {nearest[1]}, NCA: {nearest[2]}.")


def test_rows_are_called_by_their_names(opened):
    names = np.array([f"Ann {k}" for k in range(len(X))])
    j = picks(CENTRED, POINT)[0][1]
    names[j] = ""
    page = opened(make_scene(row_names=names, row_word="line"))
    feed(page, snapshot(0, A0), snapshot(1, A1))
    ask(page, "point")
    press(page, POINT)
    title = f"Ann {POINT} (line {POINT + 11}"
    expect(page.locator(".question h3")).to_have_text(f"Why is {title}) here?")
    expect(page.locator(ANSWER).first).to_contain_text(f"{title}, class b).")
    expect(page.locator(".distance-split h4")).to_contain_text(f"from {title}) to Ann ")
    rows = picks(CENTRED, POINT)[0][:10]
    found = [name.lstrip("≠ ") for name in page.locator(".neighbours").first.locator(".name").all_inner_texts()]
    assert found == [names[row] or f"line {row + 11}" for row in rows]
    titles = page.locator(".neighbours").first.locator("button").evaluate_all("all => all.map((each) => each.title)")
    wanted = [f"{names[row]} (line {row + 11})" if names[row] else f"Line {row + 11}" for row in rows]
    assert [each.split(", ")[0] for each in titles] == wanted
    page.evaluate("(i) => stage.select([i])", POINT)
    assert page.locator(".chosen th").all_inner_texts()[:3] == ["line", "name", "class"]
    assert page.locator(".chosen td").all_inner_texts()[:3] == [str(POINT + 11), f"Ann {POINT}", "b"]


def check_split(trained, A):
    """The distance to a neighbour, split by feature: of the most probable one, then of one that is pressed."""

    def split(weights, j):
        delta = CENTRED[POINT] - CENTRED[j]
        return delta * (weights.T @ weights @ delta)

    def bars():
        rows = trained.locator(".bar-row:visible")
        names, values = rows.locator(".name").all_inner_texts(), rows.locator(".value").all_inner_texts()
        return dict(zip(names, map(float, values), strict=True))

    first = picks(CENTRED @ A.T, POINT)[0][0]  # of the panel that trains, the most probable one
    assert bars() == pytest.approx(dict(zip(NAMES, split(A, first), strict=True)), abs=0.0051)
    second = picks(CENTRED @ A0.T, POINT)[0][1]
    trained.locator(".neighbours").nth(1).locator(".neighbour").nth(1).click()
    settle(trained)
    parts = split(A0, second)
    assert bars() == pytest.approx({n: p for n, p in zip(NAMES, parts, strict=True) if p}, abs=0.0051)
    expect(trained.locator(".distance-split h4")).to_contain_text(f"row {POINT + 11} to row {second + 11} in PCA")
    whole = f"{parts.sum():.2f}" if parts.sum() >= 0.01 else f"{parts.sum():.1e}"
    largest = int(np.argmax(np.abs(parts)))
    top = f"{parts[largest]:.2f}" if parts.min() < 0 else f"{100 * parts[largest] / parts.sum():.0f}\u00a0%"
    expect(trained.locator(".distance-split .answer")).to_contain_text(
        f"Their squared distance is {whole}. It is the sum of {NAMES[largest]}: {top}"
    )


# -- what is the metric?


ARROWS = """() => {
  const panel = stage.panels[1], { ratio, scale } = panel;
  const groups = [...panel.root.querySelectorAll(".arrows g:not([hidden])")];
  const number = (line, name) => Number(line.getAttribute(name));
  return groups.map((group) => {
    const line = group.querySelector("line");
    const across = number(line, "x2") - number(line, "x1"), up = number(line, "y1") - number(line, "y2");
    return [group.querySelector("text").textContent, (across * ratio) / scale, (up * ratio) / scale];
  });
}"""
ELLIPSE = """() => {
  const curve = document.querySelector(".ellipse .curve"), one = document.querySelector(".ellipse .circle-one");
  return [curve.getAttribute("d"), curve.getAttribute("transform"), one.getAttribute("r")];
}"""


def cell(page, a, b):
    """Press a cell of the heat map; its text and number."""
    page.locator(".heat").click(position={"x": 300 * (b + 0.5) / 4, "y": 300 * (a + 0.5) / 4})
    text, _, number = page.locator(".cell").inner_text().rpartition(": ")
    return text, float(number)


def test_the_metric_is_a_map_arrows_and_an_ellipse_at_every_frame(trained):
    ask(trained, "metric")
    trained.get_by_label("Features drawn as arrows").fill("2")
    orange, blue, paper = np.array([[179, 64, 15], [0, 92, 150], [255, 255, 255]])
    for t in (0.1, 0.4, 1.0):
        A = at(trained, t)
        M = A.T @ A
        share = (M / np.abs(M).max())[:, :, None]
        colours = trained.evaluate("""() => {
          const map = document.querySelector(".heat");
          return [...map.getContext("2d").getImageData(0, 0, map.width, map.height).data];
        }""")
        wanted = paper + np.abs(share) * (np.where(share < 0, blue, orange) - paper)
        np.testing.assert_allclose(np.reshape(colours, (4, 4, 4))[:, :, :3], wanted, atol=1)
        assert cell(trained, 2, 2) == (f"AᵀA, {NAMES[2]} by itself", pytest.approx(M[2, 2], abs=0.006))
        assert cell(trained, 0, 2) == (f"AᵀA, {NAMES[0]} with {NAMES[2]}", pytest.approx(M[0, 2], abs=0.006))
        path, turned, unit = trained.evaluate(ELLIPSE)
        long, short = (float(part) / float(unit) for part in re.match(r"M([\d.]+) 0A[\d.]+ ([\d.]+)", path).groups())
        angle = -np.radians(float(re.search(r"[-\d.]+", turned)[0]))  # up is down on a screen
        c, s = np.cos(angle), np.sin(angle)
        for turn in (0.0, 1.0, 2.0):
            x = np.array([[c, -s], [s, c]]) @ [long * np.cos(turn), short * np.sin(turn)]
            assert np.linalg.norm(A[:, [0, 2]] @ x) == pytest.approx(1, abs=0.015)
        found, order = trained.evaluate(ARROWS), np.argsort(-np.diag(M))[:2]
        assert [name for name, *_ in found] == [NAMES[f] for f in order]
        pixel = trained.evaluate("stage.panels[1].ratio / stage.panels[1].scale")
        for (_, *tip), f in zip(found, order, strict=True):
            assert tip == pytest.approx(arrow_factor(trained) * A[:, f], abs=0.2 * pixel)
    share = round(100 * M[order[0], order[0]] / np.trace(M))
    expect(trained.locator(ANSWER).first).to_contain_text(f"{NAMES[order[0]]} ({share}")
    expect(trained.locator(ANSWER).first).to_contain_text("2 of 4 directions")
    expect(trained.locator(".heat-names span")).to_have_text(list(NAMES))
    ask(trained, "")
    assert trained.locator(".panel .arrows").count() == 0
    expect(trained.locator(".question")).to_be_hidden()


def arrow_factor(page):
    text = page.locator(".panel").nth(1).locator(".factor").inner_text()
    return float(text.rpartition(" ")[2]) if text else 1.0


def test_names_of_arrows_stay_in_the_panel_and_off_one_another(opened):
    alike = np.vstack([A0[:, :1] + 0.01 * k for k in range(4)]).reshape(4, 2).T  # four arrows almost on one another
    names = tuple(f"a rather long name of feature number {k}" for k in range(4))
    page = opened(replace(make_scene(), feature_names=names))
    feed(page, snapshot(0, alike))
    ask(page, "metric")
    frame, *boxes = page.evaluate("""() => {
      const panel = stage.panels[1].root;
      const names = [...panel.querySelectorAll(".arrows text[visibility=visible]")];
      const boxes = [panel.querySelector("canvas"), ...names].map((one) => one.getBoundingClientRect());
      return boxes.map(({ left, right, top, bottom }) => [left, right, top, bottom]);
    }""")
    assert len(boxes) == 4
    for k, (left, right, top, bottom) in enumerate(boxes):
        assert frame[0] <= left < right <= frame[1]
        # Two lines of letters may touch, as their boxes hold room for accents.
        assert all(top >= other[3] - 3 or bottom <= other[2] + 3 for other in boxes[:k])


# -- what the colours stand for


def colour_by(page, value):
    """Choose what the colours stand for, and wait until it is computed for the picture that is shown."""
    page.locator(".colouring select").select_option(value)
    page.wait_for_function("""() => stage.panels.every((panel) => {
      const { by, counted } = stage.colouring, at = counted.get(panel);
      const there = at && !at.counting && at.found?.picture === panel.picture && !panel.dirty;
      return !["p", "k", "right"].includes(by) || there;
    })""")
    settle(page)


def codes(page, panel):
    return np.array(page.evaluate("(k) => [...stage.panels[k].spriteIndex]", panel)) // 4 - 1


def test_colours_stand_for_p_k_right_or_wrong_and_features_at_every_frame(trained):
    np.testing.assert_array_equal(codes(trained, 1), LABELS)
    for t in (0.0, 0.6):
        Y = CENTRED @ at(trained, t).T
        _, p, k = np.array([local(Y, i) for i in range(len(Y))]).T
        nearest = np.array([LABELS[picks(Y, i)[0][0]] for i in range(len(Y))])
        colour_by(trained, "p")
        wanted = np.where(LABELS < 0, -1, np.clip(np.floor(p * 9), 0, 8))
        assert np.mean(codes(trained, 1) == wanted) > 0.97  # float32 may put one on the edge of two steps
        colour_by(trained, "k")
        wanted = np.clip(np.floor(9 * np.log(k) / np.log(TRAIN.sum())), 0, 8)
        assert np.mean(codes(trained, 1) == wanted) > 0.97
        colour_by(trained, "right")
        wanted = np.where(LABELS < 0, -1, np.where(nearest == LABELS, 0, 3))
        np.testing.assert_array_equal(codes(trained, 1), wanted)
    colour_by(trained, "f2")
    low, high = np.quantile(X[:, 2], [0.02, 0.98], method="nearest")
    wanted = np.clip(np.floor(9 * (X[:, 2] - low) / (high - low)), 0, 8)
    assert np.mean(codes(trained, 0) == wanted) > 0.9
    assert len(np.unique(codes(trained, 0))) == 9
    colour_by(trained, "class")
    np.testing.assert_array_equal(codes(trained, 0), LABELS)


# -- A moved by hand


@pytest.fixture
def held(trained):
    trained.evaluate("() => { window.grabs = []; stage.reportGrab = (panel, frame) => grabs.push([panel, frame]); }")
    at(trained, 1)
    ask(trained, "grab")
    return trained


def hand(page):
    frame = page.evaluate("stage.panels[1].manual && [...stage.panels[1].manual]")
    return None if frame is None else np.array(frame).reshape(2, 4)


def drag(page, name, dx, dy):
    """Drag a handle; returns the way in units of Y."""
    scale = page.evaluate("stage.panels[1].ratio / stage.panels[1].scale")
    box = page.get_by_role("button", name=name).bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    pan(page, (x, y), (x + dx, y + dy))
    settle(page)
    return np.array([dx, -dy]) * scale


def test_an_arrow_follows_the_hand_and_undo_brings_it_back(held):
    factor = arrow_factor(held)
    by = drag(held, "Arrow of cedar", 30, -20)
    wanted = A1.copy()
    wanted[:, 2] += by / factor
    np.testing.assert_allclose(hand(held), wanted, atol=0.02)
    first = hand(held)
    drag(held, "Arrow of ash", -15, 10)
    assert not np.allclose(hand(held), first)
    undo = held.get_by_role("button", name="Undo")
    undo.click()
    np.testing.assert_allclose(hand(held), first)
    undo.click()
    assert hand(held) is None
    expect(undo).to_be_disabled()
    held.get_by_role("button", name="Arrow of birch").focus()
    held.keyboard.press("ArrowRight")
    settle(held)
    assert hand(held)[0, 1] > A1[0, 1]
    np.testing.assert_allclose(np.delete(hand(held), 1, axis=1), np.delete(A1, 1, axis=1), atol=1e-6)
    ask(held, "")
    assert hand(held) is None
    assert held.locator(".handle").count() == 0


def test_the_numbers_follow_the_hand_and_training_continues_from_there(held):
    numbers = held.locator(ANSWER).nth(1)

    def check(matrix):  # they come a little later than the picture
        engine = Evaluator(CENTRED[TRAIN], LABELS[TRAIN]).evaluate(matrix)

        def agree():
            p, k = map(float, re.search(r"f/n ([0-9.]+).*K̂ ([0-9.]+)", numbers.inner_text()).groups())
            assert p == pytest.approx(engine.mean_p, abs=0.0051)
            assert k == pytest.approx(np.exp(engine.entropy.mean()), abs=0.051)

        at_last(held, agree)

    check(A1)
    by = drag(held, "Centre of b", 40, 25)
    mu = CENTRED[TRAIN & (LABELS == 1)].mean(axis=0)
    np.testing.assert_allclose(hand(held), A1 + np.outer(by, mu) / (mu @ mu), atol=0.05)
    expect(numbers).to_contain_text("before)")
    check(hand(held))
    seen = np.array(held.evaluate("[...stage.panels[1].Y]")).reshape(-1, 2)
    np.testing.assert_allclose(seen, CENTRED @ hand(held).T, atol=1e-4)
    held.get_by_role("button", name="Continue from here").click()
    [[panel, frame]] = held.evaluate("grabs")
    assert panel == "nca"
    np.testing.assert_array_equal(np.reshape(frame, (2, 4)), hand(held))
    feed(held, snapshot(0, A1), run=2)  # the training that goes on
    settle(held)
    assert hand(held) is None


# -- pulls


def test_arrows_of_the_gradient_are_drawn_and_described_and_go(trained):
    ask(trained, "pull")
    expect(trained.locator(".pulls")).to_have_count(1)  # only in the panel that trains
    own, foreign, answer = trained.locator(".pulls .own"), trained.locator(".pulls .foreign"), trained.locator(ANSWER)
    assert own.get_attribute("d").count("M") > 10
    assert foreign.get_attribute("d") == ""
    norm = np.linalg.norm(Evaluator(CENTRED[TRAIN], LABELS[TRAIN]).evaluate(A0).gradient)
    assert float(re.search(r"‖ = ([-+.e0-9]+?)\.$", answer.inner_text())[1]) == pytest.approx(norm, abs=0.0051)
    press(trained, POINT)
    expect(answer).to_contain_text(f"row {POINT + 11}")
    assert own.get_attribute("d")
    assert foreign.get_attribute("d")
    ask(trained, "")
    expect(trained.locator(".pulls")).to_have_count(0)
    switch = trained.get_by_role("button", name="Arrows: how the gradient pulls")
    for shown in (1, 0):
        switch.click()
        expect(trained.locator(".pulls")).to_have_count(shown)


# -- what the page hears of the view


def test_the_view_is_reported_once_the_picture_rests(trained):
    trained.evaluate("""async () => {
      const { ViewReporter } = await import("./mount.js");
      window.views = [];
      const reporter = new ViewReporter(stage, (view) => views.push(view));
      stage.rested = () => reporter.schedule();
      stage.redraw();
    }""")
    trained.wait_for_function("views.length === 1")
    trained.locator(".legend .class").nth(1).click()
    trained.wait_for_function("views.length === 2")
    trained.evaluate("stage.toggleSameScale()")
    trained.wait_for_function("views.length === 3")
    assert trained.evaluate("[views[0], views[2]]") == [
        {"iteration": 0, "hidden": [], "same": False, "held": {"nca": [1, 0]}},
        {"iteration": 0, "hidden": [1], "same": True, "held": {"nca": [1, 0]}},
    ]
    trained.evaluate("stage.redraw()")
    settle(trained)
    trained.wait_for_timeout(400)
    assert trained.evaluate("views.length") == 3  # nothing new
