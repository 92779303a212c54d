"""The stage for those who do not see it or use no mouse, and on screens of every size: edges, words, the tab key."""

from dataclasses import replace

import numpy as np
import pytest
from playwright.sync_api import expect

from stage.scene import Panel
from tests.browser.stage_page import feed, scene_with, settle, snapshot
from tests.stage.test_palette import luminance

RNG = np.random.default_rng(2)
PLACES = np.array([[-4.0, 3], [4, -3], [0, 0]])
LABELS = np.repeat([0, 1, 2], 20)
X = RNG.normal(size=(60, 2)) * 0.1 + PLACES[LABELS]
THEMES = {
    "light": {"background": "#ffffff", "text": "#1d2733", "primary": "#2f6f9f"},
    "dark": {"background": "#12161c", "text": "#e4e9ee", "primary": "#6cb2e0"},
}
DRESS = """(theme) => {
  const { style } = document.body;
  for (const name of ["background", "text", "primary"]) style.setProperty(`--st-${name}-color`, theme[name]);
  document.body.style.background = theme.background;
}"""


def make_scene(panels=None, **changes):
    scene = scene_with(X, LABELS, names=("a", "b", "c"))
    lda = Panel("lda", "LDA", np.eye(2), note="A remark below it.")
    panels = panels or (scene.panels[0], lda, scene.panels[1])
    return replace(scene, panels=panels, held_out=np.arange(60) % 4 == 0, note="A note above.", **changes)


def train(page, scale=1.0):
    held = [0.5, 0.9, 0.8]
    feed(page, *(snapshot(k, np.eye(2) * scale * (1 + k), held_out_1nn=h) for k, h in enumerate(held)))
    page.evaluate("stage.setRuns({ nca: { run: 1, state: 'running' } })")
    settle(page)


@pytest.mark.parametrize("theme", THEMES)
def test_what_is_pressed_has_an_edge_that_can_be_seen(opened, theme):
    page = opened(make_scene())
    page.evaluate(DRESS, THEMES[theme])
    # Any colour as red, green and blue, by a canvas.
    edge = page.get_by_role("button", name="Zoom and rotation as at first").evaluate("""(button) => {
      const pen = document.createElement("canvas").getContext("2d");
      pen.fillStyle = getComputedStyle(button).borderTopColor;
      pen.fillRect(0, 0, 1, 1);
      return [...pen.getImageData(0, 0, 1, 1).data].slice(0, 3);
    }""")
    colours = ("#{:02x}{:02x}{:02x}".format(*edge), THEMES[theme]["background"])
    light, dark = sorted(map(luminance, colours), reverse=True)
    assert (light + 0.05) / (dark + 0.05) >= 3
    toggle = page.get_by_role("button", name="Same scale")
    looks = "(button) => [getComputedStyle(button).outlineStyle, getComputedStyle(button).backgroundColor]"
    _, before = toggle.evaluate(looks)
    page.locator(".panel canvas").first.focus()
    page.keyboard.press("Tab")  # so that focus counts as the keyboard's
    toggle.focus()
    page.keyboard.press("Enter")
    outline, pressed = toggle.evaluate(looks)
    assert outline == "solid"
    assert pressed != before


def test_a_panel_says_in_words_where_its_classes_lie_and_follows(opened):
    page = opened(make_scene())
    canvas = page.locator(".panel canvas").nth(2)
    expect(canvas).to_have_attribute("role", "img")
    expect(canvas).to_have_attribute("aria-label", "NCA: scatter plot of 60 points")
    words = page.locator(f"#{canvas.get_attribute('aria-describedby')}")
    start = "Centres of the classes: a (20) at the upper left; b (20) at the lower right; c (20) in the middle."
    expect(words).to_have_text(start)
    train(page, scale=-1)
    expect(words).to_have_text(
        "Centres of the classes: a (20) at the lower right; b (20) at the upper left; c (20) in the middle. "
        "Iteration 2. 1-NN accuracy 80 % on held-out rows, 90 % on training rows, which is optimistic."
    )
    page.locator(".legend .class").first.click()
    expect(words).not_to_contain_text("a (20)")
    charts = page.locator(".chart:visible canvas")
    for k in range(charts.count()):
        expect(charts.nth(k)).to_have_attribute("role", "img")
        assert "at iteration 2" in charts.nth(k).get_attribute("aria-label")


def test_everything_is_reached_by_the_tab_key(opened):
    page = opened(make_scene())
    train(page)
    wanted = page.evaluate("""() => [...document.querySelectorAll("button, select, input, .panel canvas")]
      .filter((e) => e.offsetParent && !e.disabled).length""")
    page.locator("body").focus()
    page.evaluate("window.seen = new Set(); document.addEventListener('focusin', ({ target }) => seen.add(target))")
    for _ in range(wanted + 3):
        page.keyboard.press("Tab")
    assert page.evaluate("[...seen].filter((e) => e.matches('button, select, input, .panel canvas')).length") == wanted
