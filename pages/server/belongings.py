"""Belongings: everything that one person has in a workspace, each thing with its type."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Any, TypeVar

from datasets.base.dataset import Dataset
from datasets.base.fingerprint import fingerprint
from datasets.downloads.job import DownloadJob
from datasets.downloads.opened import Opened
from datasets.drawn import Drawing
from datasets.proposals import Choices
from lessons.base.own import OwnLesson
from lessons.base.progress import StepDone
from nca_core.snapshot import Snapshot
from pages.server.job import EndedJob, Job
from pages.server.upload import Upload
from study.compare import Comparison
from study.panel import PanelRecipe
from study.recipe import LONGEST_NAME, OWN, DataRecipe, Recipe

MOST_OWN_DATA = 8
MOST_OWN_BYTES = 100_000_000  # of their rows, the newest aside
MOST_PAST = 50
DRAWN = "drawn:board"  # the key of what is on the drawing board; no file can be called so
_Value = TypeVar("_Value")


def _is_ones_own(key: str) -> bool:
    """A table brought along or a drawing; what was downloaded can be had again by its own key."""
    return key == DRAWN or key.startswith(f"{OWN}:")


@dataclass(frozen=True)
class SavedRun:
    """A training as the store had it: its panel when it was started, its snapshots, and how it ended, if it did.

    No snapshots where it was looking for its start, or waiting for its turn. `rows` is a name for what it was trained
    on, as `rows_of` gives it; "" where an earlier version kept none.
    """

    panel: PanelRecipe
    snapshots: tuple[Snapshot, ...]
    rows: str
    ended: str = ""
    reason: str = ""


@dataclass
class Belongings:
    """What a person has: the recipe, what was made of it, and what was brought along. Nothing here grows unbounded.

    Attributes
    ----------
    recipe : Recipe
        What the widgets say.
    past : list of Recipe
        The recipes before it, oldest first, for undo.
    problems : tuple of str
        What of a link or a file could not be understood.
    comparison : Comparison or None
        What the stage shows.
    started : dict of str to PanelRecipe
        The panels that have a run, as they were when it was started.
    own_data : dict of str to Dataset
        Tables, drawings and downloads by key, at most eight, and at most 100 MB besides the newest.
    upload, failed_upload, waiting_upload : Upload or None
        The table that was read last; a later one that could not be read; one that is still to be read.
    upload_before : Upload or None
        The table of before a restart whose data set is here already, that is to be looked over again.
    in_the_way : DataRecipe or None
        What the recipe named when a table was brought along that no data set could be built from.
    said : dict of tuple of str to Choices
        What was said about earlier tables, by the names of their columns, at most eight.
    ticks : object
        The table of columns as it was opened, for the widget that shows it.
    drawing : Drawing
        What is on the drawing board.
    downloads : dict of str to DownloadJob or None
        Downloads under way or failed by key; None before the first.
    opened : dict of str to Opened
        The tables that downloaded data sets were built from.
    jobs : dict of str to Job
        Long work beside the page by its name, under way or done.
    saved_jobs : dict of str to EndedJob
        That of before a restart of the server, by its name, until it is begun anew.
    saved_runs : dict of str to SavedRun
        Trainings of before a restart that are not on the stage yet, by the panel's key.
    came_back : str
        What came back, in sentences that nobody has been shown yet.
    saved_embeddings : dict of str to SavedEmbedding
        The same of embeddings.
    embeddings : dict of str to EmbeddingJob or None
        The panels that are being fitted apart, by key; None before the first.
    progress : dict of tuple of (str, int) to StepDone
        What was done and predicted at the steps of lessons, by the lesson's key and the step's place.
    own_lesson : OwnLesson or None
        The lesson of a teacher that was opened last.
    own_lesson_shown : OwnLesson or None
        The one whose recipe `recipe` began as; None once another lesson has taken its place.
    """

    recipe: Recipe = field(default_factory=Recipe)
    past: list[Recipe] = field(default_factory=list)
    problems: tuple[str, ...] = ()
    comparison: Comparison | None = None
    started: dict[str, PanelRecipe] = field(default_factory=dict)
    own_data: dict[str, Dataset] = field(default_factory=dict)
    upload: Upload | None = None
    failed_upload: Upload | None = None
    waiting_upload: Upload | None = None
    upload_before: Upload | None = None
    in_the_way: DataRecipe | None = None
    said: dict[tuple[str, ...], Choices] = field(default_factory=dict)
    ticks: Any = None
    drawing: Drawing = field(default_factory=Drawing)
    downloads: dict[str, DownloadJob] | None = None
    opened: dict[str, Opened] = field(default_factory=dict)
    jobs: dict[str, Job] = field(default_factory=dict)
    saved_jobs: dict[str, EndedJob] = field(default_factory=dict)
    saved_runs: dict[str, SavedRun] = field(default_factory=dict)
    came_back: str = ""
    saved_embeddings: dict[str, Any] = field(default_factory=dict)
    embeddings: dict[str, Any] | None = None
    progress: dict[tuple[str, int], StepDone] = field(default_factory=dict)
    own_lesson: OwnLesson | None = None
    own_lesson_shown: OwnLesson | None = None
    _memory: OrderedDict[str, tuple[Hashable, Any]] = field(default_factory=OrderedDict)
    _one_remembers: threading.Lock = field(default_factory=threading.Lock, repr=False, compare=False)

    def beside(self) -> Belongings:
        """What a second comparison of the same person begins with: the same recipe, and the very same data."""
        return Belongings(recipe=self.recipe, own_data=self.own_data, opened=self.opened)

    # -- the recipe

    def change(self, recipe: Recipe) -> None:
        """Take another recipe; the one before can be had back by `undo`."""
        if recipe == self.recipe:
            return
        self.past.append(self.recipe)
        del self.past[:-MOST_PAST]
        self.recipe = recipe

    def undo(self) -> None:
        """Back to the recipe before the last change."""
        if self.past:
            self.recipe = self.past.pop()

    # -- data of one's own

    def keep_data(self, key: str, dataset: Dataset) -> None:
        """Add a data set of one's own; the oldest go when there are more than eight, or those before it too large."""
        self.own_data.pop(key, None)
        before = sum(other.X.nbytes for other in self.own_data.values())
        self.own_data[key] = dataset
        while len(self.own_data) > MOST_OWN_DATA or before > MOST_OWN_BYTES:
            oldest = next(iter(self.own_data))
            before -= self.own_data[oldest].X.nbytes
            del self.own_data[oldest]
            self._memory.pop(f"content {oldest}", None)  # it holds the data set, too

    def keep_said(self, columns: tuple[str, ...], choices: Choices) -> None:
        """Remember what was said about a table, for when one with the same columns is brought along again."""
        self.said.pop(columns, None)
        if not choices.is_empty:
            self.said[columns] = choices
        while len(self.said) > MOST_OWN_DATA:
            self.said.pop(next(iter(self.said)))

    def data_recipe(self, key: str) -> DataRecipe:
        """How a recipe names the data set `key`: the session's own tables by their content."""
        dataset = self.own_data.get(key)
        if dataset is None or not _is_ones_own(key):
            return DataRecipe(key)
        return DataRecipe(OWN, content=self.content(key), name=dataset.name[:LONGEST_NAME])

    def content(self, key: str) -> str:
        """The fingerprint of one of the session's own data sets, computed once."""
        dataset = self.own_data[key]
        # The data set is kept beside its fingerprint, so that its id cannot be given to another one meanwhile.
        return self.remembered(f"content {key}", id(dataset), lambda: (dataset, fingerprint(dataset)))[1]

    def key_of(self, data: DataRecipe) -> str | None:
        """The key in the list of the data set that a recipe names; None for a table that is not here."""
        if data.key != OWN:
            return data.key
        own = [key for key in self.own_data if _is_ones_own(key)]
        return next((key for key in own if self.content(key) == data.content), None)

    # -- what need not be computed twice

    def remembered(self, name: str, key: Hashable, make: Callable[[], _Value]) -> _Value:
        """The value of `make()` for `key`; one value a name is kept, of the 40 names used last. For all threads."""
        with self._one_remembers:
            known = self._memory.get(name)
        value: _Value = make() if known is None or known[0] != key else known[1]
        with self._one_remembers:
            self._memory[name] = (key, value)
            self._memory.move_to_end(name)
            while len(self._memory) > 40:
                self._memory.popitem(last=False)
        return value
