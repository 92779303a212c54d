"""Tables as people have them, from the drop to the trained picture in a real browser, with every press counted."""

from __future__ import annotations

import re

import numpy as np
import pytest
from playwright.sync_api import expect

from tests.browser.select_box import drop
from tests.browser.test_data_page import drawing, expect_another_drawing
from tests.browser.waiting import rest, steady
from tests.datasets.corpus import nature, people, workbooks
from tests.datasets.corpus.messy import MessyTable

MOST_PRESSES = 3
PRESSES: dict[str, int] = {}


def spelt_in_several_ways() -> MessyTable:
    rows = [f"{k % 9},{k * k % 11},{('Healthy', 'healthy ', 'Ill', 'ill')[k % 4]}" for k in range(60)]
    return MessyTable("spelt.csv", "\n".join(["a,b,diagnosis", *rows]).encode(), "diagnosis", ("a", "b"), 60, 4)


def three_thousand_columns() -> MessyTable:
    rng = np.random.default_rng(3)
    names = tuple(f"gene {k}" for k in range(3_000))
    X = rng.normal(size=(60, 3_000))
    X[:, :60] += 0.7 * (np.arange(60) % 3)[:, None]
    rows = [",".join([*(f"{value:.2f}" for value in row), "abc"[k % 3]]) for k, row in enumerate(X)]
    text = "\n".join([",".join([*names, "tumour class"]), *rows])
    return MessyTable("genes.csv", text.encode(), "tumour class", names, 60, 3)


# How it is made, and what is pressed before the Explore button besides the answers that are asked for.
FILES = {
    "names, tickets and gaps": (people.passengers, ()),
    "a label among other candidates": (people.passengers_seaborn, ()),
    "units behind the numbers": (nature.cars_with_units, ()),
    "means below the table": (nature.with_means_below, ()),
    "the header repeated in the middle": (nature.pages_pasted_together, ()),
    "Shift-JIS": (nature.japanese, ()),
    "decimal commas": (nature.german_measurements, ()),
    "the label first": (nature.class_in_the_first_column, ()),
    "labels in several spellings": (spelt_in_several_ways, ("merge them",)),
    "numbers with words among them": (nature.numbers_with_many_words, ()),
    "lines with too many cells": (nature.too_many_cells, ()),
    "merged headings in a workbook": (workbooks.merged_headings, ()),
    "3,000 columns": (three_thousand_columns, ("30 features of the highest F-values",)),
}
AT_EVERY_RUN = {"names, tickets and gaps", "3,000 columns"}
CASES = [name if name in AT_EVERY_RUN else pytest.param(name, marks=pytest.mark.thorough) for name in FILES]
ANSWERS = ", ".join(
    f'[class*="st-key-{key}"] button'
    for key in ("data-failed-question-0", "data-table-ask-0-0", "data-table-label-yes")
)


@pytest.mark.parametrize("name", CASES)
def test_from_the_drop_to_the_trained_picture_in_three_presses(page, app_address, name):
    make, offers = FILES[name]
    table = make()
    PRESSES[name] = 0

    def press(button):
        button.click()
        PRESSES[name] += 1

    page.goto(f"{app_address}/data")
    page.wait_for_selector("input[type=file]", state="attached")
    drop(page, table.name, table.data)
    go = page.get_by_role("button", name="Explore this data").first
    first = page.locator(ANSWERS).first
    expect(go.or_(first).first).to_be_visible(timeout=60_000)
    rest(page)  # all that is asked is there
    if first.is_visible():
        # Whatever is asked is in view at once, and so is why one cannot go on.
        expect(first).to_be_in_viewport(ratio=1)
        press(first)
    for offer in offers:
        press(page.get_by_role("radio", name=offer).or_(page.get_by_role("button", name=offer)).first)
    expect(go).to_be_enabled(timeout=60_000)
    expect(go).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("heading", name=f"Label: {table.label}")).to_be_visible()
    press(go)
    n_classes = 2 if "merge them" in offers else table.n_classes
    expect(page.locator(".legend .class")).to_have_count(n_classes, timeout=60_000)
    # Only so that the test need not wait: a training gives way to all else that a busy machine computes.
    page.get_by_text("full speed").click()
    page.get_by_role("spinbutton", name="Maximal iterations").fill("10")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"max_iter=10\b"))
    rest(page)
    before = steady(page, lambda: drawing(page))
    press(page.get_by_role("button", name=re.compile(r"^\W*Train\b")).first)
    expect(page.locator(".readout .status")).to_contain_text(re.compile("Converged|maximum"), timeout=120_000)
    expect_another_drawing(page, before)
    expect(page.get_by_role("alert")).to_have_count(0)
    assert PRESSES[name] <= MOST_PRESSES
    print(f"{name}: {PRESSES[name]} presses")
