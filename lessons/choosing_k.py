"""10. Choosing K, and a drawing of one's own."""

from __future__ import annotations

import numpy as np

from lessons.base.lesson import Lesson, Question, Step, train
from lessons.base.material import measured, recipe_of
from nca_core.training import nca as training
from study.k_curve import k_curve
from study.panel import PanelRecipe

NCA = recipe_of("n2d", PanelRecipe("nca"))
TAMED = recipe_of(
    "n2d", PanelRecipe("nca", title="λ = 0"), PanelRecipe("nca-2", {"regularisation": 0.1}, title="λ = 0.1")
)
DRAWN = recipe_of("n2d", PanelRecipe("euclidean", title="Your drawing"), PanelRecipe("nca"), held_out=0.0)
MANY = 30


def _curve() -> dict[str, float]:
    found = measured(NCA)
    curve = k_curve(found.comparison, "nca", found.trajectories["nca"].snapshots[-1])
    return {
        "k": found.k("nca"),
        "one": float(curve.held_out[0]),
        "at": float(curve.held_out[curve.k - 1]),
        "many": float(curve.held_out[MANY - 1]),
    }


def _tamed() -> dict[str, float]:
    found = measured(TAMED)
    facts: dict[str, float] = {}
    for end, key in (("", "nca"), ("2", "nca-2")):
        curve = k_curve(found.comparison, key, found.trajectories[key].snapshots[-1])
        facts |= {f"k{end}": found.k(key), f"at{end}": float(curve.held_out[curve.k - 1]), f"rounded{end}": curve.k}
    return facts


def two_bars() -> tuple[np.ndarray, np.ndarray]:
    """Two long bars, one above the other, each a class: places (n_samples, 2) and labels."""
    rng = np.random.default_rng(0)
    y = np.arange(120) % 2
    return np.column_stack([rng.uniform(-1, 1, 120), 0.5 * y + rng.uniform(-0.15, 0.15, 120)]), y


def _bars() -> dict[str, float]:
    X, y = two_bars()
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    A = training.train(X, y, training.TrainingConfig(initialisation="identity")).snapshots[-1].transformation
    return {"ratio": float(np.linalg.norm(A[:, 1]) / np.linalg.norm(A[:, 0]))}


CHOOSING_K = Lesson(
    "k",
    "Choosing K, and your own data",
    "K̂ comes from the training rows; new rows decide whether it is good.",
    (
        Step(
            "Is K̂ the best K?",
            "Two clouds that overlap: near the border no view can be sure. After the training we ask the held-out rows "
            "by a vote of their K nearest training rows, for K = 1, 2, 3, …",
            NCA,
            draws="k",
            task=train("nca", words="Predict, then press **Train** and watch the chart of K."),
            question=Question(
                "NCA ends with a small K̂. Which K classifies held-out rows best here?",
                ("K = 1", "About K̂", "A much larger one, such as 30"),
                2,
                "K̂ is {k:.1f}. The vote is right for {one:.0%} of the held-out rows with K = 1, for {at:.0%} with K̂ "
                "rounded, and for {many:.0%} with K = 30. Where classes overlap, many votes are wiser than few. K̂ was "
                "learned on rows that A was fitted to, so it is too sure of itself.",
                _curve,
            ),
        ),
        Step(
            "Make K̂ honest",
            "Lesson 4 showed how to keep K̂ up: a penalty λ on the size of A.",
            TAMED,
            task=train("nca", "nca-2", words="Predict, then press **Train**."),
            question=Question(
                "With λ = 0.1, what becomes of K̂ and of the vote with that K?",
                ("K̂ falls, the vote gets worse", "K̂ rises, the vote gets better", "Only K̂ changes"),
                1,
                "K̂ rises from {k:.1f} to {k2:.1f}. The vote with K = K̂ is right for {at:.0%} of the held-out rows "
                "without and for {at2:.0%} with the penalty.",
                _tamed,
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
                "drew, A stretched across {ratio:.0f} times as much as along. Is yours the same?",
                _bars,
            ),
        ),
    ),
)
