"""The drawing board in a real browser: painting by mouse, touch and keys, undo, and what becomes of the points."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.accessible import expect_accessible
from tests.browser.waiting import at_last, rest, steady

CHROMATIC = """(canvas) => {
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  const seen = new Set();
  for (let i = 0; i < data.length; i += 4) seen.add(data[i] << 16 | data[i + 1] << 8 | data[i + 2]);
  return [...seen];
}"""
BLUE, ORANGE, BLUE_ON_DARK = 0x0072B2, 0xE08A00, 0x4EA8E0


def open_board(page, address):
    page.goto(address + "/data")
    page.get_by_role("tab", name="Draw").click()
    page.locator(".board canvas").wait_for()
    expect(count(page)).to_have_text("Press for a point, drag to spray.")
    rest(page)
    steady(page, page.locator(".board canvas").bounding_box)


@pytest.fixture
def board(page, app_address):
    open_board(page, app_address)
    return page


@pytest.fixture
def spoken(page):
    """What page and server have said to one another, "sent" or "received" for each message."""
    words = []
    page.on("websocket", lambda line: line.on("framesent", lambda frame: words.append("sent")))
    page.on("websocket", lambda line: line.on("framereceived", lambda frame: words.append("received")))
    return words


def count(page):
    return page.locator(".board .foot span").first


def points(page):
    """How many there are once it says so: with the next picture."""
    told = steady(page, count(page).text_content)
    return int(re.match(r"[\d,]+", told).group().replace(",", ""))


def place(page, across, up):
    box = page.locator(".board canvas").bounding_box()
    return box["x"] + across * box["width"], box["y"] + (1 - up) * box["height"]


def drag(page, *places):
    page.mouse.move(*place(page, *places[0]))
    page.mouse.down()
    for each in places[1:]:
        page.mouse.move(*place(page, *each), steps=12)
    page.mouse.up()


def expect_colours(page, *there, gone=()):
    def seen():
        found = set(page.locator(".board canvas").evaluate(CHROMATIC))
        assert found >= {*there}
        assert found.isdisjoint(gone)

    at_last(page, seen)


def test_a_drawing_is_painted_undone_kept_and_explored(spoken, board):
    page = board
    page.wait_for_function("() => new URLSearchParams(location.search).has('recipe')")
    spoken.clear()
    drag(page, (0.2, 0.2), (0.2, 0.8), (0.35, 0.8))
    first = points(page)
    assert first > 10

    def answered():  # the server has heard of the stroke
        assert "sent" in spoken
        assert "received" in spoken[spoken.index("sent") :]

    at_last(page, answered)
    steady(page, lambda: len(spoken))
    rest(page)
    page.reload()
    page.get_by_role("tab", name="Draw").click()
    expect(count(page)).to_have_text(f"{first} points in 1 class")
    steady(page, page.locator(".board canvas").bounding_box)
    page.locator(".board canvas").focus()
    page.keyboard.press("2")
    drag(page, (0.7, 0.2), (0.7, 0.8))
    assert points(page) > first
    expect(count(page)).to_have_text(re.compile("2 classes"))
    expect_colours(page, BLUE, ORANGE)
    page.keyboard.press("Control+z")
    expect(count(page)).to_have_text(re.compile(rf"^{first} points in 1 class$"))
    expect_colours(page, BLUE, gone=[ORANGE])
    page.get_by_role("button", name="Use these points").click()
    expect(page.get_by_text("All points on the board are of one class")).to_be_visible()
    drag(page, (0.7, 0.2), (0.7, 0.8))
    both = points(page)
    expect_accessible(page)
    page.get_by_role("button", name="Use these points").click()
    page.wait_for_selector(".panel.hero canvas")
    expect(page.get_by_text(f"Drawing: {both} rows, 5 features, 2 classes")).to_be_visible()
    page.get_by_role("link", name="Data", exact=True).click()
    page.get_by_role("tab", name="Draw").click()
    expect(count(page)).to_have_text(f"{both} points in 2 classes")


def test_taps_the_eraser_keys_and_the_limit_on_a_phone_in_the_dark(chromium, app_address):
    context = chromium.new_context(viewport={"width": 375, "height": 800}, has_touch=True, color_scheme="dark")
    page = context.new_page()
    page.set_default_timeout(60_000)
    open_board(page, app_address)

    def fits():
        assert page.evaluate("document.documentElement.scrollWidth") <= 375

    at_last(page, fits)
    page.touchscreen.tap(*place(page, 0.25, 0.5))
    page.touchscreen.tap(*place(page, 0.75, 0.5))
    expect(count(page)).to_have_text("2 points in 1 class")
    expect_colours(page, BLUE_ON_DARK)
    page.get_by_role("button", name="Eraser").click()
    page.touchscreen.tap(*place(page, 0.25, 0.5))
    expect(count(page)).to_have_text("1 point in 1 class")
    page.get_by_role("button", name="Clear").click()
    expect(count(page)).to_have_text("Press for a point, drag to spray.")
    page.get_by_role("button", name="Undo").click()
    expect(count(page)).to_have_text("1 point in 1 class")
    page.get_by_role("button", name="Clear").click()
    canvas = page.locator(".board canvas")
    canvas.focus()
    for key in ("1", "Space", "ArrowRight", "ArrowRight", "Space", "3", "ArrowUp", "Space"):
        page.keyboard.press(key)
    expect(count(page)).to_have_text("3 points in 2 classes")
    page.get_by_role("button", name="Clear").click()
    canvas.evaluate("""(canvas) => {
      const box = canvas.getBoundingClientRect();
      canvas.setPointerCapture = () => {};
      const at = (type, x) => canvas.dispatchEvent(new PointerEvent(type, {
        pointerId: 7, button: 0, buttons: 1, clientX: box.left + x * box.width, clientY: box.top + box.height / 2,
      }));
      at("pointerdown", 0.5);
      for (let k = 0; k < 200; k++) at("pointermove", k % 2 ? 0.8 : 0.2);
      at("pointerup", 0.5);
    }""")
    expect(count(page)).to_have_text("5,000 points in 1 class; the board is full")
    context.close()
