"""Behind a reverse proxy: below a path, under another name, with the Host header changed."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import running_app
from tests.browser.reverse_proxy import proxied

pytestmark = pytest.mark.proxy
WINE = "recipe=2&data=wine&held_out=0&pace=full_speed"


def trains(page, address):
    page.goto(address)
    page.get_by_role("button", name=re.compile(r"^\W*Train\b")).first.click()
    expect(page.locator(".readout .status")).to_contain_text("Converged", timeout=90_000)


def test_below_a_path_that_the_proxy_takes_away(page, app_address):
    with proxied(app_address, "/tools/nca") as port:
        trains(page, f"http://localhost:{port}/tools/nca/?{WINE}")
        page.reload()
        expect(page.locator(".readout .status")).to_contain_text("Converged")


@pytest.fixture(scope="module")
def base_path():
    """The app with a base path of its own, which knows one other name."""
    named = {"STREAMLIT_SERVER_CORS_ALLOWED_ORIGINS": "http://known.localhost"}
    with running_app("server-base.log", base="/tools/nca", **named) as address:
        yield address


def test_a_base_path_and_another_name_that_is_allowed(page, base_path):
    with proxied(base_path, "/tools/nca", keep=True) as port:
        trains(page, f"http://known.localhost:{port}/tools/nca/?{WINE}")


def test_under_a_name_that_is_not_allowed_the_page_says_so(page, base_path):
    with proxied(base_path, "/tools/nca", keep=True) as port:
        page.goto(f"http://strange.localhost:{port}/tools/nca/?{WINE}")
        expect(page.get_by_role("dialog")).to_contain_text("403", timeout=90_000)
