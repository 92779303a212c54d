"""The search for nearest points against all differences, where numbers are easy and where they are not."""

from __future__ import annotations

import numpy as np
import pytest

from nca_core.accuracy.nearest import NearestNeighbours


def by_differences(Y, queries, k):
    distances = ((queries[:, None, :] - Y[None, :, :]) ** 2).sum(axis=2)
    return np.sort(distances, axis=1)[:, :k], distances


@pytest.mark.parametrize("d", [1, 2, 3, 9, 10, 40])
@pytest.mark.parametrize("n_queries", [1, 60])
def test_the_nearest_are_found_in_order(d, n_queries):
    rng = np.random.default_rng(d)
    Y, queries = rng.normal(size=(300, d)), rng.normal(size=(n_queries, d))
    found = NearestNeighbours(Y).of(queries, 7)
    np.testing.assert_array_equal(found, np.argsort(by_differences(Y, queries, 7)[1], axis=1)[:, :7])


@pytest.mark.parametrize("d", [2, 12])
@pytest.mark.parametrize("scale", [1e-160, 1e-6, 1e6, 1e140])
def test_the_unit_changes_nothing(d, scale):
    rng = np.random.default_rng(0)
    Y, queries = rng.normal(size=(100, d)), rng.normal(size=(30, d))
    np.testing.assert_array_equal(
        NearestNeighbours(Y * scale).of(queries * scale, 5), NearestNeighbours(Y).of(queries, 5)
    )


@pytest.mark.parametrize("d", [2, 12])
@pytest.mark.parametrize("offsets", [(1e8, 1e8), (1e8, -1e8)])
def test_an_offset_costs_no_digits(d, offsets):
    Y = np.random.default_rng(0).normal(size=(200, d))
    Y[:100] += offsets[0]
    Y[100:] += offsets[1]
    found = NearestNeighbours(Y).of(Y, 5)
    np.testing.assert_array_equal(found, np.argsort(by_differences(Y, Y, 5)[1], axis=1, kind="stable")[:, :5])


@pytest.mark.parametrize("d", [2, 12])
def test_duplicates_and_far_queries_get_rows_that_exist(d):
    Y = np.zeros((50, d))
    assert set(NearestNeighbours(Y).of(Y[:8], 50)[0]) == set(range(50))
    rng = np.random.default_rng(0)
    for far in (1e160, 1e300, -1e300):
        found = NearestNeighbours(rng.normal(size=(50, d))).of(np.full((9, d), far), 3)
        assert found.max() < 50
        assert (np.diff(np.sort(found, axis=1), axis=1) > 0).all()
