"""Downloads of data sets: one job for each entry of the catalogue, in the workspace's jobs."""

from __future__ import annotations

import threading
from collections.abc import Generator
from dataclasses import dataclass

from datasets.base.entry import Entry
from datasets.downloads.fetch import Watch
from datasets.downloads.openml import Opened
from nca_core.training.run import Slot
from pages.server.document import Document
from pages.server.jobs import Job

_MOST = 8  # of a session, running or failed
_TURNS = threading.BoundedSemaphore(2)  # each holds a file and its table in memory
_NAME = "download "


@dataclass(frozen=True)
class DownloadProgress:
    """Bytes so far, bytes in all (None: not known) and a sentence."""

    n_bytes: int = 0
    total: int | None = None
    sentence: str = ""

    @property
    def share(self) -> float | None:
        """0 to 1, None where the size is not known."""
        return min(1.0, self.n_bytes / self.total) if self.total else None


class Download(Job):
    """A job that downloads one entry of the catalogue, of kind "download"; its result is an `Opened`."""

    saved = False

    def __init__(self, entry: Entry) -> None:
        self.entry = entry
        self.progress = DownloadProgress(sentence=f"{entry.title} waits for other downloads.")
        super().__init__(entry.key, self._fetch, turns=_TURNS)

    def _fetch(self, slot: Slot) -> Generator[Opened, None, None]:
        assert self.entry.download is not None
        yield self.entry.download(Watch(cancelled=self._stop.is_set, tell=self._report))

    def _report(self, sentence: str, n_bytes: int, total: int | None) -> None:
        self.progress = DownloadProgress(n_bytes, total, sentence)


def downloads(own: Document) -> dict[str, Download]:
    """Downloads under way, failed or cancelled, by the key of their entry."""
    return {job.entry.key: job for job in own.jobs.values() if isinstance(job, Download)}


def start_download(own: Document, entry: Entry) -> None:
    """Start to download `entry`; beyond eight the oldest download is cancelled."""
    before = downloads(own)
    if entry.key in before and before.pop(entry.key).state == "running":
        return
    own.jobs.cancel(_NAME + entry.key)
    for key in list(before)[: max(0, len(before) - _MOST + 1)]:
        own.jobs.cancel(_NAME + key)
    own.jobs[_NAME + entry.key] = Download(entry)


def settle_downloads(own: Document) -> None:
    """Add what has arrived to the session's own data sets."""
    for key, job in downloads(own).items():
        if job.state == "done":
            own.keep_data(key, job.result.dataset)
            own.opened[key] = job.result
            own.jobs.cancel(_NAME + key)


def opened_table(own: Document, key: str) -> Opened | None:
    """The table that a downloaded data set was built from, for as long as the data set is kept."""
    for gone in own.opened.keys() - own.own_data.keys():
        del own.opened[gone]
    return own.opened.get(key)
