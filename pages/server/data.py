"""Data sets of a session: those to choose from, the chosen one, and downloads."""

from collections.abc import Generator
from typing import Any

from datasets.base.dataset import Dataset
from datasets.base.entry import Entry
from datasets.base.errors import DataError
from datasets.base.fingerprint import fingerprint
from datasets.catalogue import DATASETS, load_dataset
from datasets.downloads.fetch import Watch
from datasets.downloads.openml import Opened
from datasets.local_folder import local_entries
from datasets.reading.table import unique_names
from nca_core.training.run import Slot
from pages.server.document import Document, Upload
from pages.server.jobs import Job, Turns
from pages.server.workspace import Workspace
from stage.plain_text import visible
from study.compare import Comparison
from study.recipe import OWN, DataRecipe, common_seed, with_data, with_seed

READY_KINDS = ("bundled", "generator")  # the others have to be read or fetched first
_MOST = 8  # downloads of a session, running or failed
_TURNS = Turns(2)  # a download holds a file and its table in memory
_NAME = "download "


def choices(space: Workspace) -> dict[str, str]:
    """Label of each data set by key: catalogue, folder, then the session's own.

    Labels are unique, since the browser returns the label and not the key.
    """
    own = space.document.own_data
    titles = {key: entry.title for key, entry in DATASETS.items() if entry.kind in READY_KINDS and key not in own}
    titles |= {key: entry.title for key, entry in local_entries().items() if key not in own}
    titles |= {key: dataset.name for key, dataset in own.items()}
    return dict(zip(titles, unique_names(tuple(map(visible, titles.values()))), strict=True))


def choose_data(space: Workspace, key: str) -> None:
    own = space.document
    own.in_the_way = own.failed_upload = None
    if own.upload is None or own.upload.key != key:  # the card of an earlier table comes back with it
        own.waiting_upload = own.version_of(key) or own.waiting_upload
    seed, recipe = common_seed(own.recipe), with_data(own.recipe, own.data_recipe(key))
    own.change(recipe if seed is None else with_seed(recipe, seed))


def table_waits(space: Workspace) -> bool:
    """Whether an uploaded table gave no data set, and nothing else was chosen since."""
    own = space.document
    return own.upload is not None and not own.upload.key and own.in_the_way == own.recipe.data


def chosen_key(space: Workspace) -> str | None:
    """Key of the recipe's data set, or None."""
    if table_waits(space):
        return None
    key = space.document.key_of(space.document.recipe.data)
    return key if key in choices(space) else None


def chosen_dataset(space: Workspace) -> Dataset:
    """The data set that the recipe names; DataError if it is missing or cannot be loaded."""
    own, data = space.document, space.document.recipe.data
    key = chosen_key(space)
    if own.upload is not None and table_waits(space):
        raise DataError(own.upload.why_not_ready)
    if key is None:
        raise DataError(_why_missing(data))
    if key in own.own_data:
        return own.own_data[key]
    if key in DATASETS:
        # Cached by the session: another object would end the runs, and the catalogue's cache is small.
        return own.cached("chosen", lambda: load_dataset(key, **dict(data.parameters)), data)
    entry = local_entries()[key]
    return own.cached("chosen", lambda: _as_before(own.comparison, entry.load()), data, entry.version)


def _as_before(shown: Comparison | None, dataset: Dataset) -> Dataset:
    """The object that is shown, if the file was touched without a change."""
    before = dataset if shown is None else shown.dataset
    same = before.name == dataset.name and fingerprint(before) == fingerprint(dataset)
    return before if same else dataset


def awaited_table(space: Workspace) -> DataRecipe | None:
    """The table that the recipe names and this person has not dropped yet, as after a link of another one's."""
    data = space.document.recipe.data
    return data if data.key == OWN and space.document.key_of(data) is None else None


def _why_missing(data: DataRecipe) -> str:
    if data.key == OWN:
        name = visible(data.name or "a table")
        return (
            f"This link was made with {name}, which does not travel with it. Drop the same table on Explore: the label "
            "and all settings of the link are kept, other choices about the table are not."
        )
    entry = DATASETS.get(data.key)
    if entry is not None and entry.kind == "download":
        return f"{entry.title} has to be downloaded first: it is in the catalogue. Or choose another data set."
    return f"There is no data set {visible(data.key[:80])!r} here. Choose another one on the left."


def table_in_front(space: Workspace) -> Upload | None:
    """The uploaded table, if it is chosen or cannot be shown yet."""
    upload = space.document.upload
    shown = upload is not None and (table_waits(space) or (upload.key and chosen_key(space) == upload.key))
    return upload if shown else None


def why_not_train(space: Workspace) -> str:
    """Why training is blocked by an uploaded table; "" if it is not."""
    failed = space.document.failed_upload
    if failed is not None and failed.question is not None:
        return f"{failed.filename} waits for an answer to its question."
    upload = table_in_front(space)
    return upload.why_not_ready if upload is not None else ""


# -- downloads


class Download(Job):
    """Download an entry of the catalogue; the result is an `Opened`."""

    saved = False

    def __init__(self, entry: Entry) -> None:
        self.entry = entry
        # a sentence, bytes so far, and bytes in total, None if unknown
        self.progress: tuple[str, int, int | None] = (f"{entry.title} waits for other downloads.", 0, None)
        super().__init__(entry.key, self._fetch, turns=_TURNS)

    def _fetch(self, slot: Slot) -> Generator[Opened, None, None]:
        assert self.entry.download is not None
        yield self.entry.download(Watch(cancelled=self._stop.is_set, tell=self._report))

    def _report(self, *progress: Any) -> None:
        self.progress = progress


def downloads(own: Document) -> dict[str, Download]:
    """Downloads that run, failed or were cancelled, by the key of their entry."""
    return {job.entry.key: job for job in own.jobs.values() if isinstance(job, Download)}


def start_download(own: Document, entry: Entry) -> None:
    """Start to download `entry`; beyond eight the oldest download is cancelled."""
    before = downloads(own)
    if entry.key in before and before.pop(entry.key).state == "running":
        return
    own.jobs.cancel(_NAME + entry.key)
    for key in list(before)[: max(0, len(before) - _MOST + 1)]:
        own.jobs.cancel(_NAME + key)
    own.jobs[_NAME + entry.key] = Download(entry)


def settle_downloads(own: Document) -> None:
    """Move finished downloads to the session's own data sets."""
    for key, job in downloads(own).items():
        if job.state == "done":
            own.keep_data(key, job.result.dataset)
            own.opened[key] = job.result
            own.jobs.cancel(_NAME + key)
