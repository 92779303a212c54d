"""fetch: the bytes of one address of one site, through a child process that can be ended at any moment."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from datasets.base.child_process import ask_child
from datasets.base.errors import DataError
from datasets.downloads.watch import Watch

MOST_BYTES = 50_000_000


@dataclass(frozen=True)
class Site:
    """A place on the net: its name for people, and the hosts that may answer for it, redirects included."""

    name: str
    hosts: tuple[str, ...]
    schemes: tuple[str, ...] = ("https",)


class WrongStatus(DataError):
    """The site answered, but with an error; `status` is the HTTP one."""

    def __init__(self, message: str, status: int) -> None:
        super().__init__(message)
        self.status = status


def fetch(url: str, site: Site, what: str, watch: Watch, file_bytes: int = MOST_BYTES) -> bytes:
    """The body that `url` answers with.

    Parameters
    ----------
    url : str
        An address at one of the hosts of `site`; each redirect must stay with them too.
    site : Site
        Who is asked.
    what : str
        What is fetched, as a sentence begins: "The file of iris".
    watch : Watch
        Ends it and is told of its progress.
    file_bytes : int
        The largest body that is taken.

    Raises
    ------
    WrongStatus
        For an HTTP error.
    Cancelled
        Where `watch` says so; the child process is gone then.
    DataError
        Without a network, on time-out, for a body that is too large, cut off, or at a foreign host.
    """
    watch.check(what)
    with _temporary_folder(what) as folder:
        body = folder / "body"
        request = {
            "url": url,
            "schemes": site.schemes,
            "hosts": site.hosts,
            "file_bytes": file_bytes,
            "silent_seconds": watch.silent_seconds,
            "body": str(body),
        }
        reply = _run(request, body, what, watch)
        if "error" in reply:
            raise _sentence(reply["error"], reply["detail"], what, site, watch, file_bytes)
        return body.read_bytes()


@contextmanager
def _temporary_folder(what: str) -> Iterator[Path]:
    try:
        made = tempfile.TemporaryDirectory(prefix="nca-explorer-")
    except OSError as error:
        raise DataError(_disk(what, error.strerror or "no reason given")) from error
    with made as folder:
        yield Path(folder)


def _disk(what: str, why: str) -> str:
    return f"{what} could not be kept, for the server's disk failed ({why}). Try again later."


def _run(request: dict, body: Path, what: str, watch: Watch) -> dict:
    def check() -> None:
        watch.check(what)
        watch.tell(f"{what} is on its way.", _size(body), _total(body))

    answer = ask_child("datasets.downloads.child", json.dumps(request).encode(), check=check)[1]
    watch.tell(f"{what} has arrived.", _size(body), _total(body))
    try:
        return json.loads(answer)
    except ValueError:
        return {"error": "broken", "detail": ""}  # the child was killed from outside


def _size(body: Path) -> int:
    try:
        return body.stat().st_size
    except OSError:
        return 0


def _total(body: Path) -> int | None:
    try:
        return int(Path(f"{body}.total").read_text())
    except (OSError, ValueError):
        return None


def _sentence(kind: str, detail: str, what: str, site: Site, watch: Watch, file_bytes: int) -> DataError:
    most = f"{file_bytes / 1e6:.0f} MB" if file_bytes >= 1e6 else f"{file_bytes:,} bytes"
    if kind == "status":
        return WrongStatus(f"{site.name} answered with error {detail}. Try again later.", int(detail))
    return DataError(
        {
            "network": f"No network: {site.name} could not be reached. Check the connection; a set that was "
            "downloaded before still opens.",
            "silent": f"{site.name} sent nothing for {watch.silent_seconds:.0f} s and was given up. Try again later.",
            "certificate": f"{site.name} could not prove who it is (its certificate does not hold), so nothing was "
            "downloaded. Check the clock and the network.",
            "host": f"{site.name} points to {detail[:80]}, which is not one of its own hosts, so nothing was "
            "downloaded.",
            "redirect": f"{site.name} sends on to an address that cannot be followed, so nothing was downloaded.",
            "large": f"{what} has more than {most}, which is the limit.",
            "short": f"{what} broke off half way. Try again.",
            "disk": _disk(what, detail),
        }.get(kind, f"{what} broke off. Try again later.")
    )
