"""Plan: what is done with a table, everything in it marked as guessed or said by the user."""

from __future__ import annotations

from dataclasses import dataclass, field

from datasets.columns import ColumnFacts, ColumnPlan
from datasets.proposals.choices import Choices
from datasets.proposals.gaps import PlannedGaps
from datasets.proposals.label_candidates import LabelCandidate
from datasets.proposals.odd import OddCells
from datasets.proposals.propose import Proposal
from datasets.proposals.questions import Question
from datasets.proposals.rows import RowGroup
from datasets.proposals.spellings import SpellingGroup
from datasets.reading import Table


@dataclass(frozen=True)
class PlannedLabel:
    """The label with its classes; `sure` where it was said, or stands well above the runners-up.

    Attributes:
        candidate: the column with its classes and counts.
        said: whether the user chose it.
        sure: whether it needs no question.
        runners_up: the next two or three columns that could be the label, with their classes.
        spellings: its labels that differ only in capitals or blanks.
    """

    candidate: LabelCandidate
    said: bool
    sure: bool
    runners_up: tuple[LabelCandidate, ...]
    spellings: tuple[SpellingGroup, ...]

    @property
    def name(self) -> str:
        return self.candidate.name


@dataclass(frozen=True)
class PlannedColumn:
    """A column that is not the label.

    Attributes:
        name: of the column.
        role: a key of ROLES.
        reason: why it is left out; "" where it is used.
        said: whether the user chose the role.
        facts: what it holds.
        odd: its odd cells; None where there are none.
        odd_said: whether the user decided about these.
    """

    name: str
    role: str
    reason: str
    said: bool
    facts: ColumnFacts
    odd: OddCells | None = None
    odd_said: bool = False


@dataclass(frozen=True)
class PlannedRows:
    """Rows that look as if they were no data, whether they are skipped, and whether the user said so."""

    group: RowGroup
    skipped: bool
    said: bool


@dataclass(frozen=True)
class Plan:
    """What is done with a table: `build_dataset(plan.table, plan.columns)` is the data set.

    Attributes:
        choices: what the user said.
        proposal: what it was made from; pass it to the next `apply`, so that nothing is looked over twice.
        columns: all of it as build_dataset takes it.
        label: the label column; None where none could be proposed.
        planned: the other columns, in the table's order.
        gaps: what happens to missing values.
        rows: rows that look as if they were no data.
        questions: what should be decided (blocking, these first) or may be.
        costs: sentences on what is lost, the most costly first.
        waiting: sentences on choices that name a column this table does not have.
    """

    choices: Choices
    proposal: Proposal = field(repr=False)
    columns: ColumnPlan
    label: PlannedLabel | None
    planned: tuple[PlannedColumn, ...]
    gaps: PlannedGaps
    rows: tuple[PlannedRows, ...]
    questions: tuple[Question, ...]
    costs: tuple[str, ...]
    waiting: tuple[str, ...]

    @property
    def table(self) -> Table:
        """The rows that are used."""
        return self.proposal.table

    @property
    def ready(self) -> bool:
        """Whether it can be trained on without an answer."""
        return self.label is not None and not any(question.blocking for question in self.questions)
