"""Whether a column of words holds dates, as ISO or as people write them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from datasets.reading import is_missing

_DATE = re.compile(
    r"(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.](?:\d{4}|\d{2}))"
    r"(?:[T ]\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?)?Z?"
)
_SAMPLE = 2_000


def holds_dates(cells: Sequence[str]) -> bool:
    """Whether nine in ten of the first present cells are dates."""
    present = [cell for cell in cells[:_SAMPLE] if not is_missing(cell)]
    return bool(present) and sum(_DATE.fullmatch(cell) is not None for cell in present) > 0.9 * len(present)
