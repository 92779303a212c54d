"""8. When LDA is enough, and when MCML fails."""

import math

from lessons.base.lesson import RIGHT, Measured, finish, lesson_of, question_step, recipe_of
from study.panel import PanelRecipe

CLOUDS = recipe_of(
    "blobs",
    PanelRecipe("lda"),
    PanelRecipe("nca"),
    parameters={"n_classes": 3, "n_features": 4, "n_samples": 800, "spread": 1.5},
)
RINGS = recipe_of("rings", PanelRecipe("mcml"), PanelRecipe("nca"), parameters={"n_classes": 3, "n_samples": 300})


def _clouds(found: Measured) -> dict[str, float]:
    held = int(found.comparison.prepared.held_out.sum())
    variances = [share * (1 - share) for share in (found.panels["lda"].new, found.panels["nca"].new)]
    return {"held": held, "error": 100 * math.sqrt(sum(variances) / held)}


OTHER_METHODS = lesson_of(
    "methods",
    "When is another method enough?",
    "say when LDA is enough, and why MCML fails where NCA does not.",
    question_step(
        "Round clouds",
        "Three classes, each a round cloud of the same size. That is what LDA was made for: **all there is to know "
        "is where the means are.** LDA is solved in one go, without a start and without a climb.",
        CLOUDS,
        "NCA may use everything that LDA uses, and more. Which classifies held-out rows better here?",
        {
            "NCA, clearly: it can use more": "Look under the pictures: NCA's greater number is the one for "
            "training rows.",
            "LDA, clearly: it was made for this": "Look under the pictures: on held-out rows they differ by no "
            "more than chance does.",
            "Neither, beyond chance": RIGHT,
        },
        "The training score of NCA is {nca.right:.0%}, that of LDA {lda.right:.0%}. On {held:.0f} held-out rows "
        "LDA is right for {lda.new:.1%} and NCA for {nca.new:.1%}; chance alone makes a difference of about "
        "{error:.1f} percentage points. When the simple method's picture of the data is true, take it.",
        _clouds,
        task=finish("nca", words="Predict, then press **Train**."),
    ),
    question_step(
        "Each class in one place",
        "MCML is a relative of NCA. It looks for the metric that brings **every pair** of a class together and all "
        "others far away. That has one great merit: there is only one optimum, whatever the start.",
        RINGS,
        "Can a matrix bring all points of a ring to one place, and away from the other rings?",
        {
            "Yes: MCML has one optimum and finds it": "Look at MCML's picture: the rings lie on top of one "
            "another, and K̂ counts nearly all rows.",
            "No: it can only shrink everything, all rings alike": RIGHT,
        },
        "MCML ends with K̂ = {mcml.k:.0f} of {n:.0f} training rows: nearly all of them count. Of held-out rows "
        "{mcml.new:.0%} are right; with NCA {nca.new:.0%}. NCA asks a point only for *some* near neighbours of "
        "its class, and on a ring each point has these (K̂ = {nca.k:.1f}).",
        lambda found: {"n": found.comparison.prepared.train.sum()},
        task=finish("mcml", "nca", words="Predict, then press **Train**."),
    ),
    closing=(
        "Where classes are round clouds of one size, LDA is as good on new rows as NCA.",
        "MCML has a single optimum, but it wants each class in one place; a ring has none.",
        "NCA asks each point for some near neighbours of its class only, so it can follow shapes.",
    ),
)
