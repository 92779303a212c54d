"""What stands around every route: response headers, allowed hosts, the owner's cookie, a guard before uploads."""

from __future__ import annotations

import os

from starlette.datastructures import MutableHeaders
from starlette.middleware import Middleware
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pages.server.hosts import AllowedHosts, is_this_machine
from pages.server.hub import HUB
from pages.server.memory import waiting_bytes
from pages.server.owner import OwnerCookie
from pages.server.uploads_guard import UploadsGuard

METRICS = "NCA_EXPLORER_METRICS"  # 1: the metrics are for everybody who reaches the server
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
    # The settings stand in the address, the name of a table among them: other sites must not be told of it.
    "Referrer-Policy": "same-origin",
    "Permissions-Policy": "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Cross-Origin-Opener-Policy": "same-origin",
}


class _SecurityHeaders:
    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        await self.app(scope, receive, send_with_headers)


class _MetricsAtHome:
    """Streamlit's metrics tell how many people are here, and how much memory they take."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        asked = scope["type"] == "http" and scope["path"].endswith("/_stcore/metrics")
        if asked and os.environ.get(METRICS) != "1" and not is_this_machine(scope):
            await PlainTextResponse("The metrics are for this machine only.\n", 403)(scope, receive, send)
            return
        await self.app(scope, receive, send)


MIDDLEWARE = [
    Middleware(_SecurityHeaders),
    Middleware(AllowedHosts),
    Middleware(_MetricsAtHome),
    Middleware(OwnerCookie),
    Middleware(UploadsGuard, waiting=lambda: waiting_bytes(HUB)),
]
