"""Explore in a real browser: train, pause, scrub, turn, reload, go away and come back; on a phone; in two tabs."""

import re

from playwright.sync_api import expect

from tests.browser.accessible import THEMES, expect_accessible
from tests.browser.select_box import drop, patiently, pick, press
from tests.browser.stage_page import pan
from tests.browser.test_data import TREES
from tests.browser.waiting import at_last, rest, steady

NUMBERS, STATUS = ".readout .numbers", ".readout .status"
NOT_YET = "Once you train, this line explains what moves and why."
WINE = "data=wine&held_out=0"
# The pictures that are painted, counted by an own hook before any script runs.
COUNT_FRAMES = """
(() => {
  const put = CanvasRenderingContext2D.prototype.putImageData;
  window.painted = { pictures: 0, blank: 0 };
  CanvasRenderingContext2D.prototype.putImageData = function (image, ...rest) {
    const pixels = new Uint32Array(image.data.buffer);
    painted.pictures++;
    if (pixels.every((pixel) => pixel === pixels[0])) painted.blank++;
    return put.call(this, image, ...rest);
  };
})();
"""


def open_wine(page, address, pace="normal"):
    page.add_init_script(COUNT_FRAMES)
    page.goto(f"{address}/?{WINE}&pace={pace}")
    page.wait_for_selector(".panel.hero canvas")
    page.wait_for_function("painted.pictures >= 3")
    rest(page)
    return pictures(page)


def pictures(page):
    """What the three panels show once it has come to rest."""
    canvases = page.locator(".panel canvas")
    return steady(page, lambda: canvases.evaluate_all("(all) => all.map((canvas) => canvas.toDataURL())"))


def at_the_end(page):
    status = page.locator(STATUS)
    expect(status).to_contain_text(re.compile("Converged|maximum"), timeout=90_000)
    last = re.search(r"\d+", status.text_content()).group()
    expect(page.locator(NUMBERS)).to_contain_text(f"iteration {last} ")  # the stage glides there


def choose_dimensions(page, name):
    page.get_by_role("radio", name=name).or_(page.get_by_role("button", name=name, exact=True)).first.click()


def test_train_pause_scrub_reload_and_come_back(page, app_address):
    still = open_wine(page, app_address, pace="calm")[:2]  # so slowly that it can be paused by anybody
    expect(page.locator(".panel h3")).to_have_text(["PCA", "LDA", "NCA"])
    before = page.evaluate("painted.pictures")
    press(page, "Train")
    expect(page.locator(NUMBERS)).to_contain_text(re.compile("iteration [1-9]"))

    def glides():
        assert page.evaluate("painted.pictures") - before > 30

    at_last(page, glides)
    press(page, "Pause")
    expect(page.locator(STATUS)).to_have_text("paused")
    pick(page, "Pace", "Full speed")
    press(page, "Resume")
    at_the_end(page)
    seen, numbers = pictures(page), page.locator(NUMBERS).text_content()
    assert page.evaluate("painted.blank") == 0
    assert seen[:2] == still
    slider = page.locator(".scrub")
    slider.focus()
    for _ in range(5):
        page.keyboard.press("ArrowLeft")
    expect(page.locator(NUMBERS)).not_to_have_text(numbers)
    assert pictures(page)[2] != seen[2]
    page.get_by_role("button", name="Follow the training").click()
    expect(page.locator(NUMBERS)).to_have_text(numbers)
    expect(page).to_have_url(re.compile("pace=full_speed"))
    rest(page)
    page.reload()
    expect(page.locator(NUMBERS)).to_have_text(numbers)
    expect(page).to_have_url(re.compile("pace=full_speed"))
    rest(page)
    slider.press("ArrowLeft")
    page.get_by_role("link", name="Data", exact=True).first.click()  # before the stage has reported what it shows
    expect(page.get_by_role("tab", name="Catalogue")).to_be_visible()
    expect(page).to_have_url(re.compile(r"/data\?recipe="))
    page.go_back()
    expect(page.locator(NUMBERS)).to_have_text(numbers)
    page.go_forward()
    expect(page.get_by_role("tab", name="Catalogue")).to_be_visible()
    rest(page)
    page.go_back()
    expect(page.locator(NUMBERS)).to_have_text(numbers)


def test_a_view_survives_training_twice_and_the_stage_stays_where_it_is(page, app_address):
    open_wine(page, app_address)
    page.get_by_test_id("stSidebar").get_by_test_id("stTooltipIcon").nth(1).hover()
    tip = page.get_by_test_id("stTooltipContent")
    expect(tip).to_be_visible()
    box = tip.bounding_box()
    under = "([x, y]) => Boolean(document.elementFromPoint(x, y)?.closest('[data-testid=stTooltipContent]'))"
    assert not page.evaluate(under, [box["x"] + box["width"] / 2, box["y"] + box["height"] / 2])
    choose_dimensions(page, "3-D")
    expect(page).to_have_url(re.compile("dimensions="))
    expect(page.locator(".turn-hint")).to_be_visible()  # the picture is the one in 3-D
    rest(page)
    before = pictures(page)[0]
    box = page.locator(".panel canvas").nth(0).bounding_box()
    pan(page, (box["x"] + 100, box["y"] + 100), (box["x"] + 180, box["y"] + 130))
    page.mouse.move(5, 5)
    turned = pictures(page)[0]
    assert turned != before
    things = [*map(page.locator, (".panels", ".toolbar", ".curves")), page.get_by_test_id("stDataFrame").first]

    def places():
        return [thing.bounding_box()["y"] for thing in things]

    lay = steady(page, places)
    for _ in range(2):
        press(page, "Train")
        expect(page.locator(STATUS)).not_to_contain_text("Converged")  # else the end of the one before would do
        at_the_end(page)
        rest(page)
    page.get_by_role("spinbutton", name="Maximal iterations").press("ArrowUp")
    page.keyboard.press("Enter")
    expect(page.get_by_text("The settings have changed:")).to_be_visible()
    rest(page)
    assert steady(page, places) == lay
    assert pictures(page)[0] == turned
    page.get_by_role("button", name="Zoom and rotation as at first").click()
    assert pictures(page)[0] == before


def test_a_phone_in_the_dark_from_explore_to_ones_own_table(page, app_address):
    patiently(page)
    page.set_viewport_size({"width": 375, "height": 600})
    page.emulate_media(color_scheme="dark")
    page.goto(f"{app_address}/?{WINE}")
    expect(page.locator(".legend .class").first).to_be_visible()
    expect(page.get_by_test_id("stApp")).to_have_css("background-color", THEMES["dark"])

    def fits(card=None):
        assert page.evaluate("document.documentElement.scrollWidth") <= 375
        box = card and card.bounding_box()
        assert not box or (box["width"] > 300 and box["x"] + box["width"] <= 375)

    rest(page)
    at_last(page, fits)
    link = page.get_by_role("link", name="Data", exact=True).first
    page.get_by_test_id("stExpandSidebarButton").click()
    link.click()
    expect(page.get_by_role("tab", name="Catalogue")).to_be_visible()
    expect(link).not_to_be_in_viewport()  # the drawer has closed
    page.get_by_role("tab", name="Catalogue").click(timeout=20_000)  # nothing lies over it
    card = page.locator("[class*='st-key-data-card-']").filter(has=page.get_by_text("Wine", exact=True))
    expect(card).to_be_visible()
    rest(page)
    at_last(page, lambda: fits(card))
    drop(page, "trees.csv", TREES)
    page.get_by_role("button", name="Download 30 rows").scroll_into_view_if_needed()
    page.get_by_role("button", name="Explore this data").click()
    page.wait_for_selector(".legend .class")
    page.wait_for_timeout(500)
    rest(page)

    def begins_below_the_bar():  # though the page before was scrolled
        bar = page.get_by_test_id("stHeader").bounding_box()
        train = page.get_by_role("button", name=re.compile("Train")).bounding_box()
        assert train["y"] >= bar["y"] + bar["height"]

    at_last(page, begins_below_the_bar)
    page.locator(".panel").first.click(timeout=20_000)
    at_last(page, fits)


def test_the_theme_of_every_page_large_type_for_a_room_keys_and_back(page, app_address):
    page.set_viewport_size({"width": 1024, "height": 768})
    page.goto(f"{app_address}/?data=wine&train=1&pace=full_speed")
    at_the_end(page)
    expect(page).not_to_have_url(re.compile("train=1"))  # else a reload would train again
    page.evaluate("window.opened = 1")
    for theme in ("dark", "light", "dark"):
        page.get_by_role("button", name="Theme", exact=True).click()
        expect(page.get_by_test_id("stApp")).to_have_css("background-color", THEMES[theme])
    assert page.evaluate("window.opened") == 1  # the page was not loaded again
    title = page.locator(".panel h3").first
    size = "(element) => Number.parseFloat(getComputedStyle(element).fontSize)"
    before = title.evaluate(size)
    page.get_by_role("button", name="Present").click()
    expect(page.get_by_test_id("stSidebar")).to_be_hidden()
    expect(page).to_have_url(re.compile("present=1"))
    expect(page.locator(STATUS)).to_contain_text("Converged")  # the training goes on as it was

    def large():
        assert title.evaluate(size) >= 1.3 * before
        boxes = [page.locator(".panel").nth(k).bounding_box() for k in range(3)]
        assert len({round(box["y"]) for box in boxes}) == 1
        toolbar = page.locator(".toolbar").bounding_box()
        assert toolbar["y"] + toolbar["height"] <= 768
        assert page.evaluate("document.documentElement.scrollWidth") <= 1024

    rest(page)
    at_last(page, large)
    page.set_viewport_size({"width": 1280, "height": 720})
    for name in ("Find the side yourself", "Arrows"):
        expect(page.get_by_role("button", name=re.compile(name))).to_be_in_viewport(ratio=1)
    expect(page.get_by_label("Scale of A")).to_be_in_viewport(ratio=1)
    page.keyboard.press("x")  # a key does what it says here, too
    expect(page.locator(NUMBERS)).to_have_text("")
    rest(page)
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("stSidebar")).to_be_visible()
    rest(page)
    page.keyboard.press("l")
    expect(page.get_by_test_id("stSidebar")).to_be_hidden()
    rest(page)
    page.keyboard.press("l")
    expect(page.get_by_test_id("stSidebar")).to_be_visible()
    expect(page).not_to_have_url(re.compile("present=1"))
    links = page.get_by_test_id("stTopNavLink").evaluate_all("(links) => links.map((link) => link.href)")
    assert len(links) == 6
    page.goto(links[1])  # another page, opened anew
    expect(page.get_by_test_id("stApp")).to_have_css("background-color", THEMES["dark"])


def picture_and_curve_in_view(page):
    curve = page.locator(".chart", has_text="effective number of neighbours").locator("canvas")
    for part in (page.locator(".st-key-explore-train button"), page.locator(".panel.hero .frame"), curve):
        expect(part).to_be_in_viewport(ratio=1, timeout=1000)


def test_in_a_small_window_all_tools_are_in_view(page, app_address):
    page.set_viewport_size({"width": 1280, "height": 720})
    page.goto(app_address)
    expect(page.locator(STATUS)).to_contain_text("The data in 3-D")  # the line above the pictures explains the start
    tools = page.locator(".toolbar .tools")
    at_last(page, lambda: expect(tools).to_be_in_viewport(ratio=1, timeout=1000))
    frames = [page.locator(".panel .frame").nth(k).bounding_box() for k in range(3)]
    assert len({round(box["y"]) for box in frames}) == 1  # side by side
    assert min(box["height"] for box in frames) >= 200
    for width, height in ((1280, 720), (1366, 768), (1024, 768), (1400, 1000)):
        page.set_viewport_size({"width": width, "height": height})
        at_last(page, lambda: picture_and_curve_in_view(page))
    page.set_viewport_size({"width": 1920, "height": 1080})
    page.goto(f"{app_address}/?present=1")
    at_last(page, lambda: picture_and_curve_in_view(page))
    page.set_viewport_size({"width": 1280, "height": 720})
    page.goto(f"{app_address}/learn?lesson=shadow&step=3&present=1")
    expect(page.locator(".panel h3")).to_have_count(3)
    at_last(page, lambda: expect(tools).to_be_in_viewport(ratio=1, timeout=1000))


def test_a_letter_is_a_shortcut_but_in_a_text_and_all_settings_and_a_selection_are_accessible(page, app_address):
    page.goto(f"{app_address}/?data=iris&pace=full_speed")
    expect(page.locator(".legend .class").first).to_be_visible()
    rest(page)
    most = page.get_by_role("spinbutton", name="Maximal iterations")
    most.focus()
    page.keyboard.press("t")
    page.wait_for_timeout(1000)
    expect(page.locator(NUMBERS)).to_have_text("")
    page.keyboard.press("Enter")
    expect(most).not_to_be_focused()
    page.keyboard.press("t")
    at_the_end(page)
    page.keyboard.press("x")
    expect(page.locator(NUMBERS)).to_have_text("")
    rest(page)
    box, speed = (
        page.get_by_role("combobox", name=re.compile("Scale features")),
        page.get_by_label("Speed of the replay"),
    )
    for field in (box, speed):
        field.focus()
        page.keyboard.press("t")
        at_the_end(page)
        expect(box).to_have_value("standardise")
        expect(field).to_be_focused()
        rest(page)
        if field is box:
            page.keyboard.press("x")
            expect(page.locator(NUMBERS)).to_have_text("")
            expect(page.locator(STATUS)).to_have_text(NOT_YET)
            rest(page)
    for folded in ("Advanced", "Noise lab", "Link, file, undo"):
        page.get_by_text(folded, exact=True).click()
    page.get_by_role("button", name=re.compile("by a rectangle")).click()
    rest(page)
    area = steady(page, page.locator(".panel canvas").last.bounding_box)
    far = area["x"] + area["width"] - 5, area["y"] + area["height"] - 5
    pan(page, (area["x"] + 5, area["y"] + 5), far)
    expect(page.locator(".chosen")).to_be_visible()
    expect(page.get_by_text(re.compile("selected; Escape"))).to_be_visible()
    expect_accessible(page)
