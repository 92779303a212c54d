"""verdict: one sentence about the accuracies of a trained panel that does not flatter."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from datasets.base.words import percent
from study.compare import Comparison
from study.inference import wilson_interval
from study.measure import Measurement, accuracy_labels

_Z = 1.96  # standard errors of a 95 % interval
_WORTH_NAMING = 0.05
_SEPARATED = 0.999  # of f/n
_RUN_DOWN = 1.5  # K̂ below which little more than one neighbour counts
_FEW = 10  # rows of a class, below which a figure is said with its uncertainty


@dataclass(frozen=True)
class Verdict:
    """A sentence about one trained panel.

    Attributes
    ----------
    sentence : str
        What to read first.
    warns : bool
        It says that the training does not hold for new rows, or that this is unknown.
    uncertainty : str
        The interval around the held-out accuracy; empty without held-out rows.
    """

    sentence: str
    warns: bool
    uncertainty: str = ""


def verdict(comparison: Comparison, measured: Measurement) -> Verdict:
    """Whether what was trained holds for rows that it has not seen, and how sure that is.

    The gap between the accuracy on training rows (leave-one-out; A was fitted to them) and on held-out rows is named
    where it is beyond two standard errors; held-out accuracy is held against always guessing the most frequent class.
    Where the held-out rows are so few that chance could explain an accuracy above guessing, that is what is said.
    """
    title, own, new = measured.title, measured.accuracy_1nn, measured.held_out_1nn
    y = accuracy_labels(comparison, comparison.panel(measured.key))
    tested = comparison.prepared.held_out & (y >= 0)
    if math.isnan(new):
        why = "No rows are held out" if not tested.any() else "It cannot place new rows"
        sentence = f"{title} classifies {percent(own)} of its training rows correctly. {why}, so this is optimistic."
        return Verdict(sentence, True)
    n_new = int(tested.sum())
    low, high = wilson_interval(round(new * n_new), n_new)
    sizes = np.unique(y[tested], return_counts=True)[1]
    between = f"between {percent(low)} and {percent(high)}"
    interval = f"{percent(new)} of {n_new:,} rows; with 95\N{NO-BREAK SPACE}% confidence {between}"
    guess = _most_frequent(y, comparison)
    noise = math.sqrt(own * (1 - own) / measured.n_queries + new * (1 - new) / n_new)
    gap = own - new > max(_WORTH_NAMING, _Z * noise)
    if new <= guess + _Z * math.sqrt(guess * (1 - guess) / n_new):
        if new > guess and not gap and own > guess + _WORTH_NAMING:
            return Verdict(
                f"{title}: too few rows are held out to tell whether it generalises. It classifies {percent(new)} of "
                f"these {n_new:,} correctly; guessing reaches {percent(guess)}.",
                True,
                interval,
            )
        return Verdict(
            f"{title} does not generalise: it classifies {percent(new)} of held-out rows correctly, no better than "
            f"guessing ({percent(guess)}). Training rows: {percent(own)}.",
            True,
            interval,
        )
    if gap:
        return Verdict(
            f"{title} overfits: it classifies {percent(new)} of held-out rows correctly, and {percent(own)} of its "
            "training rows.",
            True,
            interval,
        )
    few = f" Few rows: {between}." if sizes.min() < _FEW else ""
    return Verdict(
        f"{title} classifies {percent(new)} of held-out rows correctly (training rows: {percent(own)}).{few}",
        False,
        interval,
    )


def _most_frequent(y: np.ndarray, comparison: Comparison) -> float:
    """Accuracy of always predicting the most frequent class of the training rows, on held-out rows."""
    train, tested = comparison.prepared.train, comparison.prepared.held_out & (y >= 0)
    classes, counts = np.unique(y[train & (y >= 0)], return_counts=True)
    if not len(classes):
        return 0.0
    return float(np.mean(y[tested] == classes[counts.argmax()]))


def scale_runs_away(measured: Measurement) -> bool:
    """Whether a penalty on the scale of A would help: K̂ says nothing any more, or has run down to one neighbour."""
    return measured.mean_p >= _SEPARATED or measured.k_mean_entropy < _RUN_DOWN


def on_k(measured: Measurement) -> str:
    """What K̂ says of a trained panel; where the classes are separated, that it says nothing."""
    if math.isnan(measured.k_mean_entropy):
        return ""
    if measured.mean_p >= _SEPARATED:
        return (
            f"{measured.title}: the classes are separated, and then K̂ ({measured.k_mean_entropy:.1f}) is not "
            "determined: a larger view gives a smaller K̂ and classifies as well. A penalty λ settles the scale."
        )
    if measured.k_mean_entropy < _RUN_DOWN:
        return (
            f"{measured.title}: K̂ has run down to {measured.k_mean_entropy:.1f}, as the scale of the view runs away: "
            "little more than the nearest neighbour counts. A penalty λ holds the scale back."
        )
    return (
        f"{measured.title}: each point effectively looks at {measured.k_mean_entropy:.1f} neighbours (K̂). The larger "
        "the view grows, the fewer neighbours count."
    )
