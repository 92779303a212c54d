"""The owner's cookie, which tells one browser from all others: no script can read it, and no link carries it."""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping

from starlette.datastructures import MutableHeaders
from starlette.requests import cookie_parser
from starlette.types import ASGIApp, Message, Receive, Scope, Send

COOKIE = "nca_owner"
# Files that may be kept for good: a cookie in such an answer could be handed to somebody else by a cache on the way.
_FILES = ("/static/", "/media/", "/module/", "/component/")


def owner_of(cookies: Mapping[str, str]) -> str:
    """What the browser's cookie says; "" without one, or with one that we cannot have made."""
    said = cookies.get(COOKIE, "")
    return said if isinstance(said, str) and re.fullmatch(r"[A-Za-z0-9_-]{32,64}", said) else ""


class OwnerCookie:
    """Gives every browser that has none a cookie of its own; it goes when the browser is closed."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or any(part in scope["path"] for part in _FILES) or _has_one(scope):
            await self.app(scope, receive, send)
            return

        async def send_with_cookie(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).append("Set-Cookie", _new(scope))
            await send(message)

        await self.app(scope, receive, send_with_cookie)


def _header(scope: Scope, name: bytes) -> str:
    return b"; ".join(value for key, value in scope["headers"] if key == name).decode("latin-1")


def _has_one(scope: Scope) -> bool:
    return bool(owner_of(cookie_parser(_header(scope, b"cookie"))))


def _new(scope: Scope) -> str:
    # A proxy that ends TLS says so. Who lies here only keeps his own cookie from an address without TLS.
    encrypted = scope["scheme"] == "https" or _header(scope, b"x-forwarded-proto").split(",")[0].strip() == "https"
    secure = "; Secure" if encrypted else ""
    return f"{COOKIE}={secrets.token_urlsafe(32)}; Path=/; HttpOnly; SameSite=Lax{secure}"
