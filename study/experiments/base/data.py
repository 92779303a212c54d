"""The data of experiments: the catalogue, and tables in a folder of the user."""

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
# file -> the entry of the catalogue that downloads the same data
TWINS = {"ionosphere.csv": "ionosphere", "housing_medv.csv": "boston"}
_BINS_BY_DEFAULT = 3  # of a numeric label, also in downloads
_MOST_KEPT = 4
# What to do: on the command line, on the page.
_PUT_IT = (
    f"Put it into a folder and name that by --data or {VARIABLE}",
    f"Put it into a folder and start the app with {VARIABLE} naming that",
)
_FETCH_IT = ("add --fetch to download {} from OpenML", "switch on 'Download what is missing' for {} from OpenML")


class MissingData(DataError):
    """A data set that is missing; the message says how to get it."""


@dataclass(frozen=True)
class Data:
    """Where experiments look for tables."""

    folder: str = ""  # a folder; "" for those that NCA_EXPLORER_DATA names
    fetch: bool = False  # download what the folder lacks and the catalogue has
    on_page: bool = False  # messages give advice for the page, not for the command line

    def of(self, cell: Cell) -> Dataset:
        """Load the rows of a cell; DataError for a file that is missing, unreadable or without its classes."""
        recipe = cell.recipe.data
        if sentence := self.lacks(cell):
            raise MissingData(sentence)
        return _of_classes(_load(self, recipe.key, tuple(recipe.parameters), cell.bins), cell.classes)

    def mark(self, cell: Cell) -> str:
        """Identify the data in the key of a cell: by the checksum of a file, else by the name of its download.

        It does not depend on `fetch`, so that results of a download are found again without it.
        """
        key = cell.recipe.data.key
        if not key.startswith(FOLDER):
            return key
        path = self.path_of(key)
        return mark_of_download(cell) if path is None else _checksum(str(path), path.stat().st_mtime_ns)

    def lacks(self, cell: Cell) -> str:
        """Why the data of a cell cannot be loaded and how to get them; "" if they can."""
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
        """Whether the data of a cell are missing and could be downloaded."""
        return bool(self.lacks(cell)) and not replace(self, fetch=True).lacks(cell)

    def path_of(self, key: str) -> Path | None:
        """The file of a "folder:..." key; None if no folder holds it."""
        named = [self.folder] if self.folder else os.environ.get(VARIABLE, "").split(os.pathsep)
        paths = [Path(name).expanduser() / key.removeprefix(FOLDER) for name in named if name.strip()]
        return next((path for path in paths if path.is_file()), None)


def mark_of_download(cell: Cell) -> str:
    """`Data.mark` where no folder has the file."""
    key = cell.recipe.data.key
    file = key.removeprefix(FOLDER)
    return f"download:{TWINS.get(file, file)}" if key.startswith(FOLDER) else key


@lru_cache(maxsize=_MOST_KEPT)
def _load(data: Data, key: str, parameters: tuple[tuple[str, float], ...], bins: int) -> Dataset:
    if not key.startswith(FOLDER):
        if bins:
            raise DataError(f"{key} has classes; only a table of the folder can be cut into bins.")
        # The sliders' defaults, which need not be those of the function.
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
    """Cut the numeric label of a table into classes of equal frequency."""
    plan = unasked_plan(read_table(path.read_bytes(), path.name))
    if plan.columns.label_mode == "classes":
        raise DataError(f"{path.name} has no label of numbers to be cut into {bins} classes.")
    return build_dataset(plan.table, replace(plan.columns, label_mode="bins", n_bins=bins))


def _of_classes(dataset: Dataset, classes: tuple[str, ...]) -> Dataset:
    """The rows of these classes, coded in their order; all rows if none is named."""
    if not classes:
        return dataset
    lacking = [name for name in classes if name not in dataset.class_names]
    if lacking:
        raise DataError(f"{dataset.name} has no class {', '.join(lacking)}; it has: {', '.join(dataset.class_names)}.")
    code = {dataset.class_names.index(name): k for k, name in enumerate(classes)}
    rows = np.flatnonzero(np.isin(dataset.y, list(code)))
    y = np.array([code[int(c)] for c in dataset.y[rows]], dtype=np.int64)
    return replace(dataset.of_rows(rows), y=y, class_names=classes)
