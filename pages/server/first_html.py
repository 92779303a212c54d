"""The first HTML of a page: our script runs before Streamlit's, and with our style nothing moves when that loads."""

from __future__ import annotations

from pathlib import Path

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pages.server.middleware import setting

_PAGES = Path(__file__).resolve().parents[1]
_STYLE, _SCRIPT = ((_PAGES / name).read_text(encoding="utf-8") for name in ("main.css", "main.js"))
# Room for the sidebar until it is there. Without an end, a page that has none would stay narrow.
_ROOM_FOR_SIDEBAR = """
@media (min-width: 768px) {
  [data-testid="stAppViewContainer"]:not(:has([data-testid="stSidebar"])) { animation: no-sidebar-yet 4s step-end; }
}
@keyframes no-sidebar-yet { from { padding-left: 300px; } }
"""
_WITH_SIDEBAR = ("", "explore", "compare", "understand")
# "Not modified" would keep the style of an older version, and what is compressed cannot be written into.
_NOT_ASKED = (b"if-none-match", b"if-modified-since", b"accept-encoding")


class FirstHtml:
    """Put our title and style into Streamlit's page; what is no page passes."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or "text/html" not in Headers(scope=scope).get("accept", ""):
            await self.app(scope, receive, send)
            return
        start: Message | None = None
        body = b""

        async def send_with_style(message: Message) -> None:
            nonlocal start, body
            if message["type"] == "http.response.start" and "text/html" in Headers(raw=message["headers"]).get(
                "content-type", ""
            ):
                start = message
            elif start is None:
                await send(message)
            else:
                body += message.get("body", b"")
                if not message.get("more_body"):
                    body = with_style(body.decode(), scope["path"]).encode()
                    headers = MutableHeaders(scope=start)
                    headers["content-length"] = str(len(body))
                    del headers["etag"], headers["last-modified"]  # of the file without the style
                    await send(start)
                    await send({"type": "http.response.body", "body": body})

        asked = [pair for pair in scope["headers"] if pair[0] not in _NOT_ASKED]
        await self.app({**scope, "headers": asked}, receive, send_with_style)


def with_style(page: str, path: str) -> str:
    """Our title and script before Streamlit's scripts; our style after Streamlit's styles, which stand in the head."""
    name = path.strip("/").removeprefix(setting("baseUrlPath").strip("/")).strip("/")
    room = _ROOM_FOR_SIDEBAR if name in _WITH_SIDEBAR else ""
    page = page.replace("<title>Streamlit</title>", f"<title>NCA Explorer</title><script>{_SCRIPT}</script>")
    return page.replace("</body>", f"<style>{_STYLE}{room}</style></body>")
