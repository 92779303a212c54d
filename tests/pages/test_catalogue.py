"""The catalogue without a browser: cards and downloads. No test uses the internet."""

import base64
import time
from functools import partial

import numpy as np
import pytest

from datasets.catalogue import DATASETS, load_dataset
from datasets.downloads import entries
from datasets.local_folder import VARIABLE
from datasets.previews import thumbnail, trained_picture
from pages.controls import catalogue as downloads
from pages.controls import catalogue as gallery
from pages.controls import upload as upload_state
from pages.server.data import downloads as jobs_of
from pages.server.data import start_download
from pages.views.thumbnail import thumbnail_svg
from tests.datasets.downloads.openml_server import FLOWERS, LittleOpenML, half_of
from tests.pages.app_page import TABLE, click, keys, lines, said, space
from tests.waiting import has_ended


@pytest.fixture
def open_catalogue(monkeypatch, tmp_path, open_page):
    """A function that opens the page."""
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.setenv("NCA_EXPLORER_CACHE", str(tmp_path / "default-cache"))
    return lambda: open_page({"tab": "Catalogue"}, "data.py")


@pytest.fixture
def pictures():
    """Alternative text -> SVG of the pictures on a page."""

    def found(page):
        images = [element.proto.body for element in page.get("html") if "<img" in element.proto.body]
        alts = [text.split('alt="')[1].split('"')[0] for text in images]
        svgs = [base64.b64decode(text.split("base64,")[1].split('"')[0]).decode() for text in images]
        return dict(zip(alts, svgs, strict=True))

    return found


def test_nothing_of_it_is_made_while_another_tab_is_open_and_ones_own_tables_stand_there_too(
    open_catalogue, monkeypatch
):
    page = open_catalogue()

    def refused(*_):
        raise AssertionError("drawn for nobody")

    with monkeypatch.context() as closed:
        closed.setattr(gallery.PREVIEWS, "now", refused)
        page.file_uploader(key="data.upload").set_value(("trees.csv", TABLE.encode(), "text/csv")).run()
        assert page.session_state["data.tab"] == "Your table"
        page.run()
        assert not cards(page, "data.explore.")
    page.session_state["data.tab"] = "Catalogue"
    page.run()
    page.run()
    assert "own:trees.csv" in cards(page, "data.explore.")
    click(page, "data.explore.own:trees.csv")
    assert page.selectbox(key="explore.data").value == "own:trees.csv"


def cards(page, prefix):
    """The data sets whose card has such a button."""
    return [key.removeprefix(prefix) for key in keys(page) if (key or "").startswith(prefix)]


def test_every_set_of_the_catalogue_has_a_card(open_catalogue, pictures):
    page = open_catalogue()
    ready = [key for key, entry in DATASETS.items() if entry.kind in ("bundled", "generator")]
    fetched = [key for key, entry in DATASETS.items() if entry.kind == "download"]
    assert cards(page, "data.explore.") == ready
    assert cards(page, "data.download.") == fetched
    text = lines(page)
    for key in (*ready, *fetched):
        entry = DATASETS[key]
        assert f"**{entry.title}**" in text
        assert entry.description in text
        assert entry.source.licence in text
        assert entry.source.paper in text
    assert "1,797 rows x 64 features, 10 classes" in text
    shown = pictures(page)
    assert len(shown) == len(ready)
    wine = load_dataset("wine")
    assert shown["Small picture of Wine"] == thumbnail_svg(thumbnail(wine), trained_picture("wine", wine))


def test_tables_of_a_folder_get_cards_and_broken_ones_a_sentence(open_catalogue, pictures, monkeypatch, tmp_path):
    folder = tmp_path / "tables"
    folder.mkdir()
    (folder / "trees_<b>.csv").write_text(TABLE)
    (folder / "broken.csv").write_text("a,b\n")
    page = open_catalogue()
    assert any(VARIABLE in code.value for code in page.code)  # how to set one
    monkeypatch.setenv(VARIABLE, str(folder))
    end = time.monotonic() + 30
    while time.monotonic() < end:
        page.run()
        if "20 rows" in lines(page) and page.button(key="data.explore.folder:broken.csv").disabled:
            break
        time.sleep(0.05)
    text = lines(page)
    assert "**trees <b>**" in text
    assert "20 rows x 2 features, 2 classes" in text
    assert "broken.csv" in text
    assert "<path" in pictures(page)["Small picture of trees &lt;b&gt;"]
    assert "<path" not in pictures(page)["Small picture of broken"]
    click(page, "data.explore.folder:trees_<b>.csv")
    assert page.selectbox(key="explore.data").value == "folder:trees_<b>.csv"


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
    click(page, "data.openml_download")


def run_until(page, condition):
    """Rerun as the page's timer does."""
    end = time.monotonic() + 30
    while not condition(page) and time.monotonic() < end:
        time.sleep(0.05)
        page.run()
    assert condition(page)


def test_a_set_is_fetched_by_name_and_explored_and_its_columns_can_be_chosen_otherwise(open_catalogue, openml):
    openml.add(7, "flowers", FLOWERS, ignore_attribute="note")
    openml.name("flowers", 7)
    page = open_catalogue()
    ask(page, "  ")
    assert said(page.error) == ["Enter the name of an OpenML data set, such as ionosphere, or its id, such as 59."]
    ask(page, "nosuch")
    run_until(page, lambda page: page.error)
    assert said(page.error)[0].startswith("OpenML has no active data set named 'nosuch'.")
    assert page.button(key="data.download.openml:nosuch").label == "Try again"
    ask(page, "Flowers")
    run_until(page, lambda page: "data.explore.openml:flowers" in keys(page))
    assert "data.download.openml:flowers" not in keys(page)
    assert any("12 rows x" in caption.value for caption in page.caption)
    assert list(jobs_of(space(page).document)) == ["openml:nosuch"]
    click(page, "data.explore.openml:flowers")
    assert not page.error
    assert page.selectbox(key="explore.data").value == "openml:flowers"
    assert "flowers: 12 rows" in lines(page)
    page.switch_page("data.py")
    page.query_params["tab"] = "Catalogue"
    page.run()
    fetched = space(page).document.own_data["openml:flowers"]
    assert "note" not in fetched.feature_names
    click(page, "data.columns_of.openml:flowers")
    assert not page.error
    assert page.session_state["data.tab"] == "Your table"
    page.run()
    same = upload_state.built_dataset(space(page))
    np.testing.assert_array_equal(same.X, fetched.X)
    assert (same.feature_names, same.class_names) == (fetched.feature_names, fetched.class_names)
    upload = space(page).document.upload
    assert upload.plan.ready
    upload_state.choose(space(page), upload.choices.saying("roles", "note", "number"))
    page.run()
    assert "note" in upload_state.built_dataset(space(page)).feature_names
    page.text_input(key="data.read.missing").set_value("no such word").run()  # reads the bytes again
    assert upload_state.built_dataset(space(page)).n_samples == 12


def test_progress_is_shown_and_cancel_ends_it(open_catalogue, openml):
    half_of(openml, openml.add(7, "flowers", FLOWERS))
    page = open_catalogue()
    ask(page, "7")
    run_until(page, lambda page: any(49 <= bar.proto.value <= 51 for bar in page.get("progress")))
    assert "is on its way" in page.get("progress")[0].proto.text
    job = jobs_of(space(page).document)["openml:7"]
    click(page, "data.cancel.openml:7")
    assert job.state == "cancelled"
    assert has_ended(job, 30)
    assert "data.download.openml:7" in keys(page)
    assert not page.error
    openml.add(7, "flowers", FLOWERS)
    click(page, "data.download.openml:7")
    run_until(page, lambda page: "data.explore.openml:7" in keys(page))


def test_downloads_end_with_the_workspace_and_are_bounded(open_catalogue, openml):
    workspace = space(open_catalogue())
    started = []
    for k in range(10):
        half_of(openml, openml.add(k, "flowers", FLOWERS))
        start_download(workspace.document, downloads.openml_entry(str(k)))
        started.append(jobs_of(workspace.document)[f"openml:{k}"])
    assert len(jobs_of(workspace.document)) == 8
    assert [job.state for job in started[:2]] == ["cancelled", "cancelled"]
    assert {job.state for job in started[2:]} == {"running"}
    assert started[-1].progress[0].endswith(" waits for other downloads.")
    workspace.discard()
    assert all(has_ended(job, 30) for job in started)
    assert {job.state for job in started} == {"cancelled"}
