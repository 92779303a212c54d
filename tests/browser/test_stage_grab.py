"""A is moved by hand: by the smallest change that does it, with numbers that follow, and the training told of it."""

from __future__ import annotations

import re

import numpy as np
import pytest
from playwright.sync_api import expect

from nca_core.evaluator import Evaluator
from tests.browser.stage_page import feed, scene_of, settle, snapshot
from tests.browser.test_stage_lines import HELD_OUT, LABELS, X, make_scene
from tests.browser.waiting import at_last

RNG = np.random.default_rng(2)
A = np.array([[0.9, 0.2, -0.4, 0.1], [-0.1, 0.8, 0.3, -0.2]])
CENTRED = X - X.mean(axis=0)
TRAIN = (LABELS >= 0) & ~HELD_OUT
NUMBERS = re.compile(r"f/n ([0-9.]+).*K̂ ([0-9.]+).*training rows ([0-9.]+)")


@pytest.fixture
def held(opened):
    page = opened(make_scene(feature_names=("ash", "birch", "cedar", "date")))
    feed(page, snapshot(0, A))
    page.evaluate("""() => {
      window.told = [];
      stage.reportGrab = (panel, frame) => told.push([panel, frame]);
      stage.question.ask("grab");
    }""")
    settle(page)
    return page


def hand(page):
    frame = page.evaluate("stage.panels[1].hand && [...stage.panels[1].hand]")
    return None if frame is None else np.array(frame).reshape(2, 4)


def drag(page, name, dx, dy):
    box = page.get_by_role("button", name=name).bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + dx, y + dy, steps=3)
    page.mouse.up()
    settle(page)


def in_units(page, dx, dy):
    scale = page.evaluate("stage.panels[1].ratio / stage.panels[1].scale")
    return np.array([dx, -dy]) * scale


@pytest.mark.parametrize("kind", ["arrow", "centre"])
def test_the_change_is_the_smallest_that_does_it(opened, kind):
    page = opened(make_scene())
    at = RNG.normal(size=4) if kind == "centre" else np.eye(4)[2]
    place = RNG.normal(size=2)
    call = "withCentre(a, 4, at, place)" if kind == "centre" else "withArrow(a, 4, 2, place)"
    found = page.evaluate(
        f"""async ([a, at, place]) => {{
          const {{ withArrow, withCentre }} = await import("./hand.js");
          return [...{call}];
        }}""",
        [A.ravel().tolist(), at.tolist(), place.tolist()],
    )
    moved = np.array(found).reshape(2, 4)
    np.testing.assert_allclose(moved @ at, place, atol=1e-6)
    # Least norm: by the pseudo-inverse of the constraint.
    np.testing.assert_allclose(moved - A, np.outer(place - A @ at, np.linalg.pinv(at[:, None])[0]), atol=1e-6)


def test_an_arrow_follows_the_hand_and_undo_brings_it_back(held):
    before = page_factor(held)
    by = in_units(held, 30, -20) / before
    drag(held, "Arrow of cedar", 30, -20)
    wanted = A.copy()
    wanted[:, 2] += by
    np.testing.assert_allclose(hand(held), wanted, atol=0.02)
    first = hand(held)
    drag(held, "Arrow of ash", -15, 10)
    assert not np.allclose(hand(held), first)
    held.get_by_role("button", name="Undo").click()
    np.testing.assert_allclose(hand(held), first)
    held.get_by_role("button", name="Undo").click()
    assert hand(held) is None
    expect(held.get_by_role("button", name="Undo")).to_be_disabled()


def page_factor(page):
    text = page.locator(".panel").nth(1).locator(".factor").inner_text()
    return float(text.rpartition(" ")[2]) if text else 1.0


def test_the_numbers_follow_the_hand_and_the_training_is_told_of_it(held):
    numbers = held.locator(".grab-view .answer").nth(1)
    expect(numbers).to_contain_text(NUMBERS)

    def check(matrix):  # they come a little later than the picture
        at = Evaluator(CENTRED[TRAIN], LABELS[TRAIN]).evaluate(matrix)

        def agree():
            p, k, _ = map(float, NUMBERS.search(numbers.inner_text()).groups())
            assert p == pytest.approx(at.mean_p, abs=0.0051)
            assert k == pytest.approx(np.exp(at.entropy.mean()), abs=0.051)

        at_last(held, agree)

    check(A)
    by = in_units(held, 40, 25)
    drag(held, "Centre of b", 40, 25)
    mu = CENTRED[TRAIN & (LABELS == 1)].mean(axis=0)
    wanted = A + np.outer(by, mu) / (mu @ mu)
    np.testing.assert_allclose(hand(held), wanted, atol=0.05)
    expect(numbers).to_contain_text("before)")
    check(hand(held))
    # The points that are seen are those of the hand's A.
    seen = np.array(held.evaluate("[...stage.panels[1].Y]")).reshape(-1, 2)
    np.testing.assert_allclose(seen, CENTRED @ hand(held).T, atol=1e-4)
    held.get_by_role("button", name="Go on from here").click()
    [[panel, frame]] = held.evaluate("told")
    assert panel == "nca"
    np.testing.assert_array_equal(np.reshape(frame, (2, 4)), hand(held))
    feed(held, snapshot(0, A), run=2)  # the training that goes on
    settle(held)
    assert hand(held) is None


def test_the_keyboard_moves_a_handle_and_leaving_the_question_lets_go(held):
    held.get_by_role("button", name="Arrow of birch").focus()
    held.keyboard.press("ArrowRight")
    settle(held)
    moved = hand(held)
    assert moved[0, 1] > A[0, 1]
    assert np.allclose(np.delete(moved, 1, axis=1), np.delete(A, 1, axis=1))
    held.evaluate("stage.question.ask('')")
    settle(held)
    assert hand(held) is None
    assert held.locator(".handle").count() == 0


def test_numbers_that_take_many_frames_come_though_nothing_else_moves(opened):
    """They are counted in slices of a frame, each of which asks for the next."""
    many = 2_000
    page = opened(scene_of(RNG.normal(size=(many, 4)), np.arange(many) % 2))
    feed(page, snapshot(0, A))
    settle(page)
    page.evaluate("stage.question.ask('grab')")
    expect(page.locator(".grab-view .answer").nth(1)).to_contain_text(re.compile("f/n [0-9.]+"))
    settle(page)  # and then it rests
    assert page.evaluate("stage.stirred") is False
