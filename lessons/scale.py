"""4. Why K̂ falls: the size of A, with the scale held."""

from __future__ import annotations

import numpy as np

from lessons.base.lesson import OWN_K, F, K, Lesson, P, Question, Step, hold_the_scale, press_a_point, train
from lessons.base.material import measured, recipe_of
from nca_core.objectives.evaluator import Evaluator
from study.panel import PanelRecipe
from study.recipe import Recipe

NCA = recipe_of("wine", PanelRecipe("nca"))
PENALTIES = recipe_of(
    "wine",
    PanelRecipe("nca", title="λ = 0"),
    PanelRecipe("nca-2", {"regularisation": 0.1}, title="λ = 0.1"),
    PanelRecipe("nca-3", {"regularisation": 1.0}, title="λ = 1"),
)


def _eight(_: Recipe) -> dict[str, float]:
    """K of a point among eight others, all at the same distance."""
    at = Evaluator(np.eye(9), np.arange(9) % 2).evaluate(np.eye(9))
    return {"k": float(np.exp(at.entropy[0]))}


def _doubled(recipe: Recipe) -> dict[str, float]:
    found = measured(recipe)
    return {
        "k": float(np.exp(found.at("nca", 0).entropy.mean())),
        "k2": float(np.exp(found.at("nca", 0, scale=2.0).entropy.mean())),
        "half": float(np.exp(found.at("nca", 0, scale=0.5).entropy.mean())),
    }


def _grown(recipe: Recipe) -> dict[str, float]:
    found = measured(recipe)
    first, last = (np.linalg.norm(found.trajectories["nca"].snapshots[k].transformation) for k in (0, -1))
    return {"grew": float(last / first), "k0": found.k("nca", 0), "k1": found.k("nca")}


def _penalties(recipe: Recipe) -> dict[str, float]:
    found = measured(recipe)
    keys = {"": "nca", "1": "nca-2", "2": "nca-3"}
    facts = {f"k{end}": found.k(key) for end, key in keys.items()}
    return facts | {f"f{end}": found.f(key) for end, key in keys.items()}


SCALE = Lesson(
    "scale",
    "Why K̂ falls",
    "say what K̂ counts, how the size of A sets it, and what holds it up.",
    (
        Step(
            "How many neighbours count?",
            "A point picks some neighbours often and most hardly ever. How many influence it? The entropy Hᵢ of its "
            "choice tells: it is small when a few neighbours take nearly all the chance, and large when many share it. "
            "exp(Hᵢ) turns it into a number of neighbours, the point's own K.\n\n**K̂ is the typical K of a point**: "
            "exp of the mean of all Hᵢ.",
            NCA,
            numbers=(P, F, OWN_K, K),
            anew=True,
            formula="k",
            task=press_a_point("Press a few points and read *K* beside the title of the picture."),
            question=Question(
                "A point picks among exactly 8 neighbours, each equally often. What is its K?",
                ("1", "8", "1/8"),
                1,
                "The entropy is log 8, so K = exp(log 8) = {k:.0f}. If one neighbour is picked far more often than the "
                "others, K is near 1.",
                _eight,
                (
                    "Look: K is near 1 only where one line is far wider than all the others.",
                    "",
                    "Look: press more points. K is never below 1, since a point always picks someone.",
                ),
            ),
        ),
        Step(
            "The same picture, twice the size",
            "Imagine A multiplied by 2. Every distance doubles. The picture would look the same: it is fitted to its "
            "frame again.\n\nBut pᵢⱼ goes by exp(−distance²), and squared distances are four times as large now.",
            NCA,
            numbers=(P, F, OWN_K, K),
            anew=True,
            formula="p_ij",
            pin=0,
            question=Question(
                "What becomes of K̂ when A is doubled?",
                (
                    "It stays: the picture is the same",
                    "It falls: fewer count when all are farther away",
                    "It doubles, as all distances do",
                ),
                1,
                "At the start of this training K̂ is {k:.1f}. With A doubled it is {k2:.1f}, with A halved {half:.1f}. "
                "The order of the neighbours stays; how much the nearest count changes.",
                _doubled,
                (
                    "Look at the circle: with every distance doubled, only the points of its inner part stay in it.",
                    "",
                    "Look at the circle: a larger A pushes points out of it, so fewer can count.",
                ),
            ),
        ),
        Step(
            "Hold the scale and see A grow",
            "Every picture is fitted to its frame, which hides how A grows. The button **same scale** below it holds "
            "the scale. The bar in its corner shows one unit of length.",
            NCA,
            numbers=(P, F, OWN_K, K),
            anew=True,
            task=hold_the_scale("nca", words="Press **same scale** (below the picture), then **Train**."),
            question=Question(
                "NCA wants every point to pick its own class. What will you see while the scale is held?",
                ("The points fly apart", "The points gather in the middle", "Nothing moves"),
                0,
                "A grew {grew:.1f} times. A larger A makes each point surer of its nearest neighbours, and these are "
                "of its class: f rises, and K̂ falls from {k0:.1f} to {k1:.1f}.",
                _grown,
                (
                    "",
                    "Look: play it again with ▶. The cloud gets wider, not narrower.",
                    "Look: play it again with ▶ while the scale is held. The bar in the corner keeps its length.",
                ),
            ),
        ),
        Step(
            "A penalty on size",
            "A larger A still raises f a little, so A grows and K̂ falls. A penalty λ makes a large A costly. Three "
            "trainings, three penalties.",
            PENALTIES,
            numbers=(P, F, OWN_K, K),
            formula="penalty",
            task=train("nca", "nca-2", "nca-3", words="Predict, then press **Train**: all three train side by side."),
            question=Question(
                "Which one ends with the greatest K̂?",
                ("λ = 0", "λ = 0.1", "λ = 1"),
                2,
                "K̂ is {k:.1f} at λ = 0, {k1:.1f} at λ = 0.1 and {k2:.1f} at λ = 1. The larger the penalty, the "
                "smaller A stays, and the more neighbours count. f/n hardly suffers: {f:.3f}, {f1:.3f} and {f2:.3f}.",
                _penalties,
                (
                    "Look under the first picture: K̂ is {k:.1f}, the smallest of the three.",
                    "Look under the pictures: K̂ is {k1:.1f} in the second and {k2:.1f} in the third.",
                    "",
                ),
            ),
        ),
        Step(
            "Say it yourself",
            "You have seen K̂ fall, and you have held it up. One last question before you go on.",
            PENALTIES,
            numbers=(P, F, OWN_K, K),
            question=Question(
                "What is K̂?",
                (
                    "The number of classes that NCA found",
                    "The K that classifies new rows best",
                    "How many neighbours typically influence a point",
                ),
                2,
                "It is exp of the mean entropy of the training points, set by the size of A. NCA learns it together "
                "with the view, from the training rows alone. Whether it is also a good K for new rows must be tested: "
                "lesson 10.",
                _penalties,
                (
                    "Look: wine has three classes, and K̂ was {k:.1f}, {k1:.1f} and {k2:.1f}.",
                    "Look: three penalties gave three K̂ on the same rows. No new row was asked.",
                    "",
                ),
            ),
        ),
    ),
    (
        "K̂ is the typical number of neighbours that count: exp of the mean entropy.",
        "A larger A leaves the order of the neighbours alone and makes fewer of them count.",
        "A penalty λ keeps A small and so K̂ large, at hardly any cost in f.",
    ),
)
