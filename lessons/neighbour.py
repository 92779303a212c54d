"""2. What p_ij is: one point, its circle, and what NCA adds up."""

import numpy as np

from lessons.base.lesson import RIGHT, Measured, finish, lesson_of, press_a_point, question_step, recipe_of, scrub_to
from nca_core.objectives.evaluator import Evaluator
from study.panel import PanelRecipe

NCA = recipe_of("iris", PanelRecipe("nca"))
ROW = 106  # an iris virginica among iris versicolor


def _ratio(_: Measured) -> dict[str, float]:
    """p_ij / p_ik of a point whose two neighbours lie at squared distances 1 and 2, j of its class and k not."""
    X = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, np.sqrt(2.0)]])
    near = float(Evaluator(X, np.array([0, 0, 1])).evaluate(np.eye(2)).p[0])
    return {"near": near, "far": 1 - near, "ratio": near / (1 - near)}


def _row(found: Measured) -> dict[str, float]:
    """p_i and K of row 107 at the start and at the end."""
    i = int(found.comparison.prepared.train[:ROW].sum())  # its place among the training rows
    p0, p1 = (float(found.evaluate("nca", iteration).p[i]) for iteration in (0, -1))
    k0, k1 = (float(np.exp(found.evaluate("nca", iteration).entropy[i])) for iteration in (0, -1))
    return {"p0": p0, "p1": p1, "k0": k0, "k1": k1, "of_100": 100 * p0}


NEIGHBOUR = lesson_of(
    "neighbour",
    "What pᵢⱼ is",
    "say what NCA maximises: the chance of picking a neighbour of one's own class.",
    question_step(
        "A neighbour, by chance",
        "A nearest-neighbour rule asks the one nearest point. NCA is softer: a point **picks a neighbour at "
        "random**, and near points are picked more often. pᵢⱼ is the chance that point i picks point j.\n\nPress a "
        "point: lines lead to the neighbours that it would pick, each as wide as its chance. The circle holds 90 % "
        "of the chance.",
        NCA,
        "Of two neighbours, j lies at squared distance 1 and k at squared distance 2. How often is j picked, "
        "compared with k?",
        {
            "Equally often": "Look: the lines from a point differ in width. The nearer neighbour gets the wider one.",
            "Twice as often, being half as far": "Look at the formula: the squared distance stands inside exp, so "
            "each unit counts as a factor e.",
            "About 2.7 times as often": RIGHT,
        },
        "exp(−1) / exp(−2) = e ≈ {ratio:.2f}. With only these two neighbours the chances are {near:.2f} and "
        "{far:.2f}. The chance falls fast: at squared distance 10 a point is hardly ever picked.",
        _ratio,
        anew=True,
        formula="p_ij",
        task=press_a_point(),
    ),
    question_step(
        "The chance of being right",
        "pᵢ adds up the chances that lead to point i's **own class**. It is shown as *p* beside the title of the "
        "picture.\n\nRow 107 is already selected: an iris among those of another class. Dashed lines lead to the "
        "other class.",
        NCA,
        "Beside the title of the picture you read p 0.12. What does it mean?",
        {
            "Row 107 lies 0.12 away from its own class": "Look: press another point. p changes with its lines, "
            "and it is never above 1.",
            "About 12 of 100 random picks are right": RIGHT,
            "12 % of its class are among its neighbours": "Look: the dashed lines are many and wide. p adds up "
            "the widths of the others.",
        },
        "pᵢ = {p0:.3f}: about {of_100:.0f} of 100 picks are right. A point deep inside its class has pᵢ near 1.",
        _row,
        anew=True,
        formula="p_i",
        pin=ROW,
        explains=("p",),
    ),
    question_step(
        "What is maximised",
        "Add up the pᵢ of all training points and you have f. **NCA maximises f, and nothing else.** Divided by "
        "the number of points, f/n is the share of points that would be right if each picked a neighbour at "
        "random. No point may pick itself: it is left out. So f/n is a smooth leave-one-out score.",
        NCA,
        "What will NCA change to make f larger?",
        {
            "The labels of doubtful points": "Look: play it again with ▶. No point changes its colour.",
            "The matrix A, and so the whole picture": RIGHT,
            "The places of the points, one after the other": "Look: play it again with ▶. The cloud turns and "
            "stretches as a whole.",
        },
        "Only A changes. f/n rises from {nca.f0:.2f} to {nca.f:.2f}, and row 107's own pᵢ from {p0:.2f} to "
        "{p1:.2f}: in the new view it lies next to points of its own class.",
        _row,
        formula="f_whole",
        pin=ROW,
        task=finish("nca", words="Predict, then press **Train**. Watch row 107 and its p."),
        explains=("f",),
    ),
    question_step(
        "Fewer neighbours count",
        "*K* beside the title is the number of neighbours that influence this point. If it picked among 5 equally "
        "likely neighbours, K would be 5.",
        NCA,
        "At the end of the training far fewer points lie inside the circle than at the start. Why?",
        {
            "A grew: the few nearest take all the chance": RIGHT,
            "NCA removed the points that were too far away": "Look: drag the slider to and fro. All points are "
            "there at both ends.",
            "Only the picture was zoomed: the chances stay as they were": "Look at *K* beside the title: it fell "
            "from {k0:.0f} to {k1:.1f}. A zoom would not change it.",
        },
        "About {k0:.0f} neighbours influenced row 107 at the start, {k1:.1f} at the end. The size of A decides "
        "how many count. Lesson 4 is about that.",
        _row,
        pin=ROW,
        task=scrub_to(0, "Train if you have not, then drag the slider of the player back to **iteration 0**."),
        explains=("own_k",),
    ),
    closing=(
        "pᵢⱼ is the chance that point i picks j: the nearer j is, the likelier, by exp(−squared distance).",
        "pᵢ adds up the picks of i's own class, and NCA changes A to make f, the sum of all pᵢ, large.",
        "When A grows, fewer neighbours share the chance, and fewer lie inside the circle.",
    ),
)
