"""The points that are selected, as a small table in sight of the panels."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from playwright.sync_api import expect

from tests.browser.stage_page import CORNERS, HOSTILE, scene_of

SCENE = replace(scene_of(CORNERS, [1, 0, 1, -1], names=("a", HOSTILE)), held_out=np.array([True, False, False, False]))
CHOSEN, STORY = ".chosen", ".story"


def cells(page):
    return page.locator(f"{CHOSEN} tr").evaluate_all(
        "(rows) => rows.map((row) => [...row.cells].map((c) => c.innerText))"
    )


def test_selected_points_stand_where_the_story_does_until_they_are_let_go(opened):
    page = opened(SCENE)
    expect(page.locator(CHOSEN)).to_be_hidden()
    page.evaluate("stage.select([3, 2, 0])")
    expect(page.locator(CHOSEN)).to_contain_text(f"3 points selected: 2 {HOSTILE}, 1 unlabelled")
    assert cells(page) == [
        ["row", "class", "f0", "f1"],
        ["11", f"{HOSTILE}, held out", "-2", "-1"],
        ["13", HOSTILE, "-2", "1"],
        ["14", "unlabelled", "2", "1"],
    ]
    expect(page.locator(STORY)).to_be_hidden()
    page.get_by_role("button", name="Clear the selection (Escape)").click()
    expect(page.locator(CHOSEN)).to_be_hidden()
    expect(page.locator(STORY)).to_be_visible()
    assert page.evaluate("window.harmed") is None


def test_of_many_the_first_are_listed_and_the_others_counted(opened):
    n = 60
    X = np.random.default_rng(0).normal(size=(n, 2))
    page = opened(scene_of(X, np.zeros(n, dtype=int)))
    page.evaluate("stage.select([...Array(60).keys()])")
    expect(page.locator(CHOSEN)).to_contain_text("60 points selected: 60 a")
    expect(page.locator(CHOSEN)).to_contain_text("and 10 more")
    assert len(cells(page)) == 1 + 50
