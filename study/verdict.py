"""verdict: one sentence about the accuracies of a trained panel that does not flatter."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from scipy.stats import fisher_exact

from datasets.base.words import percent
from datasets.preparation import Prepared
from study.compare import Comparison
from study.differences import confusion
from study.inference import (
    ALPHA,
    AgainstChance,
    Conclusion,
    Difference,
    accuracy_against_chance,
    balanced_accuracy_against_chance,
    holm,
    wilson_interval,
)
from study.measure import Measurement

_WORTH_NAMING = 0.05  # a gap between training rows and held-out rows
_UNEQUAL = 1.5  # size of the largest class beside that of the smallest, from which the classes' mean is said too
_SEPARATED = 0.999  # of f/n
_RUN_DOWN = 1.5  # K̂ below which little more than one neighbour counts
_FEW = 10  # rows of a class, below which a figure is said with its uncertainty


@dataclass(frozen=True)
class Verdict:
    """A sentence about one trained panel."""

    sentence: str  # what to read first
    warns: bool  # it is not shown to be better than guessing
    uncertainty: str = ""  # the interval around the held-out accuracy; empty without held-out rows


def held_out_confusion(comparison: Comparison, key: str, predicted: np.ndarray) -> np.ndarray | None:
    """Held-out rows of class i whose nearest training row is of class j; None where none is classified.

    `predicted` are `study.differences.predictions` of the panel.
    """
    held_out = comparison.prepared.held_out & (predicted >= 0)
    return confusion(comparison, key, predicted) if held_out.any() else None


def held_out_words(prepared: Prepared) -> str:
    """What held-out rows are called; beside test rows they are validation rows."""
    return "held-out rows" if prepared.test is None else "validation rows"


def share_of_largest(sizes: np.ndarray) -> float:
    """Share of the largest of classes of these sizes, (n_classes,); NaN where they are of similar size."""
    sizes = sizes[sizes > 0]
    return float(sizes.max() / sizes.sum()) if len(sizes) and sizes.max() > _UNEQUAL * sizes.min() else float("nan")


def solved_sentence(solved: Mapping[str, Measurement], tables: Mapping[str, np.ndarray | None]) -> str:
    """The held-out accuracies of the panels that were solved in one go, as in "PCA: 81 %, LDA: 79 %.".

    Where the classes are of unequal size, their means over classes, and what the largest class alone has.

    solved: by key.
    tables: `held_out_confusion` of each.
    """
    said, largest = [], float("nan")
    for key, one in solved.items():
        table = tables.get(key)
        if math.isnan(one.held_out_1nn) or table is None:
            continue
        sizes = table.sum(axis=1)
        largest = share_of_largest(sizes)
        over = float(np.mean(np.diag(table)[sizes > 0] / sizes[sizes > 0]))
        mean = "" if math.isnan(largest) else f" ({percent(over)} over classes)"
        said.append(f"{one.title}: {percent(one.held_out_1nn)}{mean}")
    if not math.isnan(largest):
        said.append(f"the largest class alone: {percent(largest)}")
    return f" {', '.join(said)}." if said else ""


def verdicts(
    measured: Mapping[str, Measurement],
    tables: Mapping[str, np.ndarray | None],
    rows: str = "held-out rows",
    group: str = "",
) -> list[Verdict]:
    """Whether each trained panel holds for rows that it has not seen, and how sure that is.

    The accuracy on held-out rows is compared with chance: by the exact binomial test where the classes are equally
    large, else by the mean of the classes' own accuracies, corrected over the panels (Holm). The gap to the
    training rows, measured leave-one-out although A was fitted to them, is named where Fisher's test rejects.

    measured: of the trained panels, by key.
    tables: `held_out_confusion` of each.
    rows: `held_out_words`.
    group: the column whose groups stay together in the split.
    """
    against = {key: _against_chance(table) for key, table in tables.items() if key in measured and table is not None}
    p_values = holm([one.p_value for one in against.values()])
    corrected = {key: replace(one, p_value=float(p)) for (key, one), p in zip(against.items(), p_values, strict=True)}
    found = [_verdict(one, tables.get(key), corrected.get(key), rows) for key, one in measured.items()]
    if group:
        alike = f"rows of one {group} resemble each other, so this is less certain than it says"
        found = [replace(one, uncertainty=one.uncertainty and f"{one.uncertainty}; {alike}") for one in found]
    return found


def _against_chance(table: np.ndarray) -> AgainstChance:
    sizes = table.sum(axis=1)
    present = sizes[sizes > 0]
    if len(present) > 1 and present.min() == present.max():
        return accuracy_against_chance(int(np.trace(table)), int(table.sum()), 1 / len(present))
    return balanced_accuracy_against_chance(table)


def _verdict(measured: Measurement, table: np.ndarray | None, chance: AgainstChance | None, rows: str) -> Verdict:
    title = f"{measured.title} ({measured.moment})" if measured.moment else measured.title
    own = percent(measured.accuracy_1nn)
    if table is None or chance is None or math.isnan(measured.held_out_1nn):
        own_rows = f"{title} classifies {own} of its training rows correctly."
        return Verdict(f"{own_rows} No rows are held out, so this is optimistic.", True)
    right, n, sizes = int(np.trace(table)), int(table.sum()), table.sum(axis=1)
    sizes = sizes[sizes > 0]
    between = "between {} and {}".format(*map(percent, wilson_interval(right, n)))
    new = percent(right / n)
    interval = f"{new} of {n:,} rows; with 95\N{NO-BREAK SPACE}% confidence {between}"
    mean = percent(chance.value)
    if chance.balanced and not math.isnan(share_of_largest(sizes)):
        new += f", on average over classes {mean},"
    guessing = f"guessing ({percent(chance.chance)})"
    n_own, gap = measured.n_queries, measured.accuracy_1nn - right / n
    own_right = round(measured.accuracy_1nn * n_own)
    p_gap = float(fisher_exact(np.array([[own_right, n_own - own_right], [right, n - right]]))[1])
    few = f" Few rows: {between}." if sizes.min() < _FEW else ""
    compared = f". The average over classes is {mean}" if chance.balanced else ""  # with guessing
    if chance.answer is Conclusion.CANNOT_TELL:
        sentence = (
            f"{title}: too few rows are held out to tell whether it generalises. It classifies {percent(right / n)} of "
            f"these {n:,} correctly{compared}; {guessing} is not ruled out (p = {chance.p_value:.2f})."
        )
    elif chance.answer is Conclusion.WITHIN_MARGIN:
        right_of = f"{percent(right / n)} of {rows} correctly{compared}"
        sentence = (
            f"{title} does not generalise: it classifies {right_of}, no better than {guessing}. Training rows: {own}."
        )
    else:
        fitted = ", so it overfits" if p_gap <= ALPHA and gap > _WORTH_NAMING else ""
        sentence = f"{title} classifies {new} of {rows} correctly (training rows: {own}{fitted}).{few}"
    return Verdict(sentence, chance.answer is not Conclusion.BETTER, interval)


@dataclass(frozen=True)
class Standing:
    """A trained panel beside the other panels, on the same held-out rows."""

    mark: str  # "✓" ahead of some and behind none, or alone; "≈" no clear difference; "⚠" behind some
    sentence: str = ""


def standing(
    key: str, titles: Mapping[str, str], family: Mapping[tuple[str, str], Difference], several: bool
) -> Standing:
    """Which panels the panel `key` is ahead of, which it is behind, and which are not clearly different.

    titles: of the panels, by key.
    family: corrected tests of all pairs, `study.inference.pairs`.
    several: other panels have such a sentence, too, so this one says what it compares with.
    """
    groups: dict[Conclusion, list[str]] = {Conclusion.BETTER: [], Conclusion.WORSE: [], Conclusion.CANNOT_TELL: []}
    n = 0
    for (first, second), one in family.items():
        if key in (first, second):
            answer, n = one.answer if one.answer in groups else Conclusion.CANNOT_TELL, one.n
            if key == second and answer is not Conclusion.CANNOT_TELL:
                answer = Conclusion.WORSE if answer is Conclusion.BETTER else Conclusion.BETTER
            groups[answer].append(titles[second if key == first else first])
    there = [answer for answer, found in groups.items() if found]
    if not there:
        return Standing("✓")
    mark = "⚠" if groups[Conclusion.WORSE] else "✓" if groups[Conclusion.BETTER] else "≈"
    if there == [Conclusion.CANNOT_TELL]:
        return Standing(mark, f"No clear difference{' from the others' if several else ''} on {n:,} rows.")
    said = {Conclusion.BETTER: "ahead of {}", Conclusion.WORSE: "behind {}"}
    said[Conclusion.CANNOT_TELL] = f"not clearly different from {{}} on {n:,} rows"
    if len(there) == 1:
        words = said[there[0]].format("all others") if several else said[there[0]].split()[0]
    else:
        words = ", ".join(said[answer].format(" and ".join(groups[answer])) for answer in there)
    return Standing(mark, f"{'It' if several else titles[key]} is {words}.")


def scale_runs_away(measured: Measurement) -> bool:
    """Whether a penalty on the scale of A would help: K̂ says nothing any more, or has run down to one neighbour."""
    return measured.mean_p >= _SEPARATED or measured.k_mean_entropy < _RUN_DOWN


def k_sentence(measured: Measurement) -> str:
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
        f"{measured.title}: {measured.k_mean_entropy:.1f} neighbours typically influence a point (K̂). The larger "
        "the view grows, the fewer neighbours count."
    )
