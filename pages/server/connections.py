"""Connections: as many as the system allows, some for everybody, and none that says nothing or takes nothing.

Uvicorn waits for ever for the first line of a request, and for a browser to take what it was sent; below, such a
connection is closed after a while. It has no setting for that, so its own class of protocol is put in the place where
it looks it up when the server starts.
"""

from __future__ import annotations

import asyncio
import contextlib
import sys
from collections import defaultdict
from typing import Any

from uvicorn.protocols.http import auto
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from pages.server.gathered_writes import GatheringProtocol

PATIENCE = 20.0  # seconds for the head of a request, and for a byte of an answer to be taken
_WANTED = 65_536  # descriptors
_SHARE = 0.75  # of all descriptors that one address may take: a proxy has one address for everybody behind it
_SPARE = 64  # descriptors for files, children and listening sockets
_here: dict[str, set[asyncio.Transport]] = defaultdict(set)


def raise_descriptor_limit() -> int:
    """As many descriptors as the system lets us have without asking; how many there may be now."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return _WANTED
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _WANTED if hard == resource.RLIM_INFINITY else min(hard, _WANTED)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
            return wanted
    return _WANTED if soft == resource.RLIM_INFINITY else soft


def patient_protocol(plain: type[Any], descriptors: int, patience: float = PATIENCE) -> type[Any]:
    """Uvicorn's protocol `plain`, with a limit to its patience and to the connections of an address and of all."""
    most = max(1, descriptors - _SPARE)
    most_of_one = max(1, int(_SHARE * most))

    class PatientProtocol(plain):
        def __init__(self, *args: Any, **options: Any) -> None:
            super().__init__(*args, **options)
            if self.config.ws_protocol_class is WebSocketsSansIOProtocol:
                self.ws_protocol_class = GatheringProtocol

        def connection_made(self, transport: Any) -> None:
            super().connection_made(transport)
            address = self.client[0] if self.client else ""
            _here[address] = {each for each in _here[address] if not _is_over(each)}
            if len(_here[address]) >= most_of_one or sum(map(len, _here.values())) >= most:
                transport.abort()
                return
            _here[address].add(transport)
            self.loop.call_later(patience, self._look, transport, address, None, None)

        def _look(self, transport: Any, address: str, before: object, left_before: object) -> None:
            """Close it where no request is being answered and none has come about since the last look, and where the
            browser has taken nothing of what waits for it."""
            upgraded = transport.get_protocol() is not self
            idle = self.cycle is None or self.cycle.response_complete
            left = _left(transport)
            stalled = left[0] > 0 and left == left_before
            if not upgraded and (stalled or (idle and not left[0] and self.cycle is before)):
                transport.abort()
            if _is_over(transport):
                _here[address].discard(transport)
                if not _here[address]:
                    del _here[address]
                return
            self.loop.call_later(patience, self._look, transport, address, self.cycle, left)

    return PatientProtocol


def _is_over(transport: Any) -> bool:
    """A transport that was closed stays until the browser has taken the rest."""
    return transport.is_closing() and not transport.get_write_buffer_size()


def _left(transport: Any) -> tuple[int, int]:
    """Bytes that wait here, and those that the system has and the browser has not."""
    here = transport.get_write_buffer_size()
    try:
        import fcntl
        import termios

        there = fcntl.ioctl(transport.get_extra_info("socket").fileno(), termios.TIOCOUTQ, bytes(4))
        return here, int.from_bytes(there, sys.byteorder)
    except (ImportError, OSError, ValueError, AttributeError):  # not on Linux, or just closed
        return here, 0


def install() -> None:
    """Before the server starts: raise the limit, and be patient with nobody for ever."""
    auto.AutoHTTPProtocol = patient_protocol(auto.AutoHTTPProtocol, raise_descriptor_limit())
