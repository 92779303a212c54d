"""The questions a plan leaves open, each with its answers as choices, the proposed one first."""

from __future__ import annotations

from dataclasses import replace

from datasets.base.counted import counted
from datasets.columns import MISSING_CHOICES, nothing_to_project
from datasets.columns.cells import levels_of
from datasets.proposals.choices import ODD_CELLS, Choices
from datasets.proposals.label_candidates import LabelCandidate
from datasets.proposals.plan import Plan, PlannedColumn
from datasets.proposals.questions import Answer, Question
from datasets.proposals.why_no_feature import SAME_AS_LABEL
from datasets.reading import on_one_line

_MOST_OFFERED = 3


def questions_of(plan: Plan) -> tuple[Question, ...]:
    """Blocking questions first, the label before all others."""
    asked = [*_label(plan), *_features(plan), *_odd(plan), *_rows(plan), *_missing(plan), *_spellings(plan)]
    return tuple(sorted(asked, key=lambda question: not question.blocking))


def classes_line(candidate: LabelCandidate) -> str:
    """The classes with their counts, on one line."""
    if candidate.mode != "classes":
        return f"{candidate.n_classes:,} different numbers"
    shown = ", ".join(f"{on_one_line(name)[:30]} ({count:,})" for name, count in candidate.classes[:6])
    more = f" and {candidate.n_classes - 6:,} more" if candidate.n_classes > 6 else ""
    return f"{counted(candidate.n_classes, 'class', 'classes')}: {shown}{more}"


def _label(plan: Plan) -> list[Question]:
    label = plan.label
    if label is None:
        return [
            Question("label", "No column looks like a label. Choose the one that tells the classes apart.", (), True)
        ]
    if label.said:
        return []
    answers = tuple(
        Answer(candidate.name, plan.choices.with_label(candidate.name), classes_line(candidate))
        for candidate in (label.candidate, *label.runners_up)
    )
    text = f"Is {label.name!r} the label? ({label.candidate.reason})"
    return [Question("label", text, answers, not label.sure, label.name)]


def _features(plan: Plan) -> list[Question]:
    """Nothing is left to project: which column is put back?"""
    if plan.columns.features:
        return []
    could = [column for column in plan.planned if _can_be_put_back(plan, column)]
    could.sort(key=lambda column: (column.facts.kind != "numbers", column.facts.n_values))
    what = "Put one back" if could else "None has numbers or words that repeat: drop another table"
    nothing = nothing_to_project(plan.columns.left_out)
    text = f"{nothing[:1].upper()}{nothing[1:]}. {what}, or choose another label."
    answers = tuple(_put_back(plan, column) for column in could[:_MOST_OFFERED])
    return [Question("features", text, answers, True)]


def _can_be_put_back(plan: Plan, column: PlannedColumn) -> bool:
    """Numbers that differ, or words of which some repeat; but not the label in other words."""
    if column.facts.n_values < 2 or column.reason == SAME_AS_LABEL:
        return False
    levels = levels_of(plan.table, column.name)
    return column.facts.kind == "numbers" or bool(levels.counts[~levels.missing].max() > 1)


def _put_back(plan: Plan, column: PlannedColumn) -> Answer:
    numbers = column.facts.kind == "numbers"
    what = "different numbers" if numbers else "different values"
    choices = plan.choices.with_role(column.name, "number" if numbers else "categories")
    return Answer(f"use {column.name}", choices, f"{column.facts.n_values:,} {what}")


def _odd(plan: Plan) -> list[Question]:
    asked = []
    for column in plan.planned:
        odd = column.odd
        if odd is None or column.odd_said or (column.said and column.role != "number"):
            continue
        order = [odd.what, *(what for what in ODD_CELLS if what != odd.what)]
        answers = tuple(Answer(ODD_CELLS[what], plan.choices.with_odd_cells(column.name, what)) for what in order)
        asked.append(Question("odd_cells", odd.sentence, answers, odd.ask, column.name))
    return asked


def _rows(plan: Plan) -> list[Question]:
    asked = []
    for rows in plan.rows:
        if rows.said:
            continue
        kind = rows.group.kind
        n = counted(len(rows.group.rows), "row")
        answers = (
            Answer("skip them", plan.choices.with_rows(kind, True), f"{n} fewer"),
            Answer("keep them", plan.choices.with_rows(kind, False)),
        )
        asked.append(Question("rows", rows.group.sentence, answers, rows.group.ask))
    return asked


def _missing(plan: Plan) -> list[Question]:
    gaps = plan.gaps
    if gaps.said or not gaps.sentence or not plan.columns.features:
        return []
    n = len(plan.table.rows)
    order = [gaps.choice, *(choice for choice in MISSING_CHOICES if choice != gaps.choice)]
    answers = []
    for choice in order:
        cost = gaps.costs[choice]
        filled = f", {counted(cost.n_filled, 'cell')} filled" if cost.n_filled else ""
        said = f"{cost.n_rows:,} of {n:,} rows and {counted(cost.n_columns, 'column')} stay{filled}"
        answers.append(Answer(MISSING_CHOICES[choice], replace(plan.choices, missing=choice), said))
    return [Question("missing", gaps.sentence, tuple(answers), gaps.ask)]


def _spellings(plan: Plan) -> list[Question]:
    if plan.label is None or not plan.label.spellings or plan.choices.merge_spellings is not None:
        return []
    groups = plan.label.spellings
    shown = "; ".join(" and ".join(f"{cell!r} ({count:,})" for cell, count in group.members) for group in groups[:3])
    text = f"{counted(len(groups), 'label is', 'labels are')} written in several ways: {shown}."
    return [
        Question(
            "spellings",
            text,
            (
                Answer("merge them", _merging(plan.choices, True)),
                Answer("keep them apart", _merging(plan.choices, False)),
            ),
            False,
            plan.label.name,
        )
    ]


def _merging(choices: Choices, merged: bool) -> Choices:
    return replace(choices, merge_spellings=merged)
