"""Mutation: one thing broken on purpose, and the tests that must notice."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Mutation:
    """An entry of a list of mutations.

    Attributes
    ----------
    file : str
        What is changed, from the top of the repository.
    old : str
        A piece of it that stands there exactly once.
    new : str
        What is put in its place.
    tests : tuple of str
        Files or tests of pytest, at least one of which must fail then.
    """

    file: str
    old: str
    new: str
    tests: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.file}: {_line(self.old)} -> {_line(self.new)}"


def _line(text: str, most: int = 60) -> str:
    line = " ".join(text.split())
    return line if len(line) <= most else line[: most - 1] + "…"


def mutations(file: str, tests: str | tuple[str, ...], *changes: tuple[str, str]) -> tuple[Mutation, ...]:
    """The changes (old, new) of a file that the same tests must notice."""
    tests = (tests,) if isinstance(tests, str) else tests
    return tuple(Mutation(file, old, new, tests) for old, new in changes)
