"""The option that each question calls right, against a table made by reading, and by numbers where a number decides."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from lessons import LESSONS, choosing_k, neighbour, other_methods, outliers, overfitting, pull, scale, scaling, shadow
from lessons import starts as several_starts
from lessons.base.material import measured
from tests.lessons.oracle import chances, f, held_out, k_hat, leave_one_out, trained

# Lesson and step -> the first words of the options in their order, and the index of the right one.
RIGHT = {
    ("shadow", 0): (("The five rings", "A mixture", "Five separate"), 1),
    ("shadow", 1): (("It finds the rings", "Next to nothing", "It shows each"), 1),
    ("shadow", 2): (("Five heaps", "The view from PCA", "The rings"), 2),
    ("shadow", 3): (("It moves each point", "One matrix A", "It removes"), 1),
    ("neighbour", 0): (("Equally", "Twice", "About 2.7 times"), 2),
    ("neighbour", 1): (("Row 107 lies 0.12", "Of 100 random picks, about 12", "12 % of its class"), 1),
    ("neighbour", 2): (("The labels", "The matrix A", "The place of each"), 1),
    ("neighbour", 3): (("A grew", "NCA removed", "The circle always"), 0),
    ("pull", 0): (("Those far away", "Those that it often picks", "All the same"), 1),
    ("pull", 1): (("Hardly", "Most of all", "As strongly"), 0),
    ("pull", 2): (("Yes", "No"), 1),
    ("scale", 0): (("1", "8", "1/8"), 1),
    ("scale", 1): (("It stays", "It falls", "It doubles"), 1),
    ("scale", 2): (("The points fly apart", "The points gather", "Nothing moves"), 0),
    ("scale", 3): (("λ = 0", "λ = 0.1", "λ = 1"), 2),
    ("scale", 4): (("The number of classes", "The K that is best", "The number of neighbours"), 2),
    ("overfitting", 0): (("About a third", "About two thirds", "Nearly all"), 2),
    ("overfitting", 1): (("About a third", "About two thirds", "Nearly all"), 0),
    ("overfitting", 2): (("About 40 %", "Far above that: nearly 80 %", "100 %"), 1),
    ("overfitting", 3): (("The classes differ", "Nothing yet", "The method is wrong"), 1),
    ("starts", 0): (("Yes", "No"), 1),
    ("starts", 1): (("The one with the greatest f", "The one with the smallest f", "Any"), 0),
    ("starts", 2): (("No", "Yes"), 1),
    ("outliers", 0): (("f", "g", "Both lose the same"), 1),
    ("outliers", 1): (("f gives", "g gives", "Neither"), 0),
    ("outliers", 2): (("That of f", "That of g", "Neither"), 0),
    ("methods", 0): (("NCA", "LDA", "Neither"), 2),
    ("methods", 1): (("Yes", "No"), 1),
    ("scaling", 0): (("All thirteen", "About half", "Two"), 2),
    ("scaling", 1): (("It is stuck", "The same as", "Better"), 0),
    ("scaling", 2): (("PCA", "NCA", "Both the same"), 0),
    ("scaling", 3): (("Whitening", "RCA", "Both the same"), 1),
    ("k", 0): (("K = 1", "About K̂", "A much larger one, such as 30"), 2),
    ("k", 1): (("K̂ falls", "K̂ rises, the vote gets better", "Only K̂ changes"), 1),
    ("k", 2): (("Along", "Across", "Both the same"), 1),
}


def nearest(value, *marks):
    """Index of the mark that is nearest to a number."""
    return int(np.argmin(np.abs(value - np.array(marks))))


def greater(a, b, by):
    """0 where a exceeds b by more than `by`, 1 where b exceeds a so, else 2."""
    return 0 if a - b > by else 1 if b - a > by else 2


def rings_or_heaps():
    """Heaps have centres of their own; rings share one and are told apart all the same."""
    found = measured(shadow.NCA)
    Y, y = trained(found, "nca")
    centres = np.array([Y[y == code].mean(axis=0) for code in np.unique(y)])
    if np.linalg.norm(centres - centres.mean(axis=0), axis=1).mean() > 0.5 * np.linalg.norm(Y - Y.mean(axis=0)).mean():
        return 0
    return 2 if leave_one_out(found, "nca") > 0.95 > leave_one_out(found, "pca") else 1


def who_gets_long_arrows():
    """The mean arrow of the tenth that is picked most beside that of the tenth that is farthest away."""
    Y, y = trained(measured(pull.IRIS), "nca", 0)
    i = neighbour.place_of(pull.ROW)
    p, p_i, _ = chances(Y, y)
    away = np.linalg.norm(Y - Y[i], axis=1)
    arrows = 2 * p[i] * np.abs((y == y[i]) - p_i[i]) * away
    tenth = len(y) // 10
    picked, far = (arrows[order[:tenth]].mean() for order in (np.argsort(-p[i]), np.argsort(-away)))
    return nearest(np.log(picked / far), -5, 5, 0)


def pull_of_a_sure_point():
    Y, y = trained(measured(pull.IRIS), "nca", 0)
    p, p_i, _ = chances(Y, y)
    pulls = np.abs(p * ((y[:, None] == y[None]) - p_i[:, None])).sum(axis=1)
    return nearest(np.median(pulls[p_i > 0.99]) / np.median(pulls), 0, 2, 1)


def arrows_at_the_end():
    found = measured(pull.NORMALS)
    lengths = [np.linalg.norm(pull.forces(*trained(found, "nca", at)), axis=1).mean() for at in (0, -1)]
    return nearest(lengths[1] / lengths[0], 0, 1)


def which_start_to_trust():
    found = measured(several_starts.FOUR)
    by_f = sorted(several_starts.KEYS, key=lambda key: f(found, key))
    return greater(held_out(found, by_f[-1]), held_out(found, by_f[0]), 0.05)


def who_gives_up():
    found = measured(outliers.BOTH)
    lost = [(chances(*trained(found, key))[1] < 0.01).sum() for key in ("nca", "nca-2")]
    return greater(*lost, 10)


def whose_score_is_optimistic():
    found = measured(outliers.BOTH)
    return greater(*(leave_one_out(found, key) - held_out(found, key) for key in ("nca", "nca-2")), 0.05)


def nca_or_lda():
    found = measured(other_methods.CLOUDS)
    nca, lda, n = held_out(found, "nca"), held_out(found, "lda"), found.comparison.prepared.held_out.sum()
    return greater(nca, lda, 2 * np.sqrt((nca * (1 - nca) + lda * (1 - lda)) / n))


def features_that_pca_looks_at():
    A = measured(scaling.BOTH_PCA).comparison.panel("pca").transformation
    return nearest(((A**2).sum(axis=0) > 0.01 * (A**2).sum()).sum(), 13, 6.5, 2)


def who_suffers():
    found = measured(scaling.NOISY)
    return greater(*(held_out(found, key) - held_out(found, f"{key}-2") for key in ("pca", "nca")), 0.05)


def penalised():
    found = measured(choosing_k.TAMED)
    k = [k_hat(found, key) for key in ("nca", "nca-2")]
    votes = [held_out(found, key, round(own)) for key, own in zip(("nca", "nca-2"), k, strict=True)]
    return {(1, 1): 0, (0, 0): 1}.get((greater(k[1], k[0], 1), greater(votes[1], votes[0], 0.03)), 2)


def stretched():
    X, y = choosing_k.two_bars()
    p = chances(1.5 * X / X.std(axis=0), y)[0]  # the gradient of f in a scale of each axis, at the same scale of both
    same = (y[:, None] == y[None]).astype(float)
    weights = p * (same - (p * same).sum(axis=1)[:, None])
    along, across = (-(weights * (x[:, None] - x[None]) ** 2).sum() for x in (X / X.std(axis=0)).T)
    return greater(along, across, 0.1 * abs(across))


DECIDED: dict[tuple[str, int], Callable[[], int]] = {
    ("shadow", 0): lambda: nearest(leave_one_out(measured(shadow.PCA), "pca"), 1, 0.3),
    ("shadow", 1): lambda: nearest(leave_one_out(measured(shadow.LDA), "lda"), 1, 0.3),
    ("shadow", 2): rings_or_heaps,
    ("neighbour", 0): lambda: nearest(np.exp(-1) / np.exp(-2), 1, 2, 2.7),
    ("neighbour", 3): lambda: greater(
        k_hat(measured(neighbour.NCA), "nca", 0), k_hat(measured(neighbour.NCA), "nca"), 1
    ),
    ("pull", 0): who_gets_long_arrows,
    ("pull", 1): pull_of_a_sure_point,
    ("pull", 2): arrows_at_the_end,
    ("scale", 0): lambda: nearest(np.exp(-sum(1 / 8 * np.log(1 / 8) for _ in range(8))), 1, 8, 1 / 8),
    ("scale", 1): lambda: nearest(
        k_hat(measured(scale.NCA), "nca", 0, 2) / k_hat(measured(scale.NCA), "nca", 0), 1, 0.25, 2
    ),
    ("scale", 2): lambda: greater(*(np.linalg.norm(trained(measured(scale.NCA), "nca", at)[0]) for at in (-1, 0)), 10),
    ("scale", 3): lambda: int(np.argmax([k_hat(measured(scale.PENALTIES), key) for key in ("nca", "nca-2", "nca-3")])),
    ("overfitting", 0): lambda: nearest(leave_one_out(measured(overfitting.NOISE), "nca"), 1 / 3, 2 / 3, 1),
    ("overfitting", 1): lambda: nearest(held_out(measured(overfitting.NOISE), "nca"), 1 / 3, 2 / 3, 1),
    ("overfitting", 2): lambda: nearest(leave_one_out(measured(overfitting.TWIN), "nca-2"), 0.4, 0.8, 1),
    ("starts", 0): lambda: int(np.ptp([f(measured(several_starts.FOUR), key) for key in several_starts.KEYS]) > 0.05),
    ("starts", 1): which_start_to_trust,
    ("starts", 2): lambda: int(
        f(measured(several_starts.SEVERAL), "nca-2") > f(measured(several_starts.SEVERAL), "nca")
    ),
    ("outliers", 0): lambda: greater(0.5 - 0.001, np.log(0.5) - np.log(0.001), 0.01),
    ("outliers", 1): who_gives_up,
    ("outliers", 2): whose_score_is_optimistic,
    ("methods", 0): nca_or_lda,
    ("methods", 1): lambda: nearest(held_out(measured(other_methods.RINGS), "mcml"), 1, 0.6),
    ("scaling", 0): features_that_pca_looks_at,
    ("scaling", 1): lambda: (2, 0, 1)[
        greater(*(held_out(measured(scaling.BOTH_NCA), k) for k in ("nca", "nca-2")), 0.1)
    ],
    ("scaling", 2): who_suffers,
    ("scaling", 3): lambda: greater(
        *(held_out(measured(scaling.WHITE_AND_RCA), k) for k in ("whitening", "rca")), 0.02
    ),
    ("k", 0): lambda: int(
        np.argmax(
            [
                held_out(measured(choosing_k.NCA), "nca", k)
                for k in (1, round(k_hat(measured(choosing_k.NCA), "nca")), 30)
            ]
        )
    ),
    ("k", 1): penalised,
    ("k", 2): stretched,
}


def test_every_question_is_in_the_table():
    asked = {(key, k) for key, lesson in LESSONS.items() for k, step in enumerate(lesson.steps) if step.question}
    assert asked == RIGHT.keys() > DECIDED.keys()
    # What no number decides: what a projection, p_i, K̂ and the training score are, and what is learnt.
    read = {("shadow", 3), ("neighbour", 1), ("neighbour", 2), ("scale", 4), ("overfitting", 3)}
    assert RIGHT.keys() - DECIDED.keys() == read


@pytest.mark.parametrize("place", RIGHT, ids=lambda place: f"{place[0]}-{place[1] + 1}")
def test_the_right_option_is_called_right(place):
    begins, right = RIGHT[place]
    question = LESSONS[place[0]].steps[place[1]].question
    assert len(question.options) == len(begins)
    assert all(option.startswith(words) for option, words in zip(question.options, begins, strict=True))
    assert question.right == right


@pytest.mark.parametrize("place", DECIDED, ids=lambda place: f"{place[0]}-{place[1] + 1}")
def test_the_numbers_decide_for_the_right_option(place):
    assert DECIDED[place]() == RIGHT[place][1]
