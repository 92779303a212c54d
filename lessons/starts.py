"""6. Local optima: where a climb ends depends on where it starts."""

from __future__ import annotations

from lessons.base.lesson import Lesson, Question, Step, train
from lessons.base.material import measured, recipe_of
from study.panel import PanelRecipe

KEYS = ("nca", "nca-2", "nca-3", "nca-4")
ONE = recipe_of("xor", PanelRecipe("nca", start="random", title="start 1"))
FOUR = recipe_of(
    "xor",
    *(PanelRecipe(key, start="random", random_state=seed, title=f"start {seed + 1}") for seed, key in enumerate(KEYS)),
)
SEVERAL = recipe_of(
    "balance",
    PanelRecipe("nca", title="from PCA"),
    PanelRecipe("nca-2", start="best_of_several", title="best of several"),
)


def _four() -> dict[str, float]:
    found = measured(FOUR)
    f = {key: found.f(key) for key in KEYS}
    best, worst = max(f, key=lambda key: f[key]), min(f, key=lambda key: f[key])
    return {
        "best": f[best],
        "worst": f[worst],
        "best_new": found.right_on_new(best),
        "worst_new": found.right_on_new(worst),
        "one": found.f("nca"),
    }


def _several() -> dict[str, float]:
    found = measured(SEVERAL)
    return {
        "f": found.f("nca"),
        "f2": found.f("nca-2"),
        "new": found.right_on_new("nca"),
        "new2": found.right_on_new("nca-2"),
    }


STARTS = Lesson(
    "starts",
    "Is this the only answer?",
    "NCA climbs to the nearest top. Other starts may reach a higher one.",
    (
        Step(
            "A climb that ends",
            "Training is a climb: A changes, a little at a time, and f goes up. It ends where no small change helps. "
            "That is **a** top, not always **the** top.\n\nHere the class depends on the signs of two features; eight "
            "more are noise. The start is a random A.",
            ONE,
            after=FOUR,
            question=Question(
                "Take four random starts on the same data with the same method. Will they end at the same f?",
                ("Yes: the best f is the best f", "No: some may get stuck on a lower top"),
                1,
                "The four end between f/n = {worst:.2f} and {best:.2f}. Press **Train** and see them part. Start 1 "
                "ends at {one:.2f}.",
                _four,
            ),
        ),
        Step(
            "Which one to trust",
            "Four views of the same data now stand side by side.",
            FOUR,
            task=train(*KEYS, words="Press **Train** and wait for all four."),
            question=Question(
                "You may look at f only, not at the held-out rows. Which view do you take?",
                (
                    "The one with the greatest f",
                    "The one with the smallest f: it is least overfitted",
                    "Any: held-out rows do not care",
                ),
                0,
                "The greatest f, {best:.2f}, is right on {best_new:.0%} of the held-out rows. The smallest, "
                "{worst:.2f}, is right on {worst_new:.0%}, hardly better than a coin. A low top often is a bad view. "
                "But remember lesson 5: a high f alone proves nothing.",
                _four,
            ),
        ),
        Step(
            "Look before you climb",
            "One cure is to try many starts, each for a few steps, and to go on from the best. Here that is the start "
            "called *best of several*. The usual start is the view of PCA.",
            SEVERAL,
            task=train("nca", "nca-2", words="Predict, then press **Train**. The short climbs are shown first."),
            question=Question(
                "Does it pay to try several starts here?",
                ("No: PCA is a good start", "Yes: it ends on a higher top"),
                1,
                "From PCA f/n ends at {f:.3f}, from the best of several starts at {f2:.3f}. On held-out rows: "
                "{new:.0%} against {new2:.0%}. It costs more time, and it is no promise either.",
                _several,
            ),
        ),
    ),
)
