"""By which names the server may be called, and from whose pages: Streamlit's own settings, kept by every route.

A name that is not the server's own means that somebody has let his name point here (DNS rebinding).
"""

from __future__ import annotations

import ipaddress
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from pages.server.streamlit_server import setting

_AT_HOME = ("localhost", "127.0.0.1", "::1")
_HEALTH = "/_stcore/health"  # asked by whoever watches the server, by any name; it tells nothing


def hostname(address: str) -> str:
    """The name in a Host header or an origin; "" where there is none."""
    try:
        return (urlsplit(address if "//" in address else f"//{address}").hostname or "").rstrip(".")
    except ValueError:
        return ""


def _netloc(origin: str) -> str | None:
    """Name and port of an origin; None where it is no address."""
    try:
        return urlsplit(origin).netloc
    except ValueError:
        return None


def is_allowed_host(host: str) -> bool:
    """Whether the server answers to a Host header: to the names in `server.allowedHosts`.

    Without that setting a server that listens to its own machine only answers to the names of that, any other to all.
    """
    name, allowed = (
        hostname(host),
        [each.strip().lower().rstrip(".") for each in setting("allowedHosts")],
    )
    if allowed:
        return any(each == "*" or name == each or (each[:2] == "*." and name.endswith(each[1:])) for each in allowed)
    if setting("address") not in _AT_HOME:
        return True
    return name in _AT_HOME or name.endswith(".localhost")


def is_own_page(origin: str | None, host: str) -> bool:
    """Whether a page from `origin` may read what is told to its owner; as Streamlit decides of its own socket."""
    if origin is None or _netloc(origin) == host or not setting("enableCORS"):
        return True
    named = [setting("address") or "", *setting("corsAllowedOrigins")]
    return hostname(origin) in {*_AT_HOME, *map(hostname, named)} - {""}


class AllowedHosts:
    """Refuses whatever is asked by a name that is not the server's, and says what to set."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan" or scope["path"].endswith(_HEALTH):
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if _netloc(headers.get("origin", "")) is None:  # no browser's; Streamlit would fail on it
            await _refuse(PlainTextResponse("The origin is no address.\n", status_code=400), scope, receive, send)
        elif is_allowed_host(host):
            await self.app(scope, receive, send)
        else:
            name = hostname(host)[:100]
            words = f'This server does not answer to the name "{name}". If it shall, start it with that name in the '
            words += f'setting server.allowedHosts, such as ["{name}"].\n'
            await _refuse(PlainTextResponse(words, status_code=421), scope, receive, send)


async def _refuse(reply: PlainTextResponse, scope: Scope, receive: Receive, send: Send) -> None:
    """By that reply; on a socket, which has not been opened yet, without words."""
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008, "reason": "This name is not allowed."})
    else:
        await reply(scope, receive, send)


def is_this_machine(scope: Scope) -> bool:
    """Whether somebody on this machine asks, and not a proxy on it for somebody else."""
    client, headers = scope.get("client"), Headers(scope=scope)
    if client is None or "x-forwarded-for" in headers or "forwarded" in headers:
        return False
    try:
        address = ipaddress.ip_address(client[0])
    except ValueError:
        return False
    mapped = getattr(address, "ipv4_mapped", None)
    return (mapped or address).is_loopback
