"""Labels that differ only in capitals or blanks: probably one class, written in two ways."""

from __future__ import annotations

from dataclasses import dataclass

from datasets.columns.cells import levels_of
from datasets.reading import Table

_MOST_LEVELS = 5_000


@dataclass(frozen=True)
class SpellingGroup:
    """The most frequent spelling, and all of them with their rows, most frequent first."""

    name: str
    members: tuple[tuple[str, int], ...]


def spelling_groups(table: Table, label: str) -> tuple[SpellingGroup, ...]:
    """Groups of labels that are equal once capitals and blanks are left aside, e.g. "Healthy" and "healthy "."""
    levels = levels_of(table, label)
    if len(levels.values) > _MOST_LEVELS:
        return ()
    groups: dict[str, list[tuple[str, int]]] = {}
    for cell, count in zip(levels.values, levels.counts.tolist(), strict=True):
        if key := "".join(cell.split()).casefold():
            groups.setdefault(key, []).append((cell, count))
    found = (sorted(members, key=lambda member: -member[1]) for members in groups.values() if len(members) > 1)
    return tuple(SpellingGroup(members[0][0], tuple(members)) for members in found)


def merged_spellings(groups: tuple[SpellingGroup, ...]) -> tuple[tuple[str, str], ...]:
    """(as written, class it counts as), for ColumnPlan.spellings."""
    return tuple((cell, group.name) for group in groups for cell, _ in group.members[1:])
