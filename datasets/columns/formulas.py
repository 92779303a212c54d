"""Chemical formulas -> the amount of each element, as "Mg60Ni25.5La14.5" and "(Ti0.5Zr0.5)C" tell it."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence

_ELEMENTS = frozenset(
    re.findall(
        "[A-Z][a-z]?",
        "HDHeLiBeBCNOFNeNaMgAlSiPSClArKCaScTiVCrMnFeCoNiCuZnGaGeAsSeBrKrRbSrYZrNbMoTcRuRhPdAgCdInSnSb"
        "TeIXeCsBaLaCePrNdPmSmEuGdTbDyHoErTmYbLuHfTaWReOsIrPtAuHgTlPbBiPoAtRnFrRaAcThPaUNpPu",
    )
)
_NUMBER = re.compile(r"\d*\.\d+|\d+")
_AMOUNT = rf"({_NUMBER.pattern})?"
_FORMULA = re.compile(rf"(?:[A-Z][a-z]?(?:{_NUMBER.pattern})?|[()\[\]](?:{_NUMBER.pattern})?)+")
_PART = re.compile(rf"([A-Z][a-z]?){_AMOUNT}|([(\[])|[)\]]{_AMOUNT}")
_MOSTLY, _FEWEST = 0.95, 10  # share of the cells; formulas


def amounts_in(cells: Sequence[str]) -> dict[str, list[str]]:
    """The amount of each element in each of the different `cells`, "0" where it is not in it and blank where the cell
    is no formula, if nearly all are formulas, and most of them no codes such as "SC12"; else {}."""
    found = [_elements_of(cell) for cell in cells]
    known = [amounts for amounts in found if amounts]
    several = sum(len(amounts) > 1 and _is_no_code(cell) for cell, amounts in zip(cells, found, strict=True))
    if len(known) < max(_FEWEST, _MOSTLY * sum(map(bool, cells))) or 2 * several < len(known):
        return {}
    n_cells = Counter(element for amounts in known for element in amounts)
    return {
        element: [f"{amounts.get(element, 0.0):g}" if amounts else "" for amounts in found]
        for element, n in n_cells.items()
        if n < len(known) or _differs(element, known)
    }


def name_elements(cells: Sequence[str]) -> bool:
    """Whether most cells begin with the symbol of an element, ten or more in all, as "Mg" and "Mg Err"."""
    found = [cell for cell in cells if cell.split()[:1] and cell.split()[0] in _ELEMENTS]
    return len(found) >= _FEWEST and 2 * len(found) > len(cells)


def _is_no_code(cell: str) -> bool:
    """Whether two amounts, or one and a symbol of two letters, stand in a formula."""
    n_amounts = len(_NUMBER.findall(cell))
    return n_amounts > 1 or (n_amounts == 1 and cell.upper() != cell)


def _differs(element: str, known: Sequence[dict[str, float]]) -> bool:
    return len({amounts[element] for amounts in known}) > 1


def _elements_of(cell: str) -> dict[str, float]:
    """The amounts in one formula; {} of anything else."""
    cell = cell.replace(" ", "")
    if not _FORMULA.fullmatch(cell):
        return {}
    open_groups = [defaultdict[str, float](float)]
    for element, amount, opens, times in _PART.findall(cell):
        if element and element not in _ELEMENTS:
            return {}
        if element:
            open_groups[-1][element] += float(amount or 1)
        elif opens:
            open_groups.append(defaultdict(float))
        elif len(open_groups) < 2:
            return {}
        else:
            for inner, n in open_groups.pop().items():
                open_groups[-1][inner] += n * float(times or 1)
    return dict(open_groups[0]) if len(open_groups) == 1 else {}
