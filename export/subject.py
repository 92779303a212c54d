"""Subject: what is taken away: a comparison with its trainings as they stand, the file of its data, a link back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from datasets.proposals import Choices
from datasets.reading import ReadOptions
from nca_core.accuracy.k_estimate import rounded_k
from nca_core.run import Slot
from nca_core.snapshot import Snapshot
from study.compare import Comparison
from study.fitting import Compared
from study.measure import places_of, scale_at, shared_k
from study.scores import Scores, scores_of


@dataclass(frozen=True)
class SourceFile:
    """The file that the data were read from, and what was said about it.

    Attributes
    ----------
    filename, content : str, bytes
        The file as it was brought along.
    options, sheet, choices : ReadOptions, str or None, Choices
        How to read it, which sheet of it, and what its columns and rows are.
    image_shape : (int, int) or None
        (rows, columns) where somebody said that its rows are images.
    gaps_filled : bool
        Missing values were filled with the median of their column.
    """

    filename: str
    content: bytes = field(repr=False)
    options: ReadOptions = field(default_factory=ReadOptions)
    sheet: str | None = None
    choices: Choices = field(default_factory=Choices)
    image_shape: tuple[int, int] | None = None
    gaps_filled: bool = False


@dataclass(frozen=True)
class Subject:
    """What a page shows, held fast.

    Attributes
    ----------
    comparison : Comparison
        What is compared.
    histories : mapping of str to tuple of Snapshot
        The snapshots of each panel that has been trained, from iteration 0 on; the last one is what is shown.
    given_starts : mapping of str to ndarray
        A, (n_components, n_panel_features), of each training that began at a place which no recipe tells.
    source : SourceFile or None
        Where the data came from a file of one's own.
    address : str
        A link back to the app, empty where there is none.
    rows : tuple of int
        The rows that are selected on the stage.
    dark : bool
        Pictures are wanted in the dark theme.
    """

    comparison: Comparison
    histories: Mapping[str, tuple[Snapshot, ...]] = field(default_factory=dict)
    given_starts: Mapping[str, np.ndarray] = field(default_factory=dict)
    source: SourceFile | None = None
    address: str = ""
    rows: tuple[int, ...] = ()
    dark: bool = False

    def at(self, key: str) -> Snapshot | None:
        """The iteration of a panel that is shown; None for one that was solved in one go, or has not been trained."""
        history = self.histories.get(key, ())
        return history[-1] if history else None

    @property
    def shown(self) -> tuple[Compared, ...]:
        """The panels that show something."""
        return tuple(panel for panel in self.comparison.panels if not panel.problem)

    @property
    def measured(self) -> tuple[Compared, ...]:
        """The panels that numbers can be told of: what was solved in one go, and what has been trained."""
        return tuple(panel for panel in self.shown if not panel.trains or self.at(panel.key) is not None)

    @property
    def k(self) -> int:
        """K̂ of the first training, rounded, with which what has no K̂ of its own is asked; 0 before any."""
        return shared_k(self.comparison, {panel.key: self.at(panel.key) for panel in self.measured})

    def k_of(self, key: str) -> int:
        """The K that the neighbours of a panel vote with: its own rounded K̂, else `k`."""
        snapshot = self.at(key)
        return self.k if snapshot is None else rounded_k(scale_at(self.comparison, key, snapshot)[1])

    @property
    def titles(self) -> dict[str, str]:
        """The titles of the panels by their keys, those of the same title told apart."""
        titles = {panel.key: panel.recipe.shown_title for panel in self.comparison.panels}
        several = [title for title in titles.values() if list(titles.values()).count(title) > 1]
        return {key: f"{title} ({key})" if title in several else title for key, title in titles.items()}

    def scores(self, key: str, slot: Slot) -> Scores:
        """The numbers of the table of Compare."""
        with slot():
            return scores_of(self.comparison, key, self.at(key), k=self.k)

    def places(self, key: str) -> np.ndarray:
        """Where the panel puts all rows, (n_samples, n_components)."""
        return places_of(self.comparison, key, self.at(key)).Y
