"""One browser tab without a browser: Streamlit's socket and the stage's, by their own protocols."""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from dataclasses import dataclass, field
from typing import Any

import httpx
import websockets
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

_PATIENCE = 60.0  # seconds that an answer may take


@dataclass
class Tab:
    """A tab of the app; `host` is host and port, `link` the query of the address.

    Counts the snapshots' messages on the stage's socket.
    """

    host: str
    link: str
    buttons: dict[str, str] = field(default_factory=dict)  # widget ids by label
    stage: dict[str, object] = field(default_factory=dict)  # what the page told the stage last
    states: list[dict[str, object]] = field(default_factory=list)  # of the runs, as the stage's socket told
    messages: int = 0

    async def open(self) -> float:
        """Connect, run the page once, fetch the scene; returns the seconds until then."""
        begun = time.perf_counter()
        async with httpx.AsyncClient() as client:
            cookies = (await client.get(f"http://{self.host}/_stcore/health", timeout=_PATIENCE)).cookies
        self._headers = {"Cookie": "; ".join(f"{name}={value}" for name, value in cookies.items())}
        address = f"ws://{self.host}/_stcore/stream"
        origin: Any = f"http://{self.host}"
        self._page = await websockets.connect(address, max_size=None, origin=origin, additional_headers=self._headers)
        self._done = asyncio.Event()
        self._reading = asyncio.create_task(self._read_page())
        await self._rerun()
        async with httpx.AsyncClient() as client:
            base = f"http://{self.host}{self.stage['base']}/{self.stage['token']}"
            scene = f"{base}/scene/{self.stage['scene']}"
            reply = await client.get(scene, timeout=_PATIENCE, headers=self._headers)
            reply.raise_for_status()
        self._live = asyncio.create_task(self._read_stage())
        return time.perf_counter() - begun

    async def press(self, label: str) -> float:
        """Press a button; returns the seconds until the page has been run and sent."""
        begun = time.perf_counter()
        await self._rerun(self.buttons[label])
        return time.perf_counter() - begun

    async def first_snapshot(self) -> None:
        """Wait until the stage has got something."""
        async with asyncio.timeout(_PATIENCE):
            while not self.messages:
                await asyncio.sleep(0.002)

    async def close(self) -> None:
        for task in (self._live, self._reading):
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError, websockets.ConnectionClosed, OSError):
                await task
        await self._page.close()

    async def _rerun(self, pressed: str | None = None) -> None:
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
                self._keep(message.delta.new_element)

    def _keep(self, element: object) -> None:
        kind = element.WhichOneof("type")  # type: ignore[attr-defined]
        if kind == "button":
            self.buttons[element.button.label] = element.button.id  # type: ignore[attr-defined]
        elif kind == "bidi_component":
            told = element.bidi_component  # type: ignore[attr-defined]
            self.stage = json.loads(told.json or told.mixed.json)

    async def _read_stage(self) -> None:
        """The stage's socket, opened anew for each scene, as the stage does."""
        base = f"ws://{self.host}{self.stage['base']}/{self.stage['token']}/live"
        while True:
            scene = self.stage["scene"]
            address = f"{base}?scene={scene}"
            async with websockets.connect(address, max_size=None, additional_headers=self._headers) as live:
                with contextlib.suppress(websockets.ConnectionClosed):
                    async for data in live:
                        if isinstance(data, str):
                            self.states.append(json.loads(data))
                            continue
                        self.messages += 1
                        await live.send("ack")
            await asyncio.sleep(0.05)

    @property
    def state(self) -> str:
        """Of the training, as the stage was told last."""
        runs = self.states[-1]["runs"] if self.states else {}
        return next((str(run["state"]) for run in runs.values()), "no training yet")  # type: ignore[attr-defined]
