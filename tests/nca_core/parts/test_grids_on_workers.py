"""Grids that workers add up: the evaluation of one machine, and the caller's way where they will not do."""

import numpy as np
import pytest

from nca_core import UNLABELLED, NeighborhoodComponentsAnalysis
from nca_core.neighbours.grid import spectral
from nca_core.objectives.evaluator import Evaluator
from nca_core.parts import grids_on_workers
from tests.nca_core.parts.test_dask_chunks import cluster, da
from tests.own_process import run_python

assert cluster  # the fixture

MEMORY = """
import tracemalloc, warnings
from pathlib import Path
import numpy as np, dask.array as da
from distributed import Client
from nca_core import UNLABELLED, NeighborhoodComponentsAnalysis
from nca_core.parts import grids_on_workers
grids_on_workers._LEAST_ROWS = 1
def peak(n):
    X = da.random.default_rng(0).normal(size=(n, 4), chunks=(n // 2, 4)).persist()
    tracemalloc.start()
    y = np.zeros(n, dtype=np.int64)
    y[1::3], y[2::3], y[::9] = 1, 2, UNLABELLED
    NeighborhoodComponentsAnalysis(2, max_iter=1).fit(X, y)
    found = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return found
if __name__ == "__main__":
    warnings.simplefilter("error", UserWarning)  # that the caller computes the sums
    with Client(n_workers=2, threads_per_worker=1, dashboard_address=":0"):
        print(peak(1_000_000), peak(2_000_000))
        lines = Path("/proc/self/status").read_text().splitlines()
        print(next(1024 * int(line.split()[1]) for line in lines if line.startswith("VmHWM")))
"""


@pytest.mark.thorough
def test_the_callers_memory_is_that_of_the_model(tmp_path):
    """12 bytes a row, those of y among them, and 0.45 GB for the whole process, beside 1 MB for each part."""
    script = tmp_path / "script.py"
    script.write_text(MEMORY)
    small, large, of_the_process = map(int, run_python(script)[0].split())
    assert (large - small) / 1_000_000 <= 12.0
    assert of_the_process <= 12 * 2_000_000 + 450_000_000


RNG = np.random.default_rng(0)
N, D = 12_000, 6
Y = RNG.integers(0, 4, N)
X = RNG.normal(size=(N, D)) + 1.5 * RNG.normal(size=(5, D))[Y] + 30.0
X[::300] = 30.0 + 3.0 * (X[::300] - 30.0)  # far from all others
Y[::50] = UNLABELLED
Y[7] = 9  # alone in its class
A = RNG.normal(size=(2, D)) * 0.4


@pytest.fixture
def client(cluster, monkeypatch):
    monkeypatch.setattr(grids_on_workers, "_LEAST_ROWS", 1)
    monkeypatch.setattr(grids_on_workers, "_AT_ONCE", 2)
    return cluster


def chunks():
    return da.from_array(X, chunks=((1, 4_999, 3_000, 4_000), D))


@pytest.mark.parametrize(("d", "weighted"), [(1, False), (2, False), (2, True)])
def test_an_evaluation_is_that_of_one_machine(client, d, weighted):
    settings = {"summation": "spectral", "sample_weight": RNG.random(N) if weighted else None}
    there, here = Evaluator(chunks(), Y, **settings), Evaluator(X, Y, **settings)
    assert there._grids.evaluate(A[:d]) is not None
    found, alone = there.evaluate(A[:d]), here.evaluate(A[:d])
    assert alone.summation == "spectral"
    assert found.objective == pytest.approx(alone.objective, rel=1e-12)
    assert found.mean_p == pytest.approx(alone.mean_p, rel=1e-12)
    assert np.abs(found.gradient - alone.gradient).max() <= 1e-12 * np.abs(alone.gradient).max()
    assert isinstance(found.p, da.Array)
    np.testing.assert_allclose(found.p, alone.p, rtol=0, atol=1e-12)
    for name in ("k_mean_entropy", "k_mean_perplexity"):
        assert getattr(found, name) == pytest.approx(getattr(alone, name), rel=1e-11)
    assert there.rises_with_size(found) == here.rises_with_size(alone) is False
    np.testing.assert_allclose(found.entropy, alone.entropy, rtol=0, atol=1e-9)


def test_the_same_points_are_done_one_by_one(client, monkeypatch):
    for module in (spectral, grids_on_workers):
        monkeypatch.setattr(module, "BUDGET", 2e-11)
    known = []
    merged = grids_on_workers._merged
    monkeypatch.setattr(grids_on_workers, "_merged", lambda *given: known.append(merged(*given)) or known[-1])
    Evaluator(chunks(), Y, summation="spectral").evaluate(A)
    alone = Evaluator(X, Y, summation="spectral")
    assert 20 < len(known[-1].total) == alone._similarity.at(alone._rows.projected(A)).n_exact


@pytest.mark.parametrize(("name", "value"), [("_MOST_FAR", 1), ("_MOST_OF_ALL", 1_000), ("_MOST_CLASSES", 2)])
def test_what_the_grids_will_not_do_the_caller_does(client, monkeypatch, name, value):
    monkeypatch.setattr(grids_on_workers, name, value)
    there = Evaluator(chunks(), Y, summation="spectral")
    assert there._grids.evaluate(A) is None
    with pytest.warns(UserWarning, match="the caller computes them"):
        found = there.evaluate(A)
    assert found.objective == pytest.approx(Evaluator(X, Y, summation="spectral").evaluate(A).objective)


def test_a_fit_is_that_of_one_machine(client):
    models = [
        NeighborhoodComponentsAnalysis(2, init="pca", max_iter=4, summation="spectral").fit(rows, Y)
        for rows in (X, chunks())
    ]
    np.testing.assert_allclose(models[1].components_, models[0].components_, rtol=1e-8, atol=1e-10)
