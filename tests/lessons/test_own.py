"""A teacher's lesson through its link and its file, and what is none."""

import base64
import json
import random
import re
import zlib

import pytest

from lessons.base.lesson import LessonState, PanelNumbers
from lessons.base.own import (
    LONGEST,
    LONGEST_LINK,
    MOST_STEPS,
    Goal,
    OwnLesson,
    OwnStep,
    from_lesson_file,
    from_lesson_link,
    packed,
    to_lesson_file,
    to_lesson_link,
)
from nca_core.snapshot import Numbers
from study.link import LARGEST_FILE
from study.panel import PanelRecipe
from study.recipe import DataRecipe, Recipe

HOSTILE = "<script>harmed=1</script> ![](http://evil.test/x.png) **bold** $x$ \u202e"
RECIPE = Recipe(data=DataRecipe("wine"), panels=(PanelRecipe("nca", {"objective": "g"}, title=HOSTILE[:40]),))
OTHER = Recipe(data=DataRecipe("iris"), panels=(PanelRecipe("pca"),))
LESSON = OwnLesson(
    "Кольца и 近邻",
    (
        OwnStep(f"First.\n\nSecond {HOSTILE}", "Why {so}?", answer="Because {so}.", recipe=RECIPE),
        OwnStep("Third", "Which?", ("this", "that"), 1, "That.", Goal("held_out_1nn", 0.9, 2), OTHER),
        OwnStep(recipe=OTHER, goal=Goal()),
    ),
    hidden=frozenset({"noise"}),
    locked=frozenset({"data", "training"}),
)
ASKED = OwnLesson("t", (OwnStep(question="q"),))


def by_link(lesson):
    link = to_lesson_link(lesson)
    assert link.pop("lesson") == "own"
    return from_lesson_link(link.pop("words"), link)


@pytest.mark.parametrize("lesson", [LESSON, OwnLesson("t"), ASKED])
def test_link_and_file_bring_the_same_lesson(lesson):
    assert by_link(lesson) == (lesson, ())
    assert re.fullmatch(r"[A-Za-z0-9_-]{0,800}", packed(lesson))  # short, safe in an address, not read at a glance
    assert from_lesson_file(to_lesson_file(lesson)) == (lesson, ())


def test_the_longest_words_may_not_fit_a_link_but_a_file():
    rng = random.Random(1)
    words = {name: "".join(chr(rng.randrange(0x4E00, 0x9000)) for _ in range(most)) for name, most in LONGEST.items()}
    title, closing = words.pop("title"), words.pop("closing")
    lesson = OwnLesson(title, (OwnStep(**words, recipe=RECIPE),) * MOST_STEPS, closing=closing)
    assert len("".join(to_lesson_link(lesson).values())) > LONGEST_LINK
    assert len(to_lesson_file(lesson)) < LARGEST_FILE
    assert from_lesson_file(to_lesson_file(lesson))[0] == lesson


def test_a_hint_after_an_option_is_shown_to_those_who_choose_it_and_closing_lines_end_the_lesson():
    step = OwnStep("x", "Which?", ("red look: {its} rings overlap", "blue"), 1, "a", recipe=Recipe())
    lesson = OwnLesson("t", (step,), closing="K falls.\n\n f rises. \n")
    opened = by_link(lesson)[0]
    assert (opened, opened.lesson().closing) == (lesson, ("K falls.", "f rises."))
    asked = opened.lesson().steps[0].question
    assert asked.options == ("red", "blue")
    assert [asked.look(k, Recipe()) for k in (0, 1)] == ["Look: {its} rings overlap", ""]


@pytest.mark.parametrize(
    ("make", "match"),
    [
        (lambda: OwnLesson("  "), "title"),
        (lambda: OwnLesson("x" * 101), "The title is"),
        (lambda: OwnLesson(7), "must be a text"),
        (lambda: OwnLesson("t", hidden=frozenset({"door"})), "door"),
        (lambda: OwnLesson("t", (OwnStep(), OwnStep(question="q", options=("a", "b")))), "Step 2: choose which option"),
        (lambda: OwnLesson("t", ()), "1 to"),
        (lambda: OwnLesson("t", (OwnStep(),) * (MOST_STEPS + 1)), f"has {MOST_STEPS + 1}"),
        (lambda: OwnStep(answer="a"), "no question"),
        (lambda: OwnStep(question="q", options=("one",)), "two to"),
        (lambda: OwnStep(question="q", options=("a", "b"), right=2), "one of the options"),
        (lambda: Goal("fly"), "must be one of"),
        (lambda: Goal("mean_p", float("nan")), "0 or more"),
        (lambda: Goal("mean_p", 0.5, -1), "whole number"),
    ],
)
def test_what_is_no_lesson_is_said(make, match):
    with pytest.raises(ValueError, match=match):
        make()


def reached(n_features, **numbers):
    return PanelNumbers(Numbers(**numbers), n_features)


@pytest.mark.parametrize(
    ("panels", "done"),
    [
        ([reached(2, held_out_1nn=0.9)], True),
        ([reached(2, held_out_1nn=0.89)], False),
        ([reached(3, held_out_1nn=0.95)], False),
        ([reached(3, held_out_1nn=0.95), reached(1, held_out_1nn=0.91)], True),
        ([reached(2, accuracy_1nn=1.0)], False),  # the training rows do not count
        ([], False),
    ],
)
def test_the_engine_checks_a_task(panels, done):
    task = Goal("held_out_1nn", 0.9, 2).task()
    assert task.words == "Reach 90\N{NO-BREAK SPACE}% accuracy on held-out rows with at most 2 features."
    assert task.done(LessonState(measure=lambda: panels)) is done


def test_a_task_says_what_is_missing():
    missing = Goal("held_out_1nn", 0.9, 2).task().missing
    assert "84" in missing(LessonState(ended=frozenset({"nca"}), measure=lambda: [reached(4, held_out_1nn=0.84)]))
    assert "held out" in missing(LessonState(ended=frozenset({"nca"}), measure=lambda: [reached(4)]))
    assert missing(LessonState()) == ""
    assert Goal("k_mean_entropy", 5).words == "Reach K̂ 5."
    assert Goal().task().done(LessonState(ended=frozenset({"nca"}))) > Goal().task().done(LessonState())


def test_steps_become_those_of_a_lesson():
    lesson = LESSON.lesson()
    assert lesson.steps[0].question.answered(RECIPE) == "Because {so}."  # braces of a teacher are no places
    assert [step.recipe for step in lesson.steps] == [RECIPE, OTHER, OTHER]
    assert lesson.steps[1].question.options == ("this", "that")
    assert ASKED.lesson().steps[0].question is None  # without an answer it is text
    assert "**q**" in ASKED.lesson().steps[0].text
    changed = OwnLesson(LESSON.title, (LESSON.steps[0], OwnStep("Third")), LESSON.hidden, LESSON.locked)
    assert lesson.key != changed.lesson().key  # answers to another question are not taken along


def by_hand(words):
    return base64.urlsafe_b64encode(zlib.compress(words.encode(), 9)).decode().rstrip("=")


BOMB = by_hand('{"title":"t"' + " " * 5_000_000 + "}")
assert len(BOMB) < 2 * LONGEST_LINK  # it is not its length that is refused


@pytest.mark.parametrize("words", ["", "!!!!", "AAAA", packed(LESSON)[:-9], "A" * 99_999, BOMB])
def test_a_damaged_link_is_one_sentence(words):
    with pytest.raises(ValueError, match="damaged"):
        from_lesson_link(words, {})


@pytest.mark.parametrize(
    ("text", "match"),
    [
        ("{", "line 1, column 2"),
        ("[1]", "not a lesson file"),
        ('{"lesson": 2, "recipe": {}}', "not a lesson file"),
        ('{"lesson": 2, "recipe": {}, "steps": [{}]}', "title"),
        ("[" * 99_000, "nested|not a lesson file"),
        (" " * (LARGEST_FILE + 1), "letters"),
        ('{"lesson": 2, "recipe": {}, "title": "t", "steps": [5]}', "not a lesson file"),
        ('{"lesson": 2, "recipe": {}, "title": "t", "steps": [{"options": ["a", 5], "question": "q"}]}', "option"),
        ('{"lesson": 2, "recipe": {}, "title": "t", "steps": [{"goal": {"what": []}}]}', "task"),
    ],
)
def test_a_file_that_is_no_lesson_is_one_sentence(text, match):
    with pytest.raises(ValueError, match=match):
        from_lesson_file(text)


def test_what_a_later_version_writes_is_left_out_and_said():
    read = json.loads(to_lesson_file(LESSON)) | {"hidden": ["noise", "door", 5], "sound": "on"}
    read["recipe"]["nonsense"] = "1"
    lesson, problems = from_lesson_file(json.dumps(read))
    (problem,) = problems
    assert (lesson, "nonsense" in problem) == (LESSON, True)
