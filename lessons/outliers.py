"""7. f against g: who cares about outliers."""

from __future__ import annotations

import numpy as np

from datasets.noise_lab import NoiseConfig
from lessons.base.lesson import Lesson, Question, Step, train
from lessons.base.material import measured, recipe_of
from study.panel import PanelRecipe
from study.recipe import Recipe

BOTH = recipe_of(
    "blobs",
    PanelRecipe("nca", title="f: sum of pᵢ"),
    PanelRecipe("nca-2", {"objective": "g"}, title="g: sum of log pᵢ"),
    parameters={"n_classes": 3, "n_features": 4, "n_samples": 600},
    noise=NoiseConfig(flipped_share=0.2),
)
GIVEN_UP = 0.01  # of p_i


def _cost(_: Recipe) -> dict[str, float]:
    return {"f": 0.5 - 0.001, "g": float(np.log(0.5) - np.log(0.001))}


def _both(recipe: Recipe) -> dict[str, float]:
    found = measured(recipe)
    ready = found.comparison.prepared
    wrong = (found.comparison.dataset.y != ready.raw.y)[ready.train]
    facts = {"n": float(len(wrong)), "wrong": float(wrong.sum())}
    for end, key in (("f", "nca"), ("g", "nca-2")):
        p = found.at(key).p
        facts[f"lost_{end}"] = float((p < GIVEN_UP).sum())
        facts[f"wrong_{end}"] = float(((p < GIVEN_UP) & wrong).sum())
        facts[f"rest_{end}"] = facts[f"lost_{end}"] - facts[f"wrong_{end}"]
        facts[f"k_{end}"] = found.k(key)
        facts[f"right_{end}"], facts[f"new_{end}"] = found.right(key), found.right_on_new(key)
    return facts


OUTLIERS = Lesson(
    "outliers",
    "f or g: who cares about outliers?",
    "choose between the objectives f and g when some labels are wrong.",
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
                (
                    "Look at the formula: log pᵢ falls without end. In f, pᵢ itself stops at 0.",
                    "",
                    "Look at the formula: the logarithm makes {g:.1f} of it, where f counts {f:.3f}.",
                ),
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
                ("f gives them up", "g gives them up", "Neither: both keep them all"),
                0,
                "{wrong:.0f} of the {n:.0f} training rows are mislabelled. f ends with pᵢ below 0.01 for {wrong_f:.0f} "
                "of them, and for {rest_f:.0f} rows whose label is right; g for {lost_g:.0f}. g has to keep some "
                "chance for every row, so each must go on looking at many neighbours: K̂ is {k_g:.1f} with g and "
                "{k_f:.1f} with f.",
                _both,
                (
                    "",
                    "Look: press a point among another colour in the picture of g. Its p is small, but not 0.",
                    "Look: press points among another colour in the picture of f. The p of most of them is 0.00.",
                ),
            ),
        ),
        Step(
            "Which to believe",
            "Now compare the two scores of each picture in the charts below: on training rows, and on held-out rows. "
            "One label in five is wrong among the held-out rows, too.",
            BOTH,
            draws="curves",
            task=train("nca", "nca-2", words="Train if you have not."),
            question=Question(
                "Which training score is over-optimistic?",
                ("That of f", "That of g", "Neither of the two"),
                0,
                "f: {right_f:.0%} on training rows, {new_f:.0%} on held-out rows. g: {right_g:.0%} and {new_g:.0%}. f "
                "gave up the hopeless rows and became overconfident about the others. Even the best "
                "rule is right on about 80 % here: the other labels are wrong.",
                _both,
                (
                    "",
                    "Look at the charts of g: its two curves end close together.",
                    "Look at the charts of f: the curve of the training rows ends above that of the held-out rows.",
                ),
            ),
        ),
    ),
    (
        "f adds up chances: one hopeless point costs at most 1, so f may give it up.",
        "g adds up logarithms: no point may be given up, so many neighbours must count.",
        "With wrong labels the training score of f promises more than new rows keep.",
    ),
)
