"""Two buttons that are pressed 50 ms apart on the running app: neither press is lost."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

KEYS = ("nca", "nca-2")
LINK = "recipe=2&data=wine&panels=nca,nca-2&pace=calm&" + "&".join(
    f"{key}.optimiser=gradient-ascent&{key}.max_iter=2000" for key in KEYS
)
PRESS = """([keys, pause]) => keys.forEach((key, k) => setTimeout(
  () => document.querySelector(`.st-key-compare-train-${key} button`).click(), k * pause))"""


@pytest.mark.parametrize("pause", [50, 200])
def test_both_trainings_start(page, app_address, pause):
    page.goto(f"{app_address}/compare?{LINK}")
    for key in KEYS:
        expect(page.locator(f".st-key-compare-train-{key} button").first).to_be_visible()
    page.evaluate(PRESS, [list(KEYS), pause])
    for key in KEYS:
        expect(page.locator(f".st-key-compare-pause-{key} button").first).to_be_visible()
