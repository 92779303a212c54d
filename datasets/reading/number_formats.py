"""Number formats: currencies, percent signs and typographic minus signs around a number, and its decimal mark."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

_CURRENCY = r"(?:(?:US|CA|AU|C|A)?\$|[€£¥₹₽₩₺]|USD|EUR|GBP|CHF|JPY|CNY|INR|SEK|NOK|DKK|PLN|CZK|kr\.?|zł|Fr\.)"
_BEFORE = re.compile(rf"^([+-]?)\s*{_CURRENCY}\s*(?=[+-]?[\d.,])")
_LIMIT = re.compile(r"^[<>≤≥~≈]=?\s*(?=[+-]?[\d.,])")
_BEHIND = re.compile(rf"(?<=\d)\s*(?:%|{_CURRENCY})$")
# Groups of three and the other mark behind them, or two such groups: there is one way only to read these.
_COMMA = re.compile(r"[+-]?\d{1,3}(?:(?:[.\u00a0\u202f\u2009 '’]\d{3})+,\d+|(?:\.\d{3}){2,})")
_POINT = re.compile(r"[+-]?\d{1,3}(?:(?:[,\u00a0\u202f\u2009 '’]\d{3})+\.\d+|(?:,\d{3}){2,})")
_GROUPS = re.compile(r"[+-]?\d{1,3}(?:[.,\u00a0\u202f\u2009 '’]\d{3})+(?:[.,]\d+)?")
_UNITS = (
    "kg|g|mg|µg|ug|t|lbs?|oz|km|m|cm|mm|µm|nm|ft|in|mi|yd|s|sec|ms|min|h|hrs?|hours?|days?|d|years?|yrs?|yo|months?|weeks?"
    "|l|ml|cl|dl|gal|°C|°F|°|kW|kWh|MW|mV|mA|Hz|kHz|MHz|GHz|kB|KB|MB|GB|TB|hp|bhp|PS|cc|CC|kmpl|mpg|km/h|kmh|mph"
    "|rpm|Nm|kN|Pa|hPa|kPa|MPa|bar|mbar|psi|mmHg|mg/dL|mg/l|mg/L|g/dL|g/l|g/L|mmol/L|µmol/L|IU/L|bpm|pts|px|m2|m²|km²"
    "|ha|m3|m³|sqft|sq ft|ppm|ppb|kcal|cal|kJ|dB|Ω|ohm|mol|€/m²"
)
_WITH_UNIT = re.compile(rf"[-+−]?\d[\d.,\u00a0\u202f ]*?(?:\s?({_UNITS})|\s([AJKNVW]))")  # "12A" is rather a code
_HAS_CURRENCY = re.compile(_CURRENCY)
_OTHER = {",": ".", ".": ","}
_FEWEST_WITH_UNIT = 3
_SHARE_WITH_UNIT = 0.9
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
    text = bare_number(cell) if cell[-1:] in "%€£¥0123456789" else ""
    return as_number(text, ",") is not None or _GROUPS.fullmatch(text) is not None


def bare_number(cell: str) -> str:
    """The cell without a currency, a percent sign, a sign of limits and with a plain minus: "−5,50 €" as "-5,50" and
    "<5", which laboratories write for what is below a limit, as "5"."""
    return _BEHIND.sub("", _BEFORE.sub(r"\1", _LIMIT.sub("", cell.replace("−", "-"), count=1), count=1))


def common_unit(cells: Sequence[str]) -> str:
    """The unit that stands behind the numbers of nearly all of the different cells ("5 kg", "7.5kg"), else "".

    Only usual units are known; a column with several, such as g and kg, has none in common.
    """
    units = Counter(match[1] or match[2] for cell in cells if (match := _WITH_UNIT.fullmatch(cell)))
    if not units:
        return ""
    unit, count = units.most_common(1)[0]
    return unit if count >= _FEWEST_WITH_UNIT and count >= _SHARE_WITH_UNIT * len(cells) and len(units) == 1 else ""


def _without_unit(cell: str) -> str:
    """ "20,3 °C" as "20,3"; any other cell as it is."""
    match = None if cell[-1:].isdigit() else _WITH_UNIT.fullmatch(cell)
    return cell[: match.start(match.lastindex or 0)].rstrip() if match else cell


def is_grouped(cell: str, mark: str) -> bool:
    """Whether the mark stands in the cell as it would between groups of three digits, once: "1,234"."""
    return _GROUPED[mark].fullmatch(cell) is not None


def decimal_mark(columns: Iterable[Iterable[str]], separator: str) -> tuple[str, str]:
    """(the decimal mark that more cells are surely written with, a cell that leaves it open or "").

    "1,5" and "1.234,5" are sure. "1,234" is where it has a currency, for money has no three decimals, and where plain
    numbers beside it in its column stay below 1000: then the mark groups thousands. Else it is open, and a comma is the
    decimal mark between semicolons only.
    """
    sure = Counter[str]()
    open_cells: dict[str, str] = {}
    for cells in columns:
        grouped: dict[str, list[str]] = {",": [], ".": []}
        plain = []
        for cell in cells:
            if "," not in cell and "." not in cell:
                plain.append(as_number(cell))
                continue
            text = _without_unit(bare_number(cell))
            mark = "," if "," in text else "."
            if _COMMA.fullmatch(text) or _POINT.fullmatch(text):
                sure["," if _COMMA.fullmatch(text) else "."] += 1
            elif as_number(text, mark) is not None:
                if not is_grouped(text, mark):
                    sure[mark] += 1
                elif _HAS_CURRENCY.search(cell):
                    sure[_OTHER[mark]] += 1
                else:
                    grouped[mark].append(cell)
        numbers = [abs(number) for number in plain if number is not None]
        for mark, found in grouped.items():
            if len(found) > 1 and numbers and max(numbers) < 1000 and separator != ",":
                sure[_OTHER[mark]] += len(found)
            elif found:
                open_cells.setdefault(mark, found[0])
    if sure or separator == "," or not open_cells:
        return "," if sure[","] > sure["."] else ".", ""
    if "," in open_cells and separator != ";":  # which separates where a comma is the decimal mark
        return ".", open_cells[","]
    return next(iter(open_cells.items()))
