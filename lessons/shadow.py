"""1. A projection is a shadow: PCA, LDA and NCA look at rings from different sides."""

from __future__ import annotations

from lessons.base.lesson import Lesson, Question, Step, hide, train
from lessons.base.material import measured, recipe_of
from study.panel import PanelRecipe
from study.recipe import Recipe

N_RINGS = 5
DATA = recipe_of("rings", PanelRecipe("euclidean", title="The data"), n_components=3, step="none")


def _flat(*keys: str) -> Recipe:
    return recipe_of("rings", *map(PanelRecipe, keys), step="none")


PCA, LDA, NCA = _flat("pca"), _flat("pca", "lda"), _flat("pca", "lda", "nca")


def _pca() -> dict[str, float]:
    found = measured(PCA)
    A = found.comparison.panel("pca").transformation
    assert A is not None
    return {"right": found.right("pca"), "guess": 1 / N_RINGS, "noise": float(A[0, 2] ** 2 / (A[0] ** 2).sum())}


def _lda() -> dict[str, float]:
    return {"right": measured(LDA).right("lda"), "new": measured(LDA).right_on_new("lda")}


def _nca() -> dict[str, float]:
    found = measured(NCA)
    A = found.trajectories["nca"].snapshots[-1].transformation
    return {
        "before": found.f("nca", 0),
        "after": found.f("nca"),
        "new": found.right_on_new("nca"),
        "noise": float((A[:, 2] ** 2).sum() / (A**2).sum()),
    }


SHADOW = Lesson(
    "shadow",
    "A projection is a shadow",
    "What PCA, LDA and NCA look for, and why only one of them finds the rings.",
    (
        Step(
            "Three numbers, one flat screen",
            "Each point is a row of a table with three numbers. Its colour is its class.\n\n**Drag the picture to turn "
            "it.** Whatever side you look from, your screen shows a flat shadow of the three dimensions. From one side "
            "you see five rings. From most sides you see a cloud.\n\nA projection picks the side. It is a matrix A "
            "with two rows, one for each axis of the picture.",
            DATA,
            after=PCA,
            numbers=(),
            formula="projection",
            question=Question(
                "The third number is noise, and it spreads wider than the rings. PCA keeps the directions in which the "
                "points spread most. What will PCA's shadow show?",
                ("The five rings", "A mixture: it keeps the noise", "Five separate heaps"),
                1,
                "PCA does not look at colours. The noise spreads most, so the first axis is made of it: {noise:.0%} of "
                "its squared weights. The nearest neighbour of a point shares its class for {right:.0%} of the points; "
                "guessing would give {guess:.0%}.",
                _pca,
            ),
        ),
        Step(
            "LDA looks at class means",
            "LDA knows the classes. It looks for directions that pull the **means** of the classes apart, compared "
            "with how far each class spreads around its mean.",
            PCA,
            after=LDA,
            numbers=(),
            formula="lda",
            question=Question(
                "All five rings have the same middle. What can LDA do?",
                (
                    "It finds the rings, because it knows the classes",
                    "Next to nothing: the class means coincide",
                    "It shows each ring as a line",
                ),
                1,
                "A ring's mean is its middle, and that is the same for all. LDA is left with chance differences "
                "between the means. The nearest neighbour is right for {right:.0%} of the training points.",
                _lda,
            ),
        ),
        Step(
            "NCA asks the neighbours",
            "NCA does not care about spread or means. It asks only this of a view: **do the nearest neighbours of a "
            "point share its class?** It starts from the view of PCA and turns and stretches it step by step.",
            NCA,
            numbers=(),
            task=train("nca", words="Predict, then press **Train** and watch the picture called NCA."),
            question=Question(
                "Neighbours on a ring belong to the same class. Which view will NCA end in?",
                (
                    "Five heaps, one for each class",
                    "The view from PCA: it started there",
                    "The rings: along a ring all neighbours agree",
                ),
                2,
                "The noise is gone: {noise:.1%} of the squared weights of A. f/n, the share of points that NCA expects "
                "to be right, went from {before:.2f} to {after:.2f}. Of the hollow points, which it never saw, "
                "{new:.0%} have a nearest neighbour of their class.",
                _nca,
            ),
        ),
        Step(
            "The same data, three shadows",
            "Three methods, three questions to the same data. PCA: where is the spread? LDA: where are the means "
            "apart? NCA: where do neighbours agree? None of them bends the data. Each only picks a side and stretches.",
            NCA,
            numbers=(),
            task=hide(
                0,
                "Train if you have not. Then press **ring 1**, the innermost, in the list of classes below the "
                "pictures: it is hidden in all of them.",
            ),
            question=Question(
                "Which sentence is true of every projection here?",
                (
                    "It moves each point where its class should be",
                    "One matrix A moves all points, so no point is placed by itself",
                    "It removes points that do not fit",
                ),
                1,
                "y = A x for every point, with the same A. That is why a projection can be used for new rows, and why "
                "it cannot cheat one point at a time.",
            ),
        ),
    ),
)
