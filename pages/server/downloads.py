"""The session's downloads by the key of their entry; they end with the workspace."""

from __future__ import annotations

from datasets.base.entry import Entry
from datasets.downloads.job import DownloadJob
from datasets.downloads.opened import Opened
from pages.server.workspace import Workspace

_MOST = 8  # that a session may have at once, or failed


def jobs(space: Workspace) -> dict[str, DownloadJob]:
    """Downloads under way, failed or cancelled; those done are data sets and no longer here."""
    if space.belongings.downloads is None:
        space.belongings.downloads = {}
        space.when_forgotten(lambda: _cancel_all(space))
    return space.belongings.downloads


def job_of(space: Workspace, key: str) -> DownloadJob | None:
    return jobs(space).get(key)


def start_job(space: Workspace, entry: Entry) -> None:
    """Begin to download `entry`; beyond eight the oldest one is cancelled."""
    under_way = jobs(space)
    before = under_way.get(entry.key)
    if before is not None and before.state == "running":
        return
    under_way.pop(entry.key, None)
    under_way[entry.key] = job = DownloadJob(entry)
    while len(under_way) > _MOST:
        under_way.pop(next(iter(under_way))).cancel(timeout=0)
    job.start()


def cancel_job(space: Workspace, key: str) -> None:
    """Give the download up; its thread ends by itself within a moment."""
    job = job_of(space, key)
    if job is not None:
        job.cancel(timeout=0)


def settle(space: Workspace) -> None:
    """Take what has arrived among the session's own data sets."""
    for key, job in list(jobs(space).items()):
        if job.state == "done":
            space.belongings.keep_data(key, job.result())
            if job.opened is not None:
                space.belongings.opened[key] = job.opened
            del jobs(space)[key]


def opened(space: Workspace, key: str) -> Opened | None:
    """The table that a downloaded data set was built from, for as long as the data set is kept."""
    kept = space.belongings.opened
    for gone in set(kept) - set(space.belongings.own_data):
        del kept[gone]
    return kept.get(key)


def _cancel_all(space: Workspace) -> None:
    for job in jobs(space).values():
        job.cancel(timeout=0)
