"""Document: what a workspace holds: recipe, undo history, data sets, uploads, jobs and lesson progress."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeVar

from datasets.base.dataset import Dataset
from datasets.base.fingerprint import fingerprint
from datasets.downloads.openml import Opened
from datasets.drawn import Drawing
from datasets.proposals import Choices, Plan
from datasets.reading import ReadOptions, ReadQuestion, Table
from pages.server.jobs import Jobs
from study.compare import Comparison
from study.link import to_link
from study.panel import PanelRecipe
from study.recipe import LONGEST_NAME, OWN, DataRecipe, Recipe

if TYPE_CHECKING:  # takes long to load, and the server answers before
    from lessons.base.lesson import StepDone
    from lessons.base.own import OwnLesson

MOST_OWN_DATA = 8
MOST_OWN_BYTES = 100_000_000  # of their rows, the newest aside
MOST_PAST = 50
MOST_CACHED = 40
DRAWN = "drawn:board"  # the key of what is on the drawing board; no file can be called so
_PLAIN = str, int, float, tuple, type(None), Recipe, DataRecipe  # compared by value
_Value = TypeVar("_Value")


def _is_ones_own(key: str) -> bool:
    """A table brought along or a drawing; what was downloaded can be had again by its own key."""
    return key == DRAWN or key.startswith(f"{OWN}:")


@dataclass(frozen=True)
class Upload:
    """A file and everything that was said about it.

    Attributes
    ----------
    filename, data : str, bytes
        The file.
    options : ReadOptions
        What a person said about how to read it.
    sheet : str or None
        Of a workbook, the one that was asked for.
    choices : Choices
        What a person said about its columns and rows.
    past : tuple of Choices
        What was said before that, oldest first, for undo.
    recalled : bool
        Whether the choices are those about an earlier table with the same columns.
    table : Table or None
        The cells as they were read; None where the file could not be read.
    missing : tuple of str
        The words for missing values that the table holds.
    plan : Plan or None
        The table as it is used: its proposal and the choices joined.
    image_shape : (int, int) or None
        (rows, columns) where a person said that the rows are images.
    error : str
        One sentence where the file could not be read or the data set not be built.
    question : ReadQuestion or None
        What is asked about how the file is read.
    key : str
        Of the data set among the session's own; "" until one was built.
    edition : int
        Counts the changes that were not made in the table of columns.
    """

    filename: str
    data: bytes = field(repr=False)
    options: ReadOptions = field(default_factory=ReadOptions)
    sheet: str | None = None
    choices: Choices = field(default_factory=Choices)
    past: tuple[Choices, ...] = ()
    recalled: bool = False
    table: Table | None = field(default=None, repr=False)
    missing: tuple[str, ...] = ()
    plan: Plan | None = field(default=None, repr=False)
    image_shape: tuple[int, int] | None = None
    error: str = ""
    question: ReadQuestion | None = field(default=None, repr=False)
    key: str = ""
    edition: int = 0

    def with_choices(self, choices: Choices) -> Upload:
        """The upload with something else said; what was said before can be had back."""
        if choices == self.choices:
            return self
        past = (*self.past, self.choices)[-MOST_PAST:]
        return replace(self, choices=choices, past=past, recalled=False)

    def undone(self) -> Upload:
        """The upload as it was before the last thing that was said."""
        if not self.past:
            return self
        return replace(self, choices=self.past[-1], past=self.past[:-1], recalled=False)

    @property
    def why_not_ready(self) -> str:
        """Why training is blocked; "" if it is not."""
        blocking = [q for q in self.plan.questions if q.blocking] if self.plan is not None else []
        hopeless = any(question.key == "features" and not question.answers for question in blocking)
        if blocking and not hopeless:
            return f"{self.filename} waits for an answer to its question."
        no = f"{self.filename} cannot be trained on as it stands; its message says why."
        return no if self.error or hopeless else ""


@dataclass(frozen=True)
class SavedRun:
    """A training as the store had it: its panel when it was started, its snapshots, and how it ended, if it did.

    No snapshots where it was looking for its start, or waiting for its turn. `rows` is a name for what it was trained
    on, as `rows_id` gives it; "" where an earlier version kept none.
    """

    panel: PanelRecipe
    snapshots: tuple[Any, ...]  # of Snapshot
    rows: str
    ended: str = ""
    reason: str = ""


@dataclass
class Document:
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
    opened : dict of str to Opened
        The tables that downloaded data sets were built from.
    jobs : Jobs
        Background jobs by name, running or ended; downloads and embeddings among them.
    saved_runs, saved_embeddings : dict of str to SavedRun, dict of str to SavedEmbedding
        Trainings and embeddings from before a restart that are not on the stage yet, by the panel's key.
    has_trained : bool
        A training has ended here, so that the next one need not be as calm as the first.
    notice : str
        What was restored, to be shown once.
    progress : dict of tuple of (str, int) to StepDone
        What was done and predicted at the steps of lessons, by the lesson's key and the step's place. The browser
        keeps it, not the store.
    own_lesson : OwnLesson or None
        The lesson of a teacher that was opened last.
    own_step_shown : (OwnLesson, int) or None
        The one, and its step, whose recipe `recipe` began as; None once another lesson has taken its place.
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
    opened: dict[str, Opened] = field(default_factory=dict)
    jobs: Jobs = field(default_factory=Jobs, init=False)
    saved_runs: dict[str, SavedRun] = field(default_factory=dict)
    has_trained: bool = False
    notice: str = ""
    saved_embeddings: dict[str, Any] = field(default_factory=dict)
    progress: dict[tuple[str, int], StepDone] = field(default_factory=dict)
    own_lesson: OwnLesson | None = None
    own_step_shown: tuple[OwnLesson, int] | None = None
    _cache: OrderedDict[str, tuple[tuple[object, ...], Any]] = field(default_factory=OrderedDict, init=False)
    _cache_lock: threading.Lock = field(default_factory=threading.Lock, init=False, repr=False, compare=False)

    def beside(self) -> Document:
        """What a second comparison of the same person begins with: the same recipe, and the very same data."""
        return Document(recipe=self.recipe, own_data=self.own_data, opened=self.opened)

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

    def rank(self, link: Mapping[str, str]) -> int | None:
        """How many changes ago the recipe had this link; None for never.

        The newest changes may not have reached the address when a tab is reloaded.
        """
        recipes = [self.recipe, *reversed(self.past)]
        return next((ago for ago, recipe in enumerate(recipes) if to_link(recipe) == link), None)

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
            self._cache.pop(f"content {oldest}", None)  # it holds the data set, too

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
        return self.cached(f"content {key}", lambda: fingerprint(dataset), dataset)

    def key_of(self, data: DataRecipe) -> str | None:
        """The key in the list of the data set that a recipe names; None for a table that is not here."""
        if data.key != OWN:
            return data.key
        own = [key for key in self.own_data if _is_ones_own(key)]
        return next((key for key in own if self.content(key) == data.content), None)

    # -- what need not be computed twice

    def cached(self, name: str, make: Callable[[], _Value], *of: object) -> _Value:
        """Cache `make()` under a name for as long as `of` is the same: the same objects, or equal plain values.

        The 40 names used last are kept. Thread-safe.
        """
        with self._cache_lock:
            known = self._cache.get(name)
        same = known is not None and len(known[0]) == len(of) and all(map(_is_same, known[0], of))
        value: _Value = known[1] if known is not None and same else make()
        with self._cache_lock:
            self._cache[name] = of, value
            self._cache.move_to_end(name)
            while len(self._cache) > MOST_CACHED:
                self._cache.popitem(last=False)
        return value


def _is_same(one: object, other: object) -> bool:
    """Large objects are told apart by identity, which the cache keeps valid by holding them."""
    return one is other or (isinstance(one, _PLAIN) and one == other)
