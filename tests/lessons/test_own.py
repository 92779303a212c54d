"""A teacher's lesson through its link and its file, and what is none."""

from __future__ import annotations

import base64
import json
import random
import zlib

import pytest

from lessons.base.own import (
    LARGEST_FILE,
    LONGEST,
    LONGEST_LINK,
    OwnLesson,
    from_lesson_file,
    from_lesson_link,
    packed,
    to_lesson_file,
    to_lesson_link,
)
from study.panel import PanelRecipe
from study.recipe import DataRecipe, Recipe

HOSTILE = "<script>harmed=1</script> ![](http://evil.test/x.png) **bold** $x$ \u202e"
RECIPE = Recipe(data=DataRecipe("wine"), panels=(PanelRecipe("nca", {"objective": "g"}, title=HOSTILE[:40]),))
LESSON = OwnLesson(
    "Кольца и 近邻",
    f"First.\n\nSecond {HOSTILE}",
    "Why?",
    "Because.",
    RECIPE,
    hidden=frozenset({"noise"}),
    locked=frozenset({"data", "training"}),
)


def by_link(lesson):
    link = to_lesson_link(lesson)
    assert link.pop("lesson") == "own"
    return from_lesson_link(link.pop("words"), link)


@pytest.mark.parametrize("lesson", [LESSON, OwnLesson("t"), OwnLesson("t", question="q")])
def test_link_and_file_bring_the_same_lesson(lesson):
    assert by_link(lesson) == (lesson, ())
    assert from_lesson_file(to_lesson_file(lesson)) == (lesson, ())


def test_words_of_any_alphabet_take_little_room_and_are_safe_in_an_address():
    words = packed(OwnLesson("т", "Соседи одного класса стоят рядом. " * 40))
    assert len(words) < 400
    assert words.isascii()
    assert all(letter.isalnum() or letter in "-_" for letter in words)


def test_the_answer_is_not_read_in_the_address_at_a_glance():
    assert "Because" not in "".join(to_lesson_link(LESSON).values())


@pytest.mark.parametrize("name", list(LONGEST))
def test_words_have_an_end(name):
    words = {"title": "t", "question": "q", name: "x" * (LONGEST[name] + 1)}
    with pytest.raises(ValueError, match=f"The {name} is"):
        OwnLesson(**words)


def test_the_longest_words_may_not_fit_a_link_but_a_file():
    rng = random.Random(1)
    words = {name: "".join(chr(rng.randrange(0x4E00, 0x9000)) for _ in range(most)) for name, most in LONGEST.items()}
    lesson = OwnLesson(**words, recipe=RECIPE)
    assert len("".join(to_lesson_link(lesson).values())) > LONGEST_LINK
    assert len(to_lesson_file(lesson)) < LARGEST_FILE
    assert from_lesson_file(to_lesson_file(lesson))[0] == lesson


@pytest.mark.parametrize(
    ("words", "match"),
    [
        ({"title": "  "}, "title"),
        ({"title": "t", "answer": "a"}, "no question"),
        ({"title": "t", "hidden": frozenset({"door"})}, "door"),
        ({"title": 7}, "must be a text"),
    ],
)
def test_what_is_no_lesson_is_said(words, match):
    with pytest.raises(ValueError, match=match):
        OwnLesson(**words)


@pytest.mark.parametrize("words", ["", "x", "!!!!", "AAAA", packed(LESSON)[:-9], "é" * 9, "A" * 99_999])
def test_a_damaged_link_is_one_sentence(words):
    with pytest.raises(ValueError, match="damaged"):
        from_lesson_link(words, {})


def test_a_bomb_in_the_words_is_not_unpacked():
    words = b'{"title":"t"' + b" " * 5_000_000 + b"}"
    bomb = base64.urlsafe_b64encode(zlib.compress(words, 9)).decode().rstrip("=")
    assert len(bomb) < 2 * LONGEST_LINK  # it is not its length that is refused
    with pytest.raises(ValueError, match="damaged"):
        from_lesson_link(bomb, {})


@pytest.mark.parametrize(
    ("text", "match"),
    [
        ("{", "line 1, column 2"),
        ("[1]", "not a lesson file"),
        ('{"lesson": 1}', "not a lesson file"),
        ('{"lesson": 1, "recipe": {}, "title": 5}', "must be a text"),
        ('{"lesson": 1, "recipe": {}}', "title"),
        ("[" * 99_000, "nested|not a lesson file"),
        (" " * (LARGEST_FILE + 1), "letters"),
    ],
)
def test_a_file_that_is_no_lesson_is_one_sentence(text, match):
    with pytest.raises(ValueError, match=match):
        from_lesson_file(text)


def test_what_a_later_version_writes_is_left_out_and_said():
    read = json.loads(to_lesson_file(LESSON)) | {"hidden": ["noise", "door", 5], "sound": "on"}
    read["recipe"]["nonsense"] = "1"
    lesson, problems = from_lesson_file(json.dumps(read))
    assert lesson == LESSON
    assert len(problems) == 1
    assert "nonsense" in problems[0]
