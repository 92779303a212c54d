"""unasked_plan: the plan of a table where nobody can be asked, as for a folder of tables or a download."""

from __future__ import annotations

from datasets.proposals.apply import apply
from datasets.proposals.choices import Choices
from datasets.proposals.plan import Plan
from datasets.proposals.propose import propose
from datasets.reading import Table

_MOST_QUESTIONS = 50
_FOR_PEOPLE = ("label", "features")


def unasked_plan(table: Table, choices: Choices | None = None) -> Plan:
    """Take the proposed label, and the first answer to what would have to be asked about odd cells, rows and gaps.

    Parameters
    ----------
    table : as it was read.
    choices : what is known about it.

    Raises
    ------
    DataError
        Where the table has one column only.
    """
    plan = apply(propose(table), choices)
    for _ in range(_MOST_QUESTIONS):
        open_ones = [q for q in plan.questions if q.blocking and q.key not in _FOR_PEOPLE]
        if not open_ones:
            break
        plan = apply(plan.proposal, open_ones[0].answers[0].choices)
    return plan
