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
from datasets.columns import build_dataset
from datasets.local_folder import VARIABLE, local_entries
from datasets.proposals import unasked_plan
from datasets.reading import read_table
from study.experiments.base.cell import Cell

FOLDER = "folder:"
# Where a file is missing, the entry of the catalogue that downloads the like of it.
TWINS = {"ionosphere.csv": "ionosphere", "housing_medv.csv": "boston"}
_BINS_BY_DEFAULT = 3  # of a label of numbers, where nobody said otherwise
_MOST_KEPT = 4
# What to do, for the command and for the page.
_PUT_IT = (
    f"Put it into a folder and name that by --data or {VARIABLE}",
    f"Put it into a folder and start the app with {VARIABLE} naming that",
)
_FETCH_IT = ("add --fetch to download {} from OpenML", "switch *Download what is missing* on for {} from OpenML")


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
    on_page : bool
        Say what is to be done on the page, not with the command.
    """

    folder: str = ""
    fetch: bool = False
    on_page: bool = False

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
        if sentence := self.lacks(cell):
            raise MissingData(sentence)
        return _of_classes(_load(self, recipe.key, tuple(recipe.parameters), cell.bins), cell.classes)

    def mark(self, cell: Cell) -> str:
        """What tells these data from others: the checksum of a file; generated and bundled ones belong to the code.

        Where no folder holds the file, its download, whether or not that may be fetched now: what was found of it once
        is found again.
        """
        key = cell.recipe.data.key
        if not key.startswith(FOLDER):
            return key
        path = self.path_of(key)
        if path is not None:
            return _checksum(str(path), path.stat().st_mtime_ns)
        file = key.removeprefix(FOLDER)
        return f"download:{TWINS.get(file, file)}"

    def lacks(self, cell: Cell) -> str:
        """How to get the data of a cell, or why they cannot be had; "" where they are here or may be fetched."""
        key = cell.recipe.data.key
        if not key.startswith(FOLDER) or self.path_of(key) is not None:
            return ""
        file = key.removeprefix(FOLDER)
        twin, put_it = TWINS.get(file), _PUT_IT[self.on_page]
        if twin is not None and cell.bins not in (0, _BINS_BY_DEFAULT):
            return f"{cell.bins} bins need {file}; its download has {_BINS_BY_DEFAULT}. {put_it}."
        if twin is not None and self.fetch:
            return ""
        more = f", or {_FETCH_IT[self.on_page].format(DATASETS[twin].title)}" if twin is not None else ""
        return f"{file} is not here. {put_it}{more}."

    def could_fetch(self, cell: Cell) -> bool:
        """Whether the data of a cell are not here and can be downloaded."""
        return bool(self.lacks(cell)) and not replace(self, fetch=True).lacks(cell)

    def path_of(self, key: str) -> Path | None:
        """The file of a "folder:..." key; None where no folder holds it."""
        named = [self.folder] if self.folder else os.environ.get(VARIABLE, "").split(os.pathsep)
        paths = [Path(name).expanduser() / key.removeprefix(FOLDER) for name in named if name.strip()]
        return next((path for path in paths if path.is_file()), None)


@lru_cache(maxsize=_MOST_KEPT)
def _load(data: Data, key: str, parameters: tuple[tuple[str, float], ...], bins: int) -> Dataset:
    if not key.startswith(FOLDER):
        if bins:
            raise DataError(f"{key} has classes; only a table of the folder can be cut into bins.")
        # What a recipe leaves open is the default of the slider, which need not be that of the function.
        defaults = {parameter.name: parameter.default for parameter in DATASETS[key].parameters}
        return load_dataset(key, **{**defaults, **dict(parameters)})
    path = data.path_of(key)
    if path is not None:
        return _in_bins(path, bins) if bins else local_entries(path.parent)[key].load()
    return DATASETS[TWINS[key.removeprefix(FOLDER)]].load()


@lru_cache(maxsize=64)
def _checksum(path: str, changed: int) -> str:
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()


def _in_bins(path: Path, bins: int) -> Dataset:
    """A table whose label of numbers is cut into classes of equal frequency."""
    plan = unasked_plan(read_table(path.read_bytes(), path.name))
    if plan.columns.label_mode == "classes":
        raise DataError(f"{path.name} has no label of numbers to be cut into {bins} classes.")
    return build_dataset(plan.table, replace(plan.columns, label_mode="bins", n_bins=bins))


def _of_classes(dataset: Dataset, classes: tuple[str, ...]) -> Dataset:
    """The rows of these classes, in their order; all rows where none is named."""
    if not classes:
        return dataset
    lacking = [name for name in classes if name not in dataset.class_names]
    if lacking:
        raise DataError(f"{dataset.name} has no class {', '.join(lacking)}; it has: {', '.join(dataset.class_names)}.")
    code = {dataset.class_names.index(name): k for k, name in enumerate(classes)}
    rows = np.flatnonzero(np.isin(dataset.y, list(code)))
    y = np.array([code[int(c)] for c in dataset.y[rows]], dtype=np.int64)
    target = None if dataset.target is None else dataset.target[rows]
    numbers = dataset.row_numbers[rows]
    return replace(dataset, X=dataset.X[rows], y=y, class_names=classes, row_numbers=numbers, target=target)
