"""The Data page with its catalogue open; a little OpenML in the place of the real one."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from datasets.local_folder import VARIABLE

MAIN = Path(__file__).resolve().parents[4] / "pages" / "main.py"


@pytest.fixture
def open_catalogue(monkeypatch, tmp_path):
    """A function that opens the page; whatever it starts ends with the test."""
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.setenv("NCA_EXPLORER_CACHE", str(tmp_path / "default-cache"))
    opened = []

    def catalogue():
        page = AppTest.from_file(str(MAIN), default_timeout=60)
        page.query_params["tab"] = "Catalogue"
        page.switch_page("data.py").run()
        assert not page.exception
        opened.append(page)
        return page

    yield catalogue
    for page in opened:
        page.session_state["session.workspace"].forget()


@pytest.fixture
def space_of():
    return lambda page: page.session_state["session.workspace"]


@pytest.fixture
def pictures():
    """Alternative text -> SVG of the pictures on a page."""

    def found(page):
        images = [element.proto.body for element in page.get("html") if "<img" in element.proto.body]
        alts = [text.split('alt="')[1].split('"')[0] for text in images]
        svgs = [base64.b64decode(text.split("base64,")[1].split('"')[0]).decode() for text in images]
        return dict(zip(alts, svgs, strict=True))

    return found
