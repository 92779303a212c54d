"""Dataset: labelled rows, with where they came from and what was changed on the way in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

UNLABELLED = -1
# In size, of what is trained on: gradients grow with the square of a value, and their norm squares that again.
LARGEST_VALUE = 1e70


class ReadOnlyArrays:
    """A dataclass whose fields that are arrays are read-only."""

    def __post_init__(self) -> None:
        for value in vars(self).values():
            if isinstance(value, np.ndarray):
                value.flags.writeable = False


@dataclass(frozen=True)
class Source:
    """Where a data set came from: a title, its licence, a link, and the paper that used it."""

    title: str
    licence: str = ""
    url: str = ""
    paper: str = ""


@dataclass(frozen=True)
class Category:
    """A one-hot encoded column; its encoding depends on the rows it is fitted to where it has gaps or rare levels."""

    name: str  # the column
    # the columns of X that it fills
    first: int
    width: int
    codes: np.ndarray  # int32 (n_samples,), the level of each row
    levels: tuple[str, ...]  # texts of the levels
    missing: np.ndarray  # bool (n_levels,), levels that mean a missing value
    # name of the level that all but the most frequent levels are taken together as; "" where each has a column
    other: str = ""
    missing_name: str = ""  # name of the level of missing values; "" where they count as the most frequent level

    @property
    def columns(self) -> slice:
        return slice(self.first, self.first + self.width)

    def factors(self, X: np.ndarray) -> np.ndarray:
        """What its columns of X, (n_samples, n_features), hold in place of 1: the noise lab multiplies; (width,)."""
        found = X[:, self.columns].max(axis=0) + X[:, self.columns].min(axis=0)
        return np.where(found == 0.0, 1.0, found)

    @property
    def n_rare(self) -> int:
        """How many levels are taken together as `other`."""
        there = np.bincount(self.codes, minlength=len(self.levels)) > 0
        return int(np.sum(there & ~self.missing)) - (self.width - 1 - bool(self.missing_name))

    @property
    def depends_on_rows(self) -> bool:
        """Whether other rows may give another encoding."""
        return bool(self.other) or (not self.missing_name and bool(self.missing[self.codes].any()))

    def places(self, fitted_to: np.ndarray) -> tuple[np.ndarray, tuple[str, ...]]:
        """The column of each level, (n_levels,), from 0, and the name of each column, by the rows of the mask alone."""
        counts = np.where(self.missing, 0, np.bincount(self.codes[fitted_to], minlength=len(self.levels)))
        # Equal counts go by name: the order of the rows decides nothing.
        by_count = sorted(range(len(counts)), key=lambda k: (-counts[k], self.levels[k]))
        if self.other:
            most = self.width - 1 - bool(self.missing_name)
            kept = [k for k in by_count[:most] if counts[k] > 1]
        else:
            there = np.bincount(self.codes, minlength=len(self.levels)) > 0
            kept = np.flatnonzero(there & ~self.missing).tolist()
        kept = sorted(kept, key=lambda k: self.levels[k])
        names = [self.levels[k] for k in kept]
        place = np.full(len(self.levels), -1)
        if self.other:
            place[:] = len(names)
            names.append(self.other)
        place[kept] = np.arange(len(kept))
        if self.missing_name:
            place[self.missing] = len(names)
            names.append(self.missing_name)
        else:
            place[self.missing] = place[by_count[0]]
        names += [f"(unused {k})" for k in range(1, 1 + self.width - len(names))]
        return place, tuple(names)

    def encoded(self, fitted_to: np.ndarray) -> tuple[np.ndarray, tuple[str, ...]]:
        """Columns of 0 and 1, (n_samples, width), and the name of each, by the rows of the mask alone."""
        place, names = self.places(fitted_to)
        return (place[self.codes][:, None] == np.arange(self.width)).astype(float), names


@dataclass(frozen=True)
class SplitColumn:
    """A column of the table that rows can be split by, whether it is a feature or not."""

    name: str  # the column
    codes: np.ndarray  # int32 (n_samples,), the group of each row, -1 without one
    # float64 (n_samples,), the order of the rows, NaN without one; None where the column has none
    times: np.ndarray | None = None
    proposed: bool = False  # it is named like an identifier, and its values repeat


@dataclass(frozen=True)
class Dataset(ReadOnlyArrays):
    """Labelled numeric data, read-only."""

    name: str  # short name, shown as text
    X: np.ndarray  # features, float64, shape (n_samples, n_features), finite
    y: np.ndarray  # class codes, int64, shape (n_samples,); indexes class_names, or UNLABELLED (-1)
    feature_names: tuple[str, ...]  # one per column of X
    class_names: tuple[str, ...]  # one per class code
    source: Source  # where it came from and its licence
    image_shape: tuple[int, int] | None = None  # (rows, columns) where each row of X is an image, else None
    # continuous labels, float64 (n_samples,), where the label was kept as a number; else None
    target: np.ndarray | None = None
    # int64 (n_samples,), each row's number in the file it came from, counted from 1
    row_numbers: np.ndarray = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    row_word: str = "row"  # what row_numbers count: "line" for the lines of a file
    row_names: np.ndarray | None = None  # str (n_samples,), each row's name, "" without one; None where none has one
    notes: tuple[str, ...] = ()  # plain sentences about what was guessed, repaired or left out
    # bool (n_samples, n_features), cells of X that were missing; X holds the median there; None without any
    gaps: np.ndarray | None = None
    categories: tuple[Category, ...] = ()  # one-hot encoded columns
    split_columns: tuple[SplitColumn, ...] = ()  # what the rows can be split by besides their classes

    def __post_init__(self) -> None:
        if self.row_numbers.size == 0:
            object.__setattr__(self, "row_numbers", np.arange(1, len(self.X) + 1, dtype=np.int64))
        super().__post_init__()

    def of_rows(self, rows: np.ndarray) -> Dataset:
        """The data set of these rows, by their indices."""
        return replace(
            self,
            X=self.X[rows],
            y=self.y[rows],
            row_numbers=self.row_numbers[rows],
            row_names=None if self.row_names is None else self.row_names[rows],
            target=None if self.target is None else self.target[rows],
            gaps=None if self.gaps is None else self.gaps[rows],
            categories=tuple(replace(each, codes=each.codes[rows]) for each in self.categories),
            split_columns=tuple(
                replace(each, codes=each.codes[rows], times=None if each.times is None else each.times[rows])
                for each in self.split_columns
            ),
        )

    def fitted_to(self, rows: np.ndarray) -> Dataset:
        """Fill gaps and encode categories by the rows of a mask, bool (n_samples,), alone.

        A gap becomes the median of its column's known values there, 0 where there is none. The most frequent levels of
        a category are those of these rows.
        """
        depending = [each for each in self.categories if each.depends_on_rows]
        if self.gaps is None and not depending:
            return self
        X, names = np.array(self.X), list(self.feature_names)
        if self.gaps is not None:
            for column in np.flatnonzero(self.gaps.any(axis=0)):
                known = self.X[rows & ~self.gaps[:, column], column]
                X[self.gaps[:, column], column] = np.median(known) if len(known) else 0.0
        for each in depending:
            encoded, levels = each.encoded(rows)
            block = each.columns
            X[:, block] = encoded * each.factors(X)
            if each.other:
                names[block] = [f"{each.name} = {level}" for level in levels]
        return replace(self, X=X, feature_names=tuple(names))

    def row_title(self, row: int, *, capital: bool = False) -> str:
        """A row by its name and number, as in "Anna (line 37)", "line 37" or "row 37"."""
        number = f"{self.row_word} {self.row_numbers[row]}"
        if self.row_names is not None and self.row_names[row]:
            return f"{self.row_names[row]} ({number})"
        return number.capitalize() if capital else number

    def row_columns(self, rows: Sequence[int] | np.ndarray) -> dict[str, list[Any]]:
        """Numbers, and names where there are any, as the first columns of a table of these rows."""
        chosen = np.asarray(rows, dtype=np.int64)
        columns: dict[str, list[Any]] = {self.row_word: self.row_numbers[chosen].tolist()}
        return columns if self.row_names is None else columns | {"name": self.row_names[chosen].tolist()}

    @property
    def n_samples(self) -> int:
        return int(self.X.shape[0])

    @property
    def n_features(self) -> int:
        return int(self.X.shape[1])

    @property
    def n_classes(self) -> int:
        return len(self.class_names)
