"""Downloads on the page: fetched, cancelled, failed, and gone with the workspace. No test uses the internet."""

from __future__ import annotations

import threading
import time
from functools import partial

import numpy as np
import pytest

from datasets.catalogue import DATASETS
from datasets.downloads import entries
from datasets.downloads.fetch import Site
from datasets.downloads.openml import Server
from pages.controls.catalogue import downloads
from pages.controls.table import upload_state
from pages.server import downloads as jobs
from tests.datasets.downloads.openml_server import FLOWERS, LittleOpenML
from tests.datasets.downloads.test_job import half_of
from tests.pages.app_page import said, space


@pytest.fixture
def openml(tmp_path, monkeypatch):
    for name in ("http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    little = LittleOpenML(tmp_path / "cache")
    monkeypatch.setattr(downloads, "openml_entry", partial(entries.openml_entry, server=little.server))
    yield little
    little.close()


def ask(page, name):
    page.text_input(key="data.openml_name").set_value(name)
    page.button(key="data.openml_download").click().run()
    assert not page.exception


def run_until(page, condition):
    """Rerun as the page's timer does."""
    end = time.monotonic() + 30
    while not condition(page) and time.monotonic() < end:
        time.sleep(0.05)
        page.run()
        assert not page.exception
    assert condition(page)


def buttons(page):
    return {button.key for button in page.button}


def errors(page):
    return said(page.error)


def test_a_set_is_fetched_by_name_and_explored(open_catalogue, openml):
    openml.add(7, "flowers", FLOWERS)
    openml.name("flowers", 7)
    page = open_catalogue()
    ask(page, "Flowers")
    run_until(page, lambda page: "data.explore.openml:flowers" in buttons(page))
    assert "data.download.openml:flowers" not in buttons(page)
    assert any("12 rows x" in caption.value for caption in page.caption)
    assert jobs.jobs(space(page)) == {}
    page.button(key="data.explore.openml:flowers").click().run()
    assert not page.exception
    assert not page.error
    assert page.selectbox(key="explore.data").value == "openml:flowers"
    assert any("flowers: 12 rows" in caption for caption in said(page.caption))


def test_its_columns_can_be_chosen_otherwise(open_catalogue, openml):
    openml.add(7, "flowers", FLOWERS, ignore_attribute="note")
    page = open_catalogue()
    ask(page, "7")
    run_until(page, lambda page: "data.columns_of.openml:7" in buttons(page))
    fetched = space(page).belongings.own_data["openml:7"]
    assert "note" not in fetched.feature_names
    page.button(key="data.columns_of.openml:7").click().run()
    assert not page.exception
    assert not page.error
    assert page.session_state["data.tab"] == "Your table"
    page.run()
    same = upload_state.built_dataset(space(page))
    np.testing.assert_array_equal(same.X, fetched.X)
    assert (same.feature_names, same.class_names) == (fetched.feature_names, fetched.class_names)
    upload = upload_state.current_upload(space(page))
    assert upload.plan.ready
    upload_state.choose(space(page), upload.choices.with_role("note", "number"))
    page.run()
    assert not page.exception
    assert "note" in upload_state.built_dataset(space(page)).feature_names
    page.text_input(key="data.read.missing").set_value("no such word").run()  # reads the bytes again
    assert not page.exception
    assert upload_state.built_dataset(space(page)).n_samples == 12


def test_what_arrives_while_one_explores_can_be_chosen_there(open_catalogue, openml):
    openml.add(7, "flowers", FLOWERS)
    page = open_catalogue()
    ask(page, "7")
    assert jobs.job_of(space(page), "openml:7") is None or jobs.job_of(space(page), "openml:7").wait(30)
    page.switch_page("explore.py").run()
    page.selectbox(key="explore.data").set_value("openml:7").run()
    assert not page.exception
    assert page.selectbox(key="explore.data").value == "openml:7"


def test_progress_is_shown_and_cancel_ends_it(open_catalogue, openml):
    half_of(openml, openml.add(7, "flowers", FLOWERS))
    page = open_catalogue()
    ask(page, "7")
    run_until(page, lambda page: any(49 <= bar.proto.value <= 51 for bar in page.get("progress")))
    assert "is on its way" in page.get("progress")[0].proto.text
    job = jobs.job_of(space(page), "openml:7")
    page.button(key="data.cancel.openml:7").click().run()
    assert not page.exception
    assert job.state == "cancelled"
    assert job.wait(30)
    assert "data.download.openml:7" in buttons(page)
    assert not page.error
    openml.add(7, "flowers", FLOWERS)
    page.button(key="data.download.openml:7").click().run()
    run_until(page, lambda page: "data.explore.openml:7" in buttons(page))


def test_an_unknown_name_is_one_sentence_and_can_be_tried_again(open_catalogue, openml):
    page = open_catalogue()
    ask(page, "nosuch")
    run_until(page, errors)
    assert errors(page)[0].startswith("OpenML has no active data set named 'nosuch'.")
    again = page.button(key="data.download.openml:nosuch")
    assert again.label == "Try again"
    openml.add(7, "flowers", FLOWERS)
    openml.name("nosuch", 7)
    again.click().run()
    run_until(page, lambda page: "data.explore.openml:nosuch" in buttons(page))
    assert not page.error


def test_no_name_is_one_sentence(open_catalogue):
    page = open_catalogue()
    ask(page, "  ")
    assert errors(page) == ["Give the name of an OpenML data set, such as ionosphere, or its id, such as 59."]


def test_without_a_network_a_set_of_the_catalogue_says_so(open_catalogue, monkeypatch, tmp_path):
    nowhere = Server("http://127.0.0.1:9", Site("OpenML", ("127.0.0.1",), ("http",)), entries.OPENML.cache)
    lonely = partial(entries.open_openml, "59", server=nowhere)
    entry = DATASETS["ionosphere"]
    page = open_catalogue()
    monkeypatch.setitem(DATASETS, "ionosphere", entries._entry(entry.key, entry.title, "", entry.source, lonely))
    page.run()
    page.button(key="data.download.ionosphere").click().run()
    run_until(page, errors)
    assert errors(page)[0].startswith("No network: OpenML could not be reached.")
    assert page.button(key="data.download.ionosphere").label == "Try again"


def test_downloads_end_with_the_workspace_and_are_bounded(open_catalogue, openml):
    workspace = space(open_catalogue())
    started = []
    for k in range(10):
        half_of(openml, openml.add(k, "flowers", FLOWERS))
        jobs.start_job(workspace, downloads.openml_entry(str(k)))
        started.append(jobs.job_of(workspace, f"openml:{k}"))
    assert len(jobs.jobs(workspace)) == 8
    assert [job.state for job in started[:2]] == ["cancelled", "cancelled"]
    assert {job.state for job in started[2:]} == {"running"}
    workspace.forget()
    assert all(job.wait(30) for job in started)
    assert {job.state for job in started} == {"cancelled"}
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("download")]
