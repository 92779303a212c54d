"""OwnLesson: a lesson that a teacher makes of any recipe, as words in a link and as a file.

The words are packed (deflate, base64): letters of any alphabet stay short, and the answer cannot be read at a glance.
They are shown as text only.
"""

from __future__ import annotations

import base64
import binascii
import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field

from study.link import DecodedRecipe, from_link, to_link
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
NO_LESSON = "This is not a lesson file: save one under *Make a lesson* on Explore."


@dataclass(frozen=True)
class OwnLesson:
    """A teacher's lesson; ValueError for a missing title, long texts, unknown parts, or an answer without question."""

    title: str
    text: str = ""
    question: str = ""
    answer: str = ""
    recipe: Recipe = field(default_factory=Recipe)  # on the stage
    hidden: frozenset[str] = frozenset()  # keys of PARTS that the sidebar does not show
    locked: frozenset[str] = frozenset()  # keys of PARTS that cannot be changed

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
        """The texts and parts that are not empty, without the recipe."""
        texts = {name: getattr(self, name) for name in LONGEST}
        parts = {name: sorted(getattr(self, name)) for name in ("hidden", "locked")}
        return {name: value for name, value in {**texts, **parts}.items() if value}


def packed(lesson: OwnLesson) -> str:
    """The words for a link."""
    text = json.dumps(lesson.words, ensure_ascii=False, separators=(",", ":"))
    return base64.urlsafe_b64encode(zlib.compress(text.encode(), 9)).decode().rstrip("=")


def to_lesson_link(lesson: OwnLesson) -> dict[str, str]:
    """Names and values of a link that opens the lesson with its recipe."""
    return {LESSON: OWN_LESSON, WORDS: packed(lesson), **to_link(lesson.recipe)}


def from_lesson_link(words: str, link: Mapping[str, str]) -> tuple[OwnLesson, tuple[str, ...]]:
    """(lesson, problems of its recipe) from `packed` words and a link of a recipe; ValueError for unreadable words."""
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
    """(lesson, problems of its recipe) from a file; ValueError says where reading stopped."""
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


def _lesson_of(read: object, decoded: DecodedRecipe) -> tuple[OwnLesson, tuple[str, ...]]:
    if not isinstance(read, dict):
        raise ValueError(NO_LESSON)
    texts = {name: read.get(name, "") for name in LONGEST}
    hidden, locked = (_parts(read.get(name)) for name in ("hidden", "locked"))
    return OwnLesson(**texts, recipe=decoded.recipe, hidden=hidden, locked=locked), decoded.problems


def _parts(listed: object) -> frozenset[str]:
    """The known parts; a later version may have others."""
    listed = listed if isinstance(listed, list) else []
    return frozenset(part for part in listed if isinstance(part, str) and part in PARTS)
