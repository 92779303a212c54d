"""The noise lab: any data set made harder on purpose, by noise columns, a rescaled column or wrong labels."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from datasets.base.dataset import LARGEST_VALUE, UNLABELLED, Dataset
from datasets.base.errors import DataError
from datasets.base.words import counted, percent

MOST_NOISE_COLUMNS = 500


@dataclass(frozen=True)
class NoiseConfig:
    """What to do to a data set; the defaults do nothing."""

    noise_columns: int = 0  # columns of normal noise to add, up to MOST_NOISE_COLUMNS
    # their standard deviation, as a multiple of the median standard deviation of the features in training rows
    noise_scale: float = 1.0
    # name or number (from 0) of a feature to multiply by `factor`; None for none
    rescaled_column: str | int | None = None
    factor: float = 1.0  # what to multiply it by
    flipped_share: float = 0.0  # share of the labelled training rows, 0 to 1, that get the label of another class
    random_state: int = 0  # seed of the noise and of the flips; each keeps its draw when the other one changes

    @property
    def idle(self) -> bool:
        """Nothing is asked for."""
        rescaled = self.rescaled_column is not None and self.factor != 1.0
        return self.noise_columns == 0 and self.flipped_share == 0.0 and not rescaled


def add_noise(dataset: Dataset, config: NoiseConfig, train: np.ndarray | None = None) -> Dataset:
    """`dataset` as `config` says, with a note on each change; `dataset` itself where nothing is asked for.

    train: bool (n_samples,), the training rows, all by default. They alone set the deviation of the noise columns, and
    their labels alone are flipped, so that held-out rows test by the labels that they came with.

    Raises DataError for a column that is not there, a factor that
    makes a value too large, or labels of fewer than two classes to flip.
    """
    if config.idle:
        return dataset
    changed = dataset
    if config.rescaled_column is not None and config.factor != 1.0:
        changed = _rescaled(changed, config.rescaled_column, config.factor)
    if config.noise_columns:
        known = dataset if train is None else dataset.fitted_to(train).of_rows(train)
        changed = _with_columns(changed, _median_deviation(known.X), config)
    if config.flipped_share:
        changed = _flipped(changed, config, train)
    return replace(changed, name=f"{dataset.name}, noise lab")


def _place(dataset: Dataset, column: str | int) -> int:
    if isinstance(column, str) and column in dataset.feature_names:
        return dataset.feature_names.index(column)
    if isinstance(column, int) and 0 <= column < dataset.n_features:
        return column
    raise DataError(f"{dataset.name} has no column {column!r} to rescale; choose another one.")


def _rescaled(dataset: Dataset, column: str | int, factor: float) -> Dataset:
    place = _place(dataset, column)
    X = np.array(dataset.X)
    with np.errstate(over="ignore"):
        X[:, place] *= factor
    name = dataset.feature_names[place]
    too_large = np.flatnonzero(~(np.abs(X[:, place]) <= LARGEST_VALUE))  # NaN too
    if too_large.size:
        row = dataset.row_numbers[too_large[0]]
        raise DataError(
            f"{dataset.name}: row {row}, column {name}: the value times {factor:g} is too large to compute with; at "
            f"most {LARGEST_VALUE:g} can be. Choose a smaller factor."
        )
    return replace(dataset, X=X, notes=(*dataset.notes, f"Noise lab: column {name} was multiplied by {factor:g}."))


def _median_deviation(X: np.ndarray) -> float:
    """Of the features that vary; 1 where none does."""
    size = np.maximum(np.abs(X).max(axis=0), 1e-300)  # squares of huge values leave the range of floats
    relative = (X / size).std(axis=0)
    varying = relative > 1e-12
    return float(np.median((relative * size)[varying])) if varying.any() else 1.0


def _with_columns(dataset: Dataset, unit: float, config: NoiseConfig) -> Dataset:
    count = config.noise_columns
    rng = np.random.default_rng([config.random_state, 1])
    noise = rng.standard_normal((count, dataset.n_samples)).T  # the first columns stay when their number grows
    taken = set(dataset.feature_names)
    names: list[str] = []
    number = 0
    while len(names) < count:
        number += 1
        if (name := f"added noise {number}") not in taken:
            names.append(name)
    added = counted(count, "column of noise was", "columns of noise were")
    notes = [f"Noise lab: {added} added, with standard deviation {unit * config.noise_scale:.3g}."]
    if dataset.image_shape is not None:
        notes.append("Noise lab: with noise columns added, a row is no longer shown as an image.")
    return replace(
        dataset,
        X=np.column_stack([dataset.X, unit * config.noise_scale * noise]),
        feature_names=(*dataset.feature_names, *names),
        image_shape=None,
        gaps=None if dataset.gaps is None else np.pad(dataset.gaps, ((0, 0), (0, count))),
        notes=(*dataset.notes, *notes),
    )


def _flipped(dataset: Dataset, config: NoiseConfig, train: np.ndarray | None) -> Dataset:
    labelled = np.flatnonzero(dataset.y != UNLABELLED)
    there = np.unique(dataset.y[labelled])
    can_flip = labelled if train is None else labelled[train[labelled]]
    if len(there) < 2:
        raise DataError(f"{dataset.name} has a single class, so there is no other label to flip to.")
    rng = np.random.default_rng([config.random_state, 2])
    rows = rng.permutation(can_flip)[: round(config.flipped_share * len(can_flip))]
    y = np.array(dataset.y)
    # One to len(there) − 1 places further round the circle of classes: each other class is equally likely.
    steps = rng.integers(1, len(there), len(rows))
    y[rows] = there[(np.searchsorted(there, y[rows]) + steps) % len(there)]
    target = dataset.target
    if target is not None:  # a number label goes along: that of some row of the new class
        members = {code: np.flatnonzero(dataset.y == code) for code in there}
        given, target = target, np.array(target)
        for row in rows:
            target[row] = given[rng.choice(members[y[row]])]
    share, whose = len(rows) / len(can_flip), "labels" if len(can_flip) == len(labelled) else "training labels"
    note = f"Noise lab: {len(rows):,} of {len(can_flip):,} {whose} ({percent(share)}) were flipped to another class."
    return replace(dataset, y=y, target=target, notes=(*dataset.notes, note))
