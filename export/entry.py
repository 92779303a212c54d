"""Export: an entry of EXPORTS: what can be taken away, in which forms, and how it is made."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field

from export.subject import Subject
from nca_core.run import Slot

_UNUSUAL = re.compile(r"[^A-Za-z0-9._-]+")


@dataclass(frozen=True)
class File:
    """What is handed out."""

    name: str
    mime: str
    data: bytes = field(repr=False)


@dataclass(frozen=True)
class Made:
    """How far an export is: `done` of `wanted` pieces of work, and the file at the end."""

    done: int
    wanted: int
    file: File | None = None


@dataclass(frozen=True)
class Wish:
    """What exactly is wanted.

    Attributes
    ----------
    form : str
        A key of the export's forms.
    panel : str
        Key of the panel, where the export is of one.
    only_selected : bool
        The selected rows alone.
    """

    form: str
    panel: str = ""
    only_selected: bool = False


@dataclass(frozen=True)
class Export:
    """One thing to take away.

    Attributes
    ----------
    key, title, description : str
        For the program; for people, in a word; in a sentence.
    forms : mapping of str to str
        Key -> what people read, the usual one first.
    problem : callable
        ``problem(subject, wish)`` says why it cannot be made, in a sentence; empty where it can.
    make : callable
        ``make(subject, wish, slot)`` makes it, telling how far it is; `slot` is entered around each piece of work and
        raises where the work was cancelled.
    of_panel : bool
        It is of one panel.
    of_rows : bool
        It can be of the selected rows alone.
    """

    key: str
    title: str
    description: str
    forms: Mapping[str, str]
    make: Callable[[Subject, Wish, Slot], Generator[Made, None, None]]
    problem: Callable[[Subject, Wish], str] = lambda subject, wish: ""
    of_panel: bool = False
    of_rows: bool = False


def safe_name(text: str, ending: str) -> str:
    """A file's name from users' text: letters, digits, ".", "_" and "-" only, at most 60 of them before the ending."""
    return f"{_UNUSUAL.sub('-', text).strip('.-')[:60] or 'nca'}{ending}"
