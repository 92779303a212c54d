"""Dataset: labelled rows, with where they came from and what was changed on the way in."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

UNLABELLED = -1
# In size, of what is trained on: gradients grow with the square of a value, and their norm squares that again.
LARGEST_VALUE = 1e70


@dataclass(frozen=True)
class Source:
    """Where a data set came from: a title, its licence, a link, and the paper that used it."""

    title: str
    licence: str = ""
    url: str = ""
    paper: str = ""


@dataclass(frozen=True)
class Dataset:
    """Labelled numeric data, read-only.

    Attributes
    ----------
    name : str
        Short name, shown as text.
    X : np.ndarray
        Features, float64, shape (n_samples, n_features), finite.
    y : np.ndarray
        Class codes, int64, shape (n_samples,); indexes class_names, or UNLABELLED (-1).
    feature_names : tuple[str, ...]
        One per column of X.
    class_names : tuple[str, ...]
        One per class code.
    source : Source
        Where it came from and its licence.
    image_shape : tuple[int, int] | None
        (rows, columns) where each row of X is an image, else None.
    target : np.ndarray | None
        Continuous labels, float64 (n_samples,), where the label was kept as a number; else None.
    row_numbers : np.ndarray
        int64 (n_samples,), each row's number in the file it came from, counted from 1.
    notes : tuple[str, ...]
        Plain sentences about what was guessed, repaired or left out.
    """

    name: str
    X: np.ndarray
    y: np.ndarray
    feature_names: tuple[str, ...]
    class_names: tuple[str, ...]
    source: Source
    image_shape: tuple[int, int] | None = None
    target: np.ndarray | None = None
    row_numbers: np.ndarray = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.row_numbers.size == 0:
            object.__setattr__(self, "row_numbers", np.arange(1, len(self.X) + 1, dtype=np.int64))
        for array in (self.X, self.y, self.row_numbers, self.target):
            if array is not None:
                array.flags.writeable = False

    @property
    def n_samples(self) -> int:
        return int(self.X.shape[0])

    @property
    def n_features(self) -> int:
        return int(self.X.shape[1])

    @property
    def n_classes(self) -> int:
        return len(self.class_names)
