"""From a data set to what is trained on: checks, sample, split, preprocessing learned on the training rows only."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from datasets.dataset import UNLABELLED, Dataset
from datasets.errors import DataError

_NEARLY_CONSTANT = 1e-12


@dataclass(frozen=True)
class PreparationConfig:
    """How to prepare: `step` is a key of PREPROCESSING; a fraction of rows is held out; at most `max_rows` stay."""

    step: str = "standardise"
    held_out_fraction: float = 0.0
    max_rows: int = 100_000
    random_state: int = 0


@dataclass(frozen=True)
class LinearStep:
    """x -> (x − offset) * scale, learned on training rows."""

    name: str
    offset: np.ndarray  # (n_features,)
    scale: np.ndarray  # (n_features,)

    def apply(self, X: np.ndarray) -> np.ndarray:
        return (X - self.offset) * self.scale


@dataclass(frozen=True)
class Prepared:
    """Attributes:
    dataset: what is trained on and drawn, X preprocessed.
    raw: the same rows as they came.
    train: bool (n_samples,), rows to train on: labelled and not held out.
    held_out: bool (n_samples,), rows to test on.
    step: the fitted preprocessing.
    notes: what was sampled or left out.
    """

    dataset: Dataset
    raw: Dataset
    train: np.ndarray
    held_out: np.ndarray
    step: LinearStep
    notes: tuple[str, ...] = ()


def _inverse(spread: np.ndarray, size: np.ndarray) -> np.ndarray:
    """1 / spread; 0 for columns that are constant up to rounding."""
    constant = spread <= _NEARLY_CONSTANT * np.maximum(size, 1e-300)
    return np.where(constant, 0.0, 1.0 / np.where(constant, 1.0, spread))


def _none(X: np.ndarray) -> LinearStep:
    return LinearStep("none", np.zeros(X.shape[1]), np.ones(X.shape[1]))


def _standardise(X: np.ndarray) -> LinearStep:
    """Mean 0 and standard deviation 1, the population's (divided by n) as in scikit-learn."""
    return LinearStep("standardise", X.mean(axis=0), _inverse(X.std(axis=0), np.abs(X).max(axis=0)))


def _min_max(X: np.ndarray) -> LinearStep:
    low, high = X.min(axis=0), X.max(axis=0)
    return LinearStep("min-max", low, _inverse(high - low, np.abs(X).max(axis=0)))


def _robust(X: np.ndarray) -> LinearStep:
    """Median 0 and interquartile range 1; the standard deviation where the quartiles coincide."""
    low, middle, high = np.percentile(X, [25, 50, 75], axis=0)
    spread = np.where(high > low, high - low, X.std(axis=0))
    return LinearStep("robust", middle, _inverse(spread, np.abs(X).max(axis=0)))


PREPROCESSING: dict[str, Callable[[np.ndarray], LinearStep]] = {
    "standardise": _standardise,
    "min-max": _min_max,
    "robust": _robust,
    "none": _none,
}


def stratified_rows(y: np.ndarray, count: int, rng: np.random.Generator) -> np.ndarray:
    """`count` row numbers, sorted, that take the same share of each class."""
    order = rng.permutation(len(y))
    by_class = order[np.argsort(y[order], kind="stable")]
    places = np.floor((np.arange(count) + rng.uniform()) * len(y) / count).astype(int)
    return np.sort(by_class[np.minimum(places, len(y) - 1)])


def prepare(dataset: Dataset, config: PreparationConfig) -> Prepared:
    """Sample, split and preprocess.

    Raises:
        DataError: fewer than three rows, fewer than two classes, only single-member classes, all rows equal, or an
            unknown preprocessing.
    """
    if config.step not in PREPROCESSING:
        raise DataError(f"There is no preprocessing {config.step!r}; there are: {', '.join(PREPROCESSING)}.")
    rng = np.random.default_rng(config.random_state)
    notes = []
    raw = dataset
    if dataset.n_samples > config.max_rows:
        raw = _rows(dataset, stratified_rows(dataset.y, config.max_rows, rng))
        notes.append(
            f"{config.max_rows:,} of {dataset.n_samples:,} rows, the same share of each class; "
            "raise the limit under 'Held-out rows and sampling'."
        )
    _check(raw)
    labelled = raw.y != UNLABELLED
    held_out = np.zeros(raw.n_samples, dtype=bool)
    if config.held_out_fraction > 0:
        places = np.flatnonzero(labelled)
        count = round(config.held_out_fraction * len(places))
        held_out[places[stratified_rows(raw.y[places], count, rng)]] = True
    train = labelled & ~held_out
    classes_left = len(np.unique(raw.y[train]))
    if train.sum() < 3 or classes_left < 2:
        raise DataError(
            f"Holding out {config.held_out_fraction:.0%} leaves {int(train.sum())} rows of {classes_left} classes to "
            "train on; hold out less."
        )
    step = PREPROCESSING[config.step](raw.X[train])
    X = step.apply(raw.X)
    if not np.isfinite(X).all() or np.abs(X).max() > 1e150:
        row, column = np.unravel_index(np.abs(np.nan_to_num(X, nan=np.inf)).argmax(), X.shape)
        raise DataError(
            f"{dataset.name}: row {raw.row_numbers[row]}, column {raw.feature_names[column]}: the value "
            f"{raw.X[row, column]:g} is too large to compute with. Mend it or leave the column out."
        )
    constant = [raw.feature_names[k] for k in np.flatnonzero(step.scale == 0.0)]
    if constant:
        shown = ", ".join(constant[:5]) + (" and more" if len(constant) > 5 else "")
        notes.append(f"{len(constant)} constant column(s) carry nothing and count as 0: {shown}.")
    if not np.any(np.ptp(X[train], axis=0) > 0):
        raise DataError(f"{dataset.name}: all rows are equal, so there is nothing to separate.")
    return Prepared(replace(raw, X=X), raw, train, held_out, step, tuple(notes))


def _rows(dataset: Dataset, rows: np.ndarray) -> Dataset:
    target = None if dataset.target is None else dataset.target[rows]
    return replace(dataset, X=dataset.X[rows], y=dataset.y[rows], row_numbers=dataset.row_numbers[rows], target=target)


def _check(dataset: Dataset) -> None:
    if dataset.n_samples < 3:
        raise DataError(f"{dataset.name} has {dataset.n_samples} rows; at least 3 are needed.")
    counts = np.unique(dataset.y[dataset.y != UNLABELLED], return_counts=True)[1]
    if len(counts) < 2:
        raise DataError(f"{dataset.name} has a single class; NCA compares classes, so it needs at least two.")
    if counts.max() < 2:
        raise DataError(
            f"{dataset.name}: each of the {len(counts)} classes has a single row. Choose another label column."
        )
