"""Names that count: of noise columns, and of classes without names of their own."""

from __future__ import annotations


def numbered(word: str, count: int) -> tuple[str, ...]:
    """numbered("noise", 3) is ("noise 1", "noise 2", "noise 3")."""
    return tuple(f"{word} {k}" for k in range(1, count + 1))
