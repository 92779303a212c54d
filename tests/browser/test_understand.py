"""Questions in a real browser: a pressed point is asked about on every page, and noise comes during a training."""

import re

from playwright.sync_api import expect

from tests.browser.accessible import expect_accessible
from tests.browser.waiting import a_point, rest


def test_a_pressed_point_is_asked_about_on_understand(page, app_address):
    page.goto(f"{app_address}/?recipe=2&data=wine&panels=pca,nca&pace=full_speed&train=1")
    expect(page.locator(".readout .status")).to_contain_text("onverged", timeout=90_000)
    expect(page.locator(".panel").nth(1).get_by_text(re.compile("unit"))).to_be_visible()  # the picture is there
    rest(page)
    page.mouse.click(*a_point(page))
    expect(page.locator(".panel").nth(1).locator(".lines line:not([hidden])").first).to_be_attached()
    question = page.get_by_role("link", name=re.compile(r"Why is row \d+ here"))
    row = re.search(r"\d+", question.inner_text())[0]
    question.click()
    expect(page.locator(".question h3")).to_have_text(f"Why is row {row} here?")
    expect(page.locator(".neighbours")).to_have_count(3)  # all features, PCA, NCA
    expect(page.get_by_text(f"How does each classifier label row {row}?")).to_be_visible()

    expect_accessible(page)
    page.get_by_text("What is the metric?", exact=True).first.click()
    expect(page.locator(".heat")).to_be_visible()
    expect(page).to_have_url(re.compile("ask=metric"))
    page.get_by_text("Does it come back?", exact=True).first.click()
    page.get_by_role("button", name=re.compile("^Arrow of")).first.focus()
    page.keyboard.press("ArrowRight")
    page.get_by_role("button", name="Continue from here").click()
    expect(page.get_by_text(re.compile("you moved it to .* climbed to"))).to_be_visible()
