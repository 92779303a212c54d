"""Mutation: one thing broken on purpose, and the tests that must notice. The tables are the text files beside.

    folder/changed_file.py
      tests/test_file.py::test_that_must_notice
    - old text, in the file once
    + new text
    -     if two_lines:
    -         return
    +

Several lines of tests: one of them must notice. A text is its lines without the sign and the blank after it, joined by
line breaks, and may begin and end inside a line of the file. A line of "#" is a comment.
"""

from dataclasses import dataclass
from itertools import groupby


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


def mutations(table: str) -> list[Mutation]:
    """The mutations of a table.

    Raises
    ------
    ValueError
        Where an old text has no new one, or a line ends in a blank, which many editors would strip.
    """
    found = []
    file, tests, old, before = "", (), "", "file"
    lines = [line for line in table.split("\n") if line and not line.startswith("#")]
    for kind, alike in groupby([*lines, "the end"], key=_kind):
        block = list(alike)
        if (before == "old") != (kind == "new") or any(line != line.rstrip() for line in block):
            raise ValueError(f"'-' lines and then '+' lines, none with a blank at its end: {block[0]}")
        if kind == "file":
            file, tests = block[-1], ()
        elif kind == "tests":
            tests = tuple(line.strip() for line in block)
        elif kind == "old":
            old = _text(block)
        else:
            found.append(Mutation(file, old, _text(block), tests))
        before = kind
    return found


def _kind(line: str) -> str:
    if line.startswith(" "):
        return "tests"
    return {"-": "old", "+": "new"}.get(line.partition(" ")[0], "file")


def _text(block: list[str]) -> str:
    return "\n".join(line[2:] for line in block)
