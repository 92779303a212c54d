"""Streamlit's widgets, by hand."""

from __future__ import annotations

import re


def patiently(page) -> None:
    """From here on nothing is pressed while the script runs: what it inserts moves a widget away from under a press."""
    page.add_locator_handler(page.locator('[data-test-script-state="running"]'), lambda running: None)


def open_list(page, label: str, option: str):
    """Open the list of the box with this label; returns the option of that name."""
    box = page.get_by_role("combobox", name=re.compile(label))
    wanted = page.get_by_role("option", name=option, exact=True)
    for _ in range(10):  # a list that opens while the page still moves closes at once
        box.click()
        page.wait_for_timeout(300)
        if wanted.count():
            break
    return wanted
