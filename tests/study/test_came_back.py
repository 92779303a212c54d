"""Whether a training came back to where it was before a hand moved A."""

from __future__ import annotations

import numpy as np
import pytest

from nca_core.snapshot import Snapshot
from study.came_back import came_back

A = np.array([[1.0, 0, 0], [0, 2, 0]])
B = np.array([[0.0, 0, 1], [0, 2, 0]])
X = np.vstack([np.eye(3), -np.eye(3)]) * [1.0, 1.0, 2.0]  # centred; features of unequal spread
TURNED = np.array([[0.0, 1], [-1, 0]]) @ A


AWAY = "turned and scaled onto it, rows lie {}\N{NO-BREAK SPACE}% of its spread away"


def at(p, matrix, iteration=0):
    return Snapshot(iteration, matrix, p, p, 0.0, 2.0, 2.0)


@pytest.mark.parametrize(
    ("now", "ended", "answer", "end"),
    [
        (at(0.6, A, 3), False, "", ", and it is climbing: 0.600 at iteration 3."),
        (at(0.901, 5 * TURNED), True, "Yes: ", f"climbed to 0.901, back to the same view ({AWAY.format(0)})."),
        (at(0.9, B), True, "No: ", f"to another view that is about as good ({AWAY.format(86)})."),
        (at(0.95, B), True, "No: ", f"to another view, which is better ({AWAY.format(86)})."),
        (at(0.8, TURNED), True, "Nearly: ", f"to a view much like it, which is worse ({AWAY.format(0)})."),
    ],
    ids=["climbing", "back", "another", "better", "worse"],
)
def test_the_sentence_says_what_became_of_it(now, ended, answer, end):
    said = came_back("NCA", at(0.9, A), at(0.5, B), now, ended, X + 7)
    assert said.startswith(f"{answer}NCA was at f/n = 0.900; you moved it to 0.500, and it")
    assert said.endswith(end)
