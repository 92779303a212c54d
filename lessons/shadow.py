"""1. A projection is a shadow: PCA, LDA and NCA look at rings from different sides."""

import numpy as np

from lessons.base.lesson import RIGHT, finish, hide, lesson_of, question_step, recipe_of
from study.panel import PanelRecipe
from study.recipe import Recipe

N_RINGS = 5
DATA = recipe_of("rings", PanelRecipe("euclidean", title="The data"), n_components=3, step="none")


def _flat(*panels: PanelRecipe) -> Recipe:
    return recipe_of("rings", PanelRecipe("pca"), *panels, step="none")


PCA, LDA = _flat(), _flat(PanelRecipe("lda"))
NCA = _flat(PanelRecipe("lda"), PanelRecipe("nca", start="best_of_several"))


def _share_of_noise(A: np.ndarray) -> float:
    """The third feature's share of the squared weights."""
    return float((A[:, 2] ** 2).sum() / (A**2).sum())


SHADOW = lesson_of(
    "shadow",
    "A projection is a shadow",
    "say what PCA, LDA and NCA each look for, and which of them finds the rings.",
    question_step(
        "Three numbers, one flat screen",
        "Each point is a row of a table with three numbers. Its colour is its class.\n\n**Drag the picture to turn "
        "it.** Whatever side you look from, your screen shows a flat shadow of the three dimensions. From one side "
        "you see five rings. From most sides you see a cloud. The edges of the box name the three numbers.\n\n"
        "A projection picks the side. It is a matrix A with two rows, one for each axis of the picture.",
        DATA,
        "The third number is noise, and it spreads wider than the rings. PCA keeps the directions in which the "
        "points spread most. What will PCA's shadow show?",
        {
            "The five rings: their colours differ": "Look once the picture stops: no ring can be seen. The picture "
            "is as wide as the noise.",
            "A mixture: it keeps the noise": RIGHT,
            "Five heaps: one for each colour": "Look: the five colours lie on top of one another, in no heaps.",
        },
        "PCA does not look at colours. The noise spreads most, so the first axis is made of it: {noise:.2%} of "
        "its squared weights. The nearest neighbour of a point shares its class for {pca.right:.0%} of the points; "
        "guessing would give {guess:.0%}.",
        lambda found: {"noise": _share_of_noise(found.A("pca")[:1]), "guess": 1 / N_RINGS},
        after=PCA,
        turns=True,
        formula="projection",
    ),
    question_step(
        "LDA looks at class means",
        "LDA knows the classes. It looks for directions that pull the **means** of the classes apart, compared "
        "with how far each class spreads around its mean.\n\nThe hollow points are set aside: no method may use "
        "them. They test the picture.",
        PCA,
        "All five rings have the same middle. What can LDA do?",
        {
            "Find the rings, because it knows the classes": "Look once LDA's picture stops: the five colours "
            "overlap, and no ring can be seen.",
            "Do better than guessing, but not find the rings": RIGHT,
            "Show each ring as a line of its own": "Look: each colour is spread over the whole picture of LDA, "
            "not along a line.",
        },
        "The five means all lie near the middle, so LDA has little to part: {lda.new:.0%} of the hollow points lie "
        "nearest to a full point of their class (PCA, which sees no classes, {pca.new:.0%}; chance {guess:.0%}). "
        "The inner rings stay in the middle of any shadow, so both do better than chance.",
        lambda found: {"guess": 1 / N_RINGS},
        after=LDA,
        turns=True,
        formula="lda",
    ),
    question_step(
        "NCA asks the neighbours",
        "NCA does not care about spread or means. It asks only this of a view: **do the nearest neighbours of a "
        "point share its class?** It tries a few sides, takes the best, and turns and stretches it step by step.",
        NCA,
        "Neighbours on a ring belong to the same class. Which view will NCA end in?",
        {
            "Five heaps: neighbours share a class there": "Look: each class is still a ring around the same "
            "middle. A matrix cannot bend it into a heap.",
            "PCA's view: the points spread most there": "Look at PCA's picture beside it: that is the noise "
            "which NCA has left out.",
            "The rings: neighbours agree there": RIGHT,
        },
        "The noise has under 1 % of the squared weights of A. NCA never saw the hollow points, and "
        "{nca.new:.0%} of them lie nearest to a full point of their class (PCA {pca.new:.0%}, LDA {lda.new:.0%}).",
        lambda found: {"noise": _share_of_noise(found.A("nca"))},
        turns=True,
        task=finish("nca", words="Predict, then press **Train** and watch the picture called NCA."),
    ),
    question_step(
        "The same data, three shadows",
        "Three methods, three questions to the same data. PCA: where is the spread? LDA: where are the means "
        "apart? NCA: where do neighbours agree? None of them bends the data. Each only picks a side and stretches.",
        NCA,
        "Which sentence is true of every projection here?",
        {
            "It moves each point where its class should be": "Look: play it again with ▶. The whole cloud turns; "
            "no point leaves it alone.",
            "One matrix A moves all points together": RIGHT,
            "It removes points that do not fit": "Look: press a point. It is marked in all three pictures; none "
            "was removed.",
        },
        "y = A x for every point, with the same A. That is why a projection can be used for new rows, and why "
        "it cannot cheat one point at a time.",
        task=hide(
            0,
            "Train if you have not. Then press **ring 1**, the innermost, in the list of classes below the "
            "pictures: it is hidden in all of them.",
        ),
    ),
    closing=(
        "A projection y = A x is a shadow: one matrix picks the side for all points at once.",
        "PCA keeps spread and LDA parts class means, so noise or a common middle can fool them.",
        "NCA looks for a side from which near neighbours share their class.",
    ),
)
