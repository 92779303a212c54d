"""Singular values over a training, against the eigenvalues of AᵀA at every iteration."""

from __future__ import annotations

import numpy as np
import pytest

from nca_core.snapshot import Snapshot, Trajectory
from study.metric_history import metric_history
from study.panel import PanelRecipe
from tests.study.some_data import compared, whole_training


def test_they_are_the_roots_of_the_metric_at_every_iteration():
    trajectory = whole_training(compared(PanelRecipe("nca", {"max_iter": 6})), "nca")
    found = metric_history("NCA", trajectory)
    assert found.iterations.tolist() == [at.iteration for at in trajectory.snapshots]
    assert found.singular_values.shape == (len(trajectory.snapshots), 2)
    for values, norm, at in zip(found.singular_values, found.norms, trajectory.snapshots, strict=True):
        A = at.transformation
        np.testing.assert_allclose(values**2, np.linalg.eigvalsh(A.T @ A)[::-1][:2], rtol=1e-8)
        assert norm == pytest.approx(np.sqrt(np.trace(A.T @ A)))
    assert len(np.unique(found.norms)) > 2


def history(*matrices):
    return metric_history(
        "NCA", Trajectory(tuple(Snapshot(k, np.array(A), objective=0, gradient_norm=0) for k, A in enumerate(matrices)))
    )


@pytest.mark.parametrize(
    ("found", "sentence"),
    [
        (
            history([[1.0, 0], [0, 0]], [[3.0, 0], [0, 4.0]]),
            "NCA: ‖A‖ is 5, 5 times that of the start; its singular "
            "values are 4, 3, so every axis of the picture counts.",
        ),
        (
            history([[10.0, 0], [0, 0.9]]),
            "NCA: ‖A‖ is 10; of its singular values (10, 0.9) only 1 counts: the picture is nearly a line.",
        ),
        (
            history([[10.0, 0, 0], [0, 0.9, 0], [0, 0, 1.1]]),
            "NCA: ‖A‖ is 10.1; of its singular values (10, 1.1, 0.9) only 2 count: the picture is nearly flat.",
        ),
        (history([[0.0, 0], [0, 0]]), "NCA: ‖A‖ is 0; all points fall into one place."),
    ],
    ids=["full", "line", "flat", "nothing"],
)
def test_the_sentence_says_how_it_grew_and_what_counts(found, sentence):
    assert found.sentence == sentence
