"""Neighbours that are remembered against a search for each K, with ties and without."""

from __future__ import annotations

import threading
from dataclasses import astuple

import numpy as np
import pytest

from nca_core.accuracy import remembered
from nca_core.accuracy.accuracies import accuracies_of, points_of
from nca_core.accuracy.nearest import NearestNeighbours, nearest_others
from nca_core.accuracy.remembered import RememberedCodes


def points(kind, n=160, n_test=50):
    rng = np.random.default_rng(3)
    Y, asked = rng.normal(size=(n, 2)), rng.normal(size=(n_test, 2))
    if kind == "grid":  # many are equally far
        Y, asked = np.round(2 * Y), np.round(2 * asked)
    if kind == "some twins":
        Y[:20] = Y[20:40]
    return Y, rng.integers(0, 300, size=n), asked


@pytest.mark.parametrize("kind", ["round cloud", "some twins", "grid"])
@pytest.mark.parametrize("of_its_own", [True, False])
def test_the_codes_are_those_of_a_search_for_each_k(kind, of_its_own):
    Y, y, asked = points(kind)
    nearest, rows = NearestNeighbours(Y), np.arange(len(Y)) if of_its_own else None
    queries = Y if of_its_own else asked
    known = RememberedCodes(nearest, y, queries, rows)
    for k in (5, 3, 40, 17, 4, 64, 159, 100, 2):
        assert np.array_equal(known.of(k), y[nearest_others(nearest, None, queries, rows, k)]), k


def test_smaller_ks_are_answered_without_another_search(monkeypatch):
    Y, y, asked = points("round cloud")
    searched = []
    of = NearestNeighbours.with_distances
    monkeypatch.setattr(NearestNeighbours, "with_distances", lambda own, q, k: (searched.append(k), of(own, q, k))[1])
    monkeypatch.setattr(remembered, "nearest_others", None)  # nobody is asked again
    known = RememberedCodes(NearestNeighbours(Y), y, asked, None)
    for k in (40, 64, 12, 7):
        known.of(k)
    assert searched == [65]
    known.of(65)
    assert searched == [65, 129]


@pytest.mark.parametrize("n", [160, 2_100])  # of more than 2,000 a sample is asked
def test_the_accuracies_are_the_same(n):
    Y, y, asked = points("some twins", n)
    y, held_out = y % 4, (asked, np.random.default_rng(1).integers(0, 4, size=len(asked)))
    again = points_of(Y, y, 7, remember=True)
    for k in (30, 9, 2, 1, 0, 31, 120):
        found, searched = accuracies_of(Y, y, held_out, k, 7, again), accuracies_of(Y, y, held_out, k, 7)
        np.testing.assert_array_equal(astuple(found), astuple(searched))


def test_two_threads_that_ask_at_once_get_as_many_as_they_asked_for(monkeypatch):
    """The one that looks for fewer is done last, and what it found does not replace what the other one needs."""
    Y, y, asked = points("round cloud")
    of, few_are_asked, many_are_found = NearestNeighbours.with_distances, threading.Event(), threading.Event()

    def slow_for_few(own, queries, k):
        if k < 20:
            few_are_asked.set()
            many_are_found.wait(1.0)
        return of(own, queries, k)

    monkeypatch.setattr(NearestNeighbours, "with_distances", slow_for_few)
    known = RememberedCodes(NearestNeighbours(Y), y, asked, None)
    few = threading.Thread(target=known.of, args=(10,))
    few.start()
    few_are_asked.wait(10)
    other = threading.Thread(target=lambda: (known.of(60), many_are_found.set()))
    other.start()
    few.join()
    other.join()
    monkeypatch.setattr(NearestNeighbours, "with_distances", None)  # nobody needs to look again
    assert known.of(60).shape == (len(asked), 60)
