"""The limits, asked of `streamlit run app.py` itself."""

import asyncio
import contextlib
import resource
from pathlib import Path

import httpx
import pytest
import websockets

from benchmarks.server import Server, Tab
from pages.server.middleware import COOKIE
from pages.server.routes import TOO_MANY, UNKNOWN
from pages.server.workspace import MOST_SOCKETS
from tests.run_apart import run_apart

pytestmark = pytest.mark.skipif(not Path("/proc").exists(), reason="The limits of a process are read from /proc.")


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """The app, begun with few descriptors."""
    made = Server(NCA_EXPLORER_STORE=str(tmp_path_factory.mktemp("state") / "store"), NCA_EXPLORER_DASK="")
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(soft, 256), hard))
    try:
        made.start()
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    yield made
    made.stop()


def get(server, path, **headers):
    return httpx.get(f"http://{server.host}{path}", headers=headers, timeout=60)


def test_the_limit_of_descriptors_is_raised(server):
    limits = Path(f"/proc/{server.process.pid}/limits").read_text().splitlines()
    soft, hard = next(line.split()[3:5] for line in limits if line.startswith("Max open files"))
    assert int(soft) == min(int(hard), 65_536) > 256


def test_the_middleware_is_around_every_page(server):
    refused = get(server, "/", host="evil.example")
    assert (refused.status_code, "server.allowedHosts" in refused.text) == (421, True)
    page = get(server, "/")
    assert "frame-ancestors 'self'" in page.headers["content-security-policy"]
    assert f"{COOKIE}=" in page.headers["set-cookie"]


def test_few_sockets_show_a_workspace_and_none_without_its_cookie(server):
    async def work():
        tab = Tab(server.host, "recipe=2&data=iris")
        await tab.open()
        async with contextlib.AsyncExitStack() as stack:
            stack.push_async_callback(tab.close)
            address = f"ws://{server.host}{tab.stage['base']}/{tab.stage['token']}/live?scene={tab.stage['scene']}"

            async def another(headers):
                return await stack.enter_async_context(websockets.connect(address, additional_headers=headers))

            async def closed(live):
                with contextlib.suppress(TimeoutError, websockets.ConnectionClosed):
                    async with asyncio.timeout(2):
                        async for _ in live:
                            pass
                return live.close_code

            foreign = {"Cookie": f"{COOKIE}={'b' * 43}"}
            sockets = [await another(headers) for headers in [tab.headers] * MOST_SOCKETS + [foreign]]
            return await asyncio.gather(*map(closed, sockets))

    # The tab has one itself; which of those opened together comes first is the server's affair.
    *codes, foreign = run_apart(work())
    assert sorted(codes, key=str) == sorted([None] * (MOST_SOCKETS - 1) + [TOO_MANY], key=str)
    assert foreign == UNKNOWN
