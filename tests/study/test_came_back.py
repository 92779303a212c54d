"""Whether a training came back to where it was before a hand moved A."""

from __future__ import annotations

import numpy as np
import pytest

from nca_core.snapshot import Snapshot
from study.came_back import came_back

A = np.array([[1.0, 0, 0], [0, 2, 0]])
B = np.array([[0.0, 0, 1], [0, 2, 0]])
TURNED = np.array([[0.0, 1], [-1, 0]]) @ A


def at(p, matrix, iteration=0):
    return Snapshot(iteration, matrix, p, p, 0.0, 2.0, 2.0)


@pytest.mark.parametrize(
    ("now", "ended", "end"),
    [
        (at(0.6, A, 3), False, "you moved it to 0.500, and it is climbing: 0.600 at iteration 3."),
        (at(0.901, 5 * TURNED), True, "climbed to 0.901: it came back to the same view (Procrustes distance 0.00)."),
        (at(0.9, B), True, "to another view that is about as good (Procrustes distance 0.63)."),
        (at(0.95, B), True, "to another view, which is better (Procrustes distance 0.63)."),
        (at(0.8, TURNED), True, "to nearly the same view, which is worse (Procrustes distance 0.00)."),
    ],
    ids=["climbing", "back", "another", "better", "worse"],
)
def test_the_sentence_says_what_became_of_it(now, ended, end):
    said = came_back("NCA", at(0.9, A), at(0.5, B), now, ended)
    assert said.startswith("NCA was at f/n = 0.900; you moved it to 0.500, and it")
    assert said.endswith(end)
