"""Column: what the cells of one column hold: numbers, levels, dates, and the facts shown before one chooses."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING
from unicodedata import combining, normalize

import numpy as np

from datasets.base.dataset import LARGEST_VALUE
from datasets.base.errors import DataError
from datasets.base.months import MONTHS
from datasets.base.words import counted
from datasets.columns.formulas import amounts_in
from datasets.columns.lists import answers_in, lineages_in, lines_in, numbers_in, pairs_in
from datasets.columns.names import could_name_numbers, label_score, names_point_in_time
from datasets.columns.scales import SCALES
from datasets.columns.spelt import flags_behind, spelt_numbers
from datasets.reading import Table, as_number, bare_number, is_missing, on_one_line
from datasets.reading.numerals import INDIAN, common_unit, hold_codes, is_grouped, without_unit
from datasets.reading.table import missing_cells, strings

if TYPE_CHECKING:
    import pyarrow as pa

_BLANKS = " \u00a0\u2009\u202f"
_APOSTROPHES = "'’"
_DIGIT = re.compile(r"\d")
_LOOKED_AT = 2_000  # cells of a column, for dates
_EXAMPLES = 3
_SAMPLE = 200
_FEW_VALUES, _MANY_VALUES, _ROWS_OF_A_CLASS = 5, 20, 10
_FEW_WORDS, _MANY_NUMBERS, _SOME_NUMBERS = 10, 50, 5
_FEWEST_CODES, _SHARE_OF_CODES = 3, 0.2  # different ones; share of the rows
_LETTERS_AND_NUMBER = re.compile(r"[^\W\d_]{1,4}[-_ ]?\d+")
MEANS_MISSING = re.compile(
    r"[-<(\[ ]{0,3}(?:unk(?:nown)?|missing|abs(?:ent|\.)?"
    r"|(?:not|never) (?:available|measured|recorded|known|given|applicable|tested|stated|done)"
    r"|no data|none given|n\.? ?/?[ad]\.?|n\.m\.|nil|undefined|undetermined|tbd|pending|error|refused|invalid"
    r"|below detection|bdl|<? ?lod|trace|k\.? ?a\.?|keine angabe|unbekannt|fehlt|inconnu|desconocido|sin dato"
    r"|[-–—~*#.:?x_]+)[->)\] ]{0,3}",
    re.IGNORECASE,
)
_RING = "\u030a"
_FOOTNOTE = re.compile(r"(?<=[^\W\d_]{3}) ?(?:[†‡§¶]+|[¹²³⁴-⁹])$")
_MOST_SPELT, _FEWEST_LETTERS = 5_000, 2  # levels; letters of a word that may lack its accents
# The spellings of one level with their rows, most frequent first.
Spellings = tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class CellNumbers:
    """What a column holds, cell by cell, each array of shape (n_rows,)."""

    values: np.ndarray  # float64, NaN where there is no number
    gaps: np.ndarray  # bool, missing cells
    words: np.ndarray  # bool, cells that are neither missing nor a number
    cleaned: np.ndarray  # bool, cells that had to be cleaned to be one


@dataclass(frozen=True)
class Levels:
    """The different cells of a column, missing ones included."""

    values: tuple[str, ...]  # in the order in which they first occur
    codes: np.ndarray  # int32 (n_rows,), the place in `values` of each row's cell
    counts: np.ndarray  # int64 (n_values,), rows of each
    missing: np.ndarray  # bool (n_values,), which of them mean a missing value


@dataclass(frozen=True, eq=False)
class Column:
    """A column of a table; everything is computed when it is first asked for and kept."""

    table: str  # its name, for messages
    name: str
    cells: pa.ChunkedArray
    line_numbers: np.ndarray
    decimal: str
    thousands: str | None

    @cached_property
    def numbers(self) -> CellNumbers:
        return _parsed(self)

    @cached_property
    def levels(self) -> Levels:
        encoded = self.cells.combine_chunks().dictionary_encode()
        codes, missing = encoded.indices.to_numpy(), missing_cells(encoded.dictionary).to_numpy(zero_copy_only=False)
        return Levels(tuple(strings(encoded.dictionary)), codes, np.bincount(codes, minlength=len(missing)), missing)

    @cached_property
    def spellings(self) -> tuple[Spellings, ...]:
        """Groups of levels that are equal but for capitals, blanks, hyphens, accents and marks of footnotes, such as
        "Máxima", "maxima " and "maxima†"; å is no accented a: Habo and Håbo are two towns."""
        if len(self.levels.values) > _MOST_SPELT:
            return ()
        groups: dict[str, list[tuple[str, int]]] = {}
        there = set(self.levels.values)
        for cell, count in zip(self.levels.values, self.levels.counts.tolist(), strict=True):
            letters = cell if cell.isascii() or (bare := _FOOTNOTE.sub("", cell)) not in there else bare
            if not letters.isascii() and len(letters) >= _FEWEST_LETTERS:
                letters = "".join(char for char in normalize("NFKD", letters) if char == _RING or not combining(char))
            if key := "".join(_BETWEEN_WORDS.split(letters)).casefold():
                groups.setdefault(key, []).append((cell, count))
        return tuple(tuple(sorted(group, key=lambda each: -each[1])) for group in groups.values() if len(group) > 1)

    @cached_property
    def answers(self) -> dict[str, np.ndarray]:
        """Which levels hold each answer, bool (n_levels,), where the cells are lists of few answers; else none."""
        if self.kind != "words" or len(self.levels.values) > _MOST_SPELT or self.lineages:
            return {}
        return answers_in(self.levels.values, self.levels.counts.tolist())

    @cached_property
    def pairs(self) -> list[tuple[str, ...]]:
        """The numbers of each level, where cells are pairs of numbers or numbers in a fixed text; its lines where all
        have as many; else []."""
        cells = self.levels.values if self.kind == "words" else ()
        return [*pairs_in(cells)] or numbers_in(cells) or lines_in(cells)

    @cached_property
    def holds_lines(self) -> bool:
        """Whether its `pairs` are lines."""
        return any("\n" in cell for cell in self.levels.values) and bool(self.pairs)

    @cached_property
    def lineages(self) -> dict[str, list[str]]:
        """What each level says at each rank, where the cells are lineages; else {}."""
        return lineages_in(self.levels.values) if self.kind == "words" else {}

    @cached_property
    def elements(self) -> dict[str, list[str]]:
        """The amount of each chemical element in each level, where the cells are formulas; else {}."""
        return amounts_in(self.levels.values) if self.kind == "words" else {}

    def misfits(self, fits: Sequence[bool], what: str, count_as: str) -> str:
        """Say of which cells, missing ones aside, the levels do not fit, bool (n_levels,): what they hold and count as;
        "" where there are none."""
        misfit = (~self.levels.missing & ~np.array(fits, dtype=bool))[self.levels.codes]
        if not misfit.any():
            return ""
        k = int(misfit.argmax())
        of = f"of {self.name!r} {what}"
        cells = counted(int(misfit.sum()), f"cell {of} counts", f"cells {of} count")
        return f"{cells} as {count_as} (the first on line {self.line_numbers[k]}, {self._quoted(k)})."

    @cached_property
    def merged_levels(self) -> Levels:
        """Its levels with each group of spellings as one, written as most often."""
        usual = {cell: group[0][0] for group in self.spellings for cell, _ in group}
        names = [usual.get(cell, cell) for cell in self.levels.values]
        place = {name: k for k, name in enumerate(dict.fromkeys(names))}
        codes = np.array([place[name] for name in names], dtype=np.int32)[self.levels.codes]
        gap = dict(zip(self.levels.values, self.levels.missing.tolist(), strict=True))
        missing = np.array([gap[name] for name in place], dtype=bool)
        return Levels(tuple(place), codes, np.bincount(codes, minlength=len(place)), missing)

    @cached_property
    def order(self) -> tuple[str, ...]:
        """Its levels in rising order where they are answers on a scale, else ()."""
        if self.kind != "words" or self.n_values > _MANY_VALUES:
            return ()
        levels = self.levels
        return ordered_levels([value for value, gap in zip(levels.values, levels.missing, strict=True) if not gap])

    @property
    def ranks(self) -> np.ndarray:
        """The place of each cell in `order`, from 1, NaN where it is missing; float64 (n_rows,)."""
        place = {level: float(k) for k, level in enumerate(self.order, start=1)}
        return np.array([place.get(level, math.nan) for level in self.levels.values])[self.levels.codes]

    @cached_property
    def odd(self) -> np.ndarray:
        """Cells of a column of numbers that cannot be trained on: words, infinite, too large; bool (n_rows,)."""
        with np.errstate(invalid="ignore"):
            return self.numbers.words | (np.abs(self.numbers.values) > LARGEST_VALUE)

    @cached_property
    def n_missing(self) -> int:
        return int(self.numbers.gaps.sum())

    @cached_property
    def missing_words(self) -> dict[str, int]:
        """The cells, blank ones aside, that count as missing, with their rows."""
        import pyarrow as pa

        found = self.cells.filter(pa.array(self.numbers.gaps)).value_counts().to_pylist() if self.n_missing else []
        return {each["values"]: each["counts"] for each in found if each["values"]}

    @property
    def n_present(self) -> int:
        return len(self.cells) - self.n_missing

    @cached_property
    def times(self) -> str:
        """ "dates" or "times" where nine in ten of the first present cells are such, or all are numbers such as
        20190131 or seconds since 1970, else ""."""
        are_numbers = self._are_packed_dates or self.are_epochs
        return dates_or_times(strings(self.cells.slice(0, _LOOKED_AT))) or ("dates" if are_numbers else "")

    @cached_property
    def are_epochs(self) -> bool:
        """Whether all are seconds or milliseconds since 1970, of the years 1990 to 2040, below the name of a time."""
        known = self.numbers.values[~self.numbers.gaps]
        if not len(known) or np.isnan(known).any() or not names_point_in_time(self.name):
            return False
        return any(known.min() >= _YEAR_1990 * unit and known.max() < _YEAR_2040 * unit for unit in (1, 1000))

    @property
    def _are_packed_dates(self) -> bool:
        known = self.numbers.values[~self.numbers.gaps]
        if not len(known) or not self.is_whole or known.min() < _FIRST_DAY or known.max() > _LAST_DAY:
            return False
        return bool(np.isin(known // 100 % 100, range(1, 13)).all() and np.isin(known % 100, range(1, 32)).all())

    @cached_property
    def kind(self) -> str:
        """ "numbers", "words", "dates" (times too) or "empty"; words where most present cells are no numbers, or all
        are codes, unless these are a few words among many different numbers."""
        if not self.n_present:
            return "empty"
        are_numbers = self.numbers.words.sum() <= self.n_present / 2 and not (self._are_codes or self._are_steps)
        if are_numbers or self._has_words_for_numbers:
            return "dates" if self._are_packed_dates or self.are_epochs else "numbers"
        return "dates" if self.times else "words"

    @property
    def _are_codes(self) -> bool:
        """Whether codes such as "EC1" are mixed with whole numbers, and cells have at least two rows on average."""
        share = self.numbers.words.mean()
        if share < _SHARE_OF_CODES or not self.is_whole or 2 * len(self.levels.values) > len(self.cells):
            return False
        are_words = np.unique(self.levels.codes[self.numbers.words])
        return len(are_words) >= _FEWEST_CODES and all(
            _LETTERS_AND_NUMBER.fullmatch(self.levels.values[k]) for k in are_words
        )

    @property
    def _are_steps(self) -> bool:
        """Whether most cells are ranges of one scale, such as "1-10" and "10-20", and the numbers beside them, such as
        0, lie at its ends or beyond."""
        levels = self.levels
        if not self.numbers.words.any() or np.count_nonzero(~levels.missing) > _MOST_STEPS:
            return False
        cells = [cell for cell, gap in zip(levels.values, levels.missing.tolist(), strict=True) if not gap]
        ranges = [(float(match[1]), float(match[2])) for cell in cells if (match := _RANGE.fullmatch(cell))]
        others = [as_number(cell) for cell in cells if not _RANGE.fullmatch(cell)]
        if len(ranges) < 2 or len(ranges) < len(others) or any(low >= high for low, high in ranges):
            return False
        low, high = min(low for low, _ in ranges), max(high for _, high in ranges)
        return all(number is not None and (number <= low or number >= high) for number in others)

    @property
    def _has_words_for_numbers(self) -> bool:
        """Whether a few words, such as "dead", stand for most of many different measurements, or all words for gaps."""
        levels = self.levels
        are_words = np.zeros(len(levels.values), dtype=bool)
        are_words[levels.codes[self.numbers.words]] = True
        n_numbers, n_words = int((~are_words & ~levels.missing).sum()), int(are_words.sum())
        gaps = all(MEANS_MISSING.fullmatch(levels.values[k]) for k in np.flatnonzero(are_words)[: _FEW_WORDS + 1])
        is_one_word = n_words == 1 and (not self.is_whole or self.has_one_word)  # such as a limit of detection
        return n_words <= _FEW_WORDS and n_numbers >= (_SOME_NUMBERS if gaps or is_one_word else _MANY_NUMBERS)

    @cached_property
    def has_one_word(self) -> bool:
        """Whether one word that repeats is beside numbers, most of which differ, as for gaps."""
        levels, words = self.levels, self.numbers.words
        first = int(words.argmax())
        n = int(words.sum())
        if n < 2 or n != levels.counts[levels.codes[first]] or _DIGIT.search(self.cell(first)):
            return False
        n_different = int(np.count_nonzero(~levels.missing)) - 1
        return n_different > _FEW_WORDS and 2 * n_different > self.n_present - n

    @cached_property
    def _all_numbers(self) -> bool:
        return self.n_present > 0 and not self.odd.any()

    @cached_property
    def n_values(self) -> int:
        """Different cells that are not missing; different numbers where all are."""
        if self._all_numbers:  # the levels of a long column of numbers take their time
            return len(np.unique(self.numbers.values[~self.numbers.gaps]))
        return int(np.count_nonzero(~self.levels.missing))

    @cached_property
    def examples(self) -> tuple[str, ...]:
        """The first few different cells."""
        if self._all_numbers:
            first = [self.cell(k) for k in np.flatnonzero(~self.numbers.gaps)[:_SAMPLE].tolist()]
            return tuple(dict.fromkeys(first))[:_EXAMPLES]
        return tuple(self.levels.values[k] for k in np.flatnonzero(~self.levels.missing)[:_EXAMPLES])

    @cached_property
    def is_whole(self) -> bool:
        """Whether every number is whole and finite."""
        known = self.numbers.values[~np.isnan(self.numbers.values)]
        return bool(np.isfinite(known).all() and (known == np.floor(known)).all())

    @property
    def _is_a_score(self) -> bool:
        """Whether numbers, below no name of kinds, are many for their rows and several occur once, as scores do."""
        counts = self.levels.counts[~self.levels.missing]
        if self.n_present >= _ROWS_OF_A_CLASS * len(counts):
            return False
        names_kinds = label_score(self.name) > 0 and not could_name_numbers(self.name)
        return int((counts == 1).sum()) * _ROWS_OF_A_CLASS >= len(counts) and not names_kinds

    @property
    def has_many_numbers(self) -> bool:
        """Whether it holds numbers that are too many and too different to be classes."""
        n_values = sum(map(bool, self.levels.values))
        seldom_repeat = n_values > max(_FEW_VALUES, self.n_present // 2)
        if self.kind != "numbers" or not (seldom_repeat or n_values > _MANY_VALUES):
            return False
        return seldom_repeat or n_values > 50 or not self.is_whole or self._is_a_score

    @property
    def n_bytes(self) -> int:
        """Memory of the arrays computed so far."""
        kept = vars(self)
        records = [kept[what] for what in ("numbers", "levels", "merged_levels") if what in kept]
        arrays = [array for record in records for array in vars(record).values()]
        distinct = {id(array): array for array in (*arrays, kept.get("odd")) if isinstance(array, np.ndarray)}
        return sum(array.nbytes for array in distinct.values())

    def as_numbers(self, odd_as_missing: bool = False) -> tuple[np.ndarray, tuple[str, ...]]:
        """Read the column as numbers to train on.

        odd_as_missing: treat cells that are not numbers, infinite or too large as missing instead of refusing them.

        Returns float64 (n_rows,), NaN for missing cells, and sentences about cells that were cleaned or ignored.

        Raises DataError with line and column for a cell that is not a number, infinite or larger than LARGEST_VALUE.
        """
        values, cleaned, notes = self.numbers.values, self.numbers.cleaned & ~self.odd, []
        if self.odd.any():
            k = int(self.odd.argmax())
            line, cell = self.line_numbers[k], self._quoted(k)
            if not odd_as_missing:
                problem = f"is beyond {LARGEST_VALUE:g}, so that gradients overflow"
                if self.numbers.words[k]:
                    problem = "is not a number"
                elif np.isinf(values[k]):
                    problem = "is infinite"
                raise DataError(
                    f"{self.table}, line {line}, column {self.name!r}: {cell} {problem}. "
                    "Treat such cells as missing, leave the column out, or mend the file."
                )
            values = np.where(self.odd, np.nan, values)
            n = int(self.odd.sum())
            n_odd = counted(n, "cell that is not a usable number counts", "cells that are not usable numbers count")
            notes.append(f"Column {self.name!r}: {n_odd} as missing (the first on line {line}, {cell}).")
        if cleaned.any():
            k = int(cleaned.argmax())
            notes.append(
                f"Column {self.name!r}: {counted(int(cleaned.sum()), 'cell was', 'cells were')} cleaned into numbers "
                f"(the first on line {self.line_numbers[k]}, {self._quoted(k)} as {values[k]:.15g})."
            )
        return values, tuple(notes)

    def _quoted(self, k: int) -> str:
        return repr(on_one_line(self.cell(k))[:40])

    def cell(self, k: int) -> str:
        return str(self.cells[k].as_py())


def column_of(table: Table, name: str) -> Column:
    """The column of that name, kept with the table."""
    if name not in table.parsed:
        cells = table.cells.column(name)
        table.parsed[name] = Column(table.name, name, cells, table.line_numbers, table.decimal, table.thousands)
    return table.parsed[name]


@lru_cache(maxsize=64)
def _marks(decimal: str, thousands: str | None) -> tuple[re.Pattern[str] | None, str, re.Pattern[str] | None]:
    """(numbers in groups of three with the other mark, that mark, blanks and apostrophes between groups)."""
    other = "." if decimal == "," else ","
    mark = other if thousands is None else thousands if thousands and thousands in ".," else ""
    between = {None: _BLANKS + _APOSTROPHES, " ": _BLANKS, "'": _APOSTROPHES}.get(thousands, "")
    d, m = re.escape(decimal), re.escape(mark)
    groups = rf"\d{{1,3}}(?:{m}\d{{3}})+" + (f"|{INDIAN}" if mark == "," else "")
    grouped = re.compile(rf"[+-]?(?:{groups})(?:{d}\d+)?") if mark else None
    return grouped, mark, re.compile(rf"(?<=\d)[{between}](?=\d{{3}}(?!\d))") if between else None


def cleaned_number(cell: str, decimal: str, thousands: str | None = None) -> tuple[float | None, bool]:
    """(the number in a cell or None, whether the cell had to be cleaned: marks of thousands, "%", currencies)."""
    grouped, mark, between = _marks(decimal, thousands)
    if grouped is None or not grouped.fullmatch(cell):
        value = as_number(cell, decimal)
        if value is not None:
            return value, False
    if not _DIGIT.search(cell):
        return None, False
    text = bare_number(cell)
    if between is not None:
        text = between.sub("", text)
    if grouped is not None and grouped.fullmatch(text):
        text = text.replace(mark, "")
    return as_number(text, decimal), True


def _parsed(whole: Column) -> CellNumbers:
    import pyarrow.compute as pc

    missing = missing_cells(whole.cells)
    gaps = missing.to_numpy()
    values = _plain_numbers(pc.if_else(missing, None, whole.cells), whole.decimal)
    if values is not None and not np.isnan(values[~gaps]).any():
        none = np.zeros(len(gaps), dtype=bool)
        return CellNumbers(values, gaps, none, none)
    # Each different cell once: columns of words repeat themselves.
    levels = whole.levels
    present = [cell for cell, gap in zip(levels.values, levels.missing.tolist(), strict=True) if not gap]
    counts = levels.counts[~levels.missing].tolist()
    unit, flags = common_unit(present, counts), flags_behind(present, counts)
    are_codes, spelt = hold_codes(present), spelt_numbers(present)
    decimal = whole.decimal if are_codes else _decimal_of(present, whole.decimal)
    numbers = np.full(len(levels.values), math.nan)
    cleaned = np.zeros(len(levels.values), dtype=bool)
    other = "." if decimal == "," else ","
    for k in np.flatnonzero(~levels.missing).tolist():
        if own := spelt.get(levels.values[k]):
            numbers[k], cleaned[k] = float(own), True
            continue
        bare = flags.get(levels.values[k]) or without_unit(levels.values[k], unit)
        value, was = cleaned_number(bare, decimal, whole.thousands)
        if value is None and not (are_codes or is_grouped(bare, other)):
            value, was = as_number(bare, other), True  # "1,51" among numbers with a point
        if value is not None:
            numbers[k], cleaned[k] = value, was or bare != levels.values[k]
    words = np.isnan(numbers) & ~levels.missing
    return CellNumbers(numbers[levels.codes], gaps, words[levels.codes], cleaned[levels.codes])


def _decimal_of(cells: Sequence[str], usual: str) -> str:
    """The other decimal mark where numbers of the column are written with it, surely and never with the usual one."""
    other = "." if usual == "," else ","
    numbers = [cell for cell in cells if other in cell and as_number(cell, other) is not None]
    sure = any(not is_grouped(cell, other) for cell in numbers) and not any(usual in cell for cell in cells)
    return other if sure else usual


def _plain_numbers(column: pa.ChunkedArray, decimal: str) -> np.ndarray | None:
    """All numbers at once, NaN for a null, where each cell is a number that needs no cleaning; else None."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if decimal == ",":
        if pc.any(pc.match_substring(column, ".")).as_py():
            return None
        column = pc.replace_substring(column, pattern=",", replacement=".")
    try:
        return np.asarray(column.cast(pa.float64()).to_numpy(), dtype=np.float64)
    except pa.ArrowInvalid:
        return None


_ZONE = r"(?:Z|UTC|(?-i:[A-Z]{2,4})|(?:GMT|UTC)?[+-]\d{1,2}(?::?\d{2})?)"
_CLOCK = rf"\d{{1,2}}:\d{{2}}(?::\d{{2}}(?:[.,]\d+)?)?(?:\s?[AaPp]\.?\s?[Mm]\.?)?(?:\s?{_ZONE})?"
_BETWEEN_WORDS = re.compile(r"(?<!\d)\s+|\s+(?!\d)|(?<=[^\W\d_])-(?=[^\W\d_])")
_MONTH = rf"(?:{'|'.join(MONTHS)})[^\W\d_]*\.?"
_DAY = (
    r"(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.](?:\d{4}|\d{2})"
    rf"|\d{{1,2}}\.?[-/ ]?{_MONTH}[-/ ]?(?:\d{{4}}|\d{{2}})|{_MONTH}[-/ ]\d{{1,2}},?[-/ ]\d{{4}})"
)
_DATE = re.compile(rf"{_DAY}(?:[T :]{_CLOCK}|Z)?", re.IGNORECASE)  # "03FEB2025:00:00:00" is how SAS writes it
_TIME = re.compile(_CLOCK, re.IGNORECASE)


def dates_or_times(cells: Sequence[str]) -> str:
    """ "dates" or "times" where nine in ten of the first present cells are, else ""."""
    present = [cell for cell in cells if not is_missing(cell)]
    for word, pattern in (("dates", _DATE), ("times", _TIME)):
        if present and sum(pattern.fullmatch(cell) is not None for cell in present) > 0.9 * len(present):
            return word
    return ""


_FIRST_DAY, _LAST_DAY = 18000101, 21001231
_YEAR_1990, _YEAR_2040 = 631_152_000, 2_208_988_800  # in seconds since 1970
_BELOW = tuple(-(whole + part) for whole in (99999, 9999, 999, 99) for part in (0, 0.9, 0.99, 0.999))
_BESIDE = tuple(-float(most - k) for most in (9999, 999, 99) for k in range(1, 10))  # for other reasons
_ONLY_BELOW_0, _FEWEST_BELOW_0, _MANY_STEPS = (-1.0, -9.0), 3, 10
# Only where it is repeated, or above the steps of a scale.
_ABOVE = (99.0, 99.9, 99.99, 99.999, 999.9, *(digit * n for digit in (8.0, 9.0) for n in (111, 1111, 11111, 111111)))
_MANY_NINES = re.compile(r"9{2,3}\.9{3,}")  # 99.999999, rather than 99.9
_LAST_STEP = 10


def sentinels_in(values: np.ndarray) -> tuple[float, ...]:
    """The usual sentinels that lie far from all other values (n_rows,) of a column, as -999 and -998, or the one that
    repeats as the only number below 0 among many; () where there is none."""
    known = values[~np.isnan(values)]
    if known.size and known.min() in _ONLY_BELOW_0:
        number, others = float(known.min()), known[known >= 0]
        n_below = len(known) - len(others)
        is_code = _FEWEST_BELOW_0 <= n_below == int((known == number).sum())
        return (number,) if is_code and len(np.unique(others)) > _MANY_STEPS else ()
    different = np.unique(known[known < 0])
    if np.isin(different, _BELOW).any():
        codes = different[np.isin(different, _BELOW) | np.isin(different, _BESIDE)]
        others = known[~np.isin(known, codes)]
        return tuple(codes.tolist()) if others.size and others.min() > codes.max() / 10 else ()
    number = float(known.max()) if known.size else 0.0
    many_nines = _MANY_NINES.fullmatch(f"{number:.9g}") is not None
    if many_nines or number in _ABOVE:
        others = known[known != number]
        least = number / (2 if many_nines else 4)
        repeats = len(known) - len(others) > 1
        is_scale = others.max(initial=0) <= _LAST_STEP and bool((others == np.floor(others)).all())
        is_apart = len(others) > len(known) / 2 and 0 < others.max() < least
        return (number,) if (repeats or is_scale) and is_apart else ()
    return ()


def sentinel_note(name: str, values: np.ndarray) -> str:
    """A sentence about the sentinels of a column, "" where it has none."""
    if not (numbers := sentinels_in(values)):
        return ""
    cells = counted(int(np.isin(values, numbers).sum()), "cell says", "cells say")
    said, words = " or ".join(f"{number:.15g}" for number in numbers), "it" if len(numbers) == 1 else "them"
    return (
        f"Column {name!r}: {cells} {said}, unlike all others; where that means a missing value, add "
        f"{words} to the words for missing values."
    )


_FEWEST_STEPS, _MOST_STEPS = 3, 15
_RANGE = re.compile(r"(\d+(?:\.\d+)?) ?[-–] ?(\d+(?:\.\d+)?) ?%?")
_FIRST_NUMBER = re.compile(r"(?P<below><|≤|under |below |less than |up to )?\s*[$€£]?\s*(?P<number>\d[\d,]*(?:\.\d+)?)")
_BOUNDS = re.compile(r"\d\s*(?:-|–|to|bis|à|\+|:|\.|=)\s*\S|\d\s*\+$|^[<>≤≥]|or more|and (?:over|up|above)|older")


def ordered_levels(levels: Sequence[str]) -> tuple[str, ...]:
    """The levels in rising order where all are steps of one scale, or begin with different numbers; else ()."""
    if not _FEWEST_STEPS <= len(levels) <= _MOST_STEPS or any(map(_DATE.fullmatch, levels)):
        return ()  # dates beside ranges are ranges that a spreadsheet changed
    plain = {level: " ".join(level.lower().replace("_", " ").replace("’", "'").split()) for level in levels}
    for scale in SCALES:
        steps = {level: scale.get(word) for level, word in plain.items()}
        if None not in steps.values() and len(set(steps.values())) == len(levels):
            return tuple(sorted(levels, key=lambda level: steps[level] or 0))
    begun = {level: _FIRST_NUMBER.match(word) for level, word in plain.items()}
    places = {
        level: float(match["number"].replace(",", "")) - 0.5 * bool(match["below"])
        for level, match in begun.items()
        if match
    }
    bounds = sum(_BOUNDS.search(word) is not None for word in plain.values())
    if len(set(places.values())) < len(levels) or bounds < len(levels) / 2:
        return ()
    return tuple(sorted(levels, key=places.__getitem__))
