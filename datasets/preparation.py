"""From a data set to what is trained on: checks, sample, split, preprocessing learned on the training rows only."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from datasets.base.dataset import LARGEST_VALUE, UNLABELLED, Dataset, ReadOnlyArrays
from datasets.base.errors import DataError
from datasets.base.stratified import stratified_rows
from datasets.base.words import counted, first_few, percent
from datasets.columns.splitting import SPLITS, choose_held_out, choose_test
from datasets.preparation_steps import PREPROCESSING, REDUCTIONS, LinearStep, MatrixStep, Step, Training

__all__ = ["PREPROCESSING", "SAMPLING", "LinearStep", "MatrixStep", "PreparationConfig", "Prepared", "Step", "prepare"]

SAMPLING = {"stratified": "the same share of each class", "random": "drawn at random"}


QUARTER = 0.25
_FEWEST_ROWS, _FEWEST_OF_A_CLASS = 20, 4  # of which a quarter is held out without being asked
# Of a label of numbers every pair of rows is compared, in each iteration.
MOST_ROWS, MOST_ROWS_OF_NUMBERS = 100_000, 5_000


@dataclass(frozen=True)
class PreparationConfig:
    """How to prepare."""

    step: str = "standardise"  # key of PREPROCESSING
    # share of the labelled rows that is tested on, not trained on; None for QUARTER where the classes allow it, else
    # none
    held_out_fraction: float | None = 0.0
    # of more rows a sample is taken; None for MOST_ROWS, of a label of numbers MOST_ROWS_OF_NUMBERS
    max_rows: int | None = None
    sampling: str = "stratified"  # key of SAMPLING
    random_state: int = 0  # seed of split and sample
    components: int | None = None  # to so many features after the scaling; None for all there are
    reduction: str = "pca"  # key of REDUCTIONS: how these are made
    split: str = "stratified"  # key of SPLITS: how held-out rows are chosen
    split_column: str = ""  # the column for "group" and "time"
    # share of the labelled rows that nothing uses before a test; `held_out_fraction` is of the others
    test_fraction: float = 0.0

    @property
    def sees_labels(self) -> bool:
        """Whether the features that are trained on are chosen by the labels of the training rows."""
        return self.components is not None and REDUCTIONS[self.reduction].sees_labels


@dataclass(frozen=True)
class Prepared(ReadOnlyArrays):
    """Rows as they are trained on, and how they became so."""

    dataset: Dataset  # what is trained on and drawn, X preprocessed
    raw: Dataset  # the same rows as they came
    train: np.ndarray  # bool (n_samples,), rows to train on: labelled and not held out
    held_out: np.ndarray  # bool (n_samples,), rows to test on
    steps: tuple[Step, ...]  # the fitted steps, in their order; the first is the scaling
    notes: tuple[str, ...] = ()  # what was sampled or left out
    # rows kept for a test, as they came, gaps filled by the training rows; they are not among those of `dataset`
    test: Dataset | None = None

    @property
    def step(self) -> Step:
        """The scaling, the first step."""
        return self.steps[0]

    def apply(self, X_raw: np.ndarray) -> np.ndarray:
        """New rows as the trained ones were prepared, (n, n_raw_features) -> (n, n_features)."""
        X = np.asarray(X_raw, dtype=np.float64)
        for step in self.steps:
            X = step.apply(X)
        return X

    def back_to_features(self, A: np.ndarray) -> np.ndarray:
        """A in terms of the raw features: A times the linear part of all steps, (d, n_features) -> (d, n_raw_features).

        `A @ apply(x)` and `back_to_features(A) @ x` differ by a constant only, so each row is a direction in which
        the raw features are weighed, an image where the rows of the data are images.
        """
        for step in reversed(self.steps):
            A = step.back(A)
        return A

    def forth_from_features(self, A: np.ndarray) -> np.ndarray:
        """The A whose `back_to_features` is the given one, or nearest to it, (d, n_raw_features) -> (d, n_features)."""
        for step in self.steps:
            A = step.forth(A)
        return A


def most_rows(dataset: Dataset, config: PreparationConfig) -> int:
    """How many rows are trained on at most."""
    if config.max_rows is not None:
        return config.max_rows
    return MOST_ROWS if dataset.target is None else MOST_ROWS_OF_NUMBERS


def held_out_share(y: np.ndarray, config: PreparationConfig) -> float:
    """The share of the labelled rows that is held out, of rows with class codes y, (n_samples,).

    Unless it was said, a quarter: of enough rows, and where at least two classes have members for both sides.
    """
    if config.held_out_fraction is not None:
        return config.held_out_fraction
    sizes = np.bincount(y[y != UNLABELLED])
    enough = sizes.sum() >= _FEWEST_ROWS and np.sum(sizes >= _FEWEST_OF_A_CLASS) >= 2
    return QUARTER if enough else 0.0


def _sample(y: np.ndarray, most: int, sampling: str, rng: np.random.Generator) -> np.ndarray:
    if sampling == "random":
        return np.sort(rng.choice(len(y), most, replace=False))
    return stratified_rows(y, most, rng)


def prepare(dataset: Dataset, config: PreparationConfig, as_given: np.ndarray | None = None) -> Prepared:
    """Sample, split and preprocess.

    dataset: the rows.
    config: how to.
    as_given: class codes before any were flipped, (n_samples,). Sample and split go by these, so that the same rows
    are held out whatever labels are flipped.

    Raises DataError: fewer than three rows, fewer than two classes, only single-member classes, all rows equal, an
    unknown preprocessing, sampling or reduction, a value too large to train on, or more components than features.
    """
    if config.components is not None and not 1 <= config.components <= dataset.n_features:
        raise DataError(
            f"{dataset.name} has {dataset.n_features} features; to make {config.components} of them needs a number "
            f"from 1 to {dataset.n_features}."
        )
    split = _split(dataset, config, dataset.y if as_given is None else as_given)
    raw, train, rows, kept, notes = split.raw, split.train, split.rows, split.kept, split.notes
    test = None
    if len(kept):  # encoded together, so that the columns have one order
        both = dataset.of_rows(np.append(rows, kept)).fitted_to(np.append(train, np.zeros(len(kept), dtype=bool)))
        raw, test = both.of_rows(np.arange(len(rows))), both.of_rows(np.arange(len(rows), both.n_samples))
    else:
        raw = raw.fitted_to(train)
    recipe = PREPROCESSING[config.step]
    scaling = recipe.scale(raw.X[train])
    X = scaling.apply(raw.X)
    _check_size(X, X, raw)
    constant = [raw.feature_names[k] for k in np.flatnonzero(scaling.scale == 0.0)]
    if constant:
        columns = counted(len(constant), "column is", "columns are")
        notes.append(f"{columns} constant in the training rows and taken as 0: {first_few(constant)}.")
    if not np.any(np.ptp(X[train], axis=0) > 0):
        raise DataError(f"{dataset.name}: all rows are equal, so there is nothing to separate.")
    steps: list[Step] = [scaling]
    ready = replace(raw, X=X)
    if config.components is not None:
        target = None if raw.target is None else raw.target[train]
        fitted = Training(X[train], raw.y[train], target, config.random_state)
        reduced = REDUCTIONS[config.reduction].fit(fitted, config.components, raw.feature_names)
        if not reduced.names:
            raise DataError(f"{dataset.name}: all rows are equal up to rounding, so there is nothing to separate.")
        steps.append(reduced.step)
        notes += reduced.notes
        ready = replace(ready, X=reduced.step.apply(X), feature_names=reduced.names, image_shape=None)
        _check_size(ready.X, X, raw)
    if recipe.last is not None:
        last = recipe.last(ready.X[train])
        steps.append(last)
        varying = ready.n_features - len(constant) if config.components is None else ready.n_features
        if len(last.down) < varying:
            span = counted(len(last.down), "direction")
            notes.append(f"The training rows span {span} only; whitening makes the others 0.")
        ready = replace(ready, X=last.apply(ready.X))
    return Prepared(ready, raw, train, split.held_out, tuple(steps), tuple(notes), test)


def training_rows(dataset: Dataset, config: PreparationConfig) -> np.ndarray:
    """The rows that `prepare` fits everything to, bool (n_samples,); labels and split columns alone decide."""
    split = _split(dataset, config, dataset.y)
    found = np.zeros(dataset.n_samples, dtype=bool)
    found[split.rows[split.train]] = True
    return found


@dataclass(frozen=True)
class _Split:
    """Which rows of a data set are used, and for what."""

    raw: Dataset  # those to train on or to test on while training
    rows: np.ndarray  # int, their places in the data set
    kept: np.ndarray  # int, the places of those that are kept for a test
    train: np.ndarray  # bool, of `rows`
    held_out: np.ndarray  # bool, of `rows`
    notes: list[str]


def _split(dataset: Dataset, config: PreparationConfig, given: np.ndarray) -> _Split:
    for what, key, known in (
        ("preprocessing", config.step, PREPROCESSING),
        ("sampling", config.sampling, SAMPLING),
        ("split", config.split, SPLITS),
        ("reduction", config.reduction, REDUCTIONS),
    ):
        if key not in known:
            raise DataError(f"There is no {what} {key!r}; there are: {', '.join(known)}.")
    rng = np.random.default_rng(config.random_state)
    raw = dataset
    kept_apart, notes = choose_test(dataset, given, config.test_fraction, config.split, config.split_column)
    rows, kept = np.flatnonzero(~kept_apart), np.flatnonzero(kept_apart)
    most, available = most_rows(dataset, config), len(rows)
    if available > most:
        rows = rows[_sample(given[rows], most, config.sampling, rng)]
        notes.append(f"{most:,} of {available:,} rows, {SAMPLING[config.sampling]}; raise the limit under 'Advanced'.")
    if len(rows) < dataset.n_samples:
        raw, given = dataset.of_rows(rows), given[rows]
    _check(raw, sampled=len(rows) < available)
    labelled = raw.y != UNLABELLED
    held_out = np.zeros(raw.n_samples, dtype=bool)
    share = held_out_share(given, config)
    if share == 0.0 and config.held_out_fraction is None:
        notes.append("Too few rows of each class to hold any out: all accuracies are of the rows trained on.")
    if share > 0:
        held_out, said = choose_held_out(raw, given, labelled, share, config.split, config.split_column, rng)
        notes += said
    train = labelled & ~held_out
    classes_left = len(np.unique(raw.y[train]))
    if train.sum() < 3 or classes_left < 2:
        raise DataError(
            f"Holding out {percent(share)} leaves {counted(int(train.sum()), 'row')} of "
            f"{counted(classes_left, 'class', 'classes')} to train on; hold out less."
        )
    return _Split(raw, rows, kept, train, held_out, notes)


def _check_size(X: np.ndarray, scaled: np.ndarray, raw: Dataset) -> None:
    """Name the cell of `raw` that makes a value of X too large to train on; X (n_samples, any) comes from `scaled`."""
    if np.isfinite(X).all() and np.abs(X).max() <= LARGEST_VALUE:
        return
    row = int(np.nan_to_num(np.abs(X), nan=np.inf).max(axis=1).argmax())
    column = int(np.nan_to_num(np.abs(scaled[row]), nan=np.inf).argmax())
    raise DataError(
        f"{raw.name}: row {raw.row_numbers[row]}, column {raw.feature_names[column]}: the value {raw.X[row, column]:g} "
        f"is too large to compute with; at most {LARGEST_VALUE:g} can be. Mend it or leave the column out."
    )


def _check(dataset: Dataset, sampled: bool) -> None:
    if dataset.n_samples < 3:
        raise DataError(f"{dataset.name} has {counted(dataset.n_samples, 'row')}; at least 3 are needed.")
    counts = np.unique(dataset.y[dataset.y != UNLABELLED], return_counts=True)[1]
    if len(counts) < 2:
        raise DataError(f"{dataset.name} has a single class; NCA compares classes, so it needs at least two.")
    if counts.max() < 2 and sampled:
        raise DataError(
            f"{dataset.name}: a sample of {dataset.n_samples} rows holds a single one of each class. Raise the limit "
            "under 'Advanced'."
        )
    if counts.max() < 2:
        raise DataError(
            f"{dataset.name}: each of the {len(counts)} classes has a single row. Choose another label column."
        )
