"""Which columns could be the label, by name, content and place; its classes and what they are called."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import compress
from os.path import commonprefix

import numpy as np

from datasets.base.dataset import UNLABELLED
from datasets.base.words import counted
from datasets.columns.cells import Column
from datasets.columns.names import (
    NAME_WORDS,
    NAMES_A_LABEL,
    about_the_recording,
    asks_about_persons,
    could_name_numbers,
    label_score,
    names_identifier,
    names_kind,
    words_of,
)
from datasets.proposals.roles import is_nearly_constant, marks_a_split
from datasets.proposals.totals import EXTREMES, MEANS, SPREADS
from datasets.reading import as_number, is_missing, on_one_line
from datasets.reading.samples import OF_NAMES, are_wells

MOST_CLASSES_SHOWN = 12
_LONGEST_CLASS = 30
_FEW, _FEW_STEPS = 20, 10  # classes; of numbers that are not whole
_SURE_SCORE = 3.0
_SURE_ALONE = 2.5
_NAMES_ENOUGH = 4.0
_COULD_BE_INSTEAD, _NEARLY_ALL = 2.5, 0.88  # score; share of the rows
_FEWEST_OTHERS, _RARE = 3, 0.1  # rows outside the largest class, and for each row in it
_SURE_MARGIN = 1.5
_OF_MANY = 0.02  # for each class
_PLAUSIBLE = 1.0
_NUMBERED = re.compile(r"column \d+")
_NUMBER = re.compile(r"\d+")
_COULD_NAME_ONE = 2.0
_FEWEST_IN_SERIES, _SHARE_IN_SERIES, _IN_SERIES = 10, 0.8, -10.0
_FEWEST_ITEMS, _MANY_ITEMS = 3, 8
_PERSONAL, _ITEM, _SELDOM = 1.0, -0.75, -1.25  # before or behind others when asked about, but no surer
_MANY_SPELT = 12
_LARGEST_CODE, _MANY_CLASSES = 99, 50
_GAPS_OF_A_PART, _GAPS_OF_ALL = 0.2, 0.03  # share of the rows; where each row of a class has one
_FEWEST_TOLD, _SLIPS_OF_GAPS = 5, 0.05  # gaps; share of the rows of a class
_RARE_CLASS = 0.05  # of the rows
_DIGITS = frozenset("0123456789")
_COUNTS = frozenset(("count", "counts", "number"))
_SPECTRUM, _YEARS = 20, (1800, 2200)  # columns; their names
_MANY_ALIKE, _SHARE_ALIKE = 100, 0.9  # columns; share of them
_FEWEST_TURNS, _IN_TURN = 3, 0.95  # numbers; share of the rows
_SLIPS = 0.01  # of the rows: a few classes of one row beside large ones are slips of the pen
_ROWS_OF_A_THING = 10  # such as a reference sample that is measured again and again
_FEW_SINGLE = 0.3  # share of the classes
_IN_A_FIELD = frozenset(("range", "pass", "row", "column", "col", "block", "bloc", "bloco", "plot", "tray", "bench"))
_EXCLUDES = frozenset(("exclude", "excluded", "exclusion", "excluir", "excluido", "excluído", "exclure", "ausschluss"))
_COMPLETION = frozenset(
    ("completed", "complete", "started", "partial", "finished", "incomplete", "disqualified", "screened out", "aborted")
)
_GEOMETRY = frozenset(f"{many}{kind}" for many in ("", "Multi") for kind in ("Point", "LineString", "Polygon"))
_STATISTICS = tuple(  # the mean, spreads and counts, extremes
    re.compile(words, re.IGNORECASE)
    for words in (MEANS, SPREADS + r"|s\.d|sdev|s\.?e|s\.?e\.?m|var(?:iance)?|n", EXTREMES)
)
_IN_THE_SKY = [  # hours, minutes and seconds of right ascension, degrees, minutes and seconds of declination
    re.compile(cell)
    for cell in (r"[01]?\d|2[0-3]", r"[0-5]\d", r"[0-5]\d\.\d+", r"[+−-]?\d?\d", r"[0-5]\d", r"[0-5]\d(?:\.\d+)?")
]
HEADING = "heading above the rows"
FIRST, LAST, LAST_NUMBERS = "first column", "last column", "last column of numbers"
OUTCOME = "an outcome by its name"
_OPAQUE = re.compile(  # addresses, identifiers, files
    r"https?://\S+|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
    r"|.+\.(?:raw|d|mzx?ml|wiff|tiff?|fcs|wav|mp[34]|jpe?g|png|csv|txt|abf|edf)",
    re.IGNORECASE,
)
_FORMULA = re.compile(r"\{\s*\w+\(.*\)\s*\}", re.DOTALL)  # the name of a computed column of LimeSurvey


@dataclass(frozen=True)
class LabelCandidate:
    """A column that could be the label."""

    name: str
    reason: str  # to stand behind "because"
    score: float
    mode: str  # a key of LABEL_MODES: "bins" where it holds many different numbers
    n_classes: int
    classes: tuple[tuple[str, int], ...]  # (label, rows) of the most frequent, at most MOST_CLASSES_SHOWN
    n_unlabelled: int
    n_single: int  # classes of one row
    n_merged: int = 0  # classes if the spellings of each are merged; 0 where each has one
    by_name: float = 0.0  # what its name adds to the score
    takes_turns: bool = False  # whether numbers follow each other in a fixed turn, as what an instrument measures next
    told_by_gaps: bool = False  # those of most columns with gaps, as where some rows are samples and others controls
    place: str = ""  # FIRST, LAST or LAST_NUMBERS, row numbers and free text left aside; else OUTCOME
    where: str = ""  # `place` in words; the number of the column where others stand before or behind it


def label_candidates(
    facts: tuple[Column, ...], joined: str = "", headed: tuple[str, ...] = ()
) -> tuple[LabelCandidate, ...]:
    """All columns that could be the label, best first, by name, values and place.

    A last column of numbers is always among them: it is what many tables are about. Where the last column is mostly
    empty or no label, the last one of numbers is. `joined` is the name of a column that joins columns of 0 and 1,
    `headed` holds those of headings.
    """
    own = [f for f in facts if f.name not in headed and not OF_NAMES.fullmatch(f.name)]
    words = [f.name for f in facts if f.kind == "words" and 2 <= f.n_values <= f.n_present // 2]
    names, ends = [f.name for f in facts if f.name not in headed], [f.name for f in own]
    telling = [
        f.name
        for f in own
        if f.n_values > 1 and not (f.n_values == len(f.cells) and _names_rows(f)) and not _FORMULA.fullmatch(f.name)
    ]
    tells = set(telling)
    amounts = (f.name for f in facts if f.kind == "numbers" and f.name in tells and not is_no_amount(f.name))
    numbers = [name for name in amounts if not names_identifier(name)]
    places = {telling[0]: FIRST, telling[-1]: LAST} if telling else {}
    last = next((f for f in facts if places.get(f.name) == LAST), None)
    if last is None or last.n_missing > last.n_present or not _possible(last, 0.0):
        places = dict.fromkeys(numbers[-1:], LAST_NUMBERS) | places
    outcomes = (n for n in numbers if names_kind("outcome", n) or words_of(n) == ("total",))
    outcome = next((n for n in outcomes if places.get(n, FIRST) == FIRST), None)
    places |= {outcome: OUTCOME} if outcome is not None else {}
    of_numbers = [f.name for f in own if f.kind == "numbers"]
    edges = {FIRST: ends[0], LAST: ends[-1], LAST_NUMBERS: of_numbers[-1] if of_numbers else ""}
    are_grouped = any(OF_NAMES.fullmatch(name) for name in names)
    are_alike = are_frequencies(facts)
    found, series, of_items = [], _series(names), _items(facts)
    in_the_sky = sky_positions(facts)
    recorded = frozenset[str]() if are_alike else about_the_recording(names)
    counts = [f.name for f in facts if f.kind == "numbers" and f.is_whole and 2 <= f.n_values <= _FEW]
    are_counts = set(counts) if len(counts) >= _MANY_ITEMS else set()
    for k, fact in enumerate(facts, start=1):
        in_names = OF_NAMES.fullmatch(fact.name) is not None
        by_name, place = label_score(fact.name, names), "" if in_names else places.get(fact.name, "")
        if fact.has_many_numbers and not fact.is_whole and (are_alike or not could_name_numbers(fact.name)):
            by_name = min(by_name, 0.0)
        possible = _possible(fact, by_name)
        if are_grouped and not in_names and by_name <= 0 and fact.kind == "numbers":
            continue  # a measurement of samples that their names group
        is_none = (
            fact.name in recorded or _tells_completion(fact) or _tells_geometry(fact) or bool(other_statistics(fact))
        )
        is_none = is_none or _FORMULA.fullmatch(fact.name) is not None or fact.name in in_the_sky
        if is_none or marks_a_split(fact) or is_nearly_constant(fact):
            continue
        at_an_end = place in (LAST, LAST_NUMBERS, OUTCOME) and fact.name in numbers and fact.n_missing <= fact.n_present
        if not possible and not at_an_end:
            continue
        candidate = described(fact)
        if candidate.n_classes < 2 or candidate.n_merged == 1:
            continue
        fewest = 1 if by_name > 0 or fact.n_present < _ROWS_OF_A_THING else 2
        if candidate.mode == "classes" and candidate.n_classes - candidate.n_single < fewest:
            continue  # no two classes could be told apart; a single row may be a line above the table
        score, reasons = _by_content(fact, candidate) if possible else (-1.0, [])
        if by_name > 0:
            reasons.insert(0, f"its name is {fact.name!r}")
        score += by_name + (_IN_SERIES if fact.name in series else 0.0)
        if fact.name == joined:
            score, by_name = score + 1.5, max(by_name, _COULD_NAME_ONE)
            reasons.insert(0, "it joins columns of 0 and 1")
        if words == [fact.name]:
            score += 1.0
            reasons.append("it is the only column of words that repeat")
        where = place
        if place and edges.get(place) != fact.name:
            is_last = place == LAST and edges[LAST_NUMBERS] == fact.name
            where = LAST_NUMBERS if is_last else f"column {k} of {len(facts)}"
        if place in (FIRST, LAST):
            score += 1.0 if place == LAST else 0.5
            if where == place:
                reasons.append(f"it is the {place}")
        is_count = not _COUNTS.isdisjoint(words_of(fact.name))
        at_its_place = place == LAST or (place == FIRST and steps_from_0(fact) <= 2)
        is_count = is_count or (fact.name in are_counts and not at_its_place)
        if by_name <= 0 and fact.kind == "numbers" and (is_count or not fact.is_whole):
            score = min(score, 0.0)  # an answer, never the proposal
        if fact.name in headed:
            where = HEADING
        if in_names:  # groups before replicates, words before dates
            score -= _OF_MANY * candidate.n_classes + (fact.kind == "numbers")
            reasons = ["it repeats in the names of the rows"]
        reason = " and ".join(reasons[:2])
        found.append(replace(candidate, score=score, reason=reason, by_name=by_name, place=place, where=where))
    ahead = {each.name: _PERSONAL for each in found if asks_about_persons(each.name)}
    ahead |= {each.name: _ITEM for each in found if each.name in of_items}
    gappy = [f for f in facts if f.kind == "numbers" and f.n_missing]
    could_be = {each.name for each in found}
    told = {f.name for f in facts if f.name in could_be and _are_told_by_gaps(f, gappy)}
    best = max(found, key=lambda each: each.score, default=None)
    told |= {f.name for f in facts if best is not None and f.name == best.name and _has_own_columns(f, facts)}
    turning = {f.name for f in facts if f.kind == "numbers" and f.n_values <= _FEW and _take_turns(f)}
    found = [replace(each, told_by_gaps=each.name in told, takes_turns=each.name in turning) for each in found]
    in_parts = {match[1] for name in names if (match := OF_NAMES.fullmatch(name))}  # of replicates
    is_behind = (each for each in found if each.told_by_gaps or each.name in in_parts or is_seldom_a_label(each))
    ahead |= {each.name: _SELDOM for each in is_behind}
    return tuple(sorted(found, key=lambda each: (-each.score - ahead.get(each.name, 0.0), each.place != LAST)))


def are_frequencies(facts: Sequence[Column]) -> bool:
    """Whether very many columns hold numbers that are not whole, and hardly any others anything else, as words in
    texts: the names of these say nothing."""
    n = sum(fact.kind == "numbers" and not fact.is_whole for fact in facts)
    return n >= _MANY_ALIKE and n >= _SHARE_ALIKE * len(facts)


def _series(names: Sequence[str]) -> frozenset[str]:
    """Names that count up, such as otu1 to otu300, where nearly all do: one of them is no label among the others."""
    stems = {name: _NUMBER.sub("#", name) for name in names if not _NUMBERED.fullmatch(name)}
    stem, n = max(Counter(stems.values()).items(), key=lambda item: item[1], default=("", 0))
    if "#" not in stem or n < max(_FEWEST_IN_SERIES, _SHARE_IN_SERIES * len(names)):
        return frozenset()
    return frozenset(name for name in stems if stems[name] == stem)


def _items(facts: Sequence[Column]) -> frozenset[str]:
    """Columns of few values that share these, or some of them, with two others or more, as the items of a survey do."""
    values = {
        f.name: frozenset(cell.lower() for cell, gap in zip(f.levels.values, f.levels.missing, strict=True) if not gap)
        for f in facts
        if 2 <= f.n_values <= _FEW
    }
    shared = [each for each, n in Counter(values.values()).items() if n >= _FEWEST_ITEMS]
    return frozenset(name for name, held in values.items() if any(held <= each for each in shared))


def is_seldom_a_label(candidate: LabelCandidate) -> bool:
    """Whether it numbers repeats or places of a field, excludes rows, identifies, tells a time or a well, or nearly all
    rows are of one class."""
    counts = [n for _, n in candidate.classes]
    is_rare = candidate.mode == "classes" and sum(counts) - max(counts) < _RARE_CLASS * sum(counts)
    words = words_of(candidate.name)
    repeats = (NAME_WORDS["repeat"] | _IN_A_FIELD).issuperset(words) or not _EXCLUDES.isdisjoint(words)
    shown = [name for name, _ in candidate.classes]
    wells = are_wells([*shown, "B1"] if candidate.n_classes > len(shown) else shown)  # maybe only row A is shown
    are_few = candidate.n_classes <= _FEW and sum(counts) >= _ROWS_OF_A_THING * candidate.n_classes
    are_things = are_few and names_kind("thing", candidate.name) and not any(as_number(n) for n, _ in candidate.classes)
    is_id = names_identifier(candidate.name) and not are_things
    is_id = is_id or _is_opaque(candidate)
    return is_rare or wells or is_id or repeats or any(names_kind(k, candidate.name) for k in ("time", "provenance"))


def _is_opaque(candidate: LabelCandidate) -> bool:
    return all(_OPAQUE.fullmatch(name) for name, _ in candidate.classes)


def other_statistics(fact: Column) -> list[str]:
    """The cells that name another statistic than the mean, where all cells name one, as of bottles below each of which
    stand mean and deviation; [] for the mean and one extreme, as kinds of pooling."""
    if fact.kind != "words" or not 1 < fact.n_values <= _FEW:
        return []
    names = {cell: cell.strip(" ()[]<>.") for cell in fact.levels.values if cell}
    means, spreads, extremes = (
        [cell for cell, name in names.items() if statistic.fullmatch(name)] for statistic in _STATISTICS
    )
    are_all = len(means) + len(spreads) + len(extremes) == len(names)
    return spreads + extremes if means and are_all and (spreads or len(extremes) > 1) else []


def _tells_completion(fact: Column) -> bool:
    """Whether all cells say how far an interview came."""
    return fact.kind == "words" and _COMPLETION.issuperset(cell.lower() for cell in fact.levels.values if cell)


def _tells_geometry(fact: Column) -> bool:
    """Whether it is of the geometry of GeoJSON, or all cells are kinds of it, as in TopoJSON."""
    kinds = fact.levels.values if fact.kind == "words" else ()
    return fact.name.startswith("geometry.") or (kinds != () and _GEOMETRY.issuperset(filter(None, kinds)))


def _take_turns(fact: Column) -> bool:
    """Whether three numbers or more follow each other in a fixed turn in nearly all rows."""
    n, codes = fact.n_values, fact.levels.codes
    if n < _FEWEST_TURNS or len(codes) < 3 * n:
        return False
    return bool((codes[n:] == codes[:-n]).mean() >= _IN_TURN and (codes[1:] != codes[:-1]).mean() >= _IN_TURN)


def _are_told_by_gaps(fact: Column, gappy: Sequence[Column]) -> bool:
    """Whether the gaps of most columns with gaps tell it, as where two tables of different columns stand below each
    other."""
    least = _GAPS_OF_ALL if fact.n_values == 2 else _GAPS_OF_A_PART
    gappy = [other for other in gappy if other.n_missing >= least * len(other.cells)]
    if not gappy or fact in gappy or fact.n_values > _FEW:
        return False
    codes = np.where(fact.levels.missing[fact.levels.codes], UNLABELLED, fact.levels.codes)
    return sum(gaps_tell(each, codes) for each in gappy) > len(gappy) / 2


def _has_own_columns(fact: Column, facts: Sequence[Column]) -> bool:
    """Whether most columns with gaps are filled in rows of one class only, some in one and some in another, as those of
    records of two kinds."""
    parts = [f for f in facts if f.n_missing and f.n_present >= _FEWEST_TOLD]
    if fact.n_values > _FEW or fact.n_missing:
        return False
    own = list[int]()
    for other in parts:
        filled = ~other.levels.missing[other.levels.codes]
        sizes = np.bincount(fact.levels.codes[filled])
        own += [int(sizes.argmax())] if sizes.max() >= (1 - _SLIPS_OF_GAPS) * sizes.sum() else []
    return len(set(own)) > 1 and 2 * len(own) > len(parts)


def gaps_tell(fact: Column, codes: np.ndarray) -> bool:
    """Whether the column is missing in nearly all rows of some classes and in hardly any of others; rows without a
    class, whose code is UNLABELLED, tell nothing."""
    labelled = codes != UNLABELLED
    gaps = fact.levels.missing[fact.levels.codes] if fact.kind == "words" else fact.numbers.gaps | fact.odd
    n_rows = np.bincount(codes[labelled])
    n_gaps = np.bincount(codes[gaps & labelled], minlength=len(n_rows))
    share = n_gaps[n_rows > 0] / n_rows[n_rows > 0]
    blank = share >= 1 - _SLIPS_OF_GAPS
    filled = share <= _SLIPS_OF_GAPS
    return bool((blank | filled).all() and blank.any() and filled.any() and n_gaps.sum() >= _FEWEST_TOLD)


def numbers_to_predict(facts: Sequence[Column]) -> list[Column]:
    """Columns of many numbers that could be predicted: the first, the last, the second and so on; conditions such as
    temperature, and those with many gaps, behind. Beside a spectrum, whose columns are named by numbers but not by
    years, only those with other names."""
    in_the_sky = sky_positions(facts)
    many = [f for f in facts if f.has_many_numbers and not is_no_amount(f.name) and f.name not in in_the_sky]
    named = [fact for fact in many if as_number(fact.name) is None]
    numbers = [as_number(fact.name) for fact in many if fact not in named]
    are_years = all(number is not None and _YEARS[0] <= number <= _YEARS[1] for number in numbers)
    if named and len(numbers) >= _SPECTRUM and not are_years:
        many = named
    is_behind = [names_kind("condition", f.name) or f.n_missing > _GAPS_OF_A_PART * len(f.cells) for f in many]
    measured = [fact for fact, behind in zip(many, is_behind, strict=True) if not behind]
    from_both_ends = {fact.name: fact for pair in zip(measured, measured[::-1], strict=True) for fact in pair}
    return [*from_both_ends.values(), *sorted(compress(many, is_behind), key=lambda fact: fact.n_missing)]


def filled_as_others(facts: Sequence[Column]) -> list[Column]:
    """The columns with half as many cells as the fullest, or more."""
    most = max((fact.n_present for fact in facts), default=0)
    return [fact for fact in facts if 2 * fact.n_present >= most]


def sky_positions(facts: Sequence[Column]) -> frozenset[str]:
    """The six columns beside each other of right ascension and declination: all cells have two digits, and some seconds
    below ten a zero before them."""
    for k in range(len(facts) - len(_IN_THE_SKY) + 1):
        part = facts[k : k + len(_IN_THE_SKY)]
        if all(map(_all_match, part, _IN_THE_SKY)):
            seconds = (*part[2].levels.values, *part[5].levels.values)
            have_zeros = any(cell[:1] == "0" for cell in seconds)
            return frozenset(fact.name for fact in part) if have_zeros else frozenset()
    return frozenset()


def _all_match(fact: Column, pattern: re.Pattern[str]) -> bool:
    levels = fact.levels
    there = (cell for cell, gap in zip(levels.values, levels.missing, strict=True) if not gap)
    return fact.kind == "numbers" and all(map(pattern.fullmatch, there))


def steps_from_0(fact: Column) -> int:
    """How many different whole numbers it holds where 0 is the most frequent, else 0."""
    values, sizes = np.unique(fact.numbers.values, return_counts=True)
    return len(values) if fact.kind == "numbers" and fact.is_whole and values[sizes.argmax()] == 0 else 0


def is_no_amount(name: str) -> bool:
    """Whether numbers under the name are times, errors, coordinates or those of an account: no amount that a table is
    about."""
    words = set(words_of(name)) - _DIGITS
    is_other = any(names_kind(kind, _NUMBER.sub("", name)) for kind in ("account", "error", "time"))
    return is_other or (bool(words) and words <= NAME_WORDS["coordinate"])


def _names_rows(fact: Column) -> bool:
    """Whether a column of different cells numbers or names the rows."""
    return fact.kind != "numbers" or (fact.is_whole and bool((np.diff(fact.numbers.values) > 0).all()))


def is_sure(candidates: tuple[LabelCandidate, ...]) -> bool:
    """Whether the first candidate needs no question: name, place and values agree, or no other column is plausible.

    A name such as "class" is enough by itself. At the first place one word that could name a label is, at the last
    place a part of the name too; a column without a name has none that disagrees. One that is alone needs a name at the
    first place only.
    """
    if not candidates:
        return False
    best, *others = candidates
    most = _MANY_SPELT if best.n_merged else _MANY_CLASSES  # typed in by many hands, as the name of a school class
    are_many = best.mode == "classes" and (best.n_classes > most or best.n_single > _FEW_SINGLE * best.n_classes)
    if OF_NAMES.fullmatch(best.name) or best.where == HEADING or are_many:
        return False
    counts = [count for _, count in best.classes]
    is_told = best.told_by_gaps and best.by_name < _NAMES_ENOUGH
    # Such as controls beside samples, where other words tell the samples apart.
    has_others = any(other.mode == "classes" and other.score >= _COULD_BE_INSTEAD for other in others)
    is_uneven = best.mode == "classes" and counts[0] >= _NEARLY_ALL * sum(counts) and (has_others or best.by_name <= 0)
    is_seldom_said = best.n_unlabelled > sum(counts)
    # "Test label" may count the tests.
    is_number = best.mode != "classes" and best.place != LAST and len(words_of(best.name)) > 1
    # Beside words that could be the label, "quality" may be that of a measurement.
    is_number = is_number or (best.mode != "classes" and best.by_name < NAMES_A_LABEL and has_others)
    is_told = is_told or names_kind("provenance", best.name)
    if is_told or is_number or _is_opaque(best) or is_uneven or is_seldom_said or best.takes_turns:
        return False
    if best.by_name <= 0 and any((as_number(name) or 0.0) > _LARGEST_CODE for name, _ in best.classes):
        return False  # rather a setting, as 599 and 600
    if best.mode == "classes" and sum(counts[1:]) < min(_FEWEST_OTHERS, _RARE * counts[0]):
        return False
    if not others:
        return best.score >= _SURE_ALONE and (best.place != FIRST or best.by_name > 0)
    runner_up = max(other.score for other in others)
    agree = best.by_name >= NAMES_A_LABEL
    if best.place == FIRST:
        agree = agree or (best.by_name >= _COULD_NAME_ONE and len(words_of(best.name)) == 1)
    elif best.place == LAST:
        unnamed = _NUMBERED.fullmatch(best.name) is not None
        agree = agree or best.by_name > 0 or unnamed or runner_up < _PLAUSIBLE
    return agree and best.score >= _SURE_SCORE and best.score - runner_up >= _SURE_MARGIN


def described(column: Column, *, merged: bool = False) -> LabelCandidate:
    """A column as a label: its classes with their counts, `merged` where spellings are."""
    levels = column.merged_levels if merged else column.levels
    mode = "bins" if column.has_many_numbers else "classes"
    # "NA" can be the name of a class.
    named = ~levels.missing if mode == "bins" else np.array([bool(cell) for cell in levels.values], dtype=bool)
    there = np.flatnonzero(named & (levels.counts > 0))
    order = there[np.argsort(-levels.counts[there], kind="stable")]
    shown = tuple((levels.values[k], int(levels.counts[k])) for k in order[:MOST_CLASSES_SHOWN])
    n_single = int(np.sum(levels.counts[there] == 1))
    spellings = column.spellings if mode == "classes" and not merged else ()
    return LabelCandidate(
        column.name,
        "chosen by you",
        0.0,
        mode,
        len(there),
        shown,
        int(levels.counts[~named].sum()),
        n_single,
        len(there) - sum(len(group) - 1 for group in spellings) if spellings else 0,
    )


def classes_line(candidate: LabelCandidate) -> str:
    """Place, and classes with their counts, on one line."""
    place = f"{candidate.where}, " if candidate.where else ""
    if candidate.mode != "classes":
        return f"{place}{candidate.n_classes:,} different numbers"
    names = short_classes([name for name, _ in candidate.classes[:6]])
    shown = ", ".join(f"{name} ({count:,})" for name, (_, count) in zip(names, candidate.classes, strict=False))
    more = f" and {candidate.n_classes - 6:,} more" if candidate.n_classes > 6 else ""
    merged = f" ({candidate.n_merged:,} if spellings are merged)" if candidate.n_merged else ""
    return f"{place}{counted(candidate.n_classes, 'class', 'classes')}{merged}: {shown}{more}"


def short_classes(names: Sequence[str]) -> list[str]:
    """The names of classes on one line, cut with an ellipsis: at their ends, in the middle, or at their beginnings, as
    far as they begin alike, whichever makes them differ."""
    lines = [on_one_line(name) for name in names]
    short = _cut(lines)
    if len(set(short)) < len(set(lines)):
        n_alike = len(commonprefix(lines))  # noqa: RUF071  (names, not paths)
        short = [f"…{name}" for name in _cut([line[n_alike:] for line in lines])]
    return short


def _cut(lines: Sequence[str]) -> list[str]:
    for n_last in (0, _LONGEST_CLASS // 2):
        n_first = _LONGEST_CLASS - 1 - n_last
        short = [
            line if len(line) <= _LONGEST_CLASS else f"{line[:n_first]}…{line[len(line) - n_last :]}" for line in lines
        ]
        if len(set(short)) == len(set(lines)):
            break
    return short


def _possible(fact: Column, by_name: float) -> bool:
    is_code = names_kind("account", fact.name) and not (fact.kind == "words" and fact.n_values <= fact.n_present // 10)
    if fact.n_values < 2 or fact.kind in ("dates", "empty") or is_code:
        # "NA" and one other name, or "1" and "01": what is missing or equal as a number can be the name of a class.
        return by_name >= 5 and fact.kind != "dates" and not is_code
    if fact.kind == "words":
        counts = fact.levels.counts[~fact.levels.missing]
        n_repeating = int(counts[counts > 1].sum())  # the others may be rare ones, each of one row
        return fact.n_values <= max(2, fact.n_present // 2) or (by_name >= 3 and 3 * n_repeating >= fact.n_present)
    if by_name >= 3 and not names_kind("time", fact.name):
        return True
    most = min(_FEW, max(2, fact.n_present // 3)) if fact.is_whole else min(_FEW_STEPS, fact.n_present // _FEW)
    return fact.n_values <= most


def _by_content(fact: Column, candidate: LabelCandidate) -> tuple[float, list[str]]:
    if candidate.mode == "bins":
        return -1.0, ["it holds many different numbers"]
    if fact.kind == "words":
        score, reason = 1.5, f"it holds {candidate.n_classes} different words"
    elif fact.n_values == 2:
        score, reason = 1.25, "it holds two different numbers"
    else:
        what = "values" if fact.odd.any() else "whole numbers" if fact.is_whole else "numbers"
        score, reason = 0.75, f"it holds {fact.n_values} different {what}"
    n_single = candidate.n_single if candidate.n_single > _SLIPS * fact.n_present else 0
    if candidate.n_classes <= _FEW and candidate.n_single == 0:
        score += 1.0
    if n_single > 0.2 * candidate.n_classes:
        score -= 2.0
    if candidate.n_classes > _MANY_CLASSES:
        score -= 1.5
    if fact.answers:  # each of which is a column
        score -= 2.0
    if fact.n_missing > fact.n_present:
        score -= 3.0
    return score, [reason]


_MOST_LEVELS = 5_000
_NO_LABEL = re.compile(
    r"unknown|missing|not (?:available|applicable|recorded|known|given|collected|provided|stated|reported|determined)"
    r"|no (?:data|answer|response)|keine angabe|k\. ?a\.|unbekannt|inconnue?|desconocid[oa]|sconosciut[oa]|nieznan[ye]"
    r"|неизвестно|не указано|нет данных|不明|未知|無回答|알 ?수 ?없음|모름",
    re.IGNORECASE,
)


def gap_labels(label: Column) -> tuple[str, ...]:
    """Labels such as "NA" and "unknown", which may mean that a row has none, beside two classes or more; "none" is one
    as often as not, and so is "-" beside "+"."""
    levels = label.levels
    there = [name for name, n in zip(levels.values, levels.counts.tolist(), strict=True) if name and n]
    classes = {"none", "-"} if "+" in there else {"none"}
    found = [
        name
        for name in there[:_MOST_LEVELS]
        if (is_missing(name) and name.lower() not in classes) or _NO_LABEL.fullmatch(name)
    ]
    return tuple(found) if len(there) - len(found) >= 2 else ()
