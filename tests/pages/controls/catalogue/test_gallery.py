"""The gallery without a browser: a card for each data set, drawn only where it is looked at."""

from __future__ import annotations

import time

from datasets.catalogue import DATASETS, load_dataset
from datasets.local_folder import VARIABLE
from datasets.thumbnails import thumbnail
from datasets.trained_pictures import trained_picture
from pages.controls.catalogue import gallery
from pages.views.thumbnail import thumbnail_svg
from tests.pages.app_page import TABLE, said


def words(page):
    return "\n".join(said((*page.markdown, *page.caption)))


def keys(page, prefix):
    return [button.key.removeprefix(prefix) for button in page.button if (button.key or "").startswith(prefix)]


def test_nothing_of_it_is_made_while_another_tab_is_open(open_catalogue, monkeypatch):
    page = open_catalogue()
    page.session_state["data.tab"] = "Your table"

    def refused(*_):
        raise AssertionError("drawn for nobody")

    monkeypatch.setattr(gallery.PREVIEWS, "now", refused)
    page.run()
    assert not page.exception
    assert not keys(page, "data.explore.")


def test_every_set_of_the_catalogue_has_a_card(open_catalogue, pictures):
    page = open_catalogue()
    ready = [key for key, entry in DATASETS.items() if entry.kind in ("bundled", "generator")]
    fetched = [key for key, entry in DATASETS.items() if entry.kind == "download"]
    assert keys(page, "data.explore.") == ready
    assert keys(page, "data.download.") == fetched
    text = words(page)
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


def test_explore_takes_the_set_to_the_explore_page(open_catalogue):
    page = open_catalogue()
    page.button(key="data.explore.moons").click().run()
    assert not page.exception
    assert page.selectbox(key="explore.data").value == "moons"
    assert any("Two moons" in caption.value or "Moons" in caption.value for caption in page.caption)


def test_without_a_folder_the_page_says_how_to_set_one(open_catalogue):
    page = open_catalogue()
    assert any(VARIABLE in code.value for code in page.code)


def test_tables_of_a_folder_get_cards_and_broken_ones_a_sentence(open_catalogue, pictures, monkeypatch, tmp_path):
    folder = tmp_path / "tables"
    folder.mkdir()
    (folder / "trees_<b>.csv").write_text(TABLE)
    (folder / "broken.csv").write_text("a,b\n")
    waiting = open_catalogue()
    monkeypatch.setenv(VARIABLE, str(folder))
    page = waiting
    end = time.monotonic() + 30
    while time.monotonic() < end:
        page.run()
        assert not page.exception
        if "20 rows" in words(page) and page.button(key="data.explore.folder:broken.csv").disabled:
            break
        time.sleep(0.05)
    text = words(page)
    assert "**trees <b>**" in text
    assert "20 rows x 2 features, 2 classes" in text
    assert "broken.csv" in text
    assert "<path" in pictures(page)["Small picture of trees &lt;b&gt;"]
    assert "<path" not in pictures(page)["Small picture of broken"]
    page.button(key="data.explore.folder:trees_<b>.csv").click().run()
    assert page.selectbox(key="explore.data").value == "folder:trees_<b>.csv"


def test_one_s_own_tables_stand_there_too(open_catalogue):
    page = open_catalogue()
    page.file_uploader(key="data.upload").set_value(("trees.csv", TABLE.encode(), "text/csv")).run()
    assert page.session_state["data.tab"] == "Your table"
    page.session_state["data.tab"] = "Catalogue"
    page.run()
    page.run()
    assert "own:trees.csv" in keys(page, "data.explore.")
    page.button(key="data.explore.own:trees.csv").click().run()
    assert page.selectbox(key="explore.data").value == "own:trees.csv"
