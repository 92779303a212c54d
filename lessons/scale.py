"""4. Why K̂ falls: the size of A, with the scale held."""

from __future__ import annotations

import numpy as np

from lessons.base.lesson import OWN_K, F, K, Lesson, P, Question, Step, hold_the_scale, press_a_point, train
from lessons.base.material import measured, recipe_of
from nca_core.objectives.evaluator import Evaluator
from study.panel import PanelRecipe

NCA = recipe_of("wine", PanelRecipe("nca"))
PENALTIES = recipe_of(
    "wine",
    PanelRecipe("nca", title="λ = 0"),
    PanelRecipe("nca-2", {"regularisation": 0.1}, title="λ = 0.1"),
    PanelRecipe("nca-3", {"regularisation": 1.0}, title="λ = 1"),
)


def _eight() -> dict[str, float]:
    """K of a point among eight others, all at the same distance."""
    at = Evaluator(np.eye(9), np.arange(9) % 2).evaluate(np.eye(9))
    return {"k": float(np.exp(at.entropy[0]))}


def _doubled() -> dict[str, float]:
    found = measured(NCA)
    return {
        "k": float(np.exp(found.at("nca", 0).entropy.mean())),
        "k2": float(np.exp(found.at("nca", 0, scale=2.0).entropy.mean())),
        "half": float(np.exp(found.at("nca", 0, scale=0.5).entropy.mean())),
    }


def _grown() -> dict[str, float]:
    found = measured(NCA)
    first, last = (np.linalg.norm(found.trajectories["nca"].snapshots[k].transformation) for k in (0, -1))
    return {"grew": float(last / first), "k0": found.k("nca", 0), "k1": found.k("nca")}


def _penalties() -> dict[str, float]:
    found = measured(PENALTIES)
    keys = {"": "nca", "1": "nca-2", "2": "nca-3"}
    facts = {f"k{end}": found.k(key) for end, key in keys.items()}
    return facts | {f"f{end}": found.f(key) for end, key in keys.items()}


SCALE = Lesson(
    "scale",
    "Why K̂ falls",
    "What K̂ is, and how the size of A sets the number of neighbours that count.",
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
            question=Question(
                "What becomes of K̂ when A is doubled?",
                ("It stays: the picture is the same", "It falls: only the very nearest still count", "It doubles"),
                1,
                "At the start of this training K̂ is {k:.1f}. With A doubled it is {k2:.1f}, with A halved {half:.1f}. "
                "The order of the neighbours stays; how much the nearest count changes.",
                _doubled,
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
            ),
        ),
        Step(
            "A penalty on size",
            "On classes that can be separated, A may grow for ever: f creeps up and K̂ runs down to 1. A penalty λ "
            "makes a large A costly. Three trainings, three penalties.",
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
                    "The K that is best for new rows",
                    "The number of neighbours a point effectively looks at, set by the size of A",
                ),
                2,
                "It is exp of the mean entropy of the training points. NCA learns it together with the view, from the "
                "training rows alone. Whether it is also a good K for new rows must be tested: lesson 10.",
            ),
        ),
    ),
)
