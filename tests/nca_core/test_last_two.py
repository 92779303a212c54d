"""The last two results are kept, and no more."""

from __future__ import annotations

import numpy as np

from nca_core.last_two import LastTwo


def test_the_last_two_are_not_computed_again():
    computed = []
    known: LastTwo[float] = LastTwo()

    def ask(value):
        def compute():
            computed.append(value)
            return 10.0 * value

        assert known.at(np.array([value]), compute) == 10.0 * value

    for value in (1.0, 2.0, 1.0, 2.0, 3.0, 2.0, 1.0):
        ask(value)
    assert computed == [1.0, 2.0, 3.0, 1.0]


def test_an_array_in_which_an_optimiser_goes_on_is_another_place():
    known: LastTwo[float] = LastTwo()
    variables = np.array([1.0, 2.0])
    assert known.at(variables, lambda: 1.0) == 1.0
    variables[1] = 3.0
    assert known.at(variables, lambda: 2.0) == 2.0
    assert known.at(np.array([1.0, 2.0]), lambda: 3.0) == 1.0
    assert known.at(np.array([[1.0, 3.0]]), lambda: 4.0) == 4.0  # of another shape
