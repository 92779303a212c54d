"""Names, labels and cells that are HTML, Markdown, LaTeX or formulas: on every screen they show as text, none runs."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.select_box import drop, open_list
from tests.browser.waiting import a_point, at_last, rest

CODE = (
    "<img src=x onerror='window.harmed=1'> **b** $x^2$ :red[x] :smile: ![i](http://evil.test/i.png) "
    "[l](http://evil.test) www.evil.test a@evil.test `c` <b>h</b> ~~s~~"
)
JOINER = "\u2060"  # is not seen, and keeps addresses from becoming links
FORMULA = "=HYPERLINK('http://evil.test')"
LABELS = [f"{CODE} one", "$\\alpha$ **two**", FORMULA]
HEAD = ["id", CODE, "rooms", FORMULA, "text", f"{CODE} label"]
# What would be there if any of it had been taken for code. Locators look into shadow roots too.
INJECTED = ", ".join(
    ["img[src='x']", "img[src*=evil]", "a[href*=evil]", "a[href^=mailto]", ".katex", ".stMarkdownColoredText"]
    + [f"{tag}:text-is('{word}')" for tag, word in (("strong", "b"), ("strong", "two"), ("del", "s"), ("code", "c"))]
    + ["b:text-is('h')", "b:text-is('alone')"]
)

PROBE = """() => {
  const box = Object.assign(document.createElement("div"), { id: "probe", className: "stMarkdown" });
  box.innerHTML = "<strong>b</strong><a href='http://evil.test'>l</a><span class='katex'></span>";
  document.body.append(box);
}"""


def quoted(cells):
    return ",".join('"' + str(cell).replace('"', '""') + '"' for cell in cells)


def table():
    rows = [[k + 1, k % 7, k * k % 11, k % 5 + k % 3, f"{CODE} {k}", LABELS[k % 3]] for k in range(40)]
    return "\n".join(map(quoted, [HEAD, *rows, [41, 9, 2, 3, "x", "<b>alone</b>"]])).encode()


@pytest.fixture
def opened(page, app_address):
    page.asked = []
    page.on("request", lambda request: page.asked.append(request.url))
    page.goto(f"{app_address}/data")
    page.get_by_role("tab", name="Your table").click()
    page.wait_for_selector("input[type=file]", state="attached")
    return page


def expect_words(page, words):
    def seen():
        assert words in page.get_by_test_id("stMain").inner_text().replace(JOINER, "")

    at_last(page, seen)


def nothing_ran(page):
    """Nothing of the names became markup, ran or loaded; a probe shows that the locator would find it."""
    assert page.evaluate(PROBE) is None
    assert page.locator(INJECTED).count() == 3
    page.evaluate("document.getElementById('probe').remove()")
    page.wait_for_timeout(300)
    assert page.locator(INJECTED).evaluate_all("found => found.map((e) => e.outerHTML.slice(0, 200))") == []
    assert page.evaluate("window.harmed") is None
    assert not [url for url in page.asked if "evil" in url or re.search(r"/x$|/i\.png$", url)]


NAME = "**b** $x^2$ :red[x] www.evil.test <i>.csv"


def test_every_screen_shows_text(opened):
    page = opened
    broken = table() + b"\n" + quoted([1, CODE, 2, 3, "x", LABELS[0]]).encode()
    why = page.get_by_text(f"Column {CODE!r}"[:30])
    drop(page, NAME.replace("b", "c"), broken, sign=why)
    expect(why.first).to_be_visible()
    nothing_ran(page)
    drop(page, NAME, table(), sign=page.get_by_text("Left out: id"))
    expect(page.get_by_role("button", name="Explore this data").first).to_be_enabled()
    expect_words(page, f"Label: {CODE} label (")
    expect(open_list(page, "Label column", CODE)).to_be_visible()
    nothing_ran(page)
    page.keyboard.press("Escape")
    page.get_by_test_id("stTooltipIcon").nth(1).hover()
    nothing_ran(page)
    page.get_by_role("tab", name="Catalogue").click()
    expect(page.get_by_text("Available for download")).to_be_visible()
    rest(page)
    expect_words(page, NAME)
    nothing_ran(page)
    page.get_by_role("tab", name="Your table").click()
    page.get_by_role("button", name="Explore this data").first.click()
    legend = page.locator(".legend .class")
    expect(legend).to_have_text(sorted(["<b>alone</b>", *LABELS]))
    page.get_by_text("Noise lab", exact=True).click()
    nothing_ran(page)
    rest(page)
    page.mouse.move(*a_point(page))
    expect(page.locator(".card")).to_contain_text(CODE)
    named = page.locator(".card > div").first
    expect(named).to_have_text(f"{CODE[:39]}…")
    nothing_ran(page)
    page.mouse.down()
    page.mouse.up()
    expect(page.get_by_role("link", name=re.compile(re.escape(f"Why is {CODE[:39]}… (line ")))).to_be_visible()
    nothing_ran(page)
    page.get_by_text("Why is").last.click()
    expect(page.get_by_text("How does each classifier label")).to_be_visible()
    expect_words(page, f"How does each classifier label {CODE[:39]}… (line ")
    nothing_ran(page)
