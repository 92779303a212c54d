"""The three summation methods give the same answer, however the points lie."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nca_core.accuracy import k_mean_entropy, k_mean_perplexity
from nca_core.features.validation import UNLABELLED
from nca_core.neighbours.base.sums import Classes
from nca_core.neighbours.choose import SUMMATION_METHODS, estimated_costs, is_prohibitive, quickest, summed_by
from nca_core.neighbours.grid import spectral
from nca_core.neighbours.grid.spectral import Group, Groups
from nca_core.neighbours.pairs import tree as trees
from nca_core.neighbours.pairs.dense import Collapsed
from nca_core.neighbours.pairs.tree import Tree
from nca_core.objectives import OBJECTIVES
from nca_core.objectives.evaluator import Evaluator
from tests.nca_core import textbook

QUICK = ["truncated", "spectral"]


def assert_agrees(X, y, A, method, objective="f", **options):
    exact = Evaluator(X, y, objective=objective, summation="dense", **options).evaluate(A)
    quick = Evaluator(X, y, objective=objective, summation=method, **options).evaluate(A)
    assert np.isfinite(quick.gradient).all()
    # "pairs" adds up squared distances of class mates and takes as much off again.
    cancels = (
        ((X @ A.T)[:, None] - (X @ A.T)[None])[y[:, None] == y]
        if objective in ("pairs", "pair_weights")
        else np.zeros(1)
    )
    error = 1e-10 * len(X) + 1e-14 * float((cancels**2).sum())
    assert quick.objective == pytest.approx(exact.objective, rel=1e-8, abs=error)
    assert quick.mean_p == pytest.approx(exact.mean_p, rel=1e-8, abs=1e-10)
    assert k_mean_entropy(quick.entropy) == pytest.approx(k_mean_entropy(exact.entropy), rel=1e-6)
    assert k_mean_perplexity(quick.entropy) == pytest.approx(k_mean_perplexity(exact.entropy), rel=1e-6)
    np.testing.assert_allclose(quick.p, exact.p, rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose(quick.entropy, exact.entropy, rtol=1e-6, atol=1e-7)
    size = textbook.size_of_terms(X, y, A) * (len(X) if objective in ("pairs", "pair_weights") else 1)
    error = np.linalg.norm(quick.gradient - exact.gradient)
    assert error <= 1e-6 * np.linalg.norm(exact.gradient) + 1e-10 * size, error / size
    return quick


def crowd(rng, n, D):
    return rng.normal(size=(n, D))


def clusters(rng, n, D):
    return rng.normal(size=(n, D)) * 0.05 + rng.integers(0, 5, (n, 1)) * rng.normal(size=(1, D))


def heavy_tails(rng, n, D):
    return rng.standard_t(1.2, size=(n, D))


def isolated(rng, n, D):
    X = rng.normal(size=(n, D))
    X[: max(1, n // 10)] += rng.normal(size=(max(1, n // 10), D)) * 200.0
    X[0] += 1e5
    return X


def duplicates(rng, n, D):
    return rng.normal(size=(max(1, n // 4), D))[rng.integers(0, max(1, n // 4), n)]


def line(rng, n, D):
    """No width in all directions but one."""
    return np.outer(rng.uniform(-3, 3, n), np.ones(D))


LAYOUTS = [crowd, clusters, heavy_tails, isolated, duplicates, line]


@settings(max_examples=200, deadline=None)
@given(
    layout=st.sampled_from(LAYOUTS),
    n=st.integers(2, 300),
    d=st.integers(1, 3),
    n_classes=st.sampled_from([1, 2, 3, 10, 60]),
    scale=st.sampled_from([1e-6, 1e-3, 0.1, 1.0, 3.0, 30.0, 1e3, 1e6]),
    offset=st.sampled_from([0.0, 1e6]),
    unlabelled=st.booleans(),
    method=st.sampled_from(QUICK),
    pairs_in_classes=st.booleans(),
    trees_of_classes=st.booleans(),
    objective=st.sampled_from(list(OBJECTIVES)),
    seed=st.integers(0, 10_000),
)
def test_every_method_agrees_with_the_dense_one(
    layout, n, d, n_classes, scale, offset, unlabelled, method, pairs_in_classes, trees_of_classes, objective, seed
):
    rng = np.random.default_rng(seed)
    X = layout(rng, n, 4)
    if offset and scale <= 30.0:  # beyond, the offset alone takes the digits that the scale would need
        X = X + offset
    y = rng.integers(0, n_classes, n) ** 2 % n_classes  # unequal classes
    if unlabelled:
        y[: n // 5] = UNLABELLED
    A = rng.normal(size=(d, 4)) * scale
    with pytest.MonkeyPatch.context() as patch:
        if not pairs_in_classes:  # grids, however few points a class has
            patch.setattr(spectral, "_PAIR", dict.fromkeys((1, 2, 3), 1e9))
        if trees_of_classes:  # however few members they have
            patch.setattr(trees, "_SMALL_CLASS", 0)
        assert_agrees(X, y, A, method, objective)


@pytest.mark.parametrize("method", QUICK)
@pytest.mark.parametrize(("d", "objective"), [(1, "g"), (2, "f"), (3, "g")])
def test_a_few_thousand_points(method, d, objective):
    rng = np.random.default_rng(d)
    X, y = rng.normal(size=(2000, 3)), rng.integers(0, 8, 2000)
    weights = rng.uniform(0.0, 2.0, len(X))
    for scale in (0.5, 4.0, 40.0) if d < 3 or method == "truncated" else (0.3, 1.5):
        A = np.eye(d, 3) * scale
        quick = assert_agrees(X, y, A, method, objective, sample_weight=weights, regularisation=0.1)
        if scale < 30:
            assert quick.summation == method


def sorted_by_class(X, y):
    order = np.argsort(y, kind="stable")
    return np.ascontiguousarray(X[order].T), Classes.of(y[order])


@pytest.mark.parametrize("objective", ["f", "g"])
def test_many_classes_in_a_crowd_are_left_to_the_grid(objective):
    """What an error of Z does to Σ p goes with p: where every p is small, no point needs to be done singly for it."""
    rng = np.random.default_rng(2)
    X, y = rng.normal(size=(4000, 2)), rng.integers(0, 200, 4000)
    assert assert_agrees(X, y, np.eye(2), "spectral", objective).summation == "spectral"
    assert summed_by("spectral", *sorted_by_class(X, y), objective == "g").n_exact < 200


def test_two_astray_do_not_make_all_others_be_done_singly():
    """log p is nearly 0 for all but two points, whose own logs are huge."""
    rng = np.random.default_rng(3)
    X, y = rng.normal(size=(4000, 2)), np.repeat([0, 1], 2000)
    X[2000:] += 300.0
    X[:1], X[-1:] = X[-1:].copy(), X[:1].copy()
    assert assert_agrees(X, y, np.eye(2), "spectral", "g").objective < -1e5
    assert summed_by("spectral", *sorted_by_class(X, y)).n_exact < 200


@pytest.mark.parametrize("method", ["dense", *QUICK])
def test_many_small_classes_far_from_their_mates_need_no_tree_each(method, monkeypatch):
    rng = np.random.default_rng(6)
    X, y = rng.normal(size=(1200, 2)), np.arange(1200) % 600
    X[600:] += 40.0  # everybody's one mate is in the other half
    made, of = [], Tree.of
    monkeypatch.setattr(Tree, "of", staticmethod(lambda *given: made.append(1) or of(*given)))
    quick = summed_by(method, *sorted_by_class(X, y))
    assert len(made) <= 2
    Y = sorted_by_class(X, y)[0]
    distance = ((Y[:, 0::2] - Y[:, 1::2]) ** 2).sum(axis=0)  # of each pair of mates
    np.testing.assert_allclose(quick.sums.log_s, np.repeat(-distance, 2), rtol=1e-12)
    ones = np.ones(1200)
    step = np.repeat(-2.0 * 2.0 * (Y[:, 0::2] - Y[:, 1::2]), 2, axis=1) * np.tile([1.0, -1.0], 600)
    np.testing.assert_allclose(quick.gradient(ones, 0.0 * ones), step, rtol=1e-9, atol=1e-9)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("d", [1, 2, 3])
@pytest.mark.parametrize("far", [1e19, 1e40])
def test_a_point_so_far_away_that_its_box_has_no_number(d, far):
    rng = np.random.default_rng(4)
    Y, classes = sorted_by_class(rng.normal(size=(2000, d)), np.arange(2000) % 3)
    Y[0, 7] = far
    exact, quick = summed_by("dense", Y, classes), summed_by("spectral", Y, classes)
    np.testing.assert_allclose(quick.sums.log_p, exact.sums.log_p, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(quick.sums.entropy, exact.sums.entropy, atol=1e-7)
    assert quick.n_exact < 1000 or quick.name != "spectral"


@pytest.mark.parametrize("d", [2, 3])
@pytest.mark.parametrize("objective", ["f", "g"])
def test_stray_points_and_several_islands(d, objective, monkeypatch):
    """A box around all would be mostly empty: islands have boxes of their own, stray points are done singly."""
    monkeypatch.setattr(spectral, "_PAIR", dict.fromkeys((1, 2, 3), 1e9))  # grids even for so few points
    rng = np.random.default_rng(4)
    X = np.concatenate([rng.normal(size=(1100, d)), rng.normal(size=(1100, d)) + 300.0, rng.normal(size=(40, d)) * 900])
    y = rng.integers(0, 4, len(X))
    groups = Groups.of(*sorted_by_class(X, y))
    assert len([group for group in groups.together if not group.of_one_class]) == 2
    assert 30 <= np.count_nonzero(groups.outside) <= 40
    assert all(group.places > 0 for group in groups.together)
    quick = assert_agrees(X, y, np.eye(d), "spectral", objective)
    assert quick.summation == "spectral"


def test_dense_takes_over_where_the_others_cannot_go():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(50, 6)), rng.integers(0, 3, 50)
    assert Evaluator(X, y, summation="spectral").evaluate(np.eye(4, 6)).summation == "dense"
    assert Evaluator(X, y, summation="truncated").evaluate(np.eye(2, 6) * 1e120).summation == "dense"


def test_truncated_takes_over_from_a_grid_that_would_be_too_large():
    line = np.linspace(0, 2e4, 30_000)
    Y = np.stack([line, line[::-1]])  # one island, across a square that is empty but for its diagonal
    classes = Classes.of(np.sort(np.arange(30_000) % 3))
    assert summed_by("spectral", Y, classes).name == "truncated"


@pytest.mark.parametrize("d", [1, 3, 12])
@pytest.mark.parametrize("spread", [0.0, 1e-8, 9e-4])
def test_points_almost_in_one_place_are_summed_by_moments(d, spread):
    rng = np.random.default_rng(d)
    X, y = rng.uniform(1.0, 3.0, (1_500, d)), rng.integers(-1, 4, 1_500)
    A = spread * np.eye(d) / (2.0 * d**0.5)
    assert isinstance(summed_by("auto", *sorted_by_class(X @ A, y)), Collapsed)
    quick = assert_agrees(X, y, A, "auto")
    exact = Evaluator(X, y, summation="dense").evaluate(A).gradient
    error = np.linalg.norm(quick.gradient - exact)
    assert error <= 1e-8 * np.linalg.norm(exact) if spread else not quick.gradient.any()


@pytest.mark.parametrize("most", [16e6, 5_000.0])
def test_strays_around_very_many_points_leave_these_to_the_grid(monkeypatch, most):
    """Of more than four million points a box may be too large for a grid and yet have few places for each of them."""
    monkeypatch.setattr(spectral, "_MOST_PLACES", most)
    rng = np.random.default_rng(0)
    X = np.concatenate(
        [0.3 * rng.normal(size=(4_000, 2)), [[-14.0, -14.0], [-14.0, 14.0], [14.0, -14.0], [14.0, 14.0]]]
    )
    y = rng.integers(0, 3, len(X))
    Y, classes = sorted_by_class(X, y)
    assert 5_000.0 < Group.of(Y, slice(None), False).places < 4.0 * len(X)
    groups = Groups.of(Y, classes)
    assert groups.fit
    # Strays are apart where the box around all would be too large.
    assert np.count_nonzero(groups.outside) == (4 if most == 5_000.0 else 0)
    assert assert_agrees(X, y, np.eye(2), "spectral").summation == "spectral"


def test_the_choice_follows_the_crowd():
    rng = np.random.default_rng(0)
    classes = Classes.of(np.sort(rng.integers(0, 10, 60_000)))
    points = rng.normal(size=(2, 60_000))
    assert quickest(points[:, :500], Classes.of(np.zeros(500, dtype=np.int64)))[0] == "dense"
    crowd = 0.05 * points[:, :2_500]
    for n, method in ((1_900, "dense"), (2_500, "spectral")):  # grids only where they are worth compiling
        assert quickest(crowd[:, :n], Classes.of(np.zeros(n, dtype=np.int64)))[0] == method
    assert quickest(points * 100.0, classes)[0] == "truncated"
    assert quickest(points * 2.0, classes)[0] == "spectral"
    assert set(estimated_costs(points, classes)[0]) == set(SUMMATION_METHODS)


@pytest.mark.parametrize(("d", "n", "prohibitive"), [(11, 100_000, False), (11, 100_001, True), (3, 100_001, False)])
def test_exact_sums_are_paid_for_up_to_100_000_points_in_many_components(d, n, prohibitive):
    Y = np.random.default_rng(0).normal(size=(d, n))
    assert is_prohibitive(Y, Classes.of(np.zeros(n, dtype=np.int64))) == prohibitive


def test_no_labels_at_all():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(1500, 3)), np.full(1500, UNLABELLED)
    for method in ("auto", *SUMMATION_METHODS):
        at = Evaluator(X, y, summation=method).evaluate(np.eye(2, 3))
        assert at.objective == 0.0
        assert not at.p.any()
        assert not at.gradient.any()


@pytest.mark.parametrize(("d", "scale"), [(1, 1.0), (1, 10.0), (2, 1.0)])
def test_a_thousand_small_classes_are_not_left_to_the_grid(d, scale):
    """Each class is a group of its own, and handing it to a thread takes longer than its pairs."""
    rng = np.random.default_rng(0)
    Y, classes = rng.normal(size=(d, 2500)) * scale, Classes.of(np.sort(np.arange(2500) % 1000))
    assert quickest(Y, classes)[0] != "spectral"


@pytest.mark.parametrize(
    ("n", "k", "method"), [(1_000, 3, "truncated"), (1_000, 60, "dense"), (20_000, 35, "truncated")]
)
def test_starts_and_large_grids_have_their_price(n, k, method):
    """Among ten classes in a square, where a wrong price chose what took 1.6 to 1.9 times as long."""
    rng = np.random.default_rng(0)
    Y = rng.uniform(0, np.sqrt(n * np.pi * np.e / k), (2, n))
    assert quickest(Y, Classes.of(np.sort(rng.integers(0, 10, n))))[0] == method


@pytest.mark.parametrize(("d", "objective"), [(2, "f"), (3, "g")])
def test_heavy_tails_are_cut_into_tiles(d, objective, monkeypatch):
    """One island whose box is mostly empty: the crowd in the middle has a grid, the arms go by near pairs."""
    monkeypatch.setattr(spectral, "_LEAF_PAIR", {2: 20.0, 3: 30.0})  # as among many more points
    rng = np.random.default_rng(0)
    X, y = rng.standard_cauchy(size=(6_000, d)), rng.integers(0, 6, 6_000)
    groups = Groups.of(*sorted_by_class(X, y))
    assert 0 < np.count_nonzero(groups.sparse) < 2_000
    assert {isinstance(group.inside, np.ndarray) for group in groups.together} >= {True}
    assert sum(group.members.size for group in groups.together if not group.of_one_class) > 4_000
    assert assert_agrees(X, y, np.eye(d), "spectral", objective).summation == "spectral"


@pytest.mark.parametrize("d", [1, 2, 3])
def test_crowded_tiles_feel_their_neighbours_in_other_tiles(d, monkeypatch):
    monkeypatch.setattr(spectral, "_PLACES_A_POINT", 1e-3)
    monkeypatch.setattr(spectral, "_LEAF_POINT", 1e9)  # every tile has a grid
    monkeypatch.setattr(spectral, "_TILE", dict.fromkeys((1, 2, 3), 12.0))
    rng = np.random.default_rng(d)
    X, y = rng.uniform(0, 40, size=(3_000, d)), rng.integers(0, 3, 3_000)
    groups = Groups.of(*sorted_by_class(X, y))
    of_all = [group.members for group in groups.together if not group.of_one_class]
    assert len(of_all) >= 4**d
    np.testing.assert_array_equal(np.sort(np.concatenate(of_all)), np.arange(3_000))
    assert not groups.sparse.any()
    assert assert_agrees(X, y, np.eye(d), "spectral", "g").summation == "spectral"


def test_heavy_tails_are_left_to_the_grid():
    """An evaluation of a million such points took minutes by near pairs, most of them in the crowd."""
    rng = np.random.default_rng(0)
    classes = Classes.of(np.sort(rng.integers(0, 10, 50_000)))
    for d in (1, 2, 3):
        Y = np.ascontiguousarray(rng.standard_cauchy(size=(d, 50_000)))
        costs, groups = estimated_costs(Y, classes)
        assert np.count_nonzero(groups.sparse) < 10_000
        assert sum(Y[:, g.sources].shape[1] for g in groups.together if not g.of_one_class) < 100_000
        assert costs["spectral"] < 0.2 * min(costs["truncated"], costs["dense"])
