"""Found: what the store holds of an experiment, as means over splits with their errors."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from study.experiments.base.data import Data
from study.experiments.base.experiment import MAIN, Experiment, Line
from study.experiments.base.outcome import Outcome
from study.experiments.base.store import Store, key_of_split
from study.splits import corrected_error


@dataclass(frozen=True)
class Mean:
    """A line over the splits that were run.

    Attributes
    ----------
    line : Line
        The line.
    values : dict of int to float
        By the number of the split, as the table shows them; splits without the number are left out.
    wanted : int
        How many splits there are by default.
    outcomes : tuple of Outcome
        Of each split that was run.
    missing : str
        How to get the data, where they are not here.
    """

    line: Line
    values: dict[int, float]
    wanted: int
    outcomes: tuple[Outcome, ...] = ()
    missing: str = ""

    @property
    def n(self) -> int:
        return len(self.values)

    @property
    def mean(self) -> float:
        return float(np.mean(list(self.values.values()))) if self.values else float("nan")

    @property
    def spread(self) -> float:
        """Standard deviation over splits; NaN of fewer than two."""
        return float(np.std(list(self.values.values()), ddof=1)) if self.n > 1 else float("nan")

    @property
    def standard_error(self) -> float:
        """Of the mean as that of all random splits of these data, s/√m."""
        return self.spread / math.sqrt(self.n) if self.n > 1 else float("nan")

    @property
    def seconds(self) -> float:
        """Of one split, on average."""
        return float(np.mean([outcome.seconds for outcome in self.outcomes])) if self.outcomes else float("nan")

    @property
    def problem(self) -> str:
        """Why there are no numbers; "" where there are, or nothing was run."""
        return next((outcome.problem for outcome in self.outcomes if outcome.problem), "") if not self.n else ""


@dataclass(frozen=True)
class Found:
    """An experiment with the means of all its lines, in their order."""

    experiment: Experiment
    means: tuple[Mean, ...]

    def at(self, row: str, column: str, variant: str = MAIN) -> Mean | None:
        """The mean there; None where the experiment has no such line or nothing was run."""
        return next(
            (m for m in self.means if m.line.place == (row, column) and m.line.variant == variant and m.outcomes), None
        )

    def variants(self, row: str, column: str) -> list[Mean]:
        """What was run there beside the paper's own setting."""
        there = (m for m in self.means if m.line.place == (row, column) and m.line.variant != MAIN)
        return [m for m in there if m.n]

    @property
    def rows(self) -> list[str]:
        return list(dict.fromkeys(m.line.row for m in self.means))

    @property
    def columns(self) -> list[str]:
        return list(dict.fromkeys(m.line.column for m in self.means))

    @property
    def done(self) -> int:
        """Cells of the default grid that are there, those of several lines counted for each."""
        return sum(min(len(m.outcomes), m.wanted) for m in self.means)

    @property
    def wanted(self) -> int:
        return sum(m.wanted for m in self.means)

    @property
    def seconds(self) -> float:
        """Of all cells together, each counted once."""
        cells = {id(outcome): outcome.seconds for m in self.means for outcome in m.outcomes}
        return float(sum(cells.values()))


def found_of(experiment: Experiment, store: Store, data: Data, known: dict[str, Outcome | None] | None = None) -> Found:
    """What the store holds of the default grid of an experiment; nothing is computed.

    Parameters
    ----------
    known : dict, optional
        Outcomes by key that were read before, which is added to: experiments that share a cell then share its outcome.
    """
    known = {} if known is None else known
    means = []
    for line in experiment.lines:
        wanted = experiment.splits_of(line)
        outcomes: dict[int, Outcome] = {}
        lacking, missing = data.lacks(line.cell), ""
        for seed in range(wanted):
            key = key_of_split(line.cell, seed, data.mark(line.cell))
            if key not in known:
                known[key] = store.get(key)
            outcome = known[key]
            if outcome is not None:
                outcomes[seed] = outcome
            else:
                missing = lacking
        values = {
            seed: line.shown(outcome.numbers[line.number])
            for seed, outcome in outcomes.items()
            if line.number in outcome.numbers
        }
        means.append(Mean(line, values, wanted, tuple(outcomes.values()), missing))
    return Found(experiment, tuple(means))


def difference(a: Mean, b: Mean) -> tuple[float, float]:
    """(mean, standard error) of a − b over the splits that both have.

    Of splits of the same rows the error is the corrected one of `study.splits`, as the question is of new rows; data
    drawn anew for each split are independent, and s/√m is right.
    """
    shared = sorted(a.values.keys() & b.values.keys())
    pairs = np.array([a.values[seed] - b.values[seed] for seed in shared])
    if not len(pairs):
        return float("nan"), float("nan")
    outcome = a.outcomes[0]
    independent = a.line.cell.drawn_anew
    n_test, n_train = (0, 1) if independent else (outcome.n_test, outcome.n_train)
    return float(pairs.mean()), corrected_error(pairs, n_train, n_test)
