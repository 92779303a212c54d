"""The owner's cookie: who gets one, what it looks like, and which answers carry none."""

from __future__ import annotations

from http.cookies import SimpleCookie

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from pages.server.owner import COOKIE, OwnerCookie, owner_of


@pytest.fixture
def client():
    routes = [Route("/{path:path}", lambda request: PlainTextResponse("hello"))]
    with TestClient(Starlette(routes=routes, middleware=[Middleware(OwnerCookie)])) as made:
        yield made


def given(client, path="/", **headers):
    """The cookie that an answer sets; None where it sets none."""
    client.cookies.clear()
    return SimpleCookie(client.get(path, headers=headers).headers.get("set-cookie", "")).get(COOKIE)


def test_each_browser_gets_another_one_which_no_script_can_read_and_no_other_site_sends(client):
    one, two = given(client), given(client)
    assert one.value != two.value
    assert owner_of({COOKIE: one.value}) == one.value
    assert one["httponly"]
    assert one["samesite"] == "Lax"
    assert one["path"] == "/"
    assert not one["expires"]
    assert not one["max-age"]


def test_who_has_one_keeps_it_and_what_we_cannot_have_made_is_replaced(client):
    assert given(client, cookie=f"other=1; {COOKIE}={'x' * 43}") is None
    for bad in ("", "short", "x" * 65, "x" * 42 + "é", "../" + "x" * 40):
        assert owner_of({COOKIE: bad}) == ""
    assert given(client, cookie=f"{COOKIE}=short") is not None


def test_over_tls_it_is_for_tls_only(client):
    assert not given(client)["secure"]
    assert given(client, **{"x-forwarded-proto": "https, http"})["secure"]
    client.base_url = "https://testserver"
    assert given(client)["secure"]


def test_files_that_caches_keep_carry_none(client):
    for path in ("/static/js/index.js", "/media/a.png", "/nca/module/v/stage.js", "/base/static/a.css"):
        assert given(client, path) is None
    assert given(client, "/compare") is not None
