"""ASGI middleware around every route: hosts and origins, security headers, local metrics, the owner's cookie."""

from __future__ import annotations

import ipaddress
import logging
import os
import re
import secrets
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit import get_option

COOKIE = "nca_owner"
METRICS = "NCA_EXPLORER_METRICS"  # 1: the metrics are for everybody who reaches the server
# Files that are cached for good: a cache on the way could hand a cookie in such an answer to somebody else.
_FILES = ("/static/", "/media/", "/module/", "/component/")
_log = logging.getLogger(__name__)
_LOCAL = ("localhost", "127.0.0.1", "::1")
_HEALTH, _METRICS = "/_stcore/health", "/_stcore/metrics"
_PINGS = (_HEALTH, "/_stcore/host-config")  # requested by a page before it opens its socket
_POLICY = {
    "default-src": "'self'",
    # Streamlit's page and our few lines on it are inline scripts, and a component's JavaScript is a blob.
    "script-src": "'self' 'unsafe-inline' blob:",
    "style-src": "'self' 'unsafe-inline'",  # Streamlit and Plotly write styles where they draw
    "img-src": "'self' data: blob:",
    "font-src": "'self' data:",
    "media-src": "'self' data: blob:",
    "worker-src": "'self' blob:",
    "connect-src": "'self'",
    "object-src": "'none'",
    "base-uri": "'self'",
    "form-action": "'self'",
    "frame-src": "'self' blob: data:",
    "frame-ancestors": "'self'",
}
_HEADERS = {
    "Content-Security-Policy": "; ".join(f"{name} {sources}" for name, sources in _POLICY.items()),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "SAMEORIGIN",
    "Referrer-Policy": "same-origin",  # the address holds the settings, among them the name of a table
    "Permissions-Policy": "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Cross-Origin-Opener-Policy": "same-origin",
}


class Guard:
    """Refuse foreign hosts, origins and remote requests for metrics; add security headers and the owner's cookie."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        asks = HTTPConnection(scope)
        refusal = _refusal(asks)
        if scope["type"] == "websocket" and refusal is None:
            await self.app(scope, receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008, "reason": "This host or origin is not allowed."})
        else:
            needs_cookie = refusal is None and not owner_of(asks.cookies)
            needs_cookie = needs_cookie and not any(part in scope["path"] for part in _FILES)

            async def send_with_headers(message: Message) -> None:
                if message["type"] == "http.response.start":
                    headers = MutableHeaders(scope=message)
                    for name, value in _HEADERS.items():
                        headers.setdefault(name, value)
                    if needs_cookie:
                        headers.append("Set-Cookie", _new_cookie(asks))
                await send(message)

            await (refusal or self.app)(scope, receive, send_with_headers)


def _refusal(asks: HTTPConnection) -> PlainTextResponse | None:
    path, host = asks.scope["path"], asks.headers.get("host", "")
    # Streamlit would look a foreign origin up in the internet, on its event loop. A page whose socket would be refused
    # is refused its pings as well, by its Referer: a refused ping is shown on the page, a refused socket is not.
    page = asks.headers.get("referer" if path.endswith(_PINGS) else "origin")
    if (asks.scope["type"] == "websocket" or path.endswith(_PINGS)) and not is_own_page(page, host):
        _log.warning("Origin %.100r refused at host %.100r: see server.corsAllowedOrigins.", page, host)
        return PlainTextResponse("This origin is not allowed. Add it to server.corsAllowedOrigins.\n", 403)
    if path.endswith(_HEALTH):  # requested by monitoring, under any name
        return None
    if _netloc(asks.headers.get("origin", "")) is None:  # no browser's; Streamlit would fail on it
        return PlainTextResponse("The Origin header is no address.\n", 400)
    if not is_allowed_host(host):
        name = hostname(host)[:100]
        return PlainTextResponse(f'Host "{name}" not allowed. Add it to server.allowedHosts: ["{name}"].\n', 421)
    # They tell how many people are here, and how much memory they take.
    if path.endswith(_METRICS) and os.environ.get(METRICS) != "1" and not is_this_machine(asks):
        return PlainTextResponse("The metrics are for this machine only.\n", 403)
    return None


# -- the owner's cookie


def owner_of(cookies: Mapping[str, str]) -> str:
    """The owner in a browser's cookies; "" without one, or if we cannot have made it."""
    owner = cookies.get(COOKIE, "")
    return owner if isinstance(owner, str) and re.fullmatch(r"[A-Za-z0-9_-]{32,64}", owner) else ""


def _new_cookie(asks: HTTPConnection) -> str:
    """A cookie until the browser is closed; for TLS only if the browser, or a proxy that ends TLS, uses it."""
    forwarded = asks.headers.get("x-forwarded-proto", "").split(",")[0].strip()
    secure = "; Secure" if "https" in (asks.scope["scheme"], forwarded) else ""
    return f"{COOKIE}={secrets.token_urlsafe(32)}; Path=/; HttpOnly; SameSite=Lax{secure}"


# -- hosts and origins


def setting(name: str) -> Any:
    """One of Streamlit's settings of the server, such as "baseUrlPath"."""
    return get_option(f"server.{name}")


def hostname(address: str) -> str:
    """The name in a Host header or an origin; "" if there is none."""
    try:
        return (urlsplit(address if "//" in address else f"//{address}").hostname or "").rstrip(".")
    except ValueError:
        return ""


def _netloc(origin: str) -> str | None:
    """Name and port of an origin; None if it is no address."""
    try:
        return urlsplit(origin).netloc
    except ValueError:
        return None


def is_allowed_host(host: str) -> bool:
    """Whether the server answers to a Host header: to the names in `server.allowedHosts`.

    Without that setting a server that listens to its own machine only answers to the names of that, any other to all.
    """
    name, allowed = hostname(host), [each.strip().lower().rstrip(".") for each in setting("allowedHosts")]
    if allowed:
        return any(each == "*" or name == each or (each[:2] == "*." and name.endswith(each[1:])) for each in allowed)
    if setting("address") not in _LOCAL:
        return True
    return name in _LOCAL or name.endswith(".localhost")


def is_own_page(origin: str | None, host: str) -> bool:
    """Whether a page from `origin` may read what belongs to the owner; the rule of Streamlit's own socket."""
    if origin is None or _netloc(origin) == host or not setting("enableCORS"):
        return True
    named = [setting("address") or "", *setting("corsAllowedOrigins")]
    return hostname(origin) in {*_LOCAL, *map(hostname, named)} - {""}


def is_this_machine(asks: HTTPConnection) -> bool:
    """Whether the request comes from this machine, and not through a proxy on it."""
    if asks.client is None or "x-forwarded-for" in asks.headers or "forwarded" in asks.headers:
        return False
    try:
        address = ipaddress.ip_address(asks.client.host)
    except ValueError:
        return False
    return (getattr(address, "ipv4_mapped", None) or address).is_loopback
