"""The methods beyond a matrix on the Explore page: classifiers, the spectrum, and an embedding that comes by itself."""

from dataclasses import replace

import numpy as np

from nca_core.classifiers import CLASSIFIERS
from pages.server import embeddings
from pages.server.embeddings import embedding_jobs
from study.link import to_link
from study.measure import measure_rules
from study.panel import PanelRecipe
from study.recipe import DataRecipe, Recipe
from tests.pages.app_page import opened, press, run_of, space, train


def page_of(*panels):
    return opened(to_link(Recipe(data=DataRecipe("iris"), panels=panels)))


def test_more_classifiers_are_computed_when_they_are_opened(monkeypatch):
    asked = []
    monkeypatch.setattr(
        "pages.server.measurements.measure_rules", lambda *args: asked.append(args[1]) or measure_rules(*args)
    )
    page = page_of(PanelRecipe("pca"), PanelRecipe("neural_nca", {"max_iter": 3, "n_hidden": 8}))
    assert asked == []
    page.session_state["explore.rules"] = True
    page.run()
    assert asked == [None, "pca"]
    train(page, "neural_nca")
    assert asked[-1] == "neural_nca"
    assert asked.count(None) == 1  # remembered
    table = next(frame for frame in page.dataframe if "Space" in frame.value.columns)
    assert table.proto.placeholder == "–"  # else "None" stands where a rule cannot be asked
    shown = table.value
    assert list(shown["Space"]) == ["All features", "PCA", "Neural NCA"]
    comparison = space(page).document.comparison
    expected = measure_rules(comparison, "neural_nca", run_of(page, "neural_nca").latest())
    for key, rule in CLASSIFIERS.items():
        written = shown[rule.title]
        assert written[2].startswith(f"{expected.by_rule[key].accuracy:.3f} (")  # and its interval
        assert (not isinstance(written[0], str)) == rule.by_scale


def test_the_spectrum_stands_there_once_a_metric_was_trained():
    page = page_of(PanelRecipe("mcml", {"max_iter": 3}), PanelRecipe("nca", {"max_iter": 2}))
    assert not page.get("plotly_chart")
    train(page, "mcml", "nca")
    assert len(page.get("plotly_chart")) == 1
    assert any("axes on the stage hold" in caption.value.replace("\\", "") for caption in page.caption)


def test_a_projection_that_bends_has_no_weight_of_a_feature():
    page = page_of(PanelRecipe("neural_nca", {"max_iter": 2, "n_hidden": 4}))
    page.session_state["explore.what_a_looks_at"] = True
    train(page, "neural_nca")
    assert any("is nonlinear" in caption.value for caption in page.caption)


def test_an_embedding_that_was_broken_off_may_be_tried_again(monkeypatch):
    places = iter([None, 0.0])

    def embed(panel, n_components, check):
        if next(places) is None:
            return replace(panel, waits=False, problem="It was ended.", broken_off=True)
        return replace(panel, waits=False, problem="", embedding=np.zeros((len(panel.X), n_components)))

    def run_until_it_is_there():
        page.run()
        while any(job.wait() and job.fitted for job in embedding_jobs(space(page).document)):
            page.run()
        return space(page).document.comparison.panel("tsne")

    monkeypatch.setattr(embeddings, "embed", embed)
    page = page_of(PanelRecipe("pca"), PanelRecipe("tsne", title="Mine *"))
    assert run_until_it_is_there().problem == "It was ended."
    press(page, r"Try Mine \* again")
    assert run_until_it_is_there().problem == ""
    assert not [button for button in page.button if button.label.startswith("Try")]
    space(page).forget()
