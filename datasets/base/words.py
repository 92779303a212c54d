"""Words for sentences: a number with its noun, the first few of many names, numbers, percents, durations, one line."""

from __future__ import annotations

from collections.abc import Sequence


def counted(n: int, noun: str, plural: str = "") -> str:
    """counted(1, "row") is "1 row"; counted(2000, "row was", "rows were") is "2,000 rows were"."""
    return f"{n:,} {noun if n == 1 else plural or noun + 's'}"


_MOST_SHOWN, _LONGEST_NAME = 5, 80


def short_name(name: str) -> str:
    """The name with an ellipsis in its middle if it is long, as that of a gene by its sequence."""
    half = _LONGEST_NAME // 2
    return name if len(name) <= _LONGEST_NAME else f"{name[: half - 1]}…{name[-half:]}"


def first_few(names: Sequence[str]) -> str:
    """At most five of the names, shortened, with commas between; "and more" behind them where there are others."""
    return ", ".join(map(short_name, names[:_MOST_SHOWN])) + (" and more" if len(names) > _MOST_SHOWN else "")


def numbered(word: str, count: int) -> tuple[str, ...]:
    """numbered("noise", 3) is ("noise 1", "noise 2", "noise 3")."""
    return tuple(f"{word} {k}" for k in range(1, count + 1))


def percent(share: float, digits: int = 0) -> str:
    """percent(0.256) is "26 %"; the space is one at which no line ends."""
    return f"{share:.{digits}%}".replace("%", "\N{NO-BREAK SPACE}%")


def duration(seconds: float) -> str:
    """A duration in the unit that suits it."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    if seconds < 5400:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"


_BREAK = "⏎"


def on_one_line(cell: str) -> str:
    """The cell with each line break as ⏎, for sentences and previews."""
    return _BREAK.join(cell.splitlines()) if "\n" in cell or "\r" in cell else cell
