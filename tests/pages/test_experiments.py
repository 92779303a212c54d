"""The page of the papers' tables: run one, see its verdicts, open a cell."""

import pytest

from datasets.base.words import percent
from pages.controls import experiments as controls
from study.experiments import EXPERIMENTS
from study.experiments.base.experiment import cells_of_row, side_by_side
from study.experiments.base.store import KeptRun
from tests.pages.app_page import address, click, lines, said, space
from tests.waiting import has_ended


@pytest.fixture(autouse=True)
def _own_store(tmp_path, monkeypatch):
    monkeypatch.setenv("NCA_EXPLORER_EXPERIMENTS", str(tmp_path))
    monkeypatch.delenv("NCA_EXPLORER_DATA", raising=False)


@pytest.fixture
def nothing_kept(monkeypatch):
    monkeypatch.setattr("study.experiments.base.results.kept_run", KeptRun)


@pytest.fixture
def experiments(open_page):
    return open_page({"experiment": "talk-wine"}, "experiments.py")


def finished(page):
    job = space(page).document.jobs["experiment"]
    assert has_ended(job, 120)
    page.run()
    return job


def test_a_link_names_the_experiment_and_opens_on_the_kept_run(experiments, open_page):
    assert experiments.selectbox(key="experiments.which").value == "talk-wine"
    assert "Not run" not in lines(experiments)
    assert set(experiments.dataframe[0].value["splits"]) == {"20"}
    assert any("440 of 440 numbers are from the kept run. Made on" in text for text in said(experiments.caption))
    assert experiments.get("plotly_chart")
    fold = experiments.expander[0]
    assert any("NCA better than LDA on wine, 2-D: the opposite holds." in text for text in said(fold.markdown))
    assert not any("cannot be told" in text for text in said(experiments.markdown) if text not in said(fold.markdown))
    assert [each.key for each in fold.number_input] == ["experiments.splits.talk-wine"]
    assert not space(experiments).document.jobs
    experiments.selectbox(key="experiments.which").set_value("r-fig5").run()
    assert address(experiments)["experiment"] == "r-fig5"
    assert "Why NCA came out badly on wine" in experiments.subheader[0].value
    unknown = open_page({"experiment": "nothing"}, "experiments.py")
    assert unknown.selectbox(key="experiments.which").value == "nca-fig1-rank2"  # the paper on NCA


@pytest.mark.usefixtures("nothing_kept")
def test_run_shows_published_numbers_beside_ours_with_verdicts(experiments):
    experiments.number_input(key="experiments.splits.talk-wine").set_value(2)
    click(experiments, "experiments.run")
    job = finished(experiments)
    assert (job.state, job.result.failed) == ("done", 0)
    table = experiments.dataframe[0].value
    assert list(table["published"]) == [percent(share, 1) for share in (0.30, 0.25, 0.07, 0.31, 0.28, 0.05)]
    assert set(table["splits"]) == {"2"}
    assert set(table["verdict"]) == {"a first look"}
    assert set(experiments.dataframe[1].value["verdict"]) == {"a first look"}  # the claims
    assert "there is no verdict before 5." in lines(experiments)


@pytest.mark.usefixtures("nothing_kept")
def test_what_is_missing_says_how_to_get_it_and_is_downloaded_when_the_page_is_told_to(experiments, monkeypatch):
    experiments.selectbox(key="experiments.which").set_value("talk-faces").run()
    click(experiments, "experiments.run")
    finished(experiments)
    assert "faces.csv.gz is not here. Put it into a folder and start the app with" in lines(experiments)
    assert not any("--" in text for text in said(experiments.markdown))
    experiments.selectbox(key="experiments.which").set_value("talk-wine").run()
    toggle = "experiments.fetch"
    assert not [each for each in experiments.toggle if each.key == toggle]  # nothing of wine is missing
    experiments.selectbox(key="experiments.which").set_value("r-fig3").run()
    assert "switch on 'Download what is missing' for Ionosphere" in lines(experiments)
    asked = []

    def tasks_of(wanted, store, data, splits):
        asked.append(data.fetch)
        return [], ()

    monkeypatch.setattr(controls, "tasks_of", tasks_of)
    for on in (False, True):
        experiments.toggle(key=toggle).set_value(on).run()
        click(experiments, "experiments.run")
        finished(experiments)
    assert asked == [False, True]


def test_a_cell_opens_on_explore_with_its_own_split_and_a_row_on_compare(experiments):
    experiments.selectbox(key="experiments.row.talk-wine").set_value("2-D").run()
    click(experiments, "experiments.compare")
    recipe = space(experiments).second.document.recipe
    assert [panel.key for panel in recipe.panels] == ["pca", "lda", "nca"]
    experiments.switch_page("experiments.py").run()
    experiments.selectbox(key="experiments.row.talk-wine").set_value("2-D").run()
    experiments.number_input(key="experiments.split.talk-wine").set_value(3).run()
    experiments.selectbox(key="experiments.method.talk-wine.2-D").set_value("LDA").run()
    click(experiments, "experiments.explore")
    recipe = space(experiments).document.recipe
    assert recipe == cells_of_row(EXPERIMENTS["talk-wine"], "2-D", 3)["LDA"].recipe
    assert recipe.preparation.random_state == 3


@pytest.mark.parametrize("key", list(EXPERIMENTS))
def test_every_row_that_opens_gives_a_recipe(key):
    experiment = EXPERIMENTS[key]
    for row in {line.row for line in experiment.lines}:
        if cells := cells_of_row(experiment, row, 1):
            together = side_by_side(cells)
            recipes = [cell.recipe for cell in cells.values()]
            methods = {recipe.panels[0].method_key for recipe in recipes}
            assert {panel.method_key for panel in together.panels} <= methods
            assert together.preparation == recipes[0].preparation
