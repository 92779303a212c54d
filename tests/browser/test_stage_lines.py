"""Why a point is where it is, on the stage: lines to the neighbours that the pressed point most probably picks."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from playwright.sync_api import expect

from pages.stage.scene import Panel
from tests.browser.stage_page import feed, scene_of, settle, snapshot

RNG = np.random.default_rng(5)
X = RNG.normal(size=(70, 4)) + np.repeat(np.eye(4)[:2] * 1.5, 35, axis=0)
LABELS = np.repeat([0, 1], 35)
LABELS[[3, 40]] = -1
HELD_OUT = np.arange(70) % 5 == 0
POINT = 36
LINES = """(panel) => [...stage.panels[panel].root.querySelectorAll(".lines line:not([hidden])")].map((line) => ({
  x: Number(line.getAttribute("x2")), y: Number(line.getAttribute("y2")),
  width: Number(line.getAttribute("stroke-width")), kind: line.getAttribute("class"),
  dashed: line.getAttribute("stroke-dasharray") !== "none",
}))"""


def make_scene(d=2, **changes):
    return replace(scene_of(X, LABELS, d=d), held_out=HELD_OUT, **changes)


def brute_force(Y, i, labels=LABELS):
    """Rows and p_ij of the training rows but i, the most probable first."""
    rows = np.flatnonzero((labels >= 0) & ~HELD_OUT & (np.arange(len(Y)) != i))
    squares = ((Y[rows] - Y[i]) ** 2).sum(axis=1)
    p = np.exp(squares.min() - squares)
    order = np.argsort(squares, kind="stable")
    return rows[order], (p / p.sum())[order]


@pytest.mark.parametrize("d", [2, 3, 7])
def test_the_most_probable_neighbours_equal_brute_force(opened, d):
    page = opened(make_scene())
    Y = RNG.normal(size=(70, d))
    for i in (0, 3, POINT):  # held out, unlabelled, training
        found = page.evaluate(
            """async ([Y, components, i]) => {
              const { mostProbable } = await import("./probable.js");
              const { labels, heldOut } = stage.scene;
              return mostProbable({ Y: Float64Array.from(Y), components, i, labels, heldOut, unit: 0.5, most: 12 });
            }""",
            [Y.ravel().tolist(), d, i],
        )
        rows, p = brute_force(0.5 * Y, i)
        assert [each["j"] for each in found] == rows[:12].tolist()
        assert [each["p"] for each in found] == pytest.approx(p[:12], rel=1e-9)
        own = None if LABELS[i] < 0 else LABELS[i]
        assert [each["same"] for each in found] == [None if own is None else LABELS[j] == own for j in rows[:12]]


def test_what_each_feature_adds_to_a_distance_adds_up_to_it(opened):
    page = opened(make_scene())
    A = RNG.normal(size=(2, 4))
    parts = page.evaluate(
        """async ([X, A]) => {
          const { splitByFeature } = await import("./probable.js");
          return [...splitByFeature(Float64Array.from(X), 4, Float64Array.from(A), 2, 7, 50, 3)];
        }""",
        [X.ravel().tolist(), A.ravel().tolist()],
    )
    delta = 3 * (X[7] - X[50])
    assert parts == pytest.approx(delta * (A.T @ A @ delta))
    assert sum(parts) == pytest.approx(np.linalg.norm(A @ delta) ** 2)


def lines_of(page, panel):
    """As they are drawn, the widest first."""
    return page.evaluate(LINES, panel)[::-1]


def test_lines_lead_to_the_most_probable_neighbours_in_every_panel_at_every_frame(opened):
    page = opened(make_scene())
    A = 1.5 * RNG.normal(size=(2, 4))
    feed(page, snapshot(0, np.eye(2, 4)), snapshot(1, A))
    page.evaluate("stage.seek(0)")
    settle(page)
    assert page.locator(".panel .lines").count() == 0
    page.evaluate("(i) => stage.press(stage.panels[0], i)", POINT)
    expect(page.locator(".lines-legend")).to_contain_text("dashed to another class")
    centred = X - X.mean(axis=0)
    for t in (0.0, 0.4, 1.0):
        page.evaluate("(t) => stage.seek(t)", t)
        settle(page)
        for panel, frame in ((0, np.eye(2, 4)), (1, (1 - t) * np.eye(2, 4) + t * A)):
            rows, p = brute_force(centred @ frame.T, POINT)
            kept = p[:30] >= 1e-6
            drawn = lines_of(page, panel)
            assert len(drawn) == kept.sum()
            places = page.evaluate(
                "([k, rows]) => rows.map((j) => [stage.panels[k].xs[j], stage.panels[k].ys[j]])",
                [panel, rows[:30][kept].tolist()],
            )
            ratio = page.evaluate("stage.panels[0].ratio")
            for line, (x, y), j, share in zip(drawn, places, rows, p, strict=False):
                assert [line["x"], line["y"]] == pytest.approx([x / ratio, y / ratio], abs=0.06)
                assert line["width"] == pytest.approx(max(0.8, 9 * share), abs=0.006)
                assert line["kind"] == ("same" if LABELS[j] == LABELS[POINT] else "other")
                assert line["dashed"] == (LABELS[j] != LABELS[POINT])
    assert {line["kind"] for line in lines_of(page, 0)} == {"same", "other"}


def test_lines_go_with_the_pin_and_where_there_is_no_p(opened):
    tsne = Panel("tsne", "t-SNE", X[:, :2], kind="coordinates")
    scene = make_scene()
    page = opened(replace(scene, panels=(scene.panels[0], tsne)))
    page.evaluate("stage.hover(stage.panels[0], 7)")
    assert page.locator(".panel .lines").count() == 0  # only of a point that was pressed
    page.evaluate("stage.press(stage.panels[0], 3)")
    assert page.locator(".panel .lines").count() == 1
    assert {(line["kind"], line["dashed"]) for line in lines_of(page, 0)} == {("", False)}  # it has no class
    hidden = len(lines_of(page, 0))
    page.locator(".legend .class").nth(1).click()
    settle(page)
    drawn = lines_of(page, 0)
    assert 0 < len(drawn) < hidden  # none leads to a point of a hidden class
    page.keyboard.press("Escape")
    assert page.locator(".panel .lines").count() == 0
    expect(page.locator(".lines-legend")).to_be_hidden()


def test_what_is_pressed_is_told_once_and_a_wish_of_the_page_is_not(opened):
    page = opened(make_scene())
    page.evaluate("() => { window.told = []; stage.reportPoint = (i) => told.push(i); }")
    page.evaluate(
        "() => { stage.press(stage.panels[0], 7); stage.spotlight.pin(9, true); stage.letGo(); stage.letGo(); }"
    )
    assert page.evaluate("told") == [7, -1]
