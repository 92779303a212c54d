"""A model projects rows as they came to where the page has them, and loads without running code."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from skops.io import get_untrusted_types, loads

from datasets.base.dataset import Dataset, Source
from datasets.catalogue import DATASETS
from datasets.noise_lab import NoiseConfig
from datasets.preparation import PREPROCESSING, PreparationConfig, prepare
from datasets.reduction import REDUCTIONS
from export.entry import ExportRequest
from export.model import MODEL, panel_features, projection_script
from nca_core.training.config import TrainingConfig
from nca_core.training.nca import train
from study.panel import PanelRecipe
from study.recipe import DataRecipe, Recipe
from tests.export.subjects import HOSTILE, made, nca, own_table, subject_of


def example_rows(features):
    raw = features.prepared.raw
    return pd.DataFrame(raw.X, columns=list(raw.feature_names))


def small_data():
    """Three classes; one column is constant, one far from 0, and a name is hostile."""
    rng = np.random.default_rng(3)
    y = rng.integers(3, size=80)
    X = rng.normal(size=(80, 6)) * [1, 5, 0.2, 0, 1, 1] + [0, 0, 0, 7, 1000, 0] + y[:, None] * [1, 0, 0.3, 0, 0, 0]
    return Dataset("here", X, y, ("a", "b", HOSTILE, "d", "e", "=f"), ("x", "y", "z"), Source("here"))


def subject_with(*panels, **recipe):
    return subject_of(Recipe(data=DataRecipe("own"), panels=panels, **recipe), small_data())


def places_by(subject, key, rows=None):
    data = made(MODEL, subject, "skops", key).data
    pipeline = loads(data, trusted=[])
    rows = example_rows(panel_features(subject.comparison, key)) if rows is None else rows
    return pipeline.transform(rows) if hasattr(pipeline, "transform") else pipeline.predict(rows)


def from_json(subject, key):
    """What another program would do that has read the file alone."""
    model = json.loads(made(MODEL, subject, "json", key).data)
    X = example_rows(panel_features(subject.comparison, key)).to_numpy()
    assert model["features"] == list(subject.comparison.dataset.feature_names)
    for step in model["steps"]:
        if step["kind"] == "LinearStep":
            X = (X - step["offset"]) * step["scale"]
        elif step["kind"] == "SelectStep":
            X = X[:, step["kept"]]
        else:
            X = (X - step["offset"]) @ np.array(step["down"]).T
            X = X if step["up"] is None else X @ np.array(step["up"]).T
    return X @ np.array(model["A"]).T


@pytest.mark.parametrize("step", list(PREPROCESSING))
@pytest.mark.parametrize("reduction", [None, *REDUCTIONS])
def test_places_are_those_of_the_page(step, reduction):
    components = None if reduction is None else 3
    preparation = PreparationConfig(step, 0.25, components=components, reduction=reduction or "pca")
    subject = subject_with(nca(3), PanelRecipe("lda"), preparation=preparation)
    for key in ("nca", "lda"):
        wanted = subject.coordinates(key)
        size = np.abs(wanted).max()
        np.testing.assert_allclose(places_by(subject, key), wanted, rtol=1e-9, atol=1e-9 * size)
        np.testing.assert_allclose(from_json(subject, key), wanted, rtol=1e-9, atol=1e-9 * size)


def test_what_was_constant_in_training_moves_no_new_row():
    subject = subject_with(nca(3, start="random"), preparation=PreparationConfig("standardise", 0.25))
    rows = example_rows(panel_features(subject.comparison, "nca"))
    rows["d"] = 9.0  # 7 in all that was trained on
    np.testing.assert_allclose(places_by(subject, "nca", rows), subject.coordinates("nca"), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("features", ["standardised", "raw", "rbf", "polynomial", "linear"])
def test_panels_that_are_fed_something_else(features):
    preparation = PreparationConfig("min-max", 0.25)
    subject = subject_with(nca(3, features=features), preparation=preparation)
    wanted = subject.coordinates("nca")
    np.testing.assert_allclose(places_by(subject, "nca"), wanted, rtol=1e-7, atol=1e-7 * np.abs(wanted).max())


def test_noise_columns_belong_to_the_rows_as_they_came():
    panels = (nca(3), nca(3, "nca-2", features="clean"))
    subject = subject_with(*panels, noise=NoiseConfig(noise_columns=3))
    for key in ("nca", "nca-2"):
        np.testing.assert_allclose(places_by(subject, key), subject.coordinates(key), rtol=1e-8, atol=1e-9)


def test_a_network():
    subject = subject_with(PanelRecipe("neural_nca", {"max_iter": 3, "n_hidden": 7}))
    np.testing.assert_allclose(
        places_by(subject, "neural_nca"), subject.coordinates("neural_nca"), rtol=1e-8, atol=1e-9
    )
    assert "not linear" in MODEL.problem(subject, ExportRequest("py", "neural_nca"))
    assert len(json.loads(made(MODEL, subject, "json", "neural_nca").data)["network"]["W"]) == 7


def test_gaps_are_filled_as_they_were():
    """The table as it came has gaps; without them filled there would be no place."""
    subject = own_table(nca(3), preparation=PreparationConfig(held_out_fraction=0.25))
    data = made(MODEL, subject, "skops", "nca").data
    assert get_untrusted_types(data=data) == ["numpy.dtype"]
    pipeline = loads(data, trusted=["numpy.dtype"])
    rows = example_rows(panel_features(subject.comparison, "nca"))
    lines = subject.source.content.decode("cp1252").splitlines()[1:]
    gaps = [k for k, line in enumerate(lines) if line.split(";")[1] == ""]
    assert len(gaps) > 3
    rows.loc[gaps, "width"] = np.nan
    np.testing.assert_allclose(pipeline.transform(rows), subject.coordinates("nca"), rtol=1e-9)


def test_no_type_needs_trust():
    subject = subject_with(nca(3, features="rbf"), PanelRecipe("neural_nca", {"max_iter": 2, "n_hidden": 5}))
    for key in ("nca", "neural_nca"):
        assert get_untrusted_types(data=made(MODEL, subject, "skops", key).data) == []


def test_why_there_is_none():
    subject = subject_with(PanelRecipe("tsne"), nca(3, features="rbf"))
    assert "no model" in MODEL.problem(subject, ExportRequest("skops", "tsne"))
    assert "similarities" in MODEL.problem(subject, ExportRequest("py", "nca"))
    assert "Choose a panel" in MODEL.problem(subject, ExportRequest("skops", "nobody"))
    assert "press Train" in MODEL.problem(replace(subject, histories={}), ExportRequest("json", "nca"))


# The Python form: it projects as the training did, and no name in it is code.
NAME = '''"""); open("/nowhere").read() #\n{A}\\'''


def script_of(ready, snapshot):
    return projection_script(ready, NAME, snapshot.transformation, snapshot)


def wine_data():
    return DATASETS["wine"].load()


@pytest.mark.parametrize("step", list(PREPROCESSING))
@pytest.mark.parametrize("components", [None, 5])
def test_the_script_gives_the_points_of_the_stage(step, components):
    ready = prepare(wine_data(), PreparationConfig(step=step, components=components))
    end = train(ready.dataset.X, ready.dataset.y, TrainingConfig(max_iter=3))
    room: dict = {}
    exec(script_of(ready, end.snapshots[-1]), room)
    wanted = ready.dataset.X @ end.snapshots[-1].transformation.T
    np.testing.assert_allclose(room["project"](ready.raw.X), wanted, rtol=1e-7, atol=1e-7 * np.abs(wanted).max())
    assert room["FEATURES"] == list(ready.raw.feature_names)
    assert room["ITERATION"] == 3


def test_names_in_a_script_are_text():
    dataset = wine_data()
    names = (NAME, "höhe ü 高", *dataset.feature_names[2:])
    ready = prepare(replace(dataset, name=NAME, feature_names=names), PreparationConfig())
    end = train(ready.dataset.X, ready.dataset.y, TrainingConfig(max_iter=1))
    room: dict = {}
    exec(script_of(ready, end.snapshots[-1]), room)
    assert room["DATA"] == room["METHOD"] == NAME
    assert room["FEATURES"][:2] == [NAME, "höhe ü 高"]
