"""Numbers as people write them: units, currencies, decimal and thousands marks."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise

_CODES = re.compile(r"\d{1,2}(?:,\d{1,2}){2,}")
_SOME_LEVELS = 200
_CURRENCY = (  # "US$", "R$", "u$s"
    r"(?:(?:[A-Z]{1,3}|u)?\$s?|[€£¥₹₽₩₺₫₪₴₱฿]|USD|EUR|GBP|CHF|JPY|CNY|INR|SEK|NOK|DKK|PLN|CZK|BRL|ARS|kr\.?|zł|Fr\."
    r"|R[ps]\.?|RM|S/\.?|Kč|Ft|руб\.?)"
)
FOOTNOTES = "#*†‡§"
_OTHER_MARKS = str.maketrans({"−": "-", "٫": ".", "·": ".", "٬": None})
_BEFORE = re.compile(rf"^([+-]?)\s*{_CURRENCY}\s*(?=[+-]?[\d.,])")
_SIGN = re.compile(r"^([+-])[ \u00a0]+(?=\d)")  # "- 4", as old catalogues write
_MARK = re.compile(r"^(?:[<>≤≥~≈]=?|[*†‡§])\s*(?=[+-]?[\d.,])")  # of a limit or a footnote
_INCOMPLETE = ")]"  # "31.6 ]", as the weather service of Japan writes
_BEHIND = re.compile(
    rf"(?<=\d)(?:\s*(?:%|{_CURRENCY}|[{FOOTNOTES}]{{1,3}}|(?:±|\+/-)\s*\d[\d.,]*)|\s+[{re.escape(_INCOMPLETE)}])$"
)
INDIAN = r"\d{1,4}(?:,\d\d)+,\d{3}"  # "1,42,782"
# Groups of three and the other mark behind them, or two such groups: there is one way only to read these.
_COMMA = re.compile(r"[+-]?\d{1,3}(?:(?:[.\u00a0\u202f\u2009 '’]\d{3})+,\d+|(?:\.\d{3}){2,})")
_POINT = re.compile(
    r"[+-]?\d{1,3}(?:(?:[,\u00a0\u202f\u2009 '’]\d{3})+\.\d+|(?:,\d{3}){2,})"
    rf"|[+-]?{INDIAN}(?:\.\d+)?"
)
_GROUPS = re.compile(rf"[+-]?(?:\d{{1,3}}(?:[.,\u00a0\u202f\u2009 '’]\d{{3}})+|{INDIAN})(?:[.,]\d+)?")
UNITS = (
    "kg|g|mg|µg|ug|t|lbs?|oz|km|m|cm|mm|µm|nm|ft|in|mi|yd|s|sec|ms|min|h|hrs?|hours?|days?|d|years?|yrs?|yo|months?|weeks?"
    "|l|ml|cl|dl|gal|°C|°F|°|kW|kWh|MW|mV|mA|Hz|kHz|MHz|GHz|kB|KB|MB|GB|TB|hp|bhp|PS|cc|CC|kmpl|mpg|km/h|kmh|mph"
    "|rpm|Nm|kN|Pa|hPa|kPa|MPa|bar|mbar|psi|mmHg|mg/dL|mg/l|mg/L|g/dL|g/l|g/L|mmol/L|µmol/L|IU/L|bpm|pts|px|m2|m²|km²"
    "|ha|m3|m³|sqft|sq ft|ppm|ppb|kcal|cal|kJ|dB|Ω|ohm|mol|€/m²"
)
_WITH_UNIT = re.compile(rf"[-+−]?\d[\d.,\u00a0\u202f ]*?(?:\s?({UNITS})|\s([ACFJKNVW]))")  # "12A" is rather a code
_WITH_WORD = re.compile(  # "12 pcs.", "€ 900 per month", "8000 PLN/m2"
    rf"(?:{_CURRENCY}\s*)?[-+−]?\d[\d.,'’]*[ \u00a0\u202f]"
    r"((?:[^\W\d_]{2,}|[^\W\d_][²³]|p/[wma])\.?(?:[ /](?:[^\d,;]|(?<=m)[23])*)?)"
)
_ATTACHED = re.compile(r"[-+−]?\d[\d.,]*([\u3040-\u9fff\uac00-\ud7af]{1,5}|\([^\d()][^()]*\))")  # "5(µm)"
_TOWN = re.compile(r"\d{5} [^\W\d_a-z][^\W\d_]+.*")  # "22337 Hamburg"
_AROUND = re.compile(r"([\u3040-\u9fff\uac00-\ud7af]{1,3})\d[\d.,]*([\u3040-\u9fff\uac00-\ud7af]{1,3})")  # "築22年"
_HAS_CURRENCY = re.compile(_CURRENCY)
_OTHER = {",": ".", ".": ","}
_MOST_WORDS, _FEWEST_SURE = 10, 3  # times as many as numbers, where so few cells are written with a mark
_FEWEST_WITH_UNIT = 3
_FEW_PLAIN = 0.02  # numbers without a mark, for each with one
_SHARE_WITH_UNIT, _SOME_WITH_UNIT = 0.9, 0.5
# A number that begins with 0 is never a group of thousands.
_GROUPED = {mark: re.compile(rf"[+-]?[1-9]\d{{0,2}}{re.escape(mark)}\d{{3}}") for mark in ",."}


def as_number(cell: str, decimal: str = ".") -> float | None:
    """The number in a cell, or None. ("1_000", which Python accepts, is none.)"""
    if "_" in cell:
        return None
    try:
        number = float(cell.replace(",", ".") if decimal == "," else cell)
    except ValueError:
        return None
    return None if number != number else number  # "-nan" is no number


def looks_like_a_number(cell: str) -> bool:
    """Whether a cell is a number whatever its decimal mark: "1.5", "1,5", "1 234" and "$1,234" are."""
    if as_number(cell, ",") is not None:
        return True
    text = bare_number(cell) if cell[-1:] in f"%€£¥0123456789{FOOTNOTES}{_INCOMPLETE}" else ""
    return as_number(text, ",") is not None or _GROUPS.fullmatch(text) is not None


def counts_up(cells: Sequence[str]) -> bool:
    """Whether these are three whole numbers or more, each larger by one than the last."""
    whole = [int(cell) for cell in cells if cell.isascii() and cell.isdigit() and len(cell) < 10]
    return len(cells) > 2 and len(whole) == len(cells) and all(b == a + 1 for a, b in pairwise(whole))


def bare_number(cell: str) -> str:
    """The cell without a currency, a percent sign, a sign of limits, the mark of a footnote or an error behind it, and
    with a plain minus and a point for the Arabic mark or a raised one: "−5,50 €" as "-5,50", "4٫4" and "4·4" as "4.4",
    "8.2*", "*8.2", "8.2 ]" and "8.2 ± 0.4" as "8.2", and "<5", which laboratories write for what is below a limit, as
    "5"."""
    if not cell.isascii():
        cell = cell.translate(_OTHER_MARKS)
    cell = _SIGN.sub(r"\1", cell)
    return _BEHIND.sub("", _BEFORE.sub(r"\1", _MARK.sub("", cell, count=1), count=1))


def common_unit(cells: Sequence[str], counts: Sequence[int]) -> str:
    """The unit, in small letters, behind the numbers of nearly all rows ("5 kg", "7.5Kg") that are not bare, else "".

    A usual unit, any word or more behind a blank ("12 pcs."), any in ideographs ("76.5平米", "築22年" with the unit
    "築…年") or brackets; a column with several, such as g and kg, has none in common. `counts` are the rows of each of
    the different `cells`.
    """
    for pattern in (_WITH_UNIT, _WITH_WORD, _ATTACHED, _AROUND):
        first = list(zip(cells[:_SOME_LEVELS], counts, strict=False))
        if sum(n for cell, n in first if pattern.fullmatch(cell)) < _SOME_WITH_UNIT * sum(n for _, n in first):
            continue  # so that long columns of words are not looked through
        found, rows, n_bare = Counter[str](), Counter[str](), 0
        for cell, count in zip(cells, counts, strict=True):
            n_bare += count if as_number(cell) is not None else 0
            if match := pattern.fullmatch(cell):
                unit = "…".join(match.groups()) if pattern is _AROUND else match[match.lastindex or 0].lower()
                found[unit] += 1
                rows[unit] += count
        unit, n = max(rows.items(), key=lambda item: item[1], default=("", 0))
        are_towns = pattern is _WITH_WORD and all(map(_TOWN.fullmatch, cells))
        if are_towns and 2 * sum(cell[4] == "0" for cell in cells) < len(cells):  # as prices would be
            return ""
        if found[unit] >= _FEWEST_WITH_UNIT and n >= _SHARE_WITH_UNIT * (sum(counts) - n_bare):
            return unit
    return ""


def without_unit(cell: str, unit: str) -> str:
    """The cell without the unit at its end, in capitals or not, or around it."""
    before, mark, unit = unit.rpartition("…")
    if mark and not (cell.startswith(before) and cell.endswith(unit)):
        return cell
    cell = cell.removeprefix(before)
    return cell[: -len(unit)].rstrip() if unit and cell.lower().endswith(unit) else cell


def _without_unit(cell: str) -> str:
    """The cell without a usual unit behind it."""
    match = None if cell[-1:].isdigit() else _WITH_UNIT.fullmatch(cell)
    return cell[: match.start(match.lastindex or 0)].rstrip() if match else cell


def is_grouped(cell: str, mark: str) -> bool:
    """Whether the mark stands in the cell as it would between groups of three digits, once: "1,234"."""
    return _GROUPED[mark].fullmatch(cell) is not None


def _are_below_groups(numbers: Sequence[float], n_grouped: int) -> bool:
    """Whether numbers stay below 1000, and are not so few that they could have lost zeros behind a decimal mark."""
    n_plain = sum(number > 0 for number in numbers)
    return n_plain > _FEW_PLAIN * n_grouped and max(numbers) < 1000


def hold_codes(cells: Iterable[str]) -> bool:
    """Whether there are lists of the codes of answers among the cells, as "2,3,4"."""
    return any(map(_CODES.fullmatch, cells))


def decimal_mark(columns: Iterable[Iterable[str]], separator: str) -> tuple[str, str]:
    """(the decimal mark that more cells are surely written with, a cell that leaves it open or "").

    "1,5" and "1.234,5" are sure. "1,234" is where it has a currency, for money has no three decimals, and where plain
    numbers beside it in its column, several but 0, stay below 1000: then the mark groups thousands. Else it is open,
    and a comma is the decimal mark between semicolons only.
    """
    sure = Counter[str]()
    open_cells: dict[str, str] = {}
    for cells in columns:
        here = Counter[str]()
        grouped: dict[str, list[str]] = {",": [], ".": []}
        plain, decimals = [], set()
        cells = list(cells)
        if hold_codes(cells):
            continue
        for cell in cells:
            if "," not in cell and "." not in cell:
                plain.append(as_number(cell))
                continue
            text = _without_unit(bare_number(cell))
            mark = "," if "," in text else "."
            if _COMMA.fullmatch(text) or _POINT.fullmatch(text):
                here["," if _COMMA.fullmatch(text) else "."] += 1
            elif as_number(text, mark) is not None:
                if not is_grouped(text, mark):
                    here[mark] += 1
                    decimals.add(mark)
                elif _HAS_CURRENCY.search(cell):
                    here[_OTHER[mark]] += 1
                else:
                    grouped[mark].append(cell)
        numbers = [abs(number) for number in plain if number is not None]
        n_words = sum(cell != "" for cell in cells) - len(numbers) - here.total() - sum(map(len, grouped.values()))
        if n_words > _MOST_WORDS * (len(numbers) + here.total()) and here.total() < _FEWEST_SURE:
            here.clear()  # a few lists such as "1,1" among texts
        for mark, found in grouped.items():
            if mark in decimals:
                here[mark] += len(found)
            elif len(found) > 1 and _are_below_groups(numbers, len(found)) and separator != mark:
                here[_OTHER[mark]] += len(found)
            elif found:
                open_cells.setdefault(mark, found[0])
        sure += here
    if sure or separator == "," or not open_cells:
        return "," if sure[","] > sure["."] else ".", ""
    if "," in open_cells and separator != ";":  # which separates where a comma is the decimal mark
        return ".", open_cells[","]
    return next(iter(open_cells.items()))
