"""Where work is kept where nobody said anything, how that is turned off, and what stands in its way."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path

import pytest

from pages.server import saver as saver_module
from pages.server.saver import Saver
from pages.server.store import FILE, MOST_VARIABLE, VARIABLE, default_folder, store_of_settings
from pages.server.workspace import Hub
from study.link import to_link
from tests.waiting import until

NOBODY = 65534


@pytest.fixture(autouse=True)
def home(monkeypatch, tmp_path):
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("XDG_STATE_HOME", raising=False)
    monkeypatch.delenv(VARIABLE, raising=False)
    return tmp_path / "home"


@pytest.fixture
def started():
    """A function that starts a server under a port, without its thread; (hub, saver)."""
    hubs = []

    def start(port):
        hubs.append(Hub(reap=False))
        saver = Saver(hubs[-1])
        saver._store = store_of_settings(1_800, port)
        return hubs[-1], saver

    yield start
    for hub in hubs:
        hub.shutdown()


def test_work_is_saved_in_a_private_folder_where_each_port_has_its_own(started, home):
    hub, saver = started(8501)
    link = to_link(hub.open("ann").document.recipe)
    saver.save_all()
    assert (home / ".local" / "state" / "nca-explorer" / FILE).stat().st_mode & 0o777 == 0o600
    hub2, other = started(8502)  # the same browser sends it the same cookie
    assert not other.keeps("ann")
    assert other.take_up("ann", link, "b") is None
    hub2.open("ann")
    other.save_all(touch=True)
    assert started(8501)[1].take_up("ann", link, "c") is not None


@pytest.mark.parametrize("said", ["off", " OFF ", ""])
def test_one_setting_turns_it_off(monkeypatch, home, said, caplog):
    monkeypatch.setenv(VARIABLE, said)
    assert store_of_settings(1_800, 8501) is None
    assert not home.exists()
    assert not [each for each in caplog.records if each.name == store_of_settings.__module__]


@pytest.mark.parametrize(
    ("variable", "said", "why"),
    [
        (VARIABLE, "s3://bucket/nca", "NCA_EXPLORER_STORE takes a folder or a postgresql:// address"),
        pytest.param(
            *(VARIABLE, "postgresql://nca-explorer.invalid/nca", "The database cannot be used now"),
            marks=pytest.mark.skipif(find_spec("psycopg") is None, reason="psycopg is not installed."),
        ),
        (MOST_VARIABLE, "much", "could not convert string"),
    ],
)
def test_a_store_that_cannot_be_used_is_said_on_the_page_and_once_in_the_log(
    monkeypatch, tmp_path, caplog, variable, said, why
):
    monkeypatch.setenv(VARIABLE, str(tmp_path / "here"))
    monkeypatch.setenv(variable, said)
    monkeypatch.setattr(saver_module, "SECONDS", 0.01)
    saver = Saver(Hub(reap=False))
    saver.start(lambda: store_of_settings(1_800, 8501))
    assert saver.problem.startswith(why)
    time.sleep(0.2)
    (record,) = [each for each in caplog.records if each.name == saver_module.__name__]
    assert record.getMessage().startswith("Saved work cannot be opened: ")
    assert record.exc_info is None
    monkeypatch.setenv(VARIABLE, str(tmp_path / "here"))  # as when a network is back
    monkeypatch.setenv(MOST_VARIABLE, "100")
    until(lambda: saver.problem == "")
    assert saver._store is not None
    saver.close()


def test_a_database_without_its_driver_is_answered_with_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "psycopg", None)
    monkeypatch.setenv(VARIABLE, "postgresql://127.0.0.1/nca")
    with pytest.raises(ImportError, match="NCA_EXPLORER_STORE needs psycopg: pip install"):
        store_of_settings(1_800, 8501)


# Root may write anywhere, so what he may not is tried as somebody else.
TRY = """
import os, sys
sys.path.insert(0, {root!r})
from pages.server.store import FILE, Store, store_of_settings
import sqlalchemy.dialects.sqlite  # the libraries are where only root may read
os.setgroups([]); os.setgid({nobody}); os.setuid({nobody})
print(store_of_settings(1800, 8501))
"""


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="Only root can become somebody else.")
@pytest.mark.parametrize(("where", "why"), [("/nonexistent", "Permission denied"), ("/proc/self", "No such file")])
def test_a_home_that_cannot_be_written_costs_one_sentence_in_the_log(where, why):
    root = Path(__file__).resolve().parents[3]
    command = [sys.executable, "-c", TRY.format(nobody=NOBODY, root=str(root))]
    run = subprocess.run(command, env={**os.environ, "HOME": where}, capture_output=True, text=True)
    assert run.stdout.strip() == "None", run.stderr
    (line,) = run.stderr.strip().splitlines()
    assert line.startswith(f"Work is not saved: {where}/.local/state/nca-explorer cannot be used")
    assert why in line


def test_a_relative_folder_of_states_counts_as_none(monkeypatch, home):
    """As the XDG specification asks; else people's data would lie wherever the server was started."""
    monkeypatch.setenv("XDG_STATE_HOME", "states")
    assert default_folder() == home / ".local" / "state" / "nca-explorer"
    monkeypatch.setenv("XDG_STATE_HOME", str(home / "states"))
    assert default_folder() == home / "states" / "nca-explorer"
