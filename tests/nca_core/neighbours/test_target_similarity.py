"""Similarity of each pair against loops over pairs, finite differences and the classes that they generalise."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nca_core.neighbours.pairs import block_sums
from nca_core.neighbours.similarity import silverman_width
from nca_core.objectives import OBJECTIVES
from nca_core.objectives.evaluator import Evaluator
from tests.nca_core import textbook


@pytest.fixture(scope="module")
def lopsided():
    """Points with an asymmetric M; one of them is similar to none."""
    rng = np.random.default_rng(0)
    M = rng.uniform(0, 1, (40, 40)) ** 2
    M[3] = 0.0
    M[rng.random((40, 40)) < 0.3] = 0.0
    return rng.normal(size=(40, 5)), M


@pytest.mark.parametrize("d", [1, 2, 4])
def test_p_and_entropies_by_loops(lopsided, d):
    X, M = lopsided
    A = np.random.default_rng(d).normal(size=(d, 5)) * 0.6
    at = Evaluator(X, np.zeros(40, dtype=int), target_similarity=M).evaluate(A)
    pairs = textbook.probabilities(A, X)
    p = (M * pairs).sum(axis=1)
    np.testing.assert_allclose(at.p, p, rtol=1e-12)
    assert at.p[3] == 0.0
    assert at.objective == pytest.approx(p.sum(), rel=1e-13)
    np.testing.assert_allclose(at.entropy, textbook.entropies(A, X), rtol=1e-11)
    expected = (M * np.log(pairs + np.eye(40))).sum()
    of_pairs = Evaluator(X, np.zeros(40, dtype=int), target_similarity=M, objective="pairs").evaluate(A)
    assert of_pairs.objective == pytest.approx(expected, rel=1e-12)
    weighted = Evaluator(X, np.zeros(40, dtype=int), target_similarity=M, objective="pair_weights").evaluate(A)
    assert weighted.objective == pytest.approx(textbook.pair_weights(A, X, M), rel=1e-11)


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("d", [1, 2, 3])
def test_gradient_by_finite_differences_with_asymmetric_matches(lopsided, objective, d):
    X, M = lopsided
    rng = np.random.default_rng(7)
    A = rng.normal(size=(d, 5)) * 0.5
    options = {
        "objective": objective,
        "regularisation": 0.3,
        "sample_weight": rng.uniform(0.1, 2.0, 40),
        "target_similarity": M,
    }
    evaluator = Evaluator(X, np.zeros(40, dtype=int), **options)
    numeric = textbook.slopes(lambda A: evaluator.evaluate(A).objective, A)
    np.testing.assert_allclose(evaluator.evaluate(A).gradient, numeric, rtol=2e-6, atol=2e-7 * np.abs(numeric).max())


hostile = st.fixed_dictionaries(
    {
        "n": st.integers(3, 40),
        "d": st.integers(1, 3),
        "scale": st.sampled_from([1e-6, 1.0, 30.0, 1e3, 1e6]),
        "far": st.booleans(),
        "objective": st.sampled_from(list(OBJECTIVES)),
        "seed": st.integers(0, 10_000),
    }
)


@settings(max_examples=60, deadline=None)
@given(hostile)
def test_matches_of_zero_and_one_are_classes(case):
    rng = np.random.default_rng(case["seed"])
    X, y = rng.normal(size=(case["n"], 4)), rng.integers(0, 3, case["n"])
    if case["far"]:
        X[0] += 1e6
        X[1] = X[2]
    A = rng.normal(size=(case["d"], 4)) * case["scale"]
    soft = Evaluator(X, y, target_similarity="same", objective=case["objective"]).evaluate(A)
    hard = Evaluator(X, y, objective=case["objective"]).evaluate(A)
    allowed = textbook.rounding_of(case["objective"], A, X, y, hard.p)
    assert soft.objective == pytest.approx(hard.objective, rel=1e-9, abs=allowed)
    assert np.all(np.abs(soft.p - hard.p) <= (1e-8 + textbook.rounding(A, X, y)[0]) * hard.p + 1e-200)
    np.testing.assert_allclose(soft.entropy, hard.entropy, rtol=1e-8, atol=1e-9)
    spread = np.linalg.norm(X.max(axis=0) - X.min(axis=0))
    terms = np.linalg.norm(A) * spread**2 * case["n"] ** (2 if case["objective"] in ("pairs", "pair_weights") else 1)
    assert np.linalg.norm(soft.gradient - hard.gradient) <= 1e-8 * np.linalg.norm(hard.gradient) + 1e-14 * terms


def test_points_far_from_all_their_matches_stay_finite():
    X = np.array([[0.0], [60.0], [61.0], [200.0]])
    M = np.zeros((4, 4))
    M[0, 3] = 0.5
    M[1, 2] = 1e-300
    at = Evaluator(X, np.zeros(4, dtype=int), target_similarity=M, objective="g").evaluate(np.eye(1))
    # p_1 is 0.5 exp(−200²) / exp(−60²); p_2 is 1e-300 times about 1.
    expected = np.log(0.5) - 200.0**2 + 60.0**2 + np.log(1e-300)
    assert at.objective == pytest.approx(expected, rel=1e-12)
    by_a = -2 * 200.0**2 + 2 * 60.0**2  # of the first term; in the second only the similar point itself is near
    assert at.gradient[0, 0] == pytest.approx(by_a, rel=1e-10)


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_blocks_threads_and_batches_change_nothing(lopsided, objective, monkeypatch):
    X, M = lopsided
    A = np.random.default_rng(1).normal(size=(2, 5)) * 0.5
    evaluator = Evaluator(X, np.zeros(40, dtype=int), target_similarity=M, objective=objective)
    whole = evaluator.evaluate(A)
    everybody = np.arange(40)
    np.testing.assert_allclose(evaluator.gradient_of_queries(A, everybody), whole.gradient, rtol=1e-9, atol=1e-11)
    np.testing.assert_allclose(
        evaluator.gradient_of_queries(A, everybody, everybody), whole.gradient, rtol=1e-9, atol=1e-11
    )
    if OBJECTIVES[objective].additive:
        halves = np.array_split(np.random.default_rng(1).permutation(40), 2)
        mean = np.mean([evaluator.gradient_of_queries(A, half) for half in halves], axis=0)
        np.testing.assert_allclose(mean, whole.gradient, rtol=1e-9, atol=1e-11)
    monkeypatch.setattr(block_sums, "_BLOCK_CELLS", 130)
    monkeypatch.setattr(block_sums, "_PAIRS_FOR_A_THREAD", 300)
    blocked = Evaluator(X, np.zeros(40, dtype=int), target_similarity=M, objective=objective).evaluate(A)
    assert blocked.objective == pytest.approx(whole.objective, rel=1e-13)
    np.testing.assert_allclose(blocked.gradient, whole.gradient, rtol=1e-10, atol=1e-12)


def test_references_are_a_part_of_the_points(lopsided):
    X, M = lopsided
    kept = np.array([1, 4, 5, 9, 20, 21, 30])
    A = np.random.default_rng(2).normal(size=(2, 5)) * 0.5
    part = Evaluator(X, np.zeros(40, dtype=int), target_similarity=M).gradient_of_queries(A, kept, kept)
    alone = Evaluator(X[kept], np.zeros(7, dtype=int), target_similarity=M[np.ix_(kept, kept)]).evaluate(A).gradient
    np.testing.assert_allclose(part, alone * 40 / 7, rtol=1e-10)
    t = np.linspace(0, 1, 40)
    by_function = Evaluator(X, t, target_similarity=lambda a, b: np.exp(-np.abs(a[:, None] - b[None, :])))
    by_array = Evaluator(X, t, target_similarity=np.exp(-np.abs(t[:, None] - t[None, :])))
    np.testing.assert_allclose(
        by_function.gradient_of_queries(A, kept, kept), by_array.gradient_of_queries(A, kept, kept), rtol=1e-12
    )


def test_silvermans_width_by_hand():
    t = np.arange(101.0)  # σ = 29.15, quartiles 25 and 75
    assert silverman_width(t) == pytest.approx(0.9 * 29.154759 * 101**-0.2, rel=1e-6)
    t[-1] = 1e6  # an outlier: 50/1.34 instead of σ
    assert silverman_width(t) == pytest.approx(0.9 * 50 / 1.34 * 101**-0.2, rel=1e-6)
    assert silverman_width(np.array([0.0, 0.0, 0.0, 0.0, 0.0, 1.0])) > 0.0


@pytest.mark.parametrize(
    ("target_similarity", "words"),
    [
        (np.zeros((3, 4)), "target_similarity has shape (3, 4)"),
        (np.full((40, 40), 1.5), "target_similarity holds 1.5; every value must be between 0 and 1"),
        (np.full((40, 40), np.nan), "target_similarity holds nan"),
        ([["a"]], "not a number"),
        (lambda t, u: np.zeros((1, 1)), "target_similarity gave shape (1, 1); it must give (40, 40)"),
        (lambda t, u: np.full((len(t), len(u)), 2.0), "target_similarity holds 2"),
    ],
)
def test_bad_similarities_are_one_sentence(lopsided, target_similarity, words):
    X, _ = lopsided
    with pytest.raises(ValueError) as error:
        Evaluator(X, np.zeros(40), target_similarity=target_similarity).evaluate(np.eye(2, 5))
    assert words in str(error.value)
    assert "\n" not in str(error.value)
