"""A sparse X gives what the same X dense gives, and is never made dense where that is large."""

import tracemalloc

import numpy as np
import pytest
from scipy.sparse import csr_array, csr_matrix, random_array
from sklearn.datasets import load_digits

from nca_core.estimators.classifier import NCAClassifier
from nca_core.estimators.nca import NeighborhoodComponentsAnalysis
from nca_core.features import rows as sparse_rows
from nca_core.features.rows import SparseRows
from nca_core.objectives.evaluator import Evaluator
from nca_core.training.config import TrainingConfig
from nca_core.training.nca import train


@pytest.fixture(scope="module")
def digits():
    X, y = load_digits(return_X_y=True)
    return X[:400], y[:400]


@pytest.fixture
def never_dense(monkeypatch):
    monkeypatch.setattr(sparse_rows, "_SMALL_CELLS", 1)
    monkeypatch.setattr(sparse_rows, "_STORED_FOR_A_THREAD", 1_000)  # several blocks


@pytest.mark.parametrize("init", ["auto", "pca", "random", "whitening"])
def test_a_start_is_the_dense_one(digits, init):
    ends = [
        NeighborhoodComponentsAnalysis(2, init=init, max_iter=3, random_state=0).fit(rows, digits[1]).objective_
        for rows in (digits[0], csr_matrix(digits[0]))
    ]
    assert ends[1] == pytest.approx(ends[0], rel=1e-6)


def test_standardised_and_scaled_fits_are_the_dense_ones(digits, never_dense):
    X, y = digits
    options = {"n_components": 2, "init": "pca", "max_iter": 5, "standardise": True, "scale_start": True}
    dense, sparse = (NeighborhoodComponentsAnalysis(**options).fit(rows, y) for rows in (X, csr_array(X)))
    assert sparse.objective_ == pytest.approx(dense.objective_, rel=1e-6)
    config = TrainingConfig(max_iter=4, standardise=True)
    ends = [train(rows, y, config).snapshots[-1] for rows in (X, SparseRows(csr_array(X)))]
    assert ends[1].objective == pytest.approx(ends[0].objective, rel=1e-6)
    assert ends[1].accuracy_1nn == ends[0].accuracy_1nn


def test_a_classifier_is_the_dense_one(digits, never_dense):
    X, y = digits
    options = {"n_neighbors": 3, "init": "pca", "max_iter": 2}
    dense, sparse = (NCAClassifier(2, **options).fit(rows, y) for rows in (X, csr_array(X)))
    np.testing.assert_allclose(sparse.embedding_, dense.embedding_, atol=1e-6 * np.abs(dense.embedding_).max())
    np.testing.assert_allclose(sparse.transform(csr_array(X)), sparse.embedding_)
    np.testing.assert_array_equal(sparse.predict(csr_array(X)), dense.predict(X))


def test_a_large_sparse_table_is_never_dense():
    rng = np.random.default_rng(0)
    X = random_array((3_000, 20_000), density=0.001, rng=rng, format="csr")  # 480 MB as a dense one
    y = rng.integers(0, 3, 3_000)
    tracemalloc.start()
    try:
        for init in ("auto", "random"):
            NeighborhoodComponentsAnalysis(2, init=init, max_iter=2, random_state=0).fit(X, y)
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert most < 60e6
    with pytest.raises(
        ValueError, match=r"The start 'lda' needs a dense X, and this sparse one of shape \(3000, 20000\)"
    ):
        NeighborhoodComponentsAnalysis(2, init="lda").fit(X, y)


@pytest.mark.parametrize(("value", "words"), [(np.nan, "NaN"), (1e80, "A value of X is 1e\\+80")])
def test_bad_values_are_one_sentence(digits, value, words):
    X, y = csr_array(digits[0]), digits[1]
    X.data[5] = value
    with pytest.raises(ValueError, match=words):
        NeighborhoodComponentsAnalysis(2).fit(X, y)
    with pytest.raises(ValueError, match=r"X holds a value that is not finite|A value of X is"):
        Evaluator(SparseRows(X), y)


def test_too_many_principal_axes_are_one_sentence(never_dense):
    X = random_array((12, 30), density=0.4, rng=np.random.default_rng(0), format="csr")
    with pytest.raises(ValueError, match="12 principal axes are asked for; give fewer n_components"):
        NeighborhoodComponentsAnalysis(12, init="pca").fit(X, np.arange(12) % 2)
