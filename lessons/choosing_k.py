"""10. Choosing K, and a drawing of one's own."""

from __future__ import annotations

import numpy as np

from lessons.base.lesson import Lesson, Question, Seen, Step, train
from lessons.base.material import measured, recipe_of
from nca_core.training import nca as training
from study.k_curve import k_curve
from study.panel import PanelRecipe
from study.recipe import Recipe, with_seed

_TWO = {"n_samples": 800}
NCA = with_seed(recipe_of("n2d", PanelRecipe("nca"), parameters=_TWO), 1)
TAMED = with_seed(
    recipe_of(
        "n2d",
        PanelRecipe("nca", title="λ = 0"),
        PanelRecipe("nca-2", {"regularisation": 0.1}, title="λ = 0.1"),
        parameters=_TWO,
    ),
    1,
)
DRAWN = recipe_of("n2d", PanelRecipe("euclidean", title="Your drawing"), PanelRecipe("nca"), held_out=0.0)
MANY = 30


def _curve(recipe: Recipe) -> dict[str, float]:
    found = measured(recipe)
    curve = k_curve(found.comparison, "nca", found.trajectories["nca"].snapshots[-1])
    return {
        "k": found.k("nca"),
        "one": float(curve.held_out[0]),
        "at": float(curve.held_out[curve.k - 1]),
        "many": float(curve.held_out[MANY - 1]),
    }


def _tamed(recipe: Recipe) -> dict[str, float]:
    found = measured(recipe)
    facts: dict[str, float] = {}
    for end, key in (("", "nca"), ("2", "nca-2")):
        k = found.k(key)
        facts |= {f"k{end}": k, f"at{end}": found.accuracies(key, round(k)).held_out_knn}
    return facts


def two_bars(random_state: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Two long bars, one above the other, each a class: places (n_samples, 2) and labels."""
    rng = np.random.default_rng(random_state)
    y = np.arange(120) % 2
    return np.column_stack([rng.uniform(-1, 1, 120), 0.5 * y + rng.uniform(-0.15, 0.15, 120)]), y


def stretch(A: np.ndarray) -> float:
    """How much A stretches the second feature against the first: ‖A e₂‖ / ‖A e₁‖."""
    return float(np.linalg.norm(A[:, 1]) / np.linalg.norm(A[:, 0]))


def _bars(recipe: Recipe) -> dict[str, float]:
    X, y = two_bars(recipe.preparation.random_state)
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    A = training.train(X, y, training.TrainingConfig(initialisation="identity")).snapshots[-1].transformation
    return {"ratio": stretch(A)}


def _own_bars(seen: Seen) -> str:
    A = seen.transformations.get("nca")
    if A is None:
        return "Draw your own and see."
    ratio = stretch(A)
    way, times = ("up and down", ratio) if ratio >= 1 else ("from left to right", 1 / max(ratio, 1e-9))
    return f"Your drawing: A stretched {way} {min(times, 999):.1f} times as much as the other way."


CHOOSING_K = Lesson(
    "k",
    "Choosing K, and your own data",
    "choose K for new rows, keep K̂ honest, and predict what NCA does to a drawing.",
    (
        Step(
            "Is K̂ the best K?",
            "Two clouds that overlap: near the border no view can be sure. After the training we ask the held-out rows "
            "by a vote of their K nearest training rows, for K = 1, 2, 3, …",
            NCA,
            draws="k",
            task=train("nca", words="Predict, then press **Train** and watch the chart of K."),
            question=Question(
                "One neighbour decides, or thirty vote. Which is right on more held-out rows here?",
                ("K = 1", "K = 30", "No difference"),
                1,
                "K̂ is {k:.1f}. The vote is right for {one:.0%} of the held-out rows with K = 1, for {at:.0%} with K̂ "
                "rounded, and for {many:.0%} with K = 30. Where classes overlap, many votes are wiser than one. K̂ was "
                "learned on rows that A was fitted to, so it can be far too small.",
                _curve,
                (
                    "Look at the chart: the curve of the held-out rows is higher at K = 30 than at K = 1.",
                    "",
                    "Look at the chart: the curve of the held-out rows is higher at K = 30 than at K = 1.",
                ),
            ),
        ),
        Step(
            "Make K̂ honest",
            "Lesson 4 showed how to keep K̂ up: a penalty λ on the size of A.",
            TAMED,
            task=train("nca", "nca-2", words="Predict, then press **Train**."),
            question=Question(
                "With λ = 0.1, what becomes of K̂ and of the vote with that K?",
                (
                    "K̂ falls, and the vote gets worse",
                    "K̂ rises, and the vote does not suffer",
                    "K̂ rises, and that costs the vote accuracy",
                ),
                1,
                "K̂ rises from {k:.1f} to {k2:.1f}. The vote with K = K̂ is right for {at:.0%} of the held-out rows "
                "without and for {at2:.0%} with the penalty.",
                _tamed,
                (
                    "Look under the pictures: K̂ is {k2:.1f} with the penalty, {k:.1f} without.",
                    "",
                    "Look: classes overlap alike in both pictures. With more votes {at2:.0%} are right, not fewer.",
                ),
            ),
        ),
        Step(
            "Draw, predict, train",
            "Now you. Paint **two long bars, one above the other**, each in a colour of its own. Press *Use these "
            "points* and then **Train**. Afterwards draw what you like, and predict first.",
            DRAWN,
            draws="board",
            task=train("nca", words="Draw two bars, press **Use these points**, predict, then press **Train**."),
            question=Question(
                "Two bars lie one above the other. Which direction will NCA stretch?",
                ("Along the bars", "Across the bars", "Both the same"),
                1,
                "Along a bar nothing tells the classes apart, so distances there only disturb. On two bars that we "
                "drew, A stretched across {ratio:.1f} times as much as along.",
                _bars,
                (
                    "Look at NCA's picture: the bars lie farther apart, for their length, than on the board.",
                    "",
                    "Look at NCA's picture: the bars lie farther apart, for their length, than on the board.",
                ),
                _own_bars,
            ),
        ),
    ),
    (
        "K̂ is learned on training rows; choose K for new rows on rows that were held out.",
        "A penalty λ keeps K̂ up, so that the vote with it can be trusted.",
        "NCA stretches the directions that part the classes and shrinks the others.",
    ),
)
