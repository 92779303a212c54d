"""Streamlit's select boxes, by hand."""

from __future__ import annotations

import re


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
