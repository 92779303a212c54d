"""find_leaks: columns that tell the label nearly perfectly by themselves, on rows that were held out one by one."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from datasets.base.dataset import UNLABELLED
from datasets.base.stratified import stratified_rows
from datasets.base.words import percent
from datasets.columns.cells import Column
from datasets.columns.names import words_of
from datasets.columns.spelt import spelt_numbers
from datasets.reading import on_one_line
from datasets.reading.widening import follows

_MOST_ROWS = 4_000
# Rows in all, rows that are not of the largest class, and so many of these that a single error is a slip.
_FEWEST_ROWS, _FEWEST_OTHERS, _MANY_OTHERS = 30, 8, 20
_MOST_CLASSES = 60  # the others count as one
_SKILL = 0.97  # of the errors of always naming the largest class, the share that a column avoids
_SKILL_OF_A_COPY, _EXACT = 0.7, 0.999  # of the same words, or numbers whose r² with the label is as large
_LEAST_APART, _MOST_OF_PAIRS = 1e-6, 300  # 1 - r² of two columns that may add up to the label; columns
_SKILL_BESIDE = 0.9  # of words, or of a name that begins alike, beside a column that gives the label away
_NUMBER = re.compile(r"\d+")
_AMOUNT = re.compile(r"\d+(?:\.\d+)?")
_FEWEST_AMOUNTS = 15  # different; an intensity rises with the few of a series of standards
_WORD = re.compile(r"[^\s,;|]+")  # of a list of answers
_RIGHT, _SKILL_WHERE_RARE = 0.99, 0.85  # of a rare class a few disagreements are a large share of these errors
_FEWEST_GROUPS, _FEWEST_WITHIN = 10, 3  # of rows; columns that are the same in each
_FEWEST_CLASSES, _ROWS_OF_A_CLASS, _NO_CHANCE = 3, 5, 3.0  # times as many rows as by chance
_SKILL_OF_CLASSES, _ALL_BUT_SLIPS, _LARGE = 0.3, 0.98, 0.05  # share of the rows in a class that one cell marks
_NEARLY_ALL = 0.95  # of the rows
_SEEN = 0.5  # share of the rows whose cell must occur in another row too
_MOST_MEASURED = 3  # more numbers with this skill are measurements of classes that lie apart
_MOST_OF_ONE = 12  # columns that are functions of a few; channels of a spectrum are more
_BESIDE = 3  # rows before and behind
_AGREE = 0.9
_AT_A_TIME = 1_000_000  # cells
_NAMED = 4
_EQUAL = 0.05  # share of the rows
_DIGITS = 9  # of the largest number, in which equal ones agree
_MOST_CROSSED, _FEW_TO_CROSS = 50, 12  # columns; values of each
_MANY = 100  # different numbers among 300 rows
_MOST_BOXES, _LEAST_GAIN = 200, 0.01  # columns; of skill, once it is enough
_MORE_PATTERNS, _FEW_PATTERNS = 2, 8  # than classes; of three boxes


@dataclass(frozen=True)
class Leaks:
    """Columns that give the label away, each alone or all together, follow from it or mark some classes."""

    columns: tuple[str, ...]
    together: bool
    share: float  # of the rows, whose label they give; of the worst column where each does it alone
    are_measured: bool = False  # whether all hold numbers that are not whole: classes may lie that far apart
    follow: bool = False  # whether they follow from the label instead
    mark: bool = False  # or mark some classes
    partly: bool = False  # whether many rows have gaps there
    within: str = ""  # a column that gives it away, in whose groups these are the same for all rows
    also: Leaks | None = None  # the last columns, which follow from the label or mark classes beside the others
    are_all: bool = False  # whether no other column would be left

    @property
    def sentence(self) -> str:
        """What they do, as in "'flag' alone gives the label in 99 % of rows."."""
        also = f" {self.also.sentence}" if self.also else ""
        own = self.columns[: len(self.columns) - len(self.also.columns)] if self.also else self.columns
        named = [repr(on_one_line(name)[:60]) for name in own]
        if len(named) > _NAMED:
            named[_NAMED - 1 :] = [f"{len(named) - _NAMED + 1} more columns"]
        names = " and ".join(filter(None, [", ".join(named[:-1]), named[-1]]))
        if self.follow:
            verb = "follows" if len(named) == 1 else "follow"
            return f"{names} {verb} from the label: nearly all rows of a class have the same value."
        if self.within:
            are = "is" if len(named) == 1 else "are"
            return f"{names} {are} the same for all rows of one {on_one_line(self.within)[:60]!r}."
        if self.mark:
            return f"{names} {'alone tells' if len(named) == 1 else 'each tell'} some of the classes."
        there = f" that have {'it' if len(named) == 1 else 'them'}" if self.partly else ""
        alone = "together give" if self.together else "alone gives" if len(named) == 1 else "each give"
        return f"{names} {alone} the label in {percent(math.floor(100 * self.share) / 100)} of rows{there}.{also}"

    def reason(self, name: str) -> str:
        """Why one of the columns is left out."""
        if self.also is not None and name in self.also.columns:
            return self.also.reason(name)
        if self.follow or self.mark:
            return "it follows from the label" if self.follow else "it tells some of the classes"
        return f"it is the same for all rows of one {self.within}" if self.within else "it gives the label away"


def find_leaks(
    columns: Sequence[Column], categories: Sequence[str], y: np.ndarray, label: Column | None = None
) -> Leaks | None:
    """Columns from which the label can be read, or a group of columns of which each marks one class.

    A row's label is predicted from its own cell in one column: by the most frequent label among the other rows with
    the same cell and, for numbers, among the rows next to it in their order. With e the share of wrong predictions
    and e₀ that of always naming the largest class, a column gives the label away where 1 − e / e₀ ≥ 0.97; one that is
    no measurement also where 1 − e / e₀ ≥ 0.85 and e ≤ 0.01; one that holds only words of the label, as predictions of
    it do, or numbers with r² ≥ 0.999 to those of the label, or to their ranks, where 1 − e / e₀ ≥ 0.7. Lists of words
    are judged by the best word of each class, too, and numbers that are functions of each other count once. A group
    does where all classes but one are each marked by a column: TP / (TP + FP + FN) ≥ 0.97. So do two columns where each
    pair of their cells is a class, two of numbers of which the label is a linear function with r² ≥ 0.999, and boxes
    whose patterns, eight or hardly more than there are classes, give it with 1 − e / e₀ ≥ 0.97.
    Where none of these is found, columns count whose cells follow from the label or mark some classes. Beside a column
    that gives the label away and names groups of rows, those count that are the same within each group; beside several
    of a numbered series the others of it. Of fewer than 30 rows only words of few kinds are judged.

    columns: the columns that would be trained on.
    categories: names of those that are no numbers.
    y: class codes, (n_rows,); UNLABELLED rows do not count.
    label: the column of the label.

    Returns None where there are none, or where only numbers do so and no other column would be left.
    """
    labelled = np.flatnonzero(y != UNLABELLED)
    is_small = len(labelled) < _FEWEST_ROWS
    if len(labelled) < 2 * _FEWEST_OTHERS or (is_small and len(columns) > _MOST_CROSSED):
        return None
    rng = np.random.default_rng(0)
    rows = labelled
    if len(rows) > _MOST_ROWS:
        rows = labelled[stratified_rows(y[labelled], _MOST_ROWS, rng)]
    rows = rng.permutation(rows)  # equal numbers must not keep the order of the file
    codes = _few_classes(y[rows])
    counts = np.bincount(codes)
    if len(rows) - counts.max() < _FEWEST_OTHERS:
        return None
    found = [
        _looked_at(column, column.name in categories, rows, codes)
        for column in _suspects(columns, categories, rows, codes)
        if not is_small or (column.name in categories and column.n_values * _ROWS_OF_A_CLASS <= len(rows))
    ]  # few numbers lie apart by chance, as do words of few rows each
    copies = set[str]()
    if label is not None and not is_small:
        copies = {column.name for column in columns if _copies(column, label, categories, rows)}
    if label is not None and label.kind == "words":  # most amounts are in a single row
        found = [
            replace(each, skill=1.0, share=1.0) if each.has_many_numbers and each.name in copies else each
            for each in found
        ]
    alone = [each for each in found if each.gives_label or (each.name in copies and each.skill >= _SKILL_OF_A_COPY)]
    own = {each.name for each in alone if each.has_many_numbers and each.name not in copies}
    if _has_many_orders([column.numbers.values[rows] for column in columns if column.name in own]):
        alone = [each for each in alone if not each.has_many_numbers or each.name in copies]
    if alone:  # words that tell nearly as much go with them, as state and country do, and what is called alike
        alone += [
            each for each in found if each not in alone and each.skill >= _SKILL_BESIDE and _goes_with(each, alone)
        ]
    if len(alone) == len(columns):  # measurements stay: classes may lie far apart in them
        if not any(each.is_words for each in alone):
            return None
        alone = [each for each in alone if not each.is_measured]
    first = None
    if alone:
        names, share = tuple(each.name for each in alone), min(each.share for each in alone)
        partly = min(each.share_seen for each in alone) < _NEARLY_ALL
        are_measured, are_all = all(each.is_measured for each in alone), len(alone) == len(columns)
        first = Leaks(names, False, share, are_measured, partly=partly, are_all=are_all)
    if is_small:
        return first
    first = first or _group(found, counts, len(columns)) or _crossed(columns, rows, codes)
    if first is None and label is not None and label.has_many_numbers:
        first = _sum_of_two(columns, categories, label, rows, codes)
    first = first or _ticked(columns, rows, codes, found)
    others = _within(columns, [each for each in found if each in alone], found, rows) if alone else None
    others = (
        others
        or _of_a_series(alone, found)
        or _following(
            [each for each in found if first is None or each.name not in first.columns],
            len(columns) - len(first.columns if first else ()),
        )
    )
    leaks = first or others
    if first is not None and others is not None and len(first.columns) + len(others.columns) < len(columns):
        measured = first.are_measured and others.are_measured
        leaks = replace(first, columns=(*first.columns, *others.columns), are_measured=measured, also=others)
    return leaks if leaks is not None and (leaks.are_all or len(leaks.columns) < len(columns)) else None


def _has_many_orders(numbers: Sequence[np.ndarray]) -> bool:
    """Whether more columns than a few are no functions of each other: p, its logarithm and the adjusted p are one."""
    kept: list[np.ndarray] = []
    for x in numbers if len(numbers) <= _MOST_OF_ONE else ():
        if not any(_rise_together(x, y) or _rise_together(x, -y) for y in kept):
            kept.append(x)
    return len(kept) > _MOST_MEASURED or len(numbers) > _MOST_OF_ONE


def _rise_together(x: np.ndarray, y: np.ndarray) -> bool:
    """Whether one never falls where the other rises."""
    both = np.isfinite(x) & np.isfinite(y)
    order = np.lexsort((y[both], x[both]))
    return bool(both.sum() >= _FEWEST_ROWS and (np.diff(y[both][order]) >= 0).all())


def _of_a_series(alone: Sequence[_Seen], found: Sequence[_Seen]) -> Leaks | None:
    """The other columns of a numbered series, several of which give the label away: "places 3" beside 1 and 2."""
    series = Counter(_NUMBER.sub("", each.name) for each in alone)
    others = [each.name for each in found if each not in alone and series[_NUMBER.sub("", each.name)] > 1]
    return Leaks(tuple(others), False, 0.0, mark=True) if others else None


def _goes_with(seen: _Seen, leaks: Sequence[_Seen]) -> bool:
    """Whether a column holds words, or its name begins as that of a leak does: "depth top" beside "depth"."""
    return seen.is_words or words_of(seen.name)[:1] in {words_of(each.name)[:1] for each in leaks}


def _within(columns: Sequence[Column], alone: list[_Seen], found: list[_Seen], rows: np.ndarray) -> Leaks | None:
    """Columns that are constant within each group of rows, if a column that gives the label away names the groups: they
    describe the school class, not the child."""
    by_name = {column.name: column for column in columns}
    for group in alone:
        groups = by_name[group.name].levels.codes[rows]
        if not _FEWEST_GROUPS <= len(np.unique(groups)) <= len(rows) / _ROWS_OF_A_CLASS:
            continue
        others = [each.name for each in found if each not in alone]
        names = tuple(name for name in others if follows(groups, by_name[name].levels.codes[rows]))
        if len(names) >= _FEWEST_WITHIN:
            return Leaks(names, False, 1.0, within=group.name)
    return None


def _copies(column: Column, label: Column, categories: Sequence[str], rows: np.ndarray) -> bool:
    """Whether it holds only words of the label, or numbers that rise or fall with those in the label."""
    if column.name in categories:
        return {cell.lower() for cell in label.levels.values}.issuperset(map(str.lower, column.levels.values))
    if not column.has_many_numbers or not (label.has_many_numbers or label.kind == "words"):
        return False
    x, y = column.numbers.values[rows], (label.numbers.values if label.has_many_numbers else _amounts(label))[rows]
    both = np.isfinite(x) & np.isfinite(y)
    x, y = x[both], y[both]
    is_enough = len(x) >= _FEWEST_ROWS if label.has_many_numbers else len(np.unique(y)) >= _FEWEST_AMOUNTS
    if not is_enough or not x.std() > 0 < y.std():
        return False
    return any(np.corrcoef(*both)[0, 1] ** 2 >= _EXACT for both in ((x, y), (_ranks(x), _ranks(y))))


def _amounts(column: Column) -> np.ndarray:
    """The number in each cell of words, as in "€25M" beside "free", (n_rows,); NaN where there is none."""
    found = {value: match[0] for value in column.levels.values if (match := _AMOUNT.search(value))}
    found |= spelt_numbers(list(found))
    return np.array([float(found.get(value, "nan")) for value in column.levels.values])[column.levels.codes]


def _ranks(values: np.ndarray) -> np.ndarray:
    """From 0; equal numbers share their mean."""
    _, codes, counts = np.unique(values, return_inverse=True, return_counts=True)
    return (np.cumsum(counts) - (counts + 1) / 2)[codes]


def _sum_of_two(
    columns: Sequence[Column], categories: Sequence[str], label: Column, rows: np.ndarray, y: np.ndarray
) -> Leaks | None:
    """Two columns of numbers of which the number to predict is a linear function, as a sum is of its parts."""
    own = [column for column in columns if column.name not in categories and column.has_many_numbers]
    values = [column.numbers.values[rows] for column in own[:_MOST_OF_PAIRS]]
    target = label.numbers.values[rows]
    if len(values) < 2 or not np.isfinite(target).all() or not target.std():
        return None
    X = np.stack([np.where(np.isfinite(each), each, np.nanmean(each)) for each in values], axis=1)
    kept = np.flatnonzero(X.std(axis=0) > 0)
    if len(kept) < 2:
        return None
    r = np.corrcoef(np.column_stack([X[:, kept], target]), rowvar=False)
    among, to = r[:-1, :-1], r[:-1, -1]  # of the columns with each other, with the label
    apart = np.where(1 - among**2 >= _LEAST_APART, 1 - among**2, np.inf)
    explained = (to[:, None] ** 2 + to**2 - 2 * to[:, None] * to * among) / apart
    a, b = np.unravel_index(int(explained.argmax()), explained.shape)
    if explained[a, b] < _EXACT:
        return None
    pair = np.column_stack([X[:, kept[[a, b]]], np.ones(len(rows))])
    fitted = pair @ np.linalg.lstsq(pair, target, rcond=None)[0]
    order = np.argsort(fitted, kind="stable")
    share = float((_by_neighbours(y[order]) == y[order]).mean())
    return Leaks((own[kept[a]].name, own[kept[b]].name), True, share, True)


def _following(found: list[_Seen], n_left: int) -> Leaks | None:
    """Columns that follow from the label, or else mark some of its classes; `n_left` are all others."""
    marking = [each for each in found if each.marks_some]
    if sum(not each.is_words for each in marking) > _MOST_MEASURED:
        marking = [each for each in marking if each.is_words]
    following = [each for each in found if each.follows] or marking
    if not following:
        return None
    if follow := following[0].follows:  # words of two values, too, as the fuel of a car beside its year
        more = [each for each in found if each.follows or (each.is_words and each.is_one_each)]
        following = more if len(more) < n_left else following
    names, are_numbers = tuple(each.name for each in following), not any(each.is_words for each in following)
    share = min(each.share for each in following)
    return Leaks(names, False, share, are_numbers, follow, mark=not follow)


def _few_classes(y: np.ndarray) -> np.ndarray:
    """Codes from 0 without a gap; the rarest of very many classes count as one."""
    _, codes, counts = np.unique(y, return_inverse=True, return_counts=True)
    if len(counts) > _MOST_CLASSES:
        rank = np.argsort(np.argsort(-counts, kind="stable"))
        codes = np.minimum(rank[codes], _MOST_CLASSES - 1)
    return np.asarray(codes)


def _suspects(columns: Sequence[Column], categories: Sequence[str], rows: np.ndarray, y: np.ndarray) -> list[Column]:
    """All categories and columns of few numbers; of the other numbers those whose neighbours in order agree, or are
    often equal."""
    kept: list[Column] = []
    many: list[Column] = []
    for column in columns:
        is_few = column.name in categories or len(np.unique(column.numbers.values[rows[:300]])) <= _MANY
        (kept if is_few else many).append(column)
    at_a_time = max(1, _AT_A_TIME // len(rows))
    for first in range(0, len(many), at_a_time):
        part = many[first : first + at_a_time]
        X = np.stack([column.numbers.values[rows] for column in part], axis=1)  # (n_rows, n_columns)
        order = np.argsort(X, axis=0, kind="stable")
        ordered, sizes = y[order], np.take_along_axis(X, order, axis=0)
        changes = (ordered[1:] != ordered[:-1]).mean(axis=0)
        equal = np.isclose(sizes[1:], sizes[:-1], rtol=10.0**-_DIGITS, atol=0.0).mean(axis=0)
        kept += [part[k] for k in np.flatnonzero((changes <= 1 - _AGREE) | (equal >= _EQUAL))]
    return kept


@dataclass(frozen=True)
class _Seen:
    """How well one column tells the label."""

    name: str
    skill: float
    share: float  # of right predictions
    share_seen: float  # of rows with one
    marks: np.ndarray  # bool (n_classes,), the classes that it marks
    is_measured: bool  # numbers that are not whole
    is_words: bool = False
    has_many_numbers: bool = False
    follows: bool = False  # from the label
    marks_some: bool = False
    is_one_each: bool = False  # the same in nearly all rows of a class, not in all classes

    @property
    def gives_label(self) -> bool:
        nearly_all_right = self.share >= _RIGHT and self.skill >= _SKILL_WHERE_RARE
        return self.skill >= _SKILL or (nearly_all_right and not self.is_measured)


def _looked_at(column: Column, is_category: bool, rows: np.ndarray, y: np.ndarray) -> _Seen:
    values = column.numbers.values[rows]
    cells = column.levels.codes[rows]
    if not is_category:  # 1 and 0.9999999999 are one cell
        largest = np.abs(values[np.isfinite(values)]).max(initial=0.0) or 1.0
        cells = np.unique(np.round(values / largest, _DIGITS), return_inverse=True)[1]
    guesses = [_by_cell(cells, y)]
    if is_category and column.kind == "words" and (by_word := _by_word(column.levels.values, cells, y)) is not None:
        guesses.append((by_word, ~column.levels.missing[cells]))
    if not is_category:
        order, known = np.argsort(values, kind="stable"), ~np.isnan(values)
        back = np.argsort(order)
        guesses.append((_by_neighbours(y[order])[back], known))
        if column.is_whole and len(np.unique(values)) == len(values):
            guesses.append((_by_side(y[order])[back], known))
    judged = [_judged(column, is_category, y, *guess) for guess in guesses]
    marks = np.any([each.marks for each in judged], axis=0)
    best = max(judged, key=lambda each: each.skill)
    has_many = not is_category and column.has_many_numbers
    is_words = is_category and column.kind == "words"
    is_one_each, are_many, marks_some = _of_classes(cells, y, is_words=is_words)
    large = np.bincount(y) >= max(_FEWEST_OTHERS, _LARGE * len(y))
    by_cell = judged[0].marks & large  # a flag or, of whole numbers, 0 where there is nothing to count
    can_mark = len(marks) >= _FEWEST_CLASSES and (is_words or column.is_whole)
    marks_some = marks_some or (can_mark and bool(by_cell.any()))
    return replace(
        best,
        marks=marks,
        is_words=is_words,
        has_many_numbers=has_many,
        follows=is_one_each and are_many,
        marks_some=marks_some,
        is_one_each=is_one_each,
    )


def _of_classes(cells: np.ndarray, y: np.ndarray, *, is_words: bool) -> tuple[bool, bool, bool]:
    """Whether all rows of a class have the same cell, as the continent of each country; whether these cells are so many
    that this follows from the label; and whether most rows have cells, of words, that occur in one class only, as the
    results of the other side of a game. Of three classes or more.

    Numbers must have more different cells than half of the classes: measurements may be equal in a class. Rows count
    whose cell occurs twice or more; by chance a share of Σ_c p_c^s of those of a cell with s rows would.
    """
    counts = np.zeros((int(cells.max()) + 1, int(y.max()) + 1), dtype=int)
    np.add.at(counts, (cells, y), 1)
    counts = counts[counts.any(axis=1)]
    n_cells, n_classes = counts.shape
    if n_classes < _FEWEST_CLASSES:
        return False, False, False
    shares, sizes = counts.sum(axis=0) / len(y), counts.sum(axis=1)
    base, share = shares.max(), counts.max(axis=1).sum() / len(y)
    are_many = n_cells >= _FEWEST_CLASSES and (is_words or n_classes < 2 * n_cells)
    is_one_each = bool(counts.max(axis=0).sum() >= _ALL_BUT_SLIPS * len(y)) and len(y) >= _ROWS_OF_A_CLASS * n_classes
    is_pure = (counts.max(axis=1) == sizes) & (sizes > 1)
    n_pure, n_marked = int(sizes[is_pure].sum()), len(set(counts[is_pure].argmax(axis=1).tolist()))
    by_chance = sum(size * float((shares**size).sum()) for size in sizes[sizes > 1].tolist())
    return (
        is_one_each and bool(len(y) - sizes.max() >= max(_FEWEST_OTHERS, _LARGE * len(y))),
        are_many and bool(share - base >= _SKILL_OF_CLASSES * (1 - base)),
        is_words and n_marked > 1 and 2 * n_pure >= len(y) and n_pure >= _NO_CHANCE * by_chance,
    )


def _judged(column: Column, is_category: bool, y: np.ndarray, guess: np.ndarray, seen: np.ndarray) -> _Seen:
    counts = np.bincount(y)
    right = guess == y
    others = np.bincount(y[seen], minlength=len(counts))
    by_chance = int(others.sum() - others.max(initial=0))  # errors of always naming the largest class
    n_wrong = int((~right & seen).sum())
    is_one_slip = n_wrong <= 1 and by_chance >= _MANY_OTHERS
    enough = seen.mean() >= _SEEN and by_chance >= _FEWEST_OTHERS
    true = np.bincount(y[right], minlength=len(counts))
    union = counts + np.bincount(guess, minlength=len(counts)) - true
    return _Seen(
        column.name,
        (1.0 if is_one_slip else 1.0 - n_wrong / by_chance) if enough else 0.0,
        1.0 - n_wrong / max(1, int(seen.sum())),
        float(seen.mean()),
        (true >= _SKILL * union) & (counts >= 2),
        not is_category and not column.is_whole,
    )


def _counts(cells: np.ndarray, y: np.ndarray) -> np.ndarray:
    """How many rows each cell has of each class, (n_cells, n_classes)."""
    n_classes = int(y.max()) + 1
    return np.bincount(cells * n_classes + y, minlength=(int(cells.max()) + 1) * n_classes).reshape(-1, n_classes)


def _by_cell(cells: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """For each row the most frequent label among the other rows with its cell, and whether there are such rows."""
    counts = _counts(cells, y)
    own = counts[cells]  # (n_rows, n_classes)
    own[np.arange(len(y)), y] -= 1
    seen = own.sum(axis=1) > 0
    return np.where(seen, own.argmax(axis=1), np.bincount(y).argmax()), seen


def _by_word(values: Sequence[str], cells: np.ndarray, y: np.ndarray) -> np.ndarray | None:
    """For each row the label that a word in its cell marks, and else the largest class without such a word, as a list
    of answers tells each of them; None where no word of several cells marks a class."""
    holding: dict[str, list[int]] = {}
    for k, value in enumerate(values[: int(cells.max()) + 1]):
        for word in set(_WORD.findall(value)):
            holding.setdefault(word, []).append(k)
    of_several = [levels for levels in holding.values() if len(levels) > 1]
    if not of_several:
        return None
    counts, sizes = _counts(cells, y), np.bincount(y)
    marked: dict[int, tuple[float, list[int]]] = {}
    for levels in of_several:
        with_word = counts[levels].sum(axis=0)
        k = int(with_word.argmax())
        match = float(with_word[k] / (with_word.sum() + sizes[k] - with_word[k]))
        marked[k] = max(marked.get(k, (_SKILL, [])), (match, levels))
    told = {k: levels for k, (_, levels) in marked.items() if levels}
    guess = np.full(len(counts), np.where(np.isin(np.arange(len(sizes)), list(told)), 0, sizes).argmax())
    for k, levels in told.items():
        guess[levels] = k
    return np.asarray(guess[cells]) if told else None


def _by_neighbours(y: np.ndarray) -> np.ndarray:
    """The most frequent label among the rows before and behind each row of an ordered column."""
    marks = np.eye(int(y.max()) + 1, dtype=np.int8)[y]  # (n_rows, n_classes)
    windows = sliding_window_view(np.pad(marks, ((_BESIDE, _BESIDE), (0, 0))), 2 * _BESIDE + 1, axis=0)
    return np.asarray((windows.sum(axis=-1) - marks).argmax(axis=1))


def _by_side(y: np.ndarray) -> np.ndarray:
    """The label before or behind each row of an ordered identifier, whichever is right: classes end somewhere."""
    before, behind = np.concatenate([y[:1], y[:-1]]), np.concatenate([y[1:], y[-1:]])
    return np.where(before == y, before, behind)


def _crossed(columns: Sequence[Column], rows: np.ndarray, y: np.ndarray) -> Leaks | None:
    """Two columns of few values each pair of whose cells is a class, as genotype and diet where the groups are named by
    both, or tells it, as the goals of both sides tell who won."""
    n_classes = int(y.max()) + 1
    if len(columns) < 3:
        return None
    few = [column for column in columns if 2 <= column.n_values <= max(n_classes // 2, _FEW_TO_CROSS)][:_MOST_CROSSED]
    codes = [np.unique(column.levels.codes[rows], return_inverse=True)[1] for column in few]
    for a, b in combinations(range(len(codes)), 2):
        pairs = np.unique(codes[a] * (codes[b].max() + 1) + codes[b], return_inverse=True)[1]
        n_pairs, most = int(pairs.max()) + 1, n_classes // 2
        if (
            n_pairs == n_classes == len(np.unique(pairs * n_classes + y))
            and max(few[a].n_values, few[b].n_values) <= most
        ):
            return Leaks((few[a].name, few[b].name), True, 1.0)
        if n_pairs * _ROWS_OF_A_CLASS > len(rows) or _counts(pairs, y).max(axis=1).sum() < _NEARLY_ALL * len(rows):
            continue
        judged = _judged(few[a], True, y, *_by_cell(pairs, y))
        if judged.skill >= _SKILL:
            return Leaks((few[a].name, few[b].name), True, judged.share)
    return None


def _purity(cells: np.ndarray, y: np.ndarray) -> float:
    """Σ n²(cell, class) / n(cell): a second flag of three may tell more though no more rows are predicted by it."""
    counts = _counts(cells, y)
    return float((np.square(counts).sum(axis=1) / np.maximum(1, counts.sum(axis=1))).sum())


def _ticked(columns: Sequence[Column], rows: np.ndarray, y: np.ndarray, found: Sequence[_Seen]) -> Leaks | None:
    """Columns of two values, or one and blank, whose combinations predict the label, with at most eight combinations or
    two more than classes. Chosen greedily; other such columns that mark a class or follow from these are added."""
    boxes = [column for column in columns if column.n_values + (column.n_missing > 0) == 2][:_MOST_BOXES]
    codes = {box: np.unique(box.levels.codes[rows], return_inverse=True)[1] for box in boxes}
    patterns, chosen, best, share = np.zeros(len(y), dtype=int), list[str](), 0.0, 0.0
    while len(chosen) < len(boxes) < len(columns):
        box = max(boxes, key=lambda each: _purity(2 * patterns + codes[each], y))
        judged = _judged(box, True, y, *_by_cell(2 * patterns + codes[box], y))
        if best >= _SKILL and judged.skill < best + _LEAST_GAIN:
            break
        chosen.append(box.name)
        best, share = judged.skill, judged.share
        patterns = np.unique(2 * patterns + codes[box], return_inverse=True)[1]
        if patterns.max() >= max(_FEW_PATTERNS, y.max() + 1 + _MORE_PATTERNS):
            return None
    of_boxes = {box.name for box in boxes}
    also = [each.name for each in found if each.marks.any() and each.name in of_boxes]
    follow = [box.name for box in boxes if len(np.unique(2 * patterns + codes[box])) == patterns.max() + 1]
    names = tuple(dict.fromkeys((*chosen, *also, *follow)))
    return Leaks(names, True, share) if best >= _SKILL and len(names) < len(columns) else None


def _group(found: Sequence[_Seen], counts: np.ndarray, n_columns: int) -> Leaks | None:
    """The columns that mark one class each, where they leave at most one class; of more columns than rows some
    measurements would by chance."""
    marked: dict[int, str] = {}
    found = [each for each in found if not (each.has_many_numbers and n_columns > counts.sum())]
    for each in sorted(found, key=lambda each: each.is_measured):
        for k in np.flatnonzero(each.marks):
            marked.setdefault(int(k), each.name)
    names = tuple(dict.fromkeys(marked.values()))
    if len(counts) < 3 or len(marked) < len(counts) - 1 or not 1 < len(names) < n_columns:
        return None
    return Leaks(names, True, 1.0)
