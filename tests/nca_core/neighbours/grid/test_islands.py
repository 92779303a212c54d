"""Islands are apart, and nothing that touches is parted."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from nca_core.neighbours.grid.field_groups import APART, islands


@pytest.mark.parametrize("d", [1, 2, 3])
@pytest.mark.parametrize("scale", [1.0, 10.0, 100.0, 1e5, 1e90])
def test_points_of_two_islands_are_far_apart(d, scale):
    Y = np.random.default_rng(d).standard_t(1.1, (d, 300)) * scale
    number = islands(Y)
    other = number[:, None] != number[None]
    assert number.min() == 0
    assert len(np.unique(number)) == number.max() + 1
    assert np.all(cdist(Y.T, Y.T)[other] >= APART)


@pytest.mark.parametrize("d", [1, 2, 3])
def test_a_chain_of_near_points_is_one_island_whichever_way_it_runs(d):
    rng = np.random.default_rng(0)
    for _ in range(20):
        direction = rng.normal(size=d)
        steps = np.arange(60) * 0.9 * APART / np.linalg.norm(direction)
        chain = direction[:, None] * steps
        assert islands(chain).max() == 0
        beside = np.concatenate([chain, chain + 1e4], axis=1)
        assert islands(beside).max() == 1
        np.testing.assert_array_equal(islands(beside)[:60], islands(beside)[0])


def test_one_point():
    assert islands(np.zeros((2, 1))).tolist() == [0]
