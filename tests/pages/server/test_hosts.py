"""By which names the server may be called, from whose pages, and what stands around each answer."""

from __future__ import annotations

import pytest
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route, WebSocketRoute
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from pages.server.headers import METRICS, MIDDLEWARE
from pages.server.hosts import is_allowed_host, is_own_page
from pages.server.routes import routes
from pages.stage.module_files import module_version


@pytest.fixture
def settings(monkeypatch):
    """A function that sets options of Streamlit's server."""
    now = {"allowedHosts": [], "address": "localhost", "enableCORS": True, "corsAllowedOrigins": [], "baseUrlPath": ""}
    monkeypatch.setattr("streamlit.config.get_option", lambda name: now[name.removeprefix("server.")])
    return now.update


@pytest.mark.parametrize(
    "host", ["localhost:8501", "LOCALHOST", "127.0.0.1:80", "[::1]:8501", "a.localhost", "localhost."]
)
def test_at_home_only_its_own_names_are_answered(settings, host):
    assert is_allowed_host(host)


@pytest.mark.parametrize(
    "host", ["evil.example", "localhost.evil.example", "", "127.0.0.1.evil.example:8501", "[::1", "a@b:c"]
)
def test_at_home_no_other_name_is_answered(settings, host):
    assert not is_allowed_host(host)


def test_the_setting_names_those_that_are_answered(settings):
    settings(allowedHosts=["nca.example.org", "*.lab.example.org"], address="0.0.0.0")
    assert is_allowed_host("nca.example.org:443")
    assert is_allowed_host("a.lab.example.org")
    for host in ("localhost", "example.org", "xnca.example.org", "lab.example.org", "alab.example.org"):
        assert not is_allowed_host(host)
    settings(allowedHosts=[])
    assert is_allowed_host("anything.example")


def test_whose_pages_may_read(settings):
    assert is_own_page(None, "x.example")
    assert is_own_page("https://x.example", "x.example")
    assert is_own_page("http://localhost:3000", "127.0.0.1:8501")
    for foreign in ("https://evil.example", "https://x.example.evil.example", "null", "https://x.example:8443"):
        assert not is_own_page(foreign, "x.example")
    settings(corsAllowedOrigins=["https://public.example"])
    assert is_own_page("https://public.example", "inner:8501")
    assert not is_own_page("https://sub.public.example", "inner:8501")
    settings(enableCORS=False)
    assert is_own_page("https://evil.example", "x.example")


@pytest.fixture
def client(settings):
    async def echo(socket):
        await socket.accept()
        await socket.close()

    plain = [Route(path, lambda request: PlainTextResponse("hello")) for path in ("/", "/_stcore/health")]
    plain.append(Route("/_stcore/metrics", lambda request: PlainTextResponse("all")))
    app = Starlette(routes=[*plain, WebSocketRoute("/live", echo)], middleware=MIDDLEWARE)
    with TestClient(app, base_url="http://localhost:8501", client=("127.0.0.1", 5)) as made:
        made.app_under_test = app
        yield made


def test_a_foreign_name_is_refused_everywhere_but_for_the_health_and_told_what_to_set(client):
    evil = {"host": "evil.example:8501"}
    refused = client.get("/", headers=evil)
    assert refused.status_code == 421
    assert 'server.allowedHosts, such as ["evil.example"]' in refused.text
    assert "set-cookie" not in refused.headers
    assert client.get("/_stcore/health", headers=evil).status_code == 200
    assert client.get("/").status_code == 200
    with pytest.raises(WebSocketDisconnect), client.websocket_connect("/live", headers=evil):
        pass
    with client.websocket_connect("/live", headers={"host": "localhost"}):
        pass


def test_an_origin_that_is_no_address_is_refused_and_no_error(client):
    nonsense = {"origin": "http://[::1"}
    assert not is_own_page(nonsense["origin"], "localhost")
    assert client.get("/", headers=nonsense).status_code == 400
    with pytest.raises(WebSocketDisconnect), client.websocket_connect("/live", headers=nonsense):
        pass


def test_the_metrics_are_for_this_machine_unless_it_is_set_otherwise(client, monkeypatch):
    assert client.get("/_stcore/metrics").text == "all"
    assert client.get("/_stcore/metrics", headers={"x-forwarded-for": "127.0.0.1"}).status_code == 403
    with TestClient(client.app_under_test, base_url="http://localhost", client=("192.0.2.1", 5)) as far:
        assert far.get("/_stcore/metrics").status_code == 403
        assert far.get("/").status_code == 200
        monkeypatch.setenv(METRICS, "1")
        assert far.get("/_stcore/metrics").text == "all"


def test_every_answer_has_its_headers(client):
    for path in ("/", "/_stcore/metrics", "/no-such-page"):
        headers = client.get(path).headers
        policy = dict(part.split(" ", 1) for part in headers["content-security-policy"].split("; "))
        assert policy["frame-ancestors"] == "'self'"
        assert policy["connect-src"] == policy["default-src"] == "'self'"
        assert "unsafe-eval" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "same-origin"
        assert "camera=()" in headers["permissions-policy"]


def test_the_stage_stands_below_the_base_path(settings):
    settings(baseUrlPath="/tools/nca/")
    with TestClient(Starlette(routes=routes())) as client:
        assert client.get(f"/tools/nca/nca/module/{module_version()}/stage.js").status_code == 200
        assert client.get(f"/nca/module/{module_version()}/stage.js").status_code == 404


def test_a_long_name_of_a_module_is_no_error(settings):
    with TestClient(Starlette(routes=routes())) as client:
        for name in ("x" * 5_000 + ".js", "a%00b.js", "%2e%2e%2fscene.py"):
            assert client.get(f"/nca/module/1/{name}").status_code == 404
