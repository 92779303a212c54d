"""OwnLesson: a lesson that a teacher makes of recipes, as words in a link and as a file.

The words are packed (deflate, base64): letters of any alphabet stay short, and the answer cannot be read at a glance.
"""

import base64
import binascii
import json
import math
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from hashlib import sha256
from typing import Any

import numpy as np

from datasets.base.words import counted, percent
from lessons.base.lesson import Lesson, LessonQuestion, LessonState, LessonStep, PanelNumbers, Task
from study.link import DecodedRecipe, from_link, json_of, to_link
from study.panel import Text, check
from study.recipe import Recipe

LONGEST = {"title": 100, "text": 2_000, "question": 500, "answer": 1_000, "closing": 600}
LONGEST_OPTION = 200
MOST_OPTIONS = 4
_LOOK = " look: "  # in an option: where the picture refutes it
MOST_STEPS = 20
LONGEST_LINK = 4_000  # letters; some servers and programs cut longer addresses
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
_VERSION = 2
NO_LESSON = "This is not a lesson file: save one under *Make a lesson* on Explore."

GOALS = {
    "train": "train until it ends",
    "held_out_1nn": "on held-out rows",
    "accuracy_1nn": "on training rows",
    "mean_p": "f/n",
    "k_mean_entropy": "K̂",
}


@dataclass(frozen=True)
class Goal:
    """A task that the engine checks; ValueError for an unknown kind or a number out of range."""

    what: str = "train"  # key of GOALS: a field of Numbers, or to train
    least: float = 0.9  # to be reached by any panel
    most_features: int = 0  # which the panel may see; 0 for any number

    def __post_init__(self) -> None:
        if not isinstance(self.what, str) or self.what not in GOALS:
            raise ValueError(f"The task is {self.what!r}; it must be one of {', '.join(GOALS)}.")
        if not isinstance(self.least, (int, float)) or not math.isfinite(self.least) or self.least < 0:
            raise ValueError("The number to reach must be 0 or more.")
        if not isinstance(self.most_features, int) or self.most_features < 0:
            raise ValueError("The number of features must be a whole number.")

    @property
    def words(self) -> str:
        """What to do, in a sentence."""
        if self.what == "train":
            return "Press **Train** and wait until it ends."
        limit = f" with at most {counted(self.most_features, 'feature')}" if self.most_features else ""
        return f"Reach {self.shown(self.least)}{limit}."

    def shown(self, value: float) -> str:
        """A value with its name."""
        name = GOALS[self.what]
        return f"{percent(value)} accuracy {name}" if name.startswith("on ") else f"{name} {value:.3g}"

    def task(self) -> Task:
        """The task of a step."""
        if self.what == "train":
            return Task(self.words, lambda state: bool(state.ended), trains=True)
        return Task(self.words, self._reached, trains=True, missing=self._missing)

    def _value(self, reached: PanelNumbers) -> float:
        return float(getattr(reached.numbers, self.what))

    def _reached(self, state: LessonState) -> bool:
        most = self.most_features or math.inf
        return any(each.n_features <= most and self._value(each) >= self.least for each in state.measure())

    def _missing(self, state: LessonState) -> str:
        found = state.measure() if state.ended else ()
        best = max(found, key=lambda each: np.nan_to_num(self._value(each), nan=-1), default=None)
        if best is None:
            return ""
        if math.isnan(self._value(best)):
            return "No rows are held out: choose a share under *Prepare*." if self.what == "held_out_1nn" else ""
        return f"So far: {self.shown(self._value(best))}, with {best.n_features} features."


@dataclass(frozen=True)
class OwnStep:
    """A step of a teacher's lesson; ValueError for long texts or an answer without question."""

    text: str = ""
    question: str = ""
    options: tuple[str, ...] = ()  # none for an answer in one's own words
    right: int = -1  # index of the true option; −1 until it is chosen
    answer: str = ""
    goal: Goal | None = None
    recipe: Recipe = field(default_factory=Recipe)  # on the stage

    def __post_init__(self) -> None:
        for name in ("text", "question", "answer"):
            check(f"The {name}", getattr(self, name), Text(LONGEST[name]))
        for option in self.options:
            check("The option", option, Text(LONGEST_OPTION))
        if self.answer.strip() and not self.question.strip():
            raise ValueError("There is an answer and no question: write the question, or leave the answer out.")
        if self.options and not 2 <= len(self.options) <= MOST_OPTIONS:
            raise ValueError(f"A question has two to {MOST_OPTIONS} options, or none.")
        if not isinstance(self.right, int) or (self.options and not -1 <= self.right < len(self.options)):
            raise ValueError("The right option must be one of the options.")


@dataclass(frozen=True)
class OwnLesson:
    """A teacher's lesson; ValueError for a missing title, no or too many steps, or unknown parts."""

    title: str
    steps: tuple[OwnStep, ...] = (OwnStep(),)
    hidden: frozenset[str] = frozenset()  # keys of PARTS that the sidebar does not show
    locked: frozenset[str] = frozenset()  # keys of PARTS that cannot be changed
    closing: str = ""  # what students can say at the end, one a line

    def __post_init__(self) -> None:
        for name in ("title", "closing"):
            check(f"The {name}", getattr(self, name), Text(LONGEST[name]))
        if not self.title.strip():
            raise ValueError("Give the lesson a title.")
        if not 1 <= len(self.steps) <= MOST_STEPS:
            raise ValueError(f"A lesson has 1 to {MOST_STEPS} steps; this one has {len(self.steps)}.")
        for number, step in enumerate(self.steps, start=1):
            if step.options and step.right < 0:
                raise ValueError(f"Step {number}: choose which option is the right one.")
        for name in ("hidden", "locked"):
            unknown = sorted(getattr(self, name) - PARTS.keys())
            if unknown:
                raise ValueError(f"{name} names {', '.join(unknown)}; the parts are: {', '.join(PARTS)}.")

    @property
    def words(self) -> dict[str, Any]:
        """All that is not empty, without the recipe of the first step; later ones where they differ from the last."""
        steps = []
        for before, step in zip((self.steps[0], *self.steps), self.steps, strict=False):
            texts = {name: getattr(step, name) for name in ("text", "question", "answer") if getattr(step, name)}
            if step.options:
                texts |= {"options": list(step.options), "right": step.right}
            if step.goal is not None:
                texts["goal"] = {each.name: getattr(step.goal, each.name) for each in fields(Goal)}
            if step.recipe != before.recipe:
                texts["recipe"] = to_link(step.recipe)
            steps.append(texts)
        parts = {name: sorted(getattr(self, name)) for name in ("hidden", "locked") if getattr(self, name)}
        end = {"closing": self.closing} if self.closing.strip() else {}
        return {"title": self.title, "steps": steps, **parts, **end}

    def lesson(self) -> Lesson:
        """As the lessons of this app; its key names its content, so that answers belong to it alone."""
        content = json.dumps([self.words, to_link(self.steps[0].recipe)], sort_keys=True)
        key = f"{OWN_LESSON}:{sha256(content.encode()).hexdigest()[:16]}"
        lines = tuple(line.strip() for line in self.closing.splitlines() if line.strip())
        return Lesson(key, self.title, "", tuple(map(_as_step, self.steps)), lines)


def _plain(text: str) -> str:
    """Text whose braces name no number."""
    return text.replace("{", "{{").replace("}", "}}")


def _as_step(step: OwnStep) -> LessonStep:
    options = [option.partition(_LOOK) for option in step.options]
    looks = tuple(_plain(f"Look: {look}") if look else "" for _, _, look in options)
    said = tuple(words for words, _, _ in options)
    full = LessonQuestion(step.question, said, step.right, _plain(step.answer), looks=looks)
    question = full if step.question.strip() and (step.options or step.answer.strip()) else None
    text = step.text if question is not None or not step.question.strip() else f"{step.text}\n\n**{step.question}**"
    task = step.goal.task() if step.goal is not None else None
    return LessonStep("", text, step.recipe, task=task, question=question)


def packed(lesson: OwnLesson) -> str:
    """The words for a link."""
    text = json.dumps(lesson.words, ensure_ascii=False, separators=(",", ":"))
    return base64.urlsafe_b64encode(zlib.compress(text.encode(), 9)).decode().rstrip("=")


def to_lesson_link(lesson: OwnLesson) -> dict[str, str]:
    """Names and values of a link that opens the lesson with its recipes."""
    return {LESSON: OWN_LESSON, WORDS: packed(lesson), **to_link(lesson.steps[0].recipe)}


def from_lesson_link(words: str, link: Mapping[str, str]) -> tuple[OwnLesson, tuple[str, ...]]:
    """(lesson, problems of its recipes) from `packed` words and a link of a recipe; ValueError for unreadable words."""
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
    read = {LESSON: _VERSION, **lesson.words, "recipe": to_link(lesson.steps[0].recipe)}
    return json.dumps(read, indent=2, ensure_ascii=False) + "\n"


def from_lesson_file(text: str) -> tuple[OwnLesson, tuple[str, ...]]:
    """(lesson, problems of its recipes) from a file; ValueError says where reading stopped."""
    read = json_of(text, "lesson")
    if not isinstance(read, dict) or LESSON not in read or not isinstance(read.get("recipe"), dict):
        raise ValueError(NO_LESSON)
    return _lesson_of(read, from_link(read["recipe"]))


def _lesson_of(read: object, first: DecodedRecipe) -> tuple[OwnLesson, tuple[str, ...]]:
    if not isinstance(read, dict):
        raise ValueError(NO_LESSON)
    listed = read.get("steps")
    if not isinstance(listed, list) or not all(isinstance(each, dict) for each in listed):
        raise ValueError(NO_LESSON)
    steps, decoded, problems = [], first, first.problems
    for place, each in enumerate(listed[: MOST_STEPS + 1]):
        if place and isinstance(each.get("recipe"), dict):
            decoded = from_link(each["recipe"])
            problems += decoded.problems
        options, goal = each.get("options", []), each.get("goal")
        if isinstance(goal, dict):
            goal = Goal(**{one.name: goal[one.name] for one in fields(Goal) if one.name in goal})
        steps.append(
            OwnStep(
                **{name: each.get(name, "") for name in ("text", "question", "answer")},
                options=tuple(options) if isinstance(options, list) else (),
                right=each.get("right", -1),
                goal=goal if isinstance(goal, Goal) else None,
                recipe=decoded.recipe,
            )
        )
    hidden, locked = (_parts(read.get(name)) for name in ("hidden", "locked"))
    return OwnLesson(read.get("title", ""), tuple(steps), hidden, locked, read.get("closing", "")), problems


def _parts(listed: object) -> frozenset[str]:
    """The known parts; a later version may have others."""
    listed = listed if isinstance(listed, list) else []
    return frozenset(part for part in listed if isinstance(part, str) and part in PARTS)
