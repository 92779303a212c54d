"""apply: a proposal and what the user said -> Plan."""

from __future__ import annotations

from dataclasses import replace

from datasets.base.first_few import first_few
from datasets.columns import ColumnPlan
from datasets.columns.facts import facts_of
from datasets.proposals.asked import questions_of
from datasets.proposals.choices import Choices
from datasets.proposals.gaps import planned_gaps
from datasets.proposals.label_candidates import described, is_sure
from datasets.proposals.plan import Plan, PlannedColumn, PlannedLabel, PlannedRows
from datasets.proposals.propose import Proposal, proposal_without
from datasets.proposals.roles import proposed_role
from datasets.proposals.spellings import merged_spellings, spelling_groups

_RUNNERS_UP = 3
_COLOURS = 6  # of a number that is trained on as it is, unless another number of classes was said
_WIDE = 1_000
_BY_HAND = "you left it out"


def apply(proposal: Proposal, choices: Choices | None = None) -> Plan:
    """Join a proposal with the user's choices.

    Parameters
    ----------
    proposal : of the table at hand.
    choices : what the user said so far, about this table or another one.

    Returns
    -------
    The plan: `build_dataset(plan.table, plan.columns)` makes the data set.
    """
    choices = choices or Choices()
    kept = {kind for kind, skipped in choices.row_groups if not skipped}
    skipped = tuple(group.kind for group in proposal.groups if group.kind not in kept)
    if skipped != proposal.skipped:
        proposal = proposal_without(proposal.source, proposal.groups, skipped)
    label = _label(proposal, choices)
    planned = [_column(proposal, choices, fact.name, label) for fact in proposal.facts if not _is(label, fact.name)]
    planned = _with_some_feature(planned)
    columns = _column_plan(proposal, choices, label, planned)
    gaps = planned_gaps(proposal.table, columns, choices.missing)
    columns = replace(columns, missing=gaps.choice)
    said_rows = dict(choices.row_groups)
    rows = tuple(PlannedRows(group, group.kind in skipped, group.kind in said_rows) for group in proposal.groups)
    plan = Plan(
        choices,
        proposal,
        columns,
        label,
        tuple(planned),
        gaps,
        rows,
        (),
        _costs(proposal, label, planned, gaps.sentence),
        _waiting(proposal, choices),
    )
    return replace(plan, questions=questions_of(plan))


def _is(label: PlannedLabel | None, name: str) -> bool:
    return label is not None and label.name == name


def _label(proposal: Proposal, choices: Choices) -> PlannedLabel | None:
    candidates = proposal.candidates
    said = choices.label in proposal.table.columns
    if said and choices.label is not None:
        candidate = described(proposal.table, choices.label)
    elif candidates:
        candidate = candidates[0]
    else:
        return None
    others = tuple(other for other in candidates if other.name != candidate.name)[:_RUNNERS_UP]
    mode = dict(choices.label_modes).get(candidate.name, candidate.mode)
    groups = spelling_groups(proposal.table, candidate.name) if mode == "classes" else ()
    return PlannedLabel(replace(candidate, mode=mode), said, said or is_sure(candidates), others, groups)


def _column(proposal: Proposal, choices: Choices, name: str, label: PlannedLabel | None) -> PlannedColumn:
    fact = facts_of(proposal.table, name)
    odd, odd_said = proposal.odd.get(name), False
    if odd is not None and name in (said_odd := dict(choices.odd_cells)):
        odd, odd_said = replace(odd, what=said_odd[name], ask=False), True
    role = dict(choices.roles).get(name)
    if role == "number" and fact.kind != "numbers":
        role = "categories"  # words can be used in no other way
    if role == "number" and odd is not None and not odd_said:
        odd = replace(odd, what="missing")
    as_text = odd is not None and odd.what == "text"
    if role is not None:
        return PlannedColumn(name, role, _BY_HAND if role == "left_out" else "", True, fact, odd, odd_said)
    if odd is not None and odd.what == "leave_out":
        return PlannedColumn(name, "left_out", _BY_HAND, True, fact, odd, odd_said)
    proposed = proposed_role(proposal.table, fact, label.name if label else None, as_text)
    role, reason = proposed.role, proposed.reason
    if as_text and odd_said and role == "left_out":
        reason = f"taken as text, {reason}"
    return PlannedColumn(name, role, reason, False, fact, odd, odd_said)


def _with_some_feature(planned: list[PlannedColumn]) -> list[PlannedColumn]:
    """Where nothing would be left to project, columns of numbers that were left out on weak grounds come back."""
    if any(column.role != "left_out" for column in planned):
        return planned
    return [
        replace(column, role="number", reason="")
        if not column.said and column.facts.kind == "numbers" and column.reason.endswith(("missing", "an identifier"))
        else column
        for column in planned
    ]


def _column_plan(
    proposal: Proposal, choices: Choices, label: PlannedLabel | None, planned: list[PlannedColumn]
) -> ColumnPlan:
    used = [column for column in planned if column.role != "left_out"]
    mode = label.candidate.mode if label else "classes"
    odd = [c.name for c in used if c.role == "number" and c.odd is not None and c.odd.what == "missing"]
    unsettled = {c.name for c in used if c.odd is not None and c.odd.ask}
    odd = [name for name in odd if name not in unsettled]
    if label is not None and label.name in proposal.odd and mode != "classes":
        odd.append(label.name)
    reason = label.candidate.reason if label else "no column looks like a label"
    return ColumnPlan(
        label=label.name if label else None,
        label_reason=reason,
        features=tuple(column.name for column in used),
        left_out=tuple((column.name, column.reason) for column in planned if column.role == "left_out"),
        categories=tuple(column.name for column in used if column.role == "categories"),
        label_mode=mode,
        n_bins=choices.n_bins or (_COLOURS if mode == "continuous" else 3),
        singles=choices.singletons or "keep",
        category_gaps=choices.category_gaps or "level",
        odd_as_missing=tuple(odd),
        spellings=merged_spellings(label.spellings) if label and choices.merge_spellings else (),
    )


def _costs(proposal: Proposal, label: PlannedLabel | None, planned: list[PlannedColumn], gaps: str) -> tuple[str, ...]:
    """What is lost: rows skipped, gaps, odd cells, unlabelled rows; then columns left out and what is slow."""
    lines = [gaps] if gaps else []
    empty = [column.name for column in planned if column.reason.endswith("cells are missing") and not column.said]
    if empty:
        lines.append(f"Left out, as most of their cells are missing: {first_few(empty)}.")
    lines += [group.sentence for group in proposal.groups if group.kind in proposal.skipped]
    if label is not None and (n := label.candidate.n_unlabelled):
        have = "row has" if n == 1 else "rows have"
        lines.append(f"{n:,} of {len(proposal.table.rows):,} {have} no label: drawn in grey, not trained on.")
    lines += [
        f"{column.odd.sentence} They count as missing."
        for column in planned
        if column.odd is not None and column.role == "number" and column.odd.what == "missing" and not column.odd.ask
    ]
    n_used = sum(column.role != "left_out" for column in planned)
    if n_used > _WIDE:
        lines.append(
            f"{n_used:,} features: training is slow and overfits. Fewer help: by PCA, random projection or selection."
        )
    return tuple(lines)


def _waiting(proposal: Proposal, choices: Choices) -> tuple[str, ...]:
    there = set(proposal.table.columns)
    named = dict.fromkeys([*([choices.label] if choices.label else []), *dict(choices.roles), *dict(choices.odd_cells)])
    return tuple(
        f"This table has no column {name!r}; what you chose for it waits." for name in named if name not in there
    )
