"""Single points against a tree: exact sums, from loops that are compiled once for any number of points."""

from __future__ import annotations

import numpy as np
import pytest

from nca_core.neighbours.pairs import row_kernels
from nca_core.neighbours.pairs.tree import Tree


def test_few_and_many_rows_are_summed_exactly_by_the_same_compiled_loop():
    rng = np.random.default_rng(0)
    Y, codes = rng.normal(size=(2, 400)) * 30.0, rng.integers(0, 3, 400)
    tree = Tree.of(Y, codes)
    few = tree.row_sums(np.arange(40))  # in one part
    compiled = set(row_kernels.sums_of_rows.signatures)
    many = tree.row_sums(np.arange(400))  # in several
    assert set(row_kernels.sums_of_rows.signatures) == compiled
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
