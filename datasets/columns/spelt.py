"""Numbers that a column spells in its own way: points of a scale with names, durations, angles, amounts in thousands or
in several units, uncertainties."""

from __future__ import annotations

import re
from collections.abc import Sequence

from datasets.base.months import MONTHS
from datasets.reading import as_number, bare_number
from datasets.reading.numerals import UNITS, looks_like_a_number

_NAMED_POINT = re.compile(r"(\d{1,2}) ?[-–—:=)] ?([^\W\d]\w*).*")
_DURATION = re.compile(r"(?:(\d{1,3}):)?(\d{1,3}):([0-5]\d(?:[.,]\d+)?)")
_IN_UNITS = re.compile(
    r"(?:(\d+) ?d(?:ays?)?)? ?(?:(\d+) ?h(?:(?:ou)?rs?)?)? ?(?:(\d+) ?m(?:in(?:ute)?s?)?)?"
    r" ?(?:(\d+) ?s(?:ec(?:ond)?s?)?)?\.?"
)
_SECONDS = (86_400, 3_600, 60, 1)
_LAST_HOUR, _LONG = 23, 5  # of a clock; hours of durations that are written as a clock shows the time
_MULTIPLE = re.compile(r"(\D{0,4}\d[\d.,]*) ?([KMBkmb])n?\.?")
_GROUP = re.compile(r",(?=\d{3}(?!\d))")  # of thousands
_TIMES = {"k": 1e3, "m": 1e6, "b": 1e9}
# Powers of ten of the units of one quantity.
_SCALES = (
    {"kg": 3, "g": 0, "mg": -3, "µg": -6, "ug": -6, "ng": -9},
    {"km": 3, "m": 0, "cm": -2, "mm": -3, "µm": -6, "um": -6, "nm": -9},
    {"l": 0, "dl": -1, "cl": -2, "ml": -3, "µl": -6, "ul": -6},
)
_WITH_UNIT = re.compile(r"([-+]?\d[\d.,]*) ?([kcdmµμnu]?[glmGLM])\.?")
_ANGLE = re.compile(
    r"([NSEW]?) ?([-+]?)(\d{1,3}(?:[.,]\d+)?) ?[°ºª˚] ?(?:(\d{1,2}(?:[.,]\d+)?) ?['’′´`])? ?"
    r"(?:(\d{1,2}(?:[.,]\d+)?) ?(?:[\"”″]|['’′´`]{2})?)? ?([NSEW]?)",
    re.IGNORECASE,
)
_FLAGGED = re.compile(r"([-+−]?\d[\d.,]*) ([a-z]{1,2}|!)")
_UNCERTAIN = re.compile(r"([-+−]?\d+(?:\.\d+)?)\((\d+(?:\.\d+)?)\)")
_LONGEST_ISSUE = 2  # digits
_UNIT = re.compile(rf"{UNITS}|y|w|mo|wk")
_LOOKED_AT = 200  # cells
_MOSTLY = 0.9


def spelt_numbers(cells: Sequence[str]) -> dict[str, str]:
    """The number, written plainly, of each of the different cells of a column that is spelt so; else {}."""
    return (
        _named_points(cells)
        or _durations(cells)
        or _in_units(cells)
        or _in_one_unit(cells)
        or _angles(cells)
        or _multiples(cells)
        or _with_uncertainty(cells)
    )


def _named_points(cells: Sequence[str]) -> dict[str, str]:
    """The number of each cell such as "5 - fully", where all others of a column are numbers, as on a scale with names
    at its ends; else {}. "17-Dec" is a day."""
    found = {cell: match for cell in cells if (match := _NAMED_POINT.fullmatch(cell))}
    matches = {cell: match[1] for cell, match in found.items() if match[2].lower() not in MONTHS}
    others = [cell for cell in cells if cell not in matches]
    return matches if others and all(as_number(cell) is not None for cell in others) else {}


def _durations(cells: Sequence[str]) -> dict[str, str]:
    """The seconds of "1:02:33", or of "3:27" in the smaller unit, where nearly all cells are such, and no times of a
    clock: all with two digits in front, or some with a zero there, and none of these above 23."""
    matches = {cell: match for cell in cells if (match := _DURATION.fullmatch(cell))}
    if not matches or len(matches) < _MOSTLY * len(cells):
        return {}
    first = [match[1] or match[2] for match in matches.values()]
    latest = max(map(int, first))
    is_padded = all(len(hour) > 1 for hour in first) or any(hour[0] == "0" < hour for hour in first)
    are_short = latest <= _LONG and all(match[1] for match in matches.values())
    if is_padded and latest <= _LAST_HOUR and not are_short:
        return {}
    seconds = {
        cell: 3600 * int(match[1] or 0) + 60 * int(match[2]) + float(match[3].replace(",", "."))
        for cell, match in matches.items()
    }
    return {cell: f"{value:.15g}" for cell, value in seconds.items()}


def _in_units(cells: Sequence[str]) -> dict[str, str]:
    """The seconds of "1h 6m" and "56m", where nearly all cells are such and one has two units: "56m" alone may be
    metres."""
    found = {cell: match.groups() for cell in cells if cell and (match := _IN_UNITS.fullmatch(cell))}
    has_two = any(sum(part is not None for part in parts) > 1 for parts in found.values())
    if not has_two or len(found) < _MOSTLY * len(cells):
        return {}
    return {
        cell: str(sum(int(part or 0) * n for part, n in zip(parts, _SECONDS, strict=True)))
        for cell, parts in found.items()
    }


def _in_one_unit(cells: Sequence[str]) -> dict[str, str]:
    """The amount, in grams, metres or litres, of "5 g" and "7.34 mg", where nearly all cells are such and several units
    of one quantity occur."""
    found = {cell: match for cell in cells if (match := _WITH_UNIT.fullmatch(cell))}
    units = {cell: match[2].lower().replace("μ", "µ") for cell, match in found.items()}
    powers = next((powers for powers in _SCALES if powers.keys() >= set(units.values())), {})
    if len(set(units.values())) < 2 or not powers or len(found) < _MOSTLY * len(cells):
        return {}
    numbers = {cell: as_number(_GROUP.sub("", match[1]), ",") for cell, match in found.items()}
    return {cell: f"{n * 10.0 ** powers[units[cell]]:.15g}" for cell, n in numbers.items() if n is not None}


def _angles(cells: Sequence[str]) -> dict[str, str]:
    """The degrees of 22°29'56.06"N, below 0 in the south and west, where nearly all cells are such."""
    found = {cell: match for cell in cells if (match := _ANGLE.fullmatch(cell))}
    are_angles = any(match[1] or match[4] or match[6] for match in found.values())  # and no temperatures
    if not are_angles or len(found) < _MOSTLY * len(cells):
        return {}
    degrees = {}
    for cell, match in found.items():
        before, minus, *parts, behind = match.groups()
        whole, minutes, seconds = (float((part or "0").replace(",", ".")) for part in parts)
        is_below = minus == "-" or (before or behind).upper() in ("S", "W")
        degrees[cell] = f"{(-1 if is_below else 1) * (whole + minutes / 60 + seconds / 3600):.9g}"
    return degrees


def _multiples(cells: Sequence[str]) -> dict[str, str]:
    """The amount of "£1.4M" and "34.5K", where nearly all cells are such or plain and two of the letters occur, or "k"
    alone, which is no unit."""
    found = {cell: match for cell in cells if (match := _MULTIPLE.fullmatch(cell))}
    plain = sum(as_number(bare_number(cell)) is not None for cell in cells)
    letters = {match[2] for match in found.values()}
    are_times = len({letter.lower() for letter in letters}) > 1 or letters == {"k"}
    if not are_times or len(found) + plain < _MOSTLY * len(cells):
        return {}
    numbers = {cell: as_number(_GROUP.sub("", bare_number(match[1])), ",") for cell, match in found.items()}
    return {cell: f"{n * _TIMES[found[cell][2].lower()]:.15g}" for cell, n in numbers.items() if n is not None}


def _with_uncertainty(cells: Sequence[str]) -> dict[str, str]:
    """The number in "3490(1740)" and "-1.6(1)", with the uncertainty of its last digits behind it, where half of the
    different cells or more are such and nearly all others numbers. "12(3)" alone is rather an issue of a volume."""
    found = {cell: match for cell in cells if cell[-1:] == ")" and (match := _UNCERTAIN.fullmatch(cell))}
    is_measured = any("." in cell or len(match[2]) > _LONGEST_ISSUE for cell, match in found.items())
    if not is_measured or 2 * len(found) < len(cells):
        return {}
    plain = sum(as_number(cell) is not None for cell in cells if cell not in found)
    are_all = len(found) + plain >= min(_MOSTLY * len(cells), len(cells) - 1)  # one may be a word for a gap
    return {cell: match[1].replace("−", "-") for cell, match in found.items()} if are_all else {}


def flags_behind(cells: Sequence[str], counts: Sequence[int]) -> dict[str, str]:
    """The number in each cell such as "5.4 p", with the flag of a statistical office or of an instrument behind it,
    where most rows hold plain numbers and hardly any anything else; else {}. A flag is no unit."""
    first = cells[:_LOOKED_AT]
    if 2 * sum(cell[:1].isdigit() or cell[1:2].isdigit() for cell in first) < len(first):
        return {}  # so that long columns of words are not searched
    found = {cell: match[1] for cell in cells if (match := _FLAGGED.fullmatch(cell)) and not _UNIT.fullmatch(match[2])}
    n_flagged = sum(count for cell, count in zip(cells, counts, strict=True) if cell in found)
    if not n_flagged:
        return {}
    n_plain = sum(count for cell, count in zip(cells, counts, strict=True) if looks_like_a_number(cell))
    return found if n_plain >= n_flagged and n_plain + n_flagged >= _MOSTLY * sum(counts) else {}
