"""The numbers of a cell against scikit-learn's on the same rows."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from sklearn.decomposition import PCA
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.neighbors import KNeighborsClassifier

from datasets.base.errors import DataError
from datasets.catalogue import DATASETS, load_dataset
from study.compare import compare
from study.experiments.base.experiment import ALL_FEATURES, method_cell
from study.experiments.base.run import carry_out, polar
from study.experiments.base.store import Data


def numbers(cell):
    return carry_out(cell, Data().of(cell)).numbers


def split(cell):
    """(X, y) of both sides, standardised by the training rows, as `study` splits them."""
    prepared = compare(cell.recipe, load_dataset(cell.recipe.data.key)).prepared
    X, y = prepared.raw.X, prepared.raw.y
    train, test = prepared.train, prepared.held_out
    X = (X - X[train].mean(axis=0)) / X[train].std(axis=0)
    return X[train], y[train], X[test], y[test]


def test_all_features_by_k_neighbours_and_by_a_rule():
    cell = method_cell("balance", "euclidean", 0.3, dimensions=ALL_FEATURES, knn=7, rules=("lda",)).seeded(3)
    X, y, X_new, y_new = split(cell)
    found = numbers(cell)
    # Votes that are equal are settled in different ways, so a few rows may differ; two dimensions differ by far more.
    assert found["test_knn"] == pytest.approx(KNeighborsClassifier(7).fit(X, y).score(X_new, y_new), abs=0.04)
    assert found["test_lda"] == pytest.approx(LinearDiscriminantAnalysis().fit(X, y).score(X_new, y_new))
    two = numbers(replace(cell, dimensions=None))
    assert two["test_knn"] < found["test_knn"] - 0.1


@pytest.mark.parametrize("d", [1, 5])
def test_other_dimensions_than_a_page_can_show(d):
    cell = method_cell("wine", "pca", 0.3, dimensions=d)
    X, y, X_new, y_new = split(cell)
    pca = PCA(d).fit(X)
    expected = KNeighborsClassifier(1).fit(pca.transform(X), y).score(pca.transform(X_new), y_new)
    assert numbers(cell)["test_1nn"] == pytest.approx(expected)


def test_a_metric_is_cut_to_its_leading_axes():
    cell = method_cell("wine", "whitening", 0.3, dimensions=ALL_FEATURES, truncate=(1, 13)).seeded(2)
    found = numbers(cell)
    assert found["test_1nn@13"] == pytest.approx(found["test_1nn"])
    assert found["test_1nn@1"] < found["test_1nn"]
    X, y, X_new, y_new = split(cell)
    # Whitening is Σ^(−1/2): its largest axis is the direction with the least variance.
    axis = PCA().fit(X).components_[-1:]
    assert found["test_1nn@1"] == pytest.approx(KNeighborsClassifier(1).fit(X @ axis.T, y).score(X_new @ axis.T, y_new))


def test_a_training_tells_what_it_climbed_and_where_the_rows_lie():
    cell = method_cell("iris", "nca", 0.3, settings={"max_iter": 20}, places=True)
    outcome = carry_out(cell, Data().of(cell))
    assert 0.9 < outcome.numbers["mean_p"] <= 1
    assert 1 <= outcome.numbers["iterations"] <= 20
    assert (outcome.n_train, outcome.n_test) == (105, 45)
    assert len(outcome.places) == len(outcome.codes) == 150
    assert outcome.ended
    assert outcome.versions["numpy"] == np.__version__


def test_a_method_that_cannot_run_says_why():
    cell = method_cell("iris", "dcv", 0.3)
    outcome = carry_out(cell, Data().of(cell))
    assert outcome.problem
    assert outcome.numbers == {}


@pytest.fixture
def prices(tmp_path):
    rows = "\n".join(f"{i % 7},{i % 5},{(i * 37) % 101 + 0.5}" for i in range(100))
    (tmp_path / "prices.csv").write_text(f"a,b,label\n{rows}\n")
    return Data(str(tmp_path))


def test_numbers_are_cut_into_bins_of_equal_frequency(prices):
    cell = method_cell("folder:prices.csv", "pca", 0.3, bins=4)
    dataset = prices.of(cell)
    values = np.array([(i * 37) % 101 + 0.5 for i in range(100)])
    assert np.bincount(dataset.y).tolist() == [25, 25, 25, 25]
    assert values[dataset.y == 0].max() < values[dataset.y == 1].min()
    assert dataset.target is None
    with pytest.raises(DataError, match="iris has classes"):
        Data().of(method_cell("iris", "pca", 0.3, bins=3))
    Path(prices.folder, "words.csv").write_text("a,label\n" + "1,x\n2,y\n" * 20)
    with pytest.raises(DataError, match=r"words\.csv has no label of numbers to be cut into 4 classes"):
        prices.of(method_cell("folder:words.csv", "pca", 0.3, bins=4))


def test_what_a_recipe_leaves_open_is_the_default_of_the_catalogue():
    entry = DATASETS["rings"]
    wanted = entry.load(**{parameter.name: parameter.default for parameter in entry.parameters})
    np.testing.assert_array_equal(Data().of(method_cell("rings", "pca", 0.3)).X, wanted.X)
    assert not np.array_equal(load_dataset("rings").X, wanted.X)  # else this would tell nothing


def test_only_the_classes_asked_for():
    cell = method_cell("digits", "pca", 0.3, classes=("3", "1"))
    whole, dataset = load_dataset("digits"), Data().of(cell)
    assert dataset.class_names == ("3", "1")
    np.testing.assert_array_equal(dataset.X, whole.X[np.isin(whole.y, [1, 3])])
    assert (dataset.y == 1).sum() == (whole.y == 1).sum()
    with pytest.raises(DataError, match="has no class 11; it has: 0, 1"):
        Data().of(replace(cell, classes=("3", "11")))


def test_a_set_of_the_catalogue_can_be_fetched_in_the_place_of_a_file(tmp_path):
    cell = method_cell("folder:ionosphere.csv", "pca", 0.3)
    here, fetching = Data(str(tmp_path)), Data(str(tmp_path), fetch=True)
    with pytest.raises(DataError, match="or add --fetch to download Ionosphere"):
        here.of(cell)
    assert fetching.lacks(cell) == ""
    assert fetching.mark(cell) == here.mark(cell) == "download:ionosphere"


def test_polar_coordinates_are_read_off_about_the_centre_that_they_have():
    rng = np.random.default_rng(0)
    angles, sizes = rng.uniform(-45, 45, 200), rng.uniform(25, 35, 200)
    turn = np.deg2rad(angles)
    Y = np.array([3.0, -2.0]) + (sizes / 10)[:, None] * np.column_stack([np.cos(turn), np.sin(turn)])
    found = polar(Y, angles, sizes)
    assert found["angle"] > 0.99
    assert found["size"] > 0.9
    lost = polar(rng.normal(size=(200, 2)), angles, sizes)
    assert lost["angle"] < 0.4
