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

    Attributes
    ----------
    candidate : LabelCandidate
        The column with its classes and counts.
    said : bool
        Whether the user chose it.
    sure : bool
        Whether it needs no question.
    runners_up : tuple[LabelCandidate, ...]
        The next two or three columns that could be the label, with their classes.
    spellings : tuple[SpellingGroup, ...]
        Its labels that differ only in capitals or blanks.
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

    Attributes
    ----------
    name : str
        Of the column.
    role : str
        A key of ROLES.
    reason : str
        Why it is left out; "" where it is used.
    said : bool
        Whether the user chose the role.
    facts : ColumnFacts
        What it holds.
    odd : OddCells | None
        Its odd cells; None where there are none.
    odd_said : bool
        Whether the user decided about these.
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

    Attributes
    ----------
    choices : Choices
        What the user said.
    proposal : Proposal
        What it was made from; pass it to the next `apply`, so that nothing is looked over twice.
    columns : ColumnPlan
        All of it as build_dataset takes it.
    label : PlannedLabel | None
        The label column; None where none could be proposed.
    planned : tuple[PlannedColumn, ...]
        The other columns, in the table's order.
    gaps : PlannedGaps
        What happens to missing values.
    rows : tuple[PlannedRows, ...]
        Rows that look as if they were no data.
    questions : tuple[Question, ...]
        What should be decided (blocking, these first) or may be.
    costs : tuple[str, ...]
        Sentences on what is lost, the most costly first.
    waiting : tuple[str, ...]
        Sentences on choices that name a column this table does not have.
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
