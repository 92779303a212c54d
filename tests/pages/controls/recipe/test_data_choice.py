"""A link to a data set that is not here says so; one that is here opens it."""

from __future__ import annotations

import pytest

from datasets.local_folder import VARIABLE
from tests.pages.app_page import TABLE, said


@pytest.fixture
def at_link(open_page):
    return lambda title: open_page({"explore.data": title})


def test_a_link_to_what_is_here_opens_it(at_link):
    page = at_link("Two moons")
    assert page.selectbox(key="explore.data").value == "moons"
    assert not page.error


@pytest.mark.parametrize(
    ("title", "sentence"),
    [
        (
            "Ionosphere",
            "Ionosphere has to be downloaded first: it is in the catalogue. Or choose another data set.",
        ),
        ("my *own*", "This link was made with my *own*, which does not travel with it."),
    ],
)
def test_a_link_to_what_is_not_here_says_so_and_shows_nothing_in_its_place(at_link, title, sentence):
    page = at_link(title)
    assert said(page.error)[0].startswith(sentence)
    assert not page.get("bidi_component")
    assert not [button for button in page.button if button.key == "explore.train"]
    page.selectbox(key="explore.data").set_value("iris").run()
    assert not page.error
    assert page.get("bidi_component")
    page.run()
    assert page.selectbox(key="explore.data").value == "iris"


def test_a_file_that_is_gone_is_said(at_link, monkeypatch, tmp_path):
    (tmp_path / "trees.csv").write_text(TABLE)
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    page = at_link("trees")
    assert page.selectbox(key="explore.data").value == "folder:trees.csv"
    (tmp_path / "trees.csv").unlink()
    page.run()
    assert not page.exception
    assert "made with trees, which does not travel" in said(page.error)[0]
