"""One's own table in a real browser: six odd files from the drop to the trained picture, and names that are code."""

from __future__ import annotations

import gzip
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

SIZES = np.round(np.random.default_rng(5).normal(size=(45, 3)) + 4.0 * (np.arange(45) % 3)[:, None], 2).tolist()
KINDS = [("birch", "elm", "oak")[k % 3] for k in range(45)]
ROWS = list(zip(SIZES, KINDS, strict=True))


def decimal_commas():
    lines = ["height;width;depth;kind", *(";".join([*map(str, x), kind]).replace(".", ",") for x, kind in ROWS)]
    return "\r\n".join(lines).encode("utf-16")


def three_header_lines():
    lines = ["size,size,size,tree", "height,width,depth,kind", "cm,cm,cm,-"]
    return "\n".join([*lines, *(",".join([*map(str, x), kind]) for x, kind in ROWS)]).encode()


def two_sheets():
    book = openpyxl.Workbook()
    book.active.title = "about"
    for line in (["what", "who"], ["trees", "us"], ["more trees", "them"]):
        book.active.append(line)
    sheet = book.create_sheet("measured")
    sheet.append(["height", "width", "depth", "kind"])
    for x, kind in ROWS:
        sheet.append([*x, kind])
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def arff():
    head = "% trees\n@relation trees\n" + "".join(
        f"@attribute {name} numeric\n" for name in ("height", "width", "depth")
    )
    rows = "\n".join(",".join([*map(str, x), kind]) for x, kind in ROWS)
    return f"{head}@attribute kind {{birch,elm,oak}}\n@data\n{rows}\n".encode()


def zipped_with_gaps():
    lines = ["height,width,depth,kind"]
    lines += [",".join([*("?" if k % 15 == 7 else str(v) for v in x), kind]) for k, (x, kind) in enumerate(ROWS)]
    return gzip.compress("\n".join(lines).encode())


def label_in_the_second_column():
    lines = ["id\tkind\theight\twidth\tdepth"]
    lines += ["\t".join([str(k + 1), f"{kind}   ", *map(str, x)]) for k, (x, kind) in enumerate(ROWS)]
    return "\n".join(lines).encode()


# name -> (bytes, chips that say how it was read, a note below the table, rows that are left)
AT_EVERY_RUN = {"book.xlsx", "gaps.csv.gz"}
FILES = {
    "commas.csv": (decimal_commas, ["UTF-16", "separated by semicolon", "decimal comma", "line ends CRLF"], "", 45),
    "three.csv": (three_header_lines, ["3 header lines", "45 rows x 4 columns"], "", 45),
    "book.xlsx": (two_sheets, ["sheet measured", "45 rows x 4 columns"], "", 45),
    "trees.arff": (arff, ["45 rows x 4 columns", "nothing missing"], "", 45),
    "gaps.csv.gz": (zipped_with_gaps, ["missing: ?"], "3 of 45 rows are left out", 42),
    "second.txt": (label_in_the_second_column, ["separated by tab"], "id (it counts the rows)", 45),
}

COLOURS = """
(canvas) => {
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  return [new Set(new Uint32Array(data.buffer)).size, canvas.toDataURL()];
}
"""


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


def press(page, name):
    page.get_by_role("button", name=re.compile(rf"^\W*{name}\b")).first.click()


def drawing(page):
    """The pixels of NCA's panel, once its points are drawn."""

    def drawn():
        colours, pixels = page.locator(".panel.hero canvas").evaluate(COLOURS)
        assert colours > 3, "no points were drawn"
        return pixels

    return at_last(page, drawn)


def expect_another_drawing(page, before):
    def moved():
        assert drawing(page) != before

    at_last(page, moved)


@pytest.mark.parametrize(
    "name", [name if name in AT_EVERY_RUN else pytest.param(name, marks=pytest.mark.thorough) for name in FILES]
)
def test_an_odd_file_from_the_drop_to_the_trained_picture(opened, name):
    page = opened
    make, chips, note, n_rows = FILES[name]
    drop(page, name, make())
    for chip in [name, *chips]:
        expect(page.get_by_text(chip, exact=True).first).to_be_visible()
    expect(page.get_by_text(re.compile("Proposed:"))).to_be_visible()
    if note:
        expect(page.get_by_text(note).first).to_be_visible()
    expect(page.get_by_role("button", name=f"Download {n_rows} rows")).to_be_visible()
    yes = page.get_by_role("button", name="Yes, kind")
    rest(page)  # all that is asked is there
    if yes.is_visible():
        yes.click()
    explore(page)
    expect(page.locator(".legend .class")).to_have_text(["birch", "elm", "oak"])
    page.get_by_text("full speed").click()
    rest(page)
    before = steady(page, lambda: drawing(page))
    press(page, "Train")
    expect(page.locator(".readout .status")).to_contain_text(re.compile("Converged|maximum"), timeout=90_000)
    expect(page.locator(".readout .numbers")).to_contain_text(re.compile(r"f/n (1\.000|0\.9)"))
    expect_another_drawing(page, before)
    expect(page.get_by_role("alert")).to_have_count(0)


def test_what_was_detected_stands_in_the_boxes_that_overrule_it(opened):
    page = opened
    drop(page, "commas.csv", decimal_commas())
    page.get_by_text("Read commas.csv differently").click()
    for label, shown in (("Encoding", "UTF-16"), ("Separator", "semicolon"), ("Decimal mark", "comma")):
        expect(page.get_by_role("combobox", name=label)).to_have_value(f"as detected ({shown})")
    pick(page, "Header lines", "none")
    expect(page.get_by_text("0 header lines", exact=True)).to_be_visible()
    expect(page.get_by_text("46 rows x 4 columns", exact=True)).to_be_visible()


def tick(page, row, column):
    """Press the box in a row of the table of columns; `column` is how far it is from the left.

    Each press here changes how many features are left. One on a table that is just being put up anew is not heard,
    and is made again.
    """
    grid, left = page.get_by_test_id("stDataFrame").nth(1), features(page)
    before = left.inner_text()
    for patience in (20_000, 20_000, 45_000):
        rest(page)
        grid.scroll_into_view_if_needed()
        steady(page, grid.bounding_box)
        grid.click(position={"x": column, "y": 35 * (row + 1) + 18})
        with suppress(AssertionError):
            expect(left).not_to_have_text(before, timeout=patience)
            return
    raise AssertionError(f"The press in row {row} was not heard.")


def features(page):
    return page.get_by_test_id("stMetric").filter(has_text="Features").get_by_test_id("stMetricValue")


def test_columns_are_put_back_and_left_out_by_ticks_and_all_of_it_taken_back(opened):
    page = opened
    head = "id,height,width,colour,kind"
    rows = [f"{k + 1},{k % 7},{k * k % 11},{'rgb'[k % 3]},{'xy'[k % 2]}" for k in range(30)]
    drop(page, "trees.csv", "\n".join([head, *rows]).encode())
    left_out = page.get_by_text(re.compile("^Left out: "))
    expect(features(page)).to_have_text("5")  # height, width, three colours
    expect(left_out).to_contain_text("id (it counts the rows)")
    tick(page, 0, 40)
    expect(features(page)).to_have_text("6")
    expect(left_out).to_have_count(0)
    tick(page, 3, 40)
    expect(features(page)).to_have_text("3")
    expect(left_out).to_contain_text("colour (you left it out)")
    tick(page, 3, 40)
    expect(features(page)).to_have_text("6")
    page.get_by_role("button", name="Back to what was proposed").click()
    expect(features(page)).to_have_text("5")
    expect(left_out).to_contain_text("id (it counts the rows)")
    tick(page, 1, 40)
    expect(features(page)).to_have_text("4")


LIGHTNESS = """
(paths) => paths.map((path) => {
  const [r, g, b] = getComputedStyle(path).fill.match(/\\d+/g).map((v) => v / 255).map(
    (v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
})
"""


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_ranges_of_a_number_are_coloured_from_dark_to_light(opened, picture, theme):
    page = opened
    page.emulate_media(color_scheme=theme)
    lines = ["a,b,price", *(f"{k % 7},{k * k % 11},{0.37 * k:.2f}" for k in range(90))]
    drop(page, "prices.csv", "\n".join(lines).encode())
    pick(page, "Label column", "price")
    page.get_by_text("numbers, trained on as they are").click()
    expect(page.get_by_text("are kept as they are, beside 6 classes")).to_be_visible()
    explore(page)
    expect(page.locator(".legend .class")).to_have_count(6)
    expect(page.locator(".note").first).to_contain_text("can train on these")
    ground = 1.0 if theme == "light" else 0.01

    def told_apart():
        light = page.locator(".legend .class path").evaluate_all(LIGHTNESS)
        assert len(light) == 6
        assert all(b - a > 0.02 for a, b in pairwise(light))
        # Each range can be told from the background (WCAG's contrast, 1.5 at least).
        assert all((max(x, ground) + 0.05) / (min(x, ground) + 0.05) > 1.5 for x in light)

    at_last(page, told_apart)
    picture(f"ranges-{theme}")


@pytest.mark.parametrize("width", [1400, 375])
def test_another_page_begins_at_its_top_below_the_bar(opened, width):
    page = opened
    page.set_viewport_size({"width": width, "height": 600})
    drop(page, "gaps.csv.gz", zipped_with_gaps())
    page.get_by_role("button", name="Download 42 rows").scroll_into_view_if_needed()
    explore(page)
    page.wait_for_timeout(500)
    rest(page)

    def below():
        bar = page.get_by_test_id("stHeader").bounding_box()
        train = page.get_by_role("button", name=re.compile("Train")).bounding_box()
        assert train["y"] >= bar["y"] + bar["height"]

    at_last(page, below)
