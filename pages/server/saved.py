"""A workspace as parts of a store, and back: recipes, tables of one's own, trainings as far as they came."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

import numpy as np

from datasets.base.dataset import Dataset, Source
from datasets.base.fingerprint import fingerprint
from nca_core.snapshot import Snapshot
from pages.server.belongings import Belongings, SavedRun
from pages.server.packed import as_array, packed, unpacked
from pages.server.saved_uploads import Files, save_uploads, take_uploads_back
from pages.server.store import Store
from pages.server.workspace import PanelRun, Workspace
from study.link import from_link, to_link
from study.panel import PanelRecipe
from study.recipe import Recipe

_PAST = 3  # recipes before the present one by which a reload may find the workspace
_NUMBERS = tuple(
    field.name
    for field in fields(Snapshot)
    if field.name not in ("transformation", "summation", "coordinates", "network", "spectrum", "starts")
)
_ARRAYS = ("X", "y", "row_numbers", "target")
_TEXTS = ("name", "feature_names", "class_names", "image_shape", "notes")


@dataclass(frozen=True)
class Written:
    """Where a workspace stands in the store, and what of it does."""

    folder: str
    parts: Mapping[str, int]  # of runs: part -> snapshots up to its end
    tables: Mapping[str, tuple[Dataset, str]]  # by key, with the part
    files: Files
    said: str  # the meta as it was written


def save(space: Workspace, store: Store, before: Written | None, again: bool = False) -> Written:
    """Write what has changed since `before`; `again` also where nothing has, so that it does not grow old."""
    if before is not None and not store.holds(before.folder):
        before = None  # somebody has emptied the store, or put another disk in its place
    folder = store.folder(space.owner, space.token) if before is None else before.folder
    there = {} if before is None else dict(before.parts)
    parts: dict[str, int] = {}
    tables = {}
    for key, dataset in list(space.belongings.own_data.items()):
        known, name = (None, "") if before is None else before.tables.get(key, (None, ""))
        if known is not dataset:
            name = f"data-{fingerprint(dataset)[:40]}.npz"
        if name not in there:
            store.write(folder, name, _of_dataset(dataset))
        parts[name] = 0
        tables[key] = dataset, name
    uploads, files = save_uploads(space.belongings, store, folder, {} if before is None else before.files, parts)
    pages = [_page(page, store, folder, there, parts) for page in (space, space.second) if page is not None]
    named = {key: name for key, (_, name) in tables.items()}
    meta = {"parts": sorted(parts), "tables": named, "uploads": uploads, "pages": pages}
    said = json.dumps(meta, sort_keys=True)
    if again or before is None or said != before.said:
        store.write_meta(folder, meta)
    return Written(folder, parts, tables, files, said)


def _page(
    space: Workspace, store: Store, folder: str, there: Mapping[str, int], parts: dict[str, int]
) -> dict[str, Any]:
    own, runs = space.belongings, {}
    page = "a" if space.first is space else "b"
    for key, saved in list(own.saved_runs.items()):  # the page has not been looked at since they came back
        name = f"run-{page}{key}.npz"
        if saved.snapshots and name not in there:
            store.write(folder, name, _of_snapshots(list(saved.snapshots)))
        names = [name] if saved.snapshots else []
        parts |= dict.fromkeys(names, 0)
        runs[key] = {"parts": names, "panel": _of_panel(space, saved.panel), "ended": (saved.ended, saved.reason)}
    for key, held in space.runs.items():
        if key not in own.started or held.run.latest() is None:
            continue
        names = _of_run(f"{page}{held.number}", held, store, folder, there, parts)
        ended = (held.run.ended, held.run.ended_reason) if held.run.state == "ended" else ("", "")
        runs[key] = {"parts": names, "panel": _of_panel(space, own.started[key]), "ended": ended}
    past = [own.recipe, *reversed(own.past)][: _PAST + 1]
    return {"links": [to_link(recipe) for recipe in past], "runs": runs}


def _of_panel(space: Workspace, panel: PanelRecipe) -> dict[str, str]:
    """A recipe of that panel alone."""
    return to_link(Recipe(data=space.belongings.recipe.data, panels=(panel,)))


def _of_run(
    name: str, held: PanelRun, store: Store, folder: str, there: Mapping[str, int], parts: dict[str, int]
) -> list[str]:
    """The parts of a run; new snapshots make another one."""
    names = sorted((part for part in there if part.startswith(f"run-{name}-")), key=there.__getitem__)
    done = there[names[-1]] if names else 0
    news = held.run.snapshots_since(done)
    if any(each.coordinates is not None or each.network is not None for each in news):
        return []  # no matrix stands for it; it has to be trained again
    if news:
        names.append(f"run-{name}-{done:06d}.npz")
        store.write(folder, names[-1], _of_snapshots(news))
        parts[names[-1]] = done + len(news)
    parts.update({part: there[part] for part in names if part in there})
    return names


def _of_snapshots(snapshots: list[Snapshot]) -> bytes:
    numbers = np.array([[getattr(each, name) for name in _NUMBERS] for each in snapshots], dtype=float)
    spectra = [each.spectrum for each in snapshots if each.spectrum is not None]
    arrays = {"spectrum": np.stack(spectra)} if len(spectra) == len(snapshots) else {}
    A = np.stack([each.transformation for each in snapshots])
    return packed(A=A, numbers=numbers, summation=as_array([each.summation for each in snapshots]), **arrays)


def _of_dataset(dataset: Dataset) -> bytes:
    arrays = {name: getattr(dataset, name) for name in _ARRAYS if getattr(dataset, name) is not None}
    told = {name: getattr(dataset, name) for name in _TEXTS} | {"source": asdict(dataset.source)}
    return packed(told=as_array(told), **arrays)


# -- and back


def rank(meta: Mapping[str, Any], link: Mapping[str, str]) -> int | None:
    """How many changes ago a page of the saved workspace had this address; None for never."""
    return min((page["links"].index(link) for page in meta["pages"] if link in page["links"]), default=None)


def take_back(store: Store, folder: str, meta: Mapping[str, Any]) -> list[Belongings]:
    """What was saved of a workspace and, where it has one, its page of comparisons, all of it read.

    Trainings come with the first picture.

    Raises
    ------
    OSError, ValueError, KeyError
        Where the store cannot be read.
    """
    first = Belongings()
    for key, name in meta["tables"].items():
        first.own_data[key] = _dataset(store.read(folder, name))
    take_uploads_back(first, store, folder, meta["uploads"])
    pages = [first, *(first.beside() for _ in meta["pages"][1:])]
    for own, saved in zip(pages, meta["pages"], strict=True):
        own.past = [from_link(link).recipe for link in reversed(saved["links"][1:])]
        own.recipe = from_link(saved["links"][0]).recipe
        for key, run in saved["runs"].items():
            snapshots = tuple(each for name in run["parts"] for each in _snapshots(store.read(folder, name)))
            panel = from_link(run["panel"]).recipe.panel(key)
            own.saved_runs[key] = SavedRun(panel, snapshots, *run["ended"])
    return pages


def _dataset(content: bytes) -> Dataset:
    arrays: dict[str, Any] = unpacked(content)
    told: dict[str, Any] = json.loads(arrays.pop("told").tobytes())
    told |= {name: tuple(told[name]) for name in ("feature_names", "class_names", "notes")}
    shape = told.pop("image_shape")
    return Dataset(
        **{**told, "source": Source(**told["source"]), "image_shape": tuple(shape) if shape else None}, **arrays
    )


def _snapshots(content: bytes) -> list[Snapshot]:
    arrays = unpacked(content)
    found = []
    for k, (A, numbers) in enumerate(zip(arrays["A"], arrays["numbers"], strict=True)):
        A.flags.writeable = False
        named: dict[str, Any] = dict(zip(_NUMBERS, map(float, numbers), strict=True))
        iteration = int(named.pop("iteration"))
        found.append(Snapshot(iteration=iteration, transformation=A, **named))
        if "spectrum" in arrays:
            found[-1] = replace(found[-1], spectrum=arrays["spectrum"][k])
    words = json.loads(arrays["summation"].tobytes())
    return [replace(each, summation=word) for each, word in zip(found, words, strict=True)]
