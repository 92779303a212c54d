"""The sentences below the stage."""

from __future__ import annotations

import numpy as np

from nca_core.snapshot import Candidate, Snapshot, Trajectory
from pages.views.notes import how_it_was_summed, remarks

A = np.eye(2)


def candidate(name, scale, mean_p):
    return Candidate(name, scale, A, mean_p)


def test_which_start_won_is_said_once_and_of_no_other_start():
    tried = (candidate("pca", 1.0, 0.75), candidate("lda", 3.0, 0.5), candidate("random", 0.1, 0.25))
    won = Trajectory((), starts=tried)
    assert remarks([won, Trajectory(()), won]) == [
        "Best of 3 short runs, by f/n: the training went on from PCA (0.750). The others: LDA × 3 (0.500), random "
        "normal × 0.1 (0.250)."
    ]


def test_the_summation_method_is_named_for_those_who_ask():
    at = Snapshot(4, A, 0.0, 0.5, 0.0, 5.0, 5.0, summation="truncated")
    assert how_it_was_summed(at) == "Summed at iteration 4: truncated: near pairs."
