"""Two tabs of one browser with the same settings: what one trains can be brought to the other, and is not lost."""

import pytest

from pages.server.workspace import HUB
from tests.pages.app_page import address, press, run_of, space

WINE = {"data": "wine", "held_out": "0"}
WORDS = "Already training in another tab."


def said(page):
    return [line.value for line in page.caption if line.value == WORDS]


@pytest.fixture
def tabs(open_page, browsers):
    """One that trains, and a later one with its address."""
    browsers("ann")
    one = open_page(WINE)
    press(one, "Train")
    return one, open_page(address(one))


def test_a_training_is_brought_here_and_the_other_tab_begins_anew(tabs):
    one, two = tabs
    held, run, before = space(one), run_of(one), space(two)
    assert not said(one)
    assert said(two)
    assert space(two) is not held
    press(two, "Bring it here")
    assert space(two) is held
    assert run_of(two) is run
    assert run.ended != "stopped"
    assert not said(two)
    assert HUB.find(before.token) is before  # as that of a closed tab
    assert not before.has_session
    one.run()
    assert space(one) is not held
    assert space(one).document.recipe == held.document.recipe
    assert said(one)  # and can have it back
    press(one, "Bring it here")
    assert run_of(one) is run


def test_nothing_is_said_where_the_settings_differ_or_this_tab_trains(tabs, open_page, browsers):
    _one, two = tabs
    two.selectbox(key="explore.data").set_value("iris").run()
    assert not said(two)
    two.selectbox(key="explore.data").set_value("wine").run()
    assert said(two)
    press(two, "Train")
    assert not said(two)
    browsers("bob")
    assert not said(open_page(address(two)))
    browsers("ann")
    assert not said(open_page({"data": "iris"}))


def test_a_line_that_another_browser_presses_brings_nothing(tabs, browsers):
    one, two = tabs
    held = space(one)
    browsers("bob")
    two.button(key="recipe.bring_here").click().run()
    assert space(two) is not held
    browsers("ann")
    one.run()
    assert space(one) is held
