"""A model projects rows as they came to where the page has them, and loads without running code."""

import json
from dataclasses import replace
from io import BytesIO

import numpy as np
import pandas as pd
import pytest
from skops.io import get_untrusted_types, loads

from datasets.base.dataset import Dataset, Source
from datasets.columns import build_dataset
from datasets.noise_lab import NoiseConfig
from datasets.preparation import PREPROCESSING, PreparationConfig
from datasets.preparation_steps import REDUCTIONS
from datasets.proposals import Choices, apply, propose
from datasets.reading import read_table
from export.entry import ExportRequest
from export.model import MODEL
from study.panel import PanelRecipe
from study.recipe import DataRecipe, Recipe
from tests.export.subjects import HOSTILE, made, nca, own_table, subject_of

NAME = '''"""); open("/nowhere").read() #\n{A}\\'''  # no name in a script is code


def example_rows(subject, key):
    raw = subject.comparison.features_of(key)[0].raw
    return pd.DataFrame(raw.X, columns=list(raw.feature_names))


def agrees(found, wanted):
    """Equal but for the last digits."""
    np.testing.assert_allclose(found, wanted, rtol=1e-7, atol=1e-7 * np.abs(wanted).max())


def small_data():
    """Three classes; one column is constant, one far from 0, and a name is hostile."""
    rng = np.random.default_rng(3)
    y = rng.integers(3, size=80)
    X = rng.normal(size=(80, 6)) * [1, 5, 0.2, 0, 1, 1] + [0, 0, 0, 7, 1000, 0] + y[:, None] * [1, 0, 0.3, 0, 0, 0]
    return Dataset(NAME, X, y, ("höhe ü 高", "b", HOSTILE, "d", NAME, "=f"), ("x", "y", "z"), Source("here"))


def subject_with(*panels, **recipe):
    return subject_of(Recipe(data=DataRecipe("own"), panels=panels, **recipe), small_data())


def places_by(subject, key, rows=None):
    data = made(MODEL, subject, "skops", key).data
    pipeline = loads(data, trusted=[])  # no type needs trust
    rows = example_rows(subject, key) if rows is None else rows
    return pipeline.transform(rows) if hasattr(pipeline, "transform") else pipeline.predict(rows)


def from_json(subject, key):
    """What another program would do that has read the file alone."""
    model = json.loads(made(MODEL, subject, "json", key).data)
    X = example_rows(subject, key).to_numpy()
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


def by_script(subject, key):
    room: dict = {}
    exec(made(MODEL, subject, "py", key).data.decode(), room)
    raw = subject.comparison.prepared.raw
    assert (room["DATA"], room["METHOD"]) == (raw.name, subject.titles[key])
    assert room["FEATURES"] == list(raw.feature_names)
    return room["project"](raw.X)


@pytest.mark.parametrize("step", list(PREPROCESSING))
@pytest.mark.parametrize("reduction", [None, *REDUCTIONS])
def test_places_are_those_of_the_page(step, reduction):
    components = None if reduction is None else 3
    preparation = PreparationConfig(step, 0.25, components=components, reduction=reduction or "pca")
    subject = subject_with(nca(3), PanelRecipe("lda", title=NAME), preparation=preparation)
    for key in ("nca", "lda"):
        for places in (places_by, from_json, by_script):
            agrees(places(subject, key), subject.coordinates(key))


def test_what_was_constant_in_training_moves_no_new_row():
    subject = subject_with(nca(3, start="random"), preparation=PreparationConfig("standardise", 0.25))
    rows = example_rows(subject, "nca")
    rows["d"] = 9.0  # 7 in all that was trained on
    agrees(places_by(subject, "nca", rows), subject.coordinates("nca"))


@pytest.mark.parametrize("features", ["standardised", "raw", "rbf", "polynomial", "linear"])
def test_panels_that_are_fed_something_else(features):
    subject = subject_with(nca(3, features=features), preparation=PreparationConfig("min-max", 0.25))
    agrees(places_by(subject, "nca"), subject.coordinates("nca"))


def test_noise_columns_belong_to_the_rows_as_they_came():
    subject = subject_with(nca(3), nca(3, "nca-2", features="clean"), noise=NoiseConfig(noise_columns=3))
    for key in ("nca", "nca-2"):
        agrees(places_by(subject, key), subject.coordinates(key))


@pytest.mark.parametrize("units", ["logistic", "linear"])
def test_a_network(units):
    subject = subject_with(PanelRecipe("neural_nca", {"max_iter": 3, "n_hidden": 7, "units": units}))
    agrees(places_by(subject, "neural_nca"), subject.coordinates("neural_nca"))
    assert "not linear" in MODEL.problem(subject, ExportRequest("py", "neural_nca"))
    assert len(json.loads(made(MODEL, subject, "json", "neural_nca").data)["network"]["W"]) == 7


def test_a_table_as_it_came_goes_through_the_pipeline():
    """Texts are encoded and gaps filled as the training rows had them."""
    subject = own_table(nca(3), preparation=PreparationConfig(held_out_fraction=0.25))
    data = made(MODEL, subject, "skops", "nca").data
    assert get_untrusted_types(data=data) == ["numpy.dtype"]
    pipeline = loads(data, trusted=["numpy.dtype"])
    table = pd.read_csv(BytesIO(subject.source.content), sep=";", decimal=",", encoding="cp1252")
    assert table["width"].isna().sum() > 3
    rows = table.drop(columns=["id", "kind"])
    agrees(pipeline.transform(rows), subject.coordinates("nca"))
    scope: dict = {}
    exec(made(MODEL, subject, "py", "nca").data.decode(), scope)
    coded = pd.get_dummies(rows, columns=["colour"], prefix_sep=" = ", dtype=float)[scope["FEATURES"]]
    agrees(scope["project"](coded), subject.coordinates("nca"))


def towns(gap):
    """A table with 30 towns, most of them rare, and colours with gaps, of which one is written as the text "?"."""
    rng = np.random.default_rng(4)
    lines = ["width,town,colour,kind"]
    for row in range(200):
        colour = "" if row % 7 == 0 else "?" if row % 31 == 0 else rng.choice(["red", "green"], p=[0.7, 0.3])
        lines.append(f"{rng.normal() + row % 2:.3f},t{int(30 * rng.random() ** 3):02},{colour},{'ab'[row % 2]}")
    content = "\n".join(lines).encode()
    choices = Choices(
        label="kind", missing="impute", roles=(("town", "categories"), ("colour", "categories")), category_gaps=gap
    )
    plan = apply(propose(read_table(content, "a.csv")), choices)
    return pd.read_csv(BytesIO(content)), build_dataset(plan.table, plan.columns)


@pytest.mark.parametrize("gap", ["level", "most_frequent"])
@pytest.mark.parametrize("factor", [1.0, 5.0])
def test_categories_are_those_of_the_training_rows(gap, factor):
    table, dataset = towns(gap)
    other = dataset.feature_names.index("town = other")
    noise = NoiseConfig(rescaled_column=other, factor=factor)
    held = PreparationConfig("none", held_out_fraction=0.4)
    subject = subject_of(Recipe(data=DataRecipe("own"), panels=(nca(3),), preparation=held, noise=noise), dataset)
    found = subject.comparison.prepared
    assert found.raw.feature_names != dataset.feature_names  # other towns are rare among the training rows
    pipeline = loads(made(MODEL, subject, "skops", "nca").data, trusted=["numpy.dtype"])
    rows = table.drop(columns="kind")
    agrees(pipeline.transform(rows), subject.coordinates("nca"))
    rows.loc[0, "town"] = "a new town"
    assert pipeline[0].transform(rows)[0, other] == factor

    model = json.loads(made(MODEL, subject, "json", "nca").data)
    for category in model["categories"]:
        texts = table[category["column"]].fillna("")
        at = [category["features"][category["levels"][text]] for text in texts]
        columns = [model["features"].index(feature) for feature in at]
        assert (found.raw.X[np.arange(len(table)), columns] != 0).all()


def test_why_there_is_none():
    subject = subject_with(PanelRecipe("tsne"), nca(3, features="rbf"))
    assert "no model" in MODEL.problem(subject, ExportRequest("skops", "tsne"))
    assert "similarities" in MODEL.problem(subject, ExportRequest("py", "nca"))
    assert "Choose a panel" in MODEL.problem(subject, ExportRequest("skops", "unknown"))
    assert "press Train" in MODEL.problem(replace(subject, histories={}), ExportRequest("json", "nca"))
