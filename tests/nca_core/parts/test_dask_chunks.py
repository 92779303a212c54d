"""Chunks of a Dask array as parts: the same answer, wherever they are, and for any number of workers."""

import time
from concurrent.futures import CancelledError

import numpy as np
import pytest

from nca_core import NeighborhoodComponentsAnalysis
from nca_core.objectives.evaluator import Evaluator
from nca_core.parts import dask_chunks
from nca_core.parts.dask_chunks import _add, _share, retry_lost_workers
from nca_core.parts.features_in_parts import features_of
from tests.own_process import run_python

cloudpickle = pytest.importorskip("cloudpickle", reason="comes with Dask")
da = pytest.importorskip("dask.array", reason="Dask is not installed")
RNG = np.random.default_rng(0)
N, D = 900, 6
Y = RNG.integers(0, 3, N)
X = RNG.normal(size=(N, D)) + 2.0 * RNG.normal(size=(3, D))[Y] + 30.0
A = RNG.normal(size=(2, D)) * 0.3


def chunks(sizes=((1, 499, 400), (4, 2))):
    return da.from_array(X, chunks=sizes)


@pytest.fixture(scope="module")
def cluster():
    distributed = pytest.importorskip("distributed", reason="Dask's scheduler is not installed")
    with distributed.Client(
        processes=False, n_workers=2, threads_per_worker=1, dashboard_address=":0", protocol="tcp"
    ) as client:
        yield client


@pytest.fixture
def client(cluster, monkeypatch):
    monkeypatch.setattr(dask_chunks, "_LEAST_NUMBERS", 1)
    monkeypatch.setattr(dask_chunks, "workers", lambda: 1)  # here; two there
    monkeypatch.setattr(dask_chunks, "_ROUND_TRIP", 0.0)
    monkeypatch.setattr(dask_chunks, "_BYTES_A_SECOND", np.inf)
    return cluster


def test_a_fit_is_that_of_one_machine():
    models = [NeighborhoodComponentsAnalysis(2, init="pca", max_iter=8).fit(rows, Y) for rows in (X, chunks())]
    np.testing.assert_allclose(models[1].components_, models[0].components_, rtol=1e-8, atol=1e-10)
    np.testing.assert_allclose(models[1].transform(chunks()), models[0].transform(X), rtol=1e-8, atol=1e-8)
    assert models[1].score(chunks(), da.from_array(Y)) == pytest.approx(models[0].score(X, Y), rel=1e-10)


@pytest.mark.parametrize(
    ("d", "summation"), [(2, "dense"), (2, "truncated"), (2, "spectral"), (6, "auto"), (16, "auto")]
)
def test_shared_sums_are_the_same_to_the_last_bit(client, d, summation, monkeypatch):
    """With the parts of X fixed, what changes is only who does the sums."""
    monkeypatch.setattr("nca_core.neighbours.pairs.dense._PAIRS_FOR_A_THREAD", 50_000)
    monkeypatch.setattr("nca_core.neighbours.pairs.truncated._LEAVES_FOR_A_THREAD", 4)
    monkeypatch.setattr("nca_core.neighbours.pairs.products._WORK_FOR_A_THREAD", 500_000)
    monkeypatch.setattr("nca_core.neighbours.pairs.products._KEPT_FROM", 100)  # more points than weights are kept of
    monkeypatch.setattr("nca_core.neighbours.pairs.tree._ROWS_FOR_A_THREAD", 20)
    rows = np.hstack([X, RNG.normal(size=(N, 14))])
    rows[::40] *= 3.0  # some far from all others, which are done singly
    matrix = np.random.default_rng(1).normal(size=(d, 20)) * 0.4
    sent = []
    real = dask_chunks.sum_on_workers

    def shared(parts, work, shape):
        found = real(parts, work, shape)
        sent.append(found is not None)
        return found

    monkeypatch.setattr(dask_chunks, "sum_on_workers", shared)
    array = da.from_array(rows, chunks=((1, 499, 400), 20))
    at_workers = Evaluator(array, Y, summation=summation).evaluate(matrix)
    assert sum(sent) >= 2 or summation == "spectral"
    monkeypatch.setattr(dask_chunks, "sum_on_workers", lambda *asked: None)
    here = Evaluator(array, Y, summation=summation).evaluate(matrix)
    assert at_workers.summation == here.summation
    assert at_workers.objective == here.objective
    for name in ("gradient", "p", "entropy"):
        np.testing.assert_array_equal(getattr(at_workers, name), getattr(here, name))
    alone = Evaluator(rows, Y, summation=summation).evaluate(matrix)
    np.testing.assert_allclose(here.gradient, alone.gradient, rtol=1e-10, atol=1e-11 * np.abs(alone.gradient).max())


def test_what_a_share_sends_is_what_it_adds():
    values = np.zeros((3, 500))
    values[0, 3:9] = values[1, [0, 4, 5, 200, 499]] = values[2, 499] = RNG.normal()
    values[2, 7] = np.nan

    def work(start, stop, out):
        out += values * (stop - start)

    edges, sent = _share(cloudpickle.dumps(work), 0, 1, values.shape)
    total = np.ones(1500)
    _add(total, edges, sent)
    np.testing.assert_array_equal(total.reshape(3, 500), 1.0 + values)
    assert len(sent) < 40
    edges, sent = _share(cloudpickle.dumps(lambda start, stop, out: None), 0, 1, (4, 5))
    assert len(edges) == len(sent) == 0


def test_a_transform_of_chunks_is_lazy():
    model = NeighborhoodComponentsAnalysis(2, max_iter=2).fit(X, Y)
    projected = model.transform(chunks())
    assert isinstance(projected, da.Array)
    assert (projected.shape, projected.chunks) == ((N, 2), ((1, 499, 400), (2,)))
    np.testing.assert_allclose(projected[450:550].compute(), model.transform(X[450:550]), rtol=1e-12)
    with pytest.raises(ValueError, match="X has 4 features, but NeighborhoodComponentsAnalysis is expecting 6"):
        model.transform(chunks()[:, :4])
    bad = chunks().map_blocks(lambda block: np.where(block > 30, np.nan, block))
    with pytest.raises(ValueError, match="Input contains NaN"):
        model.transform(bad).compute()


@pytest.mark.parametrize("kind", ["npy", "parquet"])
def test_workers_read_the_files_of_an_address(client, tmp_path, kind):
    from distributed import get_worker

    from nca_core import parts_of_folder
    from tests.nca_core.parts import test_folder as folder

    {"npy": folder.npy_folder, "parquet": folder.parquet_folder}[kind](tmp_path)
    label = "class" if kind == "parquet" else None
    there, labels = parts_of_folder(tmp_path.as_uri(), label)
    here, _ = parts_of_folder(tmp_path, label)
    readers = there.source.over(lambda blocks, count: get_worker().address, lambda part: ())
    assert len(readers) == len(there.source.counts)
    assert set(readers) <= set(client.scheduler_info()["workers"])
    np.testing.assert_array_equal(folder.all_rows(there), folder.X)
    assert labels is None or labels.tolist() == folder.Y.tolist()
    models = [NeighborhoodComponentsAnalysis(2, max_iter=5).fit(rows, folder.Y) for rows in (there, here)]
    np.testing.assert_array_equal(models[0].components_, models[1].components_)


def test_small_sums_stay_here(client, monkeypatch):
    def asked(parts, size, work=lambda start, stop, out: None):
        return dask_chunks.sum_on_workers(parts, work, (size,))

    monkeypatch.setattr(dask_chunks, "_LEAST_NUMBERS", 1000)
    assert asked([(0, 1), (1, 2)], 999) is None
    assert asked([(0, 2)], 5000) is None
    assert asked([(0, 1), (1, 2)], 5000) is not None
    monkeypatch.setattr(dask_chunks, "_ROUND_TRIP", 0.05)
    assert asked([(0, 1), (1, 2)], 5000) is None
    assert asked([(0, 1), (1, 2), (2, 3)], 5000, lambda start, stop, out: time.sleep(0.2)) is not None
    monkeypatch.setattr(dask_chunks, "workers", lambda: 2)
    assert asked([(0, 1), (1, 2), (2, 3)], 5000, lambda start, stop, out: time.sleep(0.2)) is None


def test_a_pass_begins_again_where_a_worker_was_lost(monkeypatch):
    pytest.importorskip("distributed", reason="Dask's scheduler is not installed")
    monkeypatch.setattr(dask_chunks, "_RETRY_AFTER", 0.0)
    losses = [CancelledError(), CancelledError()]

    def work():
        if losses:
            raise losses.pop()
        return 7

    assert retry_lost_workers(work) == 7
    losses += [CancelledError()] * 5
    with pytest.raises(CancelledError):
        retry_lost_workers(work)


def test_empty_chunks_are_passed_over():
    kept = chunks()[da.from_array(np.arange(N) > 0, chunks=((1, 499, 400),))].compute_chunk_sizes()
    assert kept.chunks[0] == (0, 499, 400)
    assert features_of(kept).first_invalid() is None
    np.testing.assert_array_equal(features_of(kept)[np.array([0, 898])], X[[1, 899]])


def test_what_cannot_be_used_is_said():
    bad = X.copy()
    bad[517, 3] = np.nan
    fit = NeighborhoodComponentsAnalysis(2).fit
    with pytest.raises(ValueError, match=r"^X\.blocks\[2\]\[17, 3\] is nan; every value must be finite\.$"):
        fit(da.from_array(bad, chunks=((1, 499, 400), 6)), Y)
    with pytest.raises(ValueError, match=r"^X has chunks of unknown length; call X\.compute_chunk_sizes\(\) first\.$"):
        fit(chunks()[chunks()[:, 0] > 30], Y)
    with pytest.raises(ValueError, match=r"^X has 1 dimension"):
        fit(chunks()[:, 0], Y)
    with pytest.raises(ValueError, match=r"^X holds complex128 values"):
        fit(chunks().astype(complex), Y)
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        fit(chunks(), Y[1:])
    with pytest.raises(ValueError, match=r"^X has chunks of type MaskedArray; they must be numpy arrays"):
        fit(da.ma.masked_less(chunks(), 29), Y)
    with pytest.raises(ValueError, match=r"^X is a Dask Bag|^X is a Dask Delayed|^X is a Dask"):
        fit(chunks().to_delayed()[0, 0], Y)


def test_without_a_dask_array_nothing_of_dask_is_imported():
    program = (
        "import sys, numpy as np\nfrom nca_core import NeighborhoodComponentsAnalysis, parts_of_arrays\n"
        "X, y = np.random.default_rng(0).normal(size=(40, 3)), np.arange(40) % 2\n"
        "model = NeighborhoodComponentsAnalysis(2, max_iter=2).fit(X, y)\n"
        "model.fit(parts_of_arrays([X[:9], X[9:]]), y).transform(X)\n"
        "print([name for name in sys.modules if name.split('.')[0] in ('dask', 'distributed')])"
    )
    assert run_python(program)[0].split() == ["[]"]


LOSS = """
import os, numpy as np, dask.array as da
from distributed import Client
from nca_core import NeighborhoodComponentsAnalysis
from nca_core.parts import dask_chunks, grids_on_workers
grids_on_workers._LEAST_ROWS = 1
dask_chunks._LEAST_NUMBERS, dask_chunks._BYTES_A_SECOND = 1000, np.inf
dask_chunks._ROUND_TRIP, dask_chunks.workers = 0.0, lambda: 1
if __name__ == "__main__":
    rng = np.random.default_rng(0)
    y = rng.integers(0, 5, 6_000)
    X = rng.normal(size=(6_000, 8)) + 2 * rng.normal(size=(5, 8))[y]
    settings = {"init": "pca", "max_iter": 6, "summation": sys.argv[1]}
    components = NeighborhoodComponentsAnalysis(2, **settings).fit(X, y).components_
    with Client(n_workers=2, threads_per_worker=1, dashboard_address=":0") as client:
        lost = []
        def kill(A, iteration):
            if iteration in (1, 3):
                lost.append(next(iter(client.run(os.getpid).values())))
                os.kill(lost[-1], 9)
        model = NeighborhoodComponentsAnalysis(2, callback=kill, **settings)
        model.fit(da.from_array(X, chunks=(1_000, 8)).persist(), y)
        assert len(lost) == 2
    assert np.allclose(model.components_, components, rtol=1e-8)
    print("same")
"""


@pytest.mark.thorough
@pytest.mark.parametrize("summation", ["dense", "spectral"])
def test_a_worker_process_is_lost(tmp_path, summation):
    pytest.importorskip("distributed", reason="Dask's scheduler is not installed")
    script = tmp_path / "script.py"
    script.write_text(LOSS.replace("sys.argv[1]", repr(summation)))
    assert run_python(script)[0].split() == ["same"]
