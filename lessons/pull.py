"""3. How the gradient pulls and pushes: arrows on the points."""

from __future__ import annotations

import numpy as np

from lessons.base.lesson import OWN_K, F, Lesson, P, Question, Step, press_a_point, train
from lessons.base.material import measured, recipe_of
from nca_core.objectives.evaluator import Evaluator
from study.panel import PanelRecipe

IRIS = recipe_of("iris", PanelRecipe("nca"))
NORMALS = recipe_of("n2d", PanelRecipe("nca"))
ROW = 106  # an iris virginica among iris versicolor
MOST = 40


def forces(Y: np.ndarray, y: np.ndarray) -> np.ndarray:
    """∂f/∂Y of f = Σ p_i at places Y, (n_samples, n_components), with labels y, (n_samples,)."""
    return Evaluator(Y, y).evaluate_places(Y).gradient


def chances_of(Y: np.ndarray, i: int) -> np.ndarray:
    """p_ij of the point i (NCA paper, eq. 1), (n_samples,)."""
    squares = ((Y - Y[i]) ** 2).sum(axis=1)
    squares[i] = np.inf
    weights = np.exp(squares.min() - squares)
    return weights / weights.sum()


def _near() -> dict[str, float]:
    """What part of the arrows' length belongs to the rows that row 107 picks most often."""
    found = measured(IRIS)
    panel, train_rows = found.comparison.panel("nca"), found.comparison.prepared.train
    Y = panel.projected(found.trajectories["nca"].snapshots[0])[train_rows]
    y = panel.y[train_rows]
    i = int(train_rows[:ROW].sum())
    p, same = chances_of(Y, i), y == y[i]
    arrows = 2 * p * np.abs(same - p[same].sum()) * np.linalg.norm(Y - Y[i], axis=1)  # as the formula of the step
    most = np.argsort(-p)[:MOST]
    return {
        "share": float(arrows[most].sum() / arrows.sum()),
        "most": float(MOST),
        "rows": float(len(y) - 1),
    }


def _ended() -> dict[str, float]:
    found = measured(NORMALS)
    panel, rows = found.comparison.panel("nca"), found.comparison.prepared.train
    lengths = []
    for snapshot in (found.trajectories["nca"].snapshots[0], found.trajectories["nca"].snapshots[-1]):
        moves = forces(panel.projected(snapshot)[rows], panel.y[rows])
        lengths.append(float(np.linalg.norm(moves, axis=1).mean()))
    start, end = (found.trajectories["nca"].snapshots[k].gradient_norm for k in (0, -1))
    return {"before": lengths[0], "after": lengths[1], "start": start, "end": end}


PULL = Lesson(
    "pull",
    "How the gradient pulls and pushes",
    "Own class comes nearer, other classes go away, and one matrix has to please all.",
    (
        Step(
            "What one point wants",
            "Row 107 is already selected. Each arrow shows how that neighbour would have to move to raise row 107's "
            "chance pᵢ of being right. **Its own class is pulled nearer. Other classes are pushed away.**",
            IRIS,
            numbers=(P, F, OWN_K),
            anew=True,
            formula="pull",
            draws="pull",
            pin=ROW,
            question=Question(
                "Read the formula. Which neighbours get long arrows?",
                (
                    "Those far away: they have most way to go",
                    "Those that it often picks: pᵢⱼ stands in front",
                    "All the same",
                ),
                1,
                "The {most:.0f} rows that it picks most often have {share:.0%} of the length of all {rows:.0f} arrows. "
                "A point far away has pᵢⱼ near 0 and feels nothing: look for the setosa.",
                _near,
            ),
        ),
        Step(
            "What all points want",
            "Press row 107 again (or Escape) to deselect it: now each arrow adds up the wishes of **all** points. It "
            "is the gradient of f in the place of that point. Then press a point in the middle of its class.",
            IRIS,
            numbers=(P, F, OWN_K),
            anew=True,
            draws="pull",
            task=press_a_point("Press a point of class **setosa**, which lies apart from the others."),
            question=Question(
                "A point in the middle of its class has pᵢ near 1. How strongly does it pull at the others?",
                (
                    "Hardly: there is nothing to gain",
                    "Most of all: it is surest of its class",
                    "As strongly as every other point",
                ),
                0,
                "Own class gets the factor 1 − pᵢ, which is near 0. Other classes get pᵢⱼ, which is near 0 too. So NCA "
                "works for the doubtful points.",
            ),
        ),
        Step(
            "One matrix for all",
            "NCA cannot move points one by one. It can only change A, and then all points move together. So the "
            "gradient in A adds up every arrow times that point's row x.\n\nThese two classes overlap, so not every "
            "wish can come true.",
            NORMALS,
            numbers=(P, F, OWN_K),
            draws="pull",
            task=train("nca", words="Predict, then press **Train**. Afterwards ▶ below the picture plays it again."),
            question=Question(
                "When the training ends, no change of A makes f larger. Are all arrows zero then?",
                ("Yes: the gradient is zero", "No: the wishes remain, but they cancel"),
                1,
                "The average arrow is {after:.2f} long at the end, and it was {before:.2f}. But added up over the rows "
                "they cancel: the gradient in A fell from {start:.1f} to {end:.6f}. Every wish of one point would harm "
                "others.",
                _ended,
            ),
        ),
    ),
)
