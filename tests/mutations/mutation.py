"""Mutation: one thing broken on purpose, and the tests that must notice."""

from dataclasses import dataclass

# By file, and by the test that must notice, or several of which one must: pairs of old and new text.
Changes = dict[str, dict[str | tuple[str, ...], list[tuple[str, str]]]]


@dataclass(frozen=True)
class Mutation:
    """A change of `file`, in which `old` stands once, that at least one of the tests must notice."""

    file: str
    old: str
    new: str
    tests: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.file}: {_line(self.old)} -> {_line(self.new)}"


def _line(text: str, most: int = 60) -> str:
    line = " ".join(text.split())
    return line if len(line) <= most else line[: most - 1] + "…"


def mutations(table: Changes) -> list[Mutation]:
    """The mutations of a table."""
    return [
        Mutation(file, old, new, (tests,) if isinstance(tests, str) else tests)
        for file, by_tests in table.items()
        for tests, changes in by_tests.items()
        for old, new in changes
    ]
