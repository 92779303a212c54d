"""plan = apply(propose(table), choices): proposals and what the user said, kept apart and joined."""

from datasets.proposals.apply import (
    ODD_CELLS,
    ROLES,
    ROW_GROUPS,
    Answer,
    Choices,
    Plan,
    PlannedColumn,
    Question,
    apply,
    orientation_question,
    sentinel_offer,
    unasked_plan,
)
from datasets.proposals.propose import Proposal, propose
from datasets.proposals.roles import classes_line
