"""The page of lessons without a browser: the address, the workspace of its own, predicting, doing, progress."""

import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest

from datasets.base.words import percent
from lessons import LESSONS
from lessons.base import lesson as formulas
from lessons.base.lesson import FORMULAS, Symbol
from pages.controls import lessons as picture
from pages.controls.lessons import formula_html
from stage import streamlit_host
from tests.pages.app_page import address, button, press, said, space, train


def lessons_of(page):
    return space(page).lessons


@pytest.fixture
def learn(open_page):
    return open_page({"lesson": "overfitting"}, "learn.py")


def test_a_link_names_lesson_and_step_and_nonsense_leads_to_the_list(open_page):
    page = open_page({"lesson": "shadow", "step": "2"}, "learn.py")
    assert address(page) == {"lesson": "shadow", "step": "2"}
    assert not page.warning
    assert any(LESSONS["shadow"].steps[1].title in text for text in said(page.markdown))
    beyond = open_page({"lesson": "shadow", "step": "99"}, "learn.py")
    assert address(beyond)["step"] == "1"
    assert "the link names step 99" in beyond.warning[0].value
    cut = open_page({"lesson": "sha", "step": "x"}, "learn.py")
    assert address(cut) == {}
    assert "no lesson" in cut.warning[0].value
    assert "shadow" in cut.warning[0].value


def test_next_leads_to_the_closing_lines_and_then_to_the_next_lesson(open_page):
    page = open_page({"lesson": "pull", "step": "3"}, "learn.py")
    press(page, "Next")
    assert address(page) == {"lesson": "pull", "step": "4"}
    assert all(any(line in text for text in said(page.markdown)) for line in LESSONS["pull"].closing)
    assert any("0 of 3 answers" in text for text in said(page.markdown))
    press(page, "Next lesson")
    assert address(page) == {"lesson": "scale", "step": "1"}
    assert any(LESSONS["scale"].promise in text for text in said(page.caption))
    press(page, "Back")
    assert address(page) == {"lesson": "pull", "step": "4"}
    end = open_page({"lesson": "k", "step": "4"}, "learn.py")
    press(end, "Finish")
    assert address(end) == {}


def test_it_has_a_workspace_of_its_own_and_explore_stays(open_page):
    page = open_page({"data": "wine", "held_out": "0"})
    press(page, "Step")
    before, run = space(page).document.recipe, space(page).runs["nca"]
    page.switch_page("learn.py").run()
    press(page, f"5. {LESSONS['overfitting'].title}")
    press(page, "Train")
    held = lessons_of(page)
    first = LESSONS["overfitting"].steps[0].recipe
    assert held.document.recipe == replace(first, pace=held.document.recipe.pace)  # tests train at full speed
    assert held.runs["nca"].run.wait_for_end(60)
    assert space(page).document.recipe == before
    assert space(page).runs["nca"] is run
    page.switch_page("explore.py").run()
    assert address(page)["data"] == "wine"


def test_the_answer_comes_after_the_prediction_and_the_task(learn):
    step = LESSONS["overfitting"].steps[0]
    answer, look = step.question.answered(step.recipe), step.question.look(0, step.recipe)
    shows = lambda words: any(words in text for text in said(learn.markdown))  # noqa: E731
    press(learn, "All lessons")
    assert address(learn) == {}
    for number, lesson in enumerate(LESSONS.values(), start=1):
        assert button(learn, f"{number}. {lesson.title}")
    press(learn, f"5. {LESSONS['overfitting'].title}")
    assert address(learn) == {"lesson": "overfitting", "step": "1"}
    press(learn, step.question.options[0])
    assert shows(f"● **{step.question.options[0]}** (your prediction)")
    assert shows(f"○ {step.question.options[2]}")
    assert not shows(answer)
    assert not shows(look)
    press(learn, "Show the answer")  # of one who is stuck
    assert shows(step.question.answered(step.shown(True)))
    assert shows("➜")  # the task is still to be done
    assert any("scrollIntoView" in element.proto.body for element in learn.get("html"))  # it may be out of sight
    press(learn, "Train")
    run = lessons_of(learn).runs["nca"].run
    learn.selectbox(key="explore.pace").set_value("full_speed").run()
    assert lessons_of(learn).runs["nca"].run is run
    assert run.wait_for_end(60)
    learn.run()
    assert shows("Not quite.")
    assert shows(answer)
    assert shows(look)
    assert shows(f"✗ **{step.question.options[0]}** (your prediction)")  # it stays
    assert shows(f"✓ {step.question.options[2]}")
    assert shows("✓ Predict, then press")
    assert percent(step.question.numbers(step.recipe)["nca"].right) in answer  # measured, not written
    press(learn, "Next")
    assert lessons_of(learn).document.recipe.pace == "full_speed"
    press(learn, "Back")  # what was done is still done
    assert shows(answer)
    press(learn, "All lessons")
    assert shows("1 of 4 steps")


def test_who_did_something_else_reads_what_is_missing(open_page):
    page = open_page({"lesson": "scale", "step": "3"}, "learn.py")
    press(page, LESSONS["scale"].steps[2].question.options[0])
    assert not any("was not held" in text for text in said(page.markdown))
    train(page)
    assert any("was not held" in text for text in said(page.markdown))


def test_the_stage_changes_with_the_answer_where_it_would_give_it_away_and_does_the_task(open_page, monkeypatch):
    page = open_page({"lesson": "shadow"}, "learn.py")
    steps = LESSONS["shadow"].steps
    assert lessons_of(page).document.recipe == steps[0].recipe
    press(page, steps[0].question.options[1])
    assert lessons_of(page).document.recipe == steps[0].after
    for _ in range(3):
        press(page, "Next")
    drawn = picture.live_stage
    assert f"➜ {steps[3].task.words}" in said(page.markdown)
    told = streamlit_host.StageState((), 0, view=streamlit_host.ViewState(None, frozenset({0}), False))
    monkeypatch.setattr(picture, "live_stage", lambda *a, **k: (drawn(*a, **k), told)[1])
    page.run()
    assert f"✓ {steps[3].task.words}" in said(page.markdown)


@pytest.mark.parametrize(
    ("lesson", "step", "trains", "way", "there"),
    [("neighbour", 3, True, "Back", ("neighbour", "2")), ("pull", 1, False, "Next", ("pull", "2"))],
)
def test_train_stands_out_where_a_step_asks_for_it_and_a_step_that_speaks_of_the_start_begins_there(
    open_page, lesson, step, trains, way, there
):
    page = open_page({"lesson": lesson, "step": str(step)}, "learn.py")
    kind = lambda: button(page, "Train").proto.type  # noqa: E731
    assert kind() == ("primary" if trains else "secondary")
    run = train(page)
    page.run()
    assert kind() == "secondary"
    if trains:  # the next step goes on with that training
        press(page, "Next")
        press(page, "Back")
    assert lessons_of(page).runs["nca"].run is run
    before = lessons_of(page).document.recipe
    press(page, way)
    assert (address(page)["lesson"], address(page)["step"]) == there
    assert lessons_of(page).document.recipe == before
    assert not lessons_of(page).runs


def test_another_lesson_of_the_same_data_begins_anew_by_its_link_too(browsers, open_page):
    browsers("ann")
    page = open_page({"lesson": "neighbour", "step": "3"}, "learn.py")
    train(page)
    tab = space(page)
    tab.release_session(page.session_state["session.id"])
    page = open_page({"lesson": "pull"}, "learn.py")
    assert space(page) is tab
    assert not tab.lessons.runs


def test_a_reload_finds_the_ticks_and_the_training_again(browsers, open_page):
    browsers("ann")
    page = open_page({"lesson": "overfitting"}, "learn.py")
    step = LESSONS["overfitting"].steps[0]
    press(page, step.question.options[2])
    press(page, "Train")
    run = lessons_of(page).runs["nca"].run
    assert run.wait_for_end(60)
    other = open_page(address(page), "learn.py")  # another tab, while this one is open
    assert space(other) is not space(page)
    space(other).discard()
    space(page).release_session(page.session_state["session.id"])
    again = open_page(address(page), "learn.py")
    assert lessons_of(again).runs["nca"].run is run
    assert any(step.question.answered(step.shown(True)) in text for text in said(again.markdown))
    space(again).release_session(again.session_state["session.id"])
    again = open_page(screen="learn.py")  # the list, whose address says nothing
    assert any("1 of 4 steps" in text for text in said(again.markdown))
    space(again).release_session(again.session_state["session.id"])
    browsers("bob")
    assert space(open_page(address(page), "learn.py")) is not space(again)


# -- formulas


@pytest.mark.parametrize("key", [*FORMULAS, "odd"])
def test_every_symbol_can_be_asked_and_nothing_in_a_formula_is_markup(key, monkeypatch):
    monkeypatch.setitem(FORMULAS, "odd", "<b>{odd}</b>")
    monkeypatch.setitem(formulas.SYMBOLS, "odd", Symbol("<i>", "<script>", "<u>"))
    root = ET.fromstring(formula_html(key))
    symbols = [part for part in formulas.formula_parts(key) if isinstance(part, Symbol)]
    shown = [span for span in root.iter("span") if span.get("class") == "symbol"]
    ids = [each.get("id") for each in root.iter() if each.get("id")]
    assert [span.get("tabindex") for span in shown] == ["0"] * len(symbols)
    assert [span.get("aria-describedby") for span in shown] == ids
    assert len(set(ids)) == len(ids) == len(symbols)
    for symbol, span in zip(symbols, shown, strict=True):
        assert symbol.meaning in "".join(span.itertext())
    assert {each.tag for each in root.iter()} <= {"div", "span", "i", "sub"}
