"""Download jobs: two run at once, the others wait and can be cancelled; an unexpected error shows no details."""

from __future__ import annotations

import threading

from datasets.base.dataset import Source
from datasets.base.entry import Entry
from datasets.base.errors import DataError
from pages.server.data import Download, DownloadProgress


def entry_of(download):
    return Entry("t", "T", "A test.", "download", Source("t"), lambda: None, download=download)


def test_two_at_once_and_the_others_wait_and_can_be_cancelled():
    hold, begun = threading.Event(), threading.Semaphore(0)

    def download(watch):
        begun.release()
        hold.wait(60)
        raise DataError("enough")

    jobs = []
    try:
        for _ in range(2):
            jobs.append(Download(entry_of(download)))
            assert begun.acquire(timeout=20)
        jobs += [Download(entry_of(download)) for _ in range(2)]
        jobs[2].cancel()
        assert jobs[2].wait(20)
        assert not begun.acquire(blocking=False)
        assert jobs[3].progress.sentence == "T waits for other downloads."
    finally:
        hold.set()
    assert all(job.wait(60) for job in jobs)
    assert [job.state for job in jobs] == ["failed", "failed", "cancelled", "failed"]


def test_an_unexpected_error_is_logged_and_shown_without_details(caplog):
    def download(watch):
        watch.tell("Coming.", 5, 10)
        raise ZeroDivisionError("secret path")

    job = Download(entry_of(download))
    assert job.wait(20)
    assert job.state == "failed"
    assert "secret" not in job.error
    assert "ZeroDivisionError" in caplog.text
    assert (job.progress, job.progress.share) == (DownloadProgress(5, 10, "Coming."), 0.5)
