"""A that is set without a training: turned through all sides, by hand, by a slider; and the forces on it."""

from dataclasses import replace

import numpy as np
import pytest
from playwright.sync_api import expect

from nca_core.objectives.evaluator import Evaluator
from stage.scene import Panel
from tests.browser.stage_page import feed, pan, press_points, scene_with, settle, snapshot

RNG = np.random.default_rng(4)
LABELS = np.arange(60) % 2
X = RNG.normal(size=(60, 3)) + 2.5 * LABELS[:, None] * np.array([0.0, 0.0, 1.0])
X -= X.mean(axis=0)
PCA = np.array([[1.0, 0, 0], [0, 1.0, 0]])
NCA = np.array([[0.0, 0, 0.8], [0.5, 0, 0]])
SCENE = replace(
    scene_with(X, LABELS, names=("a", "b")),
    panels=(Panel("pca", "PCA", PCA), Panel("nca", "NCA", PCA.copy(), live=True)),
)
WATCH = """() => {
  const { manual } = stage, advance = manual.advance.bind(manual);
  window.seen = [];
  manual.advance = (seconds) => {
    const moved = advance(8 * seconds);
    seen.push([manual.short, ...stage.panels[1].frames[0]]);
    return moved;
  };
}"""
A = "[...stage.panels[1].frames[0]]"
STATUS = ".readout .status"  # above the panels


@pytest.fixture
def page(opened):
    page = opened(SCENE)
    feed(page, snapshot(0, PCA), snapshot(1, NCA, mean_p=0.9))
    page.wait_for_function(f"Math.abs({A}[2] - 0.8) < 1e-6")
    settle(page)
    return page


def numbers(A):
    """f/n and K̂ by the engine."""
    found = Evaluator(X, LABELS).evaluate(A)
    return [found.p.mean(), np.exp(found.entropy.mean())]


def test_the_cloud_turns_to_each_side_and_ends_with_the_training_s(page):
    page.get_by_role("button", name="Show the data in 3-D").click()
    caption = page.locator(".panel .start").nth(1)
    expect(caption).to_have_text("the data in 3-D")
    expect(page.locator(STATUS)).to_contain_text("feature 1, feature 2 and feature 3")
    page.evaluate(WATCH)
    page.wait_for_function("stage.manual.panel === null")
    seen = page.evaluate("seen")
    frames = np.array([row[1:] for row in seen], float)
    at_pca = frames[[row[0] == "turning to PCA's side" for row in seen]]
    assert np.abs(at_pca - PCA.ravel()).max(axis=1).min() < 1e-5
    np.testing.assert_allclose(frames[-1], NCA.ravel(), atol=1e-5)
    singular = np.array([np.linalg.svd(frame.reshape(2, 3))[1] for frame in frames])
    assert singular.min() > 0.3  # no picture on the way collapses


def test_before_a_training_its_start_can_be_moved(page):
    page.evaluate("stage.panels[1].history.snapshots.splice(1)")
    page.get_by_role("button", name="Show the data in 3-D").click()
    last = page.evaluate("stage.manual.legs.at(-1)()")
    assert [last["words"], last["short"]] == ["NCA starts from this side. Press Train.", "turning to NCA's start"]
    page.evaluate("stage.clearRuns(), stage.manual.reset()")
    settle(page)
    start = np.reshape(page.evaluate(A), (2, 3))
    page.get_by_role("button", name="Show the data in 3-D").click()
    page.locator(".scaling input").fill("1")  # which ends the turning
    expect(page.locator(".scaling input")).to_have_value("1")  # the thumb stays where it was put
    f, k = numbers(2 * start)
    expect(page.locator(".readout .numbers")).to_have_text(f"A × 2.00   f/n {f:.3f}   K̂ {k:.1f}")


def test_a_side_found_by_hand_is_counted_beside_the_training_s(page):
    page.get_by_role("button", name="Find the side yourself").click()
    words = page.locator(STATUS)
    expect(words).to_contain_text("NCA: f/n 0.90")
    first, text = page.evaluate(A), words.text_content()
    x, y = press_points(page, 1, 0)
    pan(page, (x, y), (x + 60, y + 30))
    expect(words).not_to_have_text(text)
    settle(page)
    page.wait_for_function(
        "!stage.manual.counted.counting && stage.manual.counted.found.picture === stage.panels[1].picture"
    )
    shown = np.reshape(page.evaluate(A), (2, 3))
    assert np.abs(shown.ravel() - first).max() > 0.05
    found = page.evaluate("stage.manual.counted.found.means[0]")
    assert [found["p"], found["k"]] == pytest.approx(numbers(shown), rel=1e-4)
    page.get_by_role("button", name="Find the side yourself").click()
    page.wait_for_function("stage.manual.panel === null")
    np.testing.assert_allclose(page.evaluate(A), NCA.ravel(), atol=1e-6)


def test_the_slider_multiplies_a_and_the_circle_follows_at_once(page):
    page.mouse.click(*press_points(page, 1, 0))
    share = "stage.panels[1].circle.offsetWidth / stage.panels[1].scale / 2"  # the radius in units of Y
    before = page.evaluate(share)
    page.locator(".scaling input").fill("-2")
    page.wait_for_function("stage.manual.counted.found")
    settle(page)
    np.testing.assert_allclose(page.evaluate(A), NCA.ravel() / 4, atol=1e-6)
    now, before_it = page.evaluate("stage.manual.counted.found.means.map(({ k }) => k)")
    assert [now, before_it] == pytest.approx([numbers(NCA / 4)[1], numbers(NCA)[1]], rel=1e-4)
    assert now > 1.3 * before_it
    assert abs(page.evaluate(share) / before - 1) > 0.05
    expect(page.locator(STATUS)).to_contain_text("NCA with A × 0.25")
    expect(page.locator(STATUS)).to_contain_text("Voting by pᵢⱼ")
    page.evaluate("stage.without = new Set(['accuracy'])")  # as a lesson that has not explained it
    page.locator(".scaling input").fill("-2")
    expect(page.locator(STATUS)).not_to_contain_text("Voting")
    f, k = numbers(NCA / 4)
    expect(page.locator(".readout .numbers")).to_have_text(f"A × 0.25   f/n {f:.3f}   K̂ {k:.1f}")
    feed(page, snapshot(2, 1.5 * NCA))  # the training goes on: the picture is its own again
    page.wait_for_function("stage.manual.panel === null")
    assert page.locator(".scaling .times").text_content() == "A × 1.0"
