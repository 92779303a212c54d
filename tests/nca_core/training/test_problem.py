"""What every problem shares: results are kept for the last two iterates, and no more."""

from __future__ import annotations

from contextlib import nullcontext

import numpy as np

from nca_core.training.problem import Problem, Recorder


def _problem() -> Problem:
    return Problem(Recorder(np.zeros((2, 1)), np.zeros(2), nullcontext), 2)


def test_the_last_two_are_not_computed_again():
    computed = []
    problem = _problem()

    def ask(value):
        def compute():
            computed.append(value)
            return 10.0 * value

        assert problem.once(np.array([value]), compute) == 10.0 * value

    for value in (1.0, 2.0, 1.0, 2.0, 3.0, 2.0, 1.0):
        ask(value)
    assert computed == [1.0, 2.0, 3.0, 1.0]


def test_an_array_in_which_an_optimiser_goes_on_is_another_place():
    problem = _problem()
    variables = np.array([1.0, 2.0])
    assert problem.once(variables, lambda: 1.0) == 1.0
    variables[1] = 3.0
    assert problem.once(variables, lambda: 2.0) == 2.0
    assert problem.once(np.array([1.0, 2.0]), lambda: 3.0) == 1.0
    assert problem.once(np.array([[1.0, 3.0]]), lambda: 4.0) == 4.0  # of another shape
