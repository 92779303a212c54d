"""1. A projection is a shadow: PCA, LDA and NCA look at rings from different sides."""

from __future__ import annotations

from lessons.base.lesson import Lesson, Question, Step, hide, train
from lessons.base.material import measured, recipe_of
from study.panel import PanelRecipe
from study.recipe import Recipe

N_RINGS = 5
DATA = recipe_of("rings", PanelRecipe("euclidean", title="The data"), n_components=3, step="none")


def _flat(*panels: PanelRecipe) -> Recipe:
    return recipe_of("rings", PanelRecipe("pca"), *panels, step="none")


PCA, LDA = _flat(), _flat(PanelRecipe("lda"))
NCA = _flat(PanelRecipe("lda"), PanelRecipe("nca", start="best_of_several"))


def _pca(recipe: Recipe) -> dict[str, float]:
    found = measured(recipe)
    A = found.comparison.panel("pca").transformation
    assert A is not None
    return {"right": found.right("pca"), "guess": 1 / N_RINGS, "noise": float(A[0, 2] ** 2 / (A[0] ** 2).sum())}


def _lda(recipe: Recipe) -> dict[str, float]:
    found = measured(recipe)
    return {"new": found.right_on_new("lda"), "pca": found.right_on_new("pca"), "guess": 1 / N_RINGS}


def _nca(recipe: Recipe) -> dict[str, float]:
    found = measured(recipe)
    A = found.trajectories["nca"].snapshots[-1].transformation
    return {
        "new": found.right_on_new("nca"),
        "pca": found.right_on_new("pca"),
        "lda": found.right_on_new("lda"),
        "noise": float((A[:, 2] ** 2).sum() / (A**2).sum()),
    }


SHADOW = Lesson(
    "shadow",
    "A projection is a shadow",
    "say what PCA, LDA and NCA each look for, and why only NCA finds the rings.",
    (
        Step(
            "Three numbers, one flat screen",
            "Each point is a row of a table with three numbers. Its colour is its class.\n\n**Drag the picture to turn "
            "it.** Whatever side you look from, your screen shows a flat shadow of the three dimensions. From one side "
            "you see five rings. From most sides you see a cloud.\n\nA projection picks the side. It is a matrix A "
            "with two rows, one for each axis of the picture.",
            DATA,
            after=PCA,
            turns=True,
            numbers=(),
            formula="projection",
            question=Question(
                "The third number is noise, and it spreads wider than the rings. PCA keeps the directions in which the "
                "points spread most. What will PCA's shadow show?",
                ("The five rings, seen from the front", "A mixture: it keeps the noise", "Five separate heaps"),
                1,
                "PCA does not look at colours. The noise spreads most, so the first axis is made of it: {noise:.2%} of "
                "its squared weights. The nearest neighbour of a point shares its class for {right:.0%} of the points; "
                "guessing would give {guess:.0%}.",
                _pca,
                (
                    "Look: no ring can be seen. The picture is as wide as the noise.",
                    "",
                    "Look: the five colours lie on top of one another, in no heaps.",
                ),
            ),
        ),
        Step(
            "LDA looks at class means",
            "LDA knows the classes. It looks for directions that pull the **means** of the classes apart, compared "
            "with how far each class spreads around its mean.\n\nThe hollow points are set aside: no method may use "
            "them. They test the picture.",
            PCA,
            after=LDA,
            turns=True,
            numbers=(),
            formula="lda",
            question=Question(
                "All five rings have the same middle. What can LDA do?",
                (
                    "Find the rings, because it knows the classes",
                    "Do better than guessing, but not find the rings",
                    "Show each ring as a line of its own",
                ),
                1,
                "The five means all lie near the middle. LDA is left with chance differences between them: {new:.0%} "
                "of the hollow points lie nearest to a full point of their class (PCA {pca:.0%}, chance {guess:.0%}).",
                _lda,
                (
                    "Look: in LDA's picture the five colours overlap, and no ring can be seen.",
                    "",
                    "Look: each colour is spread over the whole picture of LDA, not along a line.",
                ),
            ),
        ),
        Step(
            "NCA asks the neighbours",
            "NCA does not care about spread or means. It asks only this of a view: **do the nearest neighbours of a "
            "point share its class?** It tries a few sides, takes the best, and turns and stretches it step by step.",
            NCA,
            turns=True,
            numbers=(),
            task=train("nca", words="Predict, then press **Train** and watch the picture called NCA."),
            question=Question(
                "Neighbours on a ring belong to the same class. Which view will NCA end in?",
                (
                    "Five heaps, one for each class",
                    "The one of PCA, where the points spread most",
                    "The rings: neighbours agree there",
                ),
                2,
                "The noise is gone: {noise:.1%} of the squared weights of A. NCA never saw the hollow points, and "
                "{new:.0%} of them lie nearest to a full point of their class (PCA {pca:.0%}, LDA {lda:.0%}).",
                _nca,
                (
                    "Look: each class is still a ring around the same middle. A matrix cannot bend it into a heap.",
                    "Look at PCA's picture beside it: that is the noise which NCA has left out.",
                    "",
                ),
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
                    "One matrix A moves all points together",
                    "It removes points that do not fit",
                ),
                1,
                "y = A x for every point, with the same A. That is why a projection can be used for new rows, and why "
                "it cannot cheat one point at a time.",
                looks=(
                    "Look: play it again with ▶. The whole cloud turns; no point leaves it alone.",
                    "",
                    "Look: press a point. It is marked in all three pictures; none was removed.",
                ),
            ),
        ),
    ),
    (
        "A projection y = A x is a shadow: one matrix picks the side for all points at once.",
        "PCA keeps spread and LDA parts class means, so noise or a common middle can fool them.",
        "NCA looks for a side from which near neighbours share their class.",
    ),
)
