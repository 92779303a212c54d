"""The user's own table in a real browser: odd files from the drop to the trained picture, and ticks that stay."""

from __future__ import annotations

import io
import re
from contextlib import suppress
from itertools import pairwise

import numpy as np
import openpyxl
import pytest
from playwright.sync_api import expect

from tests.browser.select_box import drop, patiently, pick
from tests.browser.waiting import at_last, rest, steady
from tests.datasets.corpus import nature, people, workbooks
from tests.datasets.corpus.messy import MessyTable

MOST_PRESSES = 3
COLOURS = """
(canvas) => {
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  return [new Set(new Uint32Array(data.buffer)).size, canvas.toDataURL()];
}
"""


def three_thousand_columns() -> MessyTable:
    rng = np.random.default_rng(3)
    names = tuple(f"gene {k}" for k in range(3_000))
    X = rng.normal(size=(60, 3_000))
    X[:, :60] += 0.7 * (np.arange(60) % 3)[:, None]
    rows = [",".join([*(f"{value:.2f}" for value in row), "abc"[k % 3]]) for k, row in enumerate(X)]
    text = "\n".join([",".join([*names, "tumour class"]), *rows])
    return MessyTable("genes.csv", text.encode(), "tumour class", names, 60, 3)


# How the file is made, and what is pressed besides the answers to questions.
FILES = {
    "names, tickets and gaps": (people.passengers, ()),
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


@pytest.fixture
def opened(page, app_address):
    patiently(page)
    page.goto(f"{app_address}/data")
    page.get_by_role("tab", name="Your table").click()
    page.wait_for_selector("input[type=file]", state="attached")
    return page


def explore(page):
    page.get_by_role("button", name="Explore this data").click()
    page.wait_for_selector(".legend .class")


def drawing(page):
    """The pixels of NCA's panel, once its points are drawn."""

    def drawn():
        colours, pixels = page.locator(".panel.hero canvas").evaluate(COLOURS)
        assert colours > 3, "no points were drawn"
        return pixels

    return at_last(page, drawn)


@pytest.mark.parametrize("name", CASES)
def test_from_the_drop_to_the_trained_picture_in_three_presses(opened, name):
    page, presses = opened, []
    make, offers = FILES[name]
    table = make()

    def press(button):
        button.click()
        presses.append(button)

    drop(page, table.name, table.data)
    go = page.get_by_role("button", name="Explore this data").first
    first = page.locator(ANSWERS).first
    expect(go.or_(first).first).to_be_visible(timeout=60_000)
    rest(page)  # all questions are there
    if first.is_visible():
        # The question is in view at once, and so is why one cannot go on.
        expect(first).to_be_in_viewport(ratio=1)
        press(first)
    for offer in offers:
        press(page.get_by_role("radio", name=offer).or_(page.get_by_role("button", name=offer)).first)
    expect(go).to_be_enabled(timeout=60_000)
    expect(go).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("heading", name=f"Label: {table.label}")).to_be_visible()
    press(go)
    expect(page.locator(".legend .class")).to_have_count(table.n_classes, timeout=60_000)
    # Fewer iterations, so that the test is short on a busy machine.
    page.get_by_text("full speed").click()
    page.get_by_role("spinbutton", name="Maximal iterations").fill("10")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"max_iter=10\b"))
    rest(page)
    before = steady(page, lambda: drawing(page))
    press(page.get_by_role("button", name=re.compile(r"^\W*Train\b")).first)
    expect(page.locator(".readout .status")).to_contain_text(re.compile("Converged|maximum"), timeout=120_000)

    def moved():
        assert drawing(page) != before

    at_last(page, moved)
    expect(page.get_by_role("alert")).to_have_count(0)
    assert len(presses) <= MOST_PRESSES


HEAD = ["id", "height", "width", "colour", "kind"]
ROWS = [[k + 1, k % 7, k * k % 11, "rgb"[k % 3], "xy"[k % 2]] for k in range(30)]
LEFT_OUT = "height (you left it out)"


def text(rows=ROWS):
    return "\n".join(",".join(map(str, row)) for row in [HEAD, *rows]).encode()


def two_sheets():
    book = openpyxl.Workbook()
    for title, rows in (("first", ROWS), ("second", ROWS[:20])):
        sheet = book.active if title == "first" else book.create_sheet()
        sheet.title = title
        for row in [HEAD, *rows]:
            sheet.append(row)
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def tick(page, row):
    """Press the box *Use* in a row of the table of columns, which changes how many features are left.

    A press on a table that is just being drawn again is lost, and made again.
    """
    grid, left = page.get_by_test_id("stDataFrame").nth(1), features(page)
    before = left.inner_text()
    for patience in (20_000, 20_000, 45_000):
        rest(page)
        grid.scroll_into_view_if_needed()
        steady(page, grid.bounding_box)
        grid.click(position={"x": 40, "y": 35 * (row + 1) + 18})
        with suppress(AssertionError):
            expect(left).not_to_have_text(before, timeout=patience)
            return
    raise AssertionError(f"The press in row {row} was lost.")


def features(page):
    return page.get_by_test_id("stMetric").filter(has_text="Features").get_by_test_id("stMetricValue")


def note(page):
    return page.get_by_text(re.compile("^Left out: "))


def test_ticks_stay_through_a_label_a_reading_and_another_table(opened):
    page = opened
    drop(page, "trees.csv", text())
    expect(features(page)).to_have_text("5")  # height, width, three colours
    tick(page, 1)
    expect(features(page)).to_have_text("4")
    tick(page, 0)
    expect(features(page)).to_have_text("5")
    expect(note(page)).to_have_text(f"Left out: {LEFT_OUT}.")
    pick(page, "Label column", "colour")
    expect(features(page)).to_have_text("4")  # id, width, two kinds
    expect(note(page)).to_contain_text(LEFT_OUT)
    pick(page, "Label column", "kind")
    page.get_by_text("Read trees.csv differently").click()
    pick(page, "Separator", "comma")
    expect(page.get_by_role("combobox", name="Separator")).to_have_value("comma")
    expect(note(page)).to_have_text(f"Left out: {LEFT_OUT}.")
    pick(page, "Separator", "semicolon")  # cannot be read so: the table stays
    expect(page.get_by_role("alert")).to_contain_text("one column only")
    expect(note(page)).to_have_text(f"Left out: {LEFT_OUT}.")
    page.get_by_role("button", name="Keep trees.csv").click()
    other = ["a,b,species", *(f"{k},{k % 5},{'xy'[k % 2]}" for k in range(40))]
    rows = page.get_by_text("40 rows x 3 columns", exact=True)
    drop(page, "other.csv", "\n".join(other).encode(), sign=rows)
    rows = page.get_by_text("24 rows x 5 columns", exact=True)
    drop(page, "trees.csv", text(ROWS[:24]), sign=rows)
    expect(page.get_by_text("Your choices for an earlier table with these columns are applied")).to_be_visible()
    expect(note(page)).to_have_text(f"Left out: {LEFT_OUT}.")
    page.get_by_role("button", name="Undo", exact=True).click()
    expect(note(page)).to_have_text("Left out: id (it counts the rows).")
    expect(features(page)).to_have_text("5")


def test_ticks_stay_on_another_sheet_and_are_undone_one_by_one_or_together(opened):
    page = opened
    drop(page, "trees.xlsx", two_sheets())
    tick(page, 1)
    tick(page, 0)
    pick(page, "Sheet", "second")
    expect(page.get_by_text("20 rows x 5 columns", exact=True)).to_be_visible()
    expect(note(page)).to_have_text(f"Left out: {LEFT_OUT}.")
    page.get_by_role("button", name="Undo", exact=True).click()
    expect(note(page)).to_contain_text("id (it counts the rows)")
    expect(note(page)).to_contain_text(LEFT_OUT)
    tick(page, 3)
    expect(features(page)).to_have_text("1")
    page.get_by_role("button", name="Reset choices").click()
    expect(features(page)).to_have_text("5")
    expect(note(page)).to_have_text("Left out: id (it counts the rows).")


LIGHTNESS = """
(paths) => paths.map((path) => {
  const [r, g, b] = getComputedStyle(path).fill.match(/\\d+/g).map((v) => v / 255).map(
    (v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
})
"""


def test_ranges_of_a_number_are_coloured_from_dark_to_light_in_either_theme(opened):
    page = opened
    lines = ["a,b,price", *(f"{k % 7},{k * k % 11},{0.37 * k:.2f}" for k in range(90))]
    drop(page, "prices.csv", "\n".join(lines).encode())
    pick(page, "Label column", "price")
    page.get_by_text("numbers, used as they are").click()
    expect(page.get_by_text("are kept as they are, beside 6 classes")).to_be_visible()
    explore(page)
    expect(page.locator(".legend .class")).to_have_count(6)
    expect(page.locator(".note").first).to_contain_text("can train on these")
    for theme, ground in (("light", 1.0), ("dark", 0.01)):
        page.emulate_media(color_scheme=theme)

        def distinct(ground=ground):
            light = page.locator(".legend .class path").evaluate_all(LIGHTNESS)
            assert len(light) == 6
            assert all(b - a > 0.02 for a, b in pairwise(light))
            # Each range stands out from the background (WCAG's contrast, 1.5 at least).
            assert all((max(x, ground) + 0.05) / (min(x, ground) + 0.05) > 1.5 for x in light)

        at_last(page, distinct)


def test_on_a_phone_another_page_begins_at_its_top_below_the_bar(opened):
    page = opened
    page.set_viewport_size({"width": 375, "height": 600})
    drop(page, "trees.csv", text())
    page.get_by_role("button", name="Download 30 rows").scroll_into_view_if_needed()
    explore(page)
    page.wait_for_timeout(500)
    rest(page)

    def below():
        bar = page.get_by_test_id("stHeader").bounding_box()
        train = page.get_by_role("button", name=re.compile("Train")).bounding_box()
        assert train["y"] >= bar["y"] + bar["height"]

    at_last(page, below)
