"""The rows of A on the Explore page: nothing while closed, the latest A while open."""

import base64
import json

import numpy as np

from study.learnt import weights_of_features
from tests.pages.app_page import prepared, run_of, train

OPENED = "explore.what_a_looks_at"


def opened(page):
    page.session_state[OPENED] = True
    page.run()


def figure(page):
    return json.loads(page.get("plotly_chart")[0].proto.spec)


def values(coded):
    """Plotly writes arrays as base64 with their type and shape."""
    if not isinstance(coded, dict):
        return np.array(coded)
    flat = np.frombuffer(base64.b64decode(coded["bdata"]), coded["dtype"])
    return flat.reshape([int(side) for side in coded["shape"].split(",")]) if "shape" in coded else flat


def weights(page, per_deviation=True):
    return weights_of_features(prepared(page)[1], run_of(page).latest().transformation, per_deviation)


def test_closed_it_computes_nothing(page, monkeypatch):
    train(page)
    assert not page.get("plotly_chart")

    def refused(*_):
        raise AssertionError("computed for nobody")

    monkeypatch.setattr("pages.controls.results.weights_of_features", refused)
    page.run()


def test_before_a_training_it_says_what_to_do(page):
    opened(page)
    assert any("Press Train or Step" in caption.value for caption in page.caption)
    assert not page.get("plotly_chart")


def test_rows_of_a_table_are_bars_of_the_latest_a(page):
    opened(page)
    train(page)
    shown = figure(page)
    order = np.argsort(-np.linalg.norm(weights(page), axis=0), kind="stable")
    for row, bars in zip(weights(page), shown["data"], strict=True):
        assert bars["type"] == "bar"
        np.testing.assert_allclose(values(bars["x"]), row[order])
    page.segmented_control(key="explore.weights").set_value(False).run()
    order = np.argsort(-np.linalg.norm(weights(page, False), axis=0), kind="stable")
    np.testing.assert_allclose(values(figure(page)["data"][0]["x"]), weights(page, False)[0][order])


def test_rows_of_images_are_images_also_of_fewer_features(page):
    page.selectbox(key="explore.data").set_value("digits").run()
    page.number_input(key="explore.rows").set_value(200).run()
    page.number_input(key="explore.nca.max_iter").set_value(5).run()
    opened(page)
    for reduction in ("all", "pca", "random_projection", "feature_selection"):
        page.selectbox(key="explore.reduction").set_value(reduction).run()
        train(page)
        images = figure(page)["data"]
        assert [image["type"] for image in images] == ["heatmap", "heatmap"]
        for row, image in zip(weights(page), images, strict=True):
            np.testing.assert_allclose(values(image["z"]), row.reshape(8, 8))


def test_the_camera_saves_the_form_that_was_chosen(page):
    opened(page)
    train(page)
    for form in ("png", "svg"):
        page.session_state["export.figure_form"] = form
        page.run()
        saved = json.loads(page.get("plotly_chart")[0].proto.config)["toImageButtonOptions"]
        assert saved == {"format": form, "filename": "features", "scale": 2}
