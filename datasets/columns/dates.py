"""Whether a column of words holds dates or times, as ISO or as people write them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from datasets.reading import is_missing

_CLOCK = r"\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?:\s?[AaPp]\.?[Mm]\.?)?(?:\s?(?:Z|UTC|[+-]\d{2}:?\d{2}))?"
_MONTH = r"(?:jan|feb|fév|mar|mär|apr|avr|may|mai|jun|jui|jul|aug|aoû|sep|oct|okt|nov|dec|dez|déc)[^\W\d_]*\.?"
_DAY = (
    r"(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.](?:\d{4}|\d{2})"
    rf"|\d{{1,2}}\.?[-/ ]?{_MONTH}[-/ ]?(?:\d{{4}}|\d{{2}})|{_MONTH} \d{{1,2}},? \d{{4}})"
)
_DATE = re.compile(rf"{_DAY}(?:[T ]{_CLOCK}|Z)?", re.IGNORECASE)
_TIME = re.compile(_CLOCK, re.IGNORECASE)
_SAMPLE = 2_000


def dates_or_times(cells: Sequence[str]) -> str:
    """ "dates" or "times" where nine in ten of the first present cells are, else ""."""
    present = [cell for cell in cells[:_SAMPLE] if not is_missing(cell)]
    for word, pattern in (("dates", _DATE), ("times", _TIME)):
        if present and sum(pattern.fullmatch(cell) is not None for cell in present) > 0.9 * len(present):
            return word
    return ""
