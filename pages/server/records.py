"""Split a workspace into a record and its large, unchanging parts for the store, and put it together again.

Parts are data sets, files, snapshots, embeddings and results of jobs. The record holds all else, and their names.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from typing import Any

from datasets.base.fingerprint import content_sha256
from pages.server.document import Document, SavedRun, Upload
from pages.server.embeddings import saved_embedding
from pages.server.jobs import EndedJob, State
from pages.server.workspace import PanelRun, Workspace
from study.codec import Stored, decode, encode
from study.compare import Comparison
from study.link import to_link
from study.recipe import Recipe

FIRST, SECOND, LESSONS = "first", "second", "lessons"  # pages of a tab
LOST = "The server restarted, and a background job was lost: start it again."
_UNREADABLE = "The results from before the restart cannot be read: start again."
_VERSION = 4
_PAST = 3  # previous recipes by which a reload finds the workspace


@dataclass(frozen=True)
class SavedPart:
    """A part of the store."""

    of: object  # the part is unchanged while this is the same object
    encode: Callable[[], bytes]
    end: int = 0  # snapshots of a run up to the end of this part


@dataclass(frozen=True)
class SavedJob:
    """A job without its result."""

    of: Any
    state: Any
    error: str
    part: str  # that holds the result


@dataclass(frozen=True)
class Record:
    """A workspace's pages by name, with `Stored` in place of parts."""

    pages: dict[str, Document]
    jobs: dict[str, dict[str, SavedJob]]
    columns: tuple[str, ...]  # of the numbers in results of jobs
    version: int = _VERSION


def record_of(space: Workspace, known: Mapping[str, SavedPart]) -> tuple[Record, dict[str, SavedPart]]:
    """The record of a workspace and all its parts by name; `known` are the saved ones."""
    parts: dict[str, SavedPart] = {}
    of_the_tab = {FIRST: space, SECOND: space.second, LESSONS: space.lessons}
    pages = {name: page for name, page in of_the_tab.items() if page is not None}
    jobs = {name: _jobs(name, page.document, parts) for name, page in pages.items()}
    saved = {name: _page(name, page, parts, known) for name, page in pages.items()}
    for name, page in pages.items():
        there = list(page.document.jobs.items())
        if any(job.state == "running" and job.saved and key not in jobs[name] for key, job in there):
            saved[name].notice = LOST
    return Record(saved, jobs, _columns()), parts


def _page(name: str, space: Workspace, parts: dict[str, SavedPart], known: Mapping[str, SavedPart]) -> Document:
    own = space.document

    def stored(part: str, of: Any, value: Callable[[], Any] | None = None) -> Any:
        parts[part] = SavedPart(of, lambda: encode(of if value is None else value()))
        return Stored(part)

    def stored_file(place: str, at: Upload | None) -> Upload | None:
        if at is None:
            return None
        data, shape = stored(f"file {place}", at.data), at.image_shape
        return Upload(at.filename, data, at.options, at.sheet, at.choices, image_shape=shape, key=at.key)

    page = Document(own.recipe, past=own.past[-_PAST:], drawing=own.drawing, openings=dict(own.openings))
    page.own_lesson, page.own_step_shown = own.own_lesson, own.own_step_shown
    if name == FIRST:
        page.own_data = {key: stored(f"table {key}", dataset) for key, dataset in list(own.own_data.items())}
        # A file whose data set exists is checked again; any other is read like a new one.
        resting = own.upload if own.upload is not None and own.upload.key in own.own_data else own.upload_before
        page.upload_before = stored_file("resting", resting)
        waiting = own.waiting_upload or (own.upload if own.upload is not resting else None)
        page.waiting_upload = stored_file("waiting", waiting)
    embeddings = {key: (one.embedding, partial(replace, one)) for key, one in list(own.saved_embeddings.items())}
    for panel in own.comparison.panels if own.comparison is not None else ():
        if panel.recipe.method.kind == "embedding" and panel.embedding is not None:
            embeddings[panel.key] = panel.embedding, partial(saved_embedding, panel)
    page.saved_embeddings = {key: stored(f"embedding {name} {key}", *each) for key, each in embeddings.items()}
    page.saved_runs = _runs(name, space, parts, known)
    return page


def _jobs(name: str, own: Document, parts: dict[str, SavedPart]) -> dict[str, SavedJob]:
    jobs = {}
    for key, job in list(own.jobs.items()):
        if not job.saved:
            continue
        if not _encoded(job.of):  # no page could find it again
            continue
        part, state, result = f"job {name} {key}", job.state, job.result  # read in this order: results end with the job
        jobs[key] = SavedJob(job.of, state, job.error, part)
        if result is not None:
            parts[part] = SavedPart(result, partial(_encoded, result))
    return jobs


def _encoded(value: object) -> bytes:
    """Encode a value; empty for kinds that cannot be saved."""
    try:
        return encode(value)
    except TypeError:
        return b""


def _columns() -> tuple[str, ...]:
    from study.measure import NAMES  # takes long to load, and the server answers before

    return NAMES


def _runs(
    name: str, space: Workspace, parts: dict[str, SavedPart], known: Mapping[str, SavedPart]
) -> dict[str, SavedRun]:
    own, runs = space.document, {}
    for key, saved in list(own.saved_runs.items()):  # restored, not on the stage yet
        part = f"run {name} {key}"
        parts[part] = SavedPart(saved.snapshots, partial(_snapshots, saved.snapshots))
        runs[key] = replace(saved, snapshots=(Stored(part),))
    comparison, there = own.comparison, space.runs
    if not there or comparison is None:
        return runs
    rows = rows_id(own, comparison)
    for key, held in there.items():
        if key not in own.started or (held.run.state == "ended" and held.run.latest() is None):
            continue
        ended = (held.run.ended, held.run.ended_reason) if held.run.state == "ended" else ("", "")
        written = _run_parts(f"run {name} {held.number}", held, known)
        parts.update(written)
        runs[key] = SavedRun(own.started[key], tuple(map(Stored, written)), rows, *ended)
    if own.comparison is not comparison:  # replaced meanwhile: the rows are unknown
        runs = {key: replace(run, rows="") if key in there else run for key, run in runs.items()}
    return runs


def _run_parts(name: str, held: PanelRun, known: Mapping[str, SavedPart]) -> dict[str, SavedPart]:
    """Parts of a run by name, in order; new snapshots become another part."""
    parts = {part: at for part, at in known.items() if part.startswith(f"{name} ") and at.of is held.run}
    done = max((at.end for at in parts.values()), default=0)
    if news := held.run.snapshots_since(done):
        parts[f"{name} {done:06d}"] = SavedPart(held.run, partial(_snapshots, news), done + len(news))
    return dict(sorted(parts.items()))


def _snapshots(snapshots: Any) -> bytes:
    """Encode snapshots without a network's coordinates, which the network computes again."""
    return encode(tuple(at if at.network is None else replace(at, coordinates=None) for at in snapshots))


def rows_id(own: Document, comparison: Comparison) -> str:
    """An id for the rows of a comparison: content and preparation of its data set.

    Prepared features are not hashed: their last digits vary with processor and library versions.
    """
    dataset, recipe = comparison.dataset, comparison.recipe
    content = own.cached("rows", lambda: content_sha256(dataset), dataset)
    done = Recipe(noise=recipe.noise, preparation=recipe.preparation, n_components=recipe.n_components)
    return json.dumps([content, to_link(done)], sort_keys=True)


# -- decoding


def read_record(content: bytes) -> Record:
    """Decode a record, with `Stored` in place of its parts; raises as `decode`, or ValueError for another version."""
    record = decode(content)
    if not isinstance(record, Record) or record.version != _VERSION:
        raise ValueError("This record is of another version.")
    return record


def read_documents(content: bytes, parts: Mapping[str, bytes]) -> dict[str, Document]:
    """Decode the documents of a workspace's pages by name, or raise as `decode`."""
    record: Record = decode(content, parts)
    for name, own in record.pages.items():
        own.own_data = record.pages[FIRST].own_data
        own.opened = record.pages[FIRST].opened
        for key, run in own.saved_runs.items():
            own.saved_runs[key] = replace(run, snapshots=tuple(chain.from_iterable(run.snapshots)))
        for key, job in record.jobs[name].items():
            own.jobs[key] = _ended_job(job, parts.get(job.part, b""), record.columns)
    return record.pages


def _ended_job(saved: SavedJob, content: bytes, columns: tuple[str, ...]) -> EndedJob:
    state: State = "interrupted" if saved.state == "running" else saved.state
    try:
        if content and columns != _columns():
            raise ValueError("The columns have changed.")
        return EndedJob(saved.of, state, decode(content) if content else None, saved.error)
    except (ValueError, KeyError, TypeError):  # saved by another version
        return EndedJob(saved.of, "failed", None, _UNREADABLE)
