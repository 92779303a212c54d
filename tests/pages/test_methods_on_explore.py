"""The methods beyond a matrix on the Explore page: classifiers, the spectrum, and an embedding that comes by itself."""

import json
from dataclasses import replace

import numpy as np

from nca_core.classifiers import CLASSIFIERS
from pages.server import embeddings
from pages.server.embeddings import embedding_jobs
from pages.views.figures import transformation_bars, transformation_images
from study.learnt import weights_of_features
from study.link import to_link
from study.measure import measure_rules
from study.panel import PanelRecipe
from study.recipe import DataRecipe, Recipe
from tests.pages.app_page import lines, opened, prepared, press, run_of, space, train
from tests.waiting import has_ended

OPENED = "explore.what_a_looks_at"


def page_of(*panels):
    return opened(to_link(Recipe(data=DataRecipe("iris"), panels=panels)))


def test_more_classifiers_are_computed_when_they_are_opened(monkeypatch):
    asked = []
    monkeypatch.setattr(
        "pages.server.measurements.measure_rules", lambda *args: asked.append(args[1]) or measure_rules(*args)
    )
    page = page_of(PanelRecipe("pca"), PanelRecipe("neural_nca", {"max_iter": 3, "n_hidden": 8}))
    assert asked == []
    page.session_state["explore.rules"] = page.session_state[OPENED] = True
    page.run()
    assert asked == [None, "pca"]
    train(page, "neural_nca")
    assert asked[-1] == "neural_nca"
    assert "is nonlinear" in lines(page)  # no feature has one weight
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
    assert "axes on the stage hold" in lines(page)


def test_an_embedding_that_was_broken_off_may_be_tried_again(monkeypatch):
    places = iter([None, 0.0])

    def embed(panel, n_components, check):
        if next(places) is None:
            return replace(panel, waits=False, problem="It was ended.", broken_off=True)
        return replace(panel, waits=False, problem="", embedding=np.zeros((len(panel.X), n_components)))

    def run_until_it_is_there():
        page.run()
        while any(has_ended(job, 60) and job.fitted for job in embedding_jobs(space(page).document)):
            page.run()
        return space(page).document.comparison.panel("tsne")

    monkeypatch.setattr(embeddings, "embed", embed)
    page = page_of(PanelRecipe("pca"), PanelRecipe("tsne", title="Mine *"))
    assert run_until_it_is_there().problem == "It was ended."
    press(page, r"Try Mine \* again")
    assert run_until_it_is_there().problem == ""
    assert not [button for button in page.button if button.label.startswith("Try")]
    space(page).discard()


def shown_data(page):
    """The bars or images on the page."""
    return json.loads(page.get("plotly_chart")[0].proto.spec)["data"]


def expected_data(page, figure, of, per_deviation=True):
    """Those that `figure` draws of the latest A."""
    weights = weights_of_features(prepared(page)[1], run_of(page).latest().transformation, per_deviation)
    return json.loads(figure(weights, of).to_json())["data"]


def test_rows_of_a_table_are_bars_of_the_latest_a_once_they_are_opened(page, monkeypatch):
    def refused(*_):
        raise AssertionError("must not be computed")

    with monkeypatch.context() as closed:
        closed.setattr("pages.controls.results.weights_of_features", refused)
        train(page)
        assert not page.get("plotly_chart")
    press(page, "Reset")
    page.session_state[OPENED] = True
    page.run()
    assert "Press Train or Step" in lines(page)
    assert not page.get("plotly_chart")
    train(page)
    names = prepared(page)[0].feature_names
    in_deviations = shown_data(page)
    assert in_deviations == expected_data(page, transformation_bars, names)
    page.segmented_control(key="explore.weights").set_value(False).run()
    assert in_deviations != shown_data(page) == expected_data(page, transformation_bars, names, per_deviation=False)
    for form in ("png", "svg"):
        page.session_state["export.figure_form"] = form
        page.run()
        saved = json.loads(page.get("plotly_chart")[0].proto.config)["toImageButtonOptions"]
        assert saved == {"format": form, "filename": "features", "scale": 2}


def test_rows_of_images_are_images_also_of_fewer_features(page):
    page.selectbox(key="explore.data").set_value("digits").run()
    page.number_input(key="explore.rows").set_value(200).run()
    page.number_input(key="explore.nca.max_iter").set_value(5).run()
    page.session_state[OPENED] = True
    for reduction in ("all", "feature_selection"):
        page.selectbox(key="explore.reduction").set_value(reduction).run()
        train(page)
        assert shown_data(page) == expected_data(page, transformation_images, (8, 8))
