"""Whole pages as people meet them: axe-core in both themes, large type for a room, keys, and what a link asks for."""

from __future__ import annotations

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.browser.select_box import drop
from tests.browser.waiting import at_last, rest, steady

TABLE = "length,width,kind\n" + "".join(f"{k % 7},{k * 7 % 11},{'long' if k % 2 else 'short'}\n" for k in range(60))
STATUS = ".readout .status"
NUMBERS = ".readout .numbers"
DARK, LIGHT = "rgb(18, 22, 28)", "rgb(255, 255, 255)"


OF_COLOURS = {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}


def serious(page, rules=None):
    options = {"resultTypes": ["violations"]} | ({"runOnly": rules} if rules else {})
    return [
        (each["id"], node["target"], node["failureSummary"])
        for each in Axe().run(page, options=options).response["violations"]
        if each["impact"] in ("serious", "critical")
        for node in each["nodes"]
    ]


def stage(page):
    page.wait_for_selector(".panel canvas")
    expect(page.locator(".legend .class").first).to_be_visible()
    rest(page)  # its buttons and their keys are there


def explore(page, address):
    page.goto(address)
    stage(page)
    yield "at first"
    page.get_by_text("Advanced", exact=True).click()
    page.get_by_text("Noise lab", exact=True).click()
    page.get_by_text("Link, file, undo", exact=True).click()
    page.get_by_role("button", name=re.compile(r"^\W*Train\b")).first.click()
    expect(page.locator(STATUS)).to_contain_text("Converged", timeout=90_000)
    expect(page.locator(".story p").first).to_be_visible()
    yield "trained, with all settings in sight"
    page.get_by_role("button", name=re.compile("by a rectangle")).click()
    rest(page)
    box = steady(page, page.locator(".panel canvas").last.bounding_box)
    page.mouse.move(box["x"] + 5, box["y"] + 5)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] - 5, box["y"] + box["height"] - 5, steps=3)
    page.mouse.up()
    expect(page.locator(".chosen")).to_be_visible()
    expect(page.get_by_text(re.compile("selected; Escape"))).to_be_visible()
    yield "with points selected"


def errors(page, address):
    page.goto(f"{address}/?data=wine&dimensions=7&nonsense=1")
    stage(page)
    expect(page.get_by_role("button", name="Dismiss")).to_be_visible()
    yield "a link that is not understood"
    drop(page, "broken.csv", b"a,b,label\n1,2,x\n2,3,4,y\n")
    expect(page.get_by_role("alert").filter(has_text="line 3")).to_be_visible()
    yield "a broken file"


def data(page, address):
    page.goto(f"{address}/data")
    expect(page.get_by_text("Wine").first).to_be_visible()
    yield "catalogue"
    drop(page, "lengths.csv", TABLE.encode())
    expect(page.get_by_role("button", name="Explore this data")).to_be_enabled()
    yield "a table"
    page.get_by_role("tab", name="Draw").click()
    expect(page.locator(".board canvas")).to_be_visible()
    yield "drawing board"


def compare(page, address):
    page.goto(f"{address}/compare?recipe=2&data=wine&panels=pca,nca&pace=full_speed")
    stage(page)
    page.get_by_role("button", name=re.compile(r"^\W*Train\b")).first.click()
    expect(page.locator(STATUS)).to_contain_text("Converged", timeout=90_000)
    page.get_by_label("Turn all panels onto one").select_option("turned onto PCA")
    page.locator(".machine > button:visible").click()
    yield "trained, turned onto PCA, the time machine open"
    page.get_by_role("tab", name="Differences").click()
    expect(page.get_by_text("Agreement")).to_be_visible()
    yield "differences"


def large(page, address):
    page.goto(f"{address}/?data=iris&present=1&train=1")
    expect(page.locator(STATUS)).to_contain_text("Converged", timeout=90_000)
    yield "large type"


def understand(page, address):
    """A press on the stage reaches the tables below it, and a question stays in the link."""
    page.goto(f"{address}/understand?data=iris&point=84&train=1&pace=full_speed")
    expect(page.locator(STATUS)).to_contain_text("Converged", timeout=90_000)
    expect(page.get_by_text("How does each classifier label row 84?")).to_be_visible()
    expect(page.locator(".panel .lines").first).to_be_attached()
    page.locator(".neighbour:visible").nth(3).click()
    page.locator(".panel canvas").nth(1).focus()
    page.keyboard.press("Enter")  # pins what is in the middle
    expect(page.get_by_text("How does each classifier label row 84?")).to_have_count(0)
    expect(page.get_by_text(re.compile(r"How does each classifier label row \d+\?"))).to_be_visible()
    yield "one point"
    page.get_by_text("What is the metric?", exact=True).first.click()
    expect(page.locator(".heat")).to_be_visible()
    expect(page).to_have_url(re.compile("ask=metric"))
    yield "the metric"
    page.get_by_text("Does it come back?", exact=True).first.click()
    page.get_by_role("button", name=re.compile("^Arrow of")).first.focus()
    page.keyboard.press("ArrowRight")
    page.get_by_role("button", name="Go on from here").click()
    expect(page.get_by_text(re.compile("you moved it to .* climbed to"))).to_be_visible()
    yield "moved by hand"


def experiments(page, address):
    page.goto(f"{address}/experiments?experiment=r-fig4")
    expect(page.get_by_text("Not run.", exact=True)).to_be_visible()
    yield "nothing is run yet"
    page.get_by_role("spinbutton", name="Splits").fill("1")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Run", exact=True).click()
    expect(page.get_by_role("button", name="Download as a report")).to_be_visible(timeout=150_000)
    expect(page.get_by_text(re.compile("A first look"))).to_be_visible()
    yield "one split"


def learn(page, address):
    page.goto(f"{address}/learn")
    page.get_by_role("button", name=re.compile(r"^2\. ")).click()
    stage(page)
    yield "a step"
    page.get_by_role("button", name=re.compile("^About 2.7")).click()
    page.get_by_role("button", name="Show the answer").click()
    expect(page.locator(".st-key-learn-answer")).to_contain_text("Yes.")
    yield "its answer"


@pytest.mark.parametrize(
    "walk",
    [
        explore,
        data,
        experiments,
        *(pytest.param(walk, marks=pytest.mark.thorough) for walk in (compare, errors, large, understand, learn)),
    ],
    ids=lambda walk: walk.__name__,
)
def test_axe_finds_nothing_serious_on_a_whole_page_in_either_theme(page, app_address, walk):
    found = {}
    for place in walk(page, app_address):
        expect(page.get_by_test_id("stStatusWidget")).to_have_count(0)
        rest(page)
        for theme, paper in (("dark", DARK), ("light", LIGHT)):
            page.emulate_media(color_scheme=theme)
            expect(page.get_by_test_id("stApp")).to_have_css("background-color", paper)
            # Colours fade from one to the other: who looks too early looks again. What a theme changes are colours; all
            # else was seen in the dark one.
            for patience in (600, 2_000, 5_000):
                page.wait_for_timeout(patience)
                found[place, theme] = serious(page, None if theme == "dark" else OF_COLOURS)
                if not found[place, theme]:
                    break
    assert not any(found.values()), found


def test_large_type_for_a_room_and_back(page, app_address):
    page.set_viewport_size({"width": 1024, "height": 768})
    page.goto(f"{app_address}/?data=iris&train=1")
    stage(page)
    expect(page.locator(STATUS)).to_contain_text("Converged", timeout=90_000)
    expect(page).not_to_have_url(re.compile("train=1"))  # else a reload would train again
    title = page.locator(".panel h3").first
    size = "(element) => Number.parseFloat(getComputedStyle(element).fontSize)"
    before = title.evaluate(size)
    page.get_by_role("button", name="Present").click()
    expect(page.get_by_test_id("stSidebar")).to_be_hidden()
    expect(page).to_have_url(re.compile("present=1"))

    def large():
        assert title.evaluate(size) >= 1.3 * before

    at_last(page, large)
    expect(page.get_by_role("button", name="Turn and zoom all panels together")).to_be_hidden()
    expect(page.locator(STATUS)).to_contain_text("Converged")  # the training goes on as it was
    rest(page)

    def fits():
        boxes = [page.locator(".panel").nth(k).bounding_box() for k in range(3)]
        assert len({round(box["y"]) for box in boxes}) == 1
        toolbar = page.locator(".toolbar").bounding_box()
        assert toolbar["y"] + toolbar["height"] <= 768
        assert page.evaluate("document.documentElement.scrollWidth") <= 1024

    at_last(page, fits)
    page.keyboard.press("x")  # a key does what it says here, too
    expect(page.locator(NUMBERS)).to_have_text("")
    rest(page)
    page.keyboard.press("l")
    expect(page.get_by_test_id("stSidebar")).to_be_visible()
    expect(page).not_to_have_url(re.compile("present=1"))


def forget_by_key(page):
    expect(page.locator(NUMBERS)).to_contain_text("iteration")
    rest(page)
    page.keyboard.press("x")
    expect(page.locator(NUMBERS)).to_have_text("")
    expect(page.locator(STATUS)).to_have_text("")
    rest(page)


def test_a_letter_is_a_shortcut_while_a_select_box_has_the_focus_and_a_letter_in_a_text(page, app_address):
    page.goto(f"{app_address}/?data=iris")
    stage(page)
    box = page.get_by_role("combobox", name=re.compile("Scale features"))
    box.focus()
    page.keyboard.press("t")
    expect(page.locator(STATUS)).to_contain_text("Converged", timeout=90_000)
    expect(box).to_have_value("standardise")
    expect(box).to_be_focused()
    expect(page.get_by_label("Iteration shown")).to_be_enabled()
    page.get_by_label("Iteration shown").focus()
    forget_by_key(page)
    page.get_by_label("Speed of the replay").focus()
    page.keyboard.press("t")
    expect(page.locator(STATUS)).to_contain_text("Converged", timeout=90_000)
    box.focus()
    forget_by_key(page)
    page.get_by_role("spinbutton", name="Maximal iterations").focus()
    page.keyboard.press("t")
    page.wait_for_timeout(1000)
    expect(page.locator(NUMBERS)).to_have_text("")


def test_the_theme_is_chosen_on_the_page_and_the_training_stays(page, app_address):
    page.goto(f"{app_address}/?data=iris&train=1")
    expect(page.locator(STATUS)).to_contain_text("Converged", timeout=90_000)
    page.get_by_role("button", name="Dark", exact=True).click()
    expect(page.get_by_role("button", name="Light", exact=True)).to_be_visible()
    expect(page.locator(STATUS)).to_contain_text("Converged")
    expect(page.get_by_test_id("stApp")).to_have_css("background-color", DARK)
    links = page.get_by_test_id("stTopNavLink").evaluate_all("(links) => links.map((link) => link.href)")
    assert len(links) == 6
    for link in links:  # each page opened anew
        page.goto(link)
        expect(page.get_by_test_id("stApp")).to_have_css("background-color", DARK)
