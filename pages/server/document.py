"""Document: recipe, undo history, data sets, uploads, jobs and lesson progress of a workspace."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
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
    from study.opening import TestScore

MOST_OWN_DATA = 8
MOST_OWN_BYTES = 100_000_000  # of their rows, the newest aside
MOST_PAST = 50
MOST_VERSIONS, MOST_VERSION_BYTES = 20, 50_000_000  # of files and what was chosen about them, for undo
MOST_CACHED = 40
DRAWN = "drawn:board"  # the key of what is on the drawing board; no file can be called so
_PLAIN = str, int, float, tuple, type(None), Recipe, DataRecipe  # compared by value
_Value = TypeVar("_Value")


def _is_ones_own(key: str) -> bool:
    """Whether it is an upload or a drawing, not a download."""
    return key == DRAWN or key.startswith(f"{OWN}:")


@dataclass(frozen=True)
class Upload:
    """A file, and the user's choices about it."""

    filename: str
    data: bytes = field(repr=False)
    options: ReadOptions = field(default_factory=ReadOptions)  # what was chosen about how to read it
    sheet: str | None = None  # of a workbook
    choices: Choices = field(default_factory=Choices)  # about columns and rows
    past: tuple[Choices, ...] = ()  # previous choices, oldest first, for undo
    recalled: bool = False  # the choices are those about an earlier table with the same columns
    as_chosen: bool = False  # whether its choices hold as they are, whatever was said about such columns since
    table: Table | None = field(default=None, repr=False)  # the cells; None if the file could not be read
    missing: tuple[str, ...] = ()  # words for missing values in the table
    plan: Plan | None = field(default=None, repr=False)  # proposal and choices joined
    image_shape: tuple[int, int] | None = None  # (rows, columns) if the rows are images
    error: str = ""  # why the file could not be read, or the data set not be built
    question: ReadQuestion | None = field(default=None, repr=False)  # open, about how to read the file
    of_cells: ReadQuestion | None = field(default=None, repr=False)  # another one, about what some cells mean
    key: str = ""  # of the data set among the session's own; "" until it is built
    edition: int = 0  # counts the changes that were not made in the table of columns

    def with_choices(self, choices: Choices) -> Upload:
        """Copy with other choices; the previous ones can be undone."""
        if choices == self.choices:
            return self
        return replace(self, choices=choices, past=(*self.past, self.choices)[-MOST_PAST:], recalled=False)

    def undone(self) -> Upload:
        if not self.past:
            return self
        return replace(self, choices=self.past[-1], past=self.past[:-1], recalled=False)

    @property
    def why_not_ready(self) -> str:
        """Why training is blocked; "" if it is not."""
        blocking = [q for q in self.plan.questions if q.blocking] if self.plan is not None else []
        hopeless = any(question.key in ("features", "label") and not question.answers for question in blocking)
        if blocking and not hopeless:
            return f"{self.filename} waits for an answer to its question."
        no = f"{self.filename} cannot be trained on as it stands; its message says why."
        return no if self.error or hopeless else ""


@dataclass(frozen=True)
class SavedRun:
    """A saved training: its panel as started, its snapshots if it had begun, and how it ended, if it did."""

    panel: PanelRecipe
    snapshots: tuple[Any, ...]  # of Snapshot
    rows: str  # `rows_id` of its rows; "" if unknown
    ended: str = ""
    reason: str = ""


@dataclass
class Document:
    """Everything a user has in a workspace; all of it is bounded."""

    recipe: Recipe = field(default_factory=Recipe)
    past: list[Recipe] = field(default_factory=list)  # previous recipes, oldest first, for undo
    problems: tuple[str, ...] = ()  # parts of a link or file that could not be read
    comparison: Comparison | None = None  # on the stage
    started: dict[str, PanelRecipe] = field(default_factory=dict)  # panels with a run, as it was started
    own_data: dict[str, Dataset] = field(default_factory=dict)  # tables, drawings and downloads by key
    upload: Upload | None = None  # the table read last
    versions: dict[str, Upload] = field(default_factory=dict, init=False)  # by the content of the data set built of it
    unlike_link: tuple[str, str] = ("", "")  # content of a link's table, and the sentence that this one is another
    failed_upload: Upload | None = None  # a later one that could not be read
    waiting_upload: Upload | None = None  # one that waits to be read
    upload_before: Upload | None = None  # a restored one to be checked again; its data set is here already
    in_the_way: DataRecipe | None = None  # the recipe's data when a table was uploaded that gave no data set
    said: dict[tuple[str, ...], Choices] = field(default_factory=dict)  # choices by the names of a table's columns
    ticks: Any = None  # the table of columns as the widget was opened with it
    drawing: Drawing = field(default_factory=Drawing)
    opened: dict[str, Opened] = field(default_factory=dict)  # tables of downloaded data sets
    jobs: Jobs = field(default_factory=Jobs, init=False)
    # Restored and not on the stage yet, by the panel's key
    saved_runs: dict[str, SavedRun] = field(default_factory=dict)
    saved_embeddings: dict[str, Any] = field(default_factory=dict)
    ended_by_change: bool = False  # other rows have ended a training, and none has begun since
    parked: dict[str, dict[str, SavedRun]] = field(default_factory=dict, init=False)  # ended so, by `rows_id`
    notice: str = ""  # to show once
    openings: dict[str, int] = field(default_factory=dict)  # how often test rows were opened, by their `rows_key`
    test_scores: tuple[Recipe, tuple[TestScore, ...]] | None = field(default=None, init=False)  # measured last
    # Steps of lessons done, by the lesson's key and the step's place; the browser keeps it, not the store
    progress: dict[tuple[str, int], StepDone] = field(default_factory=dict)
    own_lesson: OwnLesson | None = None  # a teacher's, opened last
    own_step_shown: tuple[OwnLesson, int] | None = None  # whose recipe `recipe` began as
    step_shown: tuple[str, int] | None = field(default=None, init=False)  # of our lessons: the lesson's key, the place
    _cache: OrderedDict[str, tuple[tuple[object, ...], Any]] = field(default_factory=OrderedDict, init=False)
    _cache_lock: threading.Lock = field(default_factory=threading.Lock, init=False, repr=False, compare=False)

    def beside(self) -> Document:
        """A document with the same recipe that shares the data."""
        return Document(recipe=self.recipe, own_data=self.own_data, opened=self.opened)

    # -- the recipe

    def change(self, recipe: Recipe) -> None:
        """Set the recipe; the previous one can be undone."""
        if recipe == self.recipe:
            return
        self.past.append(self.recipe)
        del self.past[:-MOST_PAST]
        self.recipe = recipe

    def undo(self) -> None:
        """Back to the recipe before, with the table and the choices of then; choices that gave no data set go first."""
        now = self.upload
        failed = now is not None and bool(now.error) and self.recipe.data.content in self.versions
        if self.past and not failed:
            self.recipe = self.past.pop()
        data = self.recipe.data
        version = self.versions.get(data.content) if data.key == OWN else None
        if version is None:
            return
        is_there = now is not None and now.key in self.own_data and self.content(now.key) == data.content
        if now is None or now.error or not is_there or now.choices != version.choices:
            self.waiting_upload = version

    def keep_version(self, upload: Upload) -> None:
        """Keep the file and the choices of which the data set `upload.key` was built; the oldest go."""
        content, kept = self.content(upload.key), self.versions
        kept.pop(content, None)
        kept[content] = replace(upload, table=None, plan=None, question=None, of_cells=None, error="", as_chosen=True)
        while len(kept) > 1 and (len(kept) > MOST_VERSIONS or self._version_bytes() > MOST_VERSION_BYTES):
            kept.pop(next(iter(kept)))

    def version_of(self, key: str) -> Upload | None:
        """The file and the choices of which an own table was built, as long as they are kept."""
        return self.versions.get(self.content(key)) if key in self.own_data else None

    def _version_bytes(self) -> int:
        return sum({id(each.data): len(each.data) for each in self.versions.values()}.values())

    def rank(self, link: Mapping[str, str]) -> int | None:
        """Changes since the recipe had this link; None for never.

        The newest changes may not have reached the address when a tab is reloaded.
        """
        recipes = [self.recipe, *reversed(self.past)]
        return next((ago for ago, recipe in enumerate(recipes) if to_link(recipe) == link), None)

    # -- data of one's own

    def keep_data(self, key: str, dataset: Dataset) -> None:
        """Add a data set; the oldest are dropped beyond eight, or if those before it are too large."""
        self.own_data.pop(key, None)
        before = sum(other.X.nbytes for other in self.own_data.values())
        self.own_data[key] = dataset
        while len(self.own_data) > MOST_OWN_DATA or before > MOST_OWN_BYTES:
            oldest = next(iter(self.own_data))
            before -= self.own_data[oldest].X.nbytes
            del self.own_data[oldest]
            self._cache.pop(f"content {oldest}", None)  # it holds the data set, too
            self.opened.pop(oldest, None)

    def keep_said(self, columns: tuple[str, ...], choices: Choices) -> None:
        self.said.pop(columns, None)
        if not choices.is_empty:
            self.said[columns] = choices
        while len(self.said) > MOST_OWN_DATA:
            self.said.pop(next(iter(self.said)))

    def data_recipe(self, key: str) -> DataRecipe:
        """The recipe of data set `key`; own tables are named by their content."""
        dataset = self.own_data.get(key)
        if dataset is None or not _is_ones_own(key):
            return DataRecipe(key)
        version = self.version_of(key)
        chosen = version.choices.label if version is not None else None
        label = chosen if chosen is not None and len(chosen) <= LONGEST_NAME else ""
        return DataRecipe(OWN, content=self.content(key), name=dataset.name[:LONGEST_NAME], label=label)

    def content(self, key: str) -> str:
        """Fingerprint of an own data set, cached."""
        dataset = self.own_data[key]
        return self.cached(f"content {key}", lambda: fingerprint(dataset), dataset)

    def key_of(self, data: DataRecipe) -> str | None:
        """Key of the data set that a recipe names; None if the table is missing."""
        if data.key != OWN:
            return data.key
        own = [key for key in self.own_data if _is_ones_own(key)]
        return next((key for key in own if self.content(key) == data.content), None)

    # -- what need not be computed twice

    def cached(self, name: str, make: Callable[[], _Value], *of: object) -> _Value:
        """Cache `make()` under a name while `of` stays the same: identical objects or equal plain values.

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


def best_rank(link: Mapping[str, str] | None, documents: Iterable[Document], has_lessons: bool) -> int | None:
    """Changes since one of a tab's documents had this link; None for never. Without a link: 0 if it has lessons."""
    if link is None:
        return 0 if has_lessons else None
    return min((ago for own in documents if (ago := own.rank(link)) is not None), default=None)


def _is_same(one: object, other: object) -> bool:
    """Compare large objects by identity, which is valid while the cache holds them."""
    return one is other or (isinstance(one, _PLAIN) and one == other)
