"""A little OpenML on this machine: canned answers, and faults on demand. No test uses the internet."""

import hashlib
import json
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from datasets.downloads.cache import Cache
from datasets.downloads.fetch import Site
from datasets.downloads.openml import Server

SITE = Site("OpenML", ("127.0.0.1",), ("http",))


class LittleOpenML:
    """Serves `pages` (path -> bytes, or a function of the handler) and counts what was asked for."""

    def __init__(self, folder):
        self.pages: dict[str, bytes | Callable] = {}
        self.asked: list[str] = []
        self.release = threading.Event()  # handlers that stall wait for it, so that no thread outlives a test
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                outer.asked.append(self.path)
                page = outer.pages.get(self.path)
                if page is None:
                    self.send_error(404)
                elif callable(page):
                    page(self)
                else:
                    self.send_response(200)
                    self.send_header("Content-Length", str(len(page)))
                    self.end_headers()
                    self.wfile.write(page)

            def log_message(self, *args):
                pass

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._http.daemon_threads = True
        self._http.hold = self.release  # pages that stall wait for it
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.05})
        self._thread.start()
        self.base = f"http://127.0.0.1:{self._http.server_address[1]}"
        self.server = Server(self.base, SITE, Cache(folder))

    def close(self):
        self.release.set()
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    def add(self, data_id: int, name: str, arff: bytes, **about):
        """A data set with its description and file; `about` overrides what the description says."""
        path = f"/data/v1/download/{data_id}/{name}.arff"
        self.pages[path] = arff
        description = {
            "id": str(data_id),
            "name": name,
            "version": "1",
            "format": "ARFF",
            "licence": "Public",
            "status": "active",
            "url": self.base + path,
            "default_target_attribute": "class",
            "md5_checksum": hashlib.md5(arff).hexdigest(),
            **about,
        }
        body = {"data_set_description": {key: value for key, value in description.items() if value is not None}}
        self.pages[f"/api/v1/json/data/{data_id}"] = json.dumps(body).encode()
        return path

    def name(self, name: str, *data_ids: int):
        versions = [{"did": k, "name": name, "version": v + 1, "status": "active"} for v, k in enumerate(data_ids)]
        page = f"/api/v1/json/data/list/data_name/{name}/limit/2/status/active/"
        self.pages[page] = json.dumps({"data": {"dataset": versions}}).encode()


def arff_of(columns: dict[str, str], rows: list[str]) -> bytes:
    lines = ["% made by a test", "@RELATION t", *(f"@ATTRIBUTE {name} {kind}" for name, kind in columns.items())]
    return "\n".join([*lines, "@DATA", *rows, ""]).encode()


FLOWERS = arff_of(
    {"number": "INTEGER", "length": "REAL", "width": "REAL", "note": "REAL", "class": "{red,blue}"},
    [f"{k},{k * 0.5},{(k * 7) % 5},{k * k},{'red' if k % 2 else 'blue'}" for k in range(1, 13)],
)


def half_of(openml, path, body=FLOWERS):
    """Let the server send half of the body of `path` and then wait."""

    def page(handler):
        handler.send_response(200)
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body[: len(body) // 2])
        openml.release.wait(60)

    openml.pages[path] = page
