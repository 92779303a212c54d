"""fetch: the bytes at one address of one site, in a thread that can be abandoned at any moment."""

from __future__ import annotations

import re
import ssl
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from datasets.base.errors import DataError

MOST_BYTES = 50_000_000
_CHUNK = 65_536
_POLL_SECONDS = 0.1


@dataclass(frozen=True)
class Site:
    """A place on the net: its name for messages, and the hosts that may answer for it, redirects included.

    "*.a.org" stands for every host below a.org. Hosts are names of public sites and https proves that they answer: a
    private address has no certificate for such a name, however the name is resolved.
    """

    name: str
    hosts: tuple[str, ...]
    schemes: tuple[str, ...] = ("https",)

    def allows(self, url: str) -> bool:
        """Whether scheme, port and host of `url` are this site's, without a user name in it."""
        try:
            parts = urlsplit(url)
            host, port = (parts.hostname or "").lower(), parts.port
        except ValueError:
            return False
        if parts.scheme not in self.schemes or parts.username is not None or parts.password is not None:
            return False
        if parts.scheme == "https" and port not in (None, 443):
            return False
        return any(host == name or (name.startswith("*.") and host.endswith(name[1:])) for name in self.hosts)

    def check(self, url: str) -> None:
        """Raise DataError for an address that is not this site's."""
        if self.allows(url):
            return
        host = re.sub(r"^.*@", "", url.partition("//")[2].partition("/")[0])[:80] or "an address without a host"
        raise DataError(f"{self.name} points to {host}, which is not one of its own hosts, so nothing was downloaded.")


@dataclass(frozen=True)
class Watch:
    """How long a download may take, what cancels it and where its progress goes."""

    seconds: float = 120.0  # for all of it, counted from when this was made
    silent_seconds: float = 20.0  # that a server may send nothing
    cancelled: Callable[[], bool] = lambda: False  # polled ten times a second
    # called with a sentence, the bytes so far and the bytes in all, None where the server does not say
    tell: Callable[[str, int, int | None], None] = lambda sentence, n_bytes, total: None
    started: float = field(default_factory=time.monotonic)

    def check(self, what: str) -> None:
        """Raise DataError where it was cancelled or the time is up; `what` begins the sentence."""
        if self.cancelled():
            raise DataError(f"{what} was cancelled.")
        if time.monotonic() > self.started + self.seconds:
            raise DataError(f"{what} took longer than {self.seconds:.0f} s and was given up. Try again later.")

    @property
    def remaining(self) -> float:
        """Seconds that are left, at least a little."""
        return max(0.1, self.started + self.seconds - time.monotonic())


class WrongStatus(DataError):
    """The site answered, but with an error; `status` is the HTTP one."""

    def __init__(self, message: str, status: int) -> None:
        super().__init__(message)
        self.status = status


def fetch(url: str, site: Site, what: str, watch: Watch, file_bytes: int = MOST_BYTES) -> bytes:
    """Download the body at `url`.

    url: an address at one of the hosts of `site`; each redirect must stay with them too.
    site: where it is.
    what: what is fetched, as a sentence begins: "The file of iris".
    watch: cancels it and receives its progress.
    file_bytes: the largest body that is taken.

    Raises WrongStatus for an HTTP error. Raises DataError where `watch` says so. Without a network, on time-out, for a
    body that is too large, cut off, or at a foreign host.
    """
    watch.check(what)
    site.check(url)
    transfer = _Transfer(url, site, what, watch.silent_seconds, file_bytes)
    transfer.start()
    try:
        while transfer.is_alive():
            transfer.join(_POLL_SECONDS)
            watch.check(what)
            watch.tell(f"{what} is on its way.", len(transfer.body), transfer.total)
    finally:
        transfer.stopped.set()
    watch.tell(f"{what} has arrived.", len(transfer.body), transfer.total)
    if transfer.error is not None:
        raise transfer.error
    return bytes(transfer.body)


class _Transfer(threading.Thread):
    """One download. A name look-up or a read that hangs cannot be cancelled, so the caller leaves the thread behind:
    it ends at its next chunk or when the socket times out."""

    def __init__(self, url: str, site: Site, what: str, silent_seconds: float, file_bytes: int) -> None:
        super().__init__(name="download", daemon=True)
        self._url, self._site, self._what = url, site, what
        self._silent_seconds, self._file_bytes = silent_seconds, file_bytes
        self.body = bytearray()
        self.total: int | None = None
        self.error: DataError | None = None
        self.stopped = threading.Event()

    def run(self) -> None:
        try:
            self._receive()
        except Exception as error:  # a foreign server can make http.client raise anything
            self.error = self._sentence(error)

    def _receive(self) -> None:
        headers = {"User-Agent": "nca-explorer", "Accept": "*/*", "Accept-Encoding": "identity"}
        request = urllib.request.Request(self._url, headers=headers)
        with _opener(self._site).open(request, timeout=self._silent_seconds) as response:
            announced = response.headers.get("Content-Length", "")
            self.total = int(announced) if announced.isdigit() else None
            self._check_size(self.total or 0)
            while not self.stopped.is_set() and (chunk := response.read1(_CHUNK)):
                self.body += chunk
                self._check_size(len(self.body))
        if self.total not in (None, len(self.body)):
            raise DataError(f"{self._what} broke off half way. Try again.")

    def _check_size(self, n_bytes: int) -> None:
        most = self._file_bytes
        if n_bytes > most:
            limit = f"{most / 1e6:.0f} MB" if most >= 1e6 else f"{most:,} bytes"
            raise DataError(f"{self._what} has more than {limit}, which is the limit.")

    def _sentence(self, error: Exception) -> DataError:
        name = self._site.name
        if isinstance(error, DataError):
            return error
        if isinstance(error, urllib.error.HTTPError):
            if 300 <= error.code < 400:  # without end, or to another kind of address
                return DataError(f"{name} sends on to an address that cannot be followed, so nothing was downloaded.")
            return WrongStatus(f"{name} answered with error {error.code}. Try again later.", error.code)
        reason = error.reason if isinstance(error, urllib.error.URLError) else error
        if isinstance(reason, TimeoutError):
            return DataError(f"{name} sent nothing for {self._silent_seconds:.0f} s and was given up. Try again later.")
        if isinstance(error, urllib.error.URLError) and isinstance(reason, ssl.SSLError):
            return DataError(
                f"{name} could not prove who it is (its certificate does not hold), so nothing was downloaded. "
                "Check the clock and the network."
            )
        if isinstance(error, urllib.error.URLError):
            return DataError(
                f"No network: {name} could not be reached. Check the connection; a set that was downloaded before "
                "still opens."
            )
        return DataError(f"{self._what} broke off. Try again later.")


class _Redirects(urllib.request.HTTPRedirectHandler):
    max_redirections = 5
    max_repeats = 3

    def __init__(self, site: Site) -> None:
        self._site = site

    def redirect_request(self, req: Any, fp: Any, code: int, msg: str, headers: Any, newurl: str) -> Any:
        self._site.check(newurl)
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def _opener(site: Site) -> urllib.request.OpenerDirector:
    """An opener for http and https alone: the usual one would also open file:, ftp: and data: addresses."""
    opener = urllib.request.OpenerDirector()
    for handler in (
        urllib.request.ProxyHandler(),
        urllib.request.HTTPHandler(),
        urllib.request.HTTPSHandler(context=ssl.create_default_context()),
        urllib.request.HTTPDefaultErrorHandler(),
        urllib.request.HTTPErrorProcessor(),
        _Redirects(site),
    ):
        opener.add_handler(handler)
    return opener
