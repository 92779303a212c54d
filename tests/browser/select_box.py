"""Streamlit's widgets, by hand."""

import re
from contextlib import suppress

from playwright.sync_api import TimeoutError, expect

RUNNING = '[data-test-script-state="running"]'


def patiently(page) -> None:
    """From here on nothing is pressed while the script runs: what it inserts moves a widget away from under a press."""
    page.add_locator_handler(page.locator(RUNNING), lambda running: None)


def press(page, name: str) -> None:
    """Press the first button of that name, whatever sign stands before it."""
    page.get_by_role("button", name=re.compile(rf"^\W*{re.escape(name)}\b")).first.click()


def open_list(page, label: str, option: str):
    """Open the list of the box with this label; returns the option of that name.

    A list that opens while the page still moves closes at once; one that is only late must not be pressed again, as
    that would close it.
    """
    box = page.get_by_role("combobox", name=re.compile(label))
    wanted = page.get_by_role("option", name=option, exact=True)
    for patience in (2_000, 4_000, 8_000, 15_000, 15_000):
        if box.get_attribute("aria-expanded") != "true":
            box.click()
        with suppress(TimeoutError):
            wanted.wait_for(timeout=patience)
            page.wait_for_timeout(300)
        if wanted.is_visible():
            break
    return wanted


def pick(page, label: str, option: str) -> None:
    """Choose from a list; again where the list closed before it was pressed."""
    for patience in (10_000, 20_000, 45_000):
        wanted = open_list(page, label, option)
        with suppress(TimeoutError):
            wanted.click(timeout=patience)
            return
    raise AssertionError(f"{option} of {label} could not be pressed.")


def drop(page, name: str, data: bytes, sign=None) -> None:
    """Drop a file on the first field there is.

    Again where the field was put up anew by a rerun that began at that moment: then it does not name the file. `sign`
    is what shows that it has come where the page names such a file already.
    """
    field = page.locator("input[type=file]").first
    for patience in (15_000, 15_000, 60_000):
        field.wait_for(state="attached")
        expect(page.locator(RUNNING)).to_have_count(0)
        field.set_input_files({"name": name, "mimeType": "application/octet-stream", "buffer": data})
        with suppress(TimeoutError):
            (sign or page.get_by_text(name)).first.wait_for(timeout=patience)
            return
    raise AssertionError(f"{name} was dropped three times and is not there.")
