"""FeaturesInParts: an X that is never in one place and replaces an ndarray of features."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from pathlib import Path
from typing import Any

import numpy as np

from nca_core.parts import sources
from nca_core.parts.dask_chunks import DaskSource, SharedFiles, is_dask

Blocks = Iterator[np.ndarray]

_LARGEST_SINGLE = 1e30  # of A in float32; a line search may ask for more, and takes no such step


@dataclass(frozen=True)
class Summary:
    """What a first pass over rows finds; arrays are (n_features,)."""

    count: int  # rows
    # row, column and value of the first cell that is not finite or beyond the limit
    invalid: tuple[int, int, float] | None
    lowest: np.ndarray  # of each feature
    highest: np.ndarray
    mean: np.ndarray
    squares: np.ndarray  # Σ_i (x_i − mean)²

    def merged(self, other: "Summary") -> "Summary":
        """Of both; the squares as in Chan, Golub and LeVeque (1983), eq. 2.1."""
        n = self.count + other.count
        apart = other.mean - self.mean
        return Summary(
            n,
            self.invalid,
            np.minimum(self.lowest, other.lowest),
            np.maximum(self.highest, other.highest),
            self.mean + apart * (other.count / n),
            self.squares + other.squares + apart**2 * (self.count * other.count / n),
        )


def summarise(blocks: Blocks, n_rows: int, limit: float) -> Summary:
    """Of the rows of a part; ends at the first cell that is no number within the limit."""
    found: Summary | None = None
    for block in blocks:
        lowest, highest = block.min(axis=0), block.max(axis=0)
        if not (np.all(lowest >= -limit) and np.all(highest <= limit)):  # NaN fails both
            row, column = (int(k) for k in np.argwhere(~(np.abs(block) <= limit))[0])
            invalid = (row + (found.count if found else 0), column, float(block[row, column]))
            return Summary(n_rows, invalid, lowest, highest, lowest, lowest)
        mean = block.mean(axis=0)
        here = Summary(len(block), None, lowest, highest, mean, np.sum((block - mean) ** 2, axis=0))
        found = here if found is None else found.merged(here)
    assert found is not None
    return found


@dataclass(frozen=True)
class Frame:
    """How an evaluation shifts and scales rows: x becomes (x − centre) / units, both (n_features,), in `dtype`."""

    centre: np.ndarray
    units: np.ndarray
    dtype: str = "float64"

    def of(self, block: np.ndarray) -> np.ndarray:
        result = block - self.centre
        result /= self.units
        return result.astype(self.dtype, copy=False)


def project(blocks: Blocks, n_rows: int, frame: Frame, A: np.ndarray) -> np.ndarray:
    """Y = A Xᵀ of the part's rows, float64 (n_components, n_rows)."""
    Y, done = np.empty((len(A), n_rows)), 0
    for block in blocks:
        np.matmul(A, frame.of(block).T, out=Y[:, done : done + len(block)])
        done += len(block)
    return Y


def gradient_in_features(blocks: Blocks, n_rows: int, frame: Frame, d_Y: np.ndarray) -> np.ndarray:
    """The part's share of ∂F/∂A = ∂F/∂Y X, (n_components, n_features), from ∂F/∂Y of its rows."""
    total, done = 0.0, 0
    for block in blocks:
        here = d_Y[:, done : done + len(block)].astype(frame.dtype, copy=False)
        total = total + (here @ frame.of(block)).astype(np.float64)
        done += len(block)
    return np.asarray(total)


def scatter(blocks: Blocks, n_rows: int, centre: np.ndarray) -> np.ndarray:
    """Σ_i (x_i − centre)(x_i − centre)ᵀ, (n_features, n_features)."""
    total = np.zeros((len(centre), len(centre)))
    for block in blocks:
        apart = block - centre
        total += apart.T @ apart
    return total


def class_sums(blocks: Blocks, n_rows: int, centre: np.ndarray, members: np.ndarray, n_classes: int) -> np.ndarray:
    """Σ_{i in class} (x_i − centre), (n_classes, n_features); `members` below 0, (n_rows,), have no class."""
    from scipy.sparse import csr_array

    total, done = np.zeros((n_classes, len(centre))), 0
    for block in blocks:
        code = members[done : done + len(block)]
        labelled = np.flatnonzero(code >= 0)
        whose = csr_array((np.ones(len(labelled)), (code[labelled], labelled)), shape=(n_classes, len(block)))
        total += whose @ (block - centre)
        done += len(block)
    return total


def within_classes(blocks: Blocks, n_rows: int, means: np.ndarray, members: np.ndarray) -> np.ndarray:
    """Σ_i (x_i − mean of its class)(x_i − mean of its class)ᵀ, (n_features, n_features), over rows with a class."""
    total, done = np.zeros((means.shape[1], means.shape[1])), 0
    for block in blocks:
        code = members[done : done + len(block)]
        labelled = code >= 0
        apart = block[labelled] - means[code[labelled]]
        total += apart.T @ apart
        done += len(block)
    return total


def take_rows(blocks: Blocks, n_rows: int, rows: np.ndarray, n_features: int) -> np.ndarray:
    """Some rows of the part, rising, (n_taken, n_features)."""
    found, done = [np.empty((0, n_features))], 0
    for block in blocks if len(rows) else ():
        first, last = np.searchsorted(rows, (done, done + len(block)))
        found.append(block[rows[first:last] - done])
        done += len(block)
        if last == len(rows):
            break
    return np.concatenate(found)


def clipped_to_float32(A: np.ndarray) -> np.ndarray:
    return np.clip(A, -_LARGEST_SINGLE, _LARGEST_SINGLE).astype(np.float32)


LARGEST_VALUE = 1e70  # the gradient of some objectives grows with the square of X, and its norm squares that again
_MEDIAN_OF = 1_001
_MOST_FEATURES = 4_000  # of a covariance: 128 MB


class FeaturesInParts:
    """X in parts, from `parts_of_arrays`, `parts_of_folder` or a Dask array.

    Each operation is one pass over the parts, where they are; only its results are gathered. The caller holds Y,
    (n_samples, n_components), the class codes and the sums: about 520 bytes a row in two components. An evaluation is
    Y = A (X − centre)ᵀ part by part, the sums over neighbours at Y, and ∂F/∂A = Σ over parts of (∂F/∂Y of its rows) X:
    two passes over X. A batch of a stochastic climb is one pass or two.

    An evaluation is that of the same X in one place but for rounding, 1e-10 at most and 1e-15 as a rule, and the same
    to the last bit for any number of threads and workers of one kind. A climb follows the same path for as long as its
    steps do not magnify that rounding, as they do where the rows of X are put into another order.

    Of a Dask array the passes go to the workers of the client that there is, which must be able to import this
    package; without one they run on Dask's threads. Persist X where it fits into the workers' memory, else its chunks
    are made anew for each pass. Of 500,000 rows or more an evaluation of f in one to three components stays there
    (`GridsOnWorkers`), and the caller holds labels alone. Else sums over pairs are shared out by rows of Y where that
    gains more than it takes to send them, and the caller does the grids alone.

    units: what each column is divided by, (n_features,).
    """

    def __init__(self, source: sources.PartSource, units: np.ndarray | None = None) -> None:
        self.source = source
        self.shape: tuple[int, int] = (sum(source.counts), source.n_features)
        self._units = np.ones(self.shape[1]) if units is None else units

    def __len__(self) -> int:
        return self.shape[0]

    def __truediv__(self, by_features: np.ndarray) -> "FeaturesInParts":
        result = FeaturesInParts(self.source, self._units * by_features)
        result.__dict__["_summaries"] = self._summaries
        return result

    def __getitem__(self, rows: np.ndarray) -> np.ndarray:
        """Some rows in one place, float64 (n_taken, n_features)."""
        distinct, back = np.unique(np.asarray(rows), return_inverse=True)
        ranges = self.source.ranges()
        cuts = np.searchsorted(distinct, [part.start for part in ranges] + [len(self)])
        wanted = [distinct[cuts[k] : cuts[k + 1]] - part.start for k, part in enumerate(ranges)]
        found = self.source.over(take_rows, lambda part: (wanted[part], self.shape[1]))
        return (np.concatenate(found) / self._units)[back]

    def __matmul__(self, matrix: np.ndarray) -> np.ndarray:
        """X M, (n_samples, n_components), of M, (n_features, n_components)."""
        frame = Frame(np.zeros(self.shape[1]), self._units)
        A = np.ascontiguousarray(matrix.T)
        return np.concatenate(self.source.over(project, lambda part: (frame, A)), axis=1).T

    def max(self, axis: int) -> np.ndarray:
        return self._summary.highest / self._units

    def min(self, axis: int) -> np.ndarray:
        return self._summary.lowest / self._units

    def first_invalid(self) -> tuple[str, float] | None:
        """The first cell that is not finite or beyond LARGEST_VALUE: what to call it, and its value."""
        return self._summaries[1]

    @property
    def mean(self) -> np.ndarray:
        return self._summary.mean / self._units

    def deviations(self) -> np.ndarray:
        return np.sqrt(self._summary.squares / len(self)) / self._units

    def covariance(self) -> np.ndarray:
        """1/n Σ_i (x_i − mean)(x_i − mean)ᵀ, (n_features, n_features)."""
        self._check_width()
        centre = self._summary.mean
        found = self.source.summed(scatter, lambda part: (centre,), self.shape[1] ** 2)
        return found / len(self) / np.outer(self._units, self._units)

    def class_moments(self, members: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Counts, (n_classes,), means, (n_classes, n_features), and pooled covariance, (n_features, n_features), of the
        classes 0, 1, ... of `members`, (n_samples,); rows below 0 are left out."""
        self._check_width()
        centre, ranges = self._summary.mean, self.source.ranges()
        most = int(members.max()) + 1
        counts = np.zeros(most, dtype=np.int64)
        for part in ranges:  # without another array of the number of rows
            here = members[part]
            counts += np.bincount(here[here >= 0], minlength=most)
        sums = self.source.summed(
            class_sums, lambda part: (centre, members[ranges[part]], len(counts)), len(counts) * self.shape[1]
        )
        means = sums / counts[:, None] + centre
        found = self.source.summed(
            within_classes, lambda part: (means, members[ranges[part]]), max(means.size, self.shape[1] ** 2)
        )
        within = found / counts.sum() / np.outer(self._units, self._units)
        return counts, means / self._units, within

    @property
    def _summary(self) -> Summary:
        """Of all rows, in the units of the source; at one part alone where that has an invalid cell."""
        return self._summaries[0]

    @cached_property
    def _summaries(self) -> tuple[Summary, tuple[str, float] | None]:
        found: list[Summary] = self.source.over(summarise, lambda part: (LARGEST_VALUE,))
        for part, here in enumerate(found):
            if here.invalid is not None:
                row, column, value = here.invalid
                return here, (self.source.cell(part, row, column), value)
        return reduce(Summary.merged, found), None

    def _check_width(self) -> None:
        if self.shape[1] > _MOST_FEATURES:
            raise ValueError(
                f"X is in parts and has {self.shape[1]} features, whose covariance is too large; choose the start "
                "'identity' or 'random'."
            )


def centre_and_units(X: Any, dtype: str) -> tuple[np.ndarray, np.ndarray | None]:
    """Each feature's median, (n_features,), and in float32, whose range ends at 3e38, the power of two next to its
    largest distance from there.

    The median of at most 1,001 rows: a mean would follow one value of 1e12, and all others would lose their digits.
    """
    sample = np.linspace(0, len(X) - 1, min(len(X), _MEDIAN_OF)).astype(np.int64)
    centre = np.median(X[sample], axis=0)
    if dtype == "float64":
        return centre, None
    largest = np.maximum(np.abs(X.max(axis=0) - centre), np.abs(X.min(axis=0) - centre))
    return centre, 2.0 ** np.clip(np.frexp(largest)[1], -1000, 1000)


class OrderedParts:
    """The two passes of an evaluation over X in parts; places are those of the evaluation's order.

    order: row numbers of X, (n_samples,); None where Y stays with the parts.
    dtype: of the passes; "float64" or "float32".
    """

    def __init__(self, X: FeaturesInParts, order: np.ndarray | None, dtype: str) -> None:
        self._X = X
        if order is not None:
            self._order, self._place = order, np.empty_like(order)
            self._place[order] = np.arange(len(order))
        centre, units = centre_and_units(X, dtype)
        units = np.ones(X.shape[1]) if units is None else units
        self.source, self.units = X.source, units
        self.frame = Frame(centre * X._units, units * X._units, dtype)

    def among(self, rows: np.ndarray) -> "OrderedParts":
        """Some of the rows, which then are in one place."""
        result = OrderedParts.__new__(OrderedParts)
        taken = FeaturesInParts(self._X.source)[self._order[rows]]
        result.source = sources.source_of_arrays([taken])
        result._X = FeaturesInParts(result.source, self._X._units)
        result._order = result._place = np.arange(len(rows))
        result.frame, result.units = self.frame, self.units
        return result

    def deviations(self) -> np.ndarray:
        return self._X.deviations()

    def for_passes(self, A: np.ndarray) -> np.ndarray:
        """A in the units of the passes."""
        A = A * self.units
        return clipped_to_float32(A) if self.frame.dtype == "float32" else A

    def projected(self, A: np.ndarray) -> np.ndarray:
        """Y = A Xᵀ, float64 (n_components, n_rows)."""
        A = self.for_passes(A)
        Y = np.empty((len(A), len(self._X)))
        found = self.source.over(project, lambda part: (self.frame, A))
        for part, rows in enumerate(self.source.ranges()):
            Y[:, self._place[rows]] = found[part]
        return Y

    def over_rows(self, d_Y: np.ndarray) -> np.ndarray:
        """∂F/∂A, (n_components, n_features), from ∂F/∂Y, (n_components, n_rows); parts are added in their order."""
        ranges = self.source.ranges()
        return self.units * self.source.summed(
            gradient_in_features,
            lambda part: (self.frame, d_Y[:, self._place[ranges[part]]]),
            len(d_Y) * self._X.shape[1],
        )


def parts_of_arrays(arrays: Sequence[Any]) -> FeaturesInParts:
    """X whose rows are those of several arrays or memory maps, one after another.

    Parameters
    ----------
    arrays : sequence of ndarray
        Each (n_rows, n_features). Of a memory map, what was read counts as this process's memory until the system
        wants it back; `parts_of_folder` maps one piece at a time.

    Returns
    -------
    FeaturesInParts
        For NeighborhoodComponentsAnalysis.

    Raises
    ------
    ValueError
        For an array that is no table of real numbers with as many columns as the first.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from nca_core import NeighborhoodComponentsAnalysis, parts_of_arrays
    >>> X, y = load_iris(return_X_y=True)
    >>> parts = parts_of_arrays([X[:50], X[50:]])
    >>> parts.shape
    (150, 4)
    >>> nca = NeighborhoodComponentsAnalysis(n_components=2, random_state=0)
    >>> nca.fit_transform(parts, y).shape
    (150, 2)
    """
    return FeaturesInParts(sources.source_of_arrays(arrays))


def parts_of_folder(folder: str | Path, label: str | None = None) -> tuple[FeaturesInParts, np.ndarray | None]:
    """X whose rows are those of the files of a folder, .npy or .parquet, in the order of their names (2 before 10).

    A pass reads a few pieces at a time: ranges of at most 64 MB of .npy files, row groups of Parquet in batches. Files
    of an address are read by the workers of the Dask client, where there is one; they must reach it.

    Parameters
    ----------
    folder : str or Path
        A path, or an address of fsspec: "s3://bucket/folder" where s3fs is installed, "file:///shared/folder". Its
        .npy files each hold (n_rows, n_features), its .parquet files the same columns of numbers. Other files are
        passed over, and names that begin with a dot or an underscore.
    label : str or None
        The column of Parquet files that holds the labels; all others are features.

    Returns
    -------
    tuple[FeaturesInParts, ndarray or None]
        X, and y, (n_samples,), where `label` is given.

    Raises
    ------
    ValueError
        For a file that cannot be read or does not fit the first, later for one that was changed; it names the file.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> import numpy as np
    >>> from nca_core import parts_of_folder
    >>> folder = TemporaryDirectory()
    >>> for name in ("1.npy", "2.npy", "10.npy"):
    ...     np.save(Path(folder.name, name), np.full((2, 3), float(name.removesuffix(".npy"))))
    >>> X, y = parts_of_folder(folder.name)
    >>> X.shape, y is None
    ((6, 3), True)
    >>> X[np.array([0, 2, 4])][:, 0]  # 2 comes before 10
    array([ 1.,  2., 10.])
    >>> folder.cleanup()
    """
    kind, paths = sources.list_files(folder)
    if kind == ".parquet":
        source, labels = sources.source_of_parquet(paths, label)
    elif label is None:
        source, labels = sources.source_of_npy(paths), None
    else:
        raise ValueError(
            f"{folder} holds .npy files, which have no column {label!r}; leave `label` out, and give y to fit."
        )
    return FeaturesInParts(SharedFiles(source) if sources.is_address(folder) else source), labels


def features_of(X: Any) -> Any:
    """A Dask array as FeaturesInParts; what else there is as it is."""
    return FeaturesInParts(DaskSource(X)) if is_dask(X) else X
