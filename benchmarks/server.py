"""The app in a process of its own, and a browser tab without a browser: Streamlit's socket and the stage's."""

import asyncio
import contextlib
import json
import os
import socket
import statistics
import struct
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

import httpx
import psutil
import websockets
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

ROOT = Path(__file__).resolve().parents[1]
_PATIENCE = 60.0  # seconds that an answer may take


class Server:
    """`streamlit run` of `entry` on a free port of this machine, with `environment` added to that of this process."""

    def __init__(self, entry: Path = ROOT / "app.py", **environment: str) -> None:
        with socket.socket() as free:
            free.bind(("localhost", 0))
            self.port: int = free.getsockname()[1]
        self.host = f"localhost:{self.port}"
        self._base = environment.get("STREAMLIT_SERVER_BASE_URL_PATH", "")
        # Its store is in a temporary home.
        self._home = tempfile.TemporaryDirectory(prefix="nca-home-", ignore_cleanup_errors=True)
        self._entry = entry
        self._environment = {"XDG_STATE_HOME": self._home.name, **environment}
        self._log: BinaryIO = tempfile.TemporaryFile()  # noqa: SIM115

    def start(self) -> float:
        """Start it; the seconds until it was healthy."""
        begun = time.perf_counter()
        command = [sys.executable, "-m", "streamlit", "run", str(self._entry), "--server.port", str(self.port)]
        options = ["--server.headless", "true", "--browser.gatherUsageStats", "false"]
        self._child = subprocess.Popen(
            command + options,
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            stdout=self._log,
            stderr=subprocess.STDOUT,
            env={**os.environ, **self._environment},
            start_new_session=True,
        )
        self.process = psutil.Process(self._child.pid)
        while time.perf_counter() - begun < 120:
            with contextlib.suppress(httpx.HTTPError):
                if httpx.get(f"http://{self.host}{self._base}/_stcore/health", timeout=1).status_code == 200:
                    return time.perf_counter() - begun
            time.sleep(0.02)
        self.kill()
        raise SystemExit("The server did not start.\n" + self.log()[-2_000:])

    def rest(self) -> None:
        """Wait until the background loading and compiling is done."""
        until = time.monotonic() + 120
        while time.monotonic() < until:
            used = sum(self.process.cpu_times()[:2])
            time.sleep(1.0)
            if sum(self.process.cpu_times()[:2]) - used < 0.1 and not self.process.children():
                return

    def kill(self) -> None:
        """Kill the process alone, as a system out of memory does."""
        self._child.kill()
        self._child.wait(20)

    def stop(self) -> None:
        """Terminate the server and end what it left running."""
        if self._child.poll() is None:
            self._child.terminate()
            try:
                self._child.wait(20)
            except subprocess.TimeoutExpired:
                self.kill()
        self.end_orphans()

    def orphans(self) -> list[psutil.Process]:
        """The processes of its session that live without it."""
        if not hasattr(os, "getsid"):
            return []  # Windows has no sessions
        found = []
        for process in psutil.process_iter():
            with contextlib.suppress(psutil.Error, OSError):
                here = process.pid != self._child.pid and os.getsid(process.pid) == self._child.pid
                if here and process.status() != psutil.STATUS_ZOMBIE:
                    found.append(process)
        return found

    def end_orphans(self) -> int:
        """End them; returns how many there were."""
        found = self.orphans()
        for process in found:
            with contextlib.suppress(psutil.Error):
                process.kill()
        return len(found)

    def log(self) -> str:
        """Its output since the first start."""
        self._log.seek(0)
        said = self._log.read().decode("utf-8", "replace")
        self._log.seek(0, os.SEEK_END)
        return said

    def level(self) -> tuple[float, int, int]:
        process = self.process
        return process.memory_info().rss / 1e6, process.num_threads(), process.num_fds()


def words(level: tuple[float, int, int]) -> str:
    return f"{level[0]:.0f} MB, {level[1]} threads, {level[2]} descriptors"


def line(what: str, seconds: list[float]) -> str:
    """Median, 95th percentile and maximum."""
    if not seconds:
        return f"{what}: none"
    ordered = sorted(seconds)
    p95 = ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))]
    return f"{what}: median {statistics.median(ordered):.3f} s, p95 {p95:.3f} s, most {ordered[-1]:.3f} s"


@dataclass
class Tab:
    """A tab of the app; `host` is host and port, `link` the query of the address."""

    host: str
    link: str
    buttons: dict[str, str] = field(default_factory=dict)  # widget ids by label
    stage: dict[str, object] = field(default_factory=dict)  # data of the stage, as the page sent it last
    states: list[dict[str, object]] = field(default_factory=list)  # of the runs, from the stage's socket
    messages: int = 0  # with snapshots
    arrivals: list[float] = field(default_factory=list)  # of each snapshot of the last run
    closed: list[tuple[int, str]] = field(default_factory=list)  # how the stage's socket was closed
    cookies: dict[str, str] = field(default_factory=dict)
    _run: int = -1  # number of the run that sends

    async def open(self) -> float:
        """Connect, run the page once, fetch the scene; returns the seconds until then."""
        begun = time.perf_counter()
        if not self.cookies:
            async with httpx.AsyncClient() as client:
                self.cookies = dict((await client.get(f"http://{self.host}/_stcore/health", timeout=_PATIENCE)).cookies)
        self.headers = {"Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())}
        address = f"ws://{self.host}/_stcore/stream"
        origin: Any = f"http://{self.host}"
        self._page = await websockets.connect(address, max_size=None, origin=origin, additional_headers=self.headers)
        self._done = asyncio.Event()
        self._tasks = [asyncio.create_task(self._read_page())]
        await self.rerun()
        await self.scene()
        self._tasks.append(asyncio.create_task(self._read_stage()))
        return time.perf_counter() - begun

    async def scene(self) -> bytes:
        address = f"http://{self.host}{self.stage['base']}/{self.stage['token']}/scene/{self.stage['scene']}"
        async with httpx.AsyncClient() as client:
            reply = await client.get(address, timeout=_PATIENCE, headers=self.headers)
            reply.raise_for_status()
            return reply.content

    async def press(self, label: str) -> float:
        """Press a button; returns the seconds until the page has been run and sent."""
        begun = time.perf_counter()
        await self.rerun(self.buttons[label])
        return time.perf_counter() - begun

    async def first_snapshot(self) -> None:
        async with asyncio.timeout(_PATIENCE):
            while not self.messages:
                await asyncio.sleep(0.002)

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError, websockets.WebSocketException, OSError):
                await task
        await self._page.close()

    async def rerun(self, pressed: str | None = None) -> None:
        """Run the page; `pressed` is the id of a pressed button."""
        message = BackMsg()
        message.rerun_script.query_string = self.link
        if pressed is not None:
            message.rerun_script.widget_states.widgets.add(id=pressed, trigger_value=True)
        self._done.clear()
        await self._page.send(message.SerializeToString())
        async with asyncio.timeout(_PATIENCE):
            await self._done.wait()

    async def _read_page(self) -> None:
        async for data in self._page:
            message = ForwardMsg()
            message.ParseFromString(data if isinstance(data, bytes) else data.encode())
            kind = message.WhichOneof("type")
            if kind == "script_finished":
                self._done.set()
            elif kind == "page_info_changed":
                self.link = message.page_info_changed.query_string
            elif kind == "delta" and message.delta.WhichOneof("type") == "new_element":
                element = message.delta.new_element
                if element.WhichOneof("type") == "button":
                    self.buttons[element.button.label] = element.button.id
                elif element.WhichOneof("type") == "bidi_component":
                    sent = element.bidi_component
                    self.stage = json.loads(sent.json or sent.mixed.json)

    async def _read_stage(self) -> None:
        """The stage's socket, opened anew for each scene and after a cut, as the stage does."""
        while True:
            runs: Any = self.states[-1]["runs"] if self.states else {}
            here = [key for key in runs if runs[key]["run"] == self._run]
            after = ",".join(f"{key}:{self._run}:{len(self.arrivals)}" for key in here)
            base = f"ws://{self.host}{self.stage['base']}/{self.stage['token']}/live"
            address = f"{base}?scene={self.stage['scene']}&after={after}"
            with contextlib.suppress(OSError, websockets.WebSocketException):
                async with websockets.connect(address, max_size=None, additional_headers=self.headers) as live:
                    with contextlib.suppress(websockets.ConnectionClosed):
                        async for data in live:
                            if isinstance(data, str):
                                self.states.append(json.loads(data))
                            else:
                                self._count(data)
                                await live.send("ack")
                    self.closed.append((live.close_code or 0, live.close_reason or ""))
            await asyncio.sleep(0.05)

    def _count(self, data: bytes) -> None:
        """As `stage.wire` writes it: panel, run, short run, how many snapshots."""
        self.messages += 1
        _, run, short, count = (int(number) for number in struct.unpack_from("<4d", data))
        if run != self._run:
            self._run = run
            self.arrivals.clear()
        self.arrivals += [time.perf_counter()] * (0 if short else count)

    @property
    def state(self) -> str:
        """State of the training, as last received."""
        runs = self.states[-1]["runs"] if self.states else {}
        return next((str(run["state"]) for run in runs.values()), "no training yet")  # type: ignore[attr-defined]
