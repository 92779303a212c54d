"""What was ticked in the table of columns stays, in a real browser: through a new label, another reading, another
sheet, another table and another data set; and one press of Undo takes it back."""

from __future__ import annotations

import io
import re

import openpyxl
import pytest
from playwright.sync_api import expect

from tests.browser.select_box import drop, patiently, pick
from tests.browser.test_data_page import features, tick

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


@pytest.fixture
def opened(page, app_address):
    patiently(page)
    page.goto(f"{app_address}/data")
    page.get_by_role("tab", name="Your table").click()
    page.wait_for_selector("input[type=file]", state="attached")
    return page


def note(page):
    return page.get_by_text(re.compile("^Left out: "))


def ticked(page):
    """Height is left out and the id put back: of five features five are left, but others."""
    expect(features(page)).to_have_text("5")
    tick(page, 1, 40)
    expect(features(page)).to_have_text("4")
    tick(page, 0, 40)
    expect(features(page)).to_have_text("5")
    expect(note(page)).to_have_text(f"Left out: {LEFT_OUT}.")


def test_ticks_stay_through_a_label_a_reading_and_other_tables(opened):
    page = opened
    drop(page, "trees.csv", text())
    ticked(page)
    pick(page, "Label column", "colour")
    expect(features(page)).to_have_text("4")  # id, width, two kinds
    expect(note(page)).to_contain_text(LEFT_OUT)
    pick(page, "Label column", "kind")
    page.get_by_text("Read trees.csv differently").click()
    pick(page, "Separator", "comma")
    expect(page.get_by_role("combobox", name="Separator")).to_have_value("comma")
    expect(note(page)).to_have_text(f"Left out: {LEFT_OUT}.")
    pick(page, "Separator", "semicolon")  # cannot be read so: what was loaded stays as it was
    expect(page.get_by_role("alert")).to_contain_text("one column only")
    expect(note(page)).to_have_text(f"Left out: {LEFT_OUT}.")
    page.get_by_role("button", name="Keep trees.csv").click()
    other = ["a,b,species", *(f"{k},{k % 5},{'xy'[k % 2]}" for k in range(40))]
    rows = page.get_by_text("40 rows x 3 columns", exact=True)
    drop(page, "other.csv", "\n".join(other).encode(), sign=rows)
    expect(rows).to_be_visible()
    page.get_by_role("link", name="Explore").first.click()
    pick(page, "Data set", "Iris")
    expect(page.locator(".legend .class")).to_have_count(3)
    page.get_by_role("link", name="Data", exact=True).first.click()
    page.get_by_role("tab", name="Your table").click()
    rows = page.get_by_text("24 rows x 5 columns", exact=True)
    drop(page, "trees.csv", text(ROWS[:24]), sign=rows)
    expect(rows).to_be_visible()
    expect(page.get_by_text("What you chose for a table with the same columns holds here")).to_be_visible()
    expect(note(page)).to_have_text(f"Left out: {LEFT_OUT}.")
    page.get_by_role("button", name="Undo", exact=True).click()
    expect(note(page)).to_have_text("Left out: id (it counts the rows).")
    expect(features(page)).to_have_text("5")


def test_ticks_stay_on_another_sheet_and_one_undo_takes_the_last_one_back(opened):
    page = opened
    drop(page, "trees.xlsx", two_sheets())
    ticked(page)
    pick(page, "Sheet", "second")
    expect(page.get_by_text("20 rows x 5 columns", exact=True)).to_be_visible()
    expect(note(page)).to_have_text(f"Left out: {LEFT_OUT}.")
    pick(page, "Sheet", "first")
    expect(page.get_by_text("30 rows x 5 columns", exact=True)).to_be_visible()
    expect(note(page)).to_have_text(f"Left out: {LEFT_OUT}.")
    page.get_by_role("button", name="Undo", exact=True).click()
    expect(note(page)).to_contain_text("id (it counts the rows)")
    expect(note(page)).to_contain_text(LEFT_OUT)
    page.get_by_role("button", name="Undo", exact=True).click()
    expect(note(page)).to_have_text("Left out: id (it counts the rows).")
