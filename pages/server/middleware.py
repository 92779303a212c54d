"""ASGI middleware around every route: hosts and origins, security headers, local metrics, the owner's cookie."""

import contextlib
import ipaddress
import logging
import os
import re
import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware.base import BaseHTTPMiddleware, RequestResponseEndpoint
from starlette.requests import HTTPConnection, Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit import get_option

COOKIE = "nca_owner"
METRICS = "NCA_EXPLORER_METRICS"  # 1 opens the metrics to other machines
# Cached for good: a shared cache could give a cookie in such an answer to another browser.
_FILES = ("/static/", "/media/", "/module/", "/component/")
_log = logging.getLogger(__name__)
_LOCAL = ("localhost", "127.0.0.1", "::1")
_HEALTH, _METRICS = "/_stcore/health", "/_stcore/metrics"
_PINGS = (_HEALTH, "/_stcore/host-config")  # a page requests them before its socket
_POLICY = {
    "default-src": "'self'",
    # Streamlit and we use inline scripts; a component's JavaScript is a blob.
    "script-src": "'self' 'unsafe-inline' blob:",
    "style-src": "'self' 'unsafe-inline'",  # Streamlit and Plotly set inline styles
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
    "Referrer-Policy": "same-origin",  # the address holds settings
    "Permissions-Policy": "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Cross-Origin-Opener-Policy": "same-origin",
}
_WITH_SIDEBAR = ("", "explore", "compare", "understand")
# "Not modified" would keep the style of an older version, and what is compressed cannot be written into.
_DROPPED_HEADERS = (b"if-none-match", b"if-modified-since", b"accept-encoding")
_FILE_HEADERS = (b"content-length", b"etag", b"last-modified")


class Guard:
    """Refuse foreign hosts, origins and remote requests for metrics; add security headers and the owner's cookie."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        request = HTTPConnection(scope)
        refusal = _refusal(request)
        if scope["type"] == "websocket" and refusal is None:
            await self.app(scope, receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008, "reason": "This host or origin is not allowed."})
        else:
            needs_cookie = refusal is None and not owner_of(request.cookies)
            needs_cookie = needs_cookie and not any(part in scope["path"] for part in _FILES)

            async def send_with_headers(message: Message) -> None:
                if message["type"] == "http.response.start":
                    headers = MutableHeaders(scope=message)
                    for name, value in _HEADERS.items():
                        headers.setdefault(name, value)
                    if needs_cookie:
                        headers.append("Set-Cookie", _new_cookie(request))
                await send(message)

            await (refusal or self.app)(scope, receive, send_with_headers)


def _refusal(request: HTTPConnection) -> PlainTextResponse | None:
    path, host = request.scope["path"], request.headers.get("host", "")
    # Streamlit would look foreign origins up in the internet, on its event loop. A page's pings are refused as well, by
    # their Referer, since a page shows a refused ping but not a refused socket.
    page = request.headers.get("referer" if path.endswith(_PINGS) else "origin")
    if (request.scope["type"] == "websocket" or path.endswith(_PINGS)) and not is_own_page(page, host):
        _log.warning("Origin %.100r refused at host %.100r: see server.corsAllowedOrigins.", page, host)
        return PlainTextResponse("This origin is not allowed. Add it to server.corsAllowedOrigins.\n", 403)
    if path.endswith(_HEALTH):  # for monitoring, under any name
        return None
    if _netloc(request.headers.get("origin", "")) is None:  # Streamlit would fail on it
        return PlainTextResponse("The Origin header is no address.\n", 400)
    if not is_allowed_host(host):
        name = hostname(host)[:100]
        return PlainTextResponse(f'Host "{name}" not allowed. Add it to server.allowedHosts: ["{name}"].\n', 421)
    if path.endswith(_METRICS) and os.environ.get(METRICS) != "1" and not is_this_machine(request):
        return PlainTextResponse("The metrics are for this machine only.\n", 403)
    return None


# -- the owner's cookie


def owner_of(cookies: Mapping[str, str]) -> str:
    """Owner in a browser's cookies; "" if missing or malformed."""
    owner = cookies.get(COOKIE, "")
    return owner if isinstance(owner, str) and re.fullmatch(r"[A-Za-z0-9_-]{32,64}", owner) else ""


def _new_cookie(request: HTTPConnection) -> str:
    """A session cookie; Secure if the browser or the proxy uses TLS."""
    forwarded = request.headers.get("x-forwarded-proto", "").split(",")[0].strip()
    secure = "; Secure" if "https" in (request.scope["scheme"], forwarded) else ""
    return f"{COOKIE}={secrets.token_urlsafe(32)}; Path=/; HttpOnly; SameSite=Lax{secure}"


# -- hosts and origins


def setting(name: str) -> Any:
    """A setting of Streamlit's server, such as "baseUrlPath"."""
    return get_option(f"server.{name}")


def hostname(address: str) -> str:
    """Host name in a Host header or origin; "" if malformed."""
    with contextlib.suppress(ValueError):
        return (urlsplit(address if "//" in address else f"//{address}").hostname or "").rstrip(".")
    return ""


def _netloc(origin: str) -> str | None:
    """Name and port of an origin; None if malformed."""
    with contextlib.suppress(ValueError):
        return urlsplit(origin).netloc
    return None


def is_allowed_host(host: str) -> bool:
    """Whether `server.allowedHosts` has a Host header's name.

    Without that setting, a server that listens on localhost allows local names, any other server all names.
    """
    name, allowed = hostname(host), [each.strip().lower().rstrip(".") for each in setting("allowedHosts")]
    if allowed:
        return any(each == "*" or name == each or (each[:2] == "*." and name.endswith(each[1:])) for each in allowed)
    return setting("address") not in _LOCAL or name in _LOCAL or name.endswith(".localhost")


def is_own_page(origin: str | None, host: str) -> bool:
    """Whether a page from `origin` may use the owner's cookie; as Streamlit's own socket decides."""
    if origin is None or _netloc(origin) == host or not setting("enableCORS"):
        return True
    named = [setting("address") or "", *setting("corsAllowedOrigins")]
    return hostname(origin) in {*_LOCAL, *map(hostname, named)} - {""}


def is_this_machine(request: HTTPConnection) -> bool:
    """Whether the request comes from this machine, not through a proxy."""
    if request.client is None or "x-forwarded-for" in request.headers or "forwarded" in request.headers:
        return False
    try:
        address = ipaddress.ip_address(request.client.host)
    except ValueError:
        return False
    return (getattr(address, "ipv4_mapped", None) or address).is_loopback


_STYLE, _SCRIPT = ((Path(__file__).parents[1] / name).read_text(encoding="utf-8") for name in ("main.css", "main.js"))
# Room for the sidebar until it is there. Without an end, a page that has none would stay narrow.
_ROOM_FOR_SIDEBAR = """
@media (min-width: 768px) {
  [data-testid="stAppViewContainer"]:not(:has([data-testid="stSidebar"])) { animation: no-sidebar-yet 4s step-end; }
}
@keyframes no-sidebar-yet { from { padding-left: 300px; } }
"""


class FirstHtml(BaseHTTPMiddleware):
    """Put our title, script and style into Streamlit's HTML page."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or "text/html" not in Headers(scope=scope).get("accept", ""):
            await self.app(scope, receive, send)
        else:
            kept = [pair for pair in scope["headers"] if pair[0] not in _DROPPED_HEADERS]
            await super().__call__({**scope, "headers": kept}, receive, send)

    async def dispatch(self, request: Request, call_next: RequestResponseEndpoint) -> Response:
        found: Any = await call_next(request)
        if "text/html" not in found.headers.get("content-type", ""):
            return found
        page = b"".join([piece async for piece in found.body_iterator]).decode()
        name = request.url.path.strip("/").removeprefix(setting("baseUrlPath").strip("/")).strip("/")
        room = _ROOM_FOR_SIDEBAR if name in _WITH_SIDEBAR else ""
        # Our script before Streamlit's, our style after Streamlit's, which is in the head.
        page = page.replace("<title>Streamlit</title>", f"<title>NCA Explorer</title><script>{_SCRIPT}</script>")
        page = page.replace("</body>", f"<style>{_STYLE}{room}</style></body>")
        answer = Response(page, found.status_code)
        # Length, etag and date are of the file without the style.
        answer.raw_headers += [pair for pair in found.raw_headers if pair[0] not in _FILE_HEADERS]
        return answer
