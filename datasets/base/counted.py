"""A number with its noun, and the verb where it follows, for sentences that people read."""

from __future__ import annotations


def counted(n: int, noun: str, plural: str = "") -> str:
    """counted(1, "row") is "1 row"; counted(2000, "row was", "rows were") is "2,000 rows were"."""
    return f"{n:,} {noun if n == 1 else plural or noun + 's'}"
