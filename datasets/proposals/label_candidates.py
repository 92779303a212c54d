"""Which columns could be the label: scored by name, content and, weakly, by position; each with its classes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from datasets.columns import ColumnFacts
from datasets.columns.cells import levels_of, numbers_of
from datasets.proposals.names import label_score, names_code, names_time
from datasets.proposals.whole_numbers import many_numbers, whole
from datasets.reading import Table

MOST_CLASSES_SHOWN = 12
_FEW = 20
_SURE_SCORE = 3.0
_SURE_ALONE = 2.5
_SURE_MARGIN = 1.5


@dataclass(frozen=True)
class LabelCandidate:
    """A column that could be the label.

    Attributes
    ----------
    name : str
        Of the column.
    reason : str
        Why, to stand behind "because".
    score : float
        The greater the better.
    mode : str
        A key of LABEL_MODES: "bins" where it holds many different numbers.
    n_classes : int
        Different labels.
    classes : tuple[tuple[str, int], ...]
        (label, rows) of the most frequent ones, at most MOST_CLASSES_SHOWN.
    n_unlabelled : int
        Rows without a label.
    n_single : int
        Classes of one row.
    """

    name: str
    reason: str
    score: float
    mode: str
    n_classes: int
    classes: tuple[tuple[str, int], ...]
    n_unlabelled: int
    n_single: int


def label_candidates(table: Table, facts: tuple[ColumnFacts, ...]) -> tuple[LabelCandidate, ...]:
    """All columns that could be the label, best first."""
    n = len(table.rows)
    words = [f.name for f in facts if f.kind == "words" and 2 <= f.n_values <= n // 2]
    names = [f.name for f in facts]
    found = []
    for place, fact in enumerate(facts):
        by_name = label_score(fact.name, names)
        if not _possible(table, fact, by_name):
            continue
        candidate = described(table, fact.name)
        if candidate.n_classes < 2 or (candidate.mode == "classes" and candidate.n_single == candidate.n_classes):
            continue
        score, reasons = _by_content(table, fact, candidate)
        if by_name > 0:
            reasons.insert(0, f"its name is {fact.name!r}")
        score += by_name
        if words == [fact.name]:
            score += 1.0
            reasons.append("it is the only column of words that repeat")
        if place == len(facts) - 1:
            score += 1.0
            reasons.append("it is the last column")
        elif place == 0:
            score += 0.5
        found.append(_with(candidate, score, " and ".join(reasons[:2])))
    return tuple(sorted(found, key=lambda candidate: -candidate.score))


def is_sure(candidates: tuple[LabelCandidate, ...]) -> bool:
    """Whether the first candidate needs no question: it stands alone, or well above the second."""
    if not candidates:
        return False
    if len(candidates) == 1:
        return candidates[0].score >= _SURE_ALONE
    return candidates[0].score >= _SURE_SCORE and candidates[0].score - candidates[1].score >= _SURE_MARGIN


def described(table: Table, name: str) -> LabelCandidate:
    """A column as a label: its classes with their counts."""
    levels = levels_of(table, name)
    named = np.array([bool(cell) for cell in levels.values], dtype=bool)  # "NA" can be the name of a class
    there = np.flatnonzero(named & (levels.counts > 0))
    order = there[np.argsort(-levels.counts[there], kind="stable")]
    shown = tuple((levels.values[k], int(levels.counts[k])) for k in order[:MOST_CLASSES_SHOWN])
    mode = "bins" if many_numbers(levels, numbers_of(table, name)) else "classes"
    n_single = int(np.sum(levels.counts[there] == 1))
    return LabelCandidate(
        name, "chosen by you", 0.0, mode, len(there), shown, int(levels.counts[~named].sum()), n_single
    )


def _with(candidate: LabelCandidate, score: float, reason: str) -> LabelCandidate:
    c = candidate
    return LabelCandidate(c.name, reason, score, c.mode, c.n_classes, c.classes, c.n_unlabelled, c.n_single)


def _possible(table: Table, fact: ColumnFacts, by_name: float) -> bool:
    n_present = len(table.rows) - fact.n_missing
    if fact.n_values < 2 or fact.kind in ("dates", "empty") or names_code(fact.name):
        # "NA" and one other name, or "1" and "01": what is missing or equal as a number can be the name of a class.
        return by_name >= 5 and fact.kind != "dates" and not names_code(fact.name)
    if fact.kind == "words":
        return fact.n_values <= max(2, n_present // 2)
    if by_name >= 3 and not names_time(fact.name):
        return True
    return fact.n_values <= min(_FEW, max(2, n_present // 4)) and whole(numbers_of(table, fact.name))


def _by_content(table: Table, fact: ColumnFacts, candidate: LabelCandidate) -> tuple[float, list[str]]:
    score, reasons = 0.0, []
    n_present = len(table.rows) - fact.n_missing
    if candidate.mode == "bins":
        return -1.0, ["it holds many different numbers"]
    if fact.kind == "words":
        score += 1.5
        reasons.append(f"it holds {candidate.n_classes} different words")
    elif fact.n_values == 2:
        score += 1.25
        reasons.append("it holds two different numbers")
    else:
        score += 0.75
        reasons.append(f"it holds {candidate.n_classes} different whole numbers")
    score += 1.0 if candidate.n_classes <= _FEW and candidate.n_single == 0 else 0.0
    if candidate.n_single > 0.2 * candidate.n_classes:
        score -= 2.0
    if candidate.n_classes > 50:
        score -= 1.5
    if fact.n_missing > n_present:
        score -= 2.0
    return score, reasons
