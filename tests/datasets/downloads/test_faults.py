"""Names that do not resolve, a full disk, a worker that is killed: each has its sentence and passes."""

from __future__ import annotations

import os
import signal
import socket
import tempfile
from pathlib import Path

import psutil
import pytest

from datasets.base.errors import DataError
from datasets.downloads import child
from datasets.downloads import fetch as fetch_module
from datasets.downloads.fetch import fetch
from datasets.downloads.watch import Watch
from datasets.reading import read_table
from tests.datasets.downloads.openml_server import SITE
from tests.pages.app_page import workbook


def request(url, body):
    return {
        "url": url,
        "schemes": ("http",),
        "hosts": ("127.0.0.1", "nowhere.invalid"),
        "file_bytes": 10_000,
        "silent_seconds": 5,
        "body": str(body),
    }


def test_without_names_there_is_no_network(tmp_path, monkeypatch):
    def gone(*_, **__):
        raise socket.gaierror(socket.EAI_AGAIN, "Temporary failure in name resolution")

    monkeypatch.setattr(socket, "getaddrinfo", gone)
    assert child.answer(request("http://nowhere.invalid/f", tmp_path / "f"))["error"] == "network"
    monkeypatch.setattr(fetch_module, "ask_child", lambda *_, **__: (0, b'{"error": "network", "detail": ""}'))
    with pytest.raises(DataError, match=r"No network: OpenML could not be reached\. Check the connection"):
        fetch("http://127.0.0.1/f", SITE, "The file", Watch())


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="Linux has a disk that is always full.")
def test_a_full_disk_is_ours_and_not_the_site_s(openml, monkeypatch):
    def page(handler):
        handler.send_response(200)
        handler.end_headers()
        handler.wfile.write(b"x" * 5_000)

    openml.pages["/f"] = page
    said = child.answer(request(f"{openml.base}/f", "/dev/full"))
    assert said == {"error": "disk", "detail": "No space left on device"}
    monkeypatch.setattr(fetch_module, "_run", lambda *_: said)
    with pytest.raises(DataError, match=r"disk failed \(No space left on device\)\. Try again later"):
        fetch(f"{openml.base}/f", SITE, "The file", Watch())


def test_without_a_temporary_folder_it_is_said(openml, monkeypatch):
    def none(**_):
        raise FileNotFoundError(2, "No usable temporary directory found")

    openml.pages["/f"] = b"there"
    with monkeypatch.context() as patched:
        patched.setattr(tempfile, "TemporaryDirectory", none)
        with pytest.raises(DataError, match=r"The file could not be kept, for the server's disk failed \(No usable"):
            fetch(f"{openml.base}/f", SITE, "The file", Watch())
    assert fetch(f"{openml.base}/f", SITE, "The file", Watch()) == b"there"


def kill_children():
    """As the system does it that has no memory left; False, for whoever asks whether to give up."""
    for each in psutil.Process().children():
        if any(word.endswith(".child") for word in each.cmdline()):  # and not a browser of other tests
            os.kill(each.pid, signal.SIGKILL)
    return False


@pytest.mark.parametrize(
    ("name", "data"),
    [("t.xlsx", workbook(one=[["a", "b"], [1, "x"], [2, "y"]])), ("t.csv", b"a,b\n" + b"1,x\n" * 600_000)],
    ids=["packed", "text"],
)
def test_a_reader_that_is_killed_is_one_sentence(name, data):
    with pytest.raises(DataError, match=rf"{name}.*took more memory than the .* allowed, or broke the reader"):
        read_table(data, name, cancelled=kill_children)
