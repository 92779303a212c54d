"""7. f against g: who cares about outliers."""

import numpy as np

from datasets.noise_lab import NoiseConfig
from lessons.base.lesson import RIGHT, Measured, finish, lesson_of, question_step, recipe_of
from study.panel import PanelRecipe

BOTH = recipe_of(
    "blobs",
    PanelRecipe("nca", title="f: sum of pᵢ"),
    PanelRecipe("nca-2", {"objective": "g"}, title="g: sum of log pᵢ"),
    parameters={"n_classes": 3, "n_features": 4, "n_samples": 600},
    noise=NoiseConfig(flipped_share=0.2),
)
GIVEN_UP = 0.01  # of p_i


def _given_up(found: Measured) -> dict[str, float]:
    """Rows with p_i below GIVEN_UP at the end: all of them, and those whose label is right."""
    ready = found.comparison.prepared
    wrong = (found.comparison.dataset.y != ready.raw.y)[ready.train]
    f, g = (found.evaluate(key, -1).p < GIVEN_UP for key in ("nca", "nca-2"))
    counts = {"n": wrong + True, "wrong": wrong, "wrong_f": f & wrong, "rest_f": f & ~wrong, "lost_g": g}
    return {name: float(rows.sum()) for name, rows in counts.items()}


OUTLIERS = lesson_of(
    "outliers",
    "f or g: who cares about outliers?",
    "choose between the objectives f and g when some labels are wrong.",
    question_step(
        "Two sums",
        "f adds up the chances pᵢ. The paper has a second objective, g, which adds up their **logarithms**. "
        "Maximising g asks for *all* points to be right at once.",
        BOTH,
        "The pᵢ of one point falls from 0.5 to 0.001. Which objective loses more?",
        {
            "f": "Look at the formula: log pᵢ falls without end. In f, pᵢ itself stops at 0.",
            "g": RIGHT,
            "Both lose the same": "Look at the formula: the logarithm makes {g:.1f} of it, where f counts {f:.3f}.",
        },
        "f loses {f:.3f}, and one point can never cost it more than 1. g loses {g:.1f}, and there is no "
        "limit: log pᵢ goes to minus infinity.",
        lambda _: {"f": 0.5 - 0.001, "g": float(np.log(0.5) - np.log(0.001))},
        formula="g",
    ),
    question_step(
        "Wrong labels",
        "In these three clouds one label in five is **wrong** on purpose: an outlier inside another class. Both "
        "trainings start from the same view.",
        BOTH,
        "Which one gives up the mislabelled points, so that their pᵢ is nearly 0?",
        {
            "f gives them up": RIGHT,
            "g gives them up": "Look: press a point among another colour in the picture of g. Its p is small, but "
            "not 0.",
            "Neither: both keep them all": "Look: press points among another colour in the picture of f. The p of "
            "most of them is 0.00.",
        },
        "{wrong:.0f} of the {n:.0f} training rows are mislabelled. f ends with pᵢ below 0.01 for {wrong_f:.0f} "
        "of them, and for {rest_f:.0f} rows whose label is right; g for {lost_g:.0f}. g has to keep some "
        "chance for every row, so each must go on looking at many neighbours: K̂ is {nca-2.k:.1f} with g and "
        "{nca.k:.1f} with f.",
        _given_up,
        task=finish("nca", "nca-2", words="Predict, then press **Train**."),
    ),
    question_step(
        "How many to ask",
        "Held-out rows keep their true labels. By the nearest neighbour both pictures are right about equally "
        "often. Now let as many neighbours vote on each row as K̂ says: one or two with f, many more with g.",
        BOTH,
        "Which vote classifies more held-out rows correctly?",
        {
            "That of f": "Look at K̂ of f: it asks hardly more than one neighbour, whose label may be wrong.",
            "That of g": RIGHT,
            "Both about the same": "Look at K̂ of both: one label in five is wrong, and only one vote asks many.",
        },
        "f: {nca.vote:.0%} of held-out rows. It gave up the hopeless rows and became overconfident about the "
        "others: K̂ is {nca.k:.1f}, so one wrong label decides. g: {nca-2.vote:.0%}, as many neighbours outvote "
        "the wrong labels.",
        task=finish("nca", "nca-2", words="Train if you have not."),
    ),
    closing=(
        "f adds up chances: one hopeless point costs at most 1, so f may give it up.",
        "g adds up logarithms: no point may be given up, so many neighbours must count.",
        "With wrong labels a vote of many neighbours is right more often than the nearest one.",
    ),
)
