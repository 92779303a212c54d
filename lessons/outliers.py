"""7. f against g: who cares about outliers."""

from __future__ import annotations

import numpy as np

from datasets.noise_lab import NoiseConfig
from lessons.base.lesson import Lesson, Question, Step, train
from lessons.base.material import measured, recipe_of
from study.panel import PanelRecipe

BOTH = recipe_of(
    "blobs",
    PanelRecipe("nca", title="f: sum of pᵢ"),
    PanelRecipe("nca-2", {"objective": "g"}, title="g: sum of log pᵢ"),
    parameters={"n_classes": 3, "n_features": 4, "n_samples": 200},
    noise=NoiseConfig(flipped_share=0.2),
)
GIVEN_UP = 0.01  # of p_i


def _cost() -> dict[str, float]:
    return {"f": 0.5 - 0.001, "g": float(np.log(0.5) - np.log(0.001))}


def _both() -> dict[str, float]:
    found = measured(BOTH)
    ready = found.comparison.prepared
    wrong = (found.comparison.dataset.y != ready.raw.y)[ready.train]
    facts = {"n": float(len(wrong)), "wrong": float(wrong.sum())}
    for end, key in (("f", "nca"), ("g", "nca-2")):
        p = found.at(key).p
        facts[f"lost_{end}"] = float((p < GIVEN_UP).sum())
        facts[f"wrong_{end}"] = float(((p < GIVEN_UP) & wrong).sum())
        facts[f"k_{end}"] = found.k(key)
        facts[f"right_{end}"], facts[f"new_{end}"] = found.right(key), found.right_on_new(key)
    return facts


OUTLIERS = Lesson(
    "outliers",
    "f or g: who cares about outliers?",
    "f lets hopeless points go; g will not give up a single one.",
    (
        Step(
            "Two sums",
            "f adds up the chances pᵢ. The paper has a second objective, g, which adds up their **logarithms**. "
            "Maximising g asks for *all* points to be right at once.",
            BOTH,
            formula="g",
            question=Question(
                "The pᵢ of one point falls from 0.5 to 0.001. Which objective loses more?",
                ("f", "g", "Both lose the same"),
                1,
                "f loses {f:.3f}, and it can never lose more than 1 by one point. g loses {g:.1f}, and there is no "
                "limit: log pᵢ goes to minus infinity.",
                _cost,
            ),
        ),
        Step(
            "Wrong labels",
            "In these three clouds one label in five is **wrong** on purpose: an outlier inside another class. Both "
            "trainings start from the same view.",
            BOTH,
            task=train("nca", "nca-2", words="Predict, then press **Train**."),
            question=Question(
                "Which one gives up the mislabelled points, so that their pᵢ is nearly 0?",
                ("f gives them up", "g gives them up", "Neither"),
                0,
                "{wrong:.0f} of the {n:.0f} training rows are mislabelled. f ends with pᵢ below 0.01 for {lost_f:.0f} "
                "rows, {wrong_f:.0f} of them mislabelled; g for {lost_g:.0f}. g has to keep some chance for each of "
                "them, so every point must go on looking at many neighbours: K̂ is {k_g:.1f} with g and {k_f:.1f} with "
                "f.",
                _both,
            ),
        ),
        Step(
            "Which to believe",
            "Now compare the two scores of each picture in the charts below: on training rows, and on held-out rows.",
            BOTH,
            draws="curves",
            task=train("nca", "nca-2", words="Train if you have not."),
            question=Question(
                "Which training score is over-optimistic?",
                ("That of f", "That of g", "Neither"),
                0,
                "f: {right_f:.0%} on training rows, {new_f:.0%} on held-out rows. g: {right_g:.0%} and {new_g:.0%}. f "
                "gave up the hopeless rows and became overconfident about the others. On data without outliers the "
                "paper found little difference between the two.",
                _both,
            ),
        ),
    ),
)
