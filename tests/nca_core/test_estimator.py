"""The estimators: published figures, scikit-learn's own objective; the classifier's three rules by hand."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize
from sklearn.datasets import load_digits, load_iris, load_wine
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import KFold, cross_val_score, train_test_split
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from nca_core import (
    MCML,
    UNLABELLED,
    NCAClassifier,
    NeighborhoodComponentsAnalysis,
    NeuralNCA,
    PrecomputedSimilarity,
    Projection,
    VariableKernelClassifier,
)
from nca_core.accuracy import class_probabilities
from nca_core.estimators.base import supervision_of
from nca_core.estimators.classifier import with_argmax
from nca_core.objectives.evaluator import Evaluator
from nca_core.training.config import TrainingConfig
from nca_core.training.nca import train
from nca_core.training.train import slices_of
from tests.own_process import run_python


def test_scikit_learns_digits_example():
    """examples/neighbors/plot_nca_dim_reduction.py: 3-NN test accuracy in two dimensions."""
    X, y = load_digits(return_X_y=True)
    X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.5, stratify=y, random_state=0)
    nca = NeighborhoodComponentsAnalysis(n_components=2, random_state=0)
    model = make_pipeline(StandardScaler(), nca).fit(X_train, y_train)
    knn = KNeighborsClassifier(n_neighbors=3).fit(model.transform(X_train), y_train)
    assert knn.score(model.transform(X_test), y_test) == pytest.approx(0.70, abs=0.015)


def test_ways_of_summing_precision_and_units_change_the_road_not_the_end():
    X, y = load_wine(return_X_y=True)
    spread = X.std(axis=0)
    options = {"n_components": 2, "init": "pca", "max_iter": 15, "random_state": 0}
    plain = NeighborhoodComponentsAnalysis(**options).fit(X / spread, y)
    for method in ("dense", "truncated", "spectral"):
        same = NeighborhoodComponentsAnalysis(summation=method, **options).fit(X / spread, y)
        assert same.objective_ == pytest.approx(plain.objective_, rel=1e-4)
    single = NeighborhoodComponentsAnalysis(dtype="float32", **options).fit(X / spread, y)
    assert single.objective_ == pytest.approx(plain.objective_, rel=1e-2)
    start = plain._initialize(X / spread, y, "pca") / spread  # the same start in the units of X
    folded = NeighborhoodComponentsAnalysis(**{**options, "init": start}, standardise=True).fit(X, y)
    assert folded.objective_ == pytest.approx(plain.objective_, rel=1e-6)
    np.testing.assert_allclose(folded.components_ * spread, plain.components_, rtol=1e-3, atol=1e-4)


def test_negative_labels_are_classes():
    """As scikit-learn's check_classifiers_classes wants of −1."""
    X, y = load_iris(return_X_y=True)
    signs = np.where(y == 2, 1, y - 2)  # -2, -1, 1
    options = {"n_components": 2, "init": "pca", "max_iter": 5, "scale_start": False}
    for estimator in (NeighborhoodComponentsAnalysis, NCAClassifier):
        by_sign, by_code = (estimator(**options).fit(X, codes) for codes in (signs, y))
        np.testing.assert_array_equal(by_sign.components_, by_code.components_)
        assert by_sign.score(X, signs) == by_code.score(X, y) > 0.5
    assert list(by_sign.classes_) == [-2, -1, 1]


def test_a_point_without_a_label_is_a_neighbour_in_every_door():
    X, y = load_iris(return_X_y=True)
    y[::5] = UNLABELLED
    nca = NeighborhoodComponentsAnalysis(init="identity", max_iter=3).fit(X, y)
    config = TrainingConfig(n_components=4, initialisation="identity", max_iter=3, scale_start=False)
    np.testing.assert_allclose(nca.components_, train(X, y, config).snapshots[-1].transformation, rtol=1e-9)
    assert nca.score(X, y) == pytest.approx(Evaluator(X, y).evaluate(nca.components_).mean_p)
    for model in (NCAClassifier(random_state=0), VariableKernelClassifier("none")):
        model.fit(X, y)
        assert list(model.classes_) == [0, 1, 2]
        assert np.mean(model.predict(X[::5]) == load_iris().target[::5]) > 0.9
        assert model.predict_proba(X[::5]).shape == (30, 3)
        with pytest.raises(ValueError, match="label"):
            model.fit(X, np.full(150, UNLABELLED))
    for model in (MCML(max_iter=20), NeuralNCA(max_iter=5)):
        known, all_rows = (type(model)(max_iter=3).fit(X[rows], y[rows]) for rows in (y >= 0, slice(None)))
        assert np.isfinite(all_rows.objective_)
        assert all_rows.objective_ != known.objective_


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("kind", ["float64", "float32", "Int64"])
def test_a_row_without_a_class_is_unlabelled_in_every_type_of_y(kind):
    X, y = load_iris(return_X_y=True)
    y[::5] = UNLABELLED
    given = pd.Series(y, dtype="Int64" if kind == "Int64" else None).astype(kind)
    for model in (NCAClassifier(random_state=0, n_neighbors=3, max_iter=5), VariableKernelClassifier(max_iter=2)):
        expected = model.fit(X, y).predict(X)
        assert list(model.fit(X, given).classes_) == [0, 1, 2]
        np.testing.assert_array_equal(model.predict(X), expected)
    for model in (NeighborhoodComponentsAnalysis(max_iter=3), MCML(max_iter=3), Projection("rca"), Projection("mlkr")):
        expected = model.fit(X, y).components_
        np.testing.assert_array_equal(model.fit(X, given).components_, expected)


def test_unlabelled_is_no_number():
    X, y = load_iris(return_X_y=True)
    numbers = np.where(np.arange(150) % 5 > 0, X[:, 3] + y, UNLABELLED)
    for model in (Projection("mlkr"), NeighborhoodComponentsAnalysis(2, target_similarity="gaussian")):
        with pytest.raises(ValueError, match=r"targets\[0\] is UNLABELLED"):
            model.fit(X, numbers)
    labels = supervision_of(numbers, np.eye(150))
    assert set(labels.start_codes[::5]) == {-1}
    np.testing.assert_array_equal(labels.start_codes[numbers > 0], slices_of(numbers[numbers > 0]))


def test_importing_the_engine_imports_neither_scikit_learn_nor_numba():
    code = (
        "import sys, nca_core, nca_core.training.nca, nca_core.training.run\n"
        "print([name for name in ('sklearn', 'numba') if name in sys.modules])"
    )
    assert run_python(code)[0].strip() == "[]"


def test_precomputed_similarities_can_be_cross_validated():
    X, y = load_iris(return_X_y=True)
    M = (y[:, None] == y).astype(float)
    nca = NeighborhoodComponentsAnalysis(2, target_similarity=PrecomputedSimilarity(M), max_iter=5)
    scores = cross_val_score(nca, X, np.arange(150), cv=KFold(3, shuffle=True, random_state=0))
    assert scores.min() > 0.8
    assert nca.fit(X, np.arange(150)).score(X, np.arange(150)) == pytest.approx(
        Evaluator(X, y).evaluate(nca.components_).mean_p, rel=1e-9
    )


@pytest.mark.parametrize("row", [-1, 0.5, 150])
def test_a_row_that_a_matrix_of_similarities_does_not_have_is_refused(row):
    rows = np.arange(150.0)
    rows[3] = row
    nca = NeighborhoodComponentsAnalysis(2, target_similarity=PrecomputedSimilarity(np.eye(150)))
    with pytest.raises(ValueError, match=f"y holds {row}; it must hold row numbers of M, from 0 to 149."):
        nca.fit(load_iris().data, rows)


def test_row_numbers_of_a_matrix_are_no_classes_to_start_from():
    X, y = load_iris(return_X_y=True)
    shuffled = np.random.default_rng(0).permutation(150)
    M = PrecomputedSimilarity((y[:, None] == y).astype(float))
    first, other = (
        NeighborhoodComponentsAnalysis(2, init="lda", target_similarity=M, max_iter=1).fit(X[rows], rows)
        for rows in (np.arange(150), shuffled)
    )
    assert first.objective_ == pytest.approx(other.objective_, rel=1e-9)
    assert not np.any(supervision_of(np.arange(150), M).start_codes >= 0)


def test_a_warm_start_of_another_number_of_components_begins_anew():
    X, y = load_iris(return_X_y=True)
    nca = NeighborhoodComponentsAnalysis(2, warm_start=True, max_iter=2).fit(X, y).set_params(n_components=3).fit(X, y)
    expected = NeighborhoodComponentsAnalysis(3, max_iter=2).fit(X, y)
    np.testing.assert_array_equal(nca.components_, expected.components_)
    weights = NeighborhoodComponentsAnalysis(2, shape="diagonal", warm_start=True, max_iter=9, keep_path=True).fit(X, y)
    before = abs(weights.components_)  # n_components counts for nothing, nor does the sign of a weight
    np.testing.assert_array_equal(abs(weights.fit(X, y).path_[0].transformation), before)


def test_lda_of_rows_that_are_all_equal_starts_nevertheless():
    with pytest.warns(ConvergenceWarning, match="All rows are equal"):
        nca = NeighborhoodComponentsAnalysis(1, init="lda").fit(np.ones((20, 4)), np.arange(20) % 2)
    assert nca.components_.shape == (1, 4)


@pytest.fixture(scope="module")
def mixed():
    """Classes that overlap, so that the rules differ for some points."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, 200)
    return rng.normal(size=(200, 4)) + y[:, None] * 0.5, y, rng.normal(size=(150, 4)) + 0.5


def test_the_default_rule_is_k_nearest_neighbours_with_the_estimated_k(mixed):
    X, y, queries = mixed
    model = NCAClassifier(max_iter=5).fit(X, y)
    assert model.n_neighbors_ == max(1, round(model.k_estimate_)) > 2
    theirs = KNeighborsClassifier(model.n_neighbors_).fit(model.embedding_, y)
    shares = np.sort(theirs.predict_proba(model.transform(queries)), axis=1)
    clear = shares[:, -1] > shares[:, -2]  # they settle ties by the order of the classes
    assert clear.sum() > 100
    np.testing.assert_array_equal(model.predict(queries)[clear], theirs.predict(model.transform(queries))[clear])


def test_more_neighbours_than_rows_are_all_of_them(mixed):
    X, y, queries = mixed
    model = NCAClassifier(max_iter=1, n_neighbors=1_000).fit(X, y)
    assert model.n_neighbors_ == len(X)
    assert len(set(model.predict(queries))) == 1


@pytest.mark.parametrize("rule", ["neighbours", "local", "stochastic"])
def test_the_most_probable_class_is_the_predicted_one(mixed, rule):
    X, y, queries = mixed
    model = NCAClassifier(max_iter=5, rule=rule).fit(X, y)
    probabilities = model.predict_proba(queries)
    plain = class_probabilities(model.embedding_, model._codes, model.transform(queries), 3)
    np.testing.assert_array_equal(probabilities.argmax(axis=1), model.predict(queries))
    np.testing.assert_allclose(probabilities.sum(axis=1), 1.0, rtol=1e-12)
    agree = plain.argmax(axis=1) == model.predict(queries)
    np.testing.assert_array_equal(probabilities[agree], plain[agree])  # there it is the stochastic rule itself
    if rule == "stochastic":
        assert agree.all()
    else:
        assert 0 < np.count_nonzero(~agree) < 40


@settings(max_examples=30, deadline=None)
@given(st.integers(2, 5), st.integers(0, 10_000))
def test_probabilities_move_by_the_least_amount(n_classes, seed):
    rng = np.random.default_rng(seed)
    P = rng.dirichlet(np.ones(n_classes), size=1)
    chosen = rng.integers(0, n_classes, 1)
    ours = with_argmax(P, chosen)[0]
    assert ours.argmax() == chosen[0]
    assert ours.sum() == pytest.approx(1.0)
    constraints = [{"type": "eq", "fun": lambda q: q.sum() - 1.0}] + [
        {"type": "ineq", "fun": lambda q, k=k: q[chosen[0]] - q[k]} for k in range(n_classes)
    ]
    best = minimize(lambda q: np.sum((q - P[0]) ** 2), P[0], constraints=constraints, method="SLSQP", tol=1e-12)
    np.testing.assert_allclose(ours, best.x, atol=1e-5)
