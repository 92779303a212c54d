"""What can be exported: the subject of an export, its request, its progress and its file."""

import re
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field

import numpy as np

from datasets.proposals import Choices
from datasets.reading import ReadOptions
from nca_core.accuracy import rounded_k
from nca_core.snapshot import Snapshot
from nca_core.training.run import Slot
from study.compare import Comparison
from study.fitting import FittedPanel
from study.measure import Measurement, measure, moment_of, projection, scale_at, shared_k
from study.opening import TestScore


@dataclass(frozen=True)
class SourceFile:
    """The uploaded file that the data were read from, and the choices made about it."""

    filename: str
    content: bytes = field(repr=False)
    options: ReadOptions = field(default_factory=ReadOptions)  # how to read it
    sheet: str | None = None
    choices: Choices = field(default_factory=Choices)  # about columns and rows
    image_shape: tuple[int, int] | None = None  # (rows, columns) where its rows are images


@dataclass(frozen=True)
class Subject:
    """A snapshot of what a page shows, to be exported."""

    comparison: Comparison
    # Of each trained panel from iteration 0 on.
    histories: Mapping[str, tuple[Snapshot, ...]] = field(default_factory=dict)
    # Number of the snapshot on the stage, where it is not the last.
    places: Mapping[str, int] = field(default_factory=dict)
    # A, (n_components, n_panel_features), of each training whose start is not in the recipe.
    given_starts: Mapping[str, np.ndarray] = field(default_factory=dict)
    source: SourceFile | None = None
    address: str = ""  # of the page, to link back to
    rows: tuple[int, ...] = ()  # selected on the stage
    dark: bool = False  # theme of pictures
    openings: int = 0  # of the test rows
    test_scores: tuple[TestScore, ...] = ()

    def at(self, key: str) -> Snapshot | None:
        """The snapshot shown in a panel; None without a training."""
        history = self.histories.get(key, ())
        return history[self.places.get(key, -1)] if history else None

    def moment(self, key: str) -> str:
        """Of a trained panel, the iteration shown: as in "iteration 13", or as `moment_of`."""
        at = self.at(key)
        if at is None:
            return ""
        return moment_of(self.histories[key], self.places.get(key, -1)) or f"iteration {at.iteration}"

    def file_name(self, ending: str, *panels: str) -> str:
        """As in "Wine-iteration-2-model.json": data set, title of a single panel, and the iteration where all agree."""
        shown = {at.iteration for key in panels or self.histories if (at := self.at(key)) is not None}
        title = [self.titles[key] for key in panels]
        when = [f"iteration-{shown.pop()}"] if len(shown) == 1 else ["several-iterations"] if shown else []
        return safe_name("-".join([self.comparison.dataset.name, *title]), "-".join(["", *when, ending]))

    @property
    def shown(self) -> tuple[FittedPanel, ...]:
        """The panels that show something."""
        return tuple(panel for panel in self.comparison.panels if not panel.problem)

    @property
    def measured(self) -> tuple[FittedPanel, ...]:
        """The panels that have numbers: solved in closed form, or trained."""
        return tuple(panel for panel in self.shown if not panel.trains or self.at(panel.key) is not None)

    @property
    def k(self) -> int:
        """Rounded K̂ of the first training, used by panels without a K̂ of their own; 0 before any."""
        return shared_k(self.comparison, {panel.key: self.at(panel.key) for panel in self.measured})

    def k_of(self, key: str) -> int:
        """The K that the neighbours of a panel vote with: its own rounded K̂, else `k`."""
        snapshot = self.at(key)
        return self.k if snapshot is None else rounded_k(scale_at(self.comparison, key, snapshot)[1])

    @property
    def titles(self) -> dict[str, str]:
        """Titles by key, made unique."""
        titles = {panel.key: panel.recipe.shown_title for panel in self.comparison.panels}
        several = [title for title in titles.values() if list(titles.values()).count(title) > 1]
        return {key: f"{title} ({key})" if title in several else title for key, title in titles.items()}

    def scores(self, key: str, slot: Slot) -> Measurement:
        """The numbers of the table of Compare."""
        with slot():
            return measure(self.comparison, key, self.at(key), k=self.k, full=True, moment=self.moment(key))

    def coordinates(self, key: str) -> np.ndarray:
        """Y: all rows in the panel, (n_samples, n_components)."""
        return projection(self.comparison, key, self.at(key)).Y


@dataclass(frozen=True)
class File:
    name: str
    mime: str
    data: bytes = field(repr=False)


@dataclass(frozen=True)
class ExportProgress:
    """Progress of an export: `done` of `wanted` steps, and the file with the last one."""

    done: int
    wanted: int
    file: File | None = None


@dataclass(frozen=True)
class ExportRequest:
    """The options of an export."""

    form: str  # a key of the export's forms
    panel: str = ""  # for exports of one panel
    only_selected: bool = False  # of the rows


@dataclass(frozen=True)
class Export:
    key: str
    title: str
    description: str
    forms: Mapping[str, str]  # key -> label, the default first
    # Yields the progress. Each step runs inside `slot()`, which raises when the job was cancelled.
    make: Callable[[Subject, ExportRequest, Slot], Generator[ExportProgress, None, None]]
    problem: Callable[[Subject, ExportRequest], str]  # why it cannot be made; "" if it can
    of_panel: bool = False  # exports one panel
    of_rows: bool = False  # can be limited to the selected rows


def safe_name(text: str, ending: str) -> str:
    """Make a file name from users' text: letters, digits, ".", "_" and "-" only, at most 60 before the ending."""
    usual = re.sub(r"[^A-Za-z0-9._-]+", "-", text)
    return f"{usual.strip('.-')[:60] or 'nca'}{ending}"
