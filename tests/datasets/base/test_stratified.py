"""Each class gets its share, every row can be drawn, none twice."""

import numpy as np
import pytest

from datasets.base.stratified import stratified_rows

Y = np.repeat([-1, 0, 1, 2], [7, 101, 13, 379])


@pytest.mark.parametrize("count", [1, 2, 17, 250, 499, 500])
def test_each_class_gets_its_share(count):
    shuffled = np.random.default_rng(3).permutation(Y)
    rows = stratified_rows(shuffled, count, np.random.default_rng(0))
    assert len(rows) == count
    assert (np.diff(rows) > 0).all()
    for code, size in zip(*np.unique(Y, return_counts=True), strict=True):
        assert abs(np.sum(shuffled[rows] == code) - size * count / len(Y)) < 1


def test_every_row_is_drawn_about_equally_often():
    drawn = np.concatenate([stratified_rows(Y, 100, np.random.default_rng(seed)) for seed in range(400)])
    often = np.bincount(drawn, minlength=len(Y)) / 400
    assert np.abs(often - 0.2).max() < 0.1
