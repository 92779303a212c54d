"""plan = apply(propose(table), choices): proposals and what the user said, kept apart and joined."""

from datasets.proposals.apply import (
    Plan,
    PlannedColumn,
    apply,
    classes_line,
    orientation_question,
    sentinel_offer,
    unasked_plan,
)
from datasets.proposals.choices import ODD_CELLS, ROLES, ROW_GROUPS, Answer, Choices, Question
from datasets.proposals.propose import Proposal, propose
