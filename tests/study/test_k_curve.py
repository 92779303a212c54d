"""K and the accuracy for every other K, against loops over the definitions, at several iterations."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from datasets.base.words import percent
from study.k_curve import KCurve, k_curve
from study.panel import PanelRecipe
from tests.study import oracle
from tests.study.some_data import compared


@pytest.fixture(scope="module")
def comparison():
    return compared(PanelRecipe("nca", {"max_iter": 9}), PanelRecipe("neural_nca", {"max_iter": 2}))


@pytest.mark.parametrize("iteration", [0, 3, -1], ids=str)
def test_it_is_the_accuracy_and_the_k_of_the_definitions_at_every_iteration(comparison, iteration):
    snapshot = comparison.train("nca").snapshots[iteration]
    found = k_curve(comparison, "nca", snapshot, largest=12)
    ready = comparison.prepared
    y, Y = ready.dataset.y, oracle.places(snapshot.transformation, ready.dataset.X)
    train, new = ready.train, ready.held_out
    assert found.iteration == snapshot.iteration
    assert len(found.leave_one_out) == len(found.held_out) == 12
    for k in (1, 2, 5, 12):
        assert found.leave_one_out[k - 1] == pytest.approx(oracle.leave_one_out(Y[train], y[train], k))
        assert found.held_out[k - 1] == pytest.approx(oracle.held_out(Y[train], y[train], Y[new], y[new], k))
    np.testing.assert_allclose(found.local, oracle.local_k(Y[train]), rtol=1e-7)
    assert found.mean_entropy == pytest.approx(snapshot.k_mean_entropy)
    assert found.mean_perplexity == pytest.approx(snapshot.k_mean_perplexity)
    assert found.n_held_out == np.count_nonzero(new & (y >= 0))


def test_a_network_has_its_places_and_k_ends_at_the_number_of_rows(comparison):
    snapshot = comparison.train("neural_nca").snapshots[-1]
    found = k_curve(comparison, "neural_nca", snapshot, largest=10_000)
    assert len(found.leave_one_out) == comparison.prepared.train.sum() - 1
    assert found.mean_entropy == pytest.approx(snapshot.k_mean_entropy)


def made(held_out, k=2.0, own=(0.5, 0.6, 0.7), n=100):
    return KCurve("NCA", 4, np.full(40, k), np.array(own), np.array(held_out), n)


@pytest.mark.parametrize(
    ("curve", "words"),
    [
        (
            made([0.7, 0.9, 0.8]),
            f"K = 2, which classifies {percent(0.9, 1)} of held-out rows correctly. No K from 1 to 3 does better.",
        ),
        (made([0.7, 0.88, 0.9]), f"{percent(0.9, 1)}: within one standard error of the difference (4.4 points)"),
        (made([0.7, 0.8, 0.9]), f"{percent(0.9, 1)}: beyond one standard error of the difference (5.0 points)"),
        (
            made([0.7, 0.98, 1.0], n=40),
            f"{percent(1, 1)}: within one standard error of the difference (2.2 points)",
        ),
        (made([0.7, 0.86, 0.9], k=8.0), "own K (8.0 to 8.0), lies beyond K = 3; of these, K = 3 is best"),
        (
            made([]),
            f"{percent(0.6, 1)} of training rows (leave-one-out) correctly. K = 3 reaches {percent(0.7, 1)}:",
        ),
    ],
    ids=["best", "as good", "worse", "all right", "beyond", "own rows"],
)
def test_the_sentence_says_whether_the_estimate_is_good_here(curve, words):
    assert words in curve.sentence


def test_the_averages_differ_where_rows_differ():
    found = replace(made([0.5, 0.5]), local=np.array([1.0, 4.0]))
    assert found.sentence.startswith("NCA: K̂ = 2.0, the geometric mean of the rows' own K (1.0 to 4.0), gives K = 2, ")
    assert (found.mean_entropy, found.mean_perplexity, found.k) == (pytest.approx(2), pytest.approx(2.5), 2)
