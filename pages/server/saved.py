"""A workspace as parts of a store, and back: recipes, tables of one's own, trainings as far as they came, lessons."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import partial
from types import MappingProxyType
from typing import Any

import numpy as np

from datasets.base.dataset import Dataset, Source
from datasets.drawn import Drawing
from lessons.base.own import from_lesson_file, to_lesson_file
from lessons.base.progress import StepDone
from pages.server.belongings import Belongings, SavedRun
from pages.server.packed import as_array, packed, unpacked
from pages.server.rows_of import rows_of
from pages.server.saved_embeddings import embeddings_of, of_embedding, saved_embedding
from pages.server.saved_parts import Parts
from pages.server.saved_snapshots import of_snapshots, snapshots_of
from pages.server.saved_uploads import save_uploads, take_uploads_back
from pages.server.store import Store
from pages.server.workspace import PanelRun, Workspace
from study.link import from_link, to_link
from study.panel import PanelRecipe
from study.recipe import Recipe

FIRST, SECOND, LESSONS = "first", "second", "lessons"  # the pages of a tab
_PAST = 3  # recipes before the present one by which a reload may find the workspace
_ARRAYS = ("X", "y", "row_numbers", "target")
_TEXTS = ("name", "feature_names", "class_names", "image_shape", "notes")


@dataclass(frozen=True)
class Written:
    """Where a workspace stands in the store, and what of it does."""

    folder: str
    parts: Mapping[str, int]  # of runs: part -> snapshots up to its end
    kept: Mapping[str, tuple[object, str]]
    said: str  # the meta as it was written


def save(
    space: Workspace,
    store: Store,
    before: Written | None,
    again: bool = False,
    went_on: Mapping[str, float] = MappingProxyType({}),
) -> Written:
    """Write what has changed since `before`; `again` also where nothing has, so that it does not grow old.

    `went_on` names the folders of the workspaces that it was before, at other servers or before a restart, with the
    time at which each was taken up.
    """
    if before is not None and not store.holds(before.folder):
        before = None  # somebody has emptied the store, or put another disk in its place
    folder = store.folder(space.owner, space.token) if before is None else before.folder
    parts = Parts(store, folder, {}, {}) if before is None else Parts(store, folder, before.parts, before.kept)
    own = space.belongings
    tables = {
        key: parts.keep(f"table {key}", dataset, "data", partial(_of_dataset, dataset))
        for key, dataset in list(own.own_data.items())
    }
    uploads = save_uploads(own, parts)
    there = {FIRST: space, SECOND: space.second, LESSONS: space.lessons}
    pages = {name: _page(name, page, parts) for name, page in there.items() if page is not None}
    meta = {"parts": sorted(parts.ends), "tables": tables, "uploads": uploads, "pages": pages, "went_on": dict(went_on)}
    said = json.dumps(meta, sort_keys=True)
    if again or before is None or said != before.said:
        store.write_meta(folder, meta)
    return Written(folder, parts.ends, parts.kept, said)


def _page(name: str, space: Workspace, parts: Parts) -> dict[str, Any]:
    from pages.server.saved_jobs import save_jobs  # loads what takes long, and the server answers before

    own = space.belongings
    past = [own.recipe, *reversed(own.past)][: _PAST + 1]
    return {
        "links": [to_link(recipe) for recipe in past],
        "runs": _runs(name, space, parts),
        "embeddings": {
            key: {
                "part": parts.keep(f"{name} {key}", one.embedding, "embedding", partial(of_embedding, one)),
                "panel": _of_panel(space, one.recipe),
            }
            for key, one in embeddings_of(own).items()
        },
        "jobs": save_jobs(name, own, parts),
        "drawing": parts.keep(f"drawing {name}", own.drawing, "drawing", partial(_of_drawing, own.drawing))
        if own.drawing.flat
        else "",
        "progress": [[*step, done.said, done.done] for step, done in list(own.progress.items())],
        "own_lesson": None if own.own_lesson is None else to_lesson_file(own.own_lesson),
        "own_lesson_shown": own.own_lesson is not None and own.own_lesson_shown == own.own_lesson,
    }


def _runs(name: str, space: Workspace, parts: Parts) -> dict[str, Any]:
    own, runs = space.belongings, {}
    for key, saved in list(own.saved_runs.items()):  # the page has not been looked at since they came back
        names = [f"run-{name}-{key}.npz"] if saved.snapshots else []
        for part in names:
            parts.add(part, partial(of_snapshots, saved.snapshots))
        ended = saved.ended, saved.reason
        runs[key] = {"parts": names, "panel": _of_panel(space, saved.panel), "rows": saved.rows, "ended": ended}
    comparison, there = own.comparison, space.runs
    if not there or comparison is None:
        return runs
    rows = rows_of(own, comparison)
    for key, held in there.items():
        if key not in own.started or (held.run.state == "ended" and held.run.latest() is None):
            continue
        names = _of_run(f"run-{name}{held.number}", held, parts)
        ended = (held.run.ended, held.run.ended_reason) if held.run.state == "ended" else ("", "")
        runs[key] = {"parts": names, "panel": _of_panel(space, own.started[key]), "rows": rows, "ended": ended}
    if own.comparison is not comparison:  # other rows have come meanwhile, so nobody knows which of them it was
        runs = {key: {**run, "rows": ""} if key in there else run for key, run in runs.items()}
    return runs


def _of_panel(space: Workspace, panel: PanelRecipe) -> dict[str, str]:
    """A recipe of that panel alone."""
    return to_link(Recipe(data=space.belongings.recipe.data, panels=(panel,)))


def _of_run(name: str, held: PanelRun, parts: Parts) -> list[str]:
    """The parts of a run; new snapshots make another one."""
    names = sorted((part for part in parts.there if part.startswith(f"{name}-")), key=parts.there.__getitem__)
    parts.ends.update({part: parts.there[part] for part in names})
    done = parts.there[names[-1]] if names else 0
    if news := held.run.snapshots_since(done):
        names.append(f"{name}-{done:06d}.npz")
        parts.add(names[-1], partial(of_snapshots, news), done + len(news))
    return names


def _of_dataset(dataset: Dataset) -> bytes:
    arrays = {name: getattr(dataset, name) for name in _ARRAYS if getattr(dataset, name) is not None}
    told = {name: getattr(dataset, name) for name in _TEXTS} | {"source": asdict(dataset.source)}
    return packed(told=as_array(told), **arrays)


def _of_drawing(drawing: Drawing) -> bytes:
    return packed(flat=np.array(drawing.flat, dtype=np.int16))


# -- and back


def rank(meta: Mapping[str, Any], link: Mapping[str, str]) -> int | None:
    """How many changes ago a page of the saved workspace had this address; None for never."""
    pages = [meta["pages"][name] for name in (FIRST, SECOND) if name in meta["pages"]]
    return min((page["links"].index(link) for page in pages if link in page["links"]), default=None)


def take_back(store: Store, folder: str, meta: Mapping[str, Any]) -> dict[str, Belongings]:
    """What was saved of the pages of a workspace, by their names, all of it read.

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
    pages = {name: first if name == FIRST else first.beside() for name in meta["pages"]}
    for name, own in pages.items():
        saved = meta["pages"][name]
        own.past = [from_link(link).recipe for link in reversed(saved["links"][1:])]
        own.recipe = from_link(saved["links"][0]).recipe
        for key, run in saved["runs"].items():
            snapshots = tuple(each for part in run["parts"] for each in snapshots_of(store.read(folder, part)))
            panel = from_link(run["panel"]).recipe.panel(key)
            own.saved_runs[key] = SavedRun(panel, snapshots, run.get("rows", ""), *run["ended"])
        for key, one in saved["embeddings"].items():
            panel = from_link(one["panel"]).recipe.panel(key)
            own.saved_embeddings[key] = saved_embedding(panel, store.read(folder, one["part"]))
        if saved.get("jobs"):  # an earlier version kept none
            from pages.server.saved_jobs import take_jobs_back  # as above

            take_jobs_back(own, partial(store.read, folder), saved["jobs"])
        if saved["drawing"]:
            own.drawing = Drawing(tuple(unpacked(store.read(folder, saved["drawing"]))["flat"].tolist()))
        own.progress = {(key, step): StepDone(said, done) for key, step, said, done in saved["progress"]}
        if saved["own_lesson"] is not None:
            own.own_lesson = from_lesson_file(saved["own_lesson"])[0]
            own.own_lesson_shown = own.own_lesson if saved["own_lesson_shown"] else None
    return pages


def _dataset(content: bytes) -> Dataset:
    arrays: dict[str, Any] = unpacked(content)
    told: dict[str, Any] = json.loads(arrays.pop("told").tobytes())
    told |= {name: tuple(told[name]) for name in ("feature_names", "class_names", "notes")}
    shape = told.pop("image_shape")
    return Dataset(
        **{**told, "source": Source(**told["source"]), "image_shape": tuple(shape) if shape else None}, **arrays
    )
