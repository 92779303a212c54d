"""Every lesson is whole: its recipes can be carried out, its words fit; what a reader has done comes back."""

import json
import re
from dataclasses import replace

import pytest

from lessons import LESSONS
from lessons.base.lesson import (
    FORMULAS,
    SYMBOLS,
    Lesson,
    LessonQuestion,
    LessonState,
    LessonStep,
    StepDone,
    done_at,
    finish,
    formula_parts,
    from_browser,
    hide,
    hold_the_scale,
    merge,
    press_a_point,
    recipe_of,
    right_of,
    scrub_to,
    steps_done,
    to_browser,
    to_hand_in,
)
from lessons.base.own import Goal, OwnLesson, OwnStep
from study.link import from_link, to_link
from study.panel import PanelRecipe

STEPS = [
    pytest.param(lesson, k, id=f"{lesson.key}-{k + 1}") for lesson in LESSONS.values() for k in range(len(lesson.steps))
]


def test_there_are_ten_under_their_keys():
    assert len(LESSONS) == 10
    assert all(key == lesson.key and re.fullmatch("[a-z]+", key) for key, lesson in LESSONS.items())
    assert all(2 <= len(lesson.steps) <= 6 for lesson in LESSONS.values())
    assert all(len(lesson.closing) == 3 and len(lesson.promise) < 90 for lesson in LESSONS.values())


@pytest.mark.parametrize(("lesson", "k"), STEPS)
def test_a_step_is_whole(lesson: Lesson, k: int):
    step = lesson.steps[k]
    assert len(step.text) < 520, "short, or nobody reads it"
    assert step.question is not None, "every step asks to predict"
    for recipe in filter(None, (step.recipe, step.after)):
        decoded = from_link(to_link(recipe))
        assert decoded.recipe == recipe
        assert decoded.problems == ()
    assert 2 <= len(step.question.options) <= 4
    answered = step.question.answered(step.shown(True))
    looks = [step.question.look(k, step.shown(True)) for k in range(len(step.question.options))]
    assert len(answered) < 420
    assert max(map(len, looks)) < 150
    assert step.formula in ("", *FORMULAS)
    panels = {panel.key for panel in step.recipe.panels}
    trained = {panel.key for panel in step.recipe.panels if panel.method.kind == "trained"}
    assert panels
    if step.task is not None:
        assert not step.task.done(LessonState())
        keys = [panel.key for panel in step.shown(True).panels]
        everything = LessonState(dict.fromkeys(keys, 9), frozenset(keys), 3, frozenset(range(9)), 0, True)
        assert step.task.done(everything)
        assert trained or "Train" not in step.task.words
        assert not step.task.trains or re.search(r"\*\*Train\*\*|Train if you have not", step.task.words)
    assert not re.search(r"\d%", answered), "98 %, as everywhere"
    for words in (step.text, step.question.words, answered, *looks, step.task.words if step.task else ""):
        assert not re.search(r"\b(stage|panels?|pinned)\b", words), "words of the trade"
        assert "{" not in words, "an unfilled placeholder"


ENDED = LessonState({"nca": 5}, frozenset({"nca"}))
HOLD = hold_the_scale("nca", words="")


@pytest.mark.parametrize(
    ("task", "done", "not_done"),
    [
        (finish("nca"), ENDED, LessonState({"nca": 5})),
        (finish("nca"), ENDED, LessonState({"nca": 0}, frozenset({"nca"}))),
        (finish("nca", "nca-2"), LessonState({"nca": 1, "nca-2": 1}, frozenset({"nca", "nca-2"})), ENDED),
        (press_a_point(), LessonState(point=0), ENDED),
        (press_a_point("", "nca"), replace(ENDED, point=0), LessonState(point=0)),
        (hide(2, ""), LessonState(hidden=frozenset({2})), LessonState(hidden=frozenset({1}))),
        (scrub_to(4, ""), LessonState({"nca": 9}, iteration=4), LessonState({"nca": 9}, iteration=5)),
        (scrub_to(0, ""), LessonState({"nca": 9}, iteration=0), LessonState(iteration=0)),  # nothing was trained
        (HOLD, replace(ENDED, same_scale=True), ENDED),
    ],
)
def test_what_tasks_see(task, done, not_done):
    assert task.done(done)
    assert not task.done(not_done)


def test_the_scale_is_missing_only_once_the_training_has_ended():
    assert HOLD.trains
    assert "same scale" in HOLD.missing(ENDED)
    assert HOLD.missing(replace(ENDED, same_scale=True)) == HOLD.missing(LessonState({"nca": 5})) == ""


def test_numbers_stand_on_the_stage_once_they_were_explained():
    explained = {"p": ("neighbour", 1), "f": ("neighbour", 2), "own_k": ("neighbour", 3), "k": ("scale", 0)}
    explained["accuracy"] = ("overfitting", 2)
    places = [(key, k) for key, lesson in LESSONS.items() for k in range(len(lesson.steps))]
    for number, first in explained.items():
        shown = [place for place in places if number in LESSONS[place[0]].steps[place[1]].numbers]
        assert shown == places[places.index(first) :]
        assert shown[0] == first
    assert LESSONS["overfitting"].steps[1].numbers_after == ("accuracy",)


def test_every_symbol_of_every_formula_has_a_meaning():
    for key in FORMULAS:
        symbols = [part for part in formula_parts(key) if not isinstance(part, str)]
        assert symbols
        assert all(len(symbol.meaning) > 15 for symbol in symbols)
    used = {name for formula in FORMULAS.values() for name in re.findall(r"\{(\w+)\}", formula)}
    assert used <= SYMBOLS.keys()


def test_what_is_done_at_a_step():
    question = LessonQuestion("?", ("a", "b"), 1, "")
    recipe = recipe_of("wine", PanelRecipe("nca"))
    alone = LessonStep("", "", recipe, question=question)
    both = replace(alone, task=finish("nca"))
    assert not StepDone(said=0).answered(both)
    assert StepDone(said=0, done=True).answered(both)
    assert StepDone(said=0).answered(alone)
    assert not StepDone(done=True).complete(alone)
    lesson = Lesson("k", "", "", (both, alone))
    assert steps_done(lesson, {}) == 0
    assert done_at(lesson, 0, {("k", 0): StepDone(7, True)}) == StepDone(None, True)  # an option that there is not
    assert steps_done(lesson, {("k", 1): StepDone(0), ("k", 0): StepDone(0), ("other", 0): StepDone(0, True)}) == 1


def test_numbers_are_not_named_before_they_were_shown():
    """f/n, K̂ and p_ij in the words of a step, its options, looks and answer."""
    places = [(key, k) for key, lesson in LESSONS.items() for k in range(len(lesson.steps))]
    for sign, first in (("f/n", ("neighbour", 2)), ("K̂", ("scale", 0)), ("pᵢⱼ", ("neighbour", 0))):
        for key, k in places[: places.index(first)]:
            step = LESSONS[key].steps[k]
            question = step.question
            words = (step.title, step.text, question.words, *question.options, *question.looks, question.answer)
            assert not any(sign in text for text in words), (sign, key, k)
        task = LESSONS[first[0]].steps[first[1]].task
        assert sign == "pᵢⱼ" or task.trains  # then the picture has it
        early = list(LESSONS)[: list(LESSONS).index(first[0])]
        assert not any(sign in text for key in early for text in (LESSONS[key].promise, *LESSONS[key].closing))


PROGRESS = {("scale", 0): StepDone(1, True), ("own:ab", 2): StepDone(words="I think so"), ("pull", 1): StepDone()}


def test_what_was_done_comes_back():
    sent = json.loads(json.dumps(to_browser(PROGRESS)))
    assert from_browser(sent) == {place: done for place, done in PROGRESS.items() if done != StepDone()}


@pytest.mark.parametrize(
    "sent", [None, 5, [], {"scale": [1, True, ""]}, {"scale/x": [1, True, ""]}, {"scale/1": 7}, {"scale/1": [1, True]}]
)
def test_what_is_no_progress_does_not_count(sent):
    assert from_browser(sent) == {}


def test_only_well_formed_values_count():
    sent = {"scale/1": ["x", 1, 5], "pull/0": [-1, True, "y" * 5_000]}
    assert from_browser(sent) == {("scale", 1): StepDone(), ("pull", 0): StepDone(None, True, "y" * 1_000)}
    assert len(from_browser({f"own/{k % 90}{k}": [0, True, ""] for k in range(5_000)})) <= 600


def test_neither_side_loses_what_the_other_does_not_know():
    progress = {("scale", 0): StepDone(1), ("pull", 0): StepDone(done=True)}
    merge(progress, {("scale", 0): StepDone(2, True), ("pull", 0): StepDone(0), ("k", 0): StepDone(2)})
    assert progress == {("scale", 0): StepDone(1, True), ("pull", 0): StepDone(0, True), ("k", 0): StepDone(2)}


def test_the_file_to_hand_in_says_what_was_predicted_and_what_was_right():
    own = OwnLesson(
        "Mine",
        (
            OwnStep("a", "Which?", ("this", "that"), 1, "That.", Goal()),
            OwnStep("b", "Why?", answer="Because."),
            OwnStep("c"),
        ),
    ).lesson()
    progress = {(own.key, 0): StepDone(0, True), (own.key, 1): StepDone(words="so")}
    read = json.loads(to_hand_in(own, progress, "Ann"))
    assert (read["lesson"], read["name"], read["right"], read["questions"]) == ("Mine", "Ann", 0, 1)
    first, second, third = read["steps"]
    assert (first["predicted"], first["right"], first["done"]) == ("this", False, True)
    assert second["predicted"] == "so"
    assert third == {"step": 3}
    assert right_of(own, {(own.key, 0): StepDone(1)}) == (1, 1)
    assert right_of(LESSONS["scale"], {("scale", 0): StepDone(1), ("scale", 1): StepDone(0)}) == (1, 5)
