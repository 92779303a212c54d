"""local_entries: the tables in folders of one's own (NCA_EXPLORER_DATA) as lines of the catalogue, read when asked."""

from __future__ import annotations

import os
from dataclasses import replace
from functools import lru_cache, partial
from pathlib import Path

from datasets.base.dataset import Dataset, Source
from datasets.base.entry import Entry
from datasets.base.errors import DataError
from datasets.columns import build_dataset
from datasets.columns.images import likely_image_shape, with_all_pixels
from datasets.proposals import unasked_plan
from datasets.reading import Limits, read_table

VARIABLE = "NCA_EXPLORER_DATA"
MOST_FILES = 200
_ENDINGS = (
    ".csv",
    ".tsv",
    ".txt",
    ".data",
    ".dat",
    ".xlsx",
    ".parquet",
    ".arff",
    ".json",
    ".npz",
    ".sav",
    ".por",
    ".dta",
)
_MOST_KEPT = 8


def local_entries(folder: Path | None = None) -> dict[str, Entry]:
    """The tables in `folder`, or in the folders that NCA_EXPLORER_DATA names, as entries of kind "folder".

    Subfolders, hidden files, READMEs and links that lead out of the folder are passed over; a folder that is missing
    or closed gives nothing. At most 200 files are listed, by name. Nothing is read before an entry's `load()`, which
    raises DataError with one sentence for a file that cannot be used.

    folder: where to look, or one table; the environment decides unless given.
    """
    named = os.environ.get(VARIABLE, "").split(os.pathsep)
    folders = [folder] if folder is not None else [Path(name).expanduser() for name in named if name.strip()]
    entries: dict[str, Entry] = {}
    for place in folders:
        for path in _tables(place):
            if len(entries) >= MOST_FILES:
                return entries
            entry = _entry(path, entries)
            entries[entry.key] = entry
    return entries


def _tables(folder: Path) -> list[Path]:
    try:
        inside = folder.resolve(strict=True)
        if inside.is_file():
            return [inside] if _is_table(inside) else []
        paths = sorted(inside.iterdir())
        return [path for path in paths if _is_table(path) and path.is_file() and path.resolve().parent == inside]
    except OSError:
        return []


def _is_table(path: Path) -> bool:
    name = path.name.lower()
    return not name.startswith((".", "~$", "readme")) and name.removesuffix(".gz").endswith(_ENDINGS)


def _entry(path: Path, taken: dict[str, Entry]) -> Entry:
    name = shown_name(path)
    key, copy = f"folder:{name}", 2
    while key in taken:  # two folders may hold a file of the same name
        key, copy = f"folder:{name} ({copy})", copy + 1
    title = name
    for ending in (".gz", *_ENDINGS):
        title = title.removesuffix(ending).removesuffix(ending.upper())
    title = title.replace("_", " ").strip() or name
    source = Source(title=f"local file: {name}")
    try:
        state = path.stat()
        version = f"{state.st_mtime_ns} {state.st_size}"
    except OSError:
        version = ""  # gone meanwhile: loading it will say so
    load = partial(_load, path, title)
    return Entry(key, title, f"{name} in {shown_name(path.parent)}.", "folder", source, load, version=version)


def shown_name(path: Path) -> str:
    """The name of a file; bytes in it that are no UTF-8, which no page can show, are written as \\xNN."""
    return os.fsencode(path.name).decode("utf-8", "backslashreplace")


def _load(path: Path, title: str) -> Dataset:
    name = shown_name(path)
    try:
        state = path.stat()
    except OSError:
        raise DataError(f"{name} is no longer in its folder. Open the catalogue again.") from None
    largest = Limits().file_bytes
    if state.st_size > largest:
        raise DataError(f"{name} has {state.st_size / 1e6:.0f} MB; at most {largest // 1_000_000} MB are read.")
    return _read(path, title, (state.st_mtime_ns, state.st_size))


@lru_cache(maxsize=_MOST_KEPT)
def _read(path: Path, title: str, modified: tuple[int, int]) -> Dataset:
    """The data set in a file; the last few are kept for as long as their files stay unmodified."""
    name = shown_name(path)
    try:
        data = path.read_bytes()
    except OSError as error:
        raise DataError(f"{name} cannot be opened ({error.strerror}). Check its permissions.") from None
    plan = unasked_plan(read_table(data, name))
    dataset = build_dataset(plan.table, with_all_pixels(plan.table, plan.columns))
    source = Source(f"local file: {name}")
    return replace(dataset, name=title, source=source, image_shape=likely_image_shape(dataset))
