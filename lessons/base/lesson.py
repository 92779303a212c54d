"""Lesson: a sequence of steps, each a short text, a stage, a task, and a question to predict the answer of.

With recipes, formulas, and the numbers that the engine measures for the answers. What a reader has done of a lesson: as
the browser keeps it, and as a file to hand in.
"""

import json
import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import Any, Literal, get_args

import numpy as np

from datasets.catalogue import load_dataset
from datasets.noise_lab import NoiseConfig
from datasets.preparation import PreparationConfig
from nca_core.objectives.evaluator import Evaluation
from nca_core.snapshot import Numbers, Snapshot, Trajectory
from nca_core.training.gate import GATE
from study.compare import Comparison, compare
from study.measure import measure, panel_evaluator
from study.panel import PanelRecipe
from study.recipe import DataRecipe, Recipe, with_seed


def recipe_of(
    data: str,
    *panels: PanelRecipe,
    parameters: Mapping[str, float] | None = None,
    n_components: int = 2,
    held_out: float = 0.3,
    noise: NoiseConfig | None = None,
    seed: int = 0,
    **preparation: Any,
) -> Recipe:
    """A recipe on a data set of the catalogue; `held_out` is the share that is tested on."""
    recipe = Recipe(
        data=DataRecipe(data, parameters or {}),
        noise=noise or NoiseConfig(),
        preparation=PreparationConfig(held_out_fraction=held_out, **preparation),
        n_components=n_components,
        panels=panels,
        pace="calm",
    )
    return with_seed(recipe, seed) if seed else recipe


class Measured:
    """A recipe on a data set of the catalogue; panels are fitted, and trained to their end, when first needed."""

    def __init__(self, recipe: Recipe) -> None:
        self.recipe = recipe

    @cached_property
    def comparison(self) -> Comparison:
        data = self.recipe.data
        return compare(self.recipe, load_dataset(data.key, **dict(data.parameters)))

    @cached_property
    def trajectories(self) -> dict[str, Trajectory]:
        """Of each panel that trains, by its key; a training waits its turn among the others."""
        keys = [panel.key for panel in self.comparison.panels if panel.trains]
        return {key: self.comparison.trained(key, GATE.step) for key in keys}

    @cached_property
    def panels(self) -> "dict[str, PanelFacts]":
        """The numbers of each panel, by its key."""
        found = {}
        for key in (panel.key for panel in self.recipe.panels):
            first, last = (measure(self.comparison, key, self.snapshot(key, at)) for at in (0, -1))
            climbed = first.mean_p, last.mean_p, first.k_mean_entropy, last.k_mean_entropy
            found[key] = PanelFacts(*climbed, last.accuracy_1nn, last.held_out_1nn, last.held_out_knn)
        return found

    def snapshot(self, key: str, iteration: int = -1) -> Snapshot | None:
        """A training at an iteration; None of a panel that was solved in one go."""
        return self.trajectories[key].snapshots[iteration] if key in self.trajectories else None

    def A(self, key: str, iteration: int = -1) -> np.ndarray:
        """The matrix at an iteration of the training, or as fitted."""
        at = self.snapshot(key, iteration) or self.comparison.panel(key)
        assert at.transformation is not None
        return at.transformation

    def evaluate(self, key: str, iteration: int, scale: float = 1.0) -> Evaluation:
        """p_i and entropies of the training rows at A of an iteration, times `scale`."""
        rows = self.comparison.prepared.train
        return panel_evaluator(self.comparison, key, rows).evaluate(scale * self.A(key, iteration))


measured = lru_cache(maxsize=32)(Measured)


@dataclass(frozen=True)
class PanelFacts:
    """The numbers of one panel that texts name by its key, as in "{nca.f:.2f}"."""

    f0: float  # f0, f: f/n = mean p_i (NCA paper, eq. 3, over n) at the start of the training and at its end
    f: float
    k0: float  # k0, k: K̂ = exp(mean entropy) at the start and at the end
    k: float
    right: float  # share of the training rows whose nearest other one is of their class
    new: float  # share of the held-out rows whose nearest training row is of their class
    vote: float  # share of the held-out rows that a vote of round(K̂) training rows classifies correctly


Facts = Callable[[Measured], Mapping[str, float]]


@dataclass(frozen=True)
class Symbol:
    """A symbol, its meaning and its subscript."""

    base: str
    meaning: str
    below: str = ""


SYMBOLS = {
    "x": Symbol("x", "A row of the table: one number for each feature.", "i"),
    "A": Symbol(
        "A", "The matrix that projects. Each of its rows gives one axis of the picture. It is what is learned."
    ),
    "y": Symbol("y", "Where row i lies in the picture.", "i"),
    "p_ij": Symbol("p", "The chance that point i picks point j as its neighbour. Over all j these sum to 1.", "ij"),
    "p_i": Symbol("p", "The chance that point i picks a neighbour of its own class.", "i"),
    "exp": Symbol("exp", "e to the power of what follows: 1 at distance 0, and soon almost 0."),
    "d2": Symbol("‖yᵢ − yⱼ‖²", "The squared distance of i and j in the picture."),
    "d2k": Symbol("‖yᵢ − yₖ‖²", "The squared distance of i and k in the picture."),
    "sum_k": Symbol("Σ", "The sum over all points k but i itself.", "k ≠ i"),
    "sum_same": Symbol("Σ", "The sum over the points j of i's own class.", "j of i's class"),
    "sum_i": Symbol("Σ", "The sum over all training points i.", "i"),
    "sum_j": Symbol("Σ", "The sum over all points j but i itself.", "j ≠ i"),
    "f": Symbol("f", "The number of points that NCA expects to be right; divided by n, their share."),
    "g": Symbol("g", "The logarithm of the chance that all points are right at once."),
    "log": Symbol("log", "The natural logarithm: 0 at 1, and without end towards minus at 0."),
    "K": Symbol("K̂", "How many neighbours influence a point, over all points."),
    "H": Symbol("H", "The entropy of i's choice: 0 if it always picks the same neighbour, log m among m alike.", "i"),
    "lambda": Symbol("λ", "How much a large A costs; 0 is nothing."),
    "norm": Symbol("‖A‖²", "The sum of all squared entries of A: its size."),
    "pull": Symbol("∂pᵢ", "How p_i grows when point j moves by a little: the arrow on point j."),
    "dy": Symbol("∂yⱼ", "A small move of point j in the picture."),
    "same": Symbol("s", "1 if j is of i's class, else 0.", "ij"),
    "toward": Symbol("(yᵢ − yⱼ)", "The direction from j to i."),
    "S_b": Symbol("S", "How far the class means lie apart.", "b"),
    "S_w": Symbol("S", "How far the points of a class spread around their mean.", "w"),
    "a": Symbol("a", "One direction: a row of A."),
}

FORMULAS = {
    "projection": "{y} = {A} {x}",
    "p_ij": "{p_ij} = {exp}(−{d2}) / {sum_k} {exp}(−{d2k})",
    "p_i": "{p_i} = {sum_same} {p_ij}",
    "f_whole": "{f} = {sum_i} {p_i},   {p_i} = {sum_same} {p_ij}",
    "g": "{g} = {sum_i} {log} {p_i}",
    "k": "{K} = {exp}( mean of {H} ),   {H} = −{sum_j} {p_ij} {log} {p_ij}",
    "penalty": "{f} − {lambda} {norm}",
    "pull": "{pull} / {dy} = 2 {p_ij} ({same} − {p_i}) {toward}",
    "lda": "greatest ratio of {a}ᵀ{S_b}{a} to {a}ᵀ{S_w}{a}",
}


def formula_parts(formula: str) -> list[str | Symbol]:
    """Split a formula into its symbols and the texts between them."""
    pieces = enumerate(re.split(r"\{(\w+)\}", FORMULAS[formula]))
    return [SYMBOLS[piece] if place % 2 else piece for place, piece in pieces if piece]


# -- steps

# Below the panels: only the player, all curves, that of K, the neighbours of a point, the metric,
# or the arrows of the gradient; "board" replaces the panels by a drawing board.
Draws = Literal["", "curves", "k", "point", "metric", "pull", "board"]
# Numbers beside the pictures: f/n, K̂, 1-NN accuracies, a point's own p_i and its own K.
Number = Literal["f", "k", "accuracy", "p", "own_k"]
NUMBERS: tuple[Number, ...] = get_args(Number)


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
    # What is still missing after another action; "" for nothing.
    missing: Callable[[LessonState], str] = lambda state: ""


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


def lesson_of(key: str, title: str, promise: str, *steps: LessonStep, closing: tuple[str, ...]) -> Lesson:
    return Lesson(key, title, promise, steps, closing)


# -- tasks


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


# -- progress


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
