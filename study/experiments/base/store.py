"""Where cells find their tables, and where their outcomes are stored."""

import gzip
import hashlib
import json
import os
import uuid
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from functools import lru_cache
from pathlib import Path

import numpy as np

from datasets.base.dataset import Dataset
from datasets.base.errors import DataError
from datasets.catalogue import DATASETS, load_dataset
from datasets.columns import build_dataset
from datasets.downloads.cache import cache_folder
from datasets.local_folder import VARIABLE as DATA_VARIABLE
from datasets.local_folder import local_entries
from datasets.proposals import unasked_plan
from datasets.reading import read_table
from study.experiments.base.experiment import Cell, Outcome
from study.link import to_link
from study.recipe import Recipe

VARIABLE = "NCA_EXPLORER_EXPERIMENTS"
KEPT = Path(__file__).parents[1] / "kept.json.gz"  # the run that comes with the program
FOLDER = "folder:"
# file -> the entry of the catalogue that downloads the same data
FILE_DOWNLOADS = {"ionosphere.csv": "ionosphere", "housing_medv.csv": "boston"}
_BINS_BY_DEFAULT = 3  # of a numeric label, also in downloads
# What to do: on the command line, on the page.
_PUT_IT = (
    f"Put it into a folder and name that by --data or {DATA_VARIABLE}",
    f"Put it into a folder and start the app with {DATA_VARIABLE} naming that",
)
_FETCH_IT = ("add --fetch to download {} from OpenML", "switch on 'Download what is missing' for {} from OpenML")


@dataclass(frozen=True)
class Data:
    """Where experiments look for tables."""

    folder: str = ""  # a folder; "" for those that NCA_EXPLORER_DATA names
    fetch: bool = False  # download what the folder lacks and the catalogue has
    on_page: bool = False  # messages give advice for the page, not for the command line

    def of(self, cell: Cell) -> Dataset:
        """Load the rows of a cell; DataError for a file that is missing, unreadable or without its classes."""
        if sentence := self.why_missing(cell):
            raise DataError(sentence)
        recipe = cell.recipe.data
        return _load(self, recipe.key, tuple(recipe.parameters), cell.bins, cell.classes)

    def data_id(self, cell: Cell) -> str:
        """Identify the data in the key of a cell: by the checksum of a file, else by the name of its download.

        It does not depend on `fetch`, so that results of a download are found again without it.
        """
        path = self.path_of(cell.recipe.data.key)
        return download_id(cell) if path is None else _checksum(str(path), path.stat().st_mtime_ns)

    def why_missing(self, cell: Cell) -> str:
        """Why the data of a cell cannot be loaded and how to get them; "" if they can."""
        key = cell.recipe.data.key
        if not key.startswith(FOLDER) or self.path_of(key) is not None:
            return ""
        file = key.removeprefix(FOLDER)
        twin, put_it = FILE_DOWNLOADS.get(file), _PUT_IT[self.on_page]
        if twin is None:
            return f"{file} is not here. {put_it}."
        if cell.bins not in (0, _BINS_BY_DEFAULT):
            return f"{cell.bins} bins need {file}; its download has {_BINS_BY_DEFAULT}. {put_it}."
        fetch_it = _FETCH_IT[self.on_page].format(DATASETS[twin].title)
        return "" if self.fetch else f"{file} is not here. {put_it}, or {fetch_it}."

    def can_fetch(self, cell: Cell) -> bool:
        """Whether the data of a cell are missing and could be downloaded."""
        return bool(self.why_missing(cell)) and not replace(self, fetch=True).why_missing(cell)

    def path_of(self, key: str) -> Path | None:
        """The file of a "folder:..." key; None if no folder holds it, and of other keys."""
        if not key.startswith(FOLDER):
            return None
        named = [self.folder] if self.folder else os.environ.get(DATA_VARIABLE, "").split(os.pathsep)
        paths = [Path(name).expanduser() / key.removeprefix(FOLDER) for name in named if name.strip()]
        return next((path for path in paths if path.is_file()), None)


def download_id(cell: Cell) -> str:
    """`Data.data_id` where no folder has the file."""
    key = cell.recipe.data.key
    file = key.removeprefix(FOLDER)
    return f"download:{FILE_DOWNLOADS.get(file, file)}" if key.startswith(FOLDER) else key


@lru_cache(maxsize=16)
def _load(
    data: Data, key: str, parameters: tuple[tuple[str, float], ...], bins: int, classes: tuple[str, ...]
) -> Dataset:
    if classes:
        return _of_classes(_load(data, key, parameters, bins, ()), classes)
    path = data.path_of(key)
    if path is not None and not bins:
        return local_entries(path.parent)[key].load()
    if path is not None:
        plan = unasked_plan(read_table(path.read_bytes(), path.name))
        if plan.columns.label_mode == "classes":
            raise DataError(f"{path.name} has no label of numbers to be cut into {bins} classes.")
        return build_dataset(plan.table, replace(plan.columns, label_mode="bins", n_bins=bins))
    if key.startswith(FOLDER):
        return DATASETS[FILE_DOWNLOADS[key.removeprefix(FOLDER)]].load()
    if bins:
        raise DataError(f"{key} has classes; only a table of the folder can be cut into bins.")
    return load_dataset(key, **dict(parameters))


@lru_cache(maxsize=64)
def _checksum(path: str, changed: int) -> str:
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()


def _of_classes(dataset: Dataset, classes: tuple[str, ...]) -> Dataset:
    """The rows of these classes, coded in their order."""
    lacking = [name for name in classes if name not in dataset.class_names]
    if lacking:
        raise DataError(f"{dataset.name} has no class {', '.join(lacking)}; it has: {', '.join(dataset.class_names)}.")
    code = {dataset.class_names.index(name): k for k, name in enumerate(classes)}
    rows = np.flatnonzero(np.isin(dataset.y, list(code)))
    y = np.array([code[int(c)] for c in dataset.y[rows]], dtype=np.int64)
    return replace(dataset.of_rows(rows), y=y, class_names=classes)


def store_folder() -> Path:
    """NCA_EXPLORER_EXPERIMENTS, else "experiments" in the cache folder of the app."""
    own = os.environ.get(VARIABLE, "")
    return Path(own).expanduser() if own else cache_folder() / "experiments"


def key_of(cell: Cell, mark: str, version: int) -> str:
    """The name of a cell in the store: a hash of everything that decides its numbers but the code.

    `mark` identifies its data, `version` is that of its experiment.
    """
    panels = tuple(replace(panel, title="") for panel in cell.recipe.panels)
    names = {name: getattr(cell, name) for name in cell.__dataclass_fields__}
    names["recipe"] = to_link(replace(cell.recipe, panels=panels, pace=Recipe().pace))
    text = json.dumps([names, mark, version], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:40]


@lru_cache(maxsize=20_000)
def key_of_split(cell: Cell, seed: int, mark: str, version: int) -> str:
    """The name of `cell.seeded(seed)`; cached, as a table needs thousands."""
    return key_of(cell.seeded(seed), mark, version)


@dataclass(frozen=True)
class KeptRun:
    """Outcomes of a whole run by key, and where it was made."""

    provenance: str = ""
    outcomes: Mapping[str, Outcome] = field(default_factory=dict)


@lru_cache(maxsize=1)
def kept_run() -> KeptRun:
    """Read the kept run."""
    read = json.loads(gzip.decompress(KEPT.read_bytes()))
    return KeptRun(read["provenance"], {key: Outcome(**outcome) for key, outcome in read["outcomes"].items()})


def keep_run(provenance: str, outcomes: Mapping[str, Outcome], path: Path = KEPT) -> None:
    """Write the kept run, compact: numbers of six digits, places of three, no library versions."""
    packed = {}
    for key, outcome in outcomes.items():
        short = {name: float(f"{value:.6g}") for name, value in outcome.numbers.items()}
        places = [[float(f"{value:.3g}") for value in place] for place in outcome.places]
        found = asdict(replace(outcome, numbers=short, places=places, versions={}, seconds=round(outcome.seconds, 3)))
        packed[key] = {name: value for name, value in found.items() if value}
    text = json.dumps({"provenance": provenance, "outcomes": packed}, separators=(",", ":"))
    path.write_bytes(gzip.compress(text.encode(), 9, mtime=0))


@dataclass(frozen=True)
class OutcomeStore:
    """Outcomes in a folder, each in a file of its own that is read once."""

    folder: Path
    read: dict[str, Outcome] = field(default_factory=dict)  # by key: cells of several experiments share their outcome

    def get(self, key: str) -> Outcome | None:
        """Read an outcome; None where there is none, and of a file that cannot be read."""
        if key not in self.read:
            with suppress(OSError, ValueError, TypeError):
                self.read[key] = Outcome(**json.loads(self._path(key).read_bytes()))
        return self.read.get(key)

    def put(self, key: str, outcome: Outcome) -> None:
        """Write to another name, then rename, so that a file is whole; OSError where the folder cannot be written."""
        path = self._path(key)
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_suffix(f".{uuid.uuid4().hex}.part")
        try:
            part.write_text(json.dumps(asdict(outcome)))
            part.replace(path)
        finally:
            part.unlink(missing_ok=True)

    def _path(self, key: str) -> Path:
        return self.folder / key[:2] / f"{key}.json"
