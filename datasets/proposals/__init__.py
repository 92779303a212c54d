"""plan = apply(propose(table), choices): proposals and what the user said, kept apart and joined."""

from datasets.proposals.apply import apply
from datasets.proposals.asked import classes_line
from datasets.proposals.choices import ODD_CELLS, ROLES, ROW_GROUPS, Choices
from datasets.proposals.gaps import PlannedGaps
from datasets.proposals.label_candidates import LabelCandidate
from datasets.proposals.odd import OddCells
from datasets.proposals.plan import Plan, PlannedColumn, PlannedLabel, PlannedRows
from datasets.proposals.propose import Proposal, propose
from datasets.proposals.questions import Answer, Question
from datasets.proposals.rows import RowGroup
from datasets.proposals.sentinel_offer import sentinel_offer
from datasets.proposals.spellings import SpellingGroup
from datasets.proposals.unasked import unasked_plan

__all__ = [
    "ODD_CELLS",
    "ROLES",
    "ROW_GROUPS",
    "Answer",
    "Choices",
    "LabelCandidate",
    "OddCells",
    "Plan",
    "PlannedColumn",
    "PlannedGaps",
    "PlannedLabel",
    "PlannedRows",
    "Proposal",
    "Question",
    "RowGroup",
    "SpellingGroup",
    "apply",
    "classes_line",
    "propose",
    "sentinel_offer",
    "unasked_plan",
]
