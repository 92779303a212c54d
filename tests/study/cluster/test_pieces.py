"""Pieces of long work on the workers: the same numbers in the same order, ended when it is cancelled."""

import time
from contextlib import contextmanager, nullcontext
from functools import partial

import numpy as np
import pytest

from nca_core.training.problem import TrainingStopped
from study.cluster import connection as connection_module
from study.cluster.connection import Connection, Unreachable
from study.cluster.work import finished, spread_on_workers
from study.measure import NAMES
from study.optima import many_starts
from study.panel import PanelRecipe
from study.pieces import in_order, in_turn
from study.repetitions import repeat_permutations, repeat_splits
from tests.study.some_data import compared, overlapping, recipe_of
from tests.waiting import until

distributed = pytest.importorskip("distributed")
pytestmark = pytest.mark.dask

NCA = PanelRecipe("nca", {"max_iter": 8})
begun: list[int] = []


def square(shared, piece, slot):
    begun.append(piece)
    with slot():
        time.sleep(0.02 * (piece % 3))
    if piece == 13:
        raise ValueError("13 cannot be squared.")
    return shared + piece**2


@pytest.fixture
def there(connection):
    return partial(spread_on_workers, connection)


def test_results_come_in_order_and_an_error_comes_out(there):
    results = in_order(there, square, 100, range(12), nullcontext)
    assert list(results) == [100 + k**2 for k in range(12)]
    with pytest.raises(ValueError, match="13 cannot be squared"):
        list(in_order(there, square, 0, [1, 13, 2], nullcontext))


def test_what_was_cancelled_begins_no_more_pieces(there):
    begun.clear()
    results = in_order(there, square, 0, range(400), nullcontext)
    assert [next(results) for _ in range(3)] == [0, 1, 4]
    results.close()
    time.sleep(0.2)
    many = len(begun)
    time.sleep(0.2)
    assert many == len(begun) < 40
    asked = 0

    @contextmanager
    def until_third():
        nonlocal asked
        asked += 1
        if asked > 3:
            raise TrainingStopped
        yield

    with pytest.raises(TrainingStopped):
        list(in_order(there, square, 0, range(400), until_third))


def test_splits_starts_and_permutations_have_the_same_numbers_there(there):
    recipe = recipe_of(NCA, PanelRecipe("pca"))
    here, away = (list(repeat_splits(recipe, overlapping(), 3, spread=spread))[-1] for spread in (in_turn, there))
    but_seconds = [k for k, name in enumerate(NAMES) if name != "seconds"]
    np.testing.assert_allclose(away.values[..., but_seconds], here.values[..., but_seconds], rtol=1e-9)
    comparison = compared(NCA)
    here, away = (list(many_starts(comparison, "nca", 4, spread=spread))[-1] for spread in (in_turn, there))
    np.testing.assert_allclose(away.mean_p, here.mean_p, rtol=1e-9)
    assert away.joined == here.joined
    (*_, here), (*_, away) = (repeat_permutations(recipe, overlapping(), "nca", 3, spread=s) for s in (in_turn, there))
    np.testing.assert_allclose(away.permuted_own, here.permuted_own)


def test_without_a_scheduler_they_are_done_here(monkeypatch):
    monkeypatch.setattr(connection_module, "ANSWERS_WITHIN", 0.2)
    absent = Connection("tcp://127.0.0.1:9")
    try:
        assert list(in_order(partial(spread_on_workers, absent), square, 1, range(4), nullcontext)) == [1, 2, 5, 10]
        with pytest.raises(Unreachable, match="No Dask scheduler answers"):
            next(finished(absent, square, [(0, 1)], nullcontext))
    finally:
        absent.close()


def test_a_scheduler_that_comes_back_is_used_again(monkeypatch):
    monkeypatch.setattr(connection_module, "AGAIN_AFTER", 0.2)
    monkeypatch.setattr(connection_module, "warm_up", lambda: None)
    options = {"n_workers": 1, "threads_per_worker": 1, "processes": False, "dashboard_address": ":0"}
    options |= {"protocol": "tcp://", "host": "127.0.0.1"}
    with distributed.LocalCluster(**options) as first:
        port = first.scheduler.port
        found = Connection(first.scheduler_address)
        assert list(finished(found, square, [(1, 2)], nullcontext)) == [(0, 5)]
    try:
        until(lambda: found.problem and found._client is None)  # Dask itself no longer tries
        with pytest.raises(Unreachable):
            found.client()
        with distributed.LocalCluster(**options, scheduler_port=port):
            until(lambda: not found.problem)
            assert list(finished(found, square, [(1, 3)], nullcontext)) == [(0, 10)]
    finally:
        found.close()
