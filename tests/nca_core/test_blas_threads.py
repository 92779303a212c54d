"""Trainings that overlap share one limit on BLAS's threads."""

from __future__ import annotations

import numpy as np
import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from nca_core.neighbours.base.threads import one_blas_thread
from nca_core.training.config import TrainingConfig
from nca_core.training.nca import train


def threads():
    return {pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"}


@pytest.fixture
def three():
    """A number that no test machine has by chance."""
    with threadpool_limits(limits=3, user_api="blas"):
        if threads() != {3}:
            pytest.skip("the number of BLAS threads cannot be set here")
        yield


def test_the_first_to_end_does_not_lift_the_limit_and_the_last_does(three):
    first, second = one_blas_thread(), one_blas_thread()
    first.__enter__()
    second.__enter__()
    assert threads() == {1}
    first.__exit__(None, None, None)
    assert threads() == {1}
    second.__exit__(None, None, None)
    assert threads() == {3}


def test_a_training_limits_and_an_error_in_it_lifts(three):
    rng = np.random.default_rng(0)
    X, y, seen = rng.normal(size=(30, 3)), np.arange(30) % 3, []
    train(X, y, TrainingConfig(max_iter=1), lambda _: seen.append(threads()))
    assert seen[0] == {1}
    assert threads() == {3}
    with pytest.raises(ValueError, match="n_components"):
        train(X, y, TrainingConfig(n_components=9))
    assert threads() == {3}
