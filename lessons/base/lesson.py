"""Lesson: a path of steps; each a short text, a stage, something to do, and a question to predict the answer of."""

from __future__ import annotations

import re
from dataclasses import dataclass

from lessons.base.measured import Facts
from lessons.base.tasks import Task
from study.recipe import Recipe

# What a stage may show below its panels: nothing but the player, all curves, that of K, the neighbours of a point, the
# metric, the arrows of the gradient; or in the place of the stage a board to draw on.
DRAWS = ("", "curves", "k", "point", "metric", "pull", "board")
# The numbers beside the pictures: f/n, K̂, accuracies of the nearest neighbour, a point's own p_i and its own K. Each
# stands there from the step on that says what it is.
F, K, ACCURACY, P, OWN_K = "f", "k", "accuracy", "p", "own_k"
NUMBERS = (F, K, ACCURACY, P, OWN_K)


def no_facts() -> dict[str, float]:
    """For an answer without numbers."""
    return {}


@dataclass(frozen=True)
class Question:
    """One that is answered first, and then by the engine.

    Attributes
    ----------
    words : str
        The question.
    options : tuple of str
        What may be predicted, two to four.
    right : int
        Index of what is true.
    answer : str
        Why, with places for the numbers of `facts`: "f/n rises to {f:.2f}".
    facts : callable
        The numbers by name, measured by the engine with the recipe of the step.
    """

    words: str
    options: tuple[str, ...]
    right: int
    answer: str
    facts: Facts = no_facts

    def __post_init__(self) -> None:
        if not 2 <= len(self.options) <= 4 or not 0 <= self.right < len(self.options):
            raise ValueError(
                f"{self.words!r} has {len(self.options)} options and right={self.right}; 2 to 4 are asked."
            )

    def answered(self) -> str:
        """The answer with its numbers, which are measured now where they were not yet."""
        return re.sub(r"(?<=\d) ?%", "\N{NO-BREAK SPACE}%", self.answer.format(**self.facts()))


@dataclass(frozen=True)
class Step:
    """One thought.

    Attributes
    ----------
    title : str
        A few words.
    text : str
        Short paragraphs, as Markdown of ours.
    recipe : Recipe
        What the stage shows.
    after : Recipe or None
        What it shows once the question was answered; None for the same.
    formula : str
        Key of FORMULAS; "" for none.
    task : Task or None
        What to do.
    question : Question or None
        What to predict; it is answered once the task is done, too.
    draws : str
        One of DRAWS.
    pin : int or None
        Index of the row that is pinned when the step is opened.
    anew : bool
        It speaks of the start: what an earlier step trained is put back to it.
    numbers : tuple of str
        Which of NUMBERS the stage shows: those that were explained.
    numbers_after : tuple of str
        Which it shows besides once the question was answered.
    """

    title: str
    text: str
    recipe: Recipe
    after: Recipe | None = None
    formula: str = ""
    task: Task | None = None
    question: Question | None = None
    draws: str = ""
    pin: int | None = None
    anew: bool = False
    numbers: tuple[str, ...] = NUMBERS
    numbers_after: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.draws not in DRAWS:
            raise ValueError(f"{self.title}: draws is {self.draws!r}; it must be one of {DRAWS}.")
        if unknown := {*self.numbers, *self.numbers_after} - set(NUMBERS):
            raise ValueError(f"{self.title}: no numbers are called {sorted(unknown)}; there are {NUMBERS}.")

    def shown(self, answered: bool) -> Recipe:
        """What the stage shows before and after the question was answered."""
        return self.after if answered and self.after is not None else self.recipe


@dataclass(frozen=True)
class Lesson:
    """A path of steps.

    Attributes
    ----------
    key : str
        Names it in a link.
    title : str
        What it says.
    promise : str
        What one can say after it, in a line.
    steps : tuple of Step
        From the first to the last.
    """

    key: str
    title: str
    promise: str
    steps: tuple[Step, ...]
