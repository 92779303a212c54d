"""A scene goes out piece by piece as the browser takes it, and few of a workspace are on their way."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor

import pytest
from starlette.applications import Starlette

from pages.server import routes
from pages.server.workspace import HUB
from tests.stage.test_scene import make_scene


@pytest.fixture
def spaces(monkeypatch):
    """Two workspaces; their scenes are sent in many pieces."""
    monkeypatch.setattr(routes, "PIECE", 100)
    made = [HUB.open(), HUB.open()]
    for space in made:
        space.set_scene(make_scene())
    yield made
    for space in made:
        space.forget()


class Browser:
    """Asks for a scene and takes so many messages of the answer, and the others when it is told to."""

    def __init__(self, space, takes):
        self.takes, self.goes_on, self.told = takes, asyncio.Event(), []
        path = f"/nca/{space.token}/scene/{space.shown.version}"
        scope = {"type": "http", "method": "GET", "path": path, "query_string": b"", "headers": []}
        self.task = asyncio.create_task(Starlette(routes=routes.routes())(scope, self._receive, self._send))

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


def carried_out(coroutine):
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, coroutine).result()


def test_who_takes_nothing_keeps_few_scenes_and_nobody_else_waiting(spaces):
    async def many_and_another():
        mine, other = spaces
        stalled = [Browser(mine, 2) for _ in range(routes.AT_ONCE)]
        for browser in stalled:
            await browser.until_told(2)
        await asyncio.sleep(0.02)
        assert [len(browser.body) for browser in stalled] == [100] * routes.AT_ONCE
        refused, served = Browser(mine, 9_999), Browser(other, 9_999)
        await asyncio.wait_for(asyncio.gather(refused.task, served.task), 5)
        assert refused.told[0]["status"] == 503
        assert (b"retry-after", b"1") in refused.told[0]["headers"]
        assert served.body == other.shown.encoded()
        for browser in stalled:
            browser.goes_on.set()
        await asyncio.wait_for(asyncio.gather(*(browser.task for browser in stalled)), 5)
        assert [browser.body for browser in stalled] == [mine.shown.encoded()] * routes.AT_ONCE
        assert dict(stalled[0].told[0]["headers"])[b"content-length"] == str(len(stalled[0].body)).encode()
        again = Browser(mine, 9_999)
        await asyncio.wait_for(again.task, 5)
        assert again.body == mine.shown.encoded()
        assert not routes._sending

    carried_out(many_and_another())


def test_one_that_is_broken_off_keeps_no_place(spaces):
    async def broken_off():
        browser = Browser(spaces[0], 1)
        await browser.until_told(1)
        browser.task.cancel()
        await asyncio.wait({browser.task}, timeout=5)
        assert not routes._sending

    carried_out(broken_off())


@pytest.mark.parametrize("large", [True, False])
def test_the_memory_of_a_large_one_is_given_back(spaces, monkeypatch, large):
    monkeypatch.setattr(routes, "_LARGE", 1 if large else 1e9)
    asked = []
    monkeypatch.setattr(HUB, "trim_memory_soon", lambda: asked.append(True))

    async def one():
        await asyncio.wait_for(Browser(spaces[0], 9_999).task, 5)

    carried_out(one())
    assert asked == [True] * large
