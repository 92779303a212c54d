"""A teacher's lesson on the page: made on Explore, opened by link or file, its words as text, its parts locked."""

from __future__ import annotations

import random
import re
from urllib.parse import parse_qsl

import pytest

from lessons.base.own import OwnLesson, to_lesson_file, to_lesson_link
from study.panel import PanelRecipe
from study.recipe import DataRecipe, Recipe
from tests.pages import app_page
from tests.pages.app_page import address, press, space

HOSTILE = "<img src=x onerror=alert(1)> ![](http://evil.test/x) **b** [l](javascript:alert(1))"
RECIPE = Recipe(data=DataRecipe("wine"), panels=(PanelRecipe("pca"), PanelRecipe("nca", start="lda")))
LESSON = OwnLesson(HOSTILE, f"One.\n\n{HOSTILE}", "Why?", HOSTILE, RECIPE, locked=frozenset({"data", "training"}))


def said(elements):
    """The words as a person reads them: without the unseen joiners that keep an address from being a link."""
    return [text.replace("\u2060", "") for text in app_page.said(elements)]


def shown_words(page):
    return [element.value for element in page.markdown]


def test_a_link_opens_it_with_its_words_as_text(open_page):
    page = open_page(to_lesson_link(LESSON), "learn.py")
    assert space(page).lessons.document.recipe == RECIPE
    words = said(page.markdown)
    assert any(HOSTILE in text for text in words)
    assert "Why?" in words
    for text in shown_words(page):
        assert not re.search(r"(?<!\\)<img", text)  # escaped
        assert "![" not in text
        assert "](" not in text
    assert address(page)["words"] == to_lesson_link(LESSON)["words"]
    assert page.get("bidi_component")


def test_the_answer_is_shown_after_something_was_expected(open_page):
    page = open_page(to_lesson_link(LESSON), "learn.py")
    answers = lambda: [text for text in said(page.markdown) if text == HOSTILE]  # noqa: E731
    before = len(answers())
    assert page.button(key="learn.own_show").disabled
    page.text_area(key="learn.own_prediction").set_value("I think so").run()
    press(page, "Show the answer")
    assert len(answers()) == before + 1
    press(page, "Step")
    assert len(answers()) == before + 1  # it stays


def test_what_is_locked_is_said_and_what_is_hidden_is_not_there(open_page):
    page = open_page(to_lesson_link(LESSON), "learn.py")
    assert any("🔒 Data: Wine" in text for text in said(page.caption))
    assert any("🔒 Dimensions: 2; NCA from LDA" in text for text in said(page.caption))
    assert not [box for box in page.selectbox if box.label in ("Data set", "Start from")]
    assert any("Noise lab" in each.label for each in page.expander)
    parts = frozenset({"data", "noise", "preparation", "panels", "training", "advanced"})
    bare = open_page(to_lesson_link(OwnLesson("t", recipe=RECIPE, hidden=parts)), "learn.py")
    assert not bare.selectbox
    assert [each.label for each in bare.expander] == ["Export"]
    assert bare.get("bidi_component")


def test_what_a_student_changes_stays_until_another_lesson(open_page):
    page = open_page(to_lesson_link(OwnLesson("t", recipe=RECIPE)), "learn.py")
    own = space(page).lessons.document
    page.selectbox(key="explore.nca.start").set_value("random").run()
    press(page, "Step")
    assert own.recipe.panel("nca").start == "random"
    press(page, "All lessons")
    press(page, "5. A good score that means nothing")
    assert own.recipe != RECIPE


def test_a_reload_keeps_what_a_student_changed(browsers, open_page):
    browsers("ann")
    page = open_page(to_lesson_link(OwnLesson("t", recipe=RECIPE)), "learn.py")
    page.selectbox(key="explore.nca.start").set_value("random").run()
    press(page, "Step")
    run = space(page).lessons.runs["nca"].run
    space(page).release_session(page.session_state["session.id"])
    again = open_page(address(page), "learn.py")
    assert space(again).lessons.document.recipe.panel("nca").start == "random"
    assert space(again).lessons.runs["nca"].run is run


def test_a_damaged_link_is_said_and_the_list_is_there(open_page):
    page = open_page({"lesson": "own", "words": "nonsense"}, "learn.py")
    assert any("damaged" in error.value for error in page.error)
    assert any("ten lessons" in text for text in said(page.markdown))


def test_a_file_opens_it(open_page):
    page = open_page(screen="learn.py")
    field = page.file_uploader(key="learn.open_file")
    field.set_value(("l.json", to_lesson_file(LESSON).encode(), "application/json")).run()
    assert not page.exception
    assert any(HOSTILE in text for text in said(page.markdown))


def test_a_file_that_is_none_is_one_sentence(open_page):
    page = open_page(screen="learn.py")
    page.file_uploader(key="learn.open_file").set_value(("l.json", b"\xff\xfe", "application/json")).run()
    assert any("UTF-8" in text for text in said(page.error))


@pytest.mark.parametrize("screen", ["explore.py", "compare.py", "understand.py"])
def test_a_lesson_is_made_on_every_page_and_its_link_opens(open_page, screen):
    page = open_page({"data": "wine"}, screen)
    page.text_input(key="learn.make.title").set_value("My lesson").run()
    page.text_area(key="learn.make.text").set_value("Read.").run()
    page.multiselect(key="learn.make.locked").set_value(["data"]).run()
    link = next(each.value for each in page.code if "lesson=own" in each.value)
    assert link.partition("?")[0].endswith("learn")
    size = f"{len(link):,} of at most"
    assert any(size in text for text in said(page.caption))
    opened = open_page(dict(parse_qsl(link.partition("?")[2])), "learn.py")
    assert any("My lesson" in text for text in said(opened.markdown))
    made_on = space(page).second if screen == "compare.py" else space(page)
    assert space(opened).lessons.document.recipe == made_on.document.recipe
    assert any("🔒 Data" in text for text in said(opened.caption))


def test_a_link_that_is_too_long_is_refused_and_the_file_is_there(open_page):
    page = open_page({"data": "wine"})
    page.text_input(key="learn.make.title").set_value("t").run()
    rng = random.Random(1)
    long = "".join(chr(rng.randrange(0x4E00, 0x9000)) for _ in range(2_000))
    page.text_area(key="learn.make.text").set_value(long).run()
    assert any(re.search(r"has \d,\d+ characters", text) for text in said(page.error))
    assert not [each for each in page.code if "lesson=own" in each.value]
