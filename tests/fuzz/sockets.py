"""Mutated messages to the two sockets and the routes of a server; its log, its memory and a page are looked at."""

import asyncio
import contextlib
import random
import re
import time
from collections import Counter
from collections.abc import Awaitable, Callable

import websockets
from streamlit.proto.BackMsg_pb2 import BackMsg

from benchmarks.server import Server, Tab, words
from tests.fuzz.mutate import mutated

_AT_ONCE = 8
# MB, threads, descriptors, after as many messages again. Streamlit holds up to 128 sessions for two minutes after their
# page has left, with three descriptors each.
_MOST_GROWTH = 60.0, 6, 400
_LINK = "recipe=2&data=wine&nca.max_iter=5"
_NAMES = (
    "recipe",
    "data",
    "held_out",
    "pace",
    "nca.max_iter",
    "nca.objective",
    "panels",
    "run",
    "train",
    "lesson",
    "ask",
)

_UPGRADE = (
    "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
)
_WARM_UP = 24  # times 5 s at most
_REST = 30  # times 3 s at most


def fuzz_sockets(n_messages: int, seed: int) -> list[str]:
    """What went wrong."""
    server = Server()
    try:
        server.start()
        return asyncio.run(_fuzz(server, n_messages, seed))
    finally:
        server.stop()


async def _fuzz(server: Server, n_messages: int, seed: int) -> list[str]:
    found = []
    tab = Tab(server.host, _LINK)
    await tab.open()
    await tab.press("Train")
    await tab.first_snapshot()
    await _warmed_up(server)
    for what, send in (("stage's socket", _to_stage), ("Streamlit's socket", _to_page), ("routes", _to_routes)):
        rng, begun = random.Random(seed), time.perf_counter()
        await _many(lambda rng=rng, send=send: send(server, tab, rng), max(1, n_messages // 5))
        before = await _rested(server)
        await _many(lambda rng=rng, send=send: send(server, tab, rng), n_messages - n_messages // 5)
        after = await _rested(server)
        took = time.perf_counter() - begun
        print(f"{what:18} {n_messages} messages in {took:.0f} s: {words(before)} -> {words(after)}", flush=True)
        if any(new - old > most for old, new, most in zip(before, after, _MOST_GROWTH, strict=True)):
            found.append(f"{what}: it grew from {words(before)} to {words(after)}")
    for page in _PAGES:
        await page.close()
    log = server.log()
    found += [f"log, {count} times: {fault}" for fault, count in Counter(_faults(log)).most_common(30)]
    again = Tab(server.host, _LINK)
    await again.open()
    await again.press("Train")
    await again.first_snapshot()
    await again.close()
    await tab.close()
    return found


def _faults(log: str) -> list[str]:
    """Of each traceback the last place and what was raised, and every other line that is an error."""
    found = [line for line in log.splitlines() if " ERROR " in line]
    for traceback in re.findall(r"^Traceback.*?(?=^\d{4}-|\Z)", log, re.MULTILINE | re.DOTALL):
        lines = traceback.rstrip().splitlines()
        places = [line.strip() for line in lines if line.lstrip().startswith("File ")]
        raised = next((line for line in reversed(lines) if re.match(r"[\w.]+(:|$)", line)), lines[-1])
        found.append(f"{raised[:200]} at {places[-1] if places else 'no place'}")
    return found


async def _many(one: Callable[[], Awaitable[None]], count: int) -> None:
    left = count

    async def worker() -> None:
        nonlocal left
        while left > 0:
            left -= 1
            with contextlib.suppress(OSError, websockets.WebSocketException, TimeoutError, asyncio.IncompleteReadError):
                await asyncio.wait_for(one(), 20)

    await asyncio.gather(*(worker() for _ in range(_AT_ONCE)))


async def _warmed_up(server: Server) -> None:
    """What a server loads and compiles after its start is no growth."""
    before = (await _rested(server))[0]
    for _ in range(_WARM_UP):
        await asyncio.sleep(5.0)
        now = (await _rested(server))[0]
        if now < before + 2.0:
            return
        before = now


async def _rested(server: Server) -> tuple[float, int, int]:
    """Once all has been answered: of each page fifty presses may wait for their turn."""
    for _ in range(_REST):
        used = sum(server.process.cpu_times()[:2])
        await asyncio.sleep(3)
        if sum(server.process.cpu_times()[:2]) - used < 0.3:
            break
    return server.level()


# -- one message each


def _query(rng: random.Random) -> str:
    text = mutated(b"scene=1&after=nca:1:3,pca:0:0", rng).decode("latin-1")
    return re.sub(r"[^!-~]", lambda found: f"%{ord(found[0]) % 256:02x}", text).replace("#", "%23")


async def _to_stage(server: Server, tab: Tab, rng: random.Random) -> None:
    """With its owner's cookie and a mutated query, or a sound one and a mutated message."""
    sound = f"scene={tab.stage['scene']}&after=nca:1:{rng.randint(-2, 9)}"
    query = sound if rng.random() < 0.7 else _query(rng)
    address = f"ws://{server.host}{tab.stage['base']}/{tab.stage['token']}/live?{query}"
    async with websockets.connect(address, max_size=None, additional_headers=tab.headers) as live:
        said = mutated(b"ack", rng)
        await live.send(said if rng.random() < 0.5 else said.decode("utf-8", "replace"))
        if rng.random() < 0.5:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(live.recv(), 0.05)


_PAGES: list[Tab] = []  # open, and nobody's turn


async def _to_page(server: Server, tab: Tab, rng: random.Random) -> None:
    """A message of a page: its bytes mutated, or its parts; a few lines are used again and again, as a page does."""
    if _PAGES:
        page = _PAGES.pop(0)
    else:
        page = Tab(server.host, _LINK, with_stage=False)
        await page.open()
    try:
        await page.say(_message(page, rng))
        if rng.random() < 0.2:
            await asyncio.sleep(0.02)
    except BaseException:
        await page.close()
        raise
    if rng.random() < 0.005:
        await page.close()
    else:
        _PAGES.append(page)


def _message(page: Tab, rng: random.Random) -> bytes:
    message = BackMsg()
    names = rng.sample(_NAMES, 3)
    query = "&".join(f"{name}={mutated(rng.choice((b'wine', b'2', b'0.25')), rng).decode('latin-1')}" for name in names)
    message.rerun_script.query_string = page.link if rng.random() < 0.6 else query
    for widget in rng.sample(page.ids, min(len(page.ids), rng.randint(0, 4))):
        state = message.rerun_script.widget_states.widgets.add(id=widget)
        text = mutated(rng.choice((b'{"scene": 1, "indices": [1, 2], "total": 2}', b"nca", b"[1, 2]")), rng)
        said = text.decode("utf-8", "replace")
        values = {
            "json_value": said,
            "json_trigger_value": said,
            "string_value": said,
            "int_value": rng.choice((0, 1, -1, 2**31, 2**53)),
            "double_value": rng.choice((0.0, -1.0, 1e308, float("inf"), float("nan"))),
            "trigger_value": True,
            "bool_value": rng.random() < 0.5,
        }
        name = rng.choice((*values, "string_array_value"))
        if name in values:
            setattr(state, name, values[name])
        else:
            state.string_array_value.data.extend([said, said])
    data = message.SerializeToString()
    return mutated(data, rng) if rng.random() < 0.5 else data


async def _to_routes(server: Server, tab: Tab, rng: random.Random) -> None:
    """A request with something broken in it, as bytes."""
    stage = f"{tab.stage['base']}/{tab.stage['token']}"
    path = rng.choice((
        f"{stage}/scene/{tab.stage['scene']}", f"{stage}/live", "/nca/module/1/stage.js", "/", "/compare?recipe=2",
        "/_stcore/health", "/_stcore/host-config", "/_stcore/stream", "/_stcore/metrics", "/media/x", "/static/x.js",
        f"/_stcore/upload_file/{tab.session}/f", "/component/nca_stage/x", "/_stcore/upload_file/x/y",
    ))  # fmt: skip
    method = rng.choice(("GET", "GET", "GET", "PUT", "DELETE", "POST", "HEAD", "OPTIONS"))
    put = method == "PUT"
    file = b'--b\r\nContent-Disposition: form-data; name="f"; filename="t.csv"\r\n\r\na,b\r\n--b--\r\n'
    body = file if put else b""
    cookie = "; ".join(f"{name}={value}" for name, value in tab.cookies.items())
    head = f"{method} {path} HTTP/1.1\r\nHost: {server.host}\r\nCookie: {cookie}\r\nOrigin: http://{server.host}\r\n"
    if put:
        head += f"X-Xsrftoken: {tab.cookies.get('_streamlit_xsrf', '')}\r\n"
        head += f"Content-Type: multipart/form-data; boundary=b\r\nContent-Length: {len(body)}\r\n"
    if path.endswith(("live", "stream")):
        head += _UPGRADE
    reading, writing = await asyncio.open_connection("localhost", server.port)
    try:
        writing.write(mutated(f"{head}\r\n".encode() + body, rng))
        writing.write_eof()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(reading.read(100_000), 0.5)
    finally:
        writing.close()
        with contextlib.suppress(OSError):
            await writing.wait_closed()
