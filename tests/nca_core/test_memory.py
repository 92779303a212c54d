"""X is held once beside the caller's own, in float32 by half; no pass over it needs another array of its size."""

import gc
import tracemalloc
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from nca_core import MCML, NCAClassifier, NeighborhoodComponentsAnalysis, parts_of_folder
from nca_core.features.covariance import leading_axes
from nca_core.features.rows import deviations
from nca_core.objectives.evaluator import Evaluator
from nca_core.training.warm_up import compile_all


def peak(work):
    """(result, bytes at most, bytes afterwards)"""
    tracemalloc.start()
    try:
        result = work()
        after, most = tracemalloc.get_traced_memory()
        return result, most, after
    finally:
        tracemalloc.stop()


@pytest.fixture(scope="module")
def data():
    compile_all()  # whose memory does not count
    rng = np.random.default_rng(0)
    return rng.normal(size=(60_000, 50)), rng.integers(0, 5, 60_000)


@pytest.mark.parametrize(("dtype", "share"), [("float64", 1.0), ("float32", 0.5)])
def test_the_evaluator_keeps_one_copy(data, dtype, share):
    X, y = data
    evaluator, most, after = peak(lambda: Evaluator(X, y, dtype=dtype))
    of_points = 60 * len(X)  # codes, order, weights, partners
    assert after < share * X.nbytes + of_points
    assert most < share * X.nbytes + of_points + 0.6 * X.nbytes  # the cells that are not finite are looked for first
    assert evaluator._rows._X.dtype == dtype


@pytest.mark.parametrize(
    ("estimator", "dtype", "copies"),
    [
        (NeighborhoodComponentsAnalysis, "float64", 1.0),
        (NeighborhoodComponentsAnalysis, "float32", 0.5),
        (NCAClassifier, "float32", 1.0),  # X about its mean, after the training
    ],
)
def test_a_whole_fit_holds_x_at_most_twice_and_less_in_single_precision(data, estimator, dtype, copies):
    """The caller's own included; what goes with n alone, and one pass over blocks, comes on top."""
    X, y = data[0].reshape(15_000, 200), data[1][:15_000]
    options = {"n_neighbors": 1} if estimator is NCAClassifier else {}
    model = estimator(2, init="pca", max_iter=2, dtype=dtype, summation="truncated", **options)
    model.fit(X[:2_000], y[:2_000])  # loads what it needs
    gc.disable()  # nothing may wait for the next collection
    try:
        _, most, after = peak(lambda: model.fit(X, y))
    finally:
        gc.enable()
    sums = 600 * len(X)  # of the neighbours: a tree, and what each part of the sums adds up
    assert most < copies * X.nbytes + sums
    assert after < 0.2 * X.nbytes


@pytest.mark.parametrize("work", [deviations, lambda X: leading_axes(X, 2)])
def test_passes_need_no_other_copy(data, work):
    assert peak(lambda: work(data[0]))[1] < 0.6 * data[0].nbytes


def test_x_in_files_is_never_in_one_place(data, tmp_path, monkeypatch):
    """Of 24 MB the blocks that are read at the time, and what goes with n alone; what is mapped is given back."""
    monkeypatch.setattr("nca_core.parts.sources._BLOCK_CELLS", 50_000)
    X, y = data[0].reshape(15_000, 200), data[1][:15_000]
    for number, rows in enumerate(np.split(X, 5)):
        np.save(tmp_path / f"{number}.npy", rows)
    model = NeighborhoodComponentsAnalysis(2, init="pca", max_iter=2, summation="truncated")
    model.fit(X[:2_000], y[:2_000])
    _, most, _ = peak(lambda: model.fit(parts_of_folder(tmp_path)[0], y))
    assert most < 0.25 * X.nbytes + 600 * len(X)
    maps = Path("/proc/self/maps")
    assert not maps.exists() or str(tmp_path) not in maps.read_text()


NCA_OF_MCML = partial(NeighborhoodComponentsAnalysis, init="identity", tol=0.0, objective="mcml")


@pytest.mark.parametrize("estimator", [NCA_OF_MCML, partial(MCML, tol=0.0), partial(MCML, tol=0.0, rank="low")])
def test_a_fit_holds_no_a_for_each_of_its_iterations(estimator):
    """L-BFGS remembers ten steps; beyond them nothing grows."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 150)), rng.integers(0, 2, 60)

    def most_of(max_iter):
        model = estimator(max_iter=max_iter)
        most = peak(lambda: model.fit(X, y))[1]
        assert model.n_iter_ == max_iter
        return most

    most_of(2)  # loads what it needs
    of_a = 8 * X.shape[1] ** 2
    assert most_of(40) - most_of(15) < 2 * of_a
