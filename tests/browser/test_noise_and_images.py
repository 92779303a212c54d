"""The noise lab, PCA first and the rows of A in a real browser, on rows that are images."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.select_box import pick
from tests.browser.waiting import at_last, rest, steady


@pytest.fixture
def opened(page, app_address):
    def at(query=""):
        page.goto(f"{app_address}/?{query or 'data=wine&held_out=0'}")
        page.wait_for_selector(".panel.hero canvas")
        rest(page)
        return page

    return at


def train(page):
    page.get_by_role("button", name=re.compile(r"^\W*Train\b")).first.click()
    expect(page.locator(".readout .status")).to_contain_text(re.compile("Converged|maximum"), timeout=90_000)


def test_noise_is_added_said_kept_in_the_address_and_undone(opened, picture):
    page = opened()
    page.get_by_text("Noise lab", exact=True).click()
    page.get_by_role("spinbutton", name="Noise columns").fill("20")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Noise lab: 20 columns of noise were added")).to_be_visible()
    expect(page.get_by_text("Wine, noise lab: 178 rows, 33 features").first).to_be_visible()
    page.get_by_role("slider", name="Labels flipped").press("PageUp")
    expect(page.get_by_text(re.compile(r"Noise lab: \d+ of 178 labels"))).to_be_visible()
    pick(page, "Rescale a column", "2: malic_acid")
    expect(page.get_by_text("Noise lab: column malic_acid was multiplied by 100.")).to_be_visible()
    picture("noise-lab")
    expect(page).to_have_url(re.compile("noise.columns=20"))
    page.reload()
    expect(page.get_by_text("Noise lab: 20 columns of noise were added")).to_be_visible()
    page.get_by_role("button", name="No noise").click()
    expect(page.get_by_text("Wine: 178 rows, 13 features").first).to_be_visible()
    expect(page.get_by_text("Noise lab: 20")).to_have_count(0)
    expect(page).not_to_have_url(re.compile(r"noise\.columns=[1-9]"))


def test_pca_first_is_a_step_and_the_rows_of_a_are_images(opened, picture):
    page = opened("explore.data=Digits&explore.max_rows=300&explore.iterations=10&explore.pace=full+speed")
    page.get_by_text("Advanced", exact=True).click()
    pick(page, "Fewer features first", "PCA")
    page.get_by_role("spinbutton", name="How many").fill("12")
    page.keyboard.press("Enter")
    expect(page.get_by_text("300 rows: standardise → PCA to 12")).to_be_visible()
    train(page)
    page.get_by_text("Which features matter").click()
    expect(page.locator(".js-plotly-plot .heatmaplayer image")).to_have_count(2)
    expect(page.get_by_text("Each row of A weighs the pixels")).to_be_visible()
    picture("rows-of-a")
    expect(page).to_have_url(re.compile("components=12"))


def test_hovering_shows_the_picture_of_a_row(opened):
    page = opened("explore.data=Digits&explore.max_rows=300")
    expect(page.locator(".legend .class")).to_have_count(10)
    canvas = page.locator(".panel canvas").first
    canvas.scroll_into_view_if_needed()
    box = steady(page, canvas.bounding_box)
    drawn = page.locator(".card canvas.picture")

    def met():  # somewhere in the middle lies a point
        for across in range(30, 70, 2):
            page.mouse.move(box["x"] + box["width"] * across / 100, box["y"] + box["height"] / 2)
            page.wait_for_timeout(30)
            if drawn.is_visible():
                return
        expect(drawn).to_be_visible(timeout=1_000)

    at_last(page, met)
    assert drawn.evaluate("(canvas) => [canvas.width, canvas.height]") == [8, 8]
