"""Lesson: a sequence of steps, each a short text, a stage, a task, and a question to predict the answer of.

What a reader has done of it: as the browser keeps it, and as a file to hand in.
"""

import json
import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, get_args

import numpy as np

from lessons.base.material import Facts, measured
from nca_core.snapshot import Numbers
from study.recipe import Recipe

# Below the panels: only the player, all curves, that of K, the neighbours of a point, the metric,
# or the arrows of the gradient; "board" replaces the panels by a drawing board.
Draws = Literal["", "curves", "k", "point", "metric", "pull", "board"]
# Numbers beside the pictures: f/n, K̂, 1-NN accuracies, a point's own p_i and its own K.
Number = Literal["f", "k", "accuracy", "p", "own_k"]
NUMBERS: tuple[Number, ...] = get_args(Number)
F, K, ACCURACY, P, OWN_K = NUMBERS


@dataclass(frozen=True)
class PanelNumbers:
    """What a panel has reached, and the number of features that it sees."""

    numbers: Numbers
    n_features: int


@dataclass(frozen=True)
class LessonState:
    """The state of the stage that tasks depend on."""

    iterations: Mapping[str, int] = field(default_factory=dict)  # of each training, by the panel's key
    ended: frozenset[str] = frozenset()  # panels whose training has ended or is paused
    point: int | None = None  # index of the selected row
    hidden: frozenset[int] = frozenset()  # codes of hidden classes
    iteration: int | None = None  # which iteration is shown; None while it moves
    same_scale: bool = False
    transformations: Mapping[str, np.ndarray] = field(default_factory=dict)  # A of each training
    measure: Callable[[], Collection[PanelNumbers]] = tuple  # what each panel has reached; computed when called


@dataclass(frozen=True)
class Task:
    """Something to do."""

    words: str
    done: Callable[[LessonState], bool]
    trains: bool = False  # asks for a training
    missing: Callable[[LessonState], str] = lambda state: (
        ""
    )  # what is still missing after another action; "" for nothing


@dataclass(frozen=True)
class LessonQuestion:
    """A question to predict the answer of, before the engine answers it."""

    words: str
    options: tuple[str, ...] = ()  # two to four; none for an answer in one's own words
    right: int = 0  # index of the true one
    answer: str = ""  # why, with places for the numbers of `numbers`: "f/n rises to {nca.f:.2f}"
    facts: Facts = lambda found: {}  # numbers besides those of panels, from what is on the stage
    looks: tuple[str, ...] = ()  # for each option where the picture refutes it; RIGHT for the true one
    own: Callable[[LessonState], str] = lambda state: ""  # what the reader's own training adds to the answer

    def answered(self, recipe: Recipe) -> str:
        """The answer with its numbers."""
        return self._with_numbers(self.answer, recipe)

    def look(self, option: int, recipe: Recipe) -> str:
        """Where the picture refutes an option, with numbers; "" for the true one."""
        return self._with_numbers(self.looks[option], recipe) if self.looks else ""

    def numbers(self, recipe: Recipe) -> dict[str, Any]:
        """What texts may name: each panel by its key, and `facts`; the engine measures them."""
        found = measured(recipe)
        return {**found.panels, **self.facts(found)}

    def _with_numbers(self, text: str, recipe: Recipe) -> str:
        filled = text.format_map(self.numbers(recipe)) if "{" in text else text
        return re.sub(r"(?<=\d) ?%", "\N{NO-BREAK SPACE}%", filled)


@dataclass(frozen=True)
class LessonStep:
    """One thought: a text, a stage, a task and a question."""

    title: str
    text: str  # short paragraphs, as Markdown
    recipe: Recipe  # on the stage
    after: Recipe | None = None  # on the stage once the question was answered, if it changes
    formula: str = ""  # key of FORMULAS
    task: Task | None = None
    question: LessonQuestion | None = None
    draws: Draws = ""
    pin: int | None = None  # index of the row that is selected when the step opens
    anew: bool = False  # resets what an earlier step trained
    turns: bool = False  # each new picture begins with the data in 3-D, which turn to the side of each method
    scales: bool = False  # with the slider that multiplies A
    explains: tuple[Number, ...] = ()  # shown on the stage from this step on
    numbers_after: tuple[Number, ...] = ()  # explained by the answer, and shown from then on
    numbers: tuple[Number, ...] = NUMBERS  # shown on the stage: those explained so far, in LESSONS

    def shown(self, answered: bool) -> Recipe:
        """The recipe on the stage before or after the question was answered."""
        return self.after if answered and self.after is not None else self.recipe


RIGHT = ""  # in the place of what refutes an option


def question_step(
    title: str,
    text: str,
    recipe: Recipe,
    question: str,
    options: Mapping[str, str],
    answer: str,
    facts: Facts = lambda found: {},
    own: Callable[[LessonState], str] = lambda state: "",
    **more: Any,
) -> LessonStep:
    """A step with a question.

    options: each option with where the picture refutes it, RIGHT for the true one.
    answer, facts, own: of the question.
    **more: the other fields of LessonStep.
    """
    looks = tuple(options.values())
    predicted = LessonQuestion(question, tuple(options), looks.index(RIGHT), answer, facts, looks, own)
    return LessonStep(title, text, recipe, question=predicted, **more)


@dataclass(frozen=True)
class Lesson:
    """A sequence of steps."""

    key: str  # in a link
    title: str
    promise: str  # what a reader can do afterwards: "explain why ..."
    steps: tuple[LessonStep, ...]
    closing: tuple[str, ...] = ()  # the promise kept, in three lines


def finish(*keys: str, words: str = "Press **Train** and wait until it ends.") -> Task:
    """Train these panels until they end."""
    return Task(words, lambda state: _trained(state, keys), trains=True)


def press_a_point(words: str = "Press any point in the picture.", *keys: str) -> Task:
    """Select a point, and train these panels until they end."""
    return Task(words, lambda state: state.point is not None and _trained(state, keys), trains=bool(keys))


def hide(code: int, words: str) -> Task:
    """Hide a class."""
    return Task(words, lambda state: code in state.hidden)


def scrub_to(iteration: int, words: str) -> Task:
    """Scrub a training back to an iteration."""
    return Task(words, lambda state: bool(state.iterations) and state.iteration == iteration)


def hold_the_scale(*keys: str, words: str) -> Task:
    """Train these panels until they end, with the same scale held."""
    missing = "The training has ended, but the scale was not held. Press **same scale**, then ▶ to see it again."
    return Task(
        words,
        lambda state: state.same_scale and _trained(state, keys),
        trains=True,
        missing=lambda state: missing if _trained(state, keys) and not state.same_scale else "",
    )


def _trained(state: LessonState, keys: Collection[str]) -> bool:
    return set(keys) <= state.ended and all(state.iterations.get(key, 0) > 0 for key in keys)


@dataclass(frozen=True)
class StepDone:
    """The progress of a reader at a step."""

    said: int | None = None  # index of the predicted option
    done: bool = False  # the task
    words: str = ""  # the prediction in one's own words

    @property
    def predicted(self) -> bool:
        return self.said is not None or bool(self.words)

    def answered(self, step: LessonStep) -> bool:
        """Whether the answer may be shown: something was predicted and the task is done."""
        return self.predicted and (step.task is None or self.done)

    def complete(self, step: LessonStep) -> bool:
        """Whether question and task are done."""
        return (step.question is None or self.predicted) and (step.task is None or self.done)


Progress = dict[tuple[str, int], StepDone]  # by the lesson's key and the step's place


def done_at(lesson: Lesson, index: int, progress: Progress) -> StepDone:
    """The progress at a step; a prediction that is none of the options does not count."""
    done, question = progress.get((lesson.key, index), StepDone()), lesson.steps[index].question
    if done.said is None or (question is not None and done.said < len(question.options)):
        return done
    return replace(done, said=None)


def steps_done(lesson: Lesson, progress: Progress) -> int:
    """Number of complete steps of a lesson."""
    return sum(done_at(lesson, k, progress).complete(step) for k, step in enumerate(lesson.steps))


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
    questions = [(k, step.question) for k, step in enumerate(lesson.steps) if step.question and step.question.options]
    right = sum(done_at(lesson, k, progress).said == question.right for k, question in questions)
    return right, len(questions)


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
    right, n_questions = right_of(lesson, progress)
    whole = {"lesson": lesson.title, "key": lesson.key, "name": name, "right": right, "questions": n_questions}
    return json.dumps({**whole, "steps": steps}, indent=2, ensure_ascii=False) + "\n"
