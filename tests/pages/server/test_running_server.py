"""The limits, asked of `streamlit run app.py` itself."""

from __future__ import annotations

import asyncio
import contextlib
import resource
from pathlib import Path

import httpx
import pytest
import websockets

from benchmarks.server import Server, Tab, table
from pages.server.live import UNKNOWN
from pages.server.middleware import COOKIE
from pages.server.routes import TOO_MANY
from pages.server.workspace import MOST_SOCKETS
from tests.run_apart import run_apart

FIELD = "Your own table"
pytestmark = pytest.mark.skipif(not Path("/proc").exists(), reason="The limits of a process are read from /proc.")


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """The app with room for small tables only, begun with few descriptors."""
    store = tmp_path_factory.mktemp("state") / "store"
    made = Server(NCA_EXPLORER_STORE=str(store), NCA_EXPLORER_TABLES_MB="20", NCA_EXPLORER_DASK="")
    made.store = store
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(soft, 256), hard))
    try:
        made.start()
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    yield made
    made.stop()


@contextlib.asynccontextmanager
async def opened(server, **options):
    tab = Tab(server.host, "recipe=2&data=iris", **options)
    await tab.open()
    try:
        yield tab
    finally:
        await tab.close()


def get(server, path, **headers):
    return httpx.get(f"http://{server.host}{path}", headers=headers, timeout=60)


def test_the_limit_of_descriptors_is_raised(server):
    limits = Path(f"/proc/{server.process.pid}/limits").read_text().splitlines()
    soft, hard = next(line.split()[3:5] for line in limits if line.startswith("Max open files"))
    assert int(soft) == min(int(hard), 65_536) > 256


def test_foreign_hosts_and_far_metrics_are_refused(server):
    refused = get(server, "/", host="evil.example")
    assert (refused.status_code, "server.allowedHosts" in refused.text) == (421, True)
    assert get(server, "/_stcore/health", host="evil.example").status_code == 200
    assert get(server, "/_stcore/metrics").status_code == 200
    assert get(server, "/_stcore/metrics", **{"x-forwarded-for": "192.0.2.1"}).status_code == 403


def test_pages_carry_the_headers_and_a_cookie(server):
    page = get(server, "/")
    assert "frame-ancestors 'self'" in page.headers["content-security-policy"]
    assert f"{COOKIE}=" in page.headers["set-cookie"]


def test_sockets_of_foreign_pages_are_refused_before_streamlit_looks_them_up(server):
    async def handshake(path):
        with pytest.raises(websockets.InvalidStatus) as refused:
            await websockets.connect(f"ws://{server.host}{path}", origin="https://evil.example")
        return refused.value.response.status_code

    async def ten():
        return await asyncio.gather(*(handshake(path) for path in ["/_stcore/stream", "/nca/x/live"] * 5))

    assert run_apart(ten()) == [403] * 10
    assert server.log().count("Origin 'https://evil.example' refused") == 10


def test_a_session_takes_files_from_its_own_browser_only(server):
    async def work():
        async with opened(server, with_stage=False) as tab:
            own = tab.headers
            tab.headers = {"Cookie": own["Cookie"].replace(tab.cookies[COOKIE], "b" * 43)}
            foreign = await tab.upload(FIELD, "foreign.csv", table(0.01))
            tab.headers = own
            return foreign, await tab.upload(FIELD, "own.csv", table(0.01))

    assert run_apart(work()) == (403, 204)


def test_a_table_beyond_the_memory_for_tables_is_refused_with_the_room_there_is(server):
    async def work():
        async with opened(server, with_stage=False) as tab:
            assert await tab.upload(FIELD, "large.csv", table(6)) == 204
            await tab.rerun()
            return " ".join(tab.said).replace("\\", "")

    assert "large.csv has 6 MB, but the tables in use leave room for a file of" in run_apart(work())


def test_uploads_that_stall_are_ended_and_another_one_arrives(server):
    async def stalled(tab):
        reader, writer = await asyncio.open_connection("localhost", server.port)
        path = f"/_stcore/upload_file/{tab.session}/{'f' * 32}"
        head = f"PUT {path} HTTP/1.1\r\nHost: {server.host}\r\nCookie: {tab.headers['Cookie']}\r\n"
        head += f"X-Xsrftoken: {tab.cookies['_streamlit_xsrf']}\r\n"
        writer.write(
            (head + "Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 9000\r\n\r\n--b").encode()
        )
        status = int((await reader.readline()).split()[1])
        writer.close()
        return status

    async def work():
        async with contextlib.AsyncExitStack() as stack:
            *slow, other = [await stack.enter_async_context(opened(server, with_stage=False)) for _ in range(4)]
            waiting = [asyncio.create_task(stalled(tab)) for tab in slow]
            await asyncio.sleep(0.5)
            arrived = await other.upload(FIELD, "small.csv", table(0.01))
            return [await each for each in waiting], arrived

    assert run_apart(work()) == ([408] * 3, 204)


def test_few_sockets_show_a_workspace_and_none_without_its_cookie(server):
    async def work():
        async with opened(server) as tab, contextlib.AsyncExitStack() as stack:
            address = f"ws://{server.host}{tab.stage['base']}/{tab.stage['token']}/live?scene={tab.stage['scene']}"

            async def another(headers):
                live = await stack.enter_async_context(websockets.connect(address, additional_headers=headers))
                with contextlib.suppress(TimeoutError, websockets.ConnectionClosed):
                    async with asyncio.timeout(1):
                        async for _ in live:
                            pass
                return live.close_code

            codes = [await another(tab.headers) for _ in range(MOST_SOCKETS)]
            return codes, await another({"Cookie": f"{COOKIE}={'b' * 43}"})

    codes, foreign = run_apart(work())
    assert codes == [None] * (MOST_SOCKETS - 1) + [TOO_MANY]  # the tab has one itself
    assert foreign == UNKNOWN


def test_a_store_that_is_gone_and_back_is_told_to_an_open_page(server):
    async def told(tab, problem):
        async with asyncio.timeout(60):
            while tab.states[-1]["problem"] != problem:
                await asyncio.sleep(0.1)

    async def work():
        async with opened(server) as tab:
            while not tab.states:
                await asyncio.sleep(0.1)
            await told(tab, "")
            server.store.rename(aside := server.store.with_name("aside"))
            await tab.press("Train")  # something to save
            await told(tab, "The database file cannot be opened")
            await tab.rerun()
            assert any("cannot save your work" in said for said in tab.said)
            aside.rename(server.store)
            await told(tab, "")

    run_apart(work())


def test_a_store_among_other_files_is_refused_and_touches_none(tmp_path):
    photo = tmp_path / "photos" / "2026"
    photo.mkdir(parents=True)
    (photo / "sea.jpg").write_bytes(b"sea")
    server = Server(NCA_EXPLORER_STORE=str(tmp_path))
    try:
        server.start()

        async def work():
            async with opened(server, with_stage=False) as tab:
                return " ".join(tab.said)

        said = run_apart(work())
        assert "The store must be a folder of its own" in said
        assert "also holds photos" in server.log()
    finally:
        server.stop()
    assert (photo / "sea.jpg").read_bytes() == b"sea"
    assert [each.name for each in tmp_path.iterdir()] == ["photos"]
