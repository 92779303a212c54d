"""K of a training and how its metric grows, against the definitions."""

from dataclasses import replace

import numpy as np
import pytest

from datasets.base.words import percent
from nca_core.snapshot import Snapshot, Trajectory
from study.inference import curve_against_current
from study.learnt import KCurve, k_curve, metric_history
from study.measure import CHOSEN
from study.panel import PanelRecipe
from tests.study import oracle
from tests.study.some_data import compared, whole_training


@pytest.fixture(scope="module")
def comparison():
    return compared(PanelRecipe("nca", {"max_iter": 9}))


@pytest.mark.parametrize("iteration", [0, 3, -1], ids=str)
def test_it_is_the_accuracy_and_the_k_of_the_definitions_at_every_iteration(comparison, iteration):
    snapshot = whole_training(comparison, "nca").snapshots[iteration]
    found = k_curve(comparison, "nca", snapshot, largest=12)
    ready = comparison.prepared
    y, Y = ready.dataset.y, oracle.places(snapshot.transformation, ready.dataset.X)
    train, new = ready.train, ready.held_out
    assert len(found.leave_one_out) == len(found.held_out) == 12
    for k in (1, 2, 5, 12):
        assert found.leave_one_out[k - 1] == pytest.approx(oracle.leave_one_out(Y[train], y[train], k))
        assert found.held_out[k - 1] == pytest.approx(oracle.held_out(Y[train], y[train], Y[new], y[new], k))
    np.testing.assert_allclose(found.local, oracle.local_k(Y[train]), rtol=1e-7)
    assert found.mean_entropy == pytest.approx(snapshot.k_mean_entropy)
    assert found.mean_perplexity == pytest.approx(snapshot.k_mean_perplexity)


def curve_of(columns, k=2.0, held_out=True):
    """A curve over rows, of which the K-nearest-neighbour rule gets those of `columns[K − 1]` right."""
    right = np.array(columns, dtype=bool).T
    share = right.mean(axis=0)
    held = share if held_out else np.empty(0)
    test = curve_against_current(right, round(k) - 1) if k <= len(share) else None
    return KCurve("NCA", np.full(40, k), share, held, test)


def rows(right, n=400, wrong_from=0):
    return [wrong_from <= row < wrong_from + right for row in range(n)]


@pytest.mark.parametrize(
    ("curve", "words"),
    [
        (curve_of([rows(280), rows(360), rows(320)]), "held-out rows correctly. No K from 1 to 3 does better."),
        # 30 of 60 errors are mended and no row is lost: McNemar's p is 2^-29.
        (curve_of([rows(280), rows(340), rows(370)]), f"K = 3 reaches {percent(0.925, 1)}, {CHOSEN}: it is better"),
        # As many rows are right, but others: the same shares, and no proof.
        (curve_of([rows(100), rows(200), rows(203, wrong_from=197)]), "whether another K is better cannot be told"),
        (curve_of([rows(380), rows(397), rows(398)]), f"{CHOSEN}: no K is better by more than 2 points"),
        (curve_of([rows(280), rows(340), rows(360)], k=8.0), "lies beyond K = 3; of these, K = 3 is best"),
        (curve_of([rows(280), rows(340), rows(370)], held_out=False), f"K = 3 reaches {percent(0.925, 1)}: it is"),
    ],
)
def test_the_sentence_says_whether_the_estimate_is_good_here(curve, words):
    assert words in curve.sentence


def test_the_test_is_of_the_rows_that_decide(comparison):
    snapshot = whole_training(comparison, "nca").snapshots[-1]
    found = k_curve(comparison, "nca", snapshot, largest=12)
    estimates = [one.estimate for one in found.test.differences]
    np.testing.assert_allclose(estimates, found.held_out - found.held_out[found.k - 1], atol=1e-12)
    assert k_curve(comparison, "nca", snapshot, largest=1).test is None
    most = k_curve(comparison, "nca", snapshot, largest=10_000).leave_one_out
    assert len(most) == comparison.prepared.train.sum() - 1


def test_the_averages_differ_where_rows_differ():
    found = replace(curve_of([rows(200), rows(200)]), local=np.array([1.0, 4.0]))
    assert found.sentence.startswith("NCA: K̂ = 2.0, the geometric mean of the rows' own K (1.0 to 4.0), gives K = 2, ")
    assert (found.mean_entropy, found.mean_perplexity, found.k) == (pytest.approx(2), pytest.approx(2.5), 2)


def test_they_are_the_roots_of_the_metric_at_every_iteration():
    trajectory = whole_training(compared(PanelRecipe("nca", {"max_iter": 6})), "nca")
    found = metric_history("NCA", trajectory)
    assert found.iterations.tolist() == [at.iteration for at in trajectory.snapshots]
    assert found.singular_values.shape == (len(trajectory.snapshots), 2)
    for values, norm, at in zip(found.singular_values, found.norms, trajectory.snapshots, strict=True):
        A = at.transformation
        np.testing.assert_allclose(values**2, np.linalg.eigvalsh(A.T @ A)[::-1][:2], rtol=1e-8)
        assert norm == pytest.approx(np.sqrt(np.trace(A.T @ A)))
    assert len(np.unique(found.norms)) > 2


def history(*matrices):
    shots = tuple(Snapshot(k, np.array(A), objective=0, gradient_norm=0) for k, A in enumerate(matrices))
    return metric_history("NCA", Trajectory(shots))


@pytest.mark.parametrize(
    ("found", "words"),
    [
        (history([[1.0, 0], [0, 0]], [[3.0, 0], [0, 4.0]]), ("5, 5 times", "4, 3, so every axis")),
        (history([[10.0, 0], [0, 0.9]]), ("is 10;", "(10, 0.9) only 1 counts", "nearly a line")),
        (history([[10.0, 0, 0], [0, 0.9, 0], [0, 0, 1.1]]), ("is 10.1;", "(10, 1.1, 0.9) only 2 count", "nearly flat")),
        (history([[0.0, 0], [0, 0]]), ("is 0; all points fall into one place",)),
    ],
)
def test_the_sentence_says_how_it_grew_and_what_counts(found, words):
    assert all(each in found.sentence for each in words)
