"""The Data page with its catalogue open; a little OpenML in the place of the real one."""

from __future__ import annotations

import base64

import pytest

from datasets.local_folder import VARIABLE


@pytest.fixture
def open_catalogue(monkeypatch, tmp_path, open_page):
    """A function that opens the page."""
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.setenv("NCA_EXPLORER_CACHE", str(tmp_path / "default-cache"))
    return lambda: open_page({"tab": "Catalogue"}, "data.py")


@pytest.fixture
def pictures():
    """Alternative text -> SVG of the pictures on a page."""

    def found(page):
        images = [element.proto.body for element in page.get("html") if "<img" in element.proto.body]
        alts = [text.split('alt="')[1].split('"')[0] for text in images]
        svgs = [base64.b64decode(text.split("base64,")[1].split('"')[0]).decode() for text in images]
        return dict(zip(alts, svgs, strict=True))

    return found
