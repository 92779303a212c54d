"""The noise lab and the choice of data on the Explore page: what is chosen is what is trained on, and only then."""

from types import SimpleNamespace

import numpy as np
import pytest

from datasets.base.dataset import Dataset, Source
from datasets.base.entry import Entry
from datasets.base.words import percent
from datasets.catalogue import DATASETS, load_dataset
from datasets.local_folder import VARIABLE
from pages.server import data
from tests.pages.app_page import TABLE, keys, lines, prepared, run_of, said, space, train


def trained_on(page):
    """The data set that was prepared last, as it was before."""
    return prepared(page)[0]


def test_what_was_done_is_said_and_one_button_undoes_it(open_page):
    page = open_page({"data": "wine", "held_out": "0", "noise.seed": "9", "noise.spread": "3.0", "noise.factor": "9"})
    assert page.slider(key="explore.noise.spread").value == 3.0
    assert trained_on(page) is load_dataset("wine")  # settings without an effect change nothing
    assert "explore.no_noise" not in keys(page)
    page.number_input(key="explore.noise.columns").set_value(4).run()
    page.slider(key="explore.noise.flipped").set_value(10).run()
    page.selectbox(key="explore.noise.rescaled").set_value(0).run()
    assert "Noise lab: column alcohol was multiplied by 9." in lines(page)
    assert "Noise lab: 4 columns of noise were added, with standard deviation" in lines(page)
    assert "Noise lab: 18 of 178 labels (10\N{NO-BREAK SPACE}%) were flipped to another class." in lines(page)
    page.button(key="explore.no_noise").click().run()
    page.number_input(key="explore.rows").set_value(1000).run()  # prepared anew
    assert trained_on(page) is load_dataset("wine")
    assert "explore.no_noise" not in keys(page)
    assert not any("Noise lab" in caption.value for caption in page.caption)
    page.run()
    assert page.number_input(key="explore.noise.columns").value == 0
    page.selectbox(key="explore.noise.rescaled").set_value(12).run()
    page.selectbox(key="explore.reduction").set_value("pca").run()
    assert "178 rows: standardise → PCA to 13" in lines(page)  # more than there are means all
    page.selectbox(key="explore.data").set_value("digits").run()
    assert not page.error
    assert "1,000 rows: standardise → PCA to 30" in lines(page)  # the wish is kept, the column is not
    assert page.selectbox(key="explore.noise.rescaled").value is None


def test_the_headline_says_that_labels_are_flipped(open_page):
    page = open_page({"data": "wine", "panels": "pca,nca", "nca.max_iter": "4", "noise.flipped": "0.2"})
    run = train(page)
    (line,) = (line for line in said(page.markdown) if "classifies" in line)
    assert line.endswith(f" {percent(0.2)} of the training labels are flipped.")
    assert f"NCA classifies {percent(run.latest().held_out_1nn)} of held-out rows" in line


def test_a_rerun_keeps_data_set_and_run(page):
    page.number_input(key="explore.noise.columns").set_value(2).run()
    page.button(key="explore.step").click().run()
    run, noisy, scene = run_of(page), trained_on(page), space(page).shown.version
    assert run is not None
    for seed in range(20):  # more than the catalogue keeps
        load_dataset("moons", random_state=seed)
    page.run()
    assert trained_on(page) is noisy
    assert run_of(page) is run
    assert space(page).shown.version == scene


@pytest.mark.filterwarnings("error::RuntimeWarning")
def test_noise_that_cannot_be_is_one_sentence(page):
    data = "a,b,label\n" + "".join(f"{i}e68,{i * i % 7},{'xy'[i % 2]}\n" for i in range(1, 9))
    page.file_uploader(key="explore.upload").set_value(("large.csv", data.encode(), "text/csv")).run()
    page.selectbox(key="explore.noise.rescaled").set_value(0).run()
    assert page.number_input(key="explore.noise.factor").value == 100.0  # by 1 nothing would be seen
    page.number_input(key="explore.noise.factor").set_value(1e6).run()
    assert "too large" in page.error[0].value


def test_a_folder_s_tables_can_be_chosen(open_page, monkeypatch, tmp_path):
    (tmp_path / "trees_of_mine.csv").write_text(TABLE)
    (tmp_path / "broken.csv").write_text("a,b\n")
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    page = open_page()
    page.selectbox(key="explore.data").set_value("folder:trees_of_mine.csv").run()
    assert not page.error
    assert trained_on(page).class_names == ("low", "tall")
    page.selectbox(key="explore.data").set_value("folder:broken.csv").run()
    assert said(page.error)[0].startswith("broken.csv")
    (tmp_path / "broken.csv").unlink()
    page.run()
    assert "There is no data set" in said(page.error)[0]  # and none is shown in its place
    assert page.selectbox(key="explore.data").value is None


def own(name):
    return Dataset(name, np.zeros((4, 2)), np.array([0, 0, 1, 1]), ("a", "b"), ("p", "q"), Source("own"))


def test_every_label_of_the_choice_is_there_once(monkeypatch):
    entries = {"folder:a": Entry("folder:a", "Wine", "", "folder", Source("a"), lambda: own("Wine"))}
    monkeypatch.setattr(data, "local_entries", lambda: entries)
    there = {"own:a": own("Wine"), "own:b": own("x\u202ey"), "ionosphere": own("ionosphere")}
    labels = data.choices(SimpleNamespace(document=SimpleNamespace(own_data=there)))
    keys = list(labels)
    assert keys[0] == "wine"
    assert keys[-4:] == ["folder:a", "own:a", "own:b", "ionosphere"]
    assert (labels["wine"], labels["folder:a"], labels["own:a"]) == ("Wine", "Wine (2)", "Wine (3)")
    assert labels["own:b"] == "x\\u202ey"
    assert len(set(labels.values())) == len(labels)
    assert not [key for key in keys if key in DATASETS and DATASETS[key].kind == "download" and key != "ionosphere"]


ELSEWHERE = {
    "Ionosphere has to be downloaded first: it is in the catalogue.": {"data": "ionosphere"},
    "This link was made with my *own*, which does not travel with it.": {"data": "own", "data.name": "my *own*"},
}


@pytest.mark.parametrize(("sentence", "link"), ELSEWHERE.items(), ids=["download", "own"])
def test_a_link_to_what_is_not_here_says_so_and_shows_nothing_in_its_place(open_page, link, sentence):
    page = open_page(link)
    assert said(page.error)[0].startswith(sentence)
    assert not page.get("bidi_component")
    assert "explore.train" not in keys(page)
    page.selectbox(key="explore.data").set_value("iris").run()
    assert not page.error
    assert page.get("bidi_component")
    page.run()
    assert page.selectbox(key="explore.data").value == "iris"
