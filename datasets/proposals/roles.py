"""What a column that is not the label is used as, and the reason where it is left out."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from operator import attrgetter

import numpy as np

from datasets.columns.build import MOST_LEVELS
from datasets.columns.cells import Column
from datasets.columns.names import (
    NAME_WORDS,
    bare_name,
    is_sibling,
    names_code,
    names_identifier,
    names_kind,
    names_recorder,
    words_of,
)
from datasets.reading.samples import FEATURES, OF_NAMES

_NUMBERED_PERSON = NAME_WORDS["person"] | NAME_WORDS["id"] | NAME_WORDS["number of"]
_NUMBERED = frozenset().union(*(NAME_WORDS[kind] for kind in ("place", "part", "thing", "repeat", "number of")))
_PLACES = NAME_WORDS["place"] | NAME_WORDS["territory"]
_NUMBER_BEFORE = NAME_WORDS["number of"] | {"co", "cd"}  # "CO_ENTIDADE", as Brazil's registers call codes
_FEWEST_IDS = 6  # fewer are phases or groups
TELLS_PERSONS = "it tells persons, samples or places apart; rows can be held out by it"
SAME_AS_LABEL = "it says the same as the label"
ANOTHER_LABEL = "it is another label"
IN_LABEL = "it is a part of the label"
JOINED = "it joins other columns"
IDENTIFIER = "it holds the numbers of an identifier"
FREE_TEXT = "it holds free text"
A_SOURCE = "it tells where the values come from"
OF_RECORDING = "it tells how the data were recorded"
ON_A_PLATE = "it tells a place on a plate or in a field"
_ROW_NAMES = frozenset(  # as programs write them
    {"index", "row", "#", "unnamed: 0", "__index_level_0__", "column1", "...1", "rownames", "row_names", "rowid"}
)
COUNTER_NAMES = _ROW_NAMES | {"id", "no", "no.", "nr", "nr.", "num", "number", "name", "compound", "sample", "column 1"}
_ID_NAME = re.compile(r"(?:.*[_\- .])?(?:id|uuid|guid|key)|(?-i:.*[a-z0-9]I[dD])", re.IGNORECASE)
_SAME_AS_LABEL, _FEWEST_COMPARED = 0.98, 10  # share of the rows; rows in which numbers agree
_ROUNDING = 1e-12
_TRAIN_WORDS = frozenset(("train", "training", "treino", "treinamento", "entrenamiento", "entraînement", "trainieren"))
_TEST_WORDS = frozenset(("test", "testing", "teste", "prueba", "validation", "val", "validação", "validación"))
_SPLIT_WORDS = _TRAIN_WORDS | _TEST_WORDS | {"valid", "dev", "holdout"}
_MOST_PARTS = 3  # of a split
_MANY_MISSING_WORDS = 5


def why_no_feature(fact: Column, label: Column | None, alone_unnamed: bool, is_turned: bool) -> str:
    """The reason to leave the column out, whatever else it holds; "" where there is none."""
    name, n_rows, numbers = fact.name, len(fact.cells), fact.numbers
    if not fact.n_values:
        return "it is empty"
    if fact.n_values == 1:
        gaps = " or missing" if fact.n_missing else ""
        return f"it is {fact.examples[0]}{gaps} in every row"
    if fact.kind == "dates":
        return f"it holds {fact.times}"
    if is_nearly_constant(fact):
        return f"it is about {np.nanmedian(numbers.values):g} in every row"
    if marks_a_split(fact):
        return "it marks training and test rows"
    if OF_NAMES.fullmatch(fact.name):
        return "it was read out of the names of the rows"
    if label is not None and is_sibling(fact.name, label.name):
        return ANOTHER_LABEL
    if label is not None and (_same_as(fact, label) or _same_numbers(fact, label)):
        return SAME_AS_LABEL
    if label is not None and _ticks_a_class(fact, label):
        return IN_LABEL
    could_count = fact.kind == "numbers" and not is_turned and not _are_years(fact)
    if could_count and fact.n_values == n_rows and not numbers.words.any() and fact.is_whole:
        # Names joined from two header lines begin with the one that counts: "id unit".
        if {name.lower(), *name.lower().split()[:1]} & COUNTER_NAMES and (np.diff(numbers.values) == 1.0).all():
            return "it counts the rows"
        # Rows that were shuffled or chosen keep their numbers; "column 1" is a blank name among others.
        if name.lower() in _ROW_NAMES or (name == "column 1" and alone_unnamed) or _ID_NAME.fullmatch(name.strip()):
            return "it is a different number in every row, an id"
    return ""


def _are_years(fact: Column) -> bool:
    """Whether whole numbers of a column without a name rise from 1500 on to 2100 at most."""
    values = fact.numbers.values
    return fact.name == "column 1" and bool(
        values[0] >= _YEARS[0] and values[-1] <= _YEARS[1] and (np.diff(values) > 0).all()
    )


def is_nearly_constant(fact: Column) -> bool:
    """Whether its numbers differ in their last digits only, as rounding errors do."""
    if fact.kind != "numbers" or fact.odd.any():
        return False
    values = fact.numbers.values[~fact.numbers.gaps]
    return bool(np.ptp(values) <= _ROUNDING * np.abs(values).max())


def marks_a_split(fact: Column) -> bool:
    """Whether all cells are words for training and test rows, or the name is of both."""
    words = set(words_of(fact.name))
    if fact.n_values <= _MOST_PARTS and not (words.isdisjoint(_TRAIN_WORDS) or words.isdisjoint(_TEST_WORDS)):
        return True
    return fact.kind == "words" and _SPLIT_WORDS.issuperset(cell.lower() for cell in fact.levels.values if cell)


def _same_as(fact: Column, label: Column) -> bool:
    """Whether values and classes correspond one to one in nearly all rows, and in nearly all outside the largest."""
    if abs(fact.n_values - len(label.levels.values)) > _MANY_MISSING_WORDS:
        return False  # so that the cells of long columns of numbers are not compared as text
    one, other = fact.levels, label.levels
    n_values, n_rows = len(one.values), len(one.codes)
    if n_values != len(other.values) or not 2 <= n_values <= n_rows // 2:
        return False
    pairs, counts = np.unique(one.codes.astype(np.int64) * n_values + other.codes, return_counts=True)
    agree, met, taken = 0, set[int](), set[int]()
    for k in np.argsort(-counts, kind="stable"):
        value, code = divmod(int(pairs[k]), n_values)
        if value not in met and code not in taken:
            met.add(value)
            taken.add(code)
            agree += int(counts[k])
    return n_rows - agree <= (1 - _SAME_AS_LABEL) * (n_rows - other.counts.max())


def _same_numbers(fact: Column, label: Column) -> bool:
    """Whether it holds the numbers of a label of many numbers, written in another way or not."""
    if fact.kind != "numbers" or label.kind != "numbers" or len(fact.cells) < _FEWEST_COMPARED:
        return False
    return np.array_equal(fact.numbers.values, label.numbers.values, equal_nan=True) and label.has_many_numbers


def _ticks_a_class(fact: Column, label: Column) -> bool:
    """Whether it is 1 in the rows of the class that its name says, or ends with, and 0 in the others."""
    if fact.n_values != 2 or fact.n_missing or label.kind != "words":
        return False
    name = fact.name.lower()
    levels = [k for k, cell in enumerate(label.levels.values) if cell and name.endswith(cell.lower())]
    if not levels or not np.isin(fact.numbers.values, (0.0, 1.0)).all():
        return False
    k = max(levels, key=lambda k: len(label.levels.values[k]))
    begin = name[: len(name) - len(label.levels.values[k])]
    return not begin[-1:].isalnum() and np.array_equal(fact.numbers.values == 1, label.levels.codes == k)


_NUMBERED_CELL = re.compile(r"([^\W\d_]+)[ _-]?\d+")
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_MAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_MANY_GAPS = 0.5
_NEARLY_ALL_DIFFERENT = 0.9
_COVERED = 0.6  # share of the rows that the frequent levels of a wide category hold at least
_FEWEST_COUNTED = 20
_RISES = 0.95  # share of the rows, for a first column
_EXACT_NUMBERS = 2.0**53  # larger ones, of 16 digits and more, are no measurements
_LEAST_DIGITS = 4  # of a code that begins with 0; months have fewer, codes of places by their name, too
_TIME_OR_DAY = re.compile(r"(?:[01]\d|2[0-3])[0-5]\d")
_WIDEST_COUNT = 5  # a column that counts upwards leaves out four numbers of five at most
_FEWEST_SHUFFLED, _WIDEST_SHUFFLED = 50, 1.2
_FEWEST_SPREAD = 50  # rows
_SOME_DIFFERENT = 0.1  # share of the rows, of numbers with decimals
_SAMPLE = 500
_YEARS = 1500, 2100
_OF_SAMPLES = frozenset(("sample", "specimen", "library", "group", "name", "title"))
_SMALLEST_CODE, _FEW_UNNAMED = 10_000, 0.02  # share of the rows without a code
_NEARLY_ALL_CODES = 0.95
_LONG_CODE, _LONGEST_MEASURE = 8, 10**9  # digits; the least of ten digits
_EVEN = 0.1  # greatest distance to a uniform distribution function
_ROUND = 0.3  # share of multiples of ten
CODE = re.compile(r"(?=.*\d)[\w./#-]{1,20}(?: [\w./#-]{1,20})?")


def proposed_role(
    fact: Column,
    label: Column | None,
    *,
    is_first: bool,
    has_names: bool,
    as_text: bool,
    among_large: bool = False,
    is_turned: bool = False,
) -> tuple[str, str]:
    """Propose what to do with a column: a key of ROLES, and the reason where it is left out.

    `label` is the label column, which another column may repeat; `is_first` and `has_names` say that it is the first
    column and that the file names its columns; `as_text` takes numbers with other cells among them as text;
    `among_large` says that other columns hold large whole numbers, too, as of people or money; `is_turned` that the
    columns stood in rows: whatever a gene or a compound is called, its numbers are amounts.
    """
    n_rows, is_text = len(fact.cells), as_text or fact.kind == "words"
    why = "" if as_text else why_no_feature(fact, label, has_names, is_turned)
    if not why and fact.n_missing > _MANY_GAPS * n_rows and not fact.answers:
        why = f"{fact.n_missing:,} of {n_rows:,} cells are missing"
    if not why and is_text:
        why = _why_text_is_left_out(fact, mixed=as_text)
    elif not why and not is_turned:
        why = _why_numbers_are_left_out(fact, is_first, among_large)
    if why:
        return "left_out", why
    if is_text:
        return "ordered" if fact.order else "categories", ""
    by_name = _numbers_places(fact.name) or names_code(fact.name) or names_identifier(fact.name)
    are_codes = fact.is_whole and not is_turned and fact.n_values <= MOST_LEVELS
    are_codes = are_codes and (by_name or has_leading_zeros(fact))
    are_codes = are_codes and (fact.n_values > 2 or np.nanmin(fact.numbers.values) > 1)  # 0 and 1, 1 and 2: no and yes
    return "categories" if are_codes else "number", ""


_ID_OR_COUNT = re.compile(r"(.+?)((?<![^\W\d_])(?:id|no|nr|n)\.?|(?<=[a-z0-9])(?-i:ID))", re.IGNORECASE)
_DIGITS = re.compile(r"\d+")
_RUNS, _TOGETHER, _TURNS = 0.9, 0.5, 5  # share of the steps, or of ranks; correlation; changes for each level
_FEWEST_ALIKE, _FEWEST_NAMED = 3, 50  # columns; rows: of fewer samples a setting may be a part of the name


def measured_alike(facts: Sequence[Column]) -> frozenset[str]:
    """Names of columns of numbers that end like identifiers but are one of several measures of the same things, as in
    "Yes no.", "Yes %", "No no.", "No %", …: three beginnings or more have the same two endings."""
    numbers = sorted(fact.name for fact in facts if fact.kind == "numbers")
    ends: dict[tuple[str, str], set[str]] = {}
    for name in numbers:
        if (match := _ID_OR_COUNT.fullmatch(name)) is None:
            continue
        stem, own = match.groups()
        k = bisect_left(numbers, stem)
        while k < len(numbers) and numbers[k].startswith(stem):
            ends.setdefault((own, numbers[k].removeprefix(stem)), set()).add(name)
            k += 1
    alike = [names for (own, other), names in ends.items() if own != other and len(names) >= _FEWEST_ALIKE]
    return frozenset[str]().union(*alike)


def numbers_in_names(facts: Sequence[Column]) -> frozenset[str]:
    """Names of columns of whole numbers that differ in all of many rows, each of which stands in a text beside it that
    does, too: "595" in "bangor-me-595"."""
    n = len(facts[0].cells)
    differ = [fact for fact in facts if n >= _FEWEST_NAMED and not fact.n_missing and fact.n_values == n]
    texts = [fact for fact in differ if fact.kind == "words"]
    numbers = [fact for fact in differ if fact.kind == "numbers" and fact.is_whole and not fact.odd.any()]
    return frozenset(fact.name for fact in numbers if any(_stands_in(fact, text, n) for text in texts))


def _stands_in(fact: Column, text: Column, n: int) -> bool:
    """Whether each number is one of those in the text of its row."""
    return all(fact.cell(k) in _DIGITS.findall(text.cell(k)) for k in range(n))


_name_of = attrgetter("name")


def numbers_of_groups(facts: Sequence[Column]) -> frozenset[str]:
    """Names of columns of whole numbers that tell groups or their members apart: below a name that ends with "no.",
    those that run from 1 in each level of a column of words or from row to row, while no other number goes with them
    as with cycles; and those with one level each of a column whose name goes on where theirs ends ("ram", "ramgen")."""
    words = sorted((f for f in facts if f.kind == "words" and 1 < f.n_values <= f.n_present / 2), key=_name_of)
    could = (f for f in facts if f.kind == "numbers" and not f.n_missing and len(f.cells) >= _FEWEST_NAMED)
    whole = [f for f in could if f.n_values >= _FEWEST_IDS and f.is_whole and not f.odd.any()]
    by_size: dict[int, list[Column]] = {}  # rows of the largest level
    for each in words:
        by_size.setdefault(int(each.levels.counts.max()), []).append(each)
    running = {
        f.name for f in whole if _runs_in_groups(f, by_size) and not any(_go_together(f, each) for each in facts)
    }
    return frozenset(running | {f.name for f in whole if _has_trait(f, words)})


def _runs_in_groups(fact: Column, by_size: Mapping[int, Sequence[Column]]) -> bool:
    """Whether numbers below such a name are 1 to n in each level of a column, or count from row to row."""
    last, values = words_of(fact.name)[1:][-1:], fact.numbers.values
    if not last or last[0] not in NAME_WORDS["number of"] | {"number"} or names_kind("time", fact.name):
        return False
    if values.min() != 1:
        return False
    n = int(values.max())
    of_levels = ((each.levels.codes, each.levels.counts) for each in by_size.get(n, ()))
    return bool((np.diff(values) == 1).mean() >= _RUNS) or any(
        (values <= counts[codes]).all() and len(np.unique(codes * (n + 1.0) + values)) == len(values)
        for codes, counts in of_levels
    )


def _go_together(fact: Column, other: Column) -> bool:
    """Whether the numbers of another column rise or fall with those of the first."""
    if other is fact or other.kind != "numbers" or other.n_values < 2 or other.odd.any():
        return False
    known = ~other.numbers.gaps
    x, y = fact.numbers.values[known], other.numbers.values[known]
    return bool(np.ptp(x) and np.ptp(y) and abs(np.corrcoef(x, y)[0, 1]) >= _TOGETHER)


def _has_trait(fact: Column, words: Sequence[Column]) -> bool:
    """Whether each of many numbers has one level of a column that is called as theirs and more, in no order: of a
    measure, such as "age", those of "age group" follow each other. The columns are sorted by name."""
    if not MOST_LEVELS < fact.n_values <= _NEARLY_ALL_DIFFERENT * len(fact.cells):
        return False
    for k in range(bisect_right(words, fact.name, key=_name_of), len(words)):
        if not words[k].name.startswith(fact.name):
            break
        levels = words[k].levels
        pairs = np.unique(np.stack([fact.numbers.values, levels.codes]), axis=1)  # sorted by number
        if pairs.shape[1] == fact.n_values and np.count_nonzero(np.diff(pairs[1])) >= _TURNS * len(levels.values):
            return True
    return False


def _numbers_places(name: str) -> bool:
    """Whether whole numbers under the name are those of sites, plots, samples or replicates."""
    words = words_of(name)
    return words not in ((), ("num",), ("nu",)) and _NUMBERED.issuperset(words)  # "num" alone is a count, too


_ON_AN_AXIS = re.compile(r"[A-Za-z]{1,2}|[^\W\d]{0,6}[ _-]?\d{1,3}")  # "B", "AA", "row 3"


def could_place(fact: Column) -> bool:
    """Whether most cells can be those of a row or column of a plate: numbers, or letters; F may be spoilt to FALSE."""
    if fact.kind != "words":
        return True
    cells = fact.levels.values[:_SAMPLE]
    return 2 * sum(_ON_AN_AXIS.fullmatch(cell) is not None for cell in cells) > len(cells)


def _tells_persons(fact: Column) -> bool:
    """Whether a column tells apart persons or things that are named by numbers or codes, as "participant" and
    "student_id" do."""
    words = words_of(fact.name)
    is_id = names_identifier(fact.name) and words[-1] in NAME_WORDS["id"]
    is_person = names_kind("person", fact.name) and _NUMBERED_PERSON.issuperset(words)
    sample = [cell for cell in fact.levels.values[:_SAMPLE] if cell]
    if names_recorder(fact.name) or 2 * sum(_MAIL.fullmatch(cell) is not None for cell in sample) > len(sample):
        return True
    if fact.n_values >= _FEWEST_IDS and all(map(_numbers_a_person, sample)):
        return True
    if fact.n_values < _FEWEST_IDS or not (is_id or is_person):
        return False
    # The key of a position, such as "left_wing", identifies nothing; "12;17" is a list.
    is_sure = fact.kind == "numbers" or (is_id and words[-1] not in ("key", "ids"))
    return is_sure or 2 * sum(CODE.fullmatch(cell) is not None for cell in sample) > len(sample)


def _numbers_a_person(cell: str) -> bool:
    """Whether a cell is "id01" or "patient 7"."""
    match = _NUMBERED_CELL.fullmatch(cell)
    return match is not None and match[1].lower() in NAME_WORDS["person"] | NAME_WORDS["household"] | {"id"}


def has_leading_zeros(fact: Column) -> bool:
    """Whether the cells are codes of equally many digits, some of which begin with 0: four or more that are no times or
    days such as "0930" and not in equal steps, or two below the name of a code or of places."""
    codes = [cell for cell, gap in zip(fact.levels.values, fact.levels.missing.tolist(), strict=True) if not gap]
    widths = set(map(len, codes))
    is_named = names_code(fact.name) or not _PLACES.isdisjoint(words_of(fact.name))
    least = 2 if is_named else _LEAST_DIGITS
    steps = set(np.diff(np.unique(fact.numbers.values)).tolist()) if fact.kind == "numbers" else set()
    if not is_named and (all(map(_TIME_OR_DAY.fullmatch, codes)) or (len(steps) == 1 and steps != {1.0})):
        return False  # as wavelengths in equal steps
    alike = len(widths) == 1 and min(widths) >= least and all(map(str.isdecimal, codes))
    return alike and any(cell[0] == "0" for cell in codes)


def _why_numbers_are_left_out(fact: Column, is_first: bool, among_large: bool) -> str:
    if _are_years(fact):
        return ""
    if fact.odd.any() and all(_UUID.fullmatch(fact.levels.values[k]) for k in np.unique(fact.levels.codes[fact.odd])):
        return IDENTIFIER
    if names_kind("account", fact.name) and fact.is_whole and fact.n_values > fact.n_present / 2:
        return "it holds codes, nearly all different"
    if counts_upwards(fact, _RISES if is_first else 1.0):
        return "it counts upwards, like an identifier"
    if _counts_shuffled(fact):
        return "it counts the rows in another order"
    if fact.is_whole and fact.n_values > MOST_LEVELS and has_leading_zeros(fact):
        return "it holds codes with leading zeros"
    words = words_of(fact.name)
    is_large = not _NUMBER_BEFORE.isdisjoint(words[:1]) and np.nanmin(fact.numbers.values) >= _SMALLEST_CODE
    is_counter = bare_name(fact.name).lower() in COUNTER_NAMES
    is_serial = _could_count(fact) and (is_counter or (words[-1:] == ("idx",) and fact.n_present >= _FEWEST_NAMED))
    if len(words) > 1 and words[-1] in NAME_WORDS["number of"] | {"number"}:
        is_serial = fact.n_values > _NEARLY_ALL_DIFFERENT * fact.n_present and _alike_long(fact)
    could_be = fact.is_whole or fact.n_values > _SOME_DIFFERENT * fact.n_present
    named = (names_identifier(fact.name) and could_be) or (fact.is_whole and (is_large or is_serial))
    if words and _OF_SAMPLES.issuperset(words):
        named |= fact.is_whole and _alike_long(fact) and fact.n_values > _NEARLY_ALL_CODES * fact.n_present
    if named and fact.n_values >= _FEWEST_IDS:
        return IDENTIFIER
    are_many = fact.n_values > min(MOST_LEVELS, fact.n_present / 2)
    if _numbers_features(fact) or (names_code(fact.name) and fact.is_whole and are_many):
        return "it holds codes"
    many_places = fact.n_values > MOST_LEVELS and _numbers_places(fact.name)
    if fact.is_whole and (many_places or _tells_persons(fact)):
        return TELLS_PERSONS
    if (is_first or not among_large) and _names_the_rows(fact, is_first):
        return "it holds large numbers, nearly all different, like an identifier"
    return ""


def _numbers_features(fact: Column) -> bool:
    """Whether large whole numbers, each in several rows, are of a gene, a probe and so on; "genes" are counted."""
    is_name = FEATURES.fullmatch(bare_name(fact.name)) is not None and not fact.name.endswith("s")
    if not (is_name and fact.is_whole and _FEWEST_IDS <= fact.n_values <= fact.n_present / 2):
        return False
    return bool(np.nanmax(fact.numbers.values) >= _SMALLEST_CODE)


def _could_count(fact: Column) -> bool:
    """Whether numbers, nearly all different, are as small as those that count the rows."""
    different = fact.n_values > _NEARLY_ALL_DIFFERENT * fact.n_present
    return different and bool(np.nanmax(fact.numbers.values) < _WIDEST_COUNT * len(fact.cells))


def _counts_shuffled(fact: Column) -> bool:
    """Whether the numbers are whole, all different and nearly without gaps, in any order."""
    n = len(fact.cells)
    if n < _FEWEST_SHUFFLED or fact.n_values < n or not fact.is_whole or names_kind("time", fact.name):
        return False
    return bool(np.ptp(fact.numbers.values) < _WIDEST_SHUFFLED * n)


def _why_text_is_left_out(fact: Column, mixed: bool) -> str:
    """The reason, or "" for text that can be used as categories."""
    levels, n_present = fact.levels, fact.n_present
    present = np.flatnonzero(~levels.missing)
    sample = [levels.values[k] for k in present[:_SAMPLE]]
    n_words = sum(len(cell.split()) for cell in sample) / max(1, len(sample))
    n_values = len(present)
    if _tells_persons(fact):
        return TELLS_PERSONS
    if names_kind("provenance", fact.name) and len(words_of(fact.name)) == 1:
        return A_SOURCE
    if fact.answers:
        return "it holds lists of answers, each of which is a column"
    if fact.pairs:
        what = "pairs of numbers" if len(fact.pairs[0]) == 2 else "several numbers"
        what = "several lines" if fact.holds_lines else what
        return f"it holds {what}, each of which is a column"
    if fact.lineages:
        return "it holds lineages, each rank of which is a column"
    if fact.elements:
        return "it holds formulas, of which each element is a column"
    if n_values > _NEARLY_ALL_DIFFERENT * n_present or n_values > n_present // 2:
        how_many = "nearly all" if n_values > _NEARLY_ALL_DIFFERENT * n_present else "most of them"
        if sum(CODE.fullmatch(cell) is not None for cell in sample) > 0.6 * len(sample):
            return f"it holds codes, {how_many} different"
        if n_words > 4:
            return FREE_TEXT
        return f"it holds names or text, {how_many} different"
    counts = np.sort(levels.counts[present])[::-1]
    if n_values <= MOST_LEVELS:
        return ""
    if counts[1] == 1:
        return f"it holds names, all different but for {levels.values[present[levels.counts[present].argmax()]]!r}"
    if counts[: MOST_LEVELS - 1].sum() >= _COVERED * n_present:
        return ""
    what = "codes" if mixed else "values"
    return f"it has {n_values:,} different {what}, too many for categories"


def naming_column(left_out: Sequence[Column]) -> str:
    """The first column of texts, else of whole numbers of an identifier, that differ in nearly all rows; "" if none."""
    differ = [fact for fact in left_out if fact.n_values > _NEARLY_ALL_DIFFERENT * len(fact.cells)]
    texts = [fact.name for fact in differ if fact.kind == "words"]
    ids = [f.name for f in differ if f.kind == "numbers" and f.is_whole and names_identifier(f.name)]
    return next(iter([*texts, *ids]), "")


def counts_upwards(fact: Column, share: float = 1.0) -> bool:
    """Whether the numbers are whole, all different and rise from row to row, in this share of the rows, without wide
    gaps, as serial numbers do; under the name of a row number it is enough that they never fall."""
    n, values = len(fact.cells), fact.numbers.values[~fact.odd]
    few_odd = n - len(values) <= _FEW_UNNAMED * n  # as "FY 27" above 28, 29, …
    if n < _FEWEST_COUNTED or fact.n_missing or not few_odd or names_kind("time", fact.name):
        return False
    steps = np.diff(values)
    if bare_name(fact.name).lower() in COUNTER_NAMES and fact.n_values > n / 3:  # twins may share a row number
        return bool((steps >= 0).all()) and fact.is_whole
    if fact.n_values < n:
        return False
    return bool((steps > 0).mean() >= share) and fact.is_whole and bool(np.ptp(values) < _WIDEST_COUNT * n)


def _alike_long(fact: Column) -> bool:
    """Whether nearly all numbers have equally many digits."""
    digits = np.floor(np.log10(np.maximum(1.0, np.abs(fact.numbers.values[~fact.numbers.gaps & ~fact.odd]))))
    return bool((digits == np.median(digits)).mean() >= _NEARLY_ALL_CODES)


def holds_large_numbers(fact: Column) -> bool:
    """Whether nearly all numbers are whole and large, as those of an identifier, or of people or money, are."""
    if fact.kind != "numbers" or not fact.is_whole or not fact.n_present:
        return False
    return bool(np.nanmedian(fact.numbers.values) >= _SMALLEST_CODE and fact.n_values > fact.n_present / 2)


def _names_the_rows(fact: Column, is_first: bool) -> bool:
    """Whether large whole numbers, nearly all different, identify rows: in a first column without a name, or where all
    have equally many digits and are too long for a measurement or spread evenly, without a taste for round ones."""
    n, values = fact.n_present, fact.numbers.values[~fact.numbers.gaps & ~fact.odd]
    is_measure = not len(values) or values.min() < _LONGEST_MEASURE  # codes of so many digits may be missing
    n_other = len(fact.cells) - len(values) if is_measure else np.count_nonzero(fact.odd)
    if n < _FEWEST_COUNTED or n_other > _FEW_UNNAMED * n or fact.numbers.cleaned.any() or not fact.is_whole:
        return False
    is_unnamed = is_first and fact.name == "column 1"
    few_round = n >= _FEWEST_SPREAD and values.min() >= 0 and (values % 10 == 0).mean() < _ROUND
    least = np.median(values) if is_unnamed and few_round else values.min()
    if fact.n_values <= _NEARLY_ALL_CODES * n or least < _SMALLEST_CODE:
        return False
    if names_kind("time", fact.name) or names_kind("amount", fact.name):
        return False
    rises = fact.name.startswith("column ") and n >= _FEWEST_SPREAD
    rises = rises and np.corrcoef(np.argsort(np.argsort(values)), np.arange(len(values)))[0, 1] >= _RUNS
    if is_unnamed or rises or values.max() > _EXACT_NUMBERS:
        return True
    is_long = values.max() >= 10 ** (_LONG_CODE - 1)
    if n < (_FEWEST_COUNTED if is_long else _FEWEST_SPREAD) or not _alike_long(fact):
        return False
    in_order = np.sort(values)
    even = np.abs((in_order - in_order[0]) / np.ptp(in_order) - np.linspace(0, 1, len(values))).max()
    return bool(is_long or (even < max(_EVEN, 1.2 / np.sqrt(n)) and (values % 10 == 0).mean() < _ROUND))
