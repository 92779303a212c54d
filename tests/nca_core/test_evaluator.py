"""Objective, gradient, p_i and entropies against a textbook, finite differences and scikit-learn."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nca_core.features.validation import UNLABELLED
from nca_core.neighbours import similarity
from nca_core.neighbours.pairs.block_sums import BlockSums
from nca_core.objectives import OBJECTIVES
from nca_core.objectives.evaluator import Evaluator
from tests.nca_core import textbook


def blocks(X, y, A, **options):
    """The same evaluation by blocks of rows in plain numpy."""

    def summed_by(method, Y, classes, logs):
        return BlockSums(classes.block, Y, np.arange(Y.shape[1]), "dense")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(similarity, "summed_by", summed_by)
        return Evaluator(X, y, **options).evaluate(A)


def few(X, y, A, **options):
    """As it is chosen for few points."""
    return Evaluator(X, y, **options).evaluate(A)


def compiled(X, y, A, **options):
    return Evaluator(X, y, summation="dense", **options).evaluate(A)


@pytest.fixture(params=[blocks, few, compiled])
def evaluate(request):
    return request.param


def blobs(n):
    """Some points are unlabelled, and one is alone in its class."""
    X, y = textbook.blobs(n)
    return X, np.array([9, *[UNLABELLED] * 5, *y[6:]])


@pytest.mark.parametrize("d", [1, 2, 3, 5])
def test_against_the_textbook(evaluate, d):
    X, y = blobs(40)
    A = np.random.default_rng(d).normal(size=(d, X.shape[1])) * 0.6
    at = evaluate(X, y, A)
    np.testing.assert_allclose(at.p, textbook.correct(A, X, y), rtol=1e-12, atol=1e-15)
    entropies = textbook.entropies(A, X)
    np.testing.assert_allclose(at.entropy, entropies, rtol=1e-11)
    assert at.k_mean_entropy == pytest.approx(np.exp(entropies.mean()), rel=1e-10)
    assert at.k_mean_perplexity == pytest.approx(np.exp(entropies).mean(), rel=1e-10)
    assert at.objective == pytest.approx(textbook.f(A, X, y), rel=1e-13)
    assert at.mean_p == pytest.approx(textbook.f(A, X, y) / len(X), rel=1e-13)
    assert evaluate(X, y, A, objective="g").objective == pytest.approx(textbook.g(A, X, y), rel=1e-12)
    assert evaluate(X, y, A, objective="pairs").objective == pytest.approx(textbook.pairs(A, X, y), rel=1e-12)
    expected = textbook.pair_weights(A, X, textbook.mates(y))
    assert evaluate(X, y, A, objective="pair_weights").objective == pytest.approx(expected, rel=1e-12)
    log_f = evaluate(X, y, A, objective="log_f").objective
    assert log_f == pytest.approx(np.log(textbook.f(A, X, y)), rel=1e-12)
    small = np.where(y == UNLABELLED, -128, y).astype(np.int8)
    np.testing.assert_array_equal(evaluate(X, small, A).p, at.p)


@pytest.mark.parametrize("objective", list(OBJECTIVES))
@pytest.mark.parametrize("d", [1, 2, 3, 4])
def test_gradient_against_finite_differences(evaluate, objective, d):
    X, y = blobs(30)
    rng = np.random.default_rng(7)
    A = rng.normal(size=(d, X.shape[1])) * 0.5
    options = {"objective": objective, "regularisation": 0.3, "sample_weight": rng.uniform(0.1, 2.0, len(X))}
    gradient = evaluate(X, y, A, **options).gradient
    numeric = textbook.slopes(lambda A: evaluate(X, y, A, **options).objective, A)
    np.testing.assert_allclose(gradient, numeric, rtol=2e-6, atol=2e-7 * np.abs(numeric).max())


def test_row_order_and_offset_do_not_matter():
    X, y = textbook.blobs(n=60)
    A = np.random.default_rng(3).normal(size=(2, 5))
    order = np.random.default_rng(4).permutation(len(X))
    at, shuffled = Evaluator(X, y).evaluate(A), Evaluator(X[order] + 1e6, y[order]).evaluate(A)
    np.testing.assert_allclose(shuffled.p, at.p[order], rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose(shuffled.gradient, at.gradient, rtol=1e-5, atol=1e-6)


hostile = st.fixed_dictionaries(
    {
        "n": st.integers(3, 60),
        "d": st.integers(1, 4),
        "classes": st.integers(1, 8),
        "scale": st.sampled_from([1e-6, 1e-3, 1.0, 30.0, 1e3, 1e6]),
        "offset": st.sampled_from([0.0, 1e3]),
        "far": st.booleans(),
        "duplicates": st.booleans(),
        "objective": st.sampled_from(list(OBJECTIVES)),
        "seed": st.integers(0, 10_000),
    }
)


@settings(max_examples=150, deadline=None)
@given(hostile)
def test_compiled_loops_agree_with_shifted_rows_on_hostile_data(case):
    rng = np.random.default_rng(case["seed"])
    X = rng.normal(size=(case["n"], 4)) + case["offset"]
    y = rng.integers(0, case["classes"], case["n"])
    if case["far"]:
        X[0] += 1e6
        X[-1] -= 40.0
    if case["duplicates"]:
        X[1] = X[2]
    A = rng.normal(size=(case["d"], 4)) * case["scale"]
    fast = compiled(X, y, A, objective=case["objective"])
    exact = blocks(X, y, A, objective=case["objective"])
    allowed = textbook.rounding_of(case["objective"], A, X, y, exact.p)
    assert fast.objective == pytest.approx(exact.objective, rel=1e-10, abs=allowed)
    np.testing.assert_allclose(fast.entropy, exact.entropy, rtol=1e-8, atol=1e-9)
    assert np.all(np.abs(fast.p - exact.p) <= (1e-9 + textbook.rounding(A, X, y)[0]) * exact.p + 1e-200)
    terms = textbook.size_of_terms(X, y, A) * (case["n"] if case["objective"] in ("pairs", "pair_weights") else 1)
    tolerance = 1e-8 * np.linalg.norm(exact.gradient) + 1e-13 * terms
    assert np.linalg.norm(fast.gradient - exact.gradient) <= tolerance
    assert np.isfinite(fast.gradient).all()


def test_exp_is_exact_to_a_few_units_in_the_last_place():
    from nca_core.neighbours.base.exponential import exp_minus

    x = np.concatenate([np.linspace(0.0, 708.0, 5000), np.geomspace(1e-300, 1.0, 500)])
    ours = np.array([exp_minus(value) for value in x])
    np.testing.assert_allclose(ours, np.exp(-x), rtol=2 * np.finfo(float).eps)


def test_points_far_from_their_own_class_alone_are_exact():
    """log S below the limit where log Z is not: only their class is summed again."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(90, 2))
    y = np.repeat([0, 1, 2], 30)
    X[y == 1] += 15.5
    X[0] += 15.5  # of class 0, in the midst of class 1
    X[89] += 15.5  # of class 2, there too
    A = np.eye(2)
    for objective in ("f", "g"):
        fast, exact = compiled(X, y, A, objective=objective), blocks(X, y, A, objective=objective)
        assert 0.0 < exact.p[0] < np.exp(-300)
        np.testing.assert_allclose(fast.p, exact.p, rtol=1e-9)
        assert fast.objective == pytest.approx(exact.objective, rel=1e-12)
        assert np.linalg.norm(fast.gradient - exact.gradient) <= 1e-10 * np.linalg.norm(exact.gradient)


@pytest.mark.filterwarnings("error")
def test_float32_holds_features_whatever_their_unit():
    """Its range ends at 3e38 and begins at 1e-45: each feature is kept in a unit of its own."""
    rng = np.random.default_rng(0)
    X, y, A = rng.normal(size=(60, 3)), np.arange(60) % 3, rng.normal(size=(2, 3))
    units = np.array([1e60, 1.0, 1e-60])
    plain = Evaluator(X, y, dtype="float32").evaluate(A)
    other = Evaluator(X * units, y, dtype="float32").evaluate(A / units)
    assert other.objective == pytest.approx(plain.objective, rel=1e-5)
    np.testing.assert_allclose(other.gradient / units, plain.gradient, rtol=1e-3, atol=1e-4)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("d", [1, 2, 3, 4])
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_a_step_far_out_stays_finite(d, dtype):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 4)), np.arange(60) % 3
    for size in (1e20, 1e35, 1e45, 1e60):
        at = Evaluator(X, y, dtype=dtype).evaluate(rng.normal(size=(d, 4)) * size)
        assert np.isfinite([at.objective, *at.gradient.ravel(), *at.entropy]).all()
