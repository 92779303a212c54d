"""The Data page in a real browser: the gallery, an odd table from the drop to the trained picture, ticks."""

import re
from contextlib import suppress

from playwright.sync_api import expect

from tests.browser.accessible import OF_COLOURS, THEMES, expect_accessible, serious
from tests.browser.select_box import drop, patiently, pick, press
from tests.browser.waiting import at_last, rest, steady
from tests.datasets.corpus import tables
from tests.datasets.corpus.messy import TABLES

assert tables  # which enters them in TABLES when it is imported
COLOURS = """
(canvas) => {
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  return [new Set(new Uint32Array(data.buffer)).size, canvas.toDataURL()];
}
"""
QUESTION = '[class*="st-key-data-table-ask-0-0"] button, [class*="st-key-data-table-label-yes"] button'


def open_data(page, address, tab):
    patiently(page)
    page.goto(f"{address}/data")
    page.get_by_role("tab", name=tab).click()


def test_from_the_sidebar_to_a_card_to_the_stage(page, app_address):
    page.goto(app_address)
    page.wait_for_selector(".panel.hero canvas")
    page.get_by_role("link", name="All data sets, with pictures").click()
    cards = page.locator("[class*='st-key-data-card-']")
    wine = cards.filter(has=page.get_by_text("Wine", exact=True))
    expect(wine).to_contain_text("178 rows x 13 features, 3 classes")
    image = wine.get_by_role("img", name="Small picture of Wine")
    expect(image).to_be_visible()
    expect(image).not_to_have_js_property("naturalWidth", 0)
    expect_accessible(page)
    spirals = cards.filter(has=page.get_by_text("Spirals", exact=True))
    spirals.get_by_role("button", name="Explore").click()
    expect(page.locator(".legend .class")).to_have_text(["arm 1", "arm 2", "arm 3"])
    expect(page).to_have_url(re.compile("data=spirals"))


def drawing(page):
    """The pixels of NCA's panel, once its points are drawn."""

    def drawn():
        colours, pixels = page.locator(".panel.hero canvas").evaluate(COLOURS)
        assert colours > 3, "no points were drawn"
        return pixels

    return at_last(page, drawn)


def test_from_the_drop_to_the_trained_picture_in_three_presses(page, app_address):
    open_data(page, app_address, "Your table")
    table = TABLES["passengers"]()
    drop(page, table.name, table.data)
    go, question = page.get_by_role("button", name="Explore this data").first, page.locator(QUESTION).first
    expect(go.or_(question).first).to_be_visible(timeout=60_000)
    rest(page)  # all questions are there
    if question.is_visible():
        expect(question).to_be_in_viewport(ratio=1)  # at once, and so is why one cannot go on
        question.click()
    expect(go).to_be_enabled(timeout=60_000)
    expect(go).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("heading", name=f"Label: {table.label}")).to_be_visible()
    expect_accessible(page)
    go.click()
    expect(page.locator(".legend .class")).to_have_count(table.n_classes, timeout=60_000)
    pick(page, "Pace", "Full speed")
    page.get_by_role("spinbutton", name="Maximal iterations").fill("10")  # so that the test is short
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"max_iter=10\b"))
    rest(page)
    before = steady(page, lambda: drawing(page))
    press(page, "Train")
    expect(page.locator(".readout .status")).to_contain_text(re.compile("Converged|maximum"), timeout=120_000)

    def moved():
        assert drawing(page) != before

    at_last(page, moved)
    expect(page.get_by_role("alert")).to_have_count(0)
    # The page has not scrolled past the controls.
    expect(page.get_by_role("button", name="Train").first).to_be_in_viewport(ratio=1)


HEAD = ["id", "height", "width", "colour", "kind"]
ROWS = [[k + 1, k % 7, k * k % 11, "rgb"[k % 3], "xy"[k % 2]] for k in range(30)]
TREES = "\n".join(",".join(map(str, row)) for row in [HEAD, *ROWS]).encode()


def test_a_long_table_is_made_wide_and_a_chip_reads_it_as_it_was_in_both_themes(page, app_address):
    open_data(page, app_address, "Your table")
    rows = [f"p{k},{quantity},{k * 1.5 + j}" for k in range(40) for j, quantity in enumerate(("iron", "zinc"))]
    drop(page, "long.csv", "\n".join(["place,parameter,value", *rows, ""]).encode())
    press(page, "One row for each of 40 samples")
    expect(page.get_by_text("40 rows x 3 columns")).to_be_visible(timeout=60_000)
    rest(page)
    page.get_by_role("button", name="Rows are samples").click()
    body = page.get_by_test_id("stPopoverBody")
    for theme, paper in THEMES.items():
        page.emulate_media(color_scheme=theme)
        expect(page.get_by_test_id("stApp")).to_have_css("background-color", paper)

        def legible():
            found = serious(page, OF_COLOURS, '[data-testid="stPopoverBody"]')
            assert not found, found

        at_last(page, legible)
    body.get_by_text("A column for each parameter").click()
    expect(page.get_by_text("80 rows x 3 columns")).to_be_visible(timeout=60_000)


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


def test_a_tick_stays_through_another_label_and_is_undone(page, app_address):
    open_data(page, app_address, "Your table")
    drop(page, "trees.csv", TREES)
    note = page.get_by_text(re.compile("^Left out: "))
    expect(features(page)).to_have_text("5")  # height, width, three colours
    tick(page, 1)
    expect(note).to_have_text("Left out: id (it counts the rows); height (you left it out).")
    pick(page, "Label column", "colour")
    expect(features(page)).to_have_text("3")  # width, two kinds
    expect(note).to_contain_text("height (you left it out)")
    rest(page)
    page.get_by_role("button", name="Undo", exact=True).click()
    expect(features(page)).to_have_text("4")
    page.get_by_role("button", name="Reset choices").click()
    expect(note).to_have_text("Left out: id (it counts the rows).")
    expect(features(page)).to_have_text("5")
