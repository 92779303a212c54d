"""Lessons in a real browser: predict, do the task on the stage, read the answer, go on."""

import re

import pytest
from playwright.sync_api import expect

from lessons import LESSONS
from tests.browser.accessible import expect_accessible
from tests.browser.select_box import patiently, pick
from tests.browser.waiting import a_point, at_last, rest

# From which step on, in every run: those with a press, numbers that come with the answer, and two panels.
IN_EVERY_RUN = {"shadow": 1, "overfitting": 2}
WHOLE = [pytest.param(key, 1, marks=pytest.mark.thorough) for key in LESSONS if IN_EVERY_RUN.get(key) != 1]


def press(page, name):
    rest(page)
    page.get_by_role("button", name=re.compile(rf"^\W*{re.escape(name)}")).first.click()


def option(page, words):
    rest(page)
    page.locator('[class*="st-key-learn-option-"] button', has_text=words).first.click()


def do(page, step, first):
    """What the step asks one to do, by its words; `first` where nothing was trained before it."""
    words = step.task.words
    rest(page)
    if "same scale" in words:
        page.get_by_role("button", name=re.compile("^Same scale")).click()
    if "Train" in words and (first or "if you have not" not in words):
        press(page, "Train")
    if "ring 1" in words:
        page.locator(".legend .class", has_text="ring 1").click()
    if "iteration 0" in words:
        slider = page.get_by_label("Iteration shown")
        slider.focus()
        slider.press("Home")
        slider.evaluate("(slider) => { slider.value = 0; slider.oninput(); }")
    if words.startswith("Press") and "point" in words:
        page.mouse.click(*a_point(page))


@pytest.mark.parametrize(("key", "begin"), [*IN_EVERY_RUN.items(), *WHOLE])
def test_a_lesson_is_played_through(page, app_address, key, begin):
    lesson, heading = LESSONS[key], page.locator(".st-key-learn-heading").first
    patiently(page)
    if begin == 1:  # by way of the list
        number = list(LESSONS).index(key) + 1
        page.goto(f"{app_address}/learn")
        expect(page.get_by_role("heading", name="Learn NCA in ten lessons")).to_be_visible()
        press(page, f"{number}. ")
        expect(heading).to_contain_text(f"Lesson {number}")
    else:
        page.goto(f"{app_address}/learn?lesson={key}&step={begin}")
    paced = False
    for place, step in list(enumerate(lesson.steps))[begin - 1 :]:
        expect(heading).to_contain_text(f"Step {place + 1} of {len(lesson.steps)}")
        expect(page).to_have_url(re.compile(rf"lesson={key}&step={place + 1}"))
        if step.draws != "board":
            expect(page.locator(".panel h3").first).to_have_text(step.recipe.panels[0].shown_title)
        if step.task is not None and step.task.trains and step.draws != "board" and not paced:
            rest(page)
            pick(page, "Pace", "Full speed")
            paced = True
        option(page, step.question.options[step.question.right])
        if (key, place) == ("shadow", 1):  # the cloud turns in each new picture
            expect(page.get_by_text("turning to LDA's side")).to_be_visible()
        if step.task is not None:
            if step.draws == "board":
                press(page, "Show the answer")
            else:
                do(page, step, place == begin - 1)
                expect(page.locator(".st-key-learn-question")).to_contain_text("✓ ", timeout=90_000)
        answer = page.locator(".st-key-learn-answer")
        expect(answer).to_contain_text("Right.")
        assert not re.search(r"[{}]", answer.inner_text())
        numbers = page.locator(".readout .numbers, .panel .foot")
        for number, name in (("f", "f/n"), ("k", "K̂"), ("accuracy", "1-NN")):
            if number not in step.numbers + step.numbers_after:
                expect(numbers.filter(has_text=name)).to_have_count(0)
            elif step.task is not None and step.task.trains and step.draws != "board":
                expect(numbers.filter(has_text=name).first).to_be_attached()  # some come with the answer, a frame later
        press(page, "Next")
    expect(heading).to_contain_text("The end")
    for line in lesson.closing:
        expect(page.get_by_text(line.replace("*", ""))).to_be_visible()
    if key == "shadow":
        the_browser_keeps_what_was_done(page, app_address, lesson)


def the_browser_keeps_what_was_done(page, address, lesson):
    """Where the tab showed another page with its own settings in between, and where the server knows nothing more."""
    rest(page)
    page.goto(f"{address}/?data=wine")
    expect(page.locator(".panel h3").first).to_be_visible()
    page.context.clear_cookies()
    page.goto(f"{address}/learn")
    expect(page.locator(".st-key-learn-list")).to_contain_text("✓ done")
    page.goto(f"{address}/learn?lesson={lesson.key}&step=2")
    expect(page.locator(".st-key-learn-options")).to_contain_text("your prediction")


def test_keys_lead_through_a_step_and_a_symbol_says_its_meaning(page, app_address):
    page.goto(f"{app_address}/learn?lesson=neighbour")
    expect(page.locator(".panel h3").first).to_be_visible()
    expect_accessible(page)
    symbols = page.locator(".formula .symbol")
    for number, point in (
        (0, lambda each: each.focus()),
        (1, lambda each: each.hover()),
        (2, lambda each: each.click()),
    ):
        point(symbols.nth(number))
        expect(symbols.nth(number).locator(".meaning")).to_be_visible()
        expect(page.locator(".formula .meaning:visible")).to_have_count(1)
    page.locator(".st-key-learn-heading").first.click()
    page.keyboard.press("b")  # the closing lines of the previous lesson
    expect(page.locator(".st-key-learn-heading").first).to_contain_text("The end")
    rest(page)
    page.keyboard.press("n")
    expect(page.locator(".st-key-learn-heading").first).to_contain_text("Lesson 2")
    rest(page)
    page.keyboard.press("a")
    expect(page.get_by_role("heading", name="Learn NCA in ten lessons")).to_be_visible()


def test_of_two_presses_at_once_none_is_lost(page, app_address):
    page.goto(f"{app_address}/learn?lesson=neighbour&step=1")
    expect(page.locator(".st-key-learn-heading").first).to_contain_text("Step 1 of 4")
    for number in range(2, 5):
        rest(page)
        page.wait_for_function("""() => {
          const both = ["learn-next", "explore-present"].map((key) => document.querySelector(`.st-key-${key} button`));
          if (both.every(Boolean)) both.forEach((button) => button.click());
          return both.every(Boolean);
        }""")
        expect(page.locator(".st-key-learn-heading").first).to_contain_text(f"Step {number} of 4")
        expect(page).to_have_url(re.compile("present=1" if number % 2 == 0 else r"step=\d$"))


def test_a_lesson_fits_a_phone_and_its_answer_comes_into_sight(page, app_address):
    page.set_viewport_size({"width": 375, "height": 800})
    page.goto(f"{app_address}/learn?lesson=shadow")
    expect(page.locator(".panel h3").first).to_be_visible()

    def fits():
        assert page.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth") <= 375
        box = page.locator(".panel .frame").first.bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 375
        question = page.locator(".st-key-learn-question").bounding_box()
        assert 0 < question["y"] + question["height"] <= box["y"], "one predicts first"

    at_last(page, fits)
    option(page, LESSONS["shadow"].steps[0].question.options[0])
    expect(page.locator(".st-key-learn-answer")).to_be_in_viewport(ratio=0.99)
    below = page.locator(".st-key-learn-next_below button")
    expect(below).to_be_in_viewport(ratio=0.99)
    rest(page)
    below.click()
    expect(page.locator(".st-key-learn-heading").first).to_contain_text("Step 2 of 4")
    expect(page.locator(".st-key-learn-heading").first).to_be_in_viewport(ratio=0.99)
    page.goto(f"{app_address}/learn?lesson=neighbour&step=3")
    expect(page.locator(".panel h3").first).to_be_visible()
    rest(page)
    frame = page.locator(".panel .frame").first
    expect(frame).not_to_be_in_viewport()
    page.keyboard.press("t")
    expect(frame).to_be_in_viewport(ratio=0.99)  # what moves is seen
