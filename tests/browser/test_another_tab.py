"""A training is brought from one tab of a browser to another, and the first one shows it without a press."""

from __future__ import annotations

import re

from playwright.sync_api import expect

WORDS = "Already training in another tab"


def test_a_training_moves_to_the_tab_that_asks_for_it(page, profile, app_address):
    page.goto(f"{app_address}/?data=iris")
    page.get_by_role("button", name="Train").first.click()
    expect(page.locator(".readout .numbers")).to_contain_text("iteration")
    expect(page.get_by_text("onverged")).to_be_visible(timeout=90_000)  # nothing more is to be heard of it
    expect(page).to_have_url(re.compile("recipe="))
    other = profile.new_page()
    other.goto(page.url)
    expect(other.get_by_text(WORDS)).to_be_visible(timeout=90_000)
    other.get_by_role("button", name="Bring it here").click()
    expect(other.locator(".readout .numbers")).to_contain_text("iteration", timeout=90_000)
    expect(other.get_by_text(WORDS)).to_have_count(0)
    expect(page.get_by_text(WORDS)).to_be_visible(timeout=90_000)
    expect(page.locator(".readout .numbers")).to_have_text("")
