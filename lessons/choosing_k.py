"""10. Choosing K, and a drawing of one's own."""

import numpy as np

from lessons.base.lesson import RIGHT, LessonState, Measured, finish, lesson_of, question_step, recipe_of
from nca_core.training import nca as training
from study.measure import projection
from study.panel import PanelRecipe

_TWO = {"n_samples": 800}
NCA = recipe_of("n2d", PanelRecipe("nca"), parameters=_TWO, seed=1)
TAMED = recipe_of(
    "n2d",
    PanelRecipe("nca", title="λ = 0"),
    PanelRecipe("nca-2", {"regularisation": 0.1}, title="λ = 0.1"),
    parameters=_TWO,
    seed=1,
)
DRAWN = recipe_of("n2d", PanelRecipe("euclidean", title="Your drawing"), PanelRecipe("nca"), held_out=0.0)


def two_bars(random_state: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Two long bars, one above the other, each a class: places (n_samples, 2) and labels."""
    rng = np.random.default_rng(random_state)
    y = np.arange(120) % 2
    return np.column_stack([rng.uniform(-1, 1, 120), 0.5 * y + rng.uniform(-0.15, 0.15, 120)]), y


def stretch(A: np.ndarray) -> float:
    """How much A stretches the second feature against the first: ‖A e₂‖ / ‖A e₁‖."""
    return float(np.linalg.norm(A[:, 1]) / np.linalg.norm(A[:, 0]))


def _bars(found: Measured) -> dict[str, float]:
    X, y = two_bars(found.recipe.preparation.random_state)
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    A = training.train(X, y, training.TrainingConfig(initialisation="identity")).snapshots[-1].transformation
    return {"ratio": stretch(A)}


def _own_bars(state: LessonState) -> str:
    A = state.transformations.get("nca")
    if A is None:
        return "Draw your own and see."
    ratio = stretch(A)
    way, times = ("up and down", ratio) if ratio >= 1 else ("from left to right", 1 / max(ratio, 1e-9))
    return f"Your drawing: A stretched {way} {min(times, 999):.1f} times as much as the other way."


CHOOSING_K = lesson_of(
    "k",
    "Choosing K, and your own data",
    "choose K for new rows, keep K̂ honest, and predict what NCA does to a drawing.",
    question_step(
        "Is K̂ the best K?",
        "Two clouds that overlap: near the border no view can be sure. After the training we ask the held-out rows "
        "by a vote of their K nearest training rows, for K = 1, 2, 3, …",
        NCA,
        "One neighbour decides, or thirty vote. Which is right on more held-out rows here?",
        {
            "K = 1": "Look at the chart below: the held-out rows' curve is higher at K = 30 than at K = 1.",
            "K = 30": RIGHT,
            "No difference": "Look at the chart below: the held-out rows' curve is higher at K = 30 than at 1.",
        },
        "K̂ is {nca.k:.1f}. The vote is right for {nca.new:.0%} of the held-out rows with K = 1, for "
        "{nca.vote:.0%} with K̂ rounded, and for {many:.0%} with K = 30. Where classes overlap, many votes are "
        "wiser than one. K̂ was learned on rows that A was fitted to, so it can be far too small.",
        lambda found: {
            "many": projection(found.comparison, "nca", found.snapshot("nca")).accuracies(30)["held_out_knn"]
        },
        draws="k",
        task=finish("nca", words="Predict, then press **Train**."),
    ),
    question_step(
        "Make K̂ honest",
        "Lesson 4 showed how to keep K̂ up: a penalty λ on the size of A.",
        TAMED,
        "With λ = 0.1, what becomes of K̂ and of the vote with that K?",
        {
            "K̂ falls, and the vote gets worse": "Look under the pictures: K̂ is {nca-2.k:.1f} with the penalty, "
            "{nca.k:.1f} without.",
            "K̂ rises, and the vote does not suffer": RIGHT,
            "K̂ rises, and that costs the vote accuracy": "Look: classes overlap alike in both pictures. With "
            "more votes {nca-2.vote:.0%} are right, not fewer.",
        },
        "K̂ rises from {nca.k:.1f} to {nca-2.k:.1f}. The vote with K = K̂ is right for {nca.vote:.0%} of the "
        "held-out rows without and for {nca-2.vote:.0%} with the penalty.",
        task=finish("nca", "nca-2", words="Predict, then press **Train**."),
    ),
    question_step(
        "Draw, predict, train",
        "Now you. Paint **two long bars, one above the other**, each in a colour of its own. Press *Use these "
        "points* and then **Train**. Afterwards draw what you like, and predict first.",
        DRAWN,
        "Two bars lie one above the other. Which direction will NCA stretch?",
        {
            "Along the bars": "Look at NCA's picture: the bars lie farther apart, for their length, than on the board.",
            "Across the bars": RIGHT,
            "Both the same": "Look at NCA's picture: the bars lie farther apart, for their length, than on the board.",
        },
        "Along a bar nothing tells the classes apart, so distances there only disturb. On two bars that we "
        "drew, A stretched across {ratio:.1f} times as much as along.",
        _bars,
        own=_own_bars,
        draws="board",
        task=finish("nca", words="Draw two bars, press **Use these points**, predict, then press **Train**."),
    ),
    closing=(
        "K̂ is learned on training rows; choose K for new rows on rows that were held out.",
        "A penalty λ keeps K̂ up, so that the vote with it can be trusted.",
        "NCA stretches the directions that part the classes and shrinks the others.",
    ),
)
