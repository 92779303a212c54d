"""Panels turned onto a chosen one, and points moved there: against SciPy, on the stage, and no number is touched."""

import numpy as np
import pytest
from scipy.linalg import orthogonal_procrustes

from stage.scene import Panel
from tests.browser.stage_page import feed, scene_with, seek, settle, show, snapshot

PLACES = "(k) => [...stage.panels[k].xs].map((x, i) => [x, stage.panels[k].ys[i]])"
rng = np.random.default_rng(8)
X = rng.normal(size=(60, 4)) * [3.0, 2.0, 1.0, 0.5] + [1, 0, 2, 0]
LABELS = np.repeat([0, 1, 2], 20)
MIRROR = np.array([[0.6, 0.8], [0.8, -0.6]])  # a reflection


@pytest.fixture
def opened(blank):
    """PCA, a live NCA that begins as its mirror image at a tenth of its size, and a panel with nothing to draw."""
    blank.evaluate("window.compares = true")
    made = scene_with(X, LABELS, names=("a", "b", "c"), still=False)
    panels = (
        Panel("pca", "PCA", np.eye(2, 4)),
        Panel("nca", "NCA", 0.1 * MIRROR @ np.eye(2, 4), live=True),
        Panel("dcv", "DCV", None, problem="It cannot run."),
    )
    object.__setattr__(made, "panels", panels)
    show(blank, made)
    return blank


def places(page, k):
    return np.array(page.evaluate(PLACES, k))


def turn(page, key):
    page.get_by_label("Turn all panels onto one").select_option(key)
    settle(page)


def test_a_panel_is_turned_onto_the_chosen_one_and_says_so(opened):
    page = opened
    before, numbers = places(page, 1), page.evaluate("[...stage.panels[1].Y]")
    page.evaluate("stage.spotlight.press(7)")
    own = page.evaluate("stage.panels[1].own.textContent")
    assert np.abs(before - places(page, 0)).max() > 20
    turn(page, "pca")
    np.testing.assert_allclose(places(page, 1), places(page, 0), atol=0.1)
    assert page.locator(".panel .turned").all_inner_texts() == [
        "the others are turned onto this",
        "turned onto PCA",
        "",
    ]
    assert page.evaluate("[...stage.panels[1].Y]") == numbers
    assert page.evaluate("stage.panels[1].own.textContent") == own
    # A circle and the bar are in the panel's own unit: one of them is as long as ten of PCA's.
    assert page.evaluate("stage.panels[1].scale / stage.panels[0].scale") == pytest.approx(10, rel=1e-3)
    turn(page, "")
    np.testing.assert_allclose(places(page, 1), before, atol=0.1)
    assert page.locator(".panel .turned").all_inner_texts() == ["", "", ""]


def test_it_follows_the_training_at_every_frame(opened):
    page = opened
    status = page.locator(".readout .status")
    assert status.inner_text() == "Press Train: all panels train side by side."
    page.evaluate("stage.setRuns({ nca: { run: 1, state: 'running' } })")
    settle(page)
    assert status.inner_text() == "training"
    turn(page, "nca")
    A = np.array([[0.3, 0.1, 0.5, 0.0], [0.0, 0.9, 0.0, -0.4]])
    feed(page, snapshot(0, 0.1 * MIRROR @ np.eye(2, 4)), snapshot(1, A))
    page.wait_for_function("stage.player.position === 1")
    settle(page)
    z, y = X @ A.T, X[:, :2]
    y, z = y - y.mean(axis=0), z - z.mean(axis=0)
    wanted = y @ orthogonal_procrustes(y, z)[0] * np.linalg.norm(z) / np.linalg.norm(y)
    at, onto = places(page, 0), places(page, 1)
    scale = page.evaluate("stage.panels[1].scale")
    np.testing.assert_allclose(at - at.mean(axis=0), wanted * [scale, -scale], atol=0.2)
    np.testing.assert_allclose(onto - onto.mean(axis=0), z * [scale, -scale], atol=0.2)


def test_the_slider_moves_points_from_place_to_place_and_hides_what_would_be_wrong(opened):
    page = opened
    feed(page, snapshot(0, np.array([[0.3, 0.1, 0.5, 0.0], [0.0, 0.9, 0.0, -0.4]])))
    settle(page)
    slider = page.get_by_label("Way of every point to its place in PCA")
    assert page.locator(".trail").is_hidden()
    turn(page, "pca")
    apart = places(page, 1) - places(page, 0)
    assert np.abs(apart).max() > 20
    page.evaluate("stage.spotlight.press(7)")
    assert page.evaluate("!stage.panels[1].circle.hidden && !stage.panels[1].bar.root.hidden")
    slider.fill("0.5")
    settle(page)
    np.testing.assert_allclose(places(page, 1) - places(page, 0), apart / 2, atol=0.2)
    assert page.locator(".panel .turned").nth(1).inner_text() == "50 % of the way to PCA"
    # Distances on the way say nothing: no circle, no bar.
    assert page.evaluate("stage.panels[1].circle.hidden && stage.panels[1].bar.root.hidden")
    assert page.evaluate("!stage.panels[0].circle.hidden && !stage.panels[0].bar.root.hidden")
    slider.fill("1")
    settle(page)
    np.testing.assert_allclose(places(page, 1), places(page, 0), atol=0.1)
    turn(page, "")
    assert page.evaluate("stage.aligning.way") == 0


def test_where_the_chosen_panel_goes_each_stands_for_itself_again(opened):
    page = opened
    turn(page, "pca")
    show_only = """(keys) => {
      const panels = stage.scene.panels.filter(({ key }) => keys.includes(key));
      stage.showScene({ ...stage.scene, panels });
    }"""
    page.evaluate(show_only, ["pca", "nca"])
    assert page.evaluate("stage.aligning.key") == "pca"
    page.evaluate(show_only, ["nca"])
    settle(page)
    assert page.evaluate("stage.aligning.key") == ""
    assert page.locator(".aligning").is_hidden()


def test_the_time_machine_asks_for_the_iteration_that_is_shown(opened):
    page = opened
    feed(page, *(snapshot(k, np.eye(2, 4)) for k in range(6)))
    page.wait_for_function("stage.player.position === 5")
    seek(page, 3)
    assert page.locator(".machine > summary:visible").count() == 1  # only what trains has one
    page.locator(".machine > summary:visible").click()
    assert page.locator(".machine .list button").all_inner_texts() == [
        "Branch from iteration 3",
        "Again from the same start",
        "Replay with another seed",
    ]
    page.get_by_role("button", name="Branch from iteration 3").click()
    assert page.evaluate("wishes") == [["nca", "branch", 3]]
    page.locator(".machine > summary:visible").click()
    page.keyboard.press("Escape")
    assert page.locator(".machine .list").first.is_hidden()
    page.locator(".machine > summary:visible").click()
    page.wait_for_function("document.activeElement.matches('.list button')")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert page.evaluate("wishes.at(-1)") == ["nca", "seed", 3]
