"""The middleware: allowed hosts and origins, headers, local metrics, and the owner's cookie."""

from http.cookies import SimpleCookie

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import HTMLResponse, PlainTextResponse
from starlette.routing import Route, WebSocketRoute
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from pages.server.middleware import COOKIE, METRICS, is_allowed_host, is_own_page, owner_of
from pages.server.routes import MIDDLEWARE, routes
from stage.module_files import module_version


@pytest.fixture
def settings(monkeypatch):
    """A function that sets options of Streamlit's server."""
    now = {"allowedHosts": [], "address": "localhost", "enableCORS": True, "corsAllowedOrigins": [], "baseUrlPath": ""}
    monkeypatch.setattr("pages.server.middleware.get_option", lambda name: now[name.removeprefix("server.")])
    return now.update


OWN = ["localhost:8501", "LOCALHOST", "127.0.0.1:80", "[::1]:8501", "a.localhost", "localhost."]
FOREIGN = ["evil.example", "localhost.evil.example", "", "127.0.0.1.evil.example:8501", "[::1", "a@b:c"]


@pytest.mark.parametrize("host", [*OWN, *FOREIGN])
def test_at_home_only_its_own_names_are_answered_else_those_of_the_setting(settings, host):
    assert is_allowed_host(host) == (host in OWN)
    settings(address="0.0.0.0")
    assert is_allowed_host(host)
    settings(allowedHosts=["nca.example.org", "*.lab.example.org"])
    assert not is_allowed_host(host)
    assert is_allowed_host("nca.example.org:443")
    assert is_allowed_host("a.lab.example.org")
    for other in ("example.org", "xnca.example.org", "lab.example.org", "alab.example.org"):
        assert not is_allowed_host(other)


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


def _page(request):
    """Streamlit's page, as static files are answered."""
    unchanged = "if-none-match" in request.headers
    answer = HTMLResponse(
        "<head><title>Streamlit</title></head><body>…</body>",
        status_code=304 if unchanged else 200,
        headers={"etag": "its file's"},
    )
    for name in ("first", "second"):
        answer.set_cookie(name, "of Streamlit")
    return answer


@pytest.fixture
def client(settings):
    async def echo(socket):
        await socket.accept()
        await socket.close()

    plain = [
        Route("/_stcore/metrics", lambda request: PlainTextResponse("all")),
        Route("/page/{path:path}", _page),
        Route("/{path:path}", lambda request: PlainTextResponse("hello")),
    ]
    compressed = [*MIDDLEWARE, Middleware(GZipMiddleware, minimum_size=1)]  # Streamlit's is below ours, too
    app = Starlette(routes=[*plain, WebSocketRoute("/live", echo)], middleware=compressed)
    with TestClient(app, base_url="http://localhost:8501", client=("127.0.0.1", 5)) as made:
        made.app_under_test = app
        yield made


def test_a_foreign_name_is_refused_everywhere_but_for_the_health_and_told_what_to_set(client):
    evil = {"host": "evil.example:8501"}
    refused = client.get("/", headers=evil)
    assert refused.status_code == 421
    assert 'server.allowedHosts: ["evil.example"]' in refused.text
    assert "set-cookie" not in refused.headers
    assert client.get("/_stcore/health", headers=evil).status_code == 200
    assert client.get("/").status_code == 200
    with pytest.raises(WebSocketDisconnect), client.websocket_connect("/live", headers=evil):
        pass
    with client.websocket_connect("/live", headers={"host": "localhost"}):
        pass


@pytest.mark.parametrize(
    "address", ["https://evil.example", "http://localhost.evil.example", "null", "", "http://[::1"]
)
def test_a_foreign_page_reaches_no_socket_and_sees_why_at_its_pings(client, address):
    """Streamlit would ask an address service in the internet about it, on its event loop."""
    with pytest.raises(WebSocketDisconnect), client.websocket_connect("/live", headers={"origin": address}):
        pass
    for ping in ("/_stcore/health", "/_stcore/host-config"):
        refused = client.get(ping, headers={"referer": f"{address}/page"})
        assert (refused.status_code, "server.corsAllowedOrigins" in refused.text) == (403, True)
        assert client.get(ping).status_code == 200
        assert client.get(ping, headers={"referer": "http://localhost:8501/explore"}).status_code == 200
    assert client.get("/", headers={"referer": f"{address}/page"}).status_code == 200  # a link on another site
    assert client.get("/", headers={"origin": address}).status_code == (400 if "[" in address else 200)


def test_the_metrics_are_for_this_machine_unless_it_is_set_otherwise(client, monkeypatch):
    assert client.get("/_stcore/metrics").text == "all"
    assert client.get("/_stcore/metrics", headers={"x-forwarded-for": "127.0.0.1"}).status_code == 403
    with TestClient(client.app_under_test, base_url="http://localhost", client=("192.0.2.1", 5)) as far:
        assert far.get("/_stcore/metrics").status_code == 403
        assert far.get("/").status_code == 200
        monkeypatch.setenv(METRICS, "1")
        assert far.get("/_stcore/metrics").text == "all"


def test_every_answer_has_its_headers(client):
    for path in ("/", "/_stcore/metrics", "/_stcore/health"):
        headers = client.get(path).headers
        policy = dict(part.split(" ", 1) for part in headers["content-security-policy"].split("; "))
        assert policy["frame-ancestors"] == "'self'"
        assert policy["connect-src"] == policy["default-src"] == "'self'"
        assert "unsafe-eval" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "same-origin"
        assert "camera=()" in headers["permissions-policy"]


def given(client, path="/", **headers):
    """The cookie that an answer sets; None where it sets none."""
    client.cookies.clear()
    return SimpleCookie(client.get(path, headers=headers).headers.get("set-cookie", "")).get(COOKIE)


def test_each_browser_gets_another_one_which_no_script_can_read_and_no_other_site_sends(client):
    one, two = given(client), given(client)
    assert one.value != two.value
    assert owner_of({COOKIE: one.value}) == one.value
    assert one["httponly"]
    assert (one["samesite"], one["path"], one["expires"], one["max-age"]) == ("Lax", "/", "", "")
    assert not one["secure"]
    assert given(client, **{"x-forwarded-proto": "https, http"})["secure"]
    client.base_url = "https://localhost"
    assert given(client)["secure"]


def test_who_has_one_keeps_it_and_what_we_cannot_have_made_is_replaced(client):
    assert given(client, cookie=f"other=1; {COOKIE}={'x' * 43}") is None
    for bad in ("", "short", "x" * 65, "x" * 42 + "é", "../" + "x" * 40):
        assert owner_of({COOKIE: bad}) == ""
    assert given(client, cookie=f"{COOKIE}=short") is not None
    for path in ("/static/js/index.js", "/media/a.png", "/nca/module/v/stage.js", "/base/static/a.css"):
        assert given(client, path) is None  # caches keep these files
    assert given(client, "/compare") is not None


@pytest.mark.parametrize(("page", "reserved"), [("", True), ("compare", True), ("learn", False)])
def test_the_first_html_has_our_style_and_room_for_the_sidebar(client, settings, page, reserved):
    """Without them Streamlit's page moves when its script has loaded."""
    settings(baseUrlPath="page")
    answer = client.get(f"/page/{page}", headers={"accept": "text/html", "if-none-match": "its file's"})
    assert answer.status_code == 200
    assert "etag" not in answer.headers
    assert answer.headers.get_list("content-length") == [str(len(answer.content))]
    assert {"first", "second"} < set(answer.cookies)
    assert "<title>NCA Explorer</title>" in answer.text
    assert answer.text.index("…") < answer.text.index(".stMainBlockContainer {") < answer.text.index("</body>")
    assert ("no-sidebar-yet 4s" in answer.text) is reserved
    # What no browser opens as a page passes unchanged.
    assert client.get("/page/", headers={"accept": "*/*", "if-none-match": "x"}).status_code == 304
    assert client.get("/anything", headers={"accept": "text/html"}).text == "hello"
    with TestClient(Starlette(routes=routes())) as below:
        assert below.get(f"/page/nca/module/{module_version()}/stage.js").status_code == 200
        assert below.get(f"/nca/module/{module_version()}/stage.js").status_code == 404
