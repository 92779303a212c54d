"""OwnLesson: a lesson that a teacher makes of any recipe, as words in a link and as a file.

The words travel packed (deflate, base64), so that letters of any alphabet take little room in an address and a student
does not read the answer there at a glance. They are a teacher's text, and are shown as text only.
"""

from __future__ import annotations

import base64
import binascii
import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field

from study.link import Decoded, from_link, to_link
from study.panel import check_text
from study.recipe import Recipe

LONGEST = {"title": 100, "text": 2_000, "question": 500, "answer": 1_000}
LONGEST_LINK = 4_000  # letters; some servers and programs cut longer addresses
LARGEST_FILE = 100_000  # letters
_MOST_PACKED = 40_000  # bytes of words, however well they are packed
PARTS = {
    "data": "Data",
    "noise": "Noise lab",
    "preparation": "Prepare",
    "panels": "Panels",
    "training": "Train",
    "advanced": "Advanced",
}
LESSON, STEP, WORDS = "lesson", "step", "words"  # in a link: which lesson, which step, what its teacher wrote
OWN_LESSON = "own"  # the key of a teacher's lesson; in a file LESSON stands with the number of its version
_VERSION = 1
NO_LESSON = "The file is no lesson: save one under *Make a lesson* on Explore."


@dataclass(frozen=True)
class OwnLesson:
    """A teacher's lesson.

    Attributes
    ----------
    title, text, question, answer : str
        Its words; an empty question asks nothing.
    recipe : Recipe
        What its stage shows.
    hidden, locked : frozenset of str
        Keys of PARTS: parts of the sidebar that are not shown, and such that are shown but cannot be changed.

    Raises
    ------
    ValueError
        For words that are too long, no title, a part that is not there, or an answer to no question.
    """

    title: str
    text: str = ""
    question: str = ""
    answer: str = ""
    recipe: Recipe = field(default_factory=Recipe)
    hidden: frozenset[str] = frozenset()
    locked: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        for name, longest in LONGEST.items():
            check_text(f"The {name}", getattr(self, name), longest)
        if not self.title.strip():
            raise ValueError("Give the lesson a title.")
        if self.answer.strip() and not self.question.strip():
            raise ValueError("There is an answer and no question: write the question, or leave the answer out.")
        for name in ("hidden", "locked"):
            unknown = sorted(getattr(self, name) - PARTS.keys())
            if unknown:
                raise ValueError(f"{name} names {', '.join(unknown)}; the parts are: {', '.join(PARTS)}.")

    @property
    def words(self) -> dict[str, str | list[str]]:
        """All but the recipe; what is empty is left out."""
        texts = {name: getattr(self, name) for name in LONGEST}
        parts = {name: sorted(getattr(self, name)) for name in ("hidden", "locked")}
        return {name: value for name, value in {**texts, **parts}.items() if value}


def packed(lesson: OwnLesson) -> str:
    """Its words as they stand in a link."""
    text = json.dumps(lesson.words, ensure_ascii=False, separators=(",", ":"))
    return base64.urlsafe_b64encode(zlib.compress(text.encode(), 9)).decode().rstrip("=")


def to_lesson_link(lesson: OwnLesson) -> dict[str, str]:
    """Names and texts of a link that opens the lesson, the recipe among them."""
    return {LESSON: OWN_LESSON, WORDS: packed(lesson), **to_link(lesson.recipe)}


def from_lesson_link(words: str, link: Mapping[str, str]) -> tuple[OwnLesson, tuple[str, ...]]:
    """The lesson, and what of its recipe could not be understood.

    Parameters
    ----------
    words : str
        As `packed` gives them.
    link : mapping of str to str
        The recipe, as `study.link.to_link` gives it.

    Raises
    ------
    ValueError
        Where the words cannot be read.
    """
    try:
        squeezed = base64.urlsafe_b64decode(words[: 2 * LONGEST_LINK] + "=" * (-len(words) % 4))
        inflater = zlib.decompressobj()
        text = inflater.decompress(squeezed, _MOST_PACKED)
        read = json.loads(text.decode("utf-8"))
    except (binascii.Error, zlib.error, ValueError, RecursionError):
        raise ValueError("The link to this lesson is damaged: ask for it again, and copy all of it.") from None
    return _lesson_of(read, from_link(link))


def to_lesson_file(lesson: OwnLesson) -> str:
    """The lesson as a JSON file."""
    read = {LESSON: _VERSION, **lesson.words, "recipe": to_link(lesson.recipe)}
    return json.dumps(read, indent=2, ensure_ascii=False) + "\n"


def from_lesson_file(text: str) -> tuple[OwnLesson, tuple[str, ...]]:
    """As `from_lesson_link`, of a file.

    Raises
    ------
    ValueError
        For a file that is no lesson, with the place where reading stopped.
    """
    if len(text) > LARGEST_FILE:
        raise ValueError(f"The file has {len(text):,} letters, and a lesson has at most {LARGEST_FILE:,}.")
    try:
        read = json.loads(text.removeprefix("\ufeff"))
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise ValueError(f"The file is no lesson: reading stopped in {where} ({error.msg}).") from None
    except RecursionError:
        raise ValueError("The file is no lesson: it is nested too deeply.") from None
    if not isinstance(read, dict) or LESSON not in read or not isinstance(read.get("recipe"), dict):
        raise ValueError(NO_LESSON)
    return _lesson_of(read, from_link(read["recipe"]))


def _lesson_of(read: object, decoded: Decoded) -> tuple[OwnLesson, tuple[str, ...]]:
    if not isinstance(read, dict):
        raise ValueError(NO_LESSON)
    texts = {name: read.get(name, "") for name in LONGEST}
    hidden, locked = (_parts(read.get(name)) for name in ("hidden", "locked"))
    return OwnLesson(**texts, recipe=decoded.recipe, hidden=hidden, locked=locked), decoded.problems


def _parts(listed: object) -> frozenset[str]:
    """Those that there are; a later version may have others."""
    listed = listed if isinstance(listed, list) else []
    return frozenset(part for part in listed if isinstance(part, str) and part in PARTS)
