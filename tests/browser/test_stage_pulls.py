"""Arrows on the points: what f wants of each, and what one point wants of others, against the engine's derivatives."""

from __future__ import annotations

import numpy as np
import pytest
from playwright.sync_api import expect

from nca_core.evaluator import Evaluator
from tests.browser.stage_page import feed, settle, snapshot
from tests.browser.test_stage_lines import HELD_OUT, LABELS, POINT, X, make_scene

A = 0.8 * np.random.default_rng(8).normal(size=(2, X.shape[1]))
TRAIN = ~np.asarray(HELD_OUT, bool) & (LABELS >= 0)
CALL = """async ([what, i]) => {
  const { forcesOn, gradientNorm, pullsOf } = await import("./pulls.js");
  const panel = stage.panels[stage.scene.panels.findIndex((each) => each.live)];
  const { components, heldOut, features } = stage.scene;
  const asked = { Y: panel.Y, components, labels: panel.labels, heldOut };
  if (what === "pulls") { const { moves, p } = pullsOf({ ...asked, i }); return [[...moves], p]; }
  const forces = forcesOn(asked), { X, columns } = features[0];
  return [[...forces], gradientNorm(forces, components, X, columns)];
}"""


@pytest.fixture
def pulled(opened):
    page = opened(make_scene())
    feed(page, snapshot(0, A))
    page.evaluate("stage.question.ask('pull')")
    settle(page)
    return page


def test_forces_and_their_sum_are_the_engine_s_gradient(pulled):
    moves, norm = pulled.evaluate(CALL, ["forces", 0])
    evaluator = Evaluator(X[TRAIN], LABELS[TRAIN])
    wanted = np.zeros((len(X), 2))
    wanted[TRAIN] = evaluator.evaluate_places(X[TRAIN] @ A.T).d_Y
    np.testing.assert_allclose(np.reshape(moves, (-1, 2)), wanted, atol=1e-5 * np.abs(wanted).max())
    assert norm == pytest.approx(np.linalg.norm(evaluator.evaluate(A).gradient), rel=1e-4)


def test_one_point_s_pulls_are_the_slopes_of_its_own_chance(pulled):
    moves, p = pulled.evaluate(CALL, ["pulls", POINT])
    Y, i = X @ A.T, np.count_nonzero(TRAIN[:POINT])

    def own(places):
        return Evaluator(X[TRAIN], LABELS[TRAIN]).evaluate_places(places[TRAIN]).p[i]

    assert p == pytest.approx(own(Y), abs=1e-5)
    found = np.reshape(moves, (-1, 2))
    assert not found[~TRAIN].any()
    for j in np.flatnonzero(TRAIN)[:: max(1, len(X) // 12)]:
        for c in range(2):
            step = np.zeros_like(Y)
            step[j, c] = 1e-6
            assert found[j, c] == pytest.approx((own(Y + step) - own(Y - step)) / 2e-6, abs=1e-5)


def test_arrows_are_drawn_and_told_and_go(pulled):
    page = pulled
    expect(page.locator(".pulls")).to_have_count(1)  # only where something is trained
    assert page.locator(".pulls .own").get_attribute("d").count("M") > 10
    assert page.locator(".pulls .foreign").get_attribute("d") == ""
    expect(page.locator(".pull-view .answer")).to_contain_text("What all points want")
    page.evaluate("(i) => stage.press(stage.panels[1], i)", POINT)
    settle(page)
    expect(page.locator(".pull-view .answer")).to_contain_text(f"What row {POINT + 11}")
    assert page.locator(".pulls .own").get_attribute("d")
    assert page.locator(".pulls .foreign").get_attribute("d")
    page.evaluate("stage.question.ask('')")
    expect(page.locator(".pulls")).to_have_count(0)


def test_a_page_that_watches_is_told_once_the_picture_rests(opened):
    page = opened(make_scene())
    feed(page, snapshot(0, A), snapshot(1, 1.2 * A))
    page.evaluate("""async () => {
      const { Seen } = await import("./seen.js");
      window.told = [];
      const seen = new Seen(stage, (what) => told.push(what));
      stage.rested = () => seen.look();
      stage.seek(0);
    }""")
    page.wait_for_function("told.length === 1")
    assert page.evaluate("told[0]") == {"iteration": 0, "hidden": [], "same": False}
    page.locator(".legend .class").nth(1).click()
    page.wait_for_function("told.length === 2")
    page.evaluate("stage.toggleSameScale()")
    page.wait_for_function("told.length === 3")
    assert page.evaluate("told[2]") == {"iteration": 0, "hidden": [1], "same": True}
    page.evaluate("stage.redraw()")
    settle(page)
    page.wait_for_timeout(400)
    assert page.evaluate("told.length") == 3  # nothing new
