"""The child process that fetches one file: a request on stdin, the body into a file, one JSON object on stdout.

A process of its own, because nothing else ends a name look-up or a read that hangs. It imports the standard library
only, so that it starts quickly.
"""

from __future__ import annotations

import json
import os
import ssl
import sys
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

_CHUNK = 65_536


class Refused(Exception):
    """The kind of failure, with what belongs to it."""

    def __init__(self, kind: str, detail: str = "") -> None:
        super().__init__(kind)
        self.kind, self.detail = kind, detail


def allowed(url: str, schemes: list[str], hosts: list[str]) -> bool:
    """Whether scheme and host of `url` are on the list; "*.a.org" stands for everything below a.org.

    Hosts are names of public sites and https proves that it is them that answer: an address in a private network,
    which has no certificate for such a name, cannot be reached, however the name is resolved.
    """
    try:
        parts = urlsplit(url)
        host = (parts.hostname or "").lower()
        port = parts.port
    except ValueError:
        return False
    if parts.scheme not in schemes or parts.username is not None or parts.password is not None:
        return False
    if parts.scheme == "https" and port not in (None, 443):
        return False
    return any(host == name or (name.startswith("*.") and host.endswith(name[1:])) for name in hosts)


class _Redirects(urllib.request.HTTPRedirectHandler):
    max_redirections = 5
    max_repeats = 3

    def __init__(self, schemes: list[str], hosts: list[str]) -> None:
        self._schemes, self._hosts = schemes, hosts

    def redirect_request(self, req: Any, fp: Any, code: int, msg: str, headers: Any, newurl: str) -> Any:
        if not allowed(newurl, self._schemes, self._hosts):
            raise Refused("host", urlsplit(newurl).hostname or "an address without a host")
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def fetch(request: dict[str, Any]) -> int:
    """Write the body to request["body"]; the number of bytes. The announced size goes to the file beside it."""
    if not allowed(request["url"], request["schemes"], request["hosts"]):
        raise Refused("host", urlsplit(request["url"]).hostname or "an address without a host")
    opener = urllib.request.OpenerDirector()
    # Only these: the usual opener would also open file:, ftp: and data: addresses.
    handlers: list[urllib.request.BaseHandler] = [
        urllib.request.ProxyHandler(),
        urllib.request.HTTPHandler(),
        urllib.request.HTTPSHandler(context=ssl.create_default_context()),
        urllib.request.HTTPDefaultErrorHandler(),
        urllib.request.HTTPErrorProcessor(),
        _Redirects(request["schemes"], request["hosts"]),
    ]
    for handler in handlers:
        opener.add_handler(handler)
    asked = urllib.request.Request(
        request["url"], headers={"User-Agent": "nca-explorer", "Accept": "*/*", "Accept-Encoding": "identity"}
    )
    body, most, parent, size = Path(request["body"]), int(request["file_bytes"]), os.getppid(), 0
    with opener.open(asked, timeout=request["silent_seconds"]) as response, body.open("wb", buffering=0) as file:
        announced = response.headers.get("Content-Length", "")
        total = int(announced) if announced.isdigit() else None
        if total is not None:
            if total > most:
                raise Refused("large", announced)
            Path(request["body"] + ".total").write_text(str(total))
        while chunk := response.read1(_CHUNK):
            size += len(chunk)
            if size > most:
                raise Refused("large")
            if os.getppid() != parent:
                raise Refused("orphaned")
            try:
                file.write(chunk)
            except OSError as error:  # ours, not the site's
                raise Refused("disk", error.strerror or "no reason given") from error
    if total is not None and size != total:
        raise Refused("short", f"{size} {total}")
    return size


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """{"size": bytes} or {"error": kind, "detail": words}."""
    try:
        return {"size": fetch(request)}
    except Refused as refused:
        return {"error": refused.kind, "detail": refused.detail}
    except urllib.error.HTTPError as error:
        # A redirect that urllib itself would not follow: without end, or to another kind of address.
        return {"error": "redirect" if 300 <= error.code < 400 else "status", "detail": str(error.code)}
    except TimeoutError:
        return {"error": "silent", "detail": ""}
    except urllib.error.URLError as error:
        if isinstance(error.reason, TimeoutError):
            return {"error": "silent", "detail": ""}
        if isinstance(error.reason, ssl.SSLError):
            return {"error": "certificate", "detail": ""}
        return {"error": "network", "detail": ""}
    except Exception:  # whatever else a foreign server makes http.client raise: the connection did not work
        return {"error": "broken", "detail": ""}


def main() -> None:
    request = json.loads(sys.stdin.buffer.read())
    print(json.dumps(answer(request)), flush=True)


if __name__ == "__main__":
    main()
