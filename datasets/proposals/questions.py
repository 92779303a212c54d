"""The questions that a plan leaves open, each with its answers, and what each answer costs."""

from __future__ import annotations

from dataclasses import replace

from datasets.base.words import counted, first_few
from datasets.columns.build import MISSING_CHOICES, nothing_to_project
from datasets.columns.cells import Column
from datasets.proposals.choices import ODD_CELLS
from datasets.proposals.labels import (
    LabelCandidate,
    classes_line,
    described,
    filled_as_others,
    is_no_amount,
    numbers_to_predict,
    short_classes,
    sky_positions,
    steps_from_0,
)
from datasets.proposals.odd_cells import OddCells
from datasets.proposals.plan import Answer, Plan, PlannedColumn, Question
from datasets.proposals.roles import FREE_TEXT, SAME_AS_LABEL

_MOST_OFFERED, _MOST_LABELS = 3, 4
_MANY_COUNTS, _MANY_NUMBERS = 8, 4  # columns
_REPEAT = 0.8  # different words, for each row
_FEW_CODES = 20
BLANK = "blank"  # the class of blank labels


def questions_of(plan: Plan) -> tuple[Question, ...]:
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
    return tuple(sorted((each for ask in about for each in ask(plan)), key=lambda question: not question.blocking))


def _about_label(plan: Plan) -> list[Question]:
    label = plan.label
    if label is None:
        text = "No column looks like a label. Choose one that tells the classes apart, or a number to predict."
        full = {fact.name for fact in filled_as_others(plan.proposal.facts)}
        candidates = [each for each in plan.proposal.candidates if each.name in full]
        known = {each.name: each for each in candidates if each.mode == "classes" and _holds_classes(plan, each.name)}
        fewest_first = sorted(filter(_repeats, plan.proposal.facts), key=lambda fact: fact.n_values)
        no_labels = {name for name, why in plan.columns.left_out if why == FREE_TEXT}
        no_labels |= sky_positions(plan.proposal.facts)
        could_repeat = full.difference(known, no_labels)
        repeat = [described(fact) for fact in fewest_first if fact.name in could_repeat]
        numbers = _numbers_offered(plan, [each for each in candidates if each.name not in known])
        classes = [*known.values(), *repeat]
        counts = {each.name: n for each in classes if (n := steps_from_0(plan.proposal.fact(each.name)))}
        if sum(n > 2 for n in counts.values()) >= _MANY_COUNTS:  # as of species at sites
            classes = [each for each in classes if each.name not in counts]
        # The last column is what many tables are about.
        n_first = _MOST_LABELS - min(len(numbers), 1 + (len(numbers) >= _MANY_NUMBERS))
        could = [*classes[:n_first], *numbers[: _MOST_LABELS - len(classes[:n_first])], *classes[n_first:]]
        answers = _as_label(plan, tuple(could[:_MOST_LABELS]))
        few = [fact for fact in plan.proposal.facts[::-1] if fact.kind == "numbers" and fact.n_values > 1]
        for name in [fact.name for fact in few[: 0 if answers else _MOST_OFFERED]]:
            choices = plan.choices.with_label(name).saying("label_modes", name, "bins")
            answers = (*answers, Answer(name, choices, "numbers, cut into classes"))
        if answers and not repeat and known.keys().isdisjoint(answer.text for answer in answers):
            text = "No column looks like class labels. Choose a number to predict, or another column."
        if not answers:
            text = "No column can be the label: none holds numbers, or words that repeat often. Drop another table."
        return [Question("label", text, answers, True)]
    if label.said or not (label.sure or plan.columns.features):  # with this label nothing can be trained
        return []
    answers = _as_label(plan, (label.candidate, *label.runners_up))
    text = f"Is {label.name!r} the label? ({label.candidate.reason})"
    return [Question("label", text, answers, not label.sure, label.name)]


def _numbers_offered(plan: Plan, candidates: list[LabelCandidate]) -> list[LabelCandidate]:
    """At most four: candidates at the end of the table, candidates of few steps, then other columns of numbers."""
    left_out = {name for name, _ in plan.columns.left_out} | sky_positions(plan.proposal.facts)
    could = numbers_to_predict([fact for fact in plan.proposal.facts if fact.name not in left_out])
    names = {fact.name for fact in could}
    candidates = [each for each in candidates if each.mode == "classes" or each.name in names]
    at_the_end = [each for each in candidates if each.place]
    steps = sorted((c for c in candidates if not (c.place or is_no_amount(c.name))), key=lambda each: each.n_classes)
    known = {each.name for each in candidates}
    others = [described(fact) for fact in could[: 2 * _MOST_LABELS] if fact.name not in known]
    few, many = (steps, []) if len(steps) < _MOST_LABELS else ([], steps)
    return [*at_the_end, *few, *others, *many][:_MOST_LABELS]


def _holds_classes(plan: Plan, name: str) -> bool:
    """Whether it holds words or whole numbers; few other numbers are rather rounded."""
    fact = plan.proposal.fact(name)
    return fact.kind != "numbers" or fact.is_whole


def _repeats(fact: Column) -> bool:
    """Whether it holds words some of which repeat, or a few whole numbers, such as codes."""
    few_codes = fact.kind == "numbers" and fact.is_whole and 1 < fact.n_values <= min(_FEW_CODES, fact.n_present // 3)
    return few_codes or (fact.kind == "words" and 1 < fact.n_values <= _REPEAT * fact.n_present)


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
    if leaks.are_all:
        text = f"{leaks.sentence} No other column is left. Keep {them}, or choose another label?"
        return [Question("leaks", text, (answers[1], *_as_label(plan, label.runners_up)), True)]
    text = f"{leaks.sentence} Leave {them} out, unless new rows will have {them} too?"
    return [Question("leaks", text, answers[::-1] if leaks.are_measured else answers, True)]


def _about_features(plan: Plan) -> list[Question]:
    """Nothing is left to project, or a line: which column is put back? A label is chosen first."""
    used = [column for column in plan.planned if column.role != "left_out"]
    is_line = len(used) == 1 and used[0].role == "number"
    if plan.label is None or (used and not is_line):
        return []
    could = [column for column in plan.planned if column not in used and _can_be_put_back(column)]
    could.sort(key=lambda column: (column.facts.kind != "numbers", column.facts.n_values))
    if is_line and not could:
        return []
    what = "Put one back" if could else "None has numbers or words that repeat: drop another table"
    nothing = nothing_to_project(plan.columns.left_out)
    nothing = nothing[:1].upper() + nothing[1:]
    if is_line:
        what, nothing = "Put another one back", f"{used[0].name} is the only feature, and a picture needs two"
    answers = []
    for name, facts in [(column.name, column.facts) for column in could[:_MOST_OFFERED]]:
        role, cells = ("number", "numbers") if facts.kind == "numbers" else ("categories", "values")
        choices = plan.choices.saying("roles", name, role)
        answers.append(Answer(f"use {name}", choices, f"{facts.n_values:,} different {cells}"))
    text = f"{nothing}. {what}, or choose another label."
    return [Question("features", text, tuple(answers), True)]


def _can_be_put_back(column: PlannedColumn) -> bool:
    """Numbers that differ, or words of which some repeat; but not the label in other words, nor free text."""
    if column.facts.n_values < 2 or column.reason in (SAME_AS_LABEL, FREE_TEXT):
        return False
    levels = column.facts.levels
    return column.facts.kind == "numbers" or bool(levels.counts[~levels.missing].max() > 1)


def _about_odd_cells(plan: Plan) -> list[Question]:
    """One question for the columns whose odd cells are the same words, and one for all that must be answered alike."""
    alike: dict[object, list[OddCells]] = {}
    for column in plan.planned:
        odd = column.odd
        if odd is None or column.odd_said or (column.said and column.role != "number"):
            continue
        if column.role == "left_out" and odd.what != "text":  # as numbers it is left out as well
            continue
        same_words = odd.words if odd.are_all_shown else column.name
        alike.setdefault((odd.what,) if odd.ask else (same_words, odd.what), []).append(odd)
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
        the_same = all(odd.are_all_shown and odd.words == first.words for odd in odds)
        others = "The same" if the_same else "Other such cells are"
        others = f" {others} in {first_few([odd.column for odd in odds[1:]])}." if len(odds) > 1 else ""
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
    if not gaps.costs["impute"].gaps and gaps.costs["drop_rows"].n_rows == plan.table.n_rows:  # in categories only
        if plan.choices.category_gaps is not None:
            return []
        answers = [
            Answer("count them as a level of their own", replace(plan.choices, category_gaps="level")),
            Answer("count them as the most frequent level", replace(plan.choices, category_gaps="most_frequent")),
        ]
        return [Question("missing", gaps.sentence, tuple(answers), False)]
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
    yes = Answer(f"yes, class {BLANK!r}", plan.choices.saying("label_blanks", label.name, True))
    no = Answer("no, another label", replace(plan.choices, label=None))
    return [Question("label_blanks", text, (yes, no), True, label.name)]


def _about_label_gaps(plan: Plan) -> list[Question]:
    if plan.label is None or not plan.label.gap_words or plan.choices.label_gaps is not None:
        return []
    levels = plan.proposal.fact(plan.label.name).levels
    n = dict(zip(levels.values, levels.counts.tolist(), strict=True))
    words = first_few([f"{word!r} ({n[word]:,})" for word in plan.label.gap_words])
    unread = [word for word in plan.label.gap_words if dict(plan.label.read).get(word) != ""]
    now = ("these rows are drawn in grey", "as now") if unread else ("as now, drawn in grey", "")
    text = f"Among the labels: {words}. Does it mean that a row has no label?"
    answers = (
        Answer("yes, no label", replace(plan.choices, label_gaps=True), now[0]),
        Answer("no, it is a class", replace(plan.choices, label_gaps=False), now[1]),
    )
    return [Question("label_gaps", text, answers, False, plan.label.name)]
