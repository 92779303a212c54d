"""apply: a proposal and Choices -> Plan, with the questions that it leaves open."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import groupby

import numpy as np

from datasets.base.words import counted, first_few
from datasets.columns.build import (
    MISSING_CHOICES,
    ColumnPlan,
    MissingCost,
    class_codes,
    missing_costs,
    nothing_to_project,
)
from datasets.columns.cells import Column, Spellings
from datasets.proposals.choices import ODD_CELLS, Choices
from datasets.proposals.labels import (
    LAST,
    LAST_NUMBERS,
    MOST_CLASSES_SHOWN,
    LabelCandidate,
    classes_line,
    described,
    gap_labels,
    is_sure,
    short_classes,
)
from datasets.proposals.leaks import GIVES_AWAY, Leaks, find_leaks
from datasets.proposals.odd_cells import OddCells
from datasets.proposals.propose import Proposal, propose
from datasets.proposals.roles import FREE_TEXT, IN_LABEL, JOINED, SAME_AS_LABEL, naming_column, proposed_role
from datasets.reading import Table
from datasets.reading.blocks import OTHER_TABLES


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


_RUNNERS_UP = 3
_COLOURS = 6  # of a number that is trained on as it is, unless another number of classes was said
_WIDE = 1_000
_BY_HAND = "you left it out"
_FEW_ROWS = 0.02
_ASK_ABOVE = 0.2
_MOST_OFFERED = 3
_MOST_QUESTIONS = 50
_SMALL_CLASS = 10  # rows
_FEWEST_COMPARED, _FEW_VALUES = 20, 50  # rows, different cells
_FEWEST_TICKS = 3  # columns
_BLANK = "blank"  # the class of blank labels
_TICKS = frozenset(("x", "✓", "✔", "☑", "yes", "y", "true", "ja", "oui", "sí", "si", "sim", "tak", "ano", "да", "是"))


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

    @cached_property
    def questions(self) -> tuple[Question, ...]:
        """Blocking ones first, the label before all others."""
        about = (
            _about_label,
            _about_label_blanks,
            _about_leaks,
            _about_features,
            _about_odd_cells,
            _about_rows,
            _about_gaps,
            _about_spellings,
            _about_label_gaps,
        )
        return tuple(sorted((each for ask in about for each in ask(self)), key=lambda question: not question.blocking))

    @property
    def table(self) -> Table:
        """The rows that are used."""
        return self.proposal.table

    @property
    def ready(self) -> bool:
        """Whether it can be trained on without an answer."""
        return self.label is not None and not any(question.blocking for question in self.questions)


def apply(proposal: Proposal, choices: Choices | None = None) -> Plan:
    """Join the proposal for a table with what the user chose so far, for this table or another one."""
    choices = choices or Choices()
    kept = {kind for kind, skipped in choices.row_groups if not skipped}
    proposal = proposal.skipping(tuple(group.kind for group in proposal.groups if group.kind not in kept))
    label = _label(proposal, choices)
    of_label = proposal.fact(label.name) if label else None
    ticks = _tick_boxes(proposal.facts)
    planned = [_column(proposal, choices, fact, of_label, ticks) for fact in proposal.facts if fact is not of_label]
    planned = _with_some_feature(_without_opposites(planned))
    columns = _column_plan(proposal, choices, label, planned)
    leaks = _leaks(proposal, columns, label)
    if leaks is not None and label is not None and dict(choices.leaks).get(label.name):
        planned = [
            replace(each, role="left_out", reason=GIVES_AWAY) if each.name in leaks.columns and not each.said else each
            for each in planned
        ]
        columns = _column_plan(proposal, choices, label, planned)
    gaps = _gaps(proposal, columns, choices.missing)
    columns = replace(columns, missing=gaps.choice)
    costs = _costs(proposal, label, planned, gaps.sentence)
    return Plan(choices, proposal, columns, label, tuple(planned), gaps, costs, leaks, _waiting(proposal, choices))


def _label(proposal: Proposal, choices: Choices) -> PlannedLabel | None:
    candidates = proposal.candidates
    said = choices.label is not None and choices.label in proposal.table.columns
    if choices.label is not None and said:
        candidate = described(proposal.fact(choices.label))
    elif candidates and candidates[0].score > 0:
        candidate = candidates[0]
    else:
        return None
    if choices.merge_spellings:
        candidates = tuple(_with_merged(proposal, each) for each in candidates)
    others = [other for other in candidates if other.name != candidate.name]
    last = [other for other in others[_RUNNERS_UP:] if other.place in (LAST, LAST_NUMBERS)]
    runners_up = (*others[: _RUNNERS_UP - len(last)], *last)
    mode = dict(choices.label_modes).get(candidate.name, candidate.mode)
    candidate, sure = replace(candidate, mode=mode), said or is_sure(candidates)
    if mode != "classes":
        return PlannedLabel(candidate, said, sure, runners_up, (), (), (), ())
    of_label = proposal.fact(candidate.name)
    groups, gap_words = of_label.spellings, gap_labels(of_label)
    merged = _merged(groups)
    read = dict(merged) if choices.merge_spellings else {}
    read |= dict.fromkeys(gap_words, "") if choices.label_gaps else {}
    read |= {"": _BLANK} if dict(choices.label_blanks).get(candidate.name) and "" in of_label.levels.values else {}
    sizes = Counter[str]()
    for name, n in zip(of_label.levels.values, of_label.levels.counts.tolist(), strict=True):
        sizes[read.get(name, name)] += n
    n_unlabelled = sizes.pop("", 0)
    classes = tuple((name, n) for name, n in sizes.most_common() if n)
    if read:
        candidate = replace(
            candidate,
            classes=classes[:MOST_CLASSES_SHOWN],
            n_classes=len(classes),
            n_single=sum(n == 1 for _, n in classes),
            n_unlabelled=n_unlabelled,
            n_merged=0 if choices.merge_spellings or not merged else len({merged.get(name, name) for name in sizes}),
        )
    return PlannedLabel(candidate, said, sure, runners_up, groups, gap_words, tuple(read.items()), classes)


def _with_merged(proposal: Proposal, candidate: LabelCandidate) -> LabelCandidate:
    """The candidate with its classes as they are once spellings are merged."""
    if not candidate.n_merged:
        return candidate
    levels = proposal.fact(candidate.name).merged_levels
    there = [(name, n) for name, n in zip(levels.values, levels.counts.tolist(), strict=True) if name and n]
    there.sort(key=lambda each: -each[1])
    return replace(candidate, classes=tuple(there[:MOST_CLASSES_SHOWN]), n_classes=len(there), n_merged=0)


def _merged(groups: tuple[Spellings, ...]) -> dict[str, str]:
    """The most frequent spelling of each other one."""
    return {name: group[0][0] for group in groups for name, _ in group[1:]}


def _tick_boxes(facts: tuple[Column, ...]) -> set[str]:
    """Names of columns that hold a tick or nothing, and of three or more beside each other that hold one value or
    nothing, as boxes ticked or not."""
    names = {
        fact.name for fact in facts if fact.n_values == 1 and fact.n_missing > 1 and fact.examples[0].lower() in _TICKS
    }
    for could_be, run in groupby(facts, lambda fact: fact.n_values < 2 and fact.n_missing > 1):
        ticked = [fact.name for fact in run if fact.n_present > 1]
        names |= set(ticked) if could_be and len(ticked) >= _FEWEST_TICKS else set()
    return names


def _column(proposal: Proposal, choices: Choices, fact: Column, label: Column | None, ticks: set[str]) -> PlannedColumn:
    name, odd = fact.name, proposal.odd.get(fact.name)
    said_odd = dict(choices.odd_cells).get(name) if odd is not None else None
    if odd is not None and said_odd is not None:
        odd = replace(odd, what=said_odd, ask=False)
    role = dict(choices.roles).get(name)
    if role == "ordered" and not fact.order:
        role = "categories"
    if role == "number" and fact.kind != "numbers":
        role = "categories"  # words can be used in no other way
    if role == "number" and odd is not None and said_odd is None:
        odd = replace(odd, what="missing")
    if role is None and odd is not None and odd.what == "leave_out":
        role = "left_out"
    said = role is not None
    if role is not None:
        reason = _BY_HAND if role == "left_out" else ""
    else:
        as_text = odd is not None and odd.what == "text"
        if label is not None and label.answers and name.startswith(f"{label.name}: "):
            return PlannedColumn(name, "left_out", IN_LABEL, False, fact, odd, False)
        if name in ticks:
            return PlannedColumn(name, "categories", "", False, fact, odd, False)
        if proposal.joined and (why := _why_joined(proposal, name, label)):
            return PlannedColumn(name, "left_out", why, False, fact, odd, False)
        first, *others = proposal.facts
        has_names = not others or others[0].name != "column 2"
        role, reason = proposed_role(fact, label, is_first=fact is first, has_names=has_names, as_text=as_text)
        if as_text and said_odd is not None and role == "left_out":
            reason = f"taken as text, {reason}"
    return PlannedColumn(name, role, reason, said, fact, odd, said_odd is not None)


def _why_joined(proposal: Proposal, name: str, label: Column | None) -> str:
    """The columns that mark a class each, or the one that joins them: never both."""
    title = proposal.table.columns[-1]
    if name == title:
        return JOINED
    return IN_LABEL if label is not None and label.name == title and name in proposal.joined else ""


def _without_opposites(planned: list[PlannedColumn]) -> list[PlannedColumn]:
    """Leave out each column of few values that tells the same as an earlier one, in other words or the opposite."""
    first: dict[bytes, PlannedColumn] = {}
    found = []
    for column in planned:
        is_feature = not column.said and column.role != "left_out" and len(column.facts.cells) >= _FEWEST_COMPARED
        is_feature = is_feature and (column.role != "number" or column.facts.is_whole)
        if is_feature and 2 <= column.facts.n_values <= _FEW_VALUES:
            earlier = first.setdefault(column.facts.levels.codes.tobytes(), column)
            in_words = "categories" in (column.role, earlier.role)  # numbers may agree by chance
            if earlier is not column and (in_words or column.facts.n_values == 2):
                column = replace(column, role="left_out", reason=f"it tells no more than {earlier.name}")
        found.append(column)
    return found


def _with_some_feature(planned: list[PlannedColumn]) -> list[PlannedColumn]:
    """Where nothing would be left to project, columns of numbers that were left out on weak grounds come back."""
    if any(column.role != "left_out" for column in planned):
        return planned
    return [
        replace(column, role="number", reason="", odd=column.odd and replace(column.odd, what="missing"))
        if not column.said and column.facts.kind == "numbers" and column.reason.endswith(("missing", "an identifier"))
        else column
        for column in planned
    ]


def _leaks(proposal: Proposal, plan: ColumnPlan, label: PlannedLabel | None) -> Leaks | None:
    """Columns that give the label away, looked for once for each way to read it; spellings of a class are one."""
    read = _merged(label.spellings if label is not None else ()) | dict(plan.spellings)
    key = (plan.label, plan.label_mode, plan.n_bins, tuple(read.items()), plan.features, plan.categories)
    if key not in proposal.leaks:
        y = class_codes(proposal.table, replace(plan, spellings=tuple(read.items())))
        columns = [proposal.fact(name) for name in plan.features]
        proposal.leaks[key] = None if y is None else find_leaks(columns, (*plan.categories, *plan.ordered), y)
    return proposal.leaks[key]


def _column_plan(
    proposal: Proposal, choices: Choices, label: PlannedLabel | None, planned: list[PlannedColumn]
) -> ColumnPlan:
    used = [column for column in planned if column.role != "left_out"]
    mode = label.candidate.mode if label else "classes"
    odd = [column.name for column in used if column.odd_are_missing]
    if label is not None and label.name in proposal.odd and mode != "classes":
        odd.append(label.name)
    return ColumnPlan(
        label=label.name if label else None,
        label_reason=label.candidate.reason if label else "no column looks like a label",
        features=tuple(column.name for column in used),
        left_out=tuple((column.name, column.reason) for column in planned if column.role == "left_out"),
        categories=tuple(column.name for column in used if column.role == "categories"),
        ordered=tuple(column.name for column in used if column.role == "ordered"),
        label_mode=mode,
        n_bins=choices.n_bins or (_COLOURS if mode == "continuous" else 3),
        singles=choices.singletons or "keep",
        category_gaps=choices.category_gaps or "level",
        odd_as_missing=tuple(odd),
        spellings=label.read if label else (),
        merge_spellings=bool(choices.merge_spellings),
        row_names=naming_column([column.facts for column in planned if column.role == "left_out"]),
    )


def _gaps(proposal: Proposal, plan: ColumnPlan, missing: str | None) -> PlannedGaps:
    """Drop rows where only a few have gaps and no class goes with them, else fill the gaps: that loses no row."""
    n = proposal.table.n_rows
    costs = missing_costs(proposal.table, plan)
    n_gone = n - costs["drop_rows"].n_rows
    y = class_codes(proposal.table, plan) if 0 < n_gone <= _FEW_ROWS * n else None
    loses_a_class = y is not None and len(np.unique(y)) > len(np.unique(y[costs["drop_rows"].rows]))
    choice = missing or ("drop_rows" if n_gone <= _FEW_ROWS * n and not loses_a_class else "impute")
    cost = costs[choice]
    levels = sum(proposal.fact(name).n_missing for name in plan.categories)
    parts = []
    if n > cost.n_rows:
        why = "with no value in any feature " if choice != "drop_rows" else ""
        parts.append(f"{n - cost.n_rows:,} of {n:,} rows {why}{'is' if n - cost.n_rows == 1 else 'are'} left out")
    if gone := len(plan.features) - cost.n_columns:
        parts.append(f"{gone:,} of {len(plan.features):,} columns {'is' if gone == 1 else 'are'} left out")
    if cost.n_filled:
        cells = counted(cost.n_filled, "missing cell is", "missing cells are")
        parts.append(f"{cells} filled with the median of the column")
    if levels and plan.category_gaps != "gap":
        as_what = "a level of their own" if plan.category_gaps == "level" else "the most frequent level"
        cells = counted(levels, "missing cell in categories counts", "missing cells in categories count")
        parts.append(f"{cells} as {as_what if levels > 1 else as_what.replace('their', 'its')}")
    sentence = "; ".join(parts)
    share = max((n - cost.n_rows) / max(1, n), cost.n_filled / max(1, n * len(plan.features)))
    sentence = f"{sentence[:1].upper()}{sentence[1:]}." if sentence else ""
    return PlannedGaps(choice, sentence, costs, missing is None and share > _ASK_ABOVE)


def _costs(proposal: Proposal, label: PlannedLabel | None, planned: list[PlannedColumn], gaps: str) -> tuple[str, ...]:
    """What is lost: rows skipped, gaps, odd cells, unlabelled rows; then columns left out and what is slow."""
    lines = [gaps] if gaps else []
    empty = [column.name for column in planned if column.reason.endswith("cells are missing") and not column.said]
    if empty:
        lines.append(f"Left out, as most of their cells are missing: {first_few(empty)}.")
    others = [note for note in proposal.source.notes if OTHER_TABLES.match(note)]
    lines += [f"{note} To use another, save it as a file of its own." for note in others]
    lines += [group.sentence for group in proposal.groups if group.kind in proposal.skipped]
    if label is not None and (n := label.candidate.n_unlabelled):
        have = "has" if n == 1 else "have"
        lines.append(f"{n:,} of {proposal.table.n_rows:,} rows {have} no label: drawn in grey, not trained on.")
    for odd in [each.odd for each in planned if each.odd and each.odd_are_missing]:
        lines.append(f"{odd.sentence} {'It counts' if odd.n == 1 else 'They count'} as missing.")
    if label is not None and label.candidate.mode == "classes" and (small := _small_classes(label)):
        lines.append(f"Classes of fewer than {_SMALL_CLASS} rows, whose accuracy is uncertain: {small}.")
    n_used = sum(column.role != "left_out" for column in planned)
    if n_used > _WIDE:
        lines.append(
            f"{n_used:,} features: training is slow and overfits. Fewer help: by PCA, random projection or selection."
        )
    return tuple(lines)


def _small_classes(label: PlannedLabel) -> str:
    """The classes of a few rows, with their sizes; single rows are asked about apart."""
    small = [(name, n) for name, n in label.sizes if 1 < n < _SMALL_CLASS]
    names = short_classes([name for name, _ in small])
    return first_few([f"{name} ({n})" for name, (_, n) in zip(names, small, strict=True)])


def _waiting(proposal: Proposal, choices: Choices) -> tuple[str, ...]:
    there = set(proposal.table.columns)
    named = dict.fromkeys([*([choices.label] if choices.label else []), *dict(choices.roles), *dict(choices.odd_cells)])
    return tuple(
        f"This table has no column {name!r}; what you chose for it waits." for name in named if name not in there
    )


def unasked_plan(table: Table, choices: Choices | None = None) -> Plan:
    """Take the proposed label, and the first answer to what would have to be asked about odd cells, rows and gaps.

    Raises DataError where the table has one column only.
    """
    plan = apply(propose(table), choices)
    for _ in range(_MOST_QUESTIONS):
        open_ones = [q for q in plan.questions if q.blocking and q.key not in ("label", "features")]
        if not open_ones:
            break
        plan = apply(plan.proposal, open_ones[0].answers[0].choices)
    return plan


def _about_label(plan: Plan) -> list[Question]:
    label = plan.label
    if label is None:
        text = "No column looks like a label. Choose the one that tells the classes apart."
        answers = _as_label(plan, plan.proposal.candidates[:_MOST_OFFERED])
        numbers = [fact for fact in plan.proposal.facts[::-1] if fact.kind == "numbers" and fact.n_values > 1]
        for name in [fact.name for fact in numbers[: 0 if answers else _MOST_OFFERED]]:
            choices = plan.choices.with_label(name).saying("label_modes", name, "bins")
            answers = (*answers, Answer(name, choices, "numbers, cut into classes"))
        if not answers:
            text = "No column can be the label: none holds numbers, or words that repeat often. Drop another table."
        return [Question("label", text, answers, True)]
    if label.said or not (label.sure or plan.columns.features):  # with this label nothing can be trained
        return []
    answers = _as_label(plan, (label.candidate, *label.runners_up))
    text = f"Is {label.name!r} the label? ({label.candidate.reason})"
    return [Question("label", text, answers, not label.sure, label.name)]


def _as_label(plan: Plan, candidates: tuple[LabelCandidate, ...]) -> tuple[Answer, ...]:
    return tuple(Answer(each.name, plan.choices.with_label(each.name), classes_line(each)) for each in candidates)


def _about_leaks(plan: Plan) -> list[Question]:
    """Nothing is trained, and no accuracy praised, before this is answered; a doubtful label is asked about first."""
    label, leaks = plan.label, plan.leaks
    if label is None or leaks is None or not label.sure or label.name in dict(plan.choices.leaks):
        return []
    them = "it" if len(leaks.columns) == 1 else "them"
    fewer = counted(len(leaks.columns), "column") + " fewer"
    answers = (
        Answer(f"leave {them} out", plan.choices.saying("leaks", label.name, True), fewer),
        Answer(f"keep {them}", plan.choices.saying("leaks", label.name, False)),
    )
    text = f"{leaks.sentence} Leave {them} out, unless new rows will have {them} too?"
    return [Question("leaks", text, answers, True)]


def _about_features(plan: Plan) -> list[Question]:
    """Nothing is left to project: which column is put back? A label is chosen first."""
    if plan.label is None or plan.columns.features:
        return []
    could = [column for column in plan.planned if _can_be_put_back(column)]
    could.sort(key=lambda column: (column.facts.kind != "numbers", column.facts.n_values))
    what = "Put one back" if could else "None has numbers or words that repeat: drop another table"
    nothing = nothing_to_project(plan.columns.left_out)
    answers = []
    for name, facts in [(column.name, column.facts) for column in could[:_MOST_OFFERED]]:
        role, cells = ("number", "numbers") if facts.kind == "numbers" else ("categories", "values")
        choices = plan.choices.saying("roles", name, role)
        answers.append(Answer(f"use {name}", choices, f"{facts.n_values:,} different {cells}"))
    text = f"{nothing[:1].upper()}{nothing[1:]}. {what}, or choose another label."
    return [Question("features", text, tuple(answers), True)]


def _can_be_put_back(column: PlannedColumn) -> bool:
    """Numbers that differ, or words of which some repeat; but not the label in other words, nor free text."""
    if column.facts.n_values < 2 or column.reason in (SAME_AS_LABEL, FREE_TEXT):
        return False
    levels = column.facts.levels
    return column.facts.kind == "numbers" or bool(levels.counts[~levels.missing].max() > 1)


def _about_odd_cells(plan: Plan) -> list[Question]:
    """One question for the columns whose odd cells are the same words."""
    alike: dict[object, list[OddCells]] = {}
    for column in plan.planned:
        odd = column.odd
        if odd is None or column.odd_said or (column.said and column.role != "number"):
            continue
        if column.role == "left_out" and odd.what != "text":  # as numbers it is left out as well
            continue
        words = tuple(cell for cell, _ in odd.examples)
        alike.setdefault((words, odd.what, odd.ask) if odd.are_all_shown else column.name, []).append(odd)
    asked = []
    for odds in alike.values():
        first = odds[0]
        order = [first.what, *(what for what in ODD_CELLS if what != first.what)]
        answers = []
        for what in order:
            choices = plan.choices
            for odd in odds:
                choices = choices.saying("odd_cells", odd.column, what)
            answers.append(Answer(ODD_CELLS[what], choices, _lost_by(what, odds)))
        others = f" The same in {first_few([odd.column for odd in odds[1:]])}." if len(odds) > 1 else ""
        proposed = ODD_CELLS[first.what].replace("them", "it" if len(odds) == first.n == 1 else "them")
        text = f"{first.sentence}{others} {proposed[:1].upper()}{proposed[1:]}?"
        asked.append(Question("odd_cells", text, tuple(answers), first.ask, first.column))
    return asked


def _lost_by(what: str, odds: list[OddCells]) -> str:
    """What an answer of ODD_CELLS costs in these columns."""
    if what == "missing":
        return counted(sum(odd.n for odd in odds), "cell loses its value", "cells lose their value")
    if what == "text":
        return "its numbers become words" if len(odds) == 1 else "their numbers become words"
    return f"{counted(len(odds), 'column')} fewer"


def _about_rows(plan: Plan) -> list[Question]:
    asked = []
    for group in plan.proposal.groups:
        if group.kind in dict(plan.choices.row_groups):
            continue
        answers = (
            Answer(
                "skip them",
                plan.choices.saying("row_groups", group.kind, True),
                f"{counted(len(group.rows), 'row')} fewer",
            ),
            Answer("keep them", plan.choices.saying("row_groups", group.kind, False)),
        )
        asked.append(Question("rows", group.sentence, answers, group.ask))
    return asked


def _about_gaps(plan: Plan) -> list[Question]:
    gaps = plan.gaps
    if plan.choices.missing is not None or not gaps.sentence or not plan.columns.features:
        return []
    order = [gaps.choice, *(choice for choice in MISSING_CHOICES if choice != gaps.choice)]
    size = plan.table.n_rows, len(plan.columns.features)
    answers = [
        Answer(MISSING_CHOICES[choice], replace(plan.choices, missing=choice), gaps.costs[choice].stays(*size))
        for choice in order
    ]
    return [Question("missing", gaps.sentence, tuple(answers), gaps.ask)]


def _about_spellings(plan: Plan) -> list[Question]:
    """One question for the label and the features in which a word is written in several ways."""
    by_column = {plan.label.name: plan.label.spellings} if plan.label is not None else {}
    by_column |= {each.name: each.facts.spellings for each in plan.planned if each.role == "categories"}
    by_column = {name: groups for name, groups in by_column.items() if groups}
    if not by_column or plan.choices.merge_spellings is not None:
        return []
    first, *others = by_column
    groups, of_label = by_column[first], plan.label is not None and first == plan.label.name
    shown = "; ".join(" and ".join(f"{cell!r} ({count:,})" for cell, count in group) for group in groups[:3])
    what = ("label is", "labels are") if of_label else (f"value of {first} is", f"values of {first} are")
    text = f"{counted(len(groups), *what)} written in several ways: {shown}."
    if others:
        text += f" So are values of {first_few(others)}."
    answers = (
        Answer("merge them", replace(plan.choices, merge_spellings=True)),
        Answer("keep them apart", replace(plan.choices, merge_spellings=False), "as now"),
    )
    return [Question("spellings", text, answers, False, first)]


def _about_label_blanks(plan: Plan) -> list[Question]:
    """A box that is ticked or not, as the label: its blank cells are asked about, else there is one class."""
    label = plan.label
    n = label.candidate.n_unlabelled if label is not None else 0
    if label is None or not n or len(label.sizes) != 1:
        return []
    name, n_named = label.sizes[0]
    text = f"{label.name} holds {short_classes([name])[0]!r} ({n_named:,}) or is blank ({n:,}). Is blank a class?"
    yes = Answer(f"yes, class {_BLANK!r}", plan.choices.saying("label_blanks", label.name, True))
    no = Answer("no, another label", replace(plan.choices, label=None))
    return [Question("label_blanks", text, (yes, no), True, label.name)]


def _about_label_gaps(plan: Plan) -> list[Question]:
    if plan.label is None or not plan.label.gap_words or plan.choices.label_gaps is not None:
        return []
    n = dict(plan.label.sizes)
    words = first_few([f"{word!r} ({n[word]:,})" for word in plan.label.gap_words if word in n])
    text = f"Among the labels: {words}. Does it mean that a row has no label?"
    answers = (
        Answer("yes, no label", replace(plan.choices, label_gaps=True), "these rows are drawn in grey"),
        Answer("no, it is a class", replace(plan.choices, label_gaps=False), "as now"),
    )
    return [Question("label_gaps", text, answers, False, plan.label.name)]
