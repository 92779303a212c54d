"""UploadsGuard: few files arrive at a time, and a session keeps few of those that it sent."""

from __future__ import annotations

import asyncio

from starlette.types import ASGIApp, Receive, Scope, Send

from pages.server.streamlit_server import keep_few_uploads

AT_ONCE = 4  # files on their way, each of up to 50 MB
KEPT = 3  # files of a session; no page has more fields
_PATH = "/_stcore/upload_file/"


class UploadsGuard:
    """Around Streamlit's route for uploads, which keeps all that it gets for as long as the session lives."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self._turns = asyncio.Semaphore(AT_ONCE)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "PUT" or _PATH not in scope["path"]:
            await self.app(scope, receive, send)
            return
        async with self._turns:
            await self.app(scope, receive, send)
        keep_few_uploads(scope["path"].partition(_PATH)[2].partition("/")[0], KEPT)
