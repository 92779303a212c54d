"""One browser tab without a browser: Streamlit's socket and the stage's, by their own protocols."""

from __future__ import annotations

import asyncio
import contextlib
import json
import struct
import time
import uuid
from dataclasses import dataclass, field
from typing import Any

import httpx
import websockets
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState

_PATIENCE = 60.0  # seconds that an answer may take


@dataclass
class Tab:
    """A tab of the app; `host` is host and port, `link` the query of the address."""

    host: str
    link: str
    with_stage: bool = True
    buttons: dict[str, str] = field(default_factory=dict)  # widget ids by label
    uploaders: dict[str, str] = field(default_factory=dict)  # the same
    ids: list[str] = field(default_factory=list)  # of all widgets of the page as it was run last
    stage: dict[str, object] = field(default_factory=dict)  # what the page told the stage last
    states: list[dict[str, object]] = field(default_factory=list)  # of the runs, as the stage's socket told
    said: list[str] = field(default_factory=list)  # texts of the page as it was run last
    messages: int = 0  # with snapshots
    arrivals: list[float] = field(default_factory=list)  # of each snapshot of the last run
    closed: list[tuple[int, str]] = field(default_factory=list)  # how the stage's socket was closed
    widgets: dict[str, WidgetState] = field(default_factory=dict)  # what stays from run to run
    cookies: dict[str, str] = field(default_factory=dict)
    session: str = ""
    fragment: str = ""  # id of the one that was drawn last
    _run: int = -1  # number of the run that sends

    async def open(self) -> float:
        """Connect, run the page once, fetch the scene; returns the seconds until then."""
        begun = time.perf_counter()
        if not self.cookies:
            async with httpx.AsyncClient() as client:
                self.cookies = dict((await client.get(f"http://{self.host}/_stcore/health", timeout=_PATIENCE)).cookies)
        self._headers = {"Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())}
        address = f"ws://{self.host}/_stcore/stream"
        origin: Any = f"http://{self.host}"
        self._page = await websockets.connect(address, max_size=None, origin=origin, additional_headers=self._headers)
        self._done = asyncio.Event()
        self._tasks = [asyncio.create_task(self._read_page())]
        await self.rerun()
        if self.with_stage:
            await self.scene()
            self._tasks.append(asyncio.create_task(self._read_stage()))
        return time.perf_counter() - begun

    async def scene(self) -> bytes:
        """Fetch what the stage shows."""
        address = f"http://{self.host}{self.stage['base']}/{self.stage['token']}/scene/{self.stage['scene']}"
        async with httpx.AsyncClient() as client:
            reply = await client.get(address, timeout=_PATIENCE, headers=self._headers)
            reply.raise_for_status()
            return reply.content

    async def press(self, label: str) -> float:
        """Press a button; returns the seconds until the page has been run and sent."""
        begun = time.perf_counter()
        await self.rerun(self.buttons[label])
        return time.perf_counter() - begun

    async def upload(self, label: str, name: str, data: bytes) -> int:
        """Drop a file on a field; the status with which it was taken. The page is not run yet: see `rerun`."""
        file_id = str(uuid.uuid4())
        address = f"/_stcore/upload_file/{self.session}/{file_id}"
        headers = {**self._headers, "X-Xsrftoken": self.cookies.get("_streamlit_xsrf", "")}
        async with httpx.AsyncClient() as client:
            reply = await client.put(
                f"http://{self.host}{address}", files={"file": (name, data)}, headers=headers, timeout=300
            )
        state = WidgetState(id=self.uploaders[label])
        file = state.file_uploader_state_value.uploaded_file_info.add(file_id=file_id, name=name, size=len(data))
        file.file_urls.file_id, file.file_urls.upload_url, file.file_urls.delete_url = file_id, address, address
        self.widgets[label] = state
        return reply.status_code

    async def first_snapshot(self) -> None:
        """Wait until the stage has got something."""
        async with asyncio.timeout(_PATIENCE):
            while not self.messages:
                await asyncio.sleep(0.002)

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError, websockets.WebSocketException, OSError):
                await task
        await self._page.close()

    async def rerun(self, pressed: str | None = None, patience: float = _PATIENCE) -> None:
        """Have the page run, as a press of the widget with that id does it."""
        message = BackMsg()
        message.rerun_script.query_string = self.link
        for state in self.widgets.values():
            message.rerun_script.widget_states.widgets.append(state)
        if pressed is not None:
            message.rerun_script.widget_states.widgets.add(id=pressed, trigger_value=True)
        self._done.clear()
        await self._page.send(message.SerializeToString())
        async with asyncio.timeout(patience):
            await self._done.wait()

    async def say(self, message: bytes) -> None:
        """Send anything to the page's socket."""
        await self._page.send(message)

    @property
    def headers(self) -> dict[str, str]:
        """With which this browser asks."""
        return self._headers

    async def _read_page(self) -> None:
        async for data in self._page:
            message = ForwardMsg()
            message.ParseFromString(data if isinstance(data, bytes) else data.encode())
            kind = message.WhichOneof("type")
            if kind == "script_finished":
                self._done.set()
            elif kind == "new_session":
                self.session = message.new_session.initialize.session_id or self.session
                self.said.clear()
                self.ids.clear()
            elif kind == "page_info_changed":
                self.link = message.page_info_changed.query_string
            elif kind == "delta" and message.delta.WhichOneof("type") == "new_element":
                self.fragment = message.delta.fragment_id or self.fragment
                self._keep(message.delta.new_element)

    def _keep(self, element: Any) -> None:
        kind = element.WhichOneof("type")
        if widget := getattr(getattr(element, kind), "id", ""):
            self.ids.append(widget)
        if kind == "button":
            self.buttons[element.button.label] = element.button.id
        elif kind == "file_uploader":
            self.uploaders[element.file_uploader.label] = element.file_uploader.id
        elif kind in ("alert", "markdown", "toast"):
            self.said.append(getattr(element, kind).body)
        elif kind == "bidi_component":
            told = element.bidi_component
            self.stage = json.loads(told.json or told.mixed.json)

    async def _read_stage(self) -> None:
        """The stage's socket, opened anew for each scene and after a cut, as the stage does."""
        while True:
            base = f"ws://{self.host}{self.stage['base']}/{self.stage['token']}/live"
            address = f"{base}?scene={self.stage['scene']}&after={self._has()}"
            with contextlib.suppress(OSError, websockets.WebSocketException):
                async with websockets.connect(address, max_size=None, additional_headers=self._headers) as live:
                    with contextlib.suppress(websockets.ConnectionClosed):
                        async for data in live:
                            if isinstance(data, str):
                                self.states.append(json.loads(data))
                                continue
                            self._count(data)
                            await live.send("ack")
                    self.closed.append((live.close_code or 0, live.close_reason or ""))
            await asyncio.sleep(0.05)

    def _count(self, data: bytes) -> None:
        """As `pages.stage.wire` writes it: panel, run, short run, how many snapshots."""
        self.messages += 1
        _, run, short, count = (int(number) for number in struct.unpack_from("<4d", data))
        if run != self._run:
            self._run = run
            self.arrivals.clear()
        self.arrivals += [time.perf_counter()] * (0 if short else count)

    def _has(self) -> str:
        runs: Any = self.states[-1]["runs"] if self.states else {}
        return ",".join(f"{key}:{self._run}:{len(self.arrivals)}" for key in runs if runs[key]["run"] == self._run)

    @property
    def state(self) -> str:
        """Of the training, as the stage was told last."""
        runs = self.states[-1]["runs"] if self.states else {}
        return next((str(run["state"]) for run in runs.values()), "no training yet")  # type: ignore[attr-defined]
