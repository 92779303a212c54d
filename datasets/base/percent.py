"""A share as people read it."""

from __future__ import annotations


def percent(share: float, digits: int = 0) -> str:
    """percent(0.256) is "26 %"; the space is one at which no line ends."""
    return f"{share:.{digits}%}".replace("%", "\N{NO-BREAK SPACE}%")
