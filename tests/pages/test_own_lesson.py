"""A teacher's lesson on the page: made in steps on Explore, tried, opened by link or file, its parts locked."""

import random
import re
from urllib.parse import parse_qsl

from lessons.base.lesson import StepDone
from lessons.base.own import Goal, OwnLesson, OwnStep, from_lesson_link, to_lesson_file, to_lesson_link
from study.panel import PanelRecipe
from study.recipe import DataRecipe, Recipe
from tests.pages import app_page
from tests.pages.app_page import address, press, space

HOSTILE = "<img src=x onerror=alert(1)> ![](http://evil.test/x) **b**"
RECIPE = Recipe(data=DataRecipe("wine"), panels=(PanelRecipe("pca"), PanelRecipe("nca", start="lda")))
OTHER = Recipe(data=DataRecipe("iris"), panels=(PanelRecipe("lda"),))
LESSON = OwnLesson(
    HOSTILE,
    (
        OwnStep(f"One.\n\n{HOSTILE}", "Why?", answer=HOSTILE, recipe=RECIPE),
        OwnStep("Two.", "Which?", ("this", HOSTILE), 0, "This.", Goal("accuracy_1nn", 0.5, 4), OTHER),
    ),
    locked=frozenset({"data", "training"}),
)


def alone(recipe=RECIPE, **parts):
    return to_lesson_link(OwnLesson("t", (OwnStep(recipe=recipe),), **parts))


def said(elements):
    """The words as a person reads them: without the unseen joiners that keep an address from being a link."""
    return [text.replace("\u2060", "") for text in app_page.said(elements)]


def test_a_link_opens_it_answers_what_was_expected_and_nothing_in_its_words_is_fetched(open_page):
    page = open_page(to_lesson_link(LESSON), "learn.py")
    answers = lambda: [text for text in said(page.markdown) if text == HOSTILE]  # noqa: E731
    assert space(page).lessons.document.recipe == RECIPE
    assert any(HOSTILE in text for text in said(page.markdown))
    assert "**Why?**" in said(page.markdown)
    assert page.button(key="learn.write").disabled
    page.text_area[0].set_value("I think so").run()
    press(page, "Show the answer")
    assert len(answers()) == 1
    assert any("I think so" in text for text in said(page.markdown))
    press(page, "Step")
    assert len(answers()) == 1  # it stays
    press(page, "Next")
    press(page, "this")
    for element in (*page.markdown, *page.button):
        words = element.label if hasattr(element, "label") else element.value
        assert "![" not in words
    assert address(page)["words"] == to_lesson_link(LESSON)["words"]
    assert page.get("bidi_component")


def test_steps_have_pictures_of_their_own_and_the_engine_checks_the_task(open_page):
    page = open_page({**to_lesson_link(LESSON), "step": "2"}, "learn.py")
    assert address(page)["step"] == "2"
    document = space(page).lessons.document
    assert document.recipe == OTHER
    press(page, "this")
    shown = said(page.markdown)
    assert any(text.startswith("✓ Reach 50") for text in shown)  # LDA does so at once
    assert any("Right." in text and "This." in text for text in shown)
    key = LESSON.lesson().key
    assert document.progress[key, 1] == StepDone(0, True)
    press(page, "Next")
    assert any("1 of 1 answers" in text for text in said(page.markdown))
    assert page.get("download_button")
    press(page, "Back")
    press(page, "Back")
    assert document.recipe == RECIPE


def test_what_is_locked_is_said_and_what_is_hidden_is_not_there(open_page):
    page = open_page(to_lesson_link(LESSON), "learn.py")
    assert any("🔒 Data: Wine" in text for text in said(page.caption))
    assert any("🔒 Dimensions: 2; NCA from LDA" in text for text in said(page.caption))
    assert not [box for box in page.selectbox if box.label in ("Data set", "Start from")]
    assert any("Noise lab" in each.label for each in page.expander)
    parts = frozenset({"data", "noise", "preparation", "panels", "training", "advanced"})
    bare = open_page(alone(hidden=parts), "learn.py")
    assert [box.key for box in bare.selectbox] == ["explore.pace"]
    assert [each.label for each in bare.expander] == ["Export"]
    assert bare.get("bidi_component")


def test_what_a_student_changes_stays_until_another_lesson(open_page):
    page = open_page(alone(), "learn.py")
    own = space(page).lessons.document
    page.selectbox(key="explore.nca.start").set_value("random").run()
    press(page, "Step")
    assert own.recipe.panel("nca").start == "random"
    press(page, "All lessons")
    press(page, "5. A good score that means nothing")
    assert own.recipe != RECIPE


def test_a_damaged_link_and_a_file_that_is_none_are_said_and_a_file_opens_it(open_page):
    page = open_page({"lesson": "own", "words": "nonsense"}, "learn.py")
    assert any("damaged" in error.value for error in page.error)
    assert any("ten lessons" in text for text in said(page.markdown))
    page.file_uploader(key="learn.open_file").set_value(("l.json", b"\xff\xfe", "application/json")).run()
    assert any("UTF-8" in text for text in said(page.error))
    field = page.file_uploader(key="learn.open_file")
    field.set_value(("l.json", to_lesson_file(LESSON).encode(), "application/json")).run()
    assert any(HOSTILE in text for text in said(page.markdown))


def test_a_reloaded_link_keeps_what_the_student_has_changed_and_a_file_begins_anew(open_page):
    page = open_page({**to_lesson_link(LESSON), "step": "2"}, "learn.py")
    document = space(page).lessons.document
    document.change(RECIPE)
    del page.session_state["learn.own_read"]  # as after a reload, with the workspace restored
    page.run()
    assert (document.recipe, document.own_step_shown) == (RECIPE, (LESSON, 1))
    assert address(page)["step"] == "2"
    press(page, "All lessons")
    document.own_step_shown = LESSON, 0
    document.change(OTHER)
    field = page.file_uploader(key="learn.open_file")
    field.set_value(("l.json", to_lesson_file(LESSON).encode(), "application/json")).run()
    assert document.recipe == RECIPE


def link_of(page):
    return next(each.value for each in page.code if "lesson=own" in each.value)


def made(page):
    """The lesson that the link on the page opens."""
    link = dict(parse_qsl(link_of(page).partition("?")[2]))
    return from_lesson_link(link.pop("words"), {name: text for name, text in link.items() if name != "lesson"})[0]


def test_a_lesson_is_made_in_steps_tried_and_changed(open_page):
    page = open_page({"data": "wine"})
    page.text_input(key="learn.make.title").set_value("Two steps").run()
    page.text_area(key="learn.make.question").set_value("Which?").run()
    page.text_area(key="learn.make.options").set_value("this\n\nthat ").run()
    page.selectbox(key="learn.make.right").set_value(1).run()
    page.selectbox(key="learn.make.goal").set_value("held_out_1nn").run()
    page.number_input(key="learn.make.least").set_value(80.0).run()
    page.number_input(key="learn.make.features").set_value(2).run()
    page.button(key="learn.make.add").click().run()
    page.selectbox(key="explore.data").set_value("iris").run()
    page.text_area(key="learn.make.text").set_value("Second.").run()
    first, second = made(page).steps
    assert (first.question, first.options, first.right) == ("Which?", ("this", "that"), 1)
    assert first.goal == Goal("held_out_1nn", 0.8, 2)
    assert (first.recipe.data.key, second.recipe.data.key, second.text) == ("wine", "iris", "Second.")
    page.selectbox(key="learn.make.step").set_value(0).run()
    assert space(page).document.recipe.data.key == "wine"  # the step's own settings
    wanted = made(page)
    press(page, "Preview")
    page.switch_page("learn.py").run()
    assert any("Preview" in text for text in said(page.caption))
    assert page.button(key="learn.option.1").label == "that"
    press(page, "Back to editing")
    page.switch_page("explore.py").run()
    assert made(page) == wanted
    page.button(key="learn.make.remove").click().run()
    assert [step.text for step in made(page).steps] == ["Second."]
    field = page.file_uploader(key="learn.make.open")
    field.set_value(("l.json", to_lesson_file(LESSON).encode(), "application/json")).run()
    assert made(page) == LESSON


def test_another_page_does_not_take_a_step_over_unasked_and_a_link_that_is_too_long_is_refused(open_page):
    page = open_page({"data": "wine"})
    page.text_input(key="learn.make.title").set_value("t").run()
    page.switch_page("compare.py").run()
    page.selectbox(key="explore.data").set_value("iris").run()
    assert made(page).steps[0].recipe.data.key == "wine"
    press(page, "Use the settings of this page")
    assert made(page).steps[0].recipe.data.key == "iris"
    rng = random.Random(1)
    long = "".join(chr(rng.randrange(0x4E00, 0x9000)) for _ in range(2_000))
    page.text_area(key="learn.make.text").set_value(long).run()
    assert any(re.search(r"has \d,\d+ characters", text) for text in said(page.error))
    assert not [each for each in page.code if "lesson=own" in each.value]
