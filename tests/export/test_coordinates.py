"""Tables that leave, coordinates and statistics: the numbers of the page, counted again; no cell is a formula."""

import io
from dataclasses import replace

import numpy as np
import pyarrow.parquet as pq
import pytest

from datasets.base.dataset import Dataset, Source
from datasets.preparation import PreparationConfig
from export.coordinates import COORDINATES
from export.entry import ExportRequest
from export.statistics import encoded, pair_columns, split_rows, split_values
from study.compare import compare
from study.measure import NAMES, measure
from study.panel import PanelRecipe
from study.recipe import DataRecipe, Recipe
from study.repetitions import repeat_splits
from tests.export.subjects import made, nca, own_table, read_csv, subject_of
from tests.study import oracle
from tests.study.some_data import overlapping, recipe_of


@pytest.fixture(scope="module")
def subject():
    panels = (PanelRecipe("lda"), nca(6), PanelRecipe("neural_nca", {"max_iter": 3, "n_hidden": 7}))
    return own_table(*panels, preparation=PreparationConfig(held_out_fraction=0.25))


def read_parquet(data):
    return pq.read_table(io.BytesIO(data)).to_pydict()


@pytest.fixture(scope="module")
def table(subject):
    return read_parquet(made(COORDINATES, subject, "parquet").data)


@pytest.mark.parametrize("key", ["lda", "nca", "neural_nca"])
def test_the_places_are_those_of_the_stage(subject, table, key):
    title = subject.titles[key]
    Y = np.column_stack([table[f"{title}: y1"], table[f"{title}: y2"]])
    np.testing.assert_allclose(Y, subject.coordinates(key), rtol=1e-12)
    raw = subject.comparison.prepared.raw
    assert (table["line"], table["name"]) == (raw.row_numbers.tolist(), [f"id {1000 + k}" for k in range(120)])
    kinds = set(zip(table["split"], [label is None for label in table["label"]], strict=True))
    assert kinds == {("trained on", False), ("held out", False), ("no label", True)}


def test_shares_of_right_predictions_are_the_accuracies_of_the_page(subject, table):
    """Of a training with the K of its own; of LDA with that K, too."""
    for key in ("lda", "nca"):
        title = subject.titles[key]
        found = measure(subject.comparison, key, subject.at(key), k=subject.k)
        for kind, told in (("1nn", "1-NN"), ("knn", "K-NN")):
            right = np.array(table[f"{title}: predicted by {told}"]) == np.array(table["label"])
            for split, name in (("trained on", "accuracy"), ("held out", "held_out")):
                share = right[np.array(table["split"]) == split].mean()
                assert share == pytest.approx(getattr(found, f"{name}_{kind}")), (key, told, split)


def test_p_and_own_k_by_their_definition(subject, table):
    ready = subject.comparison.prepared
    Y, y = subject.coordinates("nca"), ready.dataset.y
    p, k = (np.array(table[f"NCA: {name}"], dtype=float) for name in ("p_i", "local K"))
    assert p[ready.train].mean() == pytest.approx(oracle.mean_p(Y[ready.train], y[ready.train]))
    np.testing.assert_allclose(k[ready.train], oracle.local_k(Y[ready.train]), rtol=1e-7)
    for row in np.flatnonzero(~ready.train):
        picks = oracle.picks(Y[ready.train], Y[row])
        assert k[row] == pytest.approx(oracle.own_k(picks))
        wanted = picks[y[ready.train] == y[row]].sum() if y[row] >= 0 else np.nan
        assert p[row] == pytest.approx(float(wanted), nan_ok=True)
    assert "LDA: p_i" not in table  # its scale was not learnt


def test_csv_and_parquet_say_the_same(subject, table):
    found = read_csv(made(COORDINATES, subject, "csv").data)
    assert list(found) == list(table)
    for name, cells in table.items():
        wanted = ["" if cell is None else str(cell) for cell in cells]
        assert found[name] == wanted or list(map(float, found[name])) == cells, name


def test_only_the_selected_rows(subject, table):
    chosen = (3, 40, 7)
    file = made(COORDINATES, replace(subject, rows=chosen), "parquet", only_selected=True)
    found = read_parquet(file.data)
    assert all(cells == [table[name][row] for row in chosen] for name, cells in found.items())
    assert "lasso" in COORDINATES.problem(subject, ExportRequest("csv", only_selected=True))


def test_no_cell_is_a_formula():
    names = ("=1+1", "+SUM(A1)", "-2+3", "@x", "\tx", "\rx", "-4.5")
    rng = np.random.default_rng(0)
    dataset = Dataset("=x", rng.normal(size=(70, 3)), np.arange(70) % 7, ("a", "b", "c"), names, Source("here"))
    panel = PanelRecipe("pca", title="=cmd|' /C calc'!A0")
    subject = subject_of(Recipe(data=DataRecipe("own"), panels=(panel,)), dataset)
    for form, read in (("csv", read_csv), ("parquet", read_parquet)):
        file = made(COORDINATES, subject, form)
        table = read(file.data)
        texts = [*table, *(cell for cells in table.values() for cell in cells if isinstance(cell, str))]
        assert not [t for t in texts if t.startswith(("=", "+", "@", "\t", "\r"))]
        assert "'=1+1" in texts
        assert {t for t in table["label"] if t.startswith("-")} == {"-4.5"}  # a number stays one
        assert file.name == f"x-coordinates.{form}"


TITLES = {"lda": "=LDA()", "pca": "PCA"}


@pytest.fixture(scope="module")
def splits():
    *_, last = repeat_splits(recipe_of(PanelRecipe("lda"), PanelRecipe("pca")), overlapping(), 5)
    return last


def test_each_value_of_each_split(splits):
    table = read_csv(encoded(split_values(TITLES, splits), "csv"))
    third = {name: cells[5] for name, cells in table.items()}
    seed = splits.recipe.preparation.random_state + 2
    assert (third["split"], third["seed"], third["held-out rows"]) == ("3", str(seed), "28")
    assert float(third["held_out_1nn"]) == splits.values[2, 1, NAMES.index("held_out_1nn")]
    assert third["mean_p"] == ""  # NaN
    assert table["panel"] == ["'=LDA()", "PCA"] * 5


def test_the_rows_are_those_that_were_held_out(splits):
    found = split_rows(splits, overlapping())
    for split in range(5):
        preparation = splits.recipe.preparation
        preparation = replace(preparation, random_state=preparation.random_state + split)
        ready = compare(replace(splits.recipe, preparation=preparation), overlapping()).prepared
        rows = [row for k, row in zip(found["split"], found["held-out row"], strict=True) if k == split + 1]
        assert rows == ready.raw.row_numbers[ready.held_out].tolist()
    named = split_rows(splits, replace(overlapping(), row_names=np.array([f"Ann {n}" for n in range(1, 91)])))
    assert named == found | {"held-out name": [f"Ann {row}" for row in found["held-out row"]]}


def test_all_pairs_as_parquet(splits):
    family = splits.family("held_out_1nn")
    table = read_parquet(encoded(pair_columns(TITLES, family), "parquet"))
    ((pair, one),) = family.items()
    assert table["first"] == [{"lda": "'=LDA()", "pca": "PCA"}[pair[0]]]
    found = [table[name][0] for name in ("difference", "low", "high", "p", "corrected p", "first is", "rows or splits")]
    assert found == [one.estimate, one.low, one.high, one.p_value, one.corrected_p, str(one.answer), 5]
    assert np.isfinite(found[:5]).all()
