"""The data of experiments: the catalogue's, and tables in a folder of one's own; what is missing says how to get it."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

import numpy as np

from datasets.base.dataset import Dataset
from datasets.base.errors import DataError
from datasets.catalogue import DATASETS, load_dataset
from datasets.local_folder import VARIABLE, local_entries
from study.experiments.base.cell import Cell

FOLDER = "folder:"
# Where a file is missing, the entry of the catalogue that downloads the like of it.
TWINS = {"ionosphere.csv": "ionosphere", "housing_medv.csv": "boston"}
_GENERATED_AT_ONCE = 4


class MissingData(DataError):
    """A set that is not here; the message says how to get it."""


@dataclass(frozen=True)
class Data:
    """Where experiments look for tables.

    Attributes
    ----------
    folder : str
        A folder, as text so that it travels to other processes; "" for those that NCA_EXPLORER_DATA names.
    fetch : bool
        Download what the catalogue has, where the folder lacks it.
    """

    folder: str = ""
    fetch: bool = False

    def of(self, cell: Cell) -> Dataset:
        """The rows of a cell, of the classes that it asks for.

        Raises
        ------
        MissingData
            With what to do.
        DataError
            For a file that cannot be read, and one without these classes.
        """
        recipe = cell.recipe.data
        parameters = tuple(recipe.parameters)
        return _asked(_load(self, recipe.key, parameters), cell)

    def mark(self, cell: Cell) -> str:
        """What tells these data from others: the checksum of a file; generated and bundled ones belong to the code."""
        key = cell.recipe.data.key
        if not key.startswith(FOLDER):
            return key
        path = self.path_of(key)
        if path is not None:
            return _checksum(str(path), path.stat().st_mtime_ns)
        self._need(key)
        return f"download:{TWINS[key.removeprefix(FOLDER)]}"

    def path_of(self, key: str) -> Path | None:
        """The file of a "folder:..." key; None where no folder holds it."""
        named = [self.folder] if self.folder else os.environ.get(VARIABLE, "").split(os.pathsep)
        paths = [Path(name).expanduser() / key.removeprefix(FOLDER) for name in named if name.strip()]
        return next((path for path in paths if path.is_file()), None)

    def _need(self, key: str) -> None:
        """MissingData for a file that is neither in a folder nor to be fetched."""
        file = key.removeprefix(FOLDER)
        twin = TWINS.get(file)
        if twin is not None and self.fetch:
            return
        way = f"Put {file} into a folder and name it by --data or {VARIABLE}"
        more = f", or add --fetch to download {DATASETS[twin].title} from OpenML" if twin is not None else ""
        raise MissingData(f"{file} is not here. {way}{more}.")


@lru_cache(maxsize=_GENERATED_AT_ONCE)
def _load(data: Data, key: str, parameters: tuple[tuple[str, float], ...]) -> Dataset:
    if not key.startswith(FOLDER):
        return load_dataset(key, **dict(parameters))
    path = data.path_of(key)
    if path is None:
        data._need(key)
        return DATASETS[TWINS[key.removeprefix(FOLDER)]].load()
    return local_entries(path.parent)[key].load()


@lru_cache(maxsize=64)
def _checksum(path: str, changed: int) -> str:
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()


def _asked(dataset: Dataset, cell: Cell) -> Dataset:
    if cell.bins:
        dataset = _in_bins(dataset, cell.bins)
    if not cell.classes:
        return dataset
    lacking = [name for name in cell.classes if name not in dataset.class_names]
    if lacking:
        raise DataError(f"{dataset.name} has no class {', '.join(lacking)}; it has: {', '.join(dataset.class_names)}.")
    code = {dataset.class_names.index(name): k for k, name in enumerate(cell.classes)}
    rows = np.flatnonzero(np.isin(dataset.y, list(code)))
    y = np.array([code[int(c)] for c in dataset.y[rows]], dtype=np.int64)
    target = None if dataset.target is None else dataset.target[rows]
    numbers = dataset.row_numbers[rows]
    return replace(dataset, X=dataset.X[rows], y=y, class_names=cell.classes, row_numbers=numbers, target=target)


def _in_bins(dataset: Dataset, bins: int) -> Dataset:
    """The label of numbers cut at its quantiles, equal numbers into one class; a label in classes from then on."""
    if dataset.target is None:
        raise DataError(f"{dataset.name} has no label of numbers to be cut into {bins} classes.")
    cuts = np.quantile(dataset.target, np.arange(1, bins) / bins)
    y = np.searchsorted(cuts, dataset.target, side="left").astype(np.int64)
    names = tuple(f"bin {k + 1} of {bins}" for k in range(bins))
    return replace(dataset, y=y, class_names=names, target=None)
