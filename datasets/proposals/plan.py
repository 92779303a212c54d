"""Plan: what is done with a table, and the questions that are left open."""

from __future__ import annotations

from dataclasses import dataclass, field

from datasets.columns.build import ColumnPlan, MissingCost
from datasets.columns.cells import Column, Spellings
from datasets.proposals.choices import Choices
from datasets.proposals.labels import LabelCandidate
from datasets.proposals.leaks import Leaks
from datasets.proposals.odd_cells import OddCells
from datasets.proposals.propose import Proposal
from datasets.reading import Table


@dataclass(frozen=True)
class Answer:
    """A button: its words, what it costs, and the choices that hold once it is pressed."""

    text: str
    choices: Choices
    cost: str = ""


@dataclass(frozen=True)
class Question:
    """Something the user may decide."""

    key: str  # "label", "features", "odd_cells", "rows", "missing", "spellings", "label_gaps",
    # "label_blanks" or "leaks"
    text: str
    answers: tuple[Answer, ...]  # the proposed one first
    # nothing is trained before it is answered; else an offer: the first answer holds, or the one that says "as now"
    blocking: bool
    column: str = ""  # that it is about


@dataclass(frozen=True)
class PlannedLabel:
    """The label column with its classes."""

    candidate: LabelCandidate
    said: bool  # by the user
    sure: bool  # said, or well above the runners-up: it needs no question
    runners_up: tuple[LabelCandidate, ...]  # the next best, the last columns among them wherever they rank
    spellings: tuple[Spellings, ...]  # its labels that differ only in capitals, blanks or accents
    gap_words: tuple[str, ...]  # its labels that may mean that there is none
    read: tuple[tuple[str, str], ...]  # (as written, class it counts as) by what was chosen about these two
    sizes: tuple[tuple[str, int], ...]  # (class, rows), the largest first, as it is read

    @property
    def name(self) -> str:
        return self.candidate.name


@dataclass(frozen=True)
class PlannedColumn:
    """A column that is not the label."""

    name: str
    role: str  # a key of ROLES
    reason: str  # why it is left out, else ""
    said: bool  # whether the user chose the role
    facts: Column
    odd: OddCells | None  # None where it has none
    odd_said: bool  # whether the user decided about these

    @property
    def odd_are_missing(self) -> bool:
        """Whether its odd cells count as missing without being asked about."""
        return self.role == "number" and self.odd is not None and self.odd.what == "missing" and not self.odd.ask


@dataclass(frozen=True)
class PlannedGaps:
    """What happens to missing values."""

    choice: str  # a key of MISSING_CHOICES
    sentence: str  # what it costs; "" where nothing is missing
    costs: dict[str, MissingCost]  # what each choice would leave
    ask: bool  # whether it costs so much that the user should decide


@dataclass(frozen=True)
class Plan:
    """What is done with a table: `build_dataset(plan.table, plan.columns)` is the data set."""

    choices: Choices
    proposal: Proposal = field(repr=False)  # pass it to the next `apply`, so that nothing is looked over twice
    columns: ColumnPlan
    label: PlannedLabel | None  # None where none could be proposed
    planned: tuple[PlannedColumn, ...]  # the other columns, in the table's order
    gaps: PlannedGaps
    costs: tuple[str, ...]  # sentences on what is lost, the most costly first
    leaks: Leaks | None  # columns that give the label away, left out or not
    waiting: tuple[str, ...]  # sentences on choices that name a column this table does not have
    questions: tuple[Question, ...] = ()  # blocking ones first, the label before all others

    @property
    def table(self) -> Table:
        """The rows that are used."""
        return self.proposal.table

    @property
    def open_questions(self) -> tuple[Question, ...]:
        """Those that have to be answered first, but for the label."""
        return tuple(each for each in self.questions if each.blocking and each.key not in ("label", "features"))

    @property
    def ready(self) -> bool:
        """Whether it can be trained on without an answer."""
        return self.label is not None and not any(question.blocking for question in self.questions)
