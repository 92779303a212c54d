"""5. Overfitting: pure noise, held-out rows, and the shuffled twin."""

from lessons.base.lesson import RIGHT, Measured, finish, lesson_of, question_step, recipe_of
from study.panel import PanelRecipe

NOISE = recipe_of("pure_noise", PanelRecipe("nca"))
_SHUFFLED = PanelRecipe("nca-2", labels="shuffled", title="Shuffled labels")
TWIN = recipe_of("wine", PanelRecipe("nca", title="True labels"), _SHUFFLED)


def _noise(found: Measured) -> dict[str, float]:
    ready = found.comparison.prepared
    rows = {"trained": ready.train.sum(), "held": ready.held_out.sum()}
    return {**rows, "guess": 1 / ready.dataset.n_classes, "numbers": found.A("nca").size}


OVERFITTING = lesson_of(
    "overfitting",
    "A good score that means nothing",
    "say why a good training score can mean nothing, and find out in two ways.",
    question_step(
        "Classes that do not exist",
        "This table is random: 150 rows with 50 random numbers each, and one of three random labels. **There is "
        "nothing to find.** A point's label has nothing to do with its numbers.",
        NOISE,
        "After the training: for how many of the rows that it was trained on is the nearest neighbour of the "
        "right class?",
        {
            "About a third, as by guessing": "Look at the full points: nearly every one has a full one of its "
            "colour next to it.",
            "About two thirds": "Look closer at the full points: those without a neighbour of their colour are few.",
            "Nearly all": RIGHT,
        },
        "{nca.right:.0%}. There are no three heaps, only patches of one label, and yet nearly every full point has "
        "one of its own label next to it. That is overfitting. With 50 columns of noise NCA finds some view in "
        "which just these {trained:.0f} rows happen to lie next to points of the same class. A has "
        "{numbers:.0f} free numbers to do so.",
        _noise,
        task=finish("nca", words="Predict, then press **Train**. Look at the full points, not at the hollow ones."),
    ),
    question_step(
        "Ask rows that it never saw",
        "Before the training, some rows were set aside. They are the hollow points. They played no part in the "
        "choice of A. Each is now given the class of its nearest full point.",
        NOISE,
        "For how many of the held-out rows is that class right?",
        {
            "About a third": RIGHT,
            "About two thirds": "Look at the hollow points: most of them lie next to a full one of another colour.",
            "Nearly all, as in training": "Look at the hollow points: most of them lie next to a full one of "
            "another colour.",
        },
        "{nca.new:.0%} of {held:.0f}; guessing gives {guess:.0%}. The training score says {nca.right:.0%}, the "
        "rows that were set aside show how good it is. From now on both stand under the pictures as *1-NN*: by the "
        "one nearest neighbour.",
        _noise,
        numbers_after=("accuracy",),
        task=finish("nca", words="Train if you have not, and see where the hollow points lie."),
    ),
    question_step(
        "The shuffled twin",
        "There is another test. Take real data and **shuffle the labels**: the same numbers, the same sizes of "
        "classes, but nothing to find. Train both. What the twin reaches beyond guessing is overfitting.",
        TWIN,
        "Wine has 13 features. Naming the commonest class every time is right for about 40 %. What will the "
        "training score of the shuffled twin be?",
        {
            "About 40 %, as by naming the commonest": "Look at the second picture: most full points have found "
            "one of their colour.",
            "Far above that, but below 100 %": RIGHT,
            "100 %, like the true labels": "Look at the second picture: many full points lie next to another colour.",
        },
        "The twin reaches {nca-2.right:.0%} on its training rows and {nca-2.new:.0%} on held-out rows: the "
        "difference is overfitting. True labels reach {nca.right:.0%} and {nca.new:.0%}. A training score of "
        "{nca-2.right:.0%} would mean nothing here; {nca.right:.0%} is more than overfitting gave the twin, and "
        "held-out rows confirm it. How much can be overfitted depends on the table, so shuffle the labels of the "
        "same table, and more than once (*Against chance* on Compare does).",
        task=finish("nca", "nca-2", words="Predict, then press **Train**: both train side by side."),
    ),
    question_step(
        "A score of 99 %",
        "You have seen a nearly perfect score on noise. Think of it whenever you see a good training score.",
        NOISE,
        "A colleague shows you a view with a training score of 99 %. What do you know?",
        {
            "The classes differ clearly in these features": "Look: these classes do not exist, and the training "
            "score is {nca.right:.0%}.",
            "Nothing yet: on some tables noise can reach that too": RIGHT,
            "The method is wrong: no score is that good": "Look: the score is true of the full points. It says "
            "nothing about the hollow ones.",
        },
        "A was chosen to make that very score large. On noise it reached {nca.right:.0%} while new rows were right "
        "{nca.new:.0%} of the time. Ask for held-out rows, or for a shuffled twin. Many features and few rows make "
        "it worse; more rows, fewer features or a penalty help.",
        task=finish("nca", words="Press **Train** once more and compare the two numbers under the picture."),
    ),
    closing=(
        "With many features and few rows, A finds a view in which even random labels look right.",
        "Rows held out before the training tell the truth: compare them with guessing.",
        "A shuffled twin shows how much of a score on this very table is overfitting.",
    ),
)
