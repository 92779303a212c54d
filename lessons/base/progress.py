"""What a reader has done: as the browser keeps it, and as a file to hand in."""

from __future__ import annotations

import json
from typing import Any

from lessons.base.lesson import Lesson, Progress, StepDone, done_at

MOST_KEPT = 600  # steps; a browser may send anything
LONGEST_ANSWER = 1_000  # letters


def to_browser(progress: Progress) -> dict[str, list[Any]]:
    """{"scale/2": [predicted option or None, task done, own words]}, without steps at which nothing was done."""
    kept = {f"{key}/{step}": [done.said, done.done, done.words] for (key, step), done in progress.items()}
    return {name: values for name, values in kept.items() if values != [None, False, ""]}


def from_browser(sent: object) -> Progress:
    """The well-formed entries of what a browser sent; the others count as nothing done."""
    progress: Progress = {}
    for name, values in list(sent.items())[:MOST_KEPT] if isinstance(sent, dict) else ():
        key, _, step = str(name).rpartition("/")
        if not (step.isdecimal() and len(step) < 3 and isinstance(values, list) and len(values) == 3):
            continue
        said, done, words = values
        option = said if isinstance(said, int) and 0 <= said < 10 else None
        written = words[:LONGEST_ANSWER] if isinstance(words, str) else ""
        progress[key, int(step)] = StepDone(option, done is True, written)
    return progress


def merge(progress: Progress, other: Progress) -> None:
    """Add to `progress` what only `other` has."""
    for place, theirs in other.items():
        ours = progress.get(place, StepDone())
        said = theirs.said if ours.said is None else ours.said
        progress[place] = StepDone(said, ours.done or theirs.done, ours.words or theirs.words)


def right_of(lesson: Lesson, progress: Progress) -> tuple[int, int]:
    """(right predictions, questions with options) of a lesson."""
    asked = [(k, step.question) for k, step in enumerate(lesson.steps) if step.question and step.question.options]
    right = sum(done_at(lesson, k, progress).said == question.right for k, question in asked)
    return right, len(asked)


def to_hand_in(lesson: Lesson, progress: Progress, name: str = "") -> str:
    """The answers to a lesson as JSON."""
    steps = []
    for k, step in enumerate(lesson.steps):
        done, question = done_at(lesson, k, progress), step.question
        entry: dict[str, Any] = {"step": k + 1}
        if question is not None and question.options:
            said = None if done.said is None else question.options[done.said]
            entry |= {"question": question.words, "predicted": said, "right": done.said == question.right}
        elif question is not None:
            entry |= {"question": question.words, "predicted": done.words}
        if step.task is not None:
            entry |= {"task": step.task.words, "done": done.done}
        steps.append(entry)
    right, asked = right_of(lesson, progress)
    whole = {"lesson": lesson.title, "key": lesson.key, "name": name, "right": right, "questions": asked}
    return json.dumps({**whole, "steps": steps}, indent=2, ensure_ascii=False) + "\n"
