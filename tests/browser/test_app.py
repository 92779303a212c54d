"""Explore in a real browser: open, train, pause, scrub, rotate, retrain, reload."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.waiting import at_last, rest, steady

NUMBERS = ".readout .numbers"
WINE = "data=wine&held_out=0"
# Every picture that the canvas of panel `index` shows, counted by an own hook before any script runs.
COUNT_FRAMES = """
(() => {
  const put = CanvasRenderingContext2D.prototype.putImageData;
  window.painted = new Map();
  CanvasRenderingContext2D.prototype.putImageData = function (image, ...rest) {
    const pixels = new Uint32Array(image.data.buffer);
    let hash = 0, ink = 0;
    for (let i = 0; i < pixels.length; i += 7) {
      hash = (Math.imul(hash, 31) + pixels[i]) | 0;
      ink += pixels[i] !== pixels[0];
    }
    const seen = window.painted.get(this.canvas) ?? { pictures: 0, blank: 0, last: null };
    if (hash !== seen.last) seen.pictures++;
    if (ink < 5) seen.blank++;
    seen.last = hash;
    window.painted.set(this.canvas, seen);
    return put.call(this, image, ...rest);
  };
})();
"""


# Everything that the status says from now on, however briefly.
NOTE = """(status) => {
  window.said = [];
  new MutationObserver(() => said.push(status.textContent)).observe(status, {
    childList: true, characterData: true, subtree: true,
  });
}"""


def open_wine(page, address, pace="normal"):
    page.add_init_script(COUNT_FRAMES)
    page.goto(f"{address}/?{WINE}&pace={pace}")
    page.wait_for_selector(".panel.hero canvas")
    page.wait_for_function("() => window.painted.size >= 3")
    rest(page)
    pictures(page)
    return page


@pytest.fixture
def opened(page, app_address):
    return open_wine(page, app_address)


def pictures(page):
    """What the three panels show once it has come to rest."""
    return steady(page, lambda: [hash_of(page, panel) for panel in range(3)])


def hash_of(page, panel):
    canvas = page.locator(".panel canvas").nth(panel).element_handle()
    return page.evaluate("(canvas) => window.painted.get(canvas).last", canvas)


def painted(page, panel=2):
    canvas = page.locator(".panel canvas").nth(panel).element_handle()
    return page.evaluate("(canvas) => window.painted.get(canvas)", canvas)


def numbers(page):
    return page.locator(NUMBERS).text_content()


def press(page, name):
    page.get_by_role("button", name=re.compile(rf"^\W*{name}\b")).first.click()


def train_to_the_end(page, fast=False):
    page.locator(".readout .status").evaluate(NOTE)
    press(page, "Train")
    if not fast:  # else the end of the training before would do
        page.wait_for_function("() => said.includes('training')")
    at_the_end(page)


def at_the_end(page):
    status = page.locator(".readout .status")
    expect(status).to_contain_text(re.compile("Converged|maximum"), timeout=90_000)
    last = re.search(r"\d+", status.text_content()).group()
    expect(page.locator(NUMBERS)).to_contain_text(f"iteration {last} ")  # the stage glides there


def choose_dimensions(page, name):
    page.get_by_role("radio", name=name).or_(page.get_by_role("button", name=name, exact=True)).first.click()


def test_train_pause_scrub_and_the_table(page, app_address, picture):
    open_wine(page, app_address, pace="calm")  # so slowly that it can be paused by anybody
    expect(page.locator(".panel h3")).to_have_text(["PCA", "LDA", "NCA"])
    picture("1-first-open")
    still = pictures(page)[:2]
    before = painted(page)["pictures"]
    press(page, "Train")
    expect(page.locator(NUMBERS)).to_contain_text(re.compile("iteration [1-9]"))
    first = numbers(page)

    def glides():
        assert painted(page)["pictures"] - before > 30

    at_last(page, glides)
    press(page, "Pause")
    expect(page.locator(".readout .status")).to_have_text("paused")
    picture("2-paused")
    page.get_by_text("full speed").click()
    press(page, "Resume")
    expect(page.locator(".readout .status")).to_contain_text("Converged", timeout=90_000)
    at_the_end(page)
    expect(page.locator(NUMBERS)).to_contain_text("f/n 1.000")
    assert numbers(page) != first
    seen = pictures(page)
    assert painted(page)["blank"] == 0
    assert seen[:2] == still
    expect(page.locator(".chart .key").nth(2)).to_have_text(re.compile(r"K̂ \d+\.\d+mean of each"))
    end, k_end = seen[2], numbers(page)
    slider = page.locator(".scrub")
    slider.focus()
    for _ in range(5):
        page.keyboard.press("ArrowLeft")
    expect(page.locator(NUMBERS)).not_to_have_text(k_end)
    assert pictures(page)[2] != end
    picture("3-scrubbed-back")
    page.get_by_role("button", name="Follow the training").click()
    expect(page.locator(NUMBERS)).to_have_text(k_end)
    picture("4-trained")


def test_rotation_survives_retraining(opened, picture):
    page = opened
    choose_dimensions(page, "3-D")
    page.wait_for_function("() => new URL(location).searchParams.get('dimensions')")
    expect(page.locator(".turn-hint")).to_be_visible()  # the picture is the one in 3-D
    rest(page)
    before = pictures(page)[0]
    box = page.locator(".panel canvas").nth(0).bounding_box()
    page.mouse.move(box["x"] + 100, box["y"] + 100)
    page.mouse.down()
    page.mouse.move(box["x"] + 180, box["y"] + 130, steps=4)
    page.mouse.up()
    page.mouse.move(5, 5)
    rotated = pictures(page)[0]
    assert rotated != before
    train_to_the_end(page)
    train_to_the_end(page)
    assert pictures(page)[0] == rotated
    picture("5-three-dimensions")
    page.get_by_role("button", name="Zoom and rotation as at first").click()
    assert pictures(page)[0] == before


def test_a_reload_brings_settings_and_trajectory_back(opened):
    page = opened
    page.get_by_text("full speed").click()
    train_to_the_end(page, fast=True)
    end = numbers(page)
    expect(page).to_have_url(re.compile("pace=full_speed"))
    rest(page)
    page.reload()
    page.wait_for_selector(".panel.hero canvas")
    expect(page.locator(NUMBERS)).to_have_text(end)
    expect(page).to_have_url(re.compile("pace=full_speed"))


def test_small_window_and_dark_theme(page, app_address, picture):
    page.set_viewport_size({"width": 375, "height": 800})
    page.emulate_media(color_scheme="dark")
    page.goto(f"{app_address}/?{WINE}")
    page.wait_for_selector(".panel.hero canvas")
    expect(page.get_by_test_id("stApp")).to_have_css("background-color", "rgb(18, 22, 28)")
    page.wait_for_timeout(1000)
    rest(page)
    picture("8-small-and-dark")

    def fits():
        assert page.evaluate("document.documentElement.scrollWidth") <= 375

    at_last(page, fits)
