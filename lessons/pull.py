"""3. How the gradient pulls and pushes: arrows on the points."""

import numpy as np

from lessons.base.lesson import RIGHT, Measured, finish, lesson_of, press_a_point, question_step, recipe_of
from nca_core.objectives.evaluator import Evaluator
from study.panel import PanelRecipe

IRIS = recipe_of("iris", PanelRecipe("nca"))
NORMALS = recipe_of("n2d", PanelRecipe("nca"))
ROW = 106  # an iris virginica among iris versicolor
MOST = 10


def forces(Y: np.ndarray, y: np.ndarray) -> np.ndarray:
    """∂f/∂Y of f = Σ p_i at places Y, (n_samples, n_components), with labels y, (n_samples,)."""
    return Evaluator(Y, y).evaluate_embedding(Y).gradient


def chances_of(Y: np.ndarray, i: int) -> np.ndarray:
    """p_ij of the point i (NCA paper, eq. 1), (n_samples,)."""
    squares = ((Y - Y[i]) ** 2).sum(axis=1)
    squares[i] = np.inf
    weights = np.exp(squares.min() - squares)
    return weights / weights.sum()


def _arrows(found: Measured) -> dict[str, float]:
    """How long the arrows of row 107 are, 2 p_ij |s_ij − p_i| ‖y_i − y_j‖, and to whom the longest belong."""
    panel, train_rows = found.comparison.panel("nca"), found.comparison.prepared.train
    Y = panel.projected(found.trajectories["nca"].snapshots[0])[train_rows]
    y = panel.y[train_rows]
    i = int(train_rows[:ROW].sum())
    p, same, away = chances_of(Y, i), y == y[i], np.linalg.norm(Y - Y[i], axis=1)
    arrows = 2 * p * np.abs(same - p[same].sum()) * away
    picked, longest = np.argsort(-p)[:MOST], np.argsort(-arrows)[:MOST]
    return {
        "chance": float(p[picked].sum()),
        "length": float(arrows[picked].sum() / arrows.sum()),
        "own": float(same[longest].sum()),
        "distance": float(away[longest].mean()),
        "nearest": float(away[picked].mean()),
        "factor": float(1 - p[same].sum()),
    }


def _steps(found: Measured) -> dict[str, float]:
    """How many points the first step of A moves against their own arrow, and what is left of the arrows at the end."""
    panel, rows = found.comparison.panel("nca"), found.comparison.prepared.train
    snapshots = found.trajectories["nca"].snapshots
    first, last = (forces(panel.projected(snapshots[k])[rows], panel.y[rows]) for k in (0, -1))
    moves = panel.X[rows] @ (first.T @ panel.X[rows]).T  # (n_train, n_components): by the gradient in A
    against = (first * moves).sum(axis=1) < 0
    return {
        "against": float(against.mean()),
        "along": float(1 - against.mean()),
        "before": float(np.linalg.norm(first, axis=1).mean()),
        "after": float(np.linalg.norm(last, axis=1).mean()),
        "start": snapshots[0].gradient_norm,
        "end": snapshots[-1].gradient_norm,
    }


PULL = lesson_of(
    "pull",
    "How the gradient pulls and pushes",
    "read the arrows of the gradient, and say why not every point gets its own way.",
    question_step(
        "What one point wants",
        "Row 107 is already selected. Each arrow shows how that neighbour would have to move to raise row 107's "
        "chance pᵢ of being right. **Its own class is pulled nearer. Other classes are pushed away.**",
        IRIS,
        "Read the formula. Which neighbours get the longest arrows?",
        {
            "The nearest of any class: they are picked most often": "Look close to row 107: arrows of the "
            "other class are short. The ten rows picked most have {chance:.0%} of the chance, {length:.0%} of "
            "the arrow length.",
            "The nearest of its own class: picked, and wanted": RIGHT,
            "Those far away: they have most way to go": "Look for the setosa: they have hardly any arrow, because "
            "their pᵢⱼ is almost 0.",
        },
        "Of the ten longest arrows {own:.0f} belong to its own class, whose factor 1 − pᵢ is {factor:.2f}; "
        "other classes get only pᵢ. They lie {distance:.1f} away on average (the ten nearest of any class "
        "{nearest:.1f}): its own class lies farther off here, and beyond it rows are hardly picked.",
        _arrows,
        anew=True,
        formula="pull",
        draws="pull",
        pin=ROW,
    ),
    question_step(
        "What all points want",
        "Without a selected row (Escape deselects) each arrow adds up the wishes of **all** points. It "
        "is the gradient of f in the place of that point. Press a point in the middle of its class.",
        IRIS,
        "A point in the middle of its class has pᵢ near 1. How strongly does it pull at the others?",
        {
            "Hardly: there is nothing to gain": RIGHT,
            "Most of all: it is surest of its class": "Look: with a setosa selected there are hardly any arrows. "
            "Compare row 107.",
            "As strongly as every other point does": "Look: select a setosa, then a point where two colours mix. "
            "Their arrows differ.",
        },
        "Own class gets the factor 1 − pᵢ, which is near 0. Other classes get pᵢⱼ, which is near 0 too. So NCA "
        "works for the doubtful points.",
        anew=True,
        draws="pull",
        task=press_a_point("Press a point of class **setosa**, which lies apart from the others."),
    ),
    question_step(
        "One matrix for all",
        "NCA cannot move points one by one. It can only change A, and then all points move together. So the "
        "gradient in A adds up every arrow times that point's row x.\n\nThese two classes overlap, so not every "
        "wish can come true.",
        NORMALS,
        "NCA takes its first step. Does every point move in the direction of its arrow?",
        {
            "Yes: the step adds up all arrows": "Look: go to iteration 0 and play. {against:.0%} of the points "
            "leave against their arrow.",
            "No: all move together, some against their own": RIGHT,
            "No: most move against their own": "Look: go to iteration 0 and play. {along:.0%} of the points set "
            "out in the direction of their arrow.",
        },
        "{against:.0%} of the points move against their own arrow. At the end all wishes cancel: the gradient "
        "in A fell from {start:.1f} to nearly 0. Single arrows remain: {after:.2f} long on average "
        "({before:.2f} at the start), and longest where the classes mix.",
        _steps,
        anew=True,
        draws="pull",
        task=finish("nca", words="Predict, then press **Train**. Afterwards ▶ below the picture plays it again."),
    ),
    closing=(
        "An arrow shows how a neighbour would have to move: own class nearer, other classes away.",
        "Doubtful points pull most; a point deep in its class hardly pulls at all.",
        "One matrix moves all points, so wishes are added up, and at the end they cancel.",
    ),
)
