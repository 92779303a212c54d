"""4. Why K̂ falls: the size of A, with the scale held."""

import numpy as np

from lessons.base.lesson import RIGHT, finish, hold_the_scale, lesson_of, press_a_point, question_step, recipe_of
from nca_core.accuracy import k_mean_entropy
from nca_core.objectives.evaluator import Evaluator
from study.panel import PanelRecipe

NCA = recipe_of("wine", PanelRecipe("nca"))
PENALTIES = recipe_of(
    "wine",
    PanelRecipe("nca", title="λ = 0"),
    PanelRecipe("nca-2", {"regularisation": 0.1}, title="λ = 0.1"),
    PanelRecipe("nca-3", {"regularisation": 1.0}, title="λ = 1"),
)


SCALE = lesson_of(
    "scale",
    "Why K̂ falls",
    "say what K̂ counts, how the size of A sets it, and what holds it up.",
    question_step(
        "How many neighbours count?",
        "A point picks some neighbours often and most hardly ever. How many influence it? The entropy Hᵢ of its "
        "choice tells: it is small when a few neighbours take nearly all the chance, and large when many share it. "
        "exp(Hᵢ) turns it into a number of neighbours, the point's own K.\n\n**K̂ is the typical K of a point**: "
        "exp of the mean of all Hᵢ.",
        NCA,
        "A point picks among exactly 8 neighbours, each equally often. What is its K?",
        {
            "1": "Look: K is near 1 only where one line is far wider than all the others.",
            "8": RIGHT,
            "1/8": "Look: press more points. K is never below 1, since a point always picks someone.",
        },
        "The entropy is log 8, so K = exp(log 8) = {eight:.0f}. If one neighbour is picked far more often than the "
        "others, K is near 1.",
        # Of a point among eight others, all at the same distance.
        lambda _: {"eight": float(np.exp(Evaluator(np.eye(9), np.arange(9) % 2).evaluate(np.eye(9)).entropy[0]))},
        anew=True,
        formula="k",
        task=press_a_point(
            "Press **Train** and read K̂ above the picture. Then press a few points: *K* beside the title is their own.",
            "nca",
        ),
        explains=("k",),
    ),
    question_step(
        "The same picture, twice the size",
        "Imagine A multiplied by 2. Every distance doubles. The picture would look the same: it is fitted to its "
        "frame again.\n\nBut pᵢⱼ goes by exp(−distance²), and squared distances are four times as large now. "
        "Predict, then move the slider **A ×** below the picture.",
        NCA,
        "What becomes of K̂ when A is doubled?",
        {
            "It stays: the picture is the same": "Look at *K* beside the title while you move **A ×**: it changes, "
            "though the picture does not.",
            "It falls: fewer count when all are farther away": RIGHT,
            "It doubles, as all distances do": "Look at *K* beside the title while you move **A ×**: a larger A "
            "makes it fall.",
        },
        "At the start of this training K̂ is {nca.k0:.1f}. With A doubled it is {doubled:.1f}, with A halved "
        "{halved:.1f}. The order of the neighbours stays; how much the nearest count changes.",
        lambda found: {
            "doubled": k_mean_entropy(found.evaluate("nca", 0, 2.0).entropy),
            "halved": k_mean_entropy(found.evaluate("nca", 0, 0.5).entropy),
        },
        anew=True,
        formula="p_ij",
        pin=0,
        scales=True,
    ),
    question_step(
        "Hold the scale and see A grow",
        "Every picture is fitted to its frame, which hides how A grows. The button **same scale** below it holds "
        "the scale. The bar in its corner shows a length, to compare sizes by.",
        NCA,
        "NCA wants every point to pick its own class. What will you see while the scale is held?",
        {
            "The points fly apart": RIGHT,
            "The points gather in the middle": "Look: play it again with ▶. The cloud gets wider, not narrower.",
            "Nothing moves": "Look: play it again with ▶ while the scale is held. The bar in the corner keeps its "
            "length.",
        },
        "A grew {grew:.1f} times. A larger A makes each point surer of its nearest neighbours, and these are "
        "of its class: f rises, and K̂ falls from {nca.k0:.1f} to {nca.k:.1f}.",
        lambda found: {"grew": float(np.linalg.norm(found.A("nca")) / np.linalg.norm(found.A("nca", 0)))},
        anew=True,
        task=hold_the_scale("nca", words="Press **same scale** (below the picture), then **Train**."),
    ),
    question_step(
        "A penalty on size",
        "A larger A still raises f a little, so A grows and K̂ falls. A penalty λ makes a large A costly. Three "
        "trainings, three penalties.",
        PENALTIES,
        "Which one ends with the greatest K̂?",
        {
            "λ = 0": "Look under the first picture: K̂ is {nca.k:.1f}, the smallest of the three.",
            "λ = 0.1": "Look under the pictures: K̂ is {nca-2.k:.1f} in the second and {nca-3.k:.1f} in the third.",
            "λ = 1": RIGHT,
        },
        "K̂ is {nca.k:.1f} at λ = 0, {nca-2.k:.1f} at λ = 0.1 and {nca-3.k:.1f} at λ = 1. The larger the penalty, "
        "the smaller A stays, and the more neighbours count. f/n hardly suffers: {nca.f:.3f}, {nca-2.f:.3f} and "
        "{nca-3.f:.3f}.",
        formula="penalty",
        task=finish("nca", "nca-2", "nca-3", words="Predict, then press **Train**: all three train side by side."),
    ),
    question_step(
        "What K̂ is",
        "You have seen K̂ fall, and you have kept it from falling. One last question before you go on.",
        PENALTIES,
        "What is K̂?",
        {
            "The number of classes that NCA found": "Look: wine has three classes, and K̂ was {nca.k:.1f}, "
            "{nca-2.k:.1f} and {nca-3.k:.1f}.",
            "The K that classifies new rows best": "Look: three penalties gave three K̂ on the same rows. No new "
            "row was asked.",
            "How many neighbours typically influence a point": RIGHT,
        },
        "It is exp of the mean entropy of the training points, set by the size of A. NCA learns it together "
        "with the view, from the training rows alone. Whether it is also a good K for new rows must be tested: "
        "lesson 10.",
    ),
    closing=(
        "K̂ is the typical number of neighbours that count: exp of the mean entropy.",
        "A larger A leaves the order of the neighbours alone and makes fewer of them count.",
        "A penalty λ keeps A small and so K̂ large, at hardly any cost in f.",
    ),
)
