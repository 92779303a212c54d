"""Rows of totals and means among those of a table: by their words, or since their numbers are sums."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain, combinations

import numpy as np

from datasets.columns.cells import Column, column_of, dates_or_times
from datasets.reading import Table
from datasets.reading.numerals import as_number, looks_like_a_number
from datasets.reading.widening import follows, joint_codes

_TOTALS = (  # no word of these is anything else
    r"(?:(?:grand|state|system|national|regional|county|district|overall) |sub-?)?totals?|insgesamt"
    r"|total (?:général|geral|general|nacional)|totale (?:complessivo|generale)|gesamtsumme|zwischensumme|zusammen"
    r"|totaux|celkem|součet|razem|ogółem|итого"
    r"|всего|всього|общо|ukupno|skupaj|spolu|σύνολο|kokku|kopā|totaal|totalt|totales|genel toplam"
    r"|yhteensä|toplam|összesen|المجموع|الإجمالي|合计|总计|小计|合計|總計|總數|小計|합계|소계"
    r"|総計|総数|全[国省市县區区]計?|총계|전국|российская\s+федерация|[\w-]+\s+федеральный\s+округ"
    r"|__(?:no_feature|ambiguous|too_low_aqual|not_aligned|alignment_not_unique)"  # HTSeq, then STAR
    r"|n_(?:unmapped|multimapping|nofeature|ambiguous)"
)
_TOTAL = re.compile(_TOTALS, re.IGNORECASE)
MEANS = (
    r"means?|averages?|avg\.?|mittelwert|durchschnitt|moyenne|médi[ae]|media|promedio|celkem/průměr|průměr|średnia"
    r"|среднее|平均[值値]?|평균"
)
EXTREMES = r"medians?|min(?:imum)?|max(?:imum)?"
SPREADS = (
    r"(?:relative )?(?:std\.?(?: ?dev(?:iation)?\.?)?|st\.? ?dev\.?|standard deviation)"
    r"|sd|(?:% ?)?(?:rsd|cv)(?: ?%| ?\(%\))?"
)
_SPREAD = re.compile(SPREADS, re.IGNORECASE)
SUMMARY = re.compile(
    "|".join((_TOTALS, SPREADS, MEANS, EXTREMES))
    + r"|sums?|all(?: \w+)?|lo[dq]|mdl|limits? of detection|detection limits?|count|n"
    r"|25%|50%|75%|gesamt|summe|missing data freq\.?|(?:plate|max) lod|normali[sz]ation"  # as Olink writes below
    r"|(?:[\w.]+ ){1,3}target"
    r"|latest \w+ (?:months|quarters|weeks)|year to date|% change.*"
    r"|totale|summa",
    re.IGNORECASE,
)
# "North (Total)", "Spain Total6, 7"
_SAYS_TOTAL = re.compile(r".*[^\W\d_].*\b(?:sub-?)?total[\s\d,)*]*", re.IGNORECASE)
_OTHER_UNIT = re.compile(r"(?:percent|per ?cent|%)[ -]change.*|rate per [\d,. ]+.*", re.IGNORECASE)
_TOTAL_OF = re.compile(  # "North Total", as spreadsheets write below a group, and "Subtotal North"
    r"(.+?)[ :,-]+(?:sub-?totals?|total|average|mean|count|gesamt|summe|всего)"
    r"|(?:sub-?total|total|summe|total de|total of)[ :,-]+(.+)",
    re.IGNORECASE,
)
MOST_SUMMARIES = 10
FEWEST_OF_A_TOTAL = 3  # rows of a group that a total or a heading belongs to
_FIRST_COLUMNS, _FEW_WORDS = 4, 50
_IDEOGRAPHS = "\u3000"
_SUM_AS_ROUNDED = 1e-3
_FEWEST_TOTALS, _IN_GROUPS = 3, 0.8  # totals with two rows or more; share of the rows below a total
_SMALL, _MANY_PARTS = 30, 20  # a sum; rows
_FEWEST_COLUMNS = 3  # of numbers with sums of two levels
_INTERVAL = re.compile(r"(\d{1,9})(?:\s*[-–~～〜]\s*(\d{1,9})|\s*(\+))?")  # "0", "1-4", "65+"
_MANY_INTERVALS = 200
_FEWEST_SUMS = 5  # that hold, in all groups and columns
_MOST_NUMBERS, _MOST_OTHERS = 30, 4  # columns looked at; those before the first that holds sums
_SHORTEST_CODE, _ABOUT = 5, 0.02  # digits; estimates need not add up
_MOST_TOTALS = 0.75  # share of the rows with a word such as "Total" in some column


def summaries(table: Table, taken: set[int]) -> list[int]:
    """Rows with a word such as "Total" in one of the first columns, or one of a few words further on; with others such
    as "mean" where these are few and all first or last, or where a column holds nothing else; and rows that hold the
    sums of the others."""
    n = table.n_rows
    free = [k for k in range(n) if k not in taken]
    below = below_dates(table, free)
    if below and all(any(map(looks_like_a_number, table.row(k))) for k in below):
        return below
    groups = set[str]()  # in any of the first columns, such as the one of regions
    for name in table.columns[:_FIRST_COLUMNS]:
        levels = column_of(table, name).levels
        groups.update(cell for cell, n in zip(levels.values, levels.counts.tolist(), strict=True) if n > 1)
    totals = set[int]()
    for place, name in enumerate(table.columns):
        if place >= _FIRST_COLUMNS and not _has_a_total(column_of(table, name)):
            continue
        if not column_of(table, name).numbers.words.any():
            continue
        cells = table.column(name)
        of_groups = [k for k in free if (match := _TOTAL_OF.fullmatch(cells[k])) and (match[1] or match[2]) in groups]
        rows = sorted({*of_groups, *(k for k in free if SUMMARY.fullmatch(_plain(cells[k])))})
        filled = [k for k in free if cells[k]]
        are_marked = 2 * len(rows) > len(filled) and filled in (rows, free[-len(filled) :])
        if are_marked and len(filled) <= len(free) / FEWEST_OF_A_TOTAL:
            return filled  # the column marks them, "Average - 1" too, and is blank elsewhere
        are_spreads = bool(rows) and all(_SPREAD.fullmatch(_plain(cells[k])) for k in rows)
        are_spreads = are_spreads and _are_marked(table, rows, free)  # below each sample, and no group
        are_totals = bool(of_groups) or are_spreads or all(_TOTAL.fullmatch(_plain(cells[k])) for k in rows)
        if place >= _FIRST_COLUMNS and not _hold_sums(table, name, rows, free):
            continue  # such as a total loss
        are_few = len(rows) <= len(free) / (2 if are_spreads else FEWEST_OF_A_TOTAL)
        if are_totals and are_few and len({*totals, *rows}) <= _MOST_TOTALS * len(free):
            totals.update(rows)  # wherever they stand, as below each group of rows
        others = np.setdiff1d(free, rows)
        if (
            place > 1
            or totals
            or not rows
            or not len(others)
            or np.diff(np.searchsorted(free, others[[0, -1]])) >= len(others)
        ):
            continue
        different = len({cells[k].lower() for k in rows})
        rare = len(rows) <= min(MOST_SUMMARIES, max(2, n // 4)) and different > len(rows) / 2
        if rare and 2 * sum(any(map(looks_like_a_number, table.row(k))) for k in rows) >= len(rows):
            return rows
    free = [k for k in free if k not in totals]
    for found in (_in_another_unit, _named_totals):
        totals.update(found(table, free))
        free = [k for k in free if k not in totals]
    sums = (
        _sums_of_the_others(table, free)
        or _sum_without_a_code(table, free)
        or _two_levels_at_an_end(table, free)
        or _joined_intervals(table, free)
        or _level_of_sums(table, free)
        or _sums_within_groups(table, free)
        or _codes_of_levels(table, free)
        or _counts_of_cells(table, free)
    )
    return sorted({*totals, *sums})


def _in_another_unit(table: Table, free: list[int]) -> list[int]:
    """Rows with "Percent change" or "Rate per 100,000" in one of the first columns, of numbers such as years."""
    for name in table.columns[:_FIRST_COLUMNS]:
        column = column_of(table, name)
        if column.kind == "numbers" and column.numbers.words.any():
            levels = column.levels
            could = [k for k, cell in enumerate(levels.values) if _OTHER_UNIT.fullmatch(cell)]
            rows = [k for k, is_one in zip(free, np.isin(levels.codes[free], could).tolist(), strict=True) if is_one]
            if rows and len(rows) == int(column.numbers.words[free].sum()):
                return rows
    return []


def _named_totals(table: Table, free: list[int]) -> list[int]:
    """Rows whose name in the first column ends with "total", if most hold, in a column of whole numbers, the sum of the
    rows above, down from another total; or if they have one name, and no other row has more in two columns or more."""
    names = column_of(table, table.columns[0])
    could = {k for k, cell in enumerate(names.levels.values) if _SAYS_TOTAL.fullmatch(cell)}
    heads = np.array([names.levels.codes[k] in could for k in free])
    if not heads.any() or heads.sum() > len(free) / FEWEST_OF_A_TOTAL:
        return []
    columns = (column_of(table, name) for name in table.columns[1:])
    numbers = [np.nan_to_num(column.numbers.values[free]) for column in columns if column.kind == "numbers"]
    values = [each for each in numbers if (each == np.floor(each)).all() and 2 * len(np.unique(each)) > len(free)]
    part = np.concatenate([[0], np.cumsum(heads)[:-1]])  # a total ends its part
    rows = [free[k] for k in np.flatnonzero(heads)]
    for each in values:
        sums = np.bincount(part, weights=np.where(heads, 0.0, each))[part][heads]
        if ((sums >= _SMALL) & np.isclose(sums, each[heads], rtol=_SUM_AS_ROUNDED)).mean() >= _IN_GROUPS:
            return rows
    is_most = [each[heads].max() > max(each[~heads].max(), 0.0) for each in values]
    return rows if len(could) == 1 and len(is_most) > 1 and all(is_most) else []


def _codes_of_levels(table: Table, rows: list[int]) -> list[int]:
    """The rows of states among their counties: a code filled with zeros, as 01000, begins like those of the rows that
    belong to it, and a column of numbers holds about their sum. 00000 is the code of the country."""
    columns = [column_of(table, name) for name in table.columns]
    for column in columns[:_FIRST_COLUMNS]:
        values = column.levels.values
        differ = len(values) == len(table.line_numbers) >= _MANY_PARTS
        if not differ or not all(map(str.isdecimal, values[:_MANY_PARTS])):
            continue
        cells = [values[code] for code in column.levels.codes[rows].tolist()]
        width = max(map(len, cells))
        if width < _SHORTEST_CODE or not all(map(str.isdecimal, cells)):
            continue
        codes = np.array([int(cell) for cell in cells])
        for n_zeros in range(width - 1, 1, -1):
            levels, level = np.unique(codes // 10**n_zeros, return_inverse=True)
            is_head, n_levels = codes % 10**n_zeros == 0, len(levels)
            n_heads, n_parts = (np.bincount(level[of], minlength=n_levels) for of in (is_head, ~is_head))
            full = (n_heads == 1) & (n_parts >= FEWEST_OF_A_TOTAL)
            if full.sum() < _FEWEST_TOTALS or n_parts[full].sum() < _IN_GROUPS * n_parts.sum():
                continue
            for other in (each for each in columns if each is not column and each.kind == "numbers"):
                numbers = np.nan_to_num(other.numbers.values[rows])
                total, parts = (np.bincount(level[of], numbers[of], n_levels)[full] for of in (is_head, ~is_head))
                if (np.isclose(total, parts, rtol=_ABOUT, atol=0.0) & (parts > 0)).mean() >= _IN_GROUPS:
                    return [rows[k] for k in np.flatnonzero(is_head)]
    return []


def _hold_sums(table: Table, name: str, rows: list[int], free: list[int]) -> bool:
    """Whether these rows hold, in a column of numbers, the sums of the others with the same words beside them."""
    others = [column_of(table, other) for other in table.columns if other != name]
    keys = [column.levels.codes[free] for column in others if column.kind == "words"]
    group, is_total = joint_codes(keys, len(free)), np.isin(free, rows)
    for column in others:
        values = np.nan_to_num(column.numbers.values[free])
        total, parts = (np.bincount(group, weights=values * of) for of in (is_total, ~is_total))
        both = (total > 0) & (parts > 0)
        sums = np.isclose(total[both], parts[both], rtol=_SUM_AS_ROUNDED)
        if column.has_many_numbers and len(sums) and sums.mean() >= _IN_GROUPS:
            return True
    return False


def _are_marked(table: Table, rows: list[int], free: list[int]) -> bool:
    """Whether a column is blank in just these rows, as the number of the sample, or has percentages just there."""
    columns = [table.column(name) for name in table.columns]
    blank = ([k for k in free if not cells[k]] for cells in columns)
    percentages = ([k for k in free if cells[k].endswith("%")] for cells in columns)
    return any(found == rows for found in chain(blank, percentages))


def _plain(cell: str) -> str:
    """The cell without a colon at its end, and without blanks between ideographs, as "全　国" is written."""
    cell = cell.rstrip(":")
    return "".join(cell.split()) if max(cell, default="") >= _IDEOGRAPHS else cell


def _has_a_total(column: Column) -> bool:
    """Whether one of a few different words says "total"."""
    return column.kind == "words" and column.n_values <= _FEW_WORDS and any(map(_TOTAL.fullmatch, column.levels.values))


def totals_of_groups(table: Table, taken: set[int]) -> list[int]:
    """Rows each of which holds the sum of the rows below it, down to the next one, in a column of whole numbers."""
    free = np.array([k for k in range(table.n_rows) if k not in taken])
    if not column_of(table, table.columns[0]).numbers.words.any():
        return []
    for name in table.columns[1:]:
        column = column_of(table, name)
        could_be = column.kind == "numbers" and column.is_whole and column.n_values > len(free) / 2
        if not could_be or column.n_missing > len(free) / 2:
            continue
        heads = _sums_of_those_below(np.nan_to_num(column.numbers.values[free]))
        if heads:
            return free[heads].tolist()
    return []


def _sums_of_those_below(values: np.ndarray) -> list[int]:
    """The places of numbers that are each the sum of those behind it, up to the next such one; [] unless these make up
    most of the numbers, (n,)."""
    if len(values) < _FEWEST_TOTALS * FEWEST_OF_A_TOTAL or values.min() < 0:
        return []
    sums = np.concatenate([[0.0], np.cumsum(values)])
    heads, sizes, k = list[int](), list[int](), 0
    while k < len(values) - 1:
        end = int(np.searchsorted(sums, sums[k + 1] + values[k], side="right")) - 1
        if values[k] > 0 and end > k + 1 and sums[end] == sums[k + 1] + values[k]:
            heads.append(k)
            sizes.append(end - k - 1)
            k = end
        else:
            k += 1
    enough = sum(size > 1 for size in sizes) >= _FEWEST_TOTALS and sum(sizes) + len(sizes) >= _IN_GROUPS * len(values)
    by_chance = not heads or np.median(values[heads]) < _SMALL  # small numbers are often sums of those behind them
    return heads if enough and not by_chance else []


def below_dates(table: Table, rows: list[int]) -> list[int]:
    """The last of the rows, where their first column holds dates and these hold something else there."""
    first = table.columns[0]
    if not column_of(table, first).times:
        return []
    cells = table.column(first)
    is_date = (bool(dates_or_times([cells[k]])) for k in reversed(rows))
    n_below = next((k for k, found in enumerate(is_date) if found), 0)
    below = rows[-n_below:] if 0 < n_below <= MOST_SUMMARIES else []
    are_words = all(sum(map(str.isalpha, cells[k])) > sum(map(str.isdigit, cells[k])) for k in below)
    return below if are_words else []  # "199?-??-??" is a date, too


def _sums_of_the_others(table: Table, rows: list[int]) -> list[int]:
    """Those of the rows that hold, wherever they have numbers, two or more, the sums of all the others, of which three
    are not 0; or hold those of three columns or more, and shares in others."""
    holds, n_sums, n_large = (
        np.ones(len(rows), dtype=bool),
        np.zeros(len(rows), dtype=int),
        np.zeros(len(rows), dtype=int),
    )
    for name in table.columns:
        column = column_of(table, name)
        if column.kind != "numbers":
            continue
        values = column.numbers.values[rows]
        there, others = np.isfinite(values), np.nansum(values) - np.nan_to_num(values)
        is_sum = there & np.isclose(others, values, rtol=_SUM_AS_ROUNDED, atol=0.0) & bool((values > 0).any())
        is_sum &= np.count_nonzero(np.nan_to_num(values)) > FEWEST_OF_A_TOTAL
        holds &= ~there | is_sum
        n_sums += is_sum
        n_large += is_sum & (values >= _SMALL)
    return [rows[k] for k in np.flatnonzero((holds & (n_sums > 1)) | (n_large >= FEWEST_OF_A_TOTAL))]


def _counts_of_cells(table: Table, rows: list[int]) -> list[int]:
    """The last of the rows, if each of its numbers, three or more, counts the cells above it that are filled."""
    columns = [column_of(table, name) for name in table.columns]
    said = [(column, as_number(column.cell(rows[-1]))) for column in columns] if rows else []
    filled = [(number, sum(map(bool, table.column(column.name))) - 1) for column, number in said if number is not None]
    counts = all(number == n for number, n in filled) and len(filled) >= FEWEST_OF_A_TOTAL
    return [rows[-1]] if counts and filled[0][1] >= FEWEST_OF_A_TOTAL else []


def _sum_without_a_code(table: Table, rows: list[int]) -> list[int]:
    """The first or last of the rows, if it is the only one that is blank in the first or second column and holds, in a
    column of whole numbers, the sum of the others, as a country above its communes."""
    columns = [column_of(table, name) for name in table.columns]
    values = [column.numbers.values[rows] for column in columns if column.kind == "numbers" and column.is_whole]
    for k in (0, len(rows) - 1) if len(rows) >= _MANY_PARTS else ():
        is_alone = any(column.n_missing == 1 and column.numbers.gaps[rows[k]] for column in columns[:2])
        if is_alone and any(each[k] >= _SMALL and each[k] == np.nansum(each) - each[k] for each in values):
            return [rows[k]]
    return []


def _two_levels_at_an_end(table: Table, rows: list[int]) -> list[int]:
    """The last row and the few before it whose sums it holds, as a city and its boroughs below their quarters, where
    the rows above them add up to about the same; or such rows at the beginning."""
    columns = [column for name in table.columns if (column := column_of(table, name)).kind == "numbers"]
    values = [np.nan_to_num(column.numbers.values[rows], posinf=0.0) for column in columns[:_MOST_NUMBERS]]
    values = [each for each in values if len(each) >= _MANY_PARTS and each.min() >= 0]
    for step in (-1, 1) if values else ():
        turned = np.array(values)[:, ::step]
        total, below = turned[:, :1], turned[:, 1 : MOST_SUMMARIES + 1].cumsum(axis=1)
        rest = turned[:, 1:].sum(axis=1, keepdims=True) - below
        are_about = (total >= _SMALL) & np.isclose(rest, total, rtol=_ABOUT, atol=0.0)
        n_sums = (are_about & np.isclose(below, total, rtol=_SUM_AS_ROUNDED, atol=0.0)).sum(axis=0)
        n = int(n_sums.argmax()) + 2
        if n_sums.max() >= _FEWEST_COLUMNS and 2 * n_sums.max() > are_about[:, n - 2].sum():
            return sorted(rows[::step][:n])
    return []


def _level_of_sums(table: Table, rows: list[int]) -> list[int]:
    """The rows of a country among its regions, of which each has a row for each year, say: in all of them every number
    is the sum of those of the other levels beside the same cells."""
    columns = [column_of(table, name) for name in table.columns]
    for column in columns[:_FIRST_COLUMNS]:
        levels, codes = np.unique(column.levels.codes[rows], return_inverse=True)
        n_each = len(rows) // len(levels)
        if column.kind != "words" or len(levels) <= FEWEST_OF_A_TOTAL or n_each < 2 or np.ptp(np.bincount(codes)):
            continue
        by_level, keys, measured = np.argsort(codes, kind="stable"), list[np.ndarray](), list[Column]()
        for other in (each for each in columns if each is not column):
            if follows(codes, other.levels.codes[rows]):  # a code of each
                continue
            own = other.levels.codes[rows] if other.n_values <= n_each else np.arange(len(rows))
            cells = np.sort(own[by_level].reshape(-1, n_each), axis=1)
            if (cells == cells[0]).all():
                keys.append(own)
            else:
                measured.append(other)
        if not measured or any(other.kind != "numbers" for other in measured):
            continue
        order = np.lexsort((*keys, codes))
        holds = np.ones(len(levels), dtype=bool)
        for other in measured:
            if not holds.any():
                break
            values = np.nan_to_num(other.numbers.values[rows])[order].reshape(-1, n_each)
            total = values.sum(axis=0)
            holds &= np.isclose(2 * values, total, rtol=_SUM_AS_ROUNDED).all(axis=1) & bool((total > 0).any())
        if holds.any():
            return [rows[k] for k in np.flatnonzero(holds[codes])]
    return []


def _joined_intervals(table: Table, rows: list[int]) -> list[int]:
    """The rows of intervals, such as 0-14, that others of the column join to, such as 0-4, 5-9 and 10-14, where two
    columns of numbers hold their sums."""
    columns = [column_of(table, name) for name in table.columns]
    for column in (each for each in columns[:_FIRST_COLUMNS] if each.kind == "words"):
        names, codes, counts = np.unique(column.levels.codes[rows], return_inverse=True, return_counts=True)
        if not FEWEST_OF_A_TOTAL <= len(names) <= _MANY_INTERVALS or np.ptp(counts):
            continue
        matches = [_INTERVAL.fullmatch(column.levels.values[k]) for k in names.tolist()]
        if sum(map(bool, matches)) < _IN_GROUPS * len(names):
            continue
        ends = [match[2] or ("inf" if match[3] else match[1]) if match else "-1" for match in matches]
        lows = [int(match[1]) if match else -1 for match in matches]
        bounds = [(low, max(float(low), float(end))) for low, end in zip(lows, ends, strict=True)]
        first = {low: k for k, (low, _) in sorted(enumerate(bounds), key=lambda each: -each[1][1])}  # the shortest
        places = np.argsort(codes, kind="stable").reshape(len(names), -1)  # the rows of each interval
        values = [np.nan_to_num(other.numbers.values[rows])[places] for other in columns if other.kind == "numbers"]
        found = list[int]()
        for k, (low, high) in enumerate(bounds):
            parts, begin = list[int](), float(low)
            while begin in first and first[int(begin)] != k and bounds[first[int(begin)]][1] <= high:
                parts.append(first[int(begin)])
                begin = bounds[parts[-1]][1] + 1
            if len(parts) > 1 and begin == high + 1:
                sums = [(each[k], each[parts].sum(axis=0)) for each in values]
                hold = [(total >= _SMALL).all() and np.allclose(total, of, rtol=_SUM_AS_ROUNDED) for total, of in sums]
                found += places[k].tolist() if sum(hold) > 1 else []
        if found:
            return [rows[k] for k in found]
    return []


def _sums_within_groups(table: Table, rows: list[int]) -> list[int]:
    """In each group of rows, such as those of a year, the one that holds the sums of the others, as of a country; then
    those among the rows that are left, level by level."""
    columns = [column_of(table, name) for name in table.columns]
    numbers = [column for column in columns if column.kind == "numbers"][:_MOST_NUMBERS]
    found, left = list[int](), np.array(rows, dtype=int)
    while numbers and len(left):
        groups = _groups(columns[:_FIRST_COLUMNS], left)
        sums = next(filter(len, (_sum_of_each(columns, numbers, group, left) for group in groups)), left[:0])
        if not len(sums):
            break
        found += sums.tolist()
        left = np.setdiff1d(left, sums)
    return found


def _groups(columns: list[Column], rows: np.ndarray) -> Iterator[np.ndarray]:
    """Groups of rows as codes: of the same cell of a column, or of all columns that repeat but one and what follows
    from it, and groups that begin or end with the same word; each (n_rows,)."""
    codes = [np.unique(column.levels.codes[rows], return_inverse=True)[1] for column in columns]
    codes = [each for each in codes if each.max() < len(rows) / FEWEST_OF_A_TOTAL]
    for each in codes:
        others = (other for other in codes if other is not each)
        keys = [other for other in others if other.max() > each.max() or not follows(each, other)]
        if len(keys) > 1:
            yield joint_codes(keys, len(rows))
    yield from codes
    for column in columns:
        if column.kind == "words":
            cells = column.levels.codes[rows]
            yield np.cumsum(cells == cells[0]) - 1
            yield np.concatenate([[0], np.cumsum(cells == cells[-1])[:-1]])


def _sum_of_each(columns: list[Column], numbers: list[Column], group: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """The row of each group that holds the sums of the others, where two columns or all that tell say so, and it has
    the same word everywhere, the same word twice, or is the first or last."""
    sizes = np.bincount(group)
    large = sizes > FEWEST_OF_A_TOTAL
    n_sums, n_added, n_telling, n_held = np.zeros(len(rows), dtype=int), 0, 0, 0
    for column in numbers if 2 <= large.sum() <= len(rows) / FEWEST_OF_A_TOTAL else ():
        values = np.nan_to_num(column.numbers.values[rows], posinf=0.0)
        half = np.bincount(group, weights=values) / 2
        telling = large & (np.bincount(group, weights=values > 0) > FEWEST_OF_A_TOTAL)
        if values.min() < 0 or not telling.any():
            continue
        spread = np.bincount(group, weights=np.sqrt(values))[telling]
        is_design = 2 * len(np.unique((spread / spread.max()).round(9))) <= len(spread)  # each has 1, 2, 3 and 6 months
        if is_design or (column.n_values <= len(rows) / 2 and np.median(half[telling]) < _SMALL):
            continue
        is_sum = telling[group] & (np.abs(values - half[group]) <= _SUM_AS_ROUNDED * half[group])
        held, is_key = int(is_sum.sum()), bool((values == (2 * half / sizes)[group]).all())  # such as the year
        n_telling += not is_key
        if held >= _IN_GROUPS * telling.sum():
            n_sums, n_added, n_held = n_sums + is_sum, n_added + 1, n_held + held
        elif n_telling >= _MOST_OTHERS and not n_added:
            break
    if n_held < _FEWEST_SUMS or (n_added < 2 and n_added < n_telling):
        return rows[:0]
    most = np.zeros(len(sizes), dtype=int)
    np.maximum.at(most, group, n_sums)
    found = (n_sums > 0) & (n_sums == most[group])
    words = [column for column in columns[:_FIRST_COLUMNS] if column.kind == "words"]
    codes = [column.levels.codes[rows] for column in words]
    marks = [cells == np.bincount(cells[found]).argmax() for cells in codes]
    for one, other in combinations(words, 2):
        place = {cell: k for k, cell in enumerate(other.levels.values)}
        same = np.array([place.get(cell, -1) for cell in one.levels.values])[one.levels.codes[rows]]
        marks.append(same == other.levels.codes[rows])
    for mark in marks:
        if np.bincount(group[mark]).max(initial=0) == 1 and (mark & found).sum() >= _IN_GROUPS * found.sum():
            return rows[mark & (sizes[group] > 1)]
    ends = (np.unique(group, return_index=True)[1], len(rows) - 1 - np.unique(group[::-1], return_index=True)[1])
    at_an_end = any(np.isin(np.flatnonzero(found), end).mean() >= _IN_GROUPS for end in ends)
    return rows[found] if at_an_end else rows[:0]
