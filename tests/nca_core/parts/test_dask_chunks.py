"""Chunks of a Dask array as parts: the same answer, wherever they are, and for any number of workers."""

from concurrent.futures import CancelledError

import numpy as np
import pytest

from nca_core import NeighborhoodComponentsAnalysis
from nca_core.parts import dask_chunks
from nca_core.parts.dask_chunks import retry_lost_workers
from nca_core.parts.features_in_parts import features_of
from tests.own_process import run_python

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


def test_a_fit_is_that_of_one_machine():
    models = [NeighborhoodComponentsAnalysis(2, init="pca", max_iter=8).fit(rows, Y) for rows in (X, chunks())]
    np.testing.assert_allclose(models[1].components_, models[0].components_, rtol=1e-8, atol=1e-10)
    np.testing.assert_allclose(models[1].transform(chunks()), models[0].transform(X), rtol=1e-8, atol=1e-8)
    assert models[1].score(chunks(), da.from_array(Y)) == pytest.approx(models[0].score(X, Y), rel=1e-10)


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
def test_workers_read_the_files_of_an_address(cluster, tmp_path, kind):
    from distributed import get_worker

    from nca_core import parts_of_folder
    from tests.nca_core.parts import test_folder as folder

    {"npy": folder.npy_folder, "parquet": folder.parquet_folder}[kind](tmp_path)
    label = "class" if kind == "parquet" else None
    there, labels = parts_of_folder(tmp_path.as_uri(), label)
    here, _ = parts_of_folder(tmp_path, label)
    readers = there.source.over(lambda blocks, count: get_worker().address, lambda part: ())
    assert len(readers) == len(there.source.counts)
    assert set(readers) <= set(cluster.scheduler_info()["workers"])
    np.testing.assert_array_equal(folder.all_rows(there), folder.X)
    assert labels is None or labels.tolist() == folder.Y.tolist()
    models = [NeighborhoodComponentsAnalysis(2, max_iter=5).fit(rows, folder.Y) for rows in (there, here)]
    np.testing.assert_array_equal(models[0].components_, models[1].components_)


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
from nca_core.parts import grids_on_workers
grids_on_workers._LEAST_ROWS = 1
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
