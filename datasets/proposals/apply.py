"""apply: a proposal and Choices -> Plan, with the questions that it leaves open."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import groupby, islice

import numpy as np

from datasets.base.dataset import UNLABELLED
from datasets.base.words import counted, first_few
from datasets.columns.build import (
    ColumnPlan,
    MissingCost,
    class_codes,
    in_columns,
    missing_costs,
)
from datasets.columns.cells import Column, Spellings
from datasets.proposals.choices import Choices
from datasets.proposals.labels import (
    LAST,
    LAST_NUMBERS,
    MOST_CLASSES_SHOWN,
    OUTCOME,
    LabelCandidate,
    described,
    filled_as_others,
    gap_labels,
    gaps_tell,
    is_sure,
    numbers_to_predict,
    short_classes,
)
from datasets.proposals.leaks import Leaks, find_leaks
from datasets.proposals.odd_cells import OddCells
from datasets.proposals.plan import Plan, PlannedColumn, PlannedGaps, PlannedLabel
from datasets.proposals.propose import Proposal, propose
from datasets.proposals.questions import BLANK, questions_of
from datasets.proposals.roles import (
    IDENTIFIER,
    IN_LABEL,
    JOINED,
    OF_RECORDING,
    ON_A_PLATE,
    naming_column,
    proposed_role,
)
from datasets.reading import Table
from datasets.reading.samples import OF_NAMES

_RUNNERS_UP = 3
_COLOURS = 6  # of a number that is trained on as it is, unless another number of classes was said
_WIDE = 1_000
_BY_HAND, _HOLDS_LABEL = "you left it out", "the label was read out of it"
_FEW_ROWS = 0.02
_MANY_GAPS = 0.2  # share of labels such as "NA", from which the label is asked about
_FEWEST_ELSEWHERE = 3  # columns with such a word as a gap
_ASK_ABOVE = 0.2
_MOST_QUESTIONS = 50
_SMALL_CLASS = 10  # rows
_FEWEST_GAPPY = 3
_FEWEST_COMPARED, _FEW_VALUES = 13, 50  # rows, different cells
_FEWEST_TICKS, _FEW_TICKS = 3, 0.01  # columns; share of the rows, as events of a logger
_TICKS = frozenset(
    ("x", "✓", "✔", "☑", "yes", "y", "true", "ja", "oui", "sí", "si", "sim", "tak", "ano", "да", "是", "+")
)


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
            replace(each, role="left_out", reason=leaks.reason(each.name))
            if each.name in leaks.columns and not each.said
            else each
            for each in planned
        ]
        columns = _column_plan(proposal, choices, label, planned)
    gaps = _gaps(proposal, columns, choices.missing)
    columns = replace(columns, missing=gaps.choice)
    if leaks is not None and set(leaks.columns).isdisjoint(gaps.costs[gaps.choice].features):
        leaks = None  # they go with the columns that have gaps
    costs = _costs(proposal, label, planned, gaps.sentence, _n_unlabelled(proposal, columns, label, gaps))
    waiting = _waiting(proposal, choices)
    plan = Plan(choices, proposal, columns, label, tuple(planned), gaps, costs, leaks, waiting)
    return replace(plan, questions=questions_of(plan))


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
    others = _that_differ(proposal, candidate, candidates)
    last = [
        other
        for other in others[_RUNNERS_UP:]
        if other.place in (OUTCOME, LAST)
        or (other.place == LAST_NUMBERS and (other.mode == "classes" or proposal.fact(other.name).is_whole))
    ]
    runners_up = (*others[: _RUNNERS_UP - len(last)], *last)
    unsaid = candidate.name != proposal.sheet_column and is_sure(candidates)
    if not (said or unsaid or proposal.source.is_turned):
        runners_up = _with_numbers(proposal, candidate, runners_up)
    mode = dict(choices.label_modes).get(candidate.name, candidate.mode)
    candidate, sure = replace(candidate, mode=mode), said or unsaid
    if mode != "classes":
        return PlannedLabel(candidate, said, sure, runners_up, (), (), (), ())
    of_label = proposal.fact(candidate.name)
    groups, gap_words = of_label.spellings, gap_labels(of_label)
    gaps = sum(
        n for name, n in zip(of_label.levels.values, of_label.levels.counts.tolist(), strict=True) if name in gap_words
    )
    sure = said or (sure and gaps <= _MANY_GAPS * len(of_label.cells))
    merged = _merged(groups)
    read = dict(merged) if choices.merge_spellings else {}
    if choices.label_gaps is None and gap_words:  # words that are gaps in other columns are here, too
        found = Counter(word for fact in proposal.facts if fact is not of_label for word in fact.missing_words)
        read |= {word: "" for word in gap_words if found[word] >= _FEWEST_ELSEWHERE}
    read |= dict.fromkeys(gap_words, "") if choices.label_gaps else {}
    read |= {"": BLANK} if dict(choices.label_blanks).get(candidate.name) and "" in of_label.levels.values else {}
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


def _that_differ(
    proposal: Proposal, candidate: LabelCandidate, candidates: Sequence[LabelCandidate]
) -> list[LabelCandidate]:
    """The other candidates: the first of columns of words that tell the same, and none that is mostly blank or has
    single rows beside one class."""

    def tells(name: str) -> object:
        fact = proposal.fact(name)
        return fact.levels.codes.tobytes() if fact.kind == "words" else name

    told, found = {tells(candidate.name)}, []
    for each in candidates:
        fact = proposal.fact(each.name)
        is_one = each.mode == "classes" and each.n_classes - each.n_single < 2
        is_weak = each.by_name <= 0 and (is_one or fact.n_missing > fact.n_present)
        if (key := tells(each.name)) not in told and not is_weak:
            found.append(each)
            told.add(key)
    return found


def _with_numbers(
    proposal: Proposal, candidate: LabelCandidate, runners_up: tuple[LabelCandidate, ...]
) -> tuple[LabelCandidate, ...]:
    """Fill up the runners-up with columns of numbers to predict; one replaces a third column of classes unless that
    stands first or last."""
    has_numbers = any(each.mode != "classes" for each in (candidate, *runners_up))
    n_kept = len(runners_up) - (not has_numbers and len(runners_up) == _RUNNERS_UP and not runners_up[-1].place)
    known = {candidate.name, *(each.name for each in runners_up)}
    could = (fact for fact in numbers_to_predict(proposal.facts) if fact.name not in known)
    more = [described(fact) for fact in islice(filter(partial(_is_number, proposal), could), _RUNNERS_UP - n_kept)]
    return (*(runners_up[:n_kept] if more else runners_up), *more)


def _is_number(proposal: Proposal, fact: Column) -> bool:
    """Whether the column would be used as a number if it were no label."""
    role, _ = proposed_role(
        fact,
        None,
        is_first=fact is proposal.facts[0],
        has_names=True,
        as_text=False,
        among_large=proposal.has_large,
        is_turned=proposal.source.is_turned or fact.name in proposal.alike,
    )
    return role == "number" and fact.name not in proposal.in_names


def _with_merged(proposal: Proposal, candidate: LabelCandidate) -> LabelCandidate:
    """The candidate with its classes as they are once spellings are merged."""
    if not candidate.n_merged:
        return candidate
    new = described(proposal.fact(candidate.name), merged=True)
    return replace(candidate, classes=new.classes, n_classes=new.n_classes, n_single=new.n_single, n_merged=0)


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
        ticked = [fact.name for fact in run if fact.n_present > max(1, _FEW_TICKS * len(fact.cells))]
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
        if label is not None and (of_names := OF_NAMES.fullmatch(label.name)) and of_names[1] == name:
            return PlannedColumn(name, "left_out", _HOLDS_LABEL, False, fact, odd, False)
        if name in ticks:
            return PlannedColumn(name, "categories", "", False, fact, odd, False)
        if proposal.joined and (why := _why_joined(proposal, name, label)):
            return PlannedColumn(name, "left_out", why, False, fact, odd, False)
        first, *others = proposal.facts
        has_names = not others or others[0].name != "column 2"
        if name in proposal.of_recording:
            return PlannedColumn(name, "left_out", OF_RECORDING, False, fact, odd, False)
        if name in proposal.in_names:
            return PlannedColumn(name, "left_out", IDENTIFIER, False, fact, odd, False)
        if name in proposal.on_a_plate:
            return PlannedColumn(name, "left_out", ON_A_PLATE, False, fact, odd, False)
        propose_role = partial(
            proposed_role,
            is_first=fact is first,
            has_names=has_names,
            as_text=as_text,
            among_large=proposal.has_large,
            is_turned=proposal.source.is_turned or name in proposal.alike,
        )
        role, reason = propose_role(fact, label)
        if label is not None and reason.endswith("cells are missing") and label.levels.missing.any():
            with_label = ~label.levels.missing[label.levels.codes]
            found = propose_role(_of_rows(fact, with_label), _of_rows(label, with_label))
            role, reason = found if found[0] != "left_out" else (role, reason)
        if as_text and said_odd is not None and role == "left_out":
            reason = f"taken as text, {reason}"
    return PlannedColumn(name, role, reason, said, fact, odd, said_odd is not None)


def _of_rows(fact: Column, rows: np.ndarray) -> Column:
    """The column in some of the rows."""
    import pyarrow as pa

    return replace(fact, cells=fact.cells.filter(pa.array(rows)), line_numbers=fact.line_numbers[rows])


def _why_joined(proposal: Proposal, name: str, label: Column | None) -> str:
    """The columns that mark a class each, or the one that joins them: never both."""
    title = proposal.table.columns[-1]
    if name == title:
        return JOINED
    return IN_LABEL if label is not None and label.name == title and name in proposal.joined else ""


def _without_opposites(planned: list[PlannedColumn]) -> list[PlannedColumn]:
    """Leave out each column of few values that tells the same as an earlier one, in other words or the opposite, codes
    that tell the same as words, and numbers that equal or are proportional to an earlier one, unless they are few, as
    of pixels."""
    first: dict[bytes, PlannedColumn] = {}
    found = {}
    for column in sorted(planned, key=_is_code):
        is_feature = not column.said and column.role != "left_out" and len(column.facts.cells) >= _FEWEST_COMPARED
        is_feature = is_feature and (column.role != "number" or column.facts.is_whole)
        is_few = 2 <= column.facts.n_values <= _FEW_VALUES
        if is_feature and (is_few or column.role == "categories"):
            earlier = first.setdefault(column.facts.levels.codes.tobytes(), column)
            in_words = "categories" in (column.role, earlier.role)  # numbers may agree by chance
            if earlier is not column and (in_words or column.facts.n_values == 2):
                column = replace(column, role="left_out", reason=f"it tells no more than {earlier.name}")
        if column.role == "number" and not (column.said or column.odd) and _differ(column.facts):
            values = column.facts.numbers.values
            largest = values[np.nanargmax(np.abs(values))]  # dividing by a tiny p-value would overflow
            earlier = first.setdefault((values / largest).astype(np.float32).tobytes(), column)
            if earlier is not column:
                same = np.array_equal(values, earlier.facts.numbers.values, equal_nan=True)
                what = "the same as" if same else "proportional to"
                column = replace(column, role="left_out", reason=f"it is {what} {earlier.name}")
        found[column.name] = column
    return [found[column.name] for column in planned]


def _is_code(column: PlannedColumn) -> bool:
    """Whether it holds numbers that are used as categories: words that tell the same are kept instead."""
    return column.role == "categories" and column.facts.kind == "numbers"


def _differ(fact: Column) -> bool:
    """Whether most of the numbers of a column differ, or very many do."""
    return fact.n_values > _FEW_VALUES or (_FEWEST_COMPARED <= len(fact.cells) < 2 * fact.n_values)


def _with_some_feature(planned: list[PlannedColumn]) -> list[PlannedColumn]:
    """Where nothing would be left to project, columns of numbers that were left out on weak grounds come back, of those
    with gaps the fullest; where no number would be, three or more with their gaps in the same rows, those of samples
    without a measurement."""
    used = [column for column in planned if column.role != "left_out"]
    weak = [each for each in planned if not each.said and each.role == "left_out" and each.facts.kind == "numbers"]
    gappy = [column for column in weak if column.reason.endswith("missing")]
    full = {fact.name for fact in filled_as_others([column.facts for column in gappy])}
    gappy, weak = ([each for each in of if each not in gappy or each.name in full] for of in (gappy, weak))
    if used:
        gaps = Counter(column.facts.numbers.gaps.tobytes() for column in gappy)
        usual, n = max(gaps.items(), key=lambda item: item[1], default=(b"", 0))
        has_numbers = n < _FEWEST_GAPPY or any(column.role == "number" for column in used)
        weak = [] if has_numbers else [each for each in gappy if each.facts.numbers.gaps.tobytes() == usual]
    back = {column.name for column in weak if column.reason.endswith(("missing", "an identifier"))}
    return [
        replace(column, role="number", reason="", odd=column.odd and replace(column.odd, what="missing"))
        if column.name in back
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
        of_label = proposal.fact(plan.label) if plan.label else None
        categories = (*plan.categories, *plan.ordered)
        proposal.leaks[key] = None if y is None else find_leaks(columns, categories, y, of_label)
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
    """Drop rows where only a few have gaps, or most cells would be filled, and no class goes with them; else fill the
    gaps: that loses no row."""
    n = proposal.table.n_rows
    costs = missing_costs(proposal.table, plan)
    n_gone = n - costs["drop_rows"].n_rows
    blank = sum(proposal.fact(name).n_missing for name in plan.categories)
    y = class_codes(proposal.table, plan) if n_gone or blank else None
    loses_a_class = y is not None and len(np.unique(y)) > len(np.unique(y[costs["drop_rows"].rows]))
    are_most = min((n_cells for _, n_cells in costs["impute"].gaps), default=0) > n / 2  # of every column with gaps
    may_drop = (n_gone <= _FEW_ROWS * n or are_most) and n_gone < n and not loses_a_class
    choice = missing or ("drop_rows" if may_drop else "impute")
    cost = costs[choice]
    levels = sum(int((proposal.fact(name).numbers.gaps & cost.rows).sum()) for name in plan.categories) if blank else 0
    parts = []
    if n > cost.n_rows:
        drops = choice == "drop_rows" and cost.gaps
        why = f"missing values in {in_columns(cost.gaps)}" if drops else "no value in any feature"
        parts.append(f"{n - cost.n_rows:,} of {n:,} rows with {why} {'is' if n - cost.n_rows == 1 else 'are'} left out")
    if gone := len(plan.features) - cost.n_columns:
        parts.append(f"{gone:,} of {len(plan.features):,} columns {'is' if gone == 1 else 'are'} left out")
    if cost.n_filled:
        cells = counted(cost.n_filled, "missing cell is", "missing cells are")
        parts.append(f"{cells} filled with the median of the column: {in_columns(cost.gaps)}")
    if levels and plan.category_gaps != "gap":
        as_what = "a level of their own" if plan.category_gaps == "level" else "the most frequent level"
        cells = counted(levels, "missing cell in categories counts", "missing cells in categories count")
        parts.append(f"{cells} as {as_what if levels > 1 else as_what.replace('their', 'its')}")
    share = max((n - cost.n_rows) / max(1, n), cost.n_filled / max(1, n * len(plan.features)))
    sentence = "; ".join(parts)
    sentence = f"{sentence[:1].upper()}{sentence[1:]}." if sentence else ""
    read = _words_read_as_missing(proposal, plan.features)
    remarks = f"Read as missing: {read}." if read else "", _telling_gaps(proposal, plan, cost, y)
    sentence = " ".join(filter(None, [sentence, *remarks]))
    differ = costs["impute"].n_rows != costs["drop_rows"].n_rows  # else no row has a gap and a value
    return PlannedGaps(choice, sentence, costs, missing is None and differ and share > _ASK_ABOVE)


def _words_read_as_missing(proposal: Proposal, names: Sequence[str]) -> str:
    """The words that count as missing in these columns, with how often; "" where there are none."""
    words = Counter[str]()
    for name in names:
        words.update(proposal.fact(name).missing_words)
    return first_few([f"{word!r} ({count:,})" for word, count in words.most_common()])


def _telling_gaps(proposal: Proposal, plan: ColumnPlan, cost: MissingCost, y: np.ndarray | None) -> str:
    """A sentence on the columns whose gaps give classes away, "" where there are none."""
    gaps = [*cost.gaps, *((name, proposal.fact(name).n_missing) for name in plan.categories)]
    told = [repr(name) for name, n in gaps if y is not None and n and gaps_tell(proposal.fact(name), y)]
    gaps_of = f"The gaps of {first_few(told)} tell the label"
    return f"{gaps_of}: nearly all rows of some classes have one, hardly any others do." if told else ""


def _n_unlabelled(proposal: Proposal, plan: ColumnPlan, label: PlannedLabel | None, gaps: PlannedGaps) -> int:
    """How many of the rows that stay have no label."""
    n, stay = label.candidate.n_unlabelled if label is not None else 0, gaps.costs[gaps.choice].rows
    y = class_codes(proposal.table, plan) if n and not stay.all() else None
    return n if y is None else int((y[stay] == UNLABELLED).sum())


def _costs(
    proposal: Proposal, label: PlannedLabel | None, planned: list[PlannedColumn], gaps: str, n_unlabelled: int
) -> tuple[str, ...]:
    """What is lost: rows skipped, gaps, odd cells, unlabelled rows; then columns left out and what is slow."""
    lines = [gaps] if gaps else []
    empty = [column.name for column in planned if column.reason.endswith("cells are missing") and not column.said]
    if empty:
        lines.append(f"Left out, as most of their cells are missing: {first_few(empty)}.")
    for_gaps = [each.name for each in planned if each.reason.endswith(("missing", "missing in every row", "is empty"))]
    of_label = [label.name] if label is not None and label.candidate.mode != "classes" else []
    for where, names in (("the label", of_label), ("columns left out", for_gaps)):
        if read := _words_read_as_missing(proposal, names):
            lines.append(f"Read as missing in {where}: {read}.")
    source = proposal.source
    chip = "Table" if source.detected else "Sheet" if source.sheet.startswith("line ") else ""  # of an only sheet
    another = f"choose it as {chip!r}" if chip else "save it as a file of its own"
    lines += [f"{said} To use another, {another}." for said in source.others]
    lines += [group.sentence for group in proposal.groups if group.kind in proposal.skipped]
    if n_unlabelled:
        n, have = n_unlabelled, "has" if n_unlabelled == 1 else "have"
        lines.append(f"{n:,} of {proposal.table.n_rows:,} rows {have} no label: drawn in grey, not trained on.")
    alike: dict[object, list[OddCells]] = {}
    for odd in [each.odd for each in planned if each.odd and each.odd_are_missing]:
        alike.setdefault(odd.words if odd.are_all_shown else odd.column, []).append(odd)
    for odd, *others in alike.values():
        also = f" The same in {first_few([other.column for other in others])}." if others else ""
        lines.append(f"{odd.sentence}{also} {'It counts' if odd.n == 1 and not others else 'They count'} as missing.")
    if label is not None and label.candidate.mode == "classes" and (small := _small_classes(label)):
        lines.append(f"Classes of fewer than {_SMALL_CLASS} rows, whose accuracy is uncertain: {small}.")
    used = [column for column in planned if column.role != "left_out"]
    if label is not None and len(used) == 1 and used[0].role == "number" and len(planned) > 1:
        lines.append(f"{used[0].name} is the only feature: too few for a picture.")
    n_used = len(used)
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
    return as_proposed(propose(table), choices)


def as_proposed(proposal: Proposal, choices: Choices | None = None) -> Plan:
    """The plan with the first answer to each question that is open, but for the label."""
    plan = apply(proposal, choices)
    for _ in range(_MOST_QUESTIONS):
        if not plan.open_questions:
            break
        plan = apply(plan.proposal, plan.open_questions[0].answers[0].choices)
    return plan
