"""Matrix products and trees in many dimensions, against every pair in long double."""

import numpy as np
import pytest

from nca_core.features import rows as feature_rows
from nca_core.neighbours.base.sums import Classes
from nca_core.neighbours.choose import summed_by
from nca_core.neighbours.pairs import dense_queries, product_kernels, products
from nca_core.neighbours.pairs.dense import Dense, PlainDense
from nca_core.neighbours.pairs.dense_queries import DenseQueries
from nca_core.neighbours.pairs.products import Products
from nca_core.neighbours.pairs.tree import Tree
from nca_core.neighbours.pairs.truncated import Truncated, estimated_share
from nca_core.objectives.evaluator import Evaluator


def by_hand(Y, classes, d_log_s, d_log_z):
    """(log Z, log p, entropy, ∂F/∂Y) in long double, each row with its own nearest distance out of the exponent."""
    P = Y.T.astype(np.longdouble)
    n = len(P)
    same = (np.arange(n) >= classes.start[:, None]) & (np.arange(n) < classes.end[:, None])
    log_z, log_p, entropy = (np.zeros(n, dtype=np.longdouble) for _ in range(3))
    gradient = np.zeros_like(P)
    for i in range(n):
        step = P - P[i]
        x = (step**2).sum(axis=1)
        others = np.arange(n) != i
        mates = others & same[i]
        w = np.where(others, np.exp(np.minimum(x[others].min() - x, 0)), 0)
        q = w / w.sum()
        log_z[i] = np.log(w.sum()) - x[others].min()
        beyond = np.where(others, x - x[others].min(), 0)
        entropy[i] = np.log(w.sum()) + (q * beyond).sum()
        r = np.zeros(n, dtype=np.longdouble)
        log_p[i] = -np.inf
        if mates.any():
            near = x[mates].min()
            m = np.where(mates, np.exp(np.minimum(near - x, 0)), 0)
            r = m / m.sum()
            log_p[i] = np.log(m.sum()) - near - log_z[i]
        force = (d_log_s[i] * r + d_log_z[i] * q)[:, None] * step
        gradient[i] += 2 * force.sum(axis=0)
        gradient -= 2 * force
    return log_z, log_p, entropy, gradient.T


def assert_right(summation, Y, classes, rng, tolerance=1e-8):
    n = Y.shape[1]
    d_log_s, d_log_z = rng.uniform(0, 1, n), rng.uniform(-1, 0, n)
    d_log_s[classes.partners == 0] = 0.0
    log_z, log_p, entropy, gradient = by_hand(Y, classes, d_log_s, d_log_z)
    np.testing.assert_allclose(summation.sums.log_z, log_z.astype(float), rtol=1e-12, atol=tolerance)
    np.testing.assert_allclose(summation.sums.log_p, log_p.astype(float), rtol=1e-11, atol=tolerance)
    np.testing.assert_allclose(summation.sums.entropy, entropy.astype(float), rtol=tolerance, atol=tolerance)
    found = summation.gradient(d_log_s, d_log_z)
    error = float(np.abs(found - gradient).max())
    # Σ_j f_ij y_j − y_i Σ_j f_ij is known to the last bits of its terms, where products are trusted.
    terms = 1e-14 * min(float(np.abs(Y).max()), 1e3)
    assert error <= 1e-7 * float(np.abs(gradient).max()) + terms, error


def sorted_classes(rng, n, n_classes=4):
    codes = np.sort(rng.integers(0, n_classes, n) ** 2 % n_classes)
    codes[: n // 10] = -1  # unlabelled
    return Classes.of(codes)


def crowd(rng, d, n):
    return rng.normal(size=(d, n))


def islands_far_out(rng, d, n):
    """Near pairs far from the origin, where products cancel."""
    return rng.normal(size=(d, n)) * 0.4 + rng.normal(size=(d, 5))[:, rng.integers(0, 5, n)] * 3e5


def one_huge(rng, d, n):
    Y = rng.normal(size=(d, n))
    Y[:, 3] = 1e12
    return Y


def few_far_out(rng, d, n):
    """Near pairs far from the origin, beside many near it."""
    Y = rng.normal(size=(d, n))
    Y[:, : n // 15] = 0.4 * Y[:, : n // 15] + 3e5
    return Y


def duplicates(rng, d, n):
    return rng.normal(size=(d, 20))[:, rng.integers(0, 20, n)] * 50


def isolated(rng, d, n):
    return rng.normal(size=(d, n)) * np.where(np.arange(n) % 5 == 0, 40.0, 0.5)


LAYOUTS = [crowd, islands_far_out, few_far_out, one_huge, duplicates, isolated]
# The coordinates themselves end at their last bit: islands 3e5 away know distances to 1e-10 of them.
TOLERANCE = dict.fromkeys((islands_far_out, few_far_out, one_huge), 1e-7)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize(("d", "n", "kept"), [(16, 300, True), (60, 290, False), (60, 290, True)])
def test_many_dimensions_against_every_pair(layout, d, n, kept, monkeypatch):
    if not kept:
        monkeypatch.setattr(products, "_KEPT_CELLS", 0)
    else:
        monkeypatch.setattr(products, "_KEPT_FROM", 1)
    monkeypatch.setattr(products, "_WORK_FOR_A_THREAD", 200_000)  # several parts
    rng = np.random.default_rng(d)
    classes = sorted_classes(rng, n)
    Y = layout(rng, d, n)
    found = summed_by("auto", Y, classes)
    assert isinstance(found, Dense if layout is islands_far_out else Products)
    assert_right(found, Y, classes, rng, TOLERANCE.get(layout, 1e-8))


@pytest.mark.parametrize("scale", [0.3, 3.0, 6.0, 9.0, 12.0, 30.0])
def test_rows_that_all_underflow_and_rows_that_do_not(scale):
    rng = np.random.default_rng(1)
    Y, classes = rng.normal(size=(20, 250)) * scale, sorted_classes(rng, 250)
    Y[:, 7] = Y[:, 8] + 0.1  # a near pair among them
    assert_right(Products(Y, classes), Y, classes, rng)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("d", [1, 3, 30])
@pytest.mark.parametrize("n", [2, 105])
def test_plain_numpy_for_few_points(layout, d, n):
    rng = np.random.default_rng(d)
    Y = layout(rng, d, max(n, 5))[:, :n]
    classes = sorted_classes(rng, n)
    assert_right(PlainDense(Y, classes), Y, classes, rng, TOLERANCE.get(layout, 1e-8))
    assert isinstance(summed_by("auto", Y, classes), PlainDense)


@pytest.mark.parametrize("scale", [0.5, 4.9, 5.1, 11.0, 16.0, 19.0, 60.0])
@pytest.mark.parametrize("d", [1, 2, 40])
def test_plain_numpy_where_weights_fade_and_a_class_is_far_away(scale, d):
    """Points whose own class lies beyond what the exponent holds, beside others that are near theirs."""
    rng = np.random.default_rng(3)
    codes = np.sort(np.arange(90) % 3)
    Y = rng.normal(size=(d, 90)) / np.sqrt(d)
    Y[0, codes == 1] += scale
    Y[0, ::9] += scale / 2  # some of each class midway
    Y[0, 7::20] += scale  # and some in the midst of another
    classes = Classes.of(codes)
    assert_right(PlainDense(Y, classes), Y, classes, rng, 1e-9)


@pytest.mark.parametrize("layout", [crowd, isolated, duplicates])
@pytest.mark.parametrize("d", [4, 7, 10])
def test_trees_in_up_to_ten_dimensions(layout, d):
    rng = np.random.default_rng(d)
    Y, classes = layout(rng, d, 300) * 2.0, sorted_classes(rng, 300)
    assert summed_by("truncated", Y, classes).name == "truncated"
    assert_right(summed_by("truncated", Y, classes), Y, classes, rng)


def test_the_choice_in_many_dimensions():
    rng = np.random.default_rng(0)
    n, d = 6000, 8
    codes = np.sort(np.arange(n) % 10)
    classes = Classes.of(codes)
    clusters = rng.normal(size=(d, 10))[:, codes] * 30.0 + rng.normal(size=(d, n)) * 0.5
    assert isinstance(summed_by("auto", clusters, classes), Truncated)
    assert isinstance(summed_by("auto", rng.normal(size=(d, n)) * 3.0, classes), Dense)
    assert isinstance(summed_by("auto", rng.normal(size=(14, n)), classes), Products)
    near, round_cloud = (Tree.of(Y, classes.start) for Y in (clusters, rng.normal(size=(d, n)) * 3.0))
    assert estimated_share(near) < 0.3 < 1.0 < estimated_share(round_cloud)


def test_a_gradient_with_many_rows_is_cut_by_its_rows(monkeypatch):
    rng = np.random.default_rng(4)
    X, y, A = rng.normal(size=(150, 110)), rng.integers(0, 3, 150), rng.normal(size=(100, 110)) * 0.05
    for dtype, tolerance in (("float64", 1e-12), ("float32", 1e-5)):
        monkeypatch.undo()
        whole = Evaluator(X, y, dtype=dtype).evaluate(A).gradient
        monkeypatch.setattr(feature_rows, "_PRODUCTS_FOR_A_THREAD", 1)
        monkeypatch.setattr(feature_rows, "_COMPONENTS_FOR_A_THREAD", 30)
        np.testing.assert_allclose(
            Evaluator(X, y, dtype=dtype).evaluate(A).gradient, whole, atol=tolerance * np.abs(whole).max()
        )


@pytest.mark.parametrize("d", [20, 50])  # weights done again, and kept
@pytest.mark.parametrize("spread", ["near", "far", "clusters", "half far"])
def test_tiles_with_few_forces_and_with_many(d, spread, monkeypatch):
    """Clusters have tiles of both kinds, of which one pulls nothing."""
    few = []
    plain = product_kernels.few_forces
    monkeypatch.setattr(products, "_WORK_FOR_A_THREAD", 4_000_000)  # so that there are several parts
    monkeypatch.setattr(product_kernels, "few_forces", lambda *given: few.append(plain(*given)) or few[-1])
    rng = np.random.default_rng(d)
    classes = sorted_classes(rng, 420)
    Y = 0.5 / np.sqrt(d) * rng.normal(size=(d, 420))
    if spread.startswith("far"):  # each with two beside it, and nothing within a distance of about 20
        Y += 14.0 / np.sqrt(d) * rng.normal(size=(d, 140))[:, np.arange(420) % 140]
    if spread == "half far":
        far = np.arange(420) < 210
        Y[:, far] += 14.0 / np.sqrt(d) * rng.normal(size=(d, 70))[:, np.arange(210) % 70]
        Y[0, ~far] += 40.0
    if spread == "clusters":
        Y[0] += 16.0 * (np.arange(420) // 140)
    summation = Products(Y, classes)
    assert_right(summation, Y, classes, rng)
    assert set(few) == {"near": {False}, "far": {True}}.get(spread, {True, False})


def test_few_forces_are_told_from_many_and_added_one_by_one():
    rng = np.random.default_rng(0)
    points, block = rng.normal(size=(50, 3)), np.zeros((20, 25))
    block[2, 3], block[19, 24], block[7, 0] = 1.5, -2.0, 1e-21
    by_hand = np.zeros((50, 3))
    for i, j, force in ((2, 28, 1.5), (19, 49, -2.0)):
        by_hand[i] += force * points[j]
        by_hand[j] += force * points[i]
    found = np.zeros((50, 3))
    assert product_kernels.few_forces(block, 1e-20)
    product_kernels.pull_singly(block, points, 0, 25, 1e-20, found)
    np.testing.assert_allclose(found, by_hand, rtol=1e-15)
    assert not product_kernels.few_forces(rng.normal(size=(20, 25)), 1e-20)


def test_forces_are_few_only_beside_what_they_come_to():
    """Where points are all but sure of their class, forces are tiny beside p_i, and yet all there is."""
    rng = np.random.default_rng(0)
    classes = Classes.of(np.repeat([0, 1], 150))
    Y = 0.1 * rng.normal(size=(20, 300))
    Y[0, 150:] += 7.2  # mates at about 0.2, the others at 52
    p = np.exp(Products(Y, classes).sums.log_p)
    *_, gradient = by_hand(Y, classes, p, -p)
    assert 0 < np.abs(gradient).max() < 1e-18
    np.testing.assert_allclose(Products(Y, classes).gradient(p, -p), gradient.astype(float), rtol=0, atol=1e-6 * 1e-18)


def lattice(rng, d, n):
    """Nearest points at a distance whose weight single precision holds with a few bits only."""
    return 9.9 * rng.integers(0, 3, (d, n)) + 0.01 * rng.normal(size=(d, n))


@pytest.mark.parametrize("layout", [*LAYOUTS, lattice])
@pytest.mark.parametrize("scale", [0.3, 1.0, 2.5, 30.0])
@pytest.mark.parametrize(("most_in_double", "tolerance"), [(340, 1e-9), (339, 1e-4)])
def test_batches_of_rows_by_products_in_double_and_in_single_precision(
    layout, scale, most_in_double, tolerance, monkeypatch
):
    """p_i and H_i within 1e-4 in single precision, also of rows that fade or lie far out."""
    monkeypatch.setattr(dense_queries, "MOST_IN_DOUBLE", most_in_double)
    monkeypatch.setattr(dense_queries, "_COLUMNS_FOR_A_THREAD", 70)  # several parts, of several tiles
    monkeypatch.setattr(dense_queries, "_TILE_CELLS", 1)
    rng = np.random.default_rng(0)
    classes, rows = sorted_classes(rng, 340), np.sort(rng.choice(340, 90, replace=False))
    Y = layout(rng, 6, 340) * scale
    d_log_s, d_log_z = np.zeros(340), np.zeros(340)
    d_log_s[rows], d_log_z[rows] = rng.uniform(0, 1, 90), rng.uniform(-1, 0, 90)
    d_log_s[classes.partners == 0] = 0.0
    if most_in_double < 340:  # only f is estimated, whose derivative falls with p_i
        d_log_s[rows] *= np.exp(by_hand(Y, classes, d_log_s, d_log_z)[1][rows].astype(float))
    _, log_p, entropy, gradient = by_hand(Y, classes, d_log_s, d_log_z)
    found = DenseQueries(Y, classes, rows)
    tolerance = max(tolerance, TOLERANCE.get(layout, 0.0))
    np.testing.assert_allclose(np.exp(found.sums.log_p), np.exp(log_p[rows]).astype(float), atol=tolerance)
    np.testing.assert_allclose(found.sums.entropy, entropy[rows].astype(float), atol=tolerance)
    error = np.abs(found.gradient(d_log_s[rows], d_log_z[rows]) - gradient.astype(float)).max()
    # Σ_j f_ij y_j − y_i Σ_j f_ij is known to the last bits of its terms.
    assert error <= tolerance * np.abs(gradient).max() + 1e-3 * tolerance * min(np.abs(Y).max(), 1e3)
