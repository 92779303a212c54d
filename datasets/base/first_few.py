"""The first few of many names, for sentences that people read."""

from __future__ import annotations

from collections.abc import Sequence

_MOST_SHOWN = 5


def first_few(names: Sequence[str]) -> str:
    """At most five of the names with commas between; "and more" behind them where there are others."""
    return ", ".join(names[:_MOST_SHOWN]) + (" and more" if len(names) > _MOST_SHOWN else "")
