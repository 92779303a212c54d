"""6. Local optima: where a climb ends depends on where it starts."""

from lessons.base.lesson import RIGHT, Measured, finish, lesson_of, question_step, recipe_of
from study.panel import PanelRecipe

KEYS = ("nca", "nca-2", "nca-3", "nca-4", "nca-5", "nca-6")
ONE = recipe_of("xor", PanelRecipe("nca", start="random", title="start 1"))
SIX = recipe_of(
    "xor",
    *(PanelRecipe(key, start="random", random_state=seed, title=f"start {seed + 1}") for seed, key in enumerate(KEYS)),
)
SEVERAL = recipe_of(
    "rings",
    PanelRecipe("nca", title="from PCA"),
    PanelRecipe("nca-2", start="best_of_several", title="best of several"),
    step="none",
    seed=5,
)


def _six(found: Measured) -> dict[str, float]:
    """f/n and accuracy where f/n is greatest and least."""
    in_order = sorted(found.panels.values(), key=lambda start: start.f)
    best, worst = in_order[-1], in_order[0]
    return {"best": best.f, "worst": worst.f, "best_new": best.new, "worst_new": worst.new}


STARTS = lesson_of(
    "starts",
    "Is this the only answer?",
    "say why two trainings can end differently, and what to do about it.",
    question_step(
        "A climb that ends",
        "Training is a climb: A changes, a little at a time, and f goes up. It ends where no small change helps. "
        "That is **a** top, not always **the** top.\n\nHere the class depends on the signs of two features; eight "
        "more are noise. The start is a random A.",
        ONE,
        "Take six random starts on the same data with the same method. Will they end at the same f?",
        {
            "Yes: the same data have the same best f": "Look under the pictures: f/n runs from {worst:.3f} to "
            "{best:.3f}.",
            "No: some may get stuck on a lower top": RIGHT,
        },
        "The six end between f/n = {worst:.3f} and {best:.3f}. Start 1 ends at {nca.f:.3f}.",
        _six,
        after=SIX,
        task=finish(*KEYS, words="Predict, then press **Train**: six starts climb side by side."),
    ),
    question_step(
        "Which one to trust",
        "Six views of the same data now stand side by side.",
        SIX,
        "You may look at f only, not at the held-out rows. Which view do you take?",
        {
            "One with the greatest f": RIGHT,
            "The one with the smallest f: it is least overfitted": "Look at its hollow points: only "
            "{worst_new:.0%} are right. A low top is not a careful one.",
            "Any: held-out rows do not care": "Look under the pictures: held-out rows are right for "
            "{worst_new:.0%} and for {best_new:.0%}.",
        },
        "The greatest f/n, {best:.3f}, is right on {best_new:.0%} of the held-out rows. The smallest, "
        "{worst:.3f}, is right on {worst_new:.0%}; a coin would be on 50 %. A low top often is a bad view. "
        "But remember lesson 5: a high f alone proves nothing.",
        _six,
        task=finish(*KEYS, words="Train if you have not, and wait for all six."),
    ),
    question_step(
        "Look before you climb",
        "One cure is to try many starts, each for a few steps, and to go on from the best. Here that is the start "
        "called *best of several*. The usual start is the view of PCA. The rings of lesson 1, drawn anew.",
        SEVERAL,
        "Does it pay to try several starts here?",
        {
            "No: PCA's view is a good start": "Look at the first picture: its rings still lie on top of one another.",
            "Yes: it ends on a higher top": RIGHT,
        },
        "From PCA f/n ends at {nca.f:.3f}, from the best of several starts at {nca-2.f:.3f}. On held-out rows: "
        "{nca.new:.0%} against {nca-2.new:.0%}. On other draws of the rings PCA's view may do, too; several starts "
        "ended no lower on any draw that we tried. They cost more time.",
        task=finish("nca", "nca-2", words="Predict, then press **Train**. The short climbs are shown first."),
    ),
    closing=(
        "Training climbs to a top where no small change of A helps; there may be a higher one.",
        "Of several starts take the one with the greatest f, and test it on held-out rows.",
        "The start *best of several* does this for you, for a little more time.",
    ),
)
