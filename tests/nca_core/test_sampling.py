"""The stratified sample keeps the share of each class."""

import numpy as np

from nca_core.features.rows import stratified_sample


def test_a_sample_has_each_class_with_its_share():
    y = np.repeat([0, 1, 2, 3], [700, 250, 49, 1])
    rows = stratified_sample(y, 100, np.random.default_rng(0))
    assert np.bincount(y[rows]).tolist() == [70, 25, 5, 1]
    assert len(np.unique(rows)) == len(rows)
    np.testing.assert_array_equal(stratified_sample(y, 5_000, np.random.default_rng(0)), np.arange(1000))


def test_a_sample_of_more_classes_than_it_can_hold():
    """Two of each would be everybody: 288 s for the best of several on 100,000 points with 50,000 classes."""
    y = np.concatenate([np.repeat(np.arange(3000), 2), np.full(2000, 3000), np.arange(3001, 5001)])
    rows = stratified_sample(y, 100, np.random.default_rng(0))
    assert len(np.unique(rows)) == len(rows) <= 200
    codes, members = np.unique(y[rows], return_counts=True)
    assert members[codes == 3000] == 20  # its share
    assert (members[codes < 3000] == 2).all()
    assert codes.max() == 3000  # single members teach nothing
    assert stratified_sample(y, 5_000, np.random.default_rng(0)).size <= 10_000
