"""A link to a data set, and fewer features first, on the Explore page."""

import pytest

from datasets.local_folder import VARIABLE
from tests.pages.app_page import TABLE, address, prepared, run_of, said


@pytest.fixture
def at_link(open_page):
    return lambda key, name="": open_page({"data": key, **({"data.name": name} if name else {})})


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (("ionosphere",), "Ionosphere has to be downloaded first: it is in the catalogue. Or choose another data set."),
        (("own", "my *own*"), "This link was made with my *own*, which does not travel with it."),
    ],
)
def test_a_link_to_what_is_not_here_says_so_and_shows_nothing_in_its_place(at_link, data, sentence):
    page = at_link(*data)
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
    page = at_link("own", "trees")
    assert page.selectbox(key="explore.data").value == "folder:trees.csv"
    (tmp_path / "trees.csv").unlink()
    page.run()
    assert "made with trees, which does not travel" in said(page.error)[0]


def steps(page):
    return next(line for line in said(page.sidebar.caption) if " rows" in line)


def test_it_is_off_at_first(page):
    assert prepared(page)[1].dataset.n_features == 13
    assert steps(page) == "178 rows: standardise"
    assert not [field for field in page.number_input if field.key == "explore.components"]


def test_more_than_there_are_means_all_and_the_wish_is_kept(page):
    page.selectbox(key="explore.reduction").set_value("pca").run()
    assert steps(page) == "178 rows: standardise → PCA to 13"
    page.selectbox(key="explore.data").set_value("digits").run()
    assert not page.error
    assert steps(page) == "1,797 rows: standardise → PCA to 30"


@pytest.mark.parametrize(
    ("reduction", "line"),
    [
        ("pca", "178 rows: standardise → PCA to 4"),
        ("random_projection", "178 rows: standardise → random projection to 4"),
        ("feature_selection", "178 rows: standardise → the 4 best of 13 by F-value"),
    ],
)
def test_ways_to_fewer_features_train(page, open_page, reduction, line):
    page.selectbox(key="explore.reduction").set_value(reduction).run()
    page.number_input(key="explore.components").set_value(4).run()
    assert steps(page) == line
    page.button(key="explore.train").click().run()
    run = run_of(page)
    assert run.wait_for_end(60)
    assert run.latest().transformation.shape == (2, 4)
    assert steps(open_page(address(page))) == line
    page.selectbox(key="explore.reduction").set_value("all").run()
    assert steps(page) == "178 rows: standardise"
    assert "reduction" not in address(page)


def test_held_out_rows_are_in_the_line(page):
    page.slider(key="explore.held_out").set_value(20).run()
    assert steps(page) == "142 rows, 36 held out: standardise"
