"""DownloadJob: one worker thread that reports, ends, and can be ended."""

from __future__ import annotations

import threading
import time

import pytest

from datasets.base.dataset import Source
from datasets.base.entry import Entry
from datasets.base.errors import DataError
from datasets.catalogue import DATASETS
from datasets.downloads.entries import openml_entry
from datasets.downloads.job import DownloadJob, Progress
from datasets.downloads.watch import Watch
from tests.datasets.downloads.openml_server import FLOWERS


def until(condition, seconds=20.0):
    """Wait for what must happen; generous, since other work shares the machine."""
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        time.sleep(0.02)
    assert condition()


def entry_of(download):
    return Entry("t", "T", "A test.", "download", Source("t"), lambda: None, download=download)


def half_of(openml, path, body=FLOWERS):
    """Let the server send half of the body of `path` and then wait."""

    def page(handler):
        handler.send_response(200)
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body[: len(body) // 2])
        openml.release.wait(60)

    openml.pages[path] = page


def test_a_download_from_start_to_end(openml):
    openml.add(7, "flowers", FLOWERS)
    openml.name("flowers", 7)
    job = DownloadJob(openml_entry("flowers", openml.server))
    assert job.state == "ready"
    with pytest.raises(DataError, match="still under way"):
        job.result()
    job.start()
    job.start()
    assert job.wait(60)
    assert (job.state, job.error) == ("done", "")
    assert job.result().n_samples == 12
    assert job.opened.plan.label == "class"
    assert job.progress.n_bytes == job.progress.total == len(FLOWERS)
    assert job.progress.share == 1.0
    job.cancel()
    assert job.state == "done"
    assert len(openml.asked) == 3


def test_progress_is_reported_and_cancel_ends_thread_and_child(openml):
    path = openml.add(7, "flowers", FLOWERS)
    half_of(openml, path)
    job = DownloadJob(openml_entry("7", openml.server))
    job.start()
    until(lambda: job.progress.n_bytes == len(FLOWERS) // 2)
    assert job.progress == Progress(len(FLOWERS) // 2, len(FLOWERS), "The file of flowers is on its way.")
    assert job.progress.share == pytest.approx(0.5, abs=0.01)
    job.cancel(timeout=30)
    assert job.state == "cancelled"
    assert job.wait(0)
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("download")]
    with pytest.raises(DataError, match="was cancelled"):
        job.result()
    # Half a file is not kept: the next one asks again.
    openml.add(7, "flowers", FLOWERS)
    again = DownloadJob(openml_entry("7", openml.server))
    again.start()
    assert again.wait(60)
    assert again.result().n_samples == 12


def test_a_stalled_body_fails_with_a_sentence(openml):
    half_of(openml, openml.add(7, "flowers", FLOWERS))
    job = DownloadJob(openml_entry("7", openml.server), silent_seconds=1.0)
    job.start()
    assert job.wait(60)
    assert (job.state, job.error) == ("failed", "OpenML sent nothing for 1 s and was given up. Try again later.")
    with pytest.raises(DataError, match="sent nothing"):
        job.result()


def test_the_whole_time_is_bounded_though_bytes_trickle(openml):
    def trickle(handler):
        handler.send_response(200)
        handler.end_headers()
        while not openml.release.wait(0.05):
            handler.wfile.write(b"%")

    openml.pages[openml.add(7, "flowers", FLOWERS)] = trickle
    job = DownloadJob(openml_entry("7", openml.server), seconds=2.0)
    job.start()
    assert job.wait(60)
    assert (job.state, job.progress.total) == ("failed", None)
    assert "took longer than 2 s" in job.error
    assert job.progress.share is None


def test_an_unknown_name_fails_with_a_sentence(openml):
    job = DownloadJob(openml_entry("nosuch", openml.server))
    job.start()
    assert job.wait(60)
    assert job.state == "failed"
    assert job.error.startswith("OpenML has no active data set named 'nosuch'.")


def test_cancelled_before_the_start_it_never_starts(openml):
    job = DownloadJob(openml_entry("7", openml.server))
    job.cancel()
    job.start()
    assert job.state == "cancelled"
    assert job.wait(0)
    assert openml.asked == []


def test_two_at_once_and_the_others_wait_and_can_be_cancelled():
    hold, begun = threading.Event(), threading.Semaphore(0)

    def download(watch: Watch):
        begun.release()
        hold.wait(60)
        raise DataError("enough")

    jobs = [DownloadJob(entry_of(download)) for _ in range(4)]
    try:
        for job in jobs[:2]:
            job.start()
            assert begun.acquire(timeout=20)
        jobs[2].start()
        jobs[3].start()
        jobs[2].cancel(timeout=20)
        assert jobs[2].wait(0)
        assert not begun.acquire(blocking=False)
        assert "waits for other downloads" in jobs[3].progress.sentence
    finally:
        hold.set()
    assert all(job.wait(60) for job in jobs)
    assert [job.state for job in jobs] == ["failed", "failed", "cancelled", "failed"]


def test_an_error_that_is_ours_is_logged_and_shown_as_a_sentence(caplog):
    def download(watch: Watch):
        raise ZeroDivisionError("secret path")

    job = DownloadJob(entry_of(download))
    job.start()
    assert job.wait(20)
    assert job.state == "failed"
    assert "secret" not in job.error
    assert "ZeroDivisionError" in caplog.text


def test_only_downloads_are_downloaded():
    with pytest.raises(ValueError, match="wine is not downloaded"):
        DownloadJob(DATASETS["wine"])


def test_any_set_of_openml_has_an_entry_before_anything_is_asked(openml):
    entry = openml_entry("  Iris  ", openml.server)
    assert (entry.key, entry.title, entry.kind) == ("openml:iris", "Iris", "download")
    assert openml.asked == []
