"""plan = apply(propose(table), choices): proposals and what the user said, kept apart and joined."""

from datasets.proposals.apply import apply, as_proposed, unasked_plan
from datasets.proposals.choices import ODD_CELLS, ROLES, ROW_GROUPS, Choices
from datasets.proposals.labels import classes_line
from datasets.proposals.orientation import (
    blanks_question,
    orientation_question,
    sentinel_offer,
    stands_before_label,
    widening_question,
)
from datasets.proposals.plan import Answer, Plan, PlannedColumn, Question
from datasets.proposals.propose import Proposal, propose
