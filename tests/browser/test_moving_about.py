"""Between the pages in a real browser: back, forward, tooltips in the way, and a stage that stays where it is."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.waiting import rest, steady


@pytest.fixture
def opened(page, app_address):
    page.goto(f"{app_address}/?data=iris")
    expect(page.locator(".legend .class")).to_have_text(["setosa", "versicolor", "virginica"])
    rest(page)
    return page


def train(page):
    page.get_by_role("button", name=re.compile(r"^\W*Train\b")).first.click()
    expect(page.locator(".readout .status")).to_contain_text("Converged", timeout=90_000)


def data_link(page):
    return page.get_by_role("link", name="Data", exact=True).first


def test_one_step_back_from_the_data_page_brings_the_training_back(opened):
    page = opened
    train(page)
    page.mouse.move(700, 900)
    data_link(page).click()
    expect(page.get_by_role("tab", name="Catalogue")).to_be_visible()
    expect(page).to_have_url(re.compile(r"/data\?recipe="))
    page.go_back()
    expect(page.locator(".readout .status")).to_contain_text("Converged")
    expect(page.locator(".legend .class")).to_have_text(["setosa", "versicolor", "virginica"])
    rest(page)
    page.go_forward()
    expect(page.get_by_role("tab", name="Catalogue")).to_be_visible()
    rest(page)
    page.go_back()
    expect(page.locator(".readout .status")).to_contain_text("Converged")


def test_the_buttons_have_no_tooltip_and_a_tooltip_lets_presses_through(opened):
    page = opened
    for name in ("Train", "Step", "Present", "Dark"):
        page.get_by_role("button", name=re.compile(rf"^\W*{name}\b")).first.hover()
        page.wait_for_timeout(400)
        expect(page.get_by_test_id("stTooltipContent")).to_have_count(0)
    page.get_by_test_id("stSidebar").get_by_test_id("stTooltipIcon").nth(1).hover()
    tip = page.get_by_test_id("stTooltipContent")
    expect(tip).to_be_visible()
    box = tip.bounding_box()
    under = "([x, y]) => Boolean(document.elementFromPoint(x, y)?.closest('[data-testid=stTooltipContent]'))"
    assert not page.evaluate(under, [box["x"] + box["width"] / 2, box["y"] + box["height"] / 2])


def test_the_stage_stays_in_its_place_while_settings_change_and_curves_come(opened):
    page = opened
    things = [*map(page.locator, (".panels", ".toolbar", ".curves")), page.get_by_test_id("stDataFrame").first]

    def places():
        return [thing.bounding_box()["y"] for thing in things]

    before = steady(page, places)
    train(page)
    page.get_by_role("radio", name="3-D").or_(page.get_by_role("button", name="3-D", exact=True)).first.focus()
    page.get_by_role("spinbutton", name="Maximal iterations").press("ArrowUp")
    page.keyboard.press("Enter")
    expect(page.get_by_text("The settings have changed:")).to_be_visible()
    rest(page)
    assert steady(page, places) == before


def test_on_a_phone_the_drawer_closes_when_a_page_was_chosen_in_it(opened):
    page = opened
    page.set_viewport_size({"width": 375, "height": 760})
    page.reload()
    expect(page.locator(".legend .class").first).to_be_visible()
    for name, there in (("Data", page.get_by_role("tab", name="Catalogue")), ("Explore", page.locator(".panel").first)):
        page.get_by_test_id("stExpandSidebarButton").click()
        page.get_by_role("link", name=name, exact=True).first.click()
        expect(there).to_be_visible()
        expect(page.get_by_role("link", name=name, exact=True).first).not_to_be_in_viewport()
        there.click(timeout=20_000)  # nothing lies over it
