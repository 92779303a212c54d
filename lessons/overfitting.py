"""5. Overfitting: pure noise, held-out rows, and the shuffled twin."""

from __future__ import annotations

from lessons.base.lesson import ACCURACY, OWN_K, F, K, Lesson, P, Question, Step, train
from lessons.base.material import measured, recipe_of
from study.panel import PanelRecipe
from study.recipe import Recipe

NOISE = recipe_of("pure_noise", PanelRecipe("nca"))
TWIN = recipe_of(
    "wine", PanelRecipe("nca", title="True labels"), PanelRecipe("nca-2", labels="shuffled", title="Shuffled labels")
)


def _noise(recipe: Recipe) -> dict[str, float]:
    found = measured(recipe)
    ready = found.comparison.prepared
    A = found.trajectories["nca"].snapshots[-1].transformation
    return {
        "right": found.right("nca"),
        "new": found.right_on_new("nca"),
        "guess": 1 / ready.dataset.n_classes,
        "trained": float(ready.train.sum()),
        "held": float(ready.held_out.sum()),
        "numbers": float(A.size),
    }


def _twin(recipe: Recipe) -> dict[str, float]:
    found = measured(recipe)
    return {
        "true": found.right("nca"),
        "true_new": found.right_on_new("nca"),
        "twin": found.right("nca-2"),
        "twin_new": found.right_on_new("nca-2"),
    }


OVERFITTING = Lesson(
    "overfitting",
    "A good score that means nothing",
    "say why a good training score can mean nothing, and find out in two ways.",
    (
        Step(
            "Classes that do not exist",
            "This table is random: 150 rows with 50 random numbers each, and one of three random labels. **There is "
            "nothing to find.** A point's label has nothing to do with its numbers.",
            NOISE,
            numbers=(P, F, OWN_K, K),
            task=train("nca", words="Predict, then press **Train**. Look at the full points, not at the hollow ones."),
            question=Question(
                "After the training: for how many of the rows that it was trained on is the nearest neighbour of the "
                "right class?",
                ("About a third, as by guessing", "About two thirds", "Nearly all"),
                2,
                "{right:.0%}. There are no three heaps, only patches of one label, and yet nearly every full point has "
                "one of its own label next to it. That is overfitting. With 50 columns of noise NCA finds some view in "
                "which just these {trained:.0f} rows happen to lie next to points of the same class. A has "
                "{numbers:.0f} free numbers to do so.",
                _noise,
                (
                    "Look at the full points: nearly every one has a full one of its colour next to it.",
                    "Look closer at the full points: those without a neighbour of their colour are few.",
                    "",
                ),
            ),
        ),
        Step(
            "Ask rows that it never saw",
            "Before the training, some rows were set aside. They are the hollow points. They played no part in the "
            "choice of A. Each is now given the class of its nearest full point.",
            NOISE,
            numbers=(P, F, OWN_K, K),
            numbers_after=(ACCURACY,),
            task=train("nca", words="Train if you have not, and see where the hollow points lie."),
            question=Question(
                "For how many of the held-out rows is that class right?",
                ("About a third", "About two thirds", "Nearly all, as in training"),
                0,
                "{new:.0%} of {held:.0f}; guessing gives {guess:.0%}. The training score says {right:.0%}, the rows "
                "that were set aside say the truth. From now on both stand under the pictures as *1-NN*: by the one "
                "nearest neighbour.",
                _noise,
                (
                    "",
                    "Look at the hollow points: most of them lie next to a full one of another colour.",
                    "Look at the hollow points: most of them lie next to a full one of another colour.",
                ),
            ),
        ),
        Step(
            "The shuffled twin",
            "There is another test. Take real data and **shuffle the labels**: the same numbers, the same sizes of "
            "classes, but nothing to find. Train both. What the twin reaches is overfitting alone.",
            TWIN,
            task=train("nca", "nca-2", words="Predict, then press **Train**: both train side by side."),
            question=Question(
                "Wine has 13 features. Naming the commonest class every time is right for about 40 %. What will the "
                "training score of the shuffled twin be?",
                ("About 40 %, as by naming the commonest", "Far above that: about 70 %", "100 %, like the true labels"),
                1,
                "The twin reaches {twin:.0%} on its training rows, and {twin_new:.0%} on held-out rows: all "
                "overfitting. True labels reach {true:.0%} and {true_new:.0%}. A training score of {twin:.0%} would "
                "mean nothing here; {true:.0%} is more than overfitting gave the twin, and held-out rows confirm it. "
                "How much can be overfitted depends on the table, so shuffle the labels of the same table, and more "
                "than once (*Against chance* on Compare does).",
                _twin,
                (
                    "Look at the second picture: most full points have found one of their colour.",
                    "",
                    "Look at the second picture: many full points lie next to another colour.",
                ),
            ),
        ),
        Step(
            "Say it yourself",
            "You have seen a nearly perfect score on noise. Think of it whenever you see a good training score.",
            NOISE,
            task=train("nca", words="Press **Train** once more and compare the two numbers under the picture."),
            question=Question(
                "A colleague shows you a view with a training score of 99 %. What do you know?",
                (
                    "The classes differ clearly in these features",
                    "Nothing yet: on some tables noise can reach that too",
                    "The method is wrong: no score is that good",
                ),
                1,
                "A was chosen to make that very score large. On noise it reached {right:.0%} while new rows were right "
                "{new:.0%} of the time. Ask for held-out rows, or for a shuffled twin. Many features and few rows make "
                "it worse; more rows, fewer features or a penalty help.",
                _noise,
                (
                    "Look: these classes do not exist, and the training score is {right:.0%}.",
                    "",
                    "Look: the score is true of the full points. It says nothing about the hollow ones.",
                ),
            ),
        ),
    ),
    (
        "With many features and few rows, A finds a view in which even random labels look right.",
        "Rows held out before the training tell the truth: compare them with guessing.",
        "A shuffled twin shows how much of a score on this very table is overfitting.",
    ),
)
