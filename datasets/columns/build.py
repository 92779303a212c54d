"""build_dataset: a ColumnPlan, which holds every choice between a table and a data set, carried out."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice, pairwise

import numpy as np

from datasets.base.dataset import UNLABELLED, Category, Dataset, Source, SplitColumn
from datasets.base.errors import DataError
from datasets.base.words import counted, first_few, on_one_line
from datasets.columns.cells import Column, column_of, sentinel_note
from datasets.columns.names import names_groups
from datasets.reading import Limits, Table, as_number, is_missing
from datasets.reading.table import unique_names

_MOST_SPLIT_COLUMNS = 10
_TIME_NAME = re.compile(r"(?:^|[^a-z])(?:date|time|year|month|day|week|timestamp)s?(?:[^a-z]|$)", re.IGNORECASE)
_FEWEST_ROWS = 3
_FEWEST_BLANK = 3  # features; of fewer a row may lack a value in all
_MOST_CLASSES = 1_000
_REASONS_SHOWN = 3
_ALIKE = 1.5  # times the smallest of classes of about equal frequency
_NAMES_SHOWN = 20
_MOST_NAMED_ROWS = 100_000
_LONGEST_ROW_NAME = 40
MOST_LEVELS = 20
MISSING_LEVEL = "(missing)"
OTHER_LEVEL = "other"
LABEL_MODES = {"classes": "classes", "bins": "numbers, cut into classes", "continuous": "numbers, used as they are"}
MISSING_CHOICES = {
    "drop_rows": "leave out rows with a missing value",
    "drop_columns": "leave out columns with a missing value",
    "impute": "fill each gap with its column's median",
}
CATEGORY_GAPS = {
    "gap": "a missing value like any other",
    "level": "a level of its own",
    "most_frequent": "the most frequent level",
}
SINGLES_CHOICES = {
    "keep": "keep them",
    "leave_out": "draw them, but do not train on them",
    "merge": "merge them into one class",
}


@dataclass(frozen=True)
class ColumnPlan:
    """Which columns are used, and how."""

    label: str | None
    label_reason: str  # why this one was proposed
    features: tuple[str, ...]  # columns that become features, categories included
    left_out: tuple[tuple[str, str], ...]  # (name, reason) of the others
    categories: tuple[str, ...] = ()  # those of the features that are one-hot encoded
    ordered: tuple[str, ...] = ()  # those whose answers on a scale count 1, 2, 3, …
    label_mode: str = "classes"  # a key of LABEL_MODES
    n_bins: int = 3  # classes of equal frequency for the modes "bins" and "continuous"
    missing: str = "drop_rows"  # a key of MISSING_CHOICES
    singles: str = "keep"  # a key of SINGLES_CHOICES, for classes with one row
    category_gaps: str = "gap"  # a key of CATEGORY_GAPS: what a missing cell of a category counts as
    odd_as_missing: tuple[str, ...] = ()  # columns whose cells that are not usable numbers count as missing
    spellings: tuple[tuple[str, str], ...] = ()  # (as written, class it counts as, "" for none) of some labels
    merge_spellings: bool = False  # whether spellings of one level of a category are merged
    row_names: str = ""  # the column that names the rows, "" without one


def build_dataset(table: Table, plan: ColumnPlan) -> Dataset:
    """Build the data set that `plan` describes; its notes count what was left out, filled or cleaned.

    Raises DataError with line and column for a cell that is neither a number nor missing, an infinite or too large
    value, labels that cannot be trained on, or where too few rows are left or all are equal.
    """
    if plan.label is None:
        raise DataError(f"{table.name}: no column looks like a label. Choose the label column.")
    if not plan.features:
        raise DataError(f"{table.name}: {nothing_to_project(plan.left_out)}.")
    kept, costs = _without_gaps(table, plan)
    features: list[_Features] = []
    for name in kept.features:
        column = column_of(table, name)
        if name in plan.categories:
            features.append(_categorical(column, plan, kept.rows, sum(len(each.names) for each in features)))
        else:
            features.append(_numeric(column, plan, kept.rows))
    X = np.hstack([each.X for each in features])
    if len(X) < _FEWEST_ROWS:
        few = counted(len(X), "usable row is", "usable rows are")
        raise DataError(f"{table.name}: {few} too few; at least {_FEWEST_ROWS} are needed.")
    if (X[0] == X).all():
        raise DataError(f"{table.name}: all rows are equal, so there is nothing to tell apart. Choose other features.")
    labels = _labels(column_of(table, plan.label), plan, kept.rows)
    # What costs most stands first.
    notes = [*costs, *table.all_notes, f"Label: {plan.label} ({plan.label_reason})."]
    notes += left_out_note(plan.left_out)
    categories = [each.category for each in features if each.category is not None]
    notes += [note for each in features for note in each.notes]
    notes += [*_categories_note(categories), *_spellings_note(table, plan), *labels.notes, *_duplicates(X, labels.y)]
    gaps = np.hstack([each.gaps for each in features])
    return Dataset(
        name=table.name,
        X=X,
        y=labels.y,
        feature_names=unique_names(tuple(name for each in features for name in each.names)),
        class_names=labels.names,
        source=Source(f"uploaded: {table.name}"),
        target=labels.target,
        row_numbers=table.line_numbers[kept.rows],
        row_word="line",
        row_names=_row_names(table, plan.row_names, kept.rows),
        notes=tuple(notes),
        gaps=gaps if gaps.any() else None,
        categories=tuple(categories),
        split_columns=_split_columns(table, plan.label, kept.rows),
    )


def _row_names(table: Table, name: str, rows: np.ndarray) -> np.ndarray | None:
    """The cells of a column, of the rows in a mask, cut; a number with the column's name. None for very many rows."""
    if not name or rows.sum() > _MOST_NAMED_ROWS:
        return None
    column, cells = column_of(table, name), table.column(name)
    before = f"{name} " if column.kind == "numbers" else ""
    named = [on_one_line(f"{before}{cells[k]}") if not is_missing(cells[k]) else "" for k in np.flatnonzero(rows)]
    most = _LONGEST_ROW_NAME
    return np.array([each if len(each) <= most else f"{each[: most - 1]}…" for each in named])


def _split_columns(table: Table, label: str, rows: np.ndarray) -> tuple[SplitColumn, ...]:
    columns = (split_column(column_of(table, name), rows) for name in table.cells.column_names if name != label)
    return tuple(islice(filter(None, columns), _MOST_SPLIT_COLUMNS))


def split_column(column: Column, rows: np.ndarray) -> SplitColumn | None:
    """What the rows that stay, bool (n_rows,), can be split by in a column; None if it neither repeats nor orders."""
    n, name = int(rows.sum()), re.sub(r"(?<=[a-z])(?=[A-Z])", " ", column.name)
    repeats = 1 < column.n_values <= n // 2
    named = names_groups(name) and not column.times
    timed = column.kind == "dates" or (bool(_TIME_NAME.search(name)) and column.kind == "numbers")
    if not timed and not (repeats and (named or column.kind == "words")):
        return None
    levels, times = column.levels, None
    codes = np.where(levels.missing[levels.codes], -1, levels.codes)[rows].astype(np.int32)
    if timed and (column.kind == "numbers" or column.are_epochs):
        times = column.numbers.values[rows]
    elif timed:
        import pandas as pd  # half a second, for which the server does not wait

        parsed = pd.to_datetime(pd.Series(levels.values), errors="coerce", format="mixed", utc=True)
        order = np.where(parsed.isna(), np.nan, parsed.astype("int64"))  # (n_levels,)
        times = order[levels.codes][rows]
    return SplitColumn(column.name, codes if repeats else np.full(n, -1, dtype=np.int32), times, named and repeats)


def left_out_note(left_out: tuple[tuple[str, str], ...]) -> list[str]:
    """The columns that are no features, (name, reason), the first few of each reason; no line where there are none."""
    by_reason: dict[str, list[str]] = {}
    for name, why in left_out:
        by_reason.setdefault(why, []).append(name)
    groups = [f"{_few(names)} ({why})" for why, names in by_reason.items()]
    return [f"Left out: {'; '.join(groups)}."] if groups else []


def _few(names: list[str]) -> str:
    more = len(names) - _NAMES_SHOWN
    return ", ".join(names[:_NAMES_SHOWN]) + (f" and {more:,} more" if more > 0 else "")


def nothing_to_project(left_out: tuple[tuple[str, str], ...]) -> str:
    """That no column is left, and the reasons of the first few."""
    why = "; ".join(f"{name}: {reason}" for name, reason in left_out[:_REASONS_SHOWN])
    return f"no column is left to project ({why})"


@dataclass(frozen=True)
class _Features:
    """Columns of X for one column of the table, without gaps: a category becomes a 0/1 column for each level."""

    X: np.ndarray  # (n_kept_rows, n_columns)
    names: tuple[str, ...]
    gaps: np.ndarray  # bool (n_kept_rows, n_columns)
    notes: tuple[str, ...] = ()
    category: Category | None = None


def _numeric(column: Column, plan: ColumnPlan, rows: np.ndarray) -> _Features:
    if column.name in plan.ordered:
        values = column.ranks
        notes: tuple[str, ...] = (f"{column.name} counts {len(column.order)} steps: {' < '.join(column.order)}.",)
    else:
        values, notes = column.as_numbers(column.name in plan.odd_as_missing)
    if said := sentinel_note(column.name, values):
        notes = (*notes, said)
    values = values[rows][:, None]
    gaps = np.isnan(values)
    return _Features(np.where(gaps, np.nanmedian(values), values), (column.name,), gaps, notes)


def _categorical(column: Column, plan: ColumnPlan, rows: np.ndarray, first: int) -> _Features:
    category = _category(column, rows, plan, first)
    most = Limits().columns
    if first + category.width > most:
        raise DataError(
            f"{column.table}: encoding {column.name!r} with its {category.width:,} values makes more than {most:,} "
            "columns. Leave it out."
        )
    X, levels = category.encoded(np.ones(len(category.codes), dtype=bool))
    names = tuple(f"{column.name} = {level}" for level in levels)
    return _Features(X, names, np.zeros(X.shape, dtype=bool), category=category)


def _spellings_note(table: Table, plan: ColumnPlan) -> list[str]:
    """The columns in which spellings were merged, with how many of them."""
    merged = {}
    if any(name for cell, name in plan.spellings if cell):
        merged[plan.label] = sum(bool(cell and name) for cell, name in plan.spellings)
    for name in plan.categories if plan.merge_spellings else ():
        column = column_of(table, name)
        merged[name] = len(column.levels.values) - len(column.merged_levels.values)
    there = [f"{name} ({n:,})" for name, n in merged.items() if n]
    what = "capitals, blanks, accents or footnote marks"
    return [f"Spellings that differ in {what} only were merged: {_few(there)}."] if there else []


def _duplicates(X: np.ndarray, y: np.ndarray) -> list[str]:
    """How many rows repeat an earlier one, and how many of them under another label than the first."""
    # + 0.0: −0 and 0 are the same number.
    rows = np.ascontiguousarray(X + 0.0).view(np.dtype((np.void, X.shape[1] * X.itemsize))).ravel()
    _, first, which = np.unique(rows, return_index=True, return_inverse=True)
    repeated, conflicting = len(X) - len(first), int(np.sum(y != y[first[which]]))
    if not repeated:
        return []
    clash = f", {conflicting:,} of them under another label" if conflicting else ""
    return [f"{counted(repeated, 'row repeats', 'rows repeat')} the features of an earlier row{clash}."]


@dataclass(frozen=True)
class MissingCost:
    """What one way of handling missing values leaves of a table, and how many cells it fills in."""

    rows: np.ndarray  # bool (n_rows,), the rows that stay
    features: tuple[str, ...]  # the columns that stay
    n_filled: int
    gaps: tuple[tuple[str, int], ...]  # columns with their missing cells, left out with rows or filled in, most first

    @property
    def n_rows(self) -> int:
        return int(self.rows.sum())

    @property
    def n_columns(self) -> int:
        return len(self.features)

    def stays(self, n_rows: int, n_columns: int) -> str:
        """What stays of so many rows and columns, in words."""
        filled = f", {counted(self.n_filled, 'cell')} filled" if self.n_filled else ""
        return f"{self.n_rows:,} of {n_rows:,} rows and {self.n_columns:,} of {n_columns:,} columns stay{filled}"


def _gaps(table: Table, plan: ColumnPlan) -> dict[str, np.ndarray]:
    """Missing cells of each feature, bool (n_rows,); none where a missing category is a level or filled by itself."""
    gaps = {name: column_of(table, name).numbers.gaps for name in plan.features}
    gaps |= {name: gaps[name] | column_of(table, name).odd for name in plan.odd_as_missing if name in gaps}
    if plan.category_gaps != "gap":
        gaps |= {name: np.zeros(table.n_rows, dtype=bool) for name in plan.categories}
    return gaps


def _blank_rows(table: Table, plan: ColumnPlan) -> np.ndarray:
    """Rows without a value in any of several features, categories too, bool (n_rows,)."""
    blank = np.full(table.n_rows, len(plan.features) >= _FEWEST_BLANK)
    for gap in _gaps(table, replace(plan, category_gaps="gap")).values():
        blank &= gap
    return blank


def _kept_by(gaps: dict[str, np.ndarray], rows: np.ndarray, choice: str) -> MissingCost:
    """The columns that one of MISSING_CHOICES leaves, and which of the `rows` that have a value."""
    if choice == "drop_columns":
        return MissingCost(rows, tuple(name for name, gap in gaps.items() if not gap.any()), 0, ())
    if choice == "drop_rows":
        for gap in gaps.values():
            rows = rows & ~gap
        counts = {name: int(gap.sum()) for name, gap in gaps.items()}
    else:
        gaps = {name: gap for name, gap in gaps.items() if not gap.all()}
        blank = np.full(len(rows), bool(gaps))
        for gap in gaps.values():
            blank &= gap
        rows = rows & ~blank
        counts = {name: int((gap & rows).sum()) for name, gap in gaps.items()}
    named = tuple((name, counts[name]) for name in sorted(counts, key=lambda name: -counts[name]) if counts[name])
    return MissingCost(rows, tuple(gaps), sum(counts.values()) if choice == "impute" else 0, named)


def in_columns(counts: Sequence[tuple[str, int]]) -> str:
    """The first few columns with their counts, as in "age (12), weight (3)"."""
    return first_few([f"{name} ({n:,})" for name, n in counts])


def missing_costs(table: Table, plan: ColumnPlan) -> dict[str, MissingCost]:
    """What each of MISSING_CHOICES would leave of the plan's features."""
    gaps = _gaps(table, plan)
    rows = ~_blank_rows(table, plan)
    return {choice: _kept_by(gaps, rows, choice) for choice in MISSING_CHOICES}


def _without_gaps(table: Table, plan: ColumnPlan) -> tuple[MissingCost, list[str]]:
    """What the plan's choice leaves, and sentences about its cost.

    Raises DataError where no row or no column is left.
    """
    gaps, n = _gaps(table, plan), table.n_rows
    kept = _kept_by(gaps, ~_blank_rows(table, plan), plan.missing)
    if not kept.features:
        raise DataError(f"{table.name}: every column has a missing value, so nothing is left. Leave out rows instead.")
    if not kept.rows.any():
        raise DataError(
            f"{table.name}: every row has a missing value, so nothing is left. Fill the gaps first: choose "
            f"{MISSING_CHOICES['impute']!r} or leave out the emptiest columns."
        )
    notes = []
    n_gone = n - kept.n_rows
    if n_gone:
        drops = plan.missing == "drop_rows"
        what = f"missing values in {in_columns(kept.gaps)}" if drops and kept.gaps else "no value in any feature"
        have, were = ("has", "was") if n_gone == 1 else ("have", "were")
        notes.append(f"{n_gone:,} of {n:,} rows {have} {what} and {were} left out.")
    stays = set(kept.features)
    gone = [name for name in plan.features if name not in stays]
    if gone:
        columns = counted(len(gone), "column with missing values was", "columns with missing values were")
        notes.append(f"{columns} left out: {first_few(gone)}.")
    if kept.n_filled:
        in_categories = any(gaps[name].any() for name in plan.categories if name in stays)
        most = " (of a category, with its most frequent level)" if in_categories else ""
        filled = counted(kept.n_filled, "missing cell was", "missing cells were")
        named = in_columns(kept.gaps)
        notes.append(f"{filled} filled with the median of the column{most}, taken from the training rows: {named}.")
    return kept, notes


def _category(column: Column, rows: np.ndarray, plan: ColumnPlan, first: int) -> Category:
    """Choose the columns of a category for the rows that stay, bool (n_rows,); a level in none of them makes no column.

    Missing cells become a level of their own where the plan says so, else they count as the most frequent level.

    Raises DataError where the column has more than MOST_LEVELS levels and none of them repeats.
    """
    levels = column.merged_levels if plan.merge_spellings else column.levels
    codes = levels.codes[rows]
    counts = np.where(levels.missing, 0, np.bincount(codes, minlength=len(levels.values)))
    there, other, missing = np.flatnonzero(counts), "", ""
    if len(there) > MOST_LEVELS:
        if counts.max() < 2:
            raise DataError(
                f"{column.table}: no value of column {column.name!r} repeats, so it cannot be used as categories. "
                "Leave it out."
            )
        by_count = there[np.argsort(-counts[there], kind="stable")][: MOST_LEVELS - 1]
        there = by_count[counts[by_count] > 1]
        other = _free(OTHER_LEVEL, [levels.values[k] for k in there])
    n_missing = int(levels.missing[codes].sum())
    if n_missing and plan.category_gaps == "level":
        missing = _free(MISSING_LEVEL, [*(levels.values[k] for k in there), other])
    elif n_missing and not len(there):
        raise DataError(f"{column.table}: column {column.name!r} is empty in all {n_missing:,} rows that stay.")
    width = len(there) + bool(other) + bool(missing)
    return Category(column.name, first, width, codes, levels.values, levels.missing, other, missing)


def _free(name: str, taken: list[str]) -> str:
    while name in taken:
        name += " (2)"
    return name


def _categories_note(categories: list[Category]) -> list[str]:
    """One sentence about all of them; rare levels are said."""
    if not categories:
        return []
    if len(categories) == 1:
        (one,) = categories
        if not one.other:
            return [f"{one.name}: each of its {one.width} values became a column of 0 and 1."]
        return [f"{one.name}: {one.width} columns of 0 and 1; {one.n_rare:,} more values count as 'other'."]
    n_columns = sum(one.width for one in categories)
    what = ", ".join(f"{one.name} ({one.width})" for one in categories[:5])
    more = " and more" if len(categories) > 5 else ""
    n_rare = sum(bool(one.other) for one in categories)
    end = f" In {n_rare} of them, values beyond the most frequent count as 'other'." if n_rare else ""
    return [f"{len(categories)} columns of words became {n_columns:,} columns of 0 and 1: {what}{more}.{end}"]


@dataclass(frozen=True)
class _Labels:
    """Class codes (n_rows,), names, continuous values (n_rows,) or None, and sentences about them."""

    y: np.ndarray
    names: tuple[str, ...]
    target: np.ndarray | None
    notes: tuple[str, ...]


def _labels(label: Column, plan: ColumnPlan, rows: np.ndarray) -> _Labels:
    """Labels of the rows for which `rows` (bool, (n_rows,)) is True.

    Raises DataError for fewer than two or more than 1,000 classes, or classes of one row only.
    """
    read = _classes if plan.label_mode == "classes" else _numbers
    labels = read(label, plan, rows)
    counts = np.bincount(labels.y[labels.y >= 0], minlength=len(labels.names))
    if counts.max(initial=0) < 2:
        raise DataError(
            f"{label.table}: every class of the label column {label.name!r} has a single row, so no row has a "
            f"neighbour of its class. Choose a column whose values repeat{_or_a_number(label)}."
        )
    return _singles(labels, counts, plan.singles)


def class_codes(table: Table, plan: ColumnPlan) -> np.ndarray | None:
    """Class codes of all rows, (n_rows,); None where the label cannot be trained on."""
    if plan.label is None:
        return None
    try:
        return _labels(column_of(table, plan.label), plan, np.ones(table.n_rows, dtype=bool)).y
    except DataError:
        return None


def count_singles(table: Table, plan: ColumnPlan) -> int:
    """How many classes have one row, before `plan.singles` is applied; 0 where the labels are cut from numbers."""
    if plan.label is None or plan.label_mode != "classes":
        return 0
    rows = _kept_by(_gaps(table, plan), ~_blank_rows(table, plan), plan.missing).rows
    names, codes = _class_codes(column_of(table, plan.label), plan)
    counts = np.bincount(codes[rows] + 1, minlength=len(names) + 1)[1:]
    return int(np.sum(counts == 1))


def _class_codes(label: Column, plan: ColumnPlan) -> tuple[list[str], np.ndarray]:
    """Class names and each row's code, (n_rows,), UNLABELLED for a blank cell; labels read as the plan says."""
    levels = label.levels
    merged = dict(plan.spellings)  # a blank cell too, where it is a class
    names = [merged.get(cell, cell) for cell in levels.values]
    code = {name: k for k, name in enumerate(dict.fromkeys(name for name in names if name))}
    return list(code), np.array([code.get(name, UNLABELLED) for name in names], dtype=np.int64)[levels.codes]


def _classes(label: Column, plan: ColumnPlan, rows: np.ndarray) -> _Labels:
    # "NA" and "None" can be names of classes: only a blank cell is a missing label.
    known, codes = _class_codes(label, plan)
    codes = codes[rows]
    counts = np.bincount(codes + 1, minlength=len(known) + 1)[1:]
    names = sorted((name for name, count in zip(known, counts, strict=True) if count), key=_counting_order)
    if len(names) < 2:
        n_classes = counted(len(names), "class", "classes")
        raise DataError(f"{label.table}: the label column {label.name!r} has {n_classes}; at least two are needed.")
    if len(names) > _MOST_CLASSES:
        raise DataError(
            f"{label.table}: the label column {label.name!r} has {len(names):,} different values, at most "
            f"{_MOST_CLASSES:,} classes are handled. Choose a column with fewer{_or_a_number(label)}."
        )
    notes = [
        f"{name!r} is a class of its own; where it means a missing label, add it to the words for missing values."
        for name in names
        if is_missing(name)
    ]
    if (blank := dict(plan.spellings).get("")) in names:
        n_blank = int(counts[known.index(blank)])
        notes.append(f"{counted(n_blank, 'row with a blank label is', 'rows with a blank label are')} class {blank!r}.")
    place = {name: k for k, name in enumerate(names)}
    new = np.array([*(place.get(name, UNLABELLED) for name in known), UNLABELLED], dtype=np.int64)
    y = new[codes]  # the last one is for UNLABELLED, -1
    return _Labels(y, tuple(names), None, (*notes, *_unlabelled(y)))


def _or_a_number(label: Column) -> str:
    known = ~np.isnan(label.numbers.values)
    return ", or treat it as a number" if known.sum() > len(known) / 2 else ""


def _counting_order(name: str) -> tuple[float, list[tuple[float, str]], str]:
    """-1 before 1, "class 2" before "class 10"; what only differs in its zeros keeps an order of its own."""
    value = as_number(name)
    if value is not None and math.isfinite(value):
        return value, [], name
    parts = re.split(r"([0-9]{1,15})", name)
    return math.inf, [(float(part), "") if k % 2 else (-1.0, part) for k, part in enumerate(parts)], name


def _numbers(label: Column, plan: ColumnPlan, rows: np.ndarray) -> _Labels:
    """Classes of equal frequency, cut at quantiles (ties stay together), and the numbers themselves if wanted."""
    values, cleaned = label.as_numbers(label.name in plan.odd_as_missing)
    values = values[rows]
    known = ~np.isnan(values)
    if plan.n_bins < 2 or not known.any():
        raise DataError(f"{label.table}: the label column {label.name!r} needs numbers and at least two bins.")
    inner = np.linspace(0, 1, plan.n_bins + 1)[1:-1]
    cuts = np.unique(np.quantile(values[known], inner))
    cuts = cuts[(cuts >= values[known].min()) & (cuts < values[known].max())]
    if cuts.size == 0:
        raise DataError(
            f"{label.table}: the label column {label.name!r} cannot be cut into classes: most of its values are equal. "
            "Treat each value as a class."
        )
    y = np.where(known, np.searchsorted(cuts, values, side="left"), UNLABELLED).astype(np.int64)
    edges = [_short_edge(cut, values[known]) for cut in cuts]
    names = (f"≤ {edges[0]}", *(f"{a} … {b}" for a, b in pairwise(edges)), f"> {edges[-1]}")
    kept = plan.label_mode == "continuous"
    what = "are kept as they are, beside" if kept else "were cut into"
    sizes = np.bincount(y[known])
    alike = (
        " of about equal frequency" if sizes.max() < _ALIKE * sizes.min() else " of unequal size, as ties stay together"
    )
    notes = [f"The numbers of {label.name!r} {what} {len(names)} classes{alike}."]
    notes += cleaned
    target = values if kept else None
    return _Labels(y, names, target, (*notes, *_unlabelled(y)))


def _short_edge(cut: float, values: np.ndarray) -> str:
    """The number of fewest digits that divides the values where the cut does: 18.8333 between 18.5 and 19 is "18.8"."""
    below, above = values[values <= cut].max(), values[values > cut].min()
    for digits in range(1, 17):
        edge = float(f"{cut:.{digits}g}")
        if below <= edge < above:
            return f"{edge:.{max(digits, 6)}g}"
    return repr(float(cut))


def _unlabelled(y: np.ndarray) -> tuple[str, ...]:
    n = int(np.sum(y == UNLABELLED))
    return (f"{counted(n, 'row has', 'rows have')} no label: drawn in grey, not trained on.",) if n else ()


def _singles(labels: _Labels, counts: np.ndarray, choice: str) -> _Labels:
    """Classes with one row: kept, left out of training, or merged into one."""
    single = np.flatnonzero(counts == 1)
    if single.size == 0:
        return labels
    shown = first_few([labels.names[k] for k in single])
    have = counted(single.size, "class has", "classes have")
    what = f"{have} a single row, which no other row can vote for: {shown}"
    if choice == "keep" or (choice == "merge" and single.size == 1):
        return replace(labels, notes=(*labels.notes, f"{what}."))
    kept = [k for k in range(len(labels.names)) if counts[k] > 1]
    names = [labels.names[k] for k in kept]
    new = np.full(len(labels.names), UNLABELLED, dtype=np.int64)
    new[kept] = np.arange(len(kept))
    if choice == "merge":
        new[single] = len(names)
        names.append(_free("single rows", names))
        what += "; they were merged into one class"
    else:
        what += "; they are drawn but not trained on"
    if len(names) < 2:
        raise DataError("With its single rows left out, one class remains; at least two are needed. Keep them.")
    y = np.where(labels.y >= 0, new[labels.y], UNLABELLED)
    return _Labels(y, tuple(names), labels.target, (*labels.notes, f"{what}."))
