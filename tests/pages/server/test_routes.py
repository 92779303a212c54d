"""The stage's routes: files, scenes and how they are sent, and who may open the live socket."""

import asyncio
import json
from types import SimpleNamespace

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from pages.server import routes as routes_module
from pages.server.middleware import COOKIE
from pages.server.routes import RUN_AGAIN, UNKNOWN, routes
from pages.server.saver import SAVER, Saver
from pages.server.store import Store
from pages.server.workspace import HUB, Hub
from stage.module_files import module_version
from tests.run_apart import run_apart
from tests.stage.test_scene import make_scene


@pytest.fixture
def client():
    with TestClient(Starlette(routes=routes())) as made:
        yield made


@pytest.fixture
def space():
    made = HUB.open()
    made.set_scene(make_scene())
    yield made
    made.discard()


def closed(client, address, cookie=""):
    """(code, reason) with which a socket is closed at once."""
    headers = {"cookie": cookie}
    with client.websocket_connect(address, headers=headers) as socket, pytest.raises(WebSocketDisconnect) as closed:
        socket.receive_text()
    return closed.value.code, closed.value.reason


def test_a_token_opens_nothing_without_the_cookie_of_its_owner(client, space):
    ann, bob = "a" * 43, "b" * 43
    assert closed(client, "/nca/wrong/live")[0] == UNKNOWN
    assert client.get("/nca/wrong/scene/1").status_code == 404
    space.owner = ann
    for cookie in ("", f"{COOKIE}={bob}", f"{COOKIE}=", "other=1"):
        assert client.get(f"/nca/{space.token}/scene/1", headers={"cookie": cookie}).status_code == 404
        assert closed(client, f"/nca/{space.token}/live?scene=1", cookie)[0] == UNKNOWN
        assert not space.attached
    headers = {"cookie": f"{COOKIE}={ann}"}
    assert client.get(f"/nca/{space.token}/scene/1", headers=headers).content == space.shown.encoded()
    for other in ("0", "2", "x"):  # versions
        assert client.get(f"/nca/{space.token}/scene/{other}", headers=headers).status_code == 409
    assert client.get(f"/nca/{HUB.open(ann).token}/scene/0", headers=headers).status_code == 404  # it has none
    with client.websocket_connect(f"/nca/{space.token}/live?scene=1", headers=headers) as socket:
        assert json.loads(socket.receive_text()) == {"scene": 1, "runs": {}, "problem": ""}


def test_a_page_of_before_a_restart_is_told_to_its_owner_only_that_it_can_come_back(client, tmp_path, monkeypatch):
    """As long as something of his is kept that nobody has taken up yet."""
    ann, bob = "a" * 43, "b" * 43
    before = Saver(hub := Hub())
    before._store = Store(str(tmp_path), 1_800)
    token = hub.open(ann).token
    before.save_all()
    hub.shutdown()  # that server was ended; this one has the same store
    monkeypatch.setattr(SAVER, "_store", Store(str(tmp_path), 1_800))

    def reason(cookie):
        code, why = closed(client, f"/nca/{token}/live?scene=1", f"{COOKIE}={cookie}")
        assert code == UNKNOWN
        return why

    assert reason(ann) == RUN_AGAIN
    assert "Reload" in reason(bob)
    assert "Reload" in reason("")
    monkeypatch.setattr(SAVER, "_store", None)
    assert "Reload" in reason(ann)


def test_module_files(client):
    module = client.get(f"/nca/module/{module_version()}/stage.js")
    assert module.headers["content-type"].startswith("text/javascript")
    assert "immutable" in module.headers["cache-control"]
    assert client.get("/nca/module/old/stage.js").headers["cache-control"] == "no-store"
    assert client.get("/nca/module/1/palette.json").headers["content-type"].startswith("application/json")
    for name in ("nothing.js", "../scene.py", "%2e%2e%2fscene.py", "scene.py", "x" * 5_000 + ".js", "a%00b.js"):
        assert client.get(f"/nca/module/1/{name}").status_code == 404


@pytest.fixture
def spaces(monkeypatch):
    """Two workspaces; their scenes are sent in many pieces."""
    monkeypatch.setattr(routes_module, "PIECE", 100)
    made = [HUB.open(), HUB.open()]
    for space in made:
        space.set_scene(make_scene())
    yield made
    for space in made:
        space.discard()


class Browser:
    """Asks for a scene and takes so many messages of the answer, and the others when it is told to."""

    def __init__(self, space, takes):
        self.takes, self.goes_on, self.told = takes, asyncio.Event(), []
        path = f"/nca/{space.token}/scene/{space.shown.version}"
        scope = {"type": "http", "method": "GET", "path": path, "query_string": b"", "headers": []}
        self.task = asyncio.create_task(Starlette(routes=routes())(scope, self._receive, self._send))

    async def _receive(self):
        await asyncio.sleep(60)

    async def _send(self, message):
        if len(self.told) >= self.takes:
            await self.goes_on.wait()
        self.told.append(message)

    @property
    def body(self):
        return b"".join(message.get("body", b"") for message in self.told)

    async def until_told(self, n):
        async with asyncio.timeout(5):
            while len(self.told) < n:
                await asyncio.sleep(0.005)


def test_who_takes_nothing_keeps_few_scenes_and_nobody_else_waiting(spaces):
    async def many_and_another():
        mine, other = spaces
        stalled = [Browser(mine, 2) for _ in range(routes_module.AT_ONCE)]
        for browser in stalled:
            await browser.until_told(2)
        await asyncio.sleep(0.02)
        assert [len(browser.body) for browser in stalled] == [100] * routes_module.AT_ONCE
        refused, served = Browser(mine, 9_999), Browser(other, 9_999)
        await asyncio.wait_for(asyncio.gather(refused.task, served.task), 5)
        assert refused.told[0]["status"] == 503
        assert (b"retry-after", b"1") in refused.told[0]["headers"]
        assert served.body == other.shown.encoded()
        for browser in stalled:
            browser.goes_on.set()
        await asyncio.wait_for(asyncio.gather(*(browser.task for browser in stalled)), 5)
        assert [browser.body for browser in stalled] == [mine.shown.encoded()] * routes_module.AT_ONCE
        assert dict(stalled[0].told[0]["headers"])[b"content-length"] == str(len(stalled[0].body)).encode()
        again = Browser(mine, 9_999)
        await asyncio.wait_for(again.task, 5)
        assert again.body == mine.shown.encoded()
        broken_off = Browser(mine, 1)
        await broken_off.until_told(1)
        broken_off.task.cancel()
        await asyncio.wait({broken_off.task}, timeout=5)
        assert not routes_module._sending

    run_apart(many_and_another())


@pytest.mark.parametrize("large", [True, False])
def test_the_memory_of_a_large_one_is_given_back(spaces, monkeypatch, large):
    monkeypatch.setattr(routes_module, "_LARGE", 1 if large else 1e9)
    hub = SimpleNamespace(find=HUB.find, trim_soon=False)
    monkeypatch.setattr(routes_module, "HUB", hub)

    async def one():
        await asyncio.wait_for(Browser(spaces[0], 9_999).task, 5)

    run_apart(one())
    assert hub.trim_soon == large
