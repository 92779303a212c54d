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


def test_a_refusal_is_final_and_says_what_to_set(page, base_path):
    """Streamlit's own socket would be refused too; the stage is asked here as it would be by a page of its own."""
    page.goto(f"{base_path}/?{WINE}")
    expect(page.locator(".panel.hero canvas").first).to_be_visible()
    page.evaluate("""async () => {
      const script = performance.getEntriesByType("resource").find(({ name }) => name.endsWith("/mount.js")).name;
      const { Feed } = await import(script);
      const real = window.WebSocket;
      let opened = 0;
      window.links = [];
      const refused = class { constructor() { opened += 1; window.opened = opened;
        setTimeout(() => this.onclose({ code: 4403, reason: "" })); } };
      // The page's own lines are none of these.
      window.WebSocket = new Proxy(real, { construct: (made, [address, ...rest]) =>
        String(address).startsWith("ws://x/") ? new refused() : new made(address, ...rest) });
      new Feed("ws://x/", { scene: 1, held: () => "", onLink: (link) => window.links.push(link) });
      await new Promise((done) => setTimeout(done, 1500));
      window.WebSocket = real;
    }""")
    assert page.evaluate("[window.opened, window.links]") == [1, ["refused"]]
