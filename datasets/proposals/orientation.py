"""Questions about how a file is to be read that its columns raise: are they samples, do they hold sentinels?"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain, combinations, product

import numpy as np

from datasets.base.words import counted, first_few
from datasets.columns.cells import Column, dates_or_times, sentinels_in
from datasets.columns.formulas import name_elements
from datasets.columns.names import names_code, names_identifier, names_kind
from datasets.proposals.labels import steps_from_0
from datasets.proposals.plan import Plan
from datasets.proposals.propose import Proposal
from datasets.proposals.roles import has_leading_zeros
from datasets.reading import FAR_ABOVE_0, GAP_CODES, ReadAnswer, ReadOptions, ReadQuestion, Table
from datasets.reading.samples import (
    FEATURES,
    FEWEST_BETWEEN,
    STATISTIC,
    are_of_one_quantity,
    described_samples,
    groups_above,
    groups_of,
    names_written_again,
    numeric_columns,
    samples_in_columns,
    wells_in,
)
from datasets.reading.table import BLANKS, Limits, blanks_of, codes_outside, strings
from datasets.reading.widening import NEARLY_ALL, absent_are_0, follows, joint_codes, samples_of

_FEWEST_SAMPLES, _MANY_CURVES = 6, 24
_SOME_ROWS = 300
_MOST_GROUPS = 50
_FEW_BLANK = 0.05  # share of the samples
_MANY_TO_ONE = 20  # rows for each column, of which a number without a name identifies each
_MORE = 4.0
_MANY_NAMES = 30
_LAST_STEP = 20  # of answers
_ANSWERS = 11  # from 0 to 10
_YES_OR_NO, _NO_ANSWER = (0, 1, 2), (7, 8, 9)
_FEWEST_COUNTS = 10  # columns
_FEWEST_WITH_CODES, _FEWEST_CODED = 3, 2  # columns; rows: a large count may be the only one
_MOST_OF_A_LONG_TABLE, _FEWEST_LONG_SAMPLES = 12, 10  # columns
_MANY_QUANTITIES, _FILLED = 100, 0.1  # share of the cells of the wide table
_FEWEST_COUNTED = 5  # things of a sample, on average
_AXIS = re.compile(
    r"m[./ _]?z|wave(?:length|number)s?(?:[ _.(\[].*)?|raman[ _.]?shifts?.*|cycles?(?: (?:nr|no)\.?| number)?",
    re.IGNORECASE,
)  # of features
_YEAR = re.compile(r"(?:[^\W\d_]{0,4}|.* )[ _.]?(?:1[5-9]|20)\d\d(?: ?[\[(].*)?")  # "Y1990", "in 1990", "1990 [YR1990]"
_FEW_WITH_DIGITS = 0.1  # of the names: regions of a genome have them


def orientation_question(plan: Plan, options: ReadOptions) -> ReadQuestion | None:
    """Ask whether columns are samples: names in the first column, numbers in all others but descriptions right behind
    it or last, and no label but an annotation of genes or compounds.

    Rows of features differ in level more than columns of samples do: the variance of the means of rows is compared
    with that of columns.
    """
    source = plan.proposal.source
    facts = {fact.name: fact for fact in plan.proposal.facts}  # those of lists of answers are no columns of the file
    numbers = [facts[name].kind not in ("words", "empty") and not STATISTIC.fullmatch(name) for name in source.columns]
    numeric = numeric_columns(numbers, [facts[name].kind == "empty" for name in source.columns])
    named, begin, end = samples_in_columns(source.columns, numeric, lambda name: facts[name].n_values, source.header)
    first, others = facts[named], [facts[name] for name in source.columns[begin:end]]
    if options.transposed or options.widened or len(others) < _FEWEST_SAMPLES:
        return None
    # A line describes samples whose names differ; over equal names it would be a heading.
    cells = [line[begin:end] for line in source.header]
    are_described = any(map(described_samples, source.header)) and any(len(set(of)) == len(of) for of in cells)
    names = [fact.name for fact in others]
    has_groups = bool(groups_above(source.header, names, begin, end))
    are_features = has_groups and FEATURES.fullmatch(first.name) is not None
    is_labelled = plan.label is not None and plan.label.sure and not are_described
    is_said = plan.label is not None and plan.label.said
    # The label may be an annotation of the rows, such as the class of a lipid.
    is_annotated = is_labelled and not is_said and are_features and len(others) >= FEWEST_BETWEEN
    if is_labelled and not is_annotated:
        return None
    many_rows = len(first.cells) > _MANY_TO_ONE * len(others)
    tells_classes = plan.label is not None and plan.proposal.fact(plan.label.name).kind == "words"
    counts_up = first.kind == "numbers" and (np.diff(first.numbers.values) == 1).all()
    if tells_classes and counts_up and not are_described:
        return None  # such as numbers of rows
    is_unnamed = first.name == "column 1" and first.is_whole and many_rows
    is_id = names_identifier(first.name) and first.is_whole and first.kind == "numbers"
    wells = bool(wells_in((source.columns, *source.header)))
    # Codes of places, with their figures.
    is_code = names_code(first.name) or names_kind("account", first.name) or has_leading_zeros(first)
    counts_rows = has_groups and many_rows and first.is_whole and not is_code
    is_axis = has_groups and _AXIS.fullmatch(first.name) is not None and first.n_values == len(first.cells)
    names_rows = first.kind == "words" or is_unnamed or is_id or counts_rows or are_described or wells or is_axis
    # As a plate reader writes its wells below each other in time.
    is_time = first.times == "times" or (names_kind("time", first.name) and bool(names_written_again(names)))
    over_time = is_time and has_groups and len(others) >= _MANY_CURVES
    names_rows = names_rows or source.holds_curves or over_time
    # Taxa may have one name for several; where the names of columns form groups this is no label.
    differ = first.n_values > 0.9 * len(first.cells) or (has_groups and first.n_values > _MANY_NAMES)
    names_rows = names_rows and differ
    groups = set(groups_of(strings(first.cells)))
    rows_are_samples = 0 < len(groups) <= _MOST_GROUPS and not (has_groups or many_rows)
    rows_are_samples = (
        rows_are_samples
        or sum(_YEAR.fullmatch(name) is not None for name in names) > len(names) / 2
        or dates_or_times(names) == "dates"
    )
    with_digits = sum(any(map(str.isdecimal, name)) for name in first.levels.values)
    are_territories = names_kind("territory", first.name)
    rows_are_samples = rows_are_samples or (are_territories and with_digits <= _FEW_WITH_DIGITS * first.n_values)
    are_elements = first.kind == "words" and name_elements(first.levels.values)  # measured in each sample
    rows_are_samples = rows_are_samples and not are_elements
    blank = [fact for fact in others if fact.kind == "empty"]  # samples of which nothing was measured
    others = [fact for fact in others if fact.kind != "empty"] if len(blank) <= _FEW_BLANK * len(others) else others
    are_numbers = all(f.kind == "numbers" and (are_elements or not f.odd.any()) for f in others)  # or below a limit
    if not names_rows or rows_are_samples or not are_numbers:
        return None
    step, every = (max(1, n // _SOME_ROWS) for n in (len(first.cells), len(others)))
    X = np.column_stack([fact.numbers.values[::step] for fact in others[::every]])
    X = np.where(np.isnan(X), np.nanmean(X), X)
    is_told = wells or source.holds_curves or (are_features and not is_annotated)
    is_told = is_told or are_elements or are_of_one_quantity(names) or over_time or is_axis
    more = 0.0 if is_told else 1.0 if are_described else _MORE
    orders = np.sign(X) * np.log1p(np.abs(X))  # in which depths and areas differ more than lakes do
    in_size, in_orders = (each.mean(axis=1).var() - more * each.mean(axis=0).var() for each in (X, orders))
    if not (in_size > 0 or (has_groups and in_orders > 0)):  # a few species may hold most of all counts
        return None
    if not (are_described or is_told or is_annotated or orders.mean(axis=1).var() > orders.mean(axis=0).var()):
        return None
    if is_id and np.median([fact.n_values for fact in others]) <= _ANSWERS:  # of a survey
        return None
    text = f"Rows look like features and columns like samples: {first.name!r} names the rows. Transpose the table?"
    n, most = len(first.cells), Limits().columns - 1
    if n > most:
        text += f" Of {n:,} rows the {most:,} that vary most become columns."
    turned = replace(options, transposed=True, without_lines=_lines_skipped(plan.proposal, options))
    return ReadQuestion(text, (ReadAnswer("transpose", turned),))


def _lines_skipped(proposal: Proposal, options: ReadOptions) -> tuple[int, ...]:
    """The lines of the rows that look like no data, which another reading would not find again."""
    rows = [k for group in proposal.groups if group.kind in proposal.skipped for k in group.rows]
    return (*options.without_lines, *proposal.source.line_numbers[rows].tolist())


def widening_question(plan: Plan, options: ReadOptions) -> ReadQuestion | None:
    """Offer a column for each quantity where each sample has a row for each: a column of words or codes names it, the
    others, but for one of numbers and those that follow from the quantity, tell the samples apart.

    The column is called so, its words have units of their own, or they are very many.
    """
    table = plan.proposal.table
    own = [fact for fact in plan.proposal.facts if fact.name in plan.proposal.source.columns and fact.n_values > 1]
    if options.widened or options.transposed or len(own) > _MOST_OF_A_LONG_TABLE:
        return None
    values = [f.name for f in reversed(own) if f.has_many_numbers and not names_identifier(f.name)]
    values.sort(key=lambda name: not names_kind("value", name))
    along = {fact.name for fact in own if _AXIS.fullmatch(fact.name)}  # a curve for each sample
    named = along | {f.name for f in own if names_kind("quantity", f.name) or FEATURES.fullmatch(f.name)}
    for quantity in sorted(own, key=lambda fact: fact.name not in named):
        are_names = quantity.kind == "words" or quantity.name in along
        are_names = are_names or (quantity.name in named and quantity.is_whole)  # such as numbers of genes
        fewest = 2 if FEATURES.fullmatch(quantity.name) else _FEWEST_SAMPLES  # many genes are in few samples
        is_one_of_several = are_names and 2 <= quantity.n_values <= table.n_rows // fewest
        are_many = quantity.n_values >= _MANY_QUANTITIES and not names_kind("time", quantity.name)
        is_told = quantity.name in named or are_many
        units = [fact for fact in own if names_kind("unit", fact.name) and fact is not quantity]
        is_told = is_told or any(follows(quantity.levels.codes, fact.levels.codes) for fact in units)
        for value in values if is_one_of_several and is_told else ():
            n_samples = _n_samples(table, own, quantity, value)
            if n_samples >= _FEWEST_LONG_SAMPLES:
                are_0 = absent_are_0(table, quantity.name, value, n_samples)
                rows_for, zeros = ("rows for some", ", with 0 for absent ones") if are_0 else ("a row for each", "")
                text = f"Each of {n_samples:,} samples has {rows_for} {quantity.name!r}, with {value!r} in it. "
                text += f"Make {quantity.n_values:,} columns of these{zeros}?"
                wide = replace(options, widened=(quantity.name, value))
                return ReadQuestion(text, (ReadAnswer(f"one row for each of {n_samples:,} samples", wide),))
    return _answers_question(table, own, options)


def _answers_question(table: Table, own: Sequence[Column], options: ReadOptions) -> ReadQuestion | None:
    """Offer a column for each question of a survey with answers in words: one or two columns of words name it, and an
    identifier has a row for nearly each."""
    n, filled = table.n_rows, [fact for fact in own if 2 * fact.n_present > table.n_rows]
    persons = [fact for fact in filled if names_identifier(fact.name) and fact.n_values >= _FEWEST_LONG_SAMPLES]
    persons = [fact for fact in persons if fact.levels.counts.max() * fact.n_values <= 2 * n]  # about equally often
    words = [fact for fact in own if fact.kind == "words" and not names_kind("time", fact.name)]
    for person, asked in product(persons, [each for size in (1, 2) for each in combinations(words, size)]):
        fewest, most = (max(_FEWEST_COUNTED, n / person.n_values * share) for share in (NEARLY_ALL, 1 / NEARLY_ALL))
        sizes = [fact.n_values for fact in asked if fact is not person]
        if len(sizes) < len(asked) or max(sizes) > most or np.prod([size + 1 for size in sizes]) < fewest:
            continue
        codes = joint_codes((fact.levels.codes for fact in asked), n)
        n_asked, of = int(codes.max()) + 1, person.levels.codes
        fits = fewest <= n_asked <= min(most, Limits().columns - len(own))
        if not fits or int(joint_codes((of, codes), n).max()) + 1 < NEARLY_ALL * n:
            continue
        others = [fact for fact in filled if fact is not person and fact not in asked]
        tell = [fact for fact in others if not (follows(codes, fact.levels.codes) or follows(of, fact.levels.codes))]
        if len(tell) == 1 and tell[0] in words:
            names, value = [fact.name for fact in asked], tell[0].name
            rows_for = f"a row for each of {n_asked:,} {' and '.join(map(repr, names))}"
            text = f"{person.name!r} has {rows_for}, with {value!r} in it. Make {n_asked:,} columns of these?"
            wide = replace(options, widened=(*names, value))
            return ReadQuestion(text, (ReadAnswer(f"one row for each {person.name!r}", wide),))
    return None


def _n_samples(table: Table, columns: Sequence[Column], quantity: Column, value: str) -> int:
    """How many samples the columns beside the quantity and the value tell apart; 0 where one has two rows for a
    quantity, or most have only few of them."""
    of = quantity.levels.codes
    others = {fact.name: fact.levels.codes for fact in columns if fact.name not in (quantity.name, value)}
    samples, _ = samples_of(others, of)
    n_samples = int(samples.max()) + 1
    is_once = int(joint_codes((samples, of), table.n_rows).max()) + 1 == table.n_rows
    fewest = max(2, _FILLED * quantity.n_values)
    if absent_are_0(table, quantity.name, value, n_samples):
        fewest = min(fewest, _FEWEST_COUNTED)
    is_full = table.n_rows >= fewest * n_samples
    fits = quantity.n_values + len(table.columns) <= Limits().columns
    return n_samples if is_once and is_full and fits else 0


def stands_before_label(question: ReadQuestion | None, plan: Plan, options: ReadOptions) -> bool:
    """Whether the question comes before that for the label: columns look like samples, or other sheets could tell the
    classes apart, and no choice of a label mends it."""
    answers = [answer.options for answer in question.answers] if question is not None else []
    is_doubtful = plan.label is None or not plan.label.sure
    return (
        any(answer.transposed > options.transposed for answer in answers)
        or (plan.label is None and any(answer.all_sheets for answer in answers))
        or (is_doubtful and any(answer.beside != options.beside for answer in answers))
    )


def blanks_question(plan: Plan, options: ReadOptions) -> ReadQuestion | None:
    """Ask whether blanks mean 0 where many columns hold numbers above 0 or nothing; rows that are blank in all of them
    may be those without a measurement."""
    table = plan.proposal.source
    if options.blanks_are_0 or not (names := table.counts_with_blanks):
        return None
    what = blanks_of(table)
    text = f"{len(names)} columns hold numbers above 0 or {what} ({first_few(names)}). Do {what} mean 0?"
    filled = replace(options, blanks_are_0=True, without_lines=_lines_skipped(plan.proposal, options))
    blank = np.all([np.isin(table.cells.column(name).to_numpy(), BLANKS) for name in names], axis=0)
    lines = [line for line in table.line_numbers[blank].tolist() if line not in filled.without_lines]
    if not lines:
        return ReadQuestion(text, (ReadAnswer(f"count {what} as 0", filled),))
    n_rows = counted(len(lines), "row is", "rows are")
    others = replace(filled, without_lines=(*filled.without_lines, *lines))
    answers = ReadAnswer(f"count {what} as 0", filled), ReadAnswer("only in rows that have a number", others)
    return ReadQuestion(f"{text} {n_rows} blank in all of them.", answers)


def sentinel_offer(plan: Plan, options: ReadOptions) -> ReadQuestion | None:
    """Ask about the sentinels of all columns of numbers that are used; None where there are none."""
    found: dict[str, list[str]] = {}  # as written -> the columns that hold it
    numbers = [column.facts for column in plan.planned if column.role == "number"]
    are_counts = sum(map(_counts, numbers)) >= _FEWEST_COUNTS
    are_amounts = are_counts or sum(map(_reaches_below_0, numbers)) >= _FEWEST_WITH_CODES
    for fact in numbers:
        values = fact.numbers.values
        sentinels = sentinels_in(values)
        if are_amounts and set(sentinels) <= set(GAP_CODES):
            continue
        rows = np.flatnonzero(np.isin(values, sentinels)).tolist()
        for cell in {fact.cell(k): None for k in rows}:  # in their order
            found.setdefault(cell, []).append(fact.name)
    codes_of_gaps = {} if are_counts or plan.proposal.source.is_turned else _codes_of_gaps(numbers)
    found = codes_of_gaps | _zeros(numbers) | found
    if not found:
        return None
    cells_found = " and ".join(found)
    named = dict.fromkeys(chain.from_iterable(found.values()))
    # They are gaps in all columns of whose other numbers none is as large or as small.
    others = [fact for fact in numbers if fact.name not in named]
    also = [fact.name for fact in others if codes_outside(fact.levels.values, tuple(found), plan.table.decimal)]
    stands, means = ("stands", "Does it mean") if len(found) == 1 else ("stand", "Do they mean")
    text = f"{cells_found} in {first_few([repr(name) for name in named])} {stands} apart from all other values. "
    text += f"{means} a missing value" + (f", in {first_few([repr(name) for name in also])} too?" if also else "?")
    codes = (*options.codes, *found)
    return ReadQuestion(text, (ReadAnswer(f"count {cells_found} as missing", replace(options, codes=codes)),))


def _reaches_below_0(fact: Column) -> bool:
    """Whether whole numbers that are no answers lie below 0 in several steps, as counts less their background."""
    values = np.unique(fact.numbers.values)
    return fact.is_whole and bool((values > _LAST_STEP).any()) and int((values < 0).sum()) > 1


def _counts(fact: Column) -> bool:
    """Whether whole numbers from 0, the most frequent, reach beyond answers, as reads of a gene or rare species do."""
    values = fact.numbers.values
    beyond = values[values > _LAST_STEP]
    return steps_from_0(fact) > 2 and not (values < 0).any() and not np.isin(beyond, GAP_CODES).all()


def _codes_of_gaps(facts: Sequence[Column]) -> dict[str, list[str]]:
    """Numbers such as -2, -3 and 97, and the columns that hold them, where three or more columns of answers that count
    from 0 or 1 do; none where a scale reaches as far below 0 as above."""
    found: dict[float, list[str]] = {}
    for fact in facts:
        values = np.unique(fact.numbers.values[~np.isnan(fact.numbers.values)])
        answers = values[(values >= 0) & (values <= _LAST_STEP)]
        if values.size and np.isin(values, _YES_OR_NO + _NO_ANSWER).all() and values.max() > max(_YES_OR_NO):
            answers = answers[answers <= max(_YES_OR_NO)]  # 7 to 9 are no answers of yes and no
        codes = np.setdiff1d(values, answers)
        n_coded = np.isin(fact.numbers.values, codes).sum()
        if (
            n_coded < _FEWEST_CODED
            or not answers.size
            or not fact.is_whole
            or not np.isin(codes, (*GAP_CODES, *_NO_ANSWER)).all()
        ):
            continue
        if values.max() == -values.min() and len(values) > values.max() + 1:
            if values.max() > 1:
                return {}
            continue  # no, neither and yes
        for value in codes.tolist():
            found.setdefault(value, []).append(fact.name)
    enough = max(map(len, found.values()), default=0) >= _FEWEST_WITH_CODES
    return (
        {f"{value:.0f}": found[value] for value in sorted(found, key=lambda value: (abs(value), value))}
        if enough
        else {}
    )


def _zeros(facts: Sequence[Column]) -> dict[str, list[str]]:
    """Zeros as they are written and the columns, three or more, where they lie far below all other numbers, as missing
    alleles do; where other columns have zeros, too, these have them in the same rows, or in some of these."""
    found: dict[str, list[str]] = {}
    rows, is_seldom = list[np.ndarray](), True
    for fact in facts:
        values = fact.numbers.values
        zeros, others = values == 0, values[~np.isnan(values) & (values != 0)]
        if not len(others) or not zeros.any():
            continue
        if zeros.sum() > len(others) or not 0 < np.ptp(others) < FAR_ABOVE_0 * others.min():
            is_seldom = False
            continue
        rows.append(zeros)
        for cell in {fact.cell(k): None for k in np.flatnonzero(zeros).tolist()}:
            found.setdefault(cell, []).append(fact.name)
    most = max(rows, key=np.sum, default=np.zeros(0))
    are_together = is_seldom or all((zeros <= most).all() for zeros in rows)
    return found if len(rows) >= _FEWEST_WITH_CODES and are_together else {}
