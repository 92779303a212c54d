"""Setting: one thing that may be chosen about a method, and the domains such a choice comes from.

A domain knows its values in three forms: as Python values, as the text of a link or a file, and as the words that tell
a reader what is allowed. Widgets, links, recipes and messages are all made from it.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Any, Protocol

# int() and float() also accept "1_000", "nan" and digits of other alphabets.
_WHOLE = re.compile(r"-?[0-9]{1,30}")
_REAL = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")


def whole_number(text: str) -> int:
    """The whole number that `text` stands for; ValueError where it stands for none."""
    if not _WHOLE.fullmatch(text):
        raise ValueError(text)
    return int(text)


def real_number(text: str) -> float:
    """The finite number that `text` stands for; ValueError where it stands for none."""
    value = float(text) if _REAL.fullmatch(text) else math.nan
    if not math.isfinite(value):
        raise ValueError(text)
    return value


class Domain(Protocol):
    """The values that a setting may take."""

    @property
    def allowed(self) -> str:
        """What is allowed, as the end of a sentence that begins with 'it must be'."""

    def accepts(self, value: Any) -> bool:
        """Whether `value`, a Python value, belongs to the domain."""

    def read(self, text: str) -> Any:
        """The value that `text` stands for; ValueError where it stands for none."""

    def write(self, value: Any) -> str:
        """The text from which `read` gives the same value again."""


@dataclass(frozen=True)
class Choice:
    """One of several keys; `titles` are their display names, in the same order."""

    options: tuple[str, ...]
    titles: tuple[str, ...] = ()

    @property
    def allowed(self) -> str:
        return "one of " + ", ".join(option or "(nothing)" for option in self.options)

    def accepts(self, value: Any) -> bool:
        return isinstance(value, str) and value in self.options

    def read(self, text: str) -> str:
        if text not in self.options:
            raise ValueError(text)
        return text

    def write(self, value: Any) -> str:
        return str(value)

    def title(self, option: str) -> str:
        """The words for `option`; the key itself where there are none."""
        return dict(zip(self.options, self.titles, strict=False)).get(option, option)


@dataclass(frozen=True)
class Whole:
    """A whole number; with `optional`, also None, written as an empty text."""

    minimum: int
    maximum: int
    step: int = 1
    optional: bool = False

    @property
    def allowed(self) -> str:
        return f"a whole number from {self.minimum:,} to {self.maximum:,}" + (" or empty" if self.optional else "")

    def accepts(self, value: Any) -> bool:
        if value is None:
            return self.optional
        return isinstance(value, int) and not isinstance(value, bool) and self.minimum <= value <= self.maximum

    def read(self, text: str) -> int | None:
        value = None if self.optional and text == "" else whole_number(text)
        if not self.accepts(value):
            raise ValueError(text)
        return value

    def write(self, value: Any) -> str:
        return "" if value is None else str(value)


@dataclass(frozen=True)
class Real:
    """A finite number; with `optional`, also None, written as an empty text."""

    minimum: float
    maximum: float
    step: float = 0.1
    optional: bool = False

    @property
    def allowed(self) -> str:
        return f"a number from {self.minimum:g} to {self.maximum:g}" + (" or empty" if self.optional else "")

    def accepts(self, value: Any) -> bool:
        if value is None:
            return self.optional
        number = isinstance(value, (int, float)) and not isinstance(value, bool)
        return number and math.isfinite(value) and self.minimum <= value <= self.maximum

    def read(self, text: str) -> float | None:
        value = None if self.optional and text == "" else real_number(text)
        if not self.accepts(value):
            raise ValueError(text)
        return value

    def write(self, value: Any) -> str:
        return "" if value is None else repr(float(value)).removesuffix(".0")


@dataclass(frozen=True)
class Setting:
    """One thing that may be chosen about a method."""

    key: str  # its name in recipes, links and the method's keyword arguments
    title: str  # what a reader sees; at most about 28 letters
    default: Any  # the default; a member of `domain`
    domain: Domain  # the values that it may take
    help: str = ""  # help text, one or two sentences
    advanced: bool = True  # rarely changed: folded away
