"""Where a table begins among rows: what is above it, which rows hold names, and the first row of data.

The cells further down say how many are usual and of what kind each column is; the rows above are explained by them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise, zip_longest

from datasets.reading.naming import MOST_HEADER_LINES, carried
from datasets.reading.numerals import FOOTNOTES, as_number, counts_up, looks_like_a_number
from datasets.reading.table import Row, is_missing

_TIMES_AS_MANY = 20  # cells
_LAST_ROWS, _SAMPLE_ROWS = 20, 50  # that tell the width, and the kinds of the columns
_FOREIGN_ROW = -4  # so that a few rows of small numbers may stand between lines of names
_FEWEST_WITNESSES = 2  # columns that say of what kind a row is
_FEWEST_KNOWN = 10  # rows from which a word that is in none of them is foreign
_FOREIGN = 0.8  # share of these columns
_FEW_GAPS = 0.1  # share of a column's cells
_FEW_AGAINST = 0.25  # columns that speak for data, for each that speaks for names
_SHORT_NAME = 12  # letters of a cell
_MOST_OF_A_REMARK = 2  # cells: a key, as of the others, and what it says
_MOST_HEADINGS = 2  # rows between the names and the first row of data
_MANY_CELLS = 8
_FEWEST_IN_ORDER = 10  # numbers that are names where they increase, as wavelengths
_FEWEST_NUMBERED, _FEWEST_PAIRS = 6, 3  # columns
_MOSTLY_NAMED = 0.9  # share of the columns
_MOST_VALUES = 3  # a key, its value, its unit
_MOST_PROPERTIES = 26  # rows; with more, the rows that are looked at for names hold too little data


@dataclass(frozen=True)
class TablePlace:
    """`rows[top:first]` hold names; those above are no part of the table."""

    top: int
    first: int
    width: int  # cells of a row
    doubtful: bool = False  # whether these names could be a row, or the first row names

    @property
    def n_names(self) -> int:
        return self.first - self.top


def place_of(rows: Sequence[Row], n_said: int | None = None, below_prose: bool = False) -> TablePlace:
    """Find the names and the first row of a table below titles, remarks, or keys with values.

    The table begins where most rows down to the end are alike, against those that are not: of another width, of a few
    cells only, or foreign, with words in columns of numbers. The last row above it that could be names holds them, and
    so do those right above it, unless these are more than four: then from the fullest of the last four on. Where there
    is none, the columns vote whether the first row holds names. What looks like rows is never left out above.

    n_said: how many rows hold names, where a person said so; then only rows with fewer cells stand above them.
    below_prose: whether any rows may stand above a table without names; else only those of a single cell.
    """
    if n_said is not None:
        usual = Counter(map(len, rows)).most_common(1)[0][0]
        fits = (len(row) >= usual or (len(row) == usual - 1 and sum(map(bool, row)) > 1) for row in rows)
        top = next((k for k, fit in enumerate(fits) if fit), 0)
        return TablePlace(top, top + max(0, n_said), usual)
    body = _Body(rows)
    place = _below_names(body, rows)
    place = replace(place, first=_first_answers(rows, place))
    if place.n_names and rows[place.top] in rows[place.top + 1 : place.first]:
        place = replace(place, first=place.top + 1)  # the names come again below a few rows
    if place.n_names and len(rows) > place.first:
        named, first = rows[place.top : place.first], rows[place.first]
        below = rows[place.first + 1 :]
        if _numbers_columns(first) or (below and (_completes(first, named) or _tells_years(first, below[0]))):
            place = replace(place, first=place.first + 1)
    again = repeated_names(rows)
    if again is not None and again < place.top + (not place.n_names):
        return TablePlace(again, again + 1, body.width)  # the rows below it are few, before it comes again
    above, below = rows[: place.top], rows[place.first :]
    are_rows = 2 * sum(body.width // 2 < len(row) <= body.width for row in below) > len(below)
    if not above or (below_prose and are_rows):
        return place
    are_titles = place.n_names > 0 or (body.width > 2 and all(len(row) == 1 for row in above))
    if are_rows and are_titles and 2 * sum(map(body.could_be_data, above)) <= len(above):
        return place
    is_heading = len(rows[0]) < body.width - 1 and len(rows[1]) == body.width
    if are_rows and is_heading and any(len(row) == len(rows[0]) for row in rows[2:]):
        return TablePlace(0, 0, body.width)  # of a group of rows, as others further down
    names, doubtful = body.vote(rows)
    return TablePlace(0, names, body.width, doubtful)


def _tells_years(row: Row, below: Row) -> bool:
    """Whether all cells of a row but the first, which is blank, are years, unlike those of the named row below."""
    if len(row) != len(below) or row[0] or not below[0]:
        return False
    own, others = ({cells[k] for k, cell in enumerate(row) if cell} for cells in (row, below))
    return _are_years(own) and not _are_years(others)


def _completes(row: Row, names: Sequence[Row]) -> bool:
    """Whether a row is filled where lines of names are blank, and there only, as sizes below "Result" are."""
    named = [any(cells) for cells in zip_longest(*names, fillvalue="")]
    filled = [bool(cell) for cell in row] + [False] * (len(named) - len(row))
    if min(sum(named), sum(filled)) < _FEWEST_NUMBERED:
        return False
    both = sum(a and b for a, b in zip(named, filled, strict=False))
    return both <= 1 and sum(named) + sum(filled) >= _MOSTLY_NAMED * len(named)


def _first_answers(rows: Sequence[Row], place: TablePlace) -> int:
    """The first row of data, which is among the lines of names where these go on below names for nearly all columns:
    with the same line twice, or with words most of which their columns also hold below, beside others."""
    lines, below = rows[place.top : place.first], rows[place.first :][:_SAMPLE_ROWS]
    for k, line in enumerate(lines[1:], 1):
        n_named = sum(map(any, zip_longest(*lines[:k])))
        words = [(j, cell) for j, cell in enumerate(line) if cell and not looks_like_a_number(cell)]
        if n_named < _MOSTLY_NAMED * place.width or len({cell for _, cell in words}) < _FEWEST_WITNESSES:
            continue
        if line in rows[place.top + k + 1 : place.top + k + 2] and line not in lines[:k]:
            return place.top + k
        if lines[0] in below:
            break  # all lines of names are printed again
        levels = {j: {row[j] for row in below if j < len(row)} for j, _ in words}
        known = [cell in levels[j] for j, cell in words if _has_word(levels[j] - {cell})]
        if sum(known) >= max(_FEWEST_WITNESSES, min(len(known) - 1, _FOREIGN * len(known))):
            return place.top + k
    return place.first


def _has_word(cells: Iterable[str]) -> bool:
    return any(cell and not looks_like_a_number(cell) for cell in cells)


def repeated_names(rows: Sequence[Row]) -> int | None:
    """The first place of a row of words, all different, that comes twice more, or of a word before numbers that rise,
    that comes again."""
    counts = Counter(map(tuple, rows))
    for k, row in enumerate(map(tuple, rows)):
        cells = [cell for cell in row if cell]
        if counts[row] == 1 or len(cells) <= _MOST_VALUES or len(set(cells)) < len(cells):
            continue
        first, *numbers = map(looks_like_a_number, cells)
        if not first and (_rise(cells[1:]) or (counts[row] > _FEWEST_WITNESSES and not any(numbers))):
            return k
    return None


def _rise(cells: Sequence[str]) -> bool:
    numbers = [as_number(cell) for cell in cells]
    return all(a is not None and b is not None and a < b for a, b in pairwise(numbers))


def _below_names(body: _Body, rows: Sequence[Row]) -> TablePlace:
    sums = list(accumulate(map(body.weight, reversed(_above_footer(rows)))))[::-1]
    begin = sums.index(max(sums))
    if begin and body.are_years_beside_words(rows[begin]):
        begin += 1
    last = begin - 1
    while body.width > 2 and last >= max(0, begin - _MOST_HEADINGS) and body.is_heading(rows[last]):
        last -= 1
    above = last
    while above >= 0 and (
        _n_filled(rows[above]) == 1 or (rows[above][0] == rows[last][0] and _n_filled(rows[above]) <= _MOST_OF_A_REMARK)
    ):
        above -= 1
    while above > 0 and body.could_be_names(rows[above - 1]) and len(set(rows[above - 1])) > len(set(rows[above])):
        above -= 1  # "in" and "out" below names that differ
    if last - above >= MOST_HEADER_LINES and above >= 0 and body.width > 2 and body.could_be_names(rows[above]):
        return TablePlace(above, begin, body.width)  # remarks of a device stand below the names
    are_titles = body.width > 2 and all(_n_filled(row) == 1 for row in rows[: last + 1])
    if last < 0 or are_titles or not body.could_be_names(rows[last]):
        names, doubtful = body.vote(rows[begin:])
        return TablePlace(begin, begin + names, body.width, doubtful)
    top = last
    while top and 1 < len(rows[top - 1]) <= body.width:
        top -= 1
    while top < last and not (body.begins_names(rows[top]) or body.heads_groups(rows[top], rows[top + 1])):
        top += 1
    top = next((k for k in range(last, top + 1, -1) if body.begins_below_a_row(rows[k - 2 : k + 1])), top)
    if MOST_HEADER_LINES <= last - top <= _MOST_PROPERTIES and body.are_properties(rows[top : last + 1]):
        while last + 1 < len(rows) and body.is_alike(0, rows[last + 1][0]) is False:  # such as "Mean" above dates
            last += 1
        return TablePlace(top, last + 1, body.width)
    if last - top >= MOST_HEADER_LINES and _completes(rows[last], rows[top:last]):
        return TablePlace(last, last + 1, body.width)  # names of what describes the rows, below lines about samples
    if last - top >= MOST_HEADER_LINES:
        for k in range(top, last):  # a row that names every column, above rows that describe some columns
            is_full = len(rows[k]) == body.width == len(set(filter(None, rows[k])))
            if is_full and all(_n_filled(row) < body.width - 1 for row in rows[k + 1 : last + 1]):
                return TablePlace(k, last + 1, body.width)
        nearest = range(last, last - MOST_HEADER_LINES, -1)
        top = max(nearest if body.width <= _MOST_VALUES else nearest[::-1], key=lambda k: _n_filled(rows[k]))
    if top < last:
        # Such as MEN, below two lines of names or above one that says WOMEN further down.
        is_named = last - top > 1 and any(row[0] for row in rows[top:last])
        heads_rows = _is_heading_of_rows(rows[last]) and (is_named or any(map(_is_heading_of_rows, rows[last + 1 :])))
        return TablePlace(top, last + 1 - heads_rows, body.width)
    names, doubtful = body.vote(rows[top:])
    return TablePlace(top, top + names, body.width, doubtful)


def _is_heading_of_rows(row: Row) -> bool:
    return row[0] != "" and _n_filled(row) == 1 and not looks_like_a_number(row[0])


class _Body:
    """What the rows further down are like."""

    def __init__(self, rows: Sequence[Row]) -> None:
        widths = [len(row) for row in rows[-_LAST_ROWS:] if len(row) > 1] or list(map(len, rows))
        self.width = Counter(widths).most_common(1)[0][0]
        of_all = Counter(map(len, rows))
        most = max(of_all, key=lambda width: of_all[width] * width)  # of the most cells
        if most > 2 * self.width > 2 and of_all[most] * most > _TIMES_AS_MANY * of_all[self.width] * self.width:
            self.width = most  # the last rows are footnotes of two cells
        alike = _above_footer([row for row in rows if len(row) == self.width])
        below = (alike[max(MOST_HEADER_LINES, len(alike) // 2) :] or alike[1:] or alike)[-_SAMPLE_ROWS:]
        self.columns = list(zip(*below, strict=True))
        # A dict in place of a list: tables of 20,000 columns look up each of their cells.
        self.numeric = dict.fromkeys(k for k, cells in enumerate(self.columns) if _numbers(cells))
        self.levels = {
            k: set(cells)
            for k, cells in enumerate(self.columns)
            if k not in self.numeric and len(set(cells)) <= len(cells) / 2
        }
        shapes = {
            k: {pattern_of(cell) for cell in cells if not is_missing(cell)} for k, cells in enumerate(self.columns)
        }
        self.shapes = {  # of codes and dates
            k: found
            for k, found in shapes.items()
            if k not in self.numeric and k not in self.levels and len(found) == 1 and "9" in next(iter(found))
        }
        self.has_blanks = any(map(_have_blanks_behind, below))
        filled = Counter(tuple(k for k, cell in enumerate(row) if cell) for row in below)
        self.often_filled = {places for places, n in filled.items() if n > 1 < len(places)}
        self.usually_filled = sorted(map(_n_filled, below))[len(below) // 2]

    def weight(self, row: Row) -> int:
        """How much a row speaks for a table that begins at it or above."""
        if len(row) > self.width + (not row[-1]) or len(row) <= self.width // 2:
            return -1
        if self.is_foreign(row) or self.names_pairs(row):
            return _FOREIGN_ROW
        if len(row) < self.width:
            return 0
        fits = not self.is_sparse(row) or any(cell and self.is_alike(k, cell) for k, cell in enumerate(row))
        return 1 if fits else -1

    def names_pairs(self, row: Row) -> bool:
        """Whether its numbers have blanks behind them and those below do not, as names of loci above two alleles."""
        return not self.has_blanks and _have_blanks_behind(row)

    def is_sparse(self, row: Row) -> bool:
        """Whether a row has one cell, two of many, or fills the first ones only, as a title, a key with its value, or
        the heading of a group of rows, and as no two rows further down do."""
        filled = [k for k, cell in enumerate(row) if cell]
        if tuple(filled) in self.often_filled:
            return False
        most = 2 if self.usually_filled > _MANY_CELLS else 1
        if filled == list(range(len(filled))):
            most = max(most, self.width // 2)
        return len(filled) <= min(most, self.usually_filled - 1) and (self.width > 2 or bool(self.numeric))

    def could_be_data(self, row: Row) -> bool:
        is_full = self.width > _MOST_VALUES and _n_filled(row) >= self.usually_filled
        has_number = not self.is_sparse(row) and any(map(looks_like_a_number, row))
        return len(row) == self.width and (is_full or has_number)

    def is_heading(self, row: Row) -> bool:
        return self.is_sparse(row) and not self.is_foreign(row)

    def is_alike(self, k: int, cell: str) -> bool | None:
        """Whether a cell is a number, a word, or a code or date as those in its column; None where these differ."""
        if k in self.numeric:
            is_share = cell.endswith("%") and not any(other.endswith("%") for other in self.columns[k])
            return looks_like_a_number(cell) and not is_share  # a quantile
        if k in self.levels:
            return cell in self.levels[k]
        is_known = k in self.shapes and len(self.columns[k]) > _FEWEST_WITNESSES
        return pattern_of(cell) in self.shapes[k] if is_known else None

    def is_box(self, k: int, cell: str) -> bool:
        """Whether a column holds nothing but this cell and blanks, as an answer that was ticked below its own name."""
        return len(self.columns[k]) >= MOST_HEADER_LINES and set(self.columns[k]) == {"", cell}

    def fills_the_names(self, names: Row, below: Row) -> bool:
        """Whether a row of words fills the blanks of a row of names, as the answers below the questions of a survey do.
        Numbers such as "< 18" stand in columns without another cell, and most columns are boxes."""
        blank = [k for k, cell in enumerate(names) if not cell]
        filled = [(k, cell) for k, cell in enumerate(below[: self.width]) if cell]
        numbers = [(k, cell) for k, cell in filled if looks_like_a_number(cell)]
        are_answers = not numbers or 2 * sum(self.is_box(k, cell) for k, cell in filled) > len(filled)
        are_answers = are_answers and all({"", cell}.issuperset(self.columns[k]) for k, cell in numbers)
        return len(blank) > 1 and are_answers and len(below) == len(names) and all(below[k] for k in blank)

    def could_be_names(self, row: Row) -> bool:
        found = [row[k] for k in self.numeric if k < len(row) and looks_like_a_number(row[k])]
        fits = min(self.width, max(2, self.width - 1)) <= len(row) <= self.width + (not row[-1])
        in_order = not found or counts_up(found) or _are_years(dict.fromkeys(found)) or self.names_pairs(row)
        return fits and not self.is_heading(row) and (in_order or self.is_foreign(row))

    def begins_names(self, row: Row) -> bool:
        """Whether the row is no title, as one merged over the first columns; one that ends early without a gap is a
        remark, numbers between blanks too, and so is one with a key before its value, as "Start: 14:10:00"."""
        numbers = list(dict.fromkeys(filter(looks_like_a_number, row)))
        filled = [cell for cell in row if cell]
        if row[0] and len(set(filled)) == 1 < len(filled):
            return False
        if any(key.endswith(":") and (looks_like_a_number(cell) or _is_date(cell)) for key, cell in pairwise(filled)):
            return False
        if (
            numbers
            and not (counts_up(numbers) or _are_years(numbers))
            and (not all(row) or self.has_a_measurement(row))
        ):
            return False
        return not self.is_sparse(row) and not (len(row) < self.width and all(row))

    def begins_below_a_row(self, rows: Sequence[Row]) -> bool:
        """Whether the last of three rows names each column, below names of fewer columns and the only row of these,
        such as the place of a station."""
        above, row, names = rows
        filled = [k for k, cell in enumerate(row) if cell]
        numbers = [cell for cell in row if looks_like_a_number(cell)]
        words = [above[k] for k in filled if k < len(above)]
        is_row = len(set(numbers)) >= _FEWEST_WITNESSES and not (counts_up(numbers) or _are_years(set(numbers)))
        is_named = len(set(filter(None, words))) == len(filled) == _n_filled(above) < self.width
        known = len(set(filter(None, names))) == self.width
        return is_row and is_named and known and not any(map(looks_like_a_number, (*words, *names)))

    def heads_groups(self, row: Row, below: Row) -> bool:
        """Whether the row holds words over groups of columns of numbers, the first of them over the first of these, or
        the first words of names that go on in a row `below` that has most cells blank too."""
        filled = [k for k, cell in enumerate(row) if cell]
        numbers = {row[k] for k in filled if looks_like_a_number(row[k])}
        if len(filled) < 2 or not filled[0] or (numbers and not _are_years(numbers)):
            return False
        over_groups = len(self.numeric) > _MANY_CELLS and filled[0] == min(self.numeric)
        goes_on = 2 * _n_filled(below) < len(below) and all(below[k] for k in filled if k < len(below))
        return over_groups or (goes_on and all(len(row[k]) <= _SHORT_NAME for k in filled))

    def has_date_above_dates(self, row: Row) -> bool:
        """Whether the row has one, and no words above numbers."""
        columns = enumerate(self.columns)
        found = any(_is_date(row[k]) and {pattern_of(row[k])} == set(map(pattern_of, cells)) for k, cells in columns)
        return found and all(is_missing(row[k]) or looks_like_a_number(row[k]) for k in self.numeric)

    def has_a_measurement(self, row: Row) -> bool:
        """Whether the row is a key, a value with decimals and its unit."""
        return self.width <= _MOST_VALUES and any("." in cell and looks_like_a_number(cell) for cell in row)

    def is_foreign(self, row: Row) -> bool:
        """Whether a row differs in kind from most of the columns of numbers and of words that repeat."""
        votes, n_words, has_number = [], 0, False
        known = self.levels if len(self.columns[0]) >= _FEWEST_KNOWN else {}  # a word may be new in a short table
        for k in (*self.numeric, *self.shapes, *known):
            cell = row[k] if k < len(row) else ""
            if is_missing(cell):
                if sum(map(is_missing, self.columns[k])) <= _FEW_GAPS * len(self.columns[k]):
                    votes.append(not cell)
                continue
            foreign = self.is_alike(k, cell) is False
            votes.append(foreign)
            has_number = has_number or (k in self.numeric and not foreign)
            n_words += foreign and (k not in known or not has_number)
        return len(votes) >= _FEWEST_WITNESSES and n_words > 0 and sum(votes) >= _FOREIGN * len(votes)

    def are_years_beside_words(self, row: Row) -> bool:
        """Whether a row that has numbers names columns: years where there are none below, and words or blanks beside
        them above numbers."""
        found = [k for k in self.numeric if k < len(row) and looks_like_a_number(row[k])]
        years = _are_years(dict.fromkeys(row[k] for k in found)) and not _are_years([self.columns[k][0] for k in found])
        return years and len(found) < len(self.numeric) and _n_filled(row) > len(found)

    def are_properties(self, rows: Sequence[Row]) -> bool:
        """Whether the first row names each column, of numbers mostly, and the others tell of them, as units do."""
        names = rows[0][1:] if not rows[0][0] else rows[0]
        known = all(names) and len(set(names)) == len(names) and not any(map(looks_like_a_number, names))
        alike = all(row[0] and len(row) == self.width for row in rows[1:])
        is_wide = _MOST_VALUES < self.width < 2 * len(self.numeric)
        return known and alike and is_wide and len({row[0] for row in rows[1:]}) == len(rows) - 1

    def numbers_samples(self, row: Row, below: Sequence[Row]) -> bool:
        """Whether a row holds a word above dates or numbers that count the rows, and different whole numbers above
        decimals."""
        numbers = {cell for cell in row[1:] if cell.isdecimal()}
        alike = len(row) > _MANY_CELLS and len(numbers) == len(row) - 1 == sum(k > 0 for k in self.numeric)
        cells = [each[0] for each in below]
        counted = len(below) > _FEWEST_WITNESSES and (counts_up(cells) or all(map(_is_date, cells)))
        return alike and counted and all({".", ","} & set("".join(cells)) for cells in self.columns[1:])

    def is_of_codes(self, row: Row, below: Sequence[Row]) -> bool:
        """Whether three columns of numbers or more hold another number in this row of whole ones, and the same one in
        all others, as flags below the codes of what was measured."""
        same = [k for k in self.numeric if len(set(self.columns[k])) == 1 and self.columns[k][0]]
        differ = all(row[k] != each[k] == self.columns[k][0] for each in below for k in same if k < len(each))
        is_full = len(row) == self.width and all(map(str.isdecimal, row))
        return is_full and differ and len(same) >= _FEWEST_PAIRS and len(below) >= _FEWEST_KNOWN

    def vote(self, rows: Sequence[Row]) -> tuple[int, bool]:
        """(how many of the first rows hold names, whether that is doubtful).

        None does where the first one holds numbers in every column of numbers. Else each column whose cells are alike,
        as numbers, as words that repeat or as codes and dates, speaks for names where the first cell differs in kind,
        for data where it does not. It is doubtful where columns disagree or none of numbers speaks.

        Numbers can be names too, of years or of a data frame's columns: where three or more count up by one, or ten or
        more increase, or decrease, and those of no row below do, as wavelengths, and the words beside them occur
        nowhere below.
        """
        first, columns = rows[0], self.columns
        if self.names_pairs(first):
            return 1, False
        if len(first) < self.width:
            first = ("", *first) if len(first) == self.width - 1 else (*first, *[""] * (self.width - len(first)))
        if self.has_date_above_dates(first):
            return 0, False
        if self.is_of_codes(first, rows[1:]):
            return 1, True
        if all(map(looks_like_a_number, first)):
            return int(counts_up(first) and first[0] in ("0", "1")), False
        found = [k for k in self.numeric if self.is_alike(k, first[k])]
        cells = [first[k] for k in found]
        in_order = counts_up(cells) or _are_years(cells) > _are_years([columns[k][0] for k in found])
        in_order = in_order or self.numbers_samples(first, rows[1:])
        in_order = in_order or (
            _rise_or_fall(cells)
            and not any(_rise_or_fall(row) for row in zip(*(columns[k] for k in found), strict=True))
        )
        if found and len(found) == len(self.numeric):
            words = [k for k, cell in enumerate(first[: self.width]) if cell and not looks_like_a_number(cell)]
            could_be = not any(first[k] in columns[k] or self.is_alike(k, first[k]) for k in words)
            are_names = could_be and in_order
            return int(are_names) and 1 + _goes_on(rows), could_be and not are_names
        if rows[0] in rows[1:]:
            return 1, False
        if len(rows) > MOST_HEADER_LINES and self.fills_the_names(rows[0], rows[1]):
            named = [(k, cell) for k, (name, cell) in enumerate(zip(*rows[:2], strict=True)) if name]
            below = [(k, cell) for k, cell in named if not self.is_box(k, cell)]
            are_cells = any("9" in pattern_of(cell) and self.is_alike(k, cell) for k, cell in below)
            return (1 if are_cells else 2), False
        is_data = [
            self.is_alike(k, first[k])
            for k in range(self.width)
            if not is_missing(first[k]) and not (in_order and k in found) and not self.is_box(k, first[k])
        ]
        n_data, n_names = is_data.count(True), is_data.count(False)
        if n_data > n_names:
            return 0, n_names > 0 or not found or not all(first)
        return 1 + _goes_on(rows), n_data > _FEW_AGAINST * n_names or not n_names


def words_beyond(rows: Sequence[Row], n_columns: int, between_blanks: bool) -> Callable[[Row], bool]:
    """Tells of a row with too many cells whether it is right up to its last column and has words in the cells beyond,
    as a message that holds the separator.

    rows: those of a table. Most have so many cells, the last of which holds words that repeat in no two of them, or
    between blanks any: else no row is.
    """
    whole = [row for row in rows if len(row) == n_columns]
    cells = [row[-1] for row in whole if row[-1]]
    is_text = not all(map(looks_like_a_number, cells)) if between_blanks else not any(map(looks_like_a_number, cells))
    repeats = not between_blanks and len(set(cells)) < len(cells)
    if n_columns == 1 or not is_text or repeats or 2 * len(whole) <= len(rows):
        return lambda row: False
    body, shapes = _Body(rows), dict[int, str]()
    for k, column in enumerate(body.columns[: n_columns - 1]):
        found = {pattern_of(cell) for cell in column if not is_missing(cell)}
        if k not in body.numeric and len(found) == 1 and "9" in next(iter(found)):
            shapes[k] = found.pop()

    def fits(row: Row) -> bool:
        numbers = [row[k] for k in body.numeric if k < n_columns - 1 and not is_missing(row[k])]
        coded = [k for k in shapes if not is_missing(row[k])]
        alike = all(map(looks_like_a_number, numbers)) and all(pattern_of(row[k]) == shapes[k] for k in coded)
        return bool(numbers or coded) and alike and not any(map(looks_like_a_number, row[n_columns:]))

    return fits


def _above_footer(rows: Sequence[Row]) -> Sequence[Row]:
    """The rows without the last ones of a single cell; all where no row has more."""
    return rows[: next((k for k in range(len(rows), 0, -1) if _n_filled(rows[k - 1]) > 1), len(rows))]


def _n_filled(row: Row) -> int:
    return sum(map(bool, row))


def pattern_of(cell: str) -> str:
    """ "AB-1024" as "a-9": letters and digits of any number."""
    return re.sub(r"[^\W\d_]+", "a", re.sub(r"\d+", "9", cell))


def _is_date(cell: str) -> bool:
    return re.match(r"\d+([-/:.])\d+\1\d+", cell) is not None


def _names_the_index(rows: Sequence[Row]) -> bool:
    """Whether the second row, and no other one, holds its first cell only: the name of the row names."""
    alone = [bool(row[0]) and not any(row[1:]) for row in rows]
    return len(rows[0]) > 2 and len(rows) > _FEWEST_WITNESSES + 1 and alone[1] and sum(alone) == 1


def _goes_on(rows: Sequence[Row]) -> bool:
    """Whether the names go on in the second row: with the name of the row names, or with times or years below names
    that are alike, and nothing where the rows have their own."""
    if _names_the_index(rows):
        return True
    if len(rows) <= MOST_HEADER_LINES or len(rows[1]) != len(rows[0]) or rows[1][0]:
        return False
    numbers = [k for k, cell in enumerate(rows[1]) if looks_like_a_number(cell)]
    alike = 2 * len({rows[0][k] for k in numbers}) <= len(numbers) or all(rows[1][k] in rows[0][k] for k in numbers)
    cells = [rows[1][k] for k in numbers]
    in_order = _rise_or_fall(cells) or (_are_years(set(cells)) and not _are_years({rows[2][k] for k in numbers}))
    return alike and in_order and all(row[0] for row in rows[2:])


def _have_blanks_behind(row: Row) -> bool:
    """Whether three numbers or more, behind another cell, each have a blank behind them."""
    places = [k for k, cell in enumerate(row) if looks_like_a_number(cell)]
    return (
        len(places) >= _FEWEST_PAIRS and places[0] > 0 and all(not cell for k in places for cell in row[k + 1 : k + 2])
    )


def _numbers_columns(row: Row) -> bool:
    """Whether the filled cells of a row number the columns above them from 1 on, behind a word for that or none."""
    cells = [cell for cell in row if cell]
    own = cells[1:] if cells and not looks_like_a_number(cells[0]) else cells
    return own[:1] == ["1"] and len(own) >= _FEWEST_NUMBERED * (1 + (own != cells)) and counts_up(own)


def _rise_or_fall(cells: Sequence[str]) -> bool:
    """Whether ten numbers or more increase from cell to cell, or decrease, as the wavenumbers of a spectrum do."""
    numbers = [number for cell in cells if (number := as_number(cell.replace(",", "."))) is not None]
    steps = {(a > b) - (a < b) for a, b in pairwise(numbers)}
    return _FEWEST_IN_ORDER <= len(numbers) == len(cells) and steps in ({1}, {-1})


def _are_years(cells: Collection[str]) -> bool:
    year = rf"(?:1[5-9]|20)\d\d(?:\.(?:0[1-9]|1[0-2]))?(?:\s*[{FOOTNOTES}])?"  # or a month, "2024.05"
    years = {cell for cell in cells if re.fullmatch(year, cell)}
    return len(years) == len(cells) > 1


def _numbers(cells: Iterable[str]) -> bool:
    present = [cell for cell in cells if not is_missing(cell)]
    return bool(present) and all(map(looks_like_a_number, present))


def lacks_a_name(rows: Sequence[Row]) -> bool:
    """Whether each row has one cell more than there are names, the first of all rows, as R writes it: all different.
    These are no identifier that the first name names, neither numbers nor above second cells that could be one."""
    names, *others = rows
    # A row that ends in the separator has a blank cell more, at its end.
    longer = all(len(row) == len(names) + 1 for row in others) and any(row[-1] for row in others)
    are_names = not any(map(looks_like_a_number, names)) or counts_up(names) or _are_years(names)
    firsts, seconds = ([row[k] for row in others] for k in (0, 1)) if longer else ([], [])
    is_named = _COUNTS.fullmatch(names[0]) and not any(map(looks_like_a_number, firsts))
    if is_named and len(set(seconds)) < len(seconds):
        return False
    return longer and are_names and 1 < len(others) == len(set(firsts)) and len(names) > 1


_COUNTS = re.compile(
    r"(?:.*[\W_])?(?:id|nos?\.?|nr\.?|num|number|index|row|rank|lp\.?|№|番号|序号|编号)|#|n", re.IGNORECASE
)


def lacks_the_first_name(rows: Sequence[Row]) -> bool:
    """Whether the names stand one column too far left: the last one is blank, and the first stands above numbers that
    count the rows, but is no name of such numbers."""
    names, *others = rows
    alike = len(others) > _FEWEST_WITNESSES and all(len(row) == len(names) and row[-1] for row in others)
    is_short = len(names) > 2 and not names[-1] and all(names[:-1]) and not _COUNTS.fullmatch(names[0])
    return alike and is_short and counts_up([row[0] for row in others])


def starts_a_table(rows: Sequence[Row], place: TablePlace) -> bool:
    """Whether the names at this place stand above rows of numbers for sure."""
    if not place.n_names or len(rows) < place.first + _FEWEST_WITNESSES or place.width == 1:
        return False
    body, head = _Body(rows[place.first :]), list(rows[place.top : place.first])
    if len(head) == 2 and len(head[0]) == body.width and len(head[1]) == 1 and not any(map(str.isalnum, head[1][0])):
        del head[1]  # a line drawn below the names
    is_drawn = any(sum(map(bool, row)) > 1 and not any(map(str.isalnum, "".join(row))) for row in head)
    names = head[0] if is_drawn else head[-1]  # units may stand above a line drawn
    above = [names[k] for k in body.numeric if k < len(names)]
    are_words = len(above) > 1 and not any(is_missing(cell) or looks_like_a_number(cell) for cell in above)
    wide = max(map(len, head))
    lines = [(*row, *[""] * (wide - len(row))) for row in ([names] if is_drawn else head)]
    differ = {cells for cells in zip(*carried(lines), strict=True) if any(cells)}
    return bool(above) and (are_words or not place.doubtful) and 2 * len(differ) > body.width
