"""GatheredWrites: what is written to a browser in one turn of the server's loop goes out in one piece.

A page is about a hundred messages. At each one that goes out the interpreter's lock is let go, and while others
compute it takes milliseconds until they give it back.
"""

from __future__ import annotations

import asyncio
from typing import Any, cast

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

AT_MOST = 65_536  # bytes that are gathered; from there on the transport says when it is too much


class GatheredWrites:
    """A transport whose writes go out at the end of the turn; it is else the one that it stands before."""

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        self._transport, self._loop = transport, loop
        self._gathered: list[bytes] = []
        self._size = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)

    def write(self, data: bytes) -> None:
        """Send `data`, after what was written before it."""
        if not self._gathered:
            self._loop.call_soon(self._send)
        self._gathered.append(data)
        self._size += len(data)
        if self._size >= AT_MOST:
            self._send()

    def close(self) -> None:
        """Close it once what was written is sent."""
        self._send()
        self._transport.close()

    def _send(self) -> None:
        gathered, self._gathered, self._size = self._gathered, [], 0
        if gathered:
            self._transport.write(b"".join(gathered))


class GatheringProtocol(WebSocketsSansIOProtocol):
    """Uvicorn's protocol of sockets, the one that Streamlit asks for, with such a transport."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        gathered: Any = GatheredWrites(cast(asyncio.Transport, transport), self.loop)
        super().connection_made(gathered)
