"""Whether the rows of a table are images, and of which shape: from the names of the columns, else from the pixels."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import product

import numpy as np

from datasets.base.dataset import Dataset
from datasets.columns.build import ColumnPlan
from datasets.reading import Table

_PLACE = re.compile(r"((?:p|px|pix|pixels?)?[_ ]?)(\d{1,9})[_x, ](\d{1,9})", re.IGNORECASE)
_PIXEL_NUMBER = re.compile(r"((?:p|px|pix|pixels?)[_ ]?)(\d{1,9})", re.IGNORECASE)
# Default names of readers and exporters.
_NUMBERED = re.compile(r"((?:column|attr|att|feature|feat|dim|double|int|v|x|f)?[_ ]?)(\d{1,9})", re.IGNORECASE)
_RANGES = ((0.0, 255.0), (0.0, 16.0), (0.0, 1.0), (-1.0, 1.0))
_FEWEST_PIXELS = 36
_FEWEST_ASKED = 16
_SOME_ROWS = 50
_MOST_CELLS = 2_000_000
# How alike neighbours must be, and how much more alike pixels one width apart than those in the valley before.
_CLEARLY = 0.15


def possible_image_shapes(n_features: int) -> list[tuple[int, int]]:
    """All (rows, columns) with rows * columns = n_features, the squarest first; upright before lying.

    A single row or column is no picture and is not among them.
    """
    shapes = [(rows, n_features // rows) for rows in range(2, n_features // 2 + 1) if n_features % rows == 0]
    return sorted(shapes, key=lambda shape: (abs(shape[0] - shape[1]), shape[1]))


def pixel_grid(names: Sequence[str]) -> tuple[int, int] | None:
    """(rows, columns) where the names count a whole grid row by row, as p00_00, p00_01, … or pixel_0_0, … do."""
    matches = [_PLACE.fullmatch(name.strip()) for name in names]
    if not matches or len({match[1] if match else None for match in matches}) != 1 or matches[0] is None:
        return None
    places = [(int(match[2]), int(match[3])) for match in matches if match]
    (top, left), (bottom, right) = places[0], places[-1]
    rows, columns = bottom - top + 1, right - left + 1
    if {top, left} > {0, 1} or top > 1 or left > 1 or rows < 2 or columns < 2 or rows * columns != len(places):
        return None
    return (rows, columns) if places == list(product(range(top, bottom + 1), range(left, right + 1))) else None


def with_all_pixels(table: Table, plan: ColumnPlan) -> ColumnPlan:
    """The plan with the pixels put back that are equal in every row, where the columns beside the label are a grid.

    A corner that is always black says nothing about the classes, but without it a row is no picture any more.
    """
    pixels = tuple(name for name in table.columns if name != plan.label)
    if pixel_grid(pixels) is None:
        return plan
    return replace(plan, features=pixels, left_out=(), categories=())


def likely_image_shape(dataset: Dataset) -> tuple[int, int] | None:
    """(rows, columns) where the rows of `dataset` look like images, else None.

    Names that place each pixel decide. Numbered pixels (pixel1, p1, …) are taken for a square. Without names, all
    features must share the range of a grey scale (0..255, 0..16, 0..1 or -1..1) and each pixel must resemble the one
    below it: the mean correlation of features one picture width apart has a clear peak there.
    """
    if dataset.image_shape is not None:
        return dataset.image_shape
    grid = pixel_grid(dataset.feature_names)
    if grid is not None:
        return grid
    side = round(dataset.n_features**0.5)
    if side * side == dataset.n_features >= _FEWEST_PIXELS and _counted(dataset.feature_names, _PIXEL_NUMBER):
        return side, side
    if _counted(dataset.feature_names, _NUMBERED) and _one_range(dataset.X):
        return shape_by_likeness(dataset.X)
    return None


def could_be_images(dataset: Dataset) -> bool:
    """Whether it makes sense to ask if the rows are images: the features factor into a picture, and their names say
    so, or all their values share one grey scale."""
    if dataset.image_shape is not None or likely_image_shape(dataset) is not None:
        return True
    if dataset.categories or dataset.n_features < _FEWEST_ASKED or not possible_image_shapes(dataset.n_features):
        return False
    if _counted(dataset.feature_names, _PIXEL_NUMBER):
        return True
    low, high = dataset.X.min(), dataset.X.max()
    grey = any(low >= start and high <= end for start, end in _RANGES)
    return bool(grey) and np.unique(dataset.X[:_SOME_ROWS]).size > 2  # ticked boxes are 0 and 1 only


def shape_by_likeness(X: np.ndarray) -> tuple[int, int] | None:
    """The (rows, columns) at whose width pixels resemble the ones below them best, None where none stands out.

    With r(k) the mean correlation of features k apart, a picture of `columns` pixels width has peaks at r(1) and
    r(columns) with a valley between.
    """
    n_features = X.shape[1]
    if n_features < _FEWEST_PIXELS or len(X) < 3:
        return None
    X = X[:: max(1, X.size // _MOST_CELLS)]  # from all over the table: rows are often sorted by class
    spread = X.std(axis=0)
    Z = np.divide(X - X.mean(axis=0), spread, out=np.zeros(X.shape), where=spread > 0)
    varied = (spread > 0).astype(np.float64)

    def likeness(lag: int) -> float:
        both = float(varied[lag:] @ varied[:-lag])
        return float(np.einsum("ij,ij->", Z[:, lag:], Z[:, :-lag])) / (len(Z) * both) if both else 0.0

    wide = [shape for shape in possible_image_shapes(n_features) if min(shape) >= 4 and max(shape) <= 4 * min(shape)]
    if not wide or likeness(1) < _CLEARLY:
        return None
    best = max(wide, key=lambda shape: likeness(shape[1]))
    width = best[1]
    valley = min(likeness(lag) for lag in range(2, width))
    peak = likeness(width)
    return best if peak > valley + _CLEARLY and peak > max(likeness(width - 1), likeness(width + 1)) else None


def _counted(names: Sequence[str], pattern: re.Pattern[str]) -> bool:
    """Whether the names are one word with the numbers 0, 1, 2, … or 1, 2, 3, …"""
    matches = [pattern.fullmatch(name.strip()) for name in names]
    if len({match[1] if match else None for match in matches}) != 1 or matches[0] is None:
        return False
    numbers = [int(match[2]) for match in matches if match]
    return numbers[0] in (0, 1) and numbers == list(range(numbers[0], numbers[0] + len(numbers)))


def _one_range(X: np.ndarray) -> bool:
    """Whether all values lie in one of the usual grey scales and both its ends are reached by many features."""
    low, high = X.min(axis=0), X.max(axis=0)
    return any(
        low.min() == start and high.max() == end and np.median(high - low) > (end - start) / 2 for start, end in _RANGES
    )
