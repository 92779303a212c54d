"""Settings are Streamlit's own, and are read while somebody else holds the lock."""

from __future__ import annotations

import threading

import pytest
from streamlit import config

from pages.server import settings_at_once


@pytest.fixture(autouse=True)
def installed(monkeypatch):
    monkeypatch.setattr(config, "get_option", config.get_option)  # put back afterwards
    settings_at_once.install()


def test_no_page_waits_for_the_lock():
    assert config.get_option("server.port") is not None
    found = []
    with config._config_lock:
        reader = threading.Thread(target=lambda: found.append(config.get_option("server.port")))
        reader.start()
        reader.join(10)
        assert found == [config.get_option("server.port")]


def test_what_is_set_counts_at_once_and_what_is_no_setting_is_refused():
    before = config.get_option("client.toolbarMode")
    try:
        config.set_option("client.toolbarMode", "viewer")
        assert config.get_option("client.toolbarMode") == "viewer"
    finally:
        config.set_option("client.toolbarMode", before)
    with pytest.raises(RuntimeError):
        config.get_option("server.nonsense")


def test_where_nothing_has_been_read_yet_streamlit_reads_it(monkeypatch):
    monkeypatch.setattr(config, "_config_options", None)
    assert config.get_option("server.port") is not None


def test_it_is_installed_once():
    first = config.get_option
    settings_at_once.install()
    assert config.get_option is first
