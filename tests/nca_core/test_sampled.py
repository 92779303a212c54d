"""Where exact sums take long at first, f is climbed by batches of rows and estimated, with errors that are right."""

from contextlib import contextmanager, nullcontext
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from nca_core import NeighborhoodComponentsAnalysis
from nca_core.accuracy import k_mean_entropy
from nca_core.neighbours import choose
from nca_core.objectives import OBJECTIVES
from nca_core.objectives.evaluator import Evaluator
from nca_core.optimisers import by_batches
from nca_core.training import problem
from nca_core.training.config import TrainingConfig
from nca_core.training.nca import train, train_diagonal
from nca_core.training.problem import TrainingStopped


@pytest.fixture
def prohibitive(monkeypatch):
    """Every evaluation in more than three components counts as one that cannot be paid for."""
    monkeypatch.setattr(choose, "MOST_PAIRS", 1e5)
    monkeypatch.setattr(problem, "_PAIRS_IN_ALL", 0.0)


def blobs(n, D=30, informative=8, apart=0.9, seed=0):
    """Overlapping classes in some dimensions, and noise in the others."""
    rng = np.random.default_rng(seed)
    y, centres = rng.integers(0, 6, n), np.zeros((6, D))
    centres[:, :informative] = rng.normal(0, apart, (6, informative))
    return rng.normal(size=(n, D)) + centres[y], y


@pytest.mark.parametrize("d", [2, 4, 7, 12])
@pytest.mark.parametrize("scale", [0.1, 1.0, 40.0])
@pytest.mark.parametrize("objective", OBJECTIVES)
def test_batches_of_rows_add_up_to_the_whole_gradient(d, scale, objective):
    """Also where all weights of a row underflow, or those of its class; what does not add up has one batch."""
    X, y = blobs(600, D=15)
    X[::50] += 30.0
    y[::7] = -1
    rng = np.random.default_rng(0)
    A = scale * 0.3 * rng.normal(size=(d, 15))
    evaluator = Evaluator(X, y, objective=objective, regularisation=0.3)
    parts = np.array_split(rng.permutation(600), 7 if OBJECTIVES[objective].additive else 1)
    everybody = np.arange(600)
    total = sum(evaluator.gradient_of_queries(A, part) * len(part) for part in parts) / 600
    whole = evaluator.evaluate(A).gradient
    for found in (total, evaluator.gradient_of_queries(A, everybody, everybody)):
        np.testing.assert_allclose(found, whole, rtol=0, atol=1e-10 * np.abs(whole).max())


@pytest.mark.parametrize(("n_sampled", "weighted"), [(300, False), (300, True), (2000, True)])
def test_the_standard_errors_are_right(n_sampled, weighted):
    X, y = blobs(2_500)
    rng = np.random.default_rng(1)
    weights = rng.exponential(size=2_500) ** 2 * (1 + 2 * (y == 0)) if weighted else np.ones(2_500)
    A = 0.6 * rng.normal(size=(4, 30)) * (np.arange(30) < 8)
    evaluator = Evaluator(X, y, sample_weight=weights, regularisation=0.1)
    exact = evaluator.evaluate(A)
    off = []
    for _ in range(200):
        batches = np.array_split(rng.choice(2_500, n_sampled, replace=False), 2)
        at = evaluator.estimate(A, batches, nullcontext)
        assert (at.sampled.n_points, at.sampled.of, at.summation) == (n_sampled, 2_500, "sampled")
        k = k_mean_entropy(at.entropy) - k_mean_entropy(exact.entropy)
        of_f = (at.objective - exact.objective) / (weights.sum() * at.sampled.mean_p)
        off.append((of_f, (at.mean_p - exact.mean_p) / at.sampled.mean_p, k / at.sampled.k_mean_entropy))
    off = np.array(off)
    assert np.mean(np.abs(off) < 3.0, axis=0).min() >= 0.98
    np.testing.assert_allclose(off.std(axis=0), 1.0, atol=0.2)
    assert np.abs(off.mean(axis=0)).max() < 0.35


def test_a_sample_of_all_rows_is_exact():
    X, y = blobs(500)
    A = 0.3 * np.random.default_rng(0).normal(size=(5, 30))
    exact, at = Evaluator(X, y).evaluate(A), Evaluator(X, y).estimate(A, [np.arange(500)], nullcontext)
    assert at.objective == pytest.approx(exact.objective, rel=1e-12)
    assert at.sampled.mean_p == at.sampled.k_mean_entropy == 0.0
    np.testing.assert_allclose(at.gradient, exact.gradient, rtol=1e-9, atol=1e-12)


def compared(X, y, new, d, monkeypatch):
    """f of batches as a share of the exact training's from the same start: on the rows, and on new ones."""
    config = TrainingConfig(n_components=d)
    exact = train(X, y, config, measure_accuracy=False).snapshots[-1]
    monkeypatch.setattr(choose, "MOST_PAIRS", 1e5)
    monkeypatch.setattr(problem, "_PAIRS_IN_ALL", 0.0)
    end = train(X, y, config, measure_accuracy=False)
    last = end.snapshots[-1]
    assert last.summation == "sampled"
    assert (end.ended, len(end.snapshots)) == ("converged", 31)
    at = [Evaluator(X, y).evaluate(A).mean_p for A in (last.transformation, exact.transformation)]
    assert abs(last.mean_p - at[0]) < 4.0 * last.sampled.mean_p + 1e-9
    there = [Evaluator(*new).evaluate(A).mean_p for A in (last.transformation, exact.transformation)]
    return at[0] / at[1], there[0] / there[1]


@pytest.mark.parametrize(("apart", "d", "least"), [(2.0, 4, 0.99), (0.9, 5, 0.9)])
def test_batches_climb_as_high_as_exact_sums(monkeypatch, apart, d, least):
    """By seed 0.994 to 0.997 of the first set. Of few rows of overlapping classes the exact climb makes more than there
    is: on new rows batches are as good."""
    X, y = blobs(6_000, apart=apart)
    share, of_new = compared(X[:3_000], y[:3_000], (X[3_000:], y[3_000:]), d, monkeypatch)
    assert share > least
    assert of_new > 0.995


def test_exact_iterations_follow_where_they_can_be_paid_for(monkeypatch):
    """As f is 4 % too low by batches alone; time is counted in pairs, fewer of which are looked at as K̂ falls."""
    X, y = blobs(3_000)
    config = TrainingConfig(n_components=4)
    exact = train(X, y, config, measure_accuracy=False).snapshots[-1]
    monkeypatch.setattr(choose, "MOST_PAIRS", 8.8e6)
    end = train(X, y, replace(config, max_iter=70), measure_accuracy=False)
    batched, first, last = (end.snapshots[k] for k in (30, 31, -1))
    assert (batched.summation, first.sampled, last.sampled) == ("sampled", None, None)
    assert Evaluator(X, y).evaluate(batched.transformation).mean_p < 0.97 * exact.mean_p
    assert last.mean_p > 0.995 * exact.mean_p
    assert end.reason == "Reached the maximum of 70 iterations. The first 30 climbed by batches of rows."
    soon = train(X, y, replace(config, tol=0.02), measure_accuracy=False)
    assert soon.ended == "converged"
    assert soon.reason.endswith("the last three gained almost nothing. Before these, 30 climbed by batches of rows.")
    ends = []
    for in_all in (problem._PAIRS_IN_ALL, 0.0):  # where max_iter ends it nothing follows, so A grows all the same
        monkeypatch.setattr(problem, "_PAIRS_IN_ALL", in_all)
        ends.append(train(X, y, replace(config, max_iter=5), measure_accuracy=False).snapshots[-1].transformation)
    np.testing.assert_array_equal(*ends)
    # A grows at the end of batches unless ten iterations on all rows follow, the dense method's pairs counted once.
    for n_dense, n_exact, k in ((10.5, 11, 4.66), (9.5, 10, 1.03), (0.0, 0, 1.03)):
        in_all = problem.BATCHED_ROWS * 3_000 + n_dense * 3_000**2 / 2
        monkeypatch.setattr(problem, "_PAIRS_IN_ALL", in_all)
        cut = train(X, y, config, measure_accuracy=False)
        assert cut.reason.endswith(
            f"on batches of rows and {n_exact} on all rows." if n_exact else "whose steps shrink."
        )
        assert len(cut.snapshots) == 31 + n_exact
        assert cut.snapshots[30].k_mean_entropy == pytest.approx(k, abs=0.01)


def test_the_unit_of_a_feature_does_not_matter(prohibitive):
    X, y = blobs(1_000, apart=2.0)
    unit = np.ones(30)
    unit[[1, 20]] = 1e3, 1e-3
    config = TrainingConfig(n_components=4, max_iter=3, standardise=True)
    plain, other = (train(Z, y, config, measure_accuracy=False).snapshots[-1] for Z in (X, X * unit))
    np.testing.assert_allclose(other.transformation * unit, plain.transformation, rtol=1e-5, atol=1e-8)


@pytest.mark.parametrize(
    "settings", [{"n_components": 3}, {"summation": "dense"}, {"objective": "g"}, {"optimiser": "bfgs"}]
)
def test_everything_else_stays_exact(prohibitive, settings):
    X, y = blobs(600)
    last = train(X, y, TrainingConfig(**{"n_components": 4, "max_iter": 2, **settings})).snapshots[-1]
    assert last.sampled is None


def test_a_few_rows_are_summed_exactly():
    assert train(*blobs(600), TrainingConfig(n_components=4, max_iter=2)).snapshots[-1].sampled is None


def test_the_estimator_says_from_how_many_rows(prohibitive):
    X, y = blobs(3_000)
    nca = NeighborhoodComponentsAnalysis(4, max_iter=2, random_state=0).fit(X, y)
    assert (nca.sampled_.n_points, nca.sampled_.of) == (2_000, 3_000)
    assert NeighborhoodComponentsAnalysis(2, max_iter=2, random_state=0).fit(X, y).sampled_ is None


@pytest.mark.parametrize(
    ("max_iter", "said"), [(2, "All climbed by batches of rows."), (33, "The first 30 climbed by batches of rows.")]
)
def test_the_estimator_says_what_was_done_where_max_iter_ended_it(monkeypatch, max_iter, said):
    monkeypatch.setattr(choose, "MOST_PAIRS", 8.8e6)
    nca = NeighborhoodComponentsAnalysis(4, init="pca", max_iter=max_iter).fit(*blobs(3_000))
    assert nca.reason_ == f"Reached the maximum of {max_iter} iterations. {said}"


@pytest.mark.parametrize(("raised", "kept"), [(3, 2), (33, 33)])
def test_an_interrupted_fit_keeps_the_best_iterate_and_its_number(monkeypatch, raised, kept):
    """The estimate at iteration 2 is far too high, yet no better than an exact value."""
    monkeypatch.setattr(choose, "MOST_PAIRS", 8.8e6)
    estimate, calls = Evaluator.estimate, []

    def too_high(self, A, batches, slot):
        calls.append(1)  # once an iteration, from the start on
        at = estimate(self, A, batches, slot)
        return replace(at, objective=at.objective * 9.0) if len(calls) == 3 else at

    def interrupt(A, iteration):
        if iteration == raised:
            raise KeyboardInterrupt

    monkeypatch.setattr(Evaluator, "estimate", too_high)
    nca = NeighborhoodComponentsAnalysis(4, init="pca", callback=interrupt, keep_path=True)
    with pytest.raises(KeyboardInterrupt):
        nca.fit(*blobs(3_000))
    assert nca.n_iter_ == kept
    np.testing.assert_array_equal(nca.components_, nca.path_[kept].transformation)
    assert (nca.sampled_ is None) == (kept == 33)


def test_diagonal_a_is_sampled_too(prohibitive):
    X, y = blobs(2_500, D=6, informative=2)
    end = train_diagonal(X, y, TrainingConfig(n_components=2, max_iter=3, initialisation="whitening"))
    last = end.snapshots[-1]
    assert last.sampled.of == 2_500
    assert last.transformation.shape == (2, 6)
    assert last.objective > end.snapshots[0].objective


def test_it_can_be_stopped_within_an_evaluation(prohibitive):
    X, y = blobs(2_500)
    turns = []

    @contextmanager
    def slot():
        if len(turns) == 6:
            raise TrainingStopped
        turns.append(1)
        yield

    end = train(X, y, TrainingConfig(n_components=4), slot=slot, measure_accuracy=False)
    assert end.ended == "stopped"
    assert not end.snapshots


def test_a_climb_by_batches_ends_with_the_scale_at_which_the_estimate_is_largest():
    """Without any gradient only the growth at the end moves A: up to the largest multiple that is still better."""

    class Flat(SimpleNamespace):
        def of_queries(self, A, rows):
            return np.zeros_like(A)

        def __call__(self, A):
            return -abs(np.linalg.norm(A) - 3.0), np.zeros_like(A)

    problem = Flat(n_samples=300, random_state=0, spread=np.array([1.0, 2.0]))
    start, steps = np.array([[1.0, 0.0]]), []
    ended = by_batches(problem, start, 4, lambda A: steps.append(A.copy()), lambda A: False)
    assert [step[0, 0] for step in steps] == pytest.approx([1.0, 1.0, 1.0, 1.5**3])
    assert ended.ended == "max_iter"
    assert by_batches(problem, start, 100, lambda A: None, lambda A: False).ended == "converged"
