"""X in parts, however it is cut, and a sparse X give what the same X as one dense array gives."""

import numpy as np
import pytest
from scipy.sparse import csc_array, csr_array

from nca_core import NCAClassifier, NeighborhoodComponentsAnalysis, parts_of_arrays
from nca_core.estimators.nca import estimator_start
from nca_core.features.rows import SparseRows
from nca_core.objectives.evaluator import Evaluator
from nca_core.parts import sources as source
from nca_core.parts.features_in_parts import FeaturesInParts
from nca_core.training.starts import scaled_start

N, D = 420, 12
LAYOUTS = {"one row first": [1, 2, 150, 151], "even": [105, 210, 315], "one": []}
FORMS = [*LAYOUTS, "sparse"]


@pytest.fixture(scope="module")
def data():
    """Far from the origin, sorted by class, in units that differ: a mean per part, or rows that stand at the place of
    others, would change everything."""
    rng = np.random.default_rng(0)
    y = np.sort(rng.integers(0, 4, N))
    X = (rng.normal(size=(N, D)) + 2.0 * rng.normal(size=(4, D))[y]) * rng.uniform(0.5, 2.0, D) + 50.0
    return X, y


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch):
    monkeypatch.setattr(source, "_BLOCK_CELLS", 40 * D)  # several blocks of a part
    monkeypatch.setattr(source, "_PART_CELLS", 90 * D)  # several parts of an array
    monkeypatch.setattr("nca_core.features.rows._STORED_FOR_A_THREAD", 1_000)
    monkeypatch.setattr(source, "_SUMMANDS_CELLS", 1)  # and sums of more parts than are held at once


def cut(X, at):
    return parts_of_arrays(np.split(X, at))


def formed(X, form):
    return SparseRows(csr_array(X)) if form == "sparse" else cut(X, LAYOUTS[form])


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(("d", "objective"), [(1, "f"), (2, "log_f"), (3, "f"), (10, "log_f"), (12, "f")])
def test_an_evaluation_is_that_of_one_dense_array(data, form, d, objective):
    X, y = data
    y = np.where(np.arange(N) % 50 == 0, -(2**63), y)  # some without a label
    weight = np.random.default_rng(1).uniform(0, 2, N)
    A = np.random.default_rng(2).normal(size=(d, D)) * 0.15
    options = {"objective": objective, "sample_weight": weight, "regularisation": 0.01}
    whole, parts = (Evaluator(rows, y, **options) for rows in (X, formed(X, form)))
    a, b = whole.evaluate(A), parts.evaluate(A)
    assert b.objective == pytest.approx(a.objective, rel=1e-12)
    np.testing.assert_allclose(b.gradient, a.gradient, rtol=1e-10, atol=1e-11 * np.abs(a.gradient).max())
    np.testing.assert_allclose(b.p, a.p, rtol=1e-10, atol=1e-13)
    np.testing.assert_allclose(b.entropy, a.entropy, rtol=1e-10)
    np.testing.assert_allclose(parts.spread, whole.spread, rtol=1e-12)
    queries, among = np.arange(0, N, 7), np.arange(0, N, 3)
    batch = [evaluator.gradient_of_queries(A, queries, among) for evaluator in (whole, parts)]
    np.testing.assert_allclose(batch[1], batch[0], rtol=1e-10, atol=1e-11 * np.abs(batch[0]).max())


@pytest.mark.parametrize("summation", ["dense", "truncated", "spectral"])
def test_every_summation(data, summation):
    X, y = (np.tile(values, (3, 1)[: values.ndim]) for values in data)
    X = X + np.random.default_rng(0).normal(size=X.shape)
    A = np.random.default_rng(2).normal(size=(2, D)) * 0.15
    a, b = (Evaluator(rows, y, summation=summation).evaluate(A) for rows in (X, cut(X, [7, 500])))
    assert a.summation == b.summation == summation
    np.testing.assert_allclose(b.gradient, a.gradient, rtol=1e-10, atol=1e-11 * np.abs(a.gradient).max())
    np.testing.assert_allclose(b.entropy, a.entropy, rtol=1e-10)


def test_single_precision(data):
    X, y = data[0] * np.array([1e30] + [1.0] * (D - 1)), data[1]  # whose squares float32 could not hold
    A = np.random.default_rng(2).normal(size=(2, D)) * 0.15 / np.array([1e30] + [1.0] * (D - 1))
    a, b = (Evaluator(rows, y, dtype="float32").evaluate(A) for rows in (X, cut(X, [1, 200])))
    np.testing.assert_allclose(b.p, a.p, rtol=1e-5, atol=1e-6)
    apart = np.abs(b.gradient - a.gradient).max(axis=0)
    assert np.all(apart < 1e-5 * np.abs(a.gradient).max(axis=0))


@pytest.mark.parametrize("name", ["pca", "lda", "whitening", "pooled_whitening", "random", "auto", "sample_first"])
def test_a_start_is_that_of_one_place(data, name):
    """In other units, and with rows that have no label."""
    X, y, units = data[0], np.where(np.arange(N) % 9 == 0, -5, data[1]), np.arange(1.0, D + 1)
    a, b = (scaled_start(rows / units / 2.0, y, 2, name, 0) for rows in (X, cut(X, [1, 2, 150])))
    np.testing.assert_allclose(b.transformation, a.transformation, rtol=1e-7, atol=1e-9)


def turned_like(A, other):
    """A with its rows in the direction of the other's: LDA leaves their signs open, and they change no distance."""
    return A * np.sign(np.sum(A * other, axis=1))[:, None]


@pytest.mark.parametrize("unlabelled", [0, N // 9])
@pytest.mark.parametrize(("init", "d"), [("auto", 2), ("auto", 4), ("pca", 2), ("lda", 3), ("lda", 5), ("random", 2)])
def test_the_estimators_start_is_scikit_learns(data, init, d, unlabelled):
    X, y = data[0], np.where(np.arange(N) < unlabelled, -1, data[1])
    a, b = (
        estimator_start(rows, y, d, init, np.random.RandomState(0)).transformation for rows in (X, cut(X, [1, 2, 150]))
    )
    np.testing.assert_allclose(turned_like(b, a), a, rtol=1e-8, atol=1e-10)
    assert np.linalg.matrix_rank(a) == d  # LDA's axes are completed


def test_means_on_a_line_start_like_those_of_one_place(data):
    X, y = data
    X = X - np.array([X[y == code].mean(axis=0) for code in range(4)])[y] + y[:, None] * np.arange(D)
    a, b = (estimator_start(rows, y, 2, "lda", np.random.RandomState(0)).transformation for rows in (X, cut(X, [9])))
    assert b.shape == (2, D)
    np.testing.assert_allclose(turned_like(b, a), a, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize(
    "options",
    [{}, {"shape": "diagonal"}, {"optimiser": "stochastic", "max_iter": 3}, {"standardise": True, "scale_start": True}],
)
@pytest.mark.parametrize("form", [lambda X: cut(X, [1, 2, 150]), csr_array, csc_array])
def test_a_fit_is_that_of_one_dense_array(data, options, form):
    X, y = data
    names = np.array(["oak", "elm", "ash", "fir"])[y]
    a, b = (
        NeighborhoodComponentsAnalysis(2, random_state=0, **{"max_iter": 8, **options}).fit(rows, names)
        for rows in (X, form(X))
    )
    np.testing.assert_allclose(turned_like(b.components_, a.components_), a.components_, rtol=1e-7, atol=1e-9)
    assert b.objective_ == pytest.approx(a.objective_, rel=1e-10)
    assert b.k_estimate_ == pytest.approx(a.k_estimate_, rel=1e-9)
    assert (b.n_features_in_, b.n_iter_) == (a.n_features_in_, a.n_iter_)
    np.testing.assert_allclose(b.transform(form(X)), b.transform(X), rtol=1e-12, atol=1e-12)
    assert b.score(form(X), names) == pytest.approx(b.score(X, names), rel=1e-12)


def test_only_blocks_are_in_memory_at_once(data, monkeypatch):
    X, y = data
    seen = []
    real = FeaturesInParts.__getitem__
    monkeypatch.setattr(FeaturesInParts, "__getitem__", lambda self, rows: seen.append(len(rows)) or real(self, rows))
    monkeypatch.setattr("nca_core.parts.features_in_parts._MEDIAN_OF", 20)
    NeighborhoodComponentsAnalysis(2, max_iter=3).fit(cut(X, [1, 2, 150]), y)
    assert seen == [20]


def test_a_classifier_votes_as_in_one_place(data):
    X, y = data
    whole, parts = (NCAClassifier(2, init="pca", max_iter=3).fit(rows, y) for rows in (X, cut(X, [1, 2, 150])))
    assert parts.n_neighbors_ == whole.n_neighbors_
    np.testing.assert_allclose(parts.embedding_, whole.embedding_, rtol=1e-7, atol=1e-8)
    np.testing.assert_array_equal(parts.predict(cut(X, [9])), whole.predict(X))


def test_too_many_features_for_a_covariance(monkeypatch):
    monkeypatch.setattr("nca_core.parts.features_in_parts._MOST_FEATURES", 5)
    parts, y = parts_of_arrays([np.eye(8, 6)]), np.arange(8) % 2
    with pytest.raises(ValueError, match=r"X is in parts and has 6 features.*choose the start 'identity' or 'random'"):
        NeighborhoodComponentsAnalysis(2, init="pca").fit(parts, y)
    assert NeighborhoodComponentsAnalysis(2, init="random", max_iter=1).fit(parts, y).components_.shape == (2, 6)


@pytest.mark.parametrize(("n_classes", "kind"), [(1, np.int8), (128, np.int8), (129, np.int16)])
def test_codes_take_the_smallest_type(n_classes, kind):
    y = np.append(np.arange(1000) % n_classes, -7)
    members = source.members_of(y, np.arange(n_classes))
    assert members.dtype == kind
    assert members[-1] == np.iinfo(kind).min
    np.testing.assert_array_equal(members[:-1], y[:-1])
