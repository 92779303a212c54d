"""Leaves of a tree, and its single points, against every pair."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from nca_core.neighbours.base.sums import Classes
from nca_core.neighbours.pairs import tree_kernels
from nca_core.neighbours.pairs.dense import Dense
from nca_core.neighbours.pairs.tree import Tree
from nca_core.neighbours.pairs.truncated import Truncated


def crowds_and_row(d):
    """2,048 points: two crowds, which need not look far, and a row from one to the other, each point of it with its
    nearest neighbours farther off than that. So many fill leaves to the last place: those of the row have a leaf of
    their own, and it is in one half with one of the crowds."""
    rng = np.random.default_rng(d)
    Y = rng.normal(0.0, 0.05, (d, 2048))
    Y[0, 1024:1040] = -6.0 * np.arange(1, 17)
    Y[0, 1040:] -= 6.0 * 17
    codes = rng.integers(0, 3, Y.shape[1])
    order = np.argsort(codes, kind="stable")
    return np.ascontiguousarray(Y[:, order]), Classes.of(codes[order])


@pytest.mark.parametrize("d", [1, 2, 3, 5])
def test_a_dense_point_feels_the_sparse_ones_that_need_it(d):
    Y, classes = crowds_and_row(d)
    near, every = Truncated(Y, classes), Dense(Y, classes)
    for ours, theirs in zip(
        (near.sums.log_z, near.sums.log_p, near.sums.entropy),
        (every.sums.log_z, every.sums.log_p, every.sums.entropy),
        strict=True,
    ):
        assert_allclose(ours, theirs, rtol=1e-9, atol=1e-9)
    weights = np.random.default_rng(0).uniform(0.5, 1.5, Y.shape[1])
    ours, theirs = near.gradient(weights, -weights), every.gradient(weights, -weights)
    assert_allclose(ours, theirs, rtol=1e-8, atol=1e-9 * np.abs(theirs).max())


def test_points_of_low_density_are_not_done_one_by_one():
    """So late trainings stay quick: where K̂ is near 1, most points are as far from each other as these."""
    rng = np.random.default_rng(0)
    Y = np.stack(np.meshgrid(np.arange(60.0), np.arange(60.0))).reshape(2, -1) * 4.0 + rng.uniform(-1, 1, (2, 3600))
    summed = Truncated(Y, Classes.of(np.zeros(3600, dtype=np.int64)))
    assert len(summed._singly) < 36


@pytest.mark.parametrize("n", [1, 2, 23, 25, 49, 97])
def test_few_points(n):
    Y = np.random.default_rng(n).normal(0.0, 3.0, (2, n))
    classes = Classes.of(np.sort(np.arange(n) % 2))
    near, every = Truncated(Y, classes), Dense(Y, classes)
    assert_allclose(near.sums.entropy, every.sums.entropy, rtol=1e-10, atol=1e-12)
    ones = (classes.partners > 0).astype(float)
    assert_allclose(near.gradient(ones, -ones), every.gradient(ones, -ones), rtol=1e-9, atol=1e-12)


def test_few_and_many_rows_are_summed_exactly_by_the_same_compiled_loop():
    rng = np.random.default_rng(0)
    Y, codes = rng.normal(size=(2, 400)) * 30.0, rng.integers(0, 3, 400)
    tree = Tree.of(Y, codes)
    few = tree.row_sums(np.arange(40))  # in one part
    compiled = set(tree_kernels.over_rows.signatures)
    many = tree.row_sums(np.arange(400))  # in several
    assert set(tree_kernels.over_rows.signatures) == compiled
    distances = ((tree.Y[:, :, None] - tree.Y[:, None, :]) ** 2).sum(axis=0)  # (n_samples, n_samples)
    np.fill_diagonal(distances, np.inf)
    nearest = distances.min(axis=1)
    e = np.exp(nearest[:, None] - distances)
    beyond = np.where(e > 0, distances - nearest[:, None], 0.0)
    same = (e * (tree.codes[:, None] == tree.codes)).sum(axis=1)
    for sums in (few, many):
        n = len(sums.nearest)
        assert sums.nearest == pytest.approx(nearest[:n], rel=1e-12)
        assert sums.total == pytest.approx(e.sum(axis=1)[:n], rel=1e-9)
        assert sums.same == pytest.approx(same[:n], rel=1e-9, abs=1e-9)
        assert sums.beyond == pytest.approx((e * beyond).sum(axis=1)[:n], rel=1e-7, abs=1e-9)
