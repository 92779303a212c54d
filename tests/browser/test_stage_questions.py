"""Questions answered below the panels for the picture shown, and colours that stand for other things than classes."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest
from playwright.sync_api import expect

from nca_core.evaluator import Evaluator
from tests.browser.stage_page import feed, scene_of, settle, snapshot
from tests.browser.test_stage_lines import HELD_OUT, LABELS, POINT, X, brute_force, make_scene

RNG = np.random.default_rng(8)
NAMES = ("ash", "birch", "cedar", "date")
A0, A1 = np.eye(2, 4), 1.5 * RNG.normal(size=(2, 4))
CENTRED = X - X.mean(axis=0)


@pytest.fixture
def asked(opened):
    """A function: a stage on which a question is asked, with a training of two frames, at the first one."""

    def ask(question, **changes):
        page = opened(make_scene(feature_names=NAMES, **changes))
        feed(page, snapshot(0, A0), snapshot(1, A1))
        page.evaluate("(question) => { stage.question.ask(question); stage.seek(0); }", question)
        settle(page)
        return page

    return ask


def at(page, t):
    page.evaluate("(t) => stage.seek(t)", t)
    settle(page)
    return (1 - t) * A0 + t * A1


# -- why is this point here?


def listed(page, column):
    section = page.locator(".neighbours").nth(column)
    rows = section.locator(".neighbour:visible .name").all_inner_texts()
    return [int(re.sub(r"\D", "", row)) - 11 for row in rows], section.locator(
        ".neighbour:visible .p"
    ).all_inner_texts()


def test_the_neighbours_of_a_point_stand_panel_by_panel_and_follow_the_frames(asked):
    page = asked("point")
    expect(page.locator(".question h3")).to_have_text("Why is this point here?")
    expect(page.locator(".neighbours")).to_have_count(0)
    page.evaluate("(i) => stage.press(stage.panels[0], i)", POINT)
    settle(page)
    expect(page.locator(".question h3")).to_have_text(f"Why is row {POINT + 11} here?")
    titles = ["All features (scale not learnt)", "PCA (scale not learnt)", "NCA"]
    expect(page.locator(".neighbours h4")).to_have_text(titles)
    for t in (0.0, 0.5, 1.0):
        A = at(page, t)
        shared = []
        for column, Y in enumerate((CENTRED, CENTRED @ A0.T, CENTRED @ A.T)):
            rows, p = brute_force(Y, POINT)
            found, shares = listed(page, column)
            assert found == rows[:10].tolist()
            assert shares == ["<.01" if share < 0.01 else f"{share:.2f}" for share in p[:10]]
            shared.append(np.count_nonzero(LABELS[rows[:10]] == LABELS[POINT]))
        rows, p = brute_force(CENTRED @ A.T, POINT)
        chance = p[LABELS[rows] == LABELS[POINT]].sum()
        expect(page.locator(".point-view > .answer")).to_have_text(
            f"Row {POINT + 11} (class b): NCA lets it pick its own class with a chance of {chance:.2f}; of its 10 most "
            f"probable neighbours share its class: All features {shared[0]}, PCA {shared[1]}, NCA {shared[2]}."
        )
    assert page.locator(".neighbour.foreign:visible").count() == 30 - sum(shared)


def test_where_hardly_any_neighbour_is_picked_the_answer_says_of_how_many(asked):
    page = asked("point")
    far = 12 * A1
    feed(page, snapshot(2, far))
    page.evaluate("(i) => { stage.press(stage.panels[0], i); stage.seek(2); }", POINT)
    settle(page)
    rows, p = brute_force(CENTRED @ far.T, POINT)
    kept = rows[:10][p[:10] >= 1e-6]
    assert 0 < len(kept) < 10
    same = np.count_nonzero(LABELS[kept] == LABELS[POINT])
    expect(page.locator(".point-view > .answer")).to_contain_text(f"NCA {same} of {len(kept)}.")


def test_of_a_row_without_a_label_the_answer_names_its_nearest_class_in_each_space(asked):
    page = asked("point")
    page.evaluate("(i) => stage.press(stage.panels[0], i)", 3)
    A = at(page, 0.5)
    nearest = ["ab"[LABELS[brute_force(Y, 3)[0][0]]] for Y in (CENTRED, CENTRED @ A0.T, CENTRED @ A.T)]
    expect(page.locator(".point-view > .answer")).to_have_text(
        "Row 14 (without a label): the most probable neighbour is of class: "
        f"All features {nearest[0]}, PCA {nearest[1]}, NCA {nearest[2]}."
    )


def test_the_distance_to_a_neighbour_is_split_by_feature(asked):
    page = asked("point")
    page.evaluate("(i) => stage.press(stage.panels[0], i)", POINT)
    A = at(page, 0.5)

    def split(weights, j):
        delta = CENTRED[POINT] - CENTRED[j]
        return delta * (weights.T @ weights @ delta)

    def bars():
        rows = page.locator(".bar-row:visible")
        names, values = rows.locator(".name").all_inner_texts(), rows.locator(".value").all_inner_texts()
        return dict(zip(names, map(float, values), strict=True))

    first = brute_force(CENTRED @ A.T, POINT)[0][0]  # of the panel that trains, the most probable one
    assert bars() == pytest.approx(dict(zip(NAMES, split(A, first), strict=True)), abs=0.0051)
    second = brute_force(CENTRED @ A0.T, POINT)[0][1]
    page.locator(".neighbours").nth(1).locator(".neighbour").nth(1).click()
    settle(page)
    parts = split(A0, second)
    assert bars() == pytest.approx({n: p for n, p in zip(NAMES, parts, strict=True) if p}, abs=0.0051)
    title = f"What makes up the distance from row {POINT + 11} to row {second + 11} in PCA?"
    expect(page.locator(".distance-split h4")).to_have_text(title)
    top = int(np.argmax(np.abs(parts)))
    whole = f"{parts.sum():.2f}" if parts.sum() >= 0.01 else f"{parts.sum():.1e}"
    expect(page.locator(".distance-split .answer")).to_contain_text(f"squared distance, {whole}, {NAMES[top]}")


def test_where_rows_are_pictures_neighbours_show_them_and_the_split_is_one(asked):
    page = asked("point", image_shape=(2, 2))
    page.evaluate("(i) => stage.press(stage.panels[0], i)", POINT)
    settle(page)
    expect(page.locator(".neighbour:visible canvas.picture")).to_have_count(30)
    expect(page.locator("canvas.signed")).to_be_visible()
    expect(page.locator(".bar-row:visible .name").first).to_have_text(re.compile(r"^pixel \([12], [12]\)$"))


# -- what is the metric?


def heat(page):
    """The colours of the heat map, (n, n, 3)."""
    data = page.evaluate("""() => {
      const map = document.querySelector(".heat");
      return [...map.getContext("2d").getImageData(0, 0, map.width, map.height).data];
    }""")
    return np.array(data).reshape(4, 4, 4)[:, :, :3]


def test_the_heat_map_is_the_metric_at_every_frame(asked):
    page = asked("metric")
    orange, blue, paper = np.array([[179, 64, 15], [0, 92, 150], [255, 255, 255]])
    for t in (0.0, 0.3, 1.0):
        A = at(page, t)
        M = A.T @ A
        share = M / np.abs(M).max()
        wanted = paper + np.abs(share)[:, :, None] * (np.where(share[:, :, None] < 0, blue, orange) - paper)
        np.testing.assert_allclose(heat(page), wanted, atol=1)
        for a, b in ((0, 1), (2, 2)):
            page.locator(".heat").click(position={"x": 300 * (b + 0.5) / 4, "y": 300 * (a + 0.5) / 4})
            what = f"{NAMES[a]} with {NAMES[b]}" if a != b else f"{NAMES[a]} by itself"
            number = re.escape(page.locator(".cell").inner_text().rpartition(": ")[2])
            expect(page.locator(".cell")).to_have_text(re.compile(f"^AᵀA, {what}: {number}$"))
            assert float(page.locator(".cell").inner_text().rpartition(": ")[2]) == pytest.approx(M[a, b], abs=0.006)
    strongest = int(np.argmax(np.diag(M)))
    percent = round(100 * M[strongest, strongest] / np.trace(M))
    expect(page.locator(".metric-view > .answer")).to_contain_text(f"looks most at {NAMES[strongest]} ({percent}")
    expect(page.locator(".metric-view > .answer")).to_contain_text("along 2 of 4 directions it measures no distance")
    expect(page.locator(".heat-names span")).to_have_text(list(NAMES))


def test_points_on_the_ellipse_are_at_distance_one(opened):
    page = opened(make_scene())
    for block in ([[4.0, 0.0], [0.0, 1.0]], [[2.0, -0.7], [-0.7, 0.5]], [[1.0, 0.4], [0.4, 9.0]]):
        M = np.array(block)
        found = page.evaluate(
            "async (m) => (await import('./metric.js')).unitEllipse(...m)", [M[0, 0], M[0, 1], M[1, 1]]
        )
        c, s = np.cos(found["angle"]), np.sin(found["angle"])
        for turn in np.linspace(0, 6, 7):
            along, across = found["long"] * np.cos(turn), found["short"] * np.sin(turn)
            point = np.array([c * along - s * across, s * along + c * across])
            assert point @ M @ point == pytest.approx(1)
        assert found["long"] >= found["short"]
    flat = page.evaluate("async () => Object.values(await import('./metric.js').then((m) => m.unitEllipse(1, 1, 1)))")
    assert flat[0] in (None, float("inf"))


def test_names_of_arrows_stay_in_the_panel_and_off_one_another(opened):
    alike = np.vstack([A0[:, :1] + 0.01 * k for k in range(4)]).reshape(4, 2).T  # four arrows almost on one another
    page = opened(make_scene(feature_names=tuple(f"a rather long name of feature number {k}" for k in range(4))))
    feed(page, snapshot(0, alike))
    page.evaluate("() => stage.question.ask('metric')")
    settle(page)
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


def test_arrows_and_the_ellipse_are_those_of_a_at_every_frame_and_as_many_as_asked_for(asked):
    page = asked("metric")
    page.evaluate("""() => {
      const count = document.querySelector(".question input[type=range]");
      count.value = 2;
      count.dispatchEvent(new Event("input"));
    }""")
    page.locator(".heat").click(position={"x": 300 * 2.5 / 4, "y": 30})  # ash with cedar
    for t in (0.1, 0.4, 1.0):
        A = at(page, t)
        found = page.evaluate(ARROWS)
        order = np.argsort(-(A**2).sum(axis=0))[:2]
        assert [name for name, *_ in found] == [NAMES[f] for f in order]
        text = page.locator(".panel").nth(1).locator(".factor").inner_text()
        factor = float(text.rpartition(" ")[2]) if text else 1.0
        pixel = page.evaluate("stage.panels[1].ratio / stage.panels[1].scale")
        for (_, *tip), f in zip(found, order, strict=True):
            assert tip == pytest.approx(factor * A[:, f], abs=0.2 * pixel)
        path, turned, unit = page.evaluate(ELLIPSE)
        long, short = (float(part) / float(unit) for part in re.match(r"M([\d.]+) 0A[\d.]+ ([\d.]+)", path).groups())
        angle = -np.radians(float(re.search(r"[-\d.]+", turned)[0]))  # up is down on a screen
        M = (A.T @ A)[np.ix_([0, 2], [0, 2])]
        for turn in (0.0, 1.0, 2.0):
            x = [long * np.cos(turn), short * np.sin(turn)] @ np.array(
                [[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]]
            )
            assert x @ M @ x == pytest.approx(1, abs=0.03)
    page.evaluate("stage.question.ask('')")
    settle(page)
    assert page.locator(".panel .arrows").count() == 0
    expect(page.locator(".question")).to_be_hidden()


# -- what the colours stand for


# What looks at every pair is worked out between pictures, for the picture that is shown.
WORKED_OUT = """() => stage.panels.every((panel) => {
  const { by, found } = stage.colouring, at = found.get(panel);
  if (!["p", "k", "right"].includes(by)) return true;
  return at && !at.working && at.of === `${panel.run} ${panel.drawnAt}` && !panel.dirty;
})"""


def codes(page, panel):
    return np.array(page.evaluate("(k) => [...stage.panels[k].spriteIndex]", panel)) // 4 - 1


def colour_by(page, value):
    page.locator(".colouring select").select_option(value)
    page.wait_for_function(WORKED_OUT)
    settle(page)


def test_colours_stand_for_p_k_right_or_wrong_and_features_at_every_frame(asked):
    page = asked("")
    train = (LABELS >= 0) & ~HELD_OUT
    np.testing.assert_array_equal(codes(page, 1), LABELS)
    for t in (0.0, 0.6):
        Y = CENTRED @ at(page, t).T
        near = [brute_force(Y, i) for i in range(len(Y))]
        p = np.array([w[LABELS[rows] == LABELS[i]].sum() for i, (rows, w) in enumerate(near)])
        k = np.array([np.exp(-np.sum(w[w > 0] * np.log(w[w > 0]))) for _, w in near])
        nearest = np.array([LABELS[rows[0]] for rows, _ in near])
        colour_by(page, "p")
        wanted = np.where(LABELS < 0, -1, np.clip(np.floor(p * 9), 0, 8))
        assert np.mean(codes(page, 1) == wanted) > 0.97  # float32 may put one on the edge of two steps
        colour_by(page, "k")
        wanted = np.clip(np.floor(9 * np.log(k) / np.log(train.sum())), 0, 8)
        assert np.mean(codes(page, 1) == wanted) > 0.97
        colour_by(page, "right")
        wanted = np.where(LABELS < 0, -1, np.where(nearest == LABELS, 0, 3))
        np.testing.assert_array_equal(codes(page, 1), wanted)
    found = page.evaluate(
        "(() => { const f = stage.colouring.found.get(stage.panels[1]).numbers; return [...f.p]; })()"
    )
    at_end = Evaluator(CENTRED[train], LABELS[train]).evaluate(at(page, 0.6))
    assert np.array(found)[train].mean() == pytest.approx(at_end.mean_p, rel=1e-5)
    colour_by(page, "f2")
    low, high = np.quantile(X[:, 2], [0.02, 0.98], method="nearest")
    wanted = np.clip(np.floor(9 * (X[:, 2] - low) / (high - low)), 0, 8)
    assert np.mean(codes(page, 0) == wanted) > 0.9
    assert len(np.unique(codes(page, 0))) == 9
    colour_by(page, "class")
    np.testing.assert_array_equal(codes(page, 0), LABELS)


def test_with_very_many_points_only_what_is_quick_is_offered(opened):
    n = 10_001
    page = opened(scene_of(RNG.normal(size=(n, 2)), np.arange(n) % 4))
    offered = page.locator(".colouring option").all_inner_texts()
    assert offered == ["class", "f0", "f1"]
    page = opened(replace(make_scene(), ordered=True))
    assert page.locator(".colouring option").first.inner_text() == "range"
