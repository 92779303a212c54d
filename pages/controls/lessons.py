"""The lessons on the page: the list, and heading, text, question and stage of a step."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from datasets.base.errors import DataError
from datasets.drawn import drawn_dataset
from lessons import LESSONS
from lessons.base.lesson import NUMBERS, Lesson, Question, Seen, Step, StepDone, steps_done
from lessons.base.own import LESSON, STEP
from pages.controls.comparison import put_on_stage, save_warning, transport
from pages.controls.drawing import board
from pages.controls.export import export_menu, picture_request
from pages.controls.messages import show_error
from pages.controls.shell import view_buttons
from pages.server import trainings
from pages.server.data import chosen_dataset
from pages.server.session import write_lesson_link
from pages.server.workspace import Workspace
from pages.views.formula import formula_html
from stage.streamlit_host import StageState, held_snapshots, live_stage
from study.recipe import OWN, Recipe

_STEP = "learn.step"


@dataclass(frozen=True)
class CurrentStep:
    """A step of a lesson."""

    lesson: Lesson
    index: int

    @property
    def step(self) -> Step:
        return self.lesson.steps[self.index]

    @property
    def key(self) -> tuple[str, int]:
        return self.lesson.key, self.index


def current_step(space: Workspace) -> CurrentStep | None:
    """The step in the address, else the last one shown; None for the list of lessons or a teacher's lesson."""
    key, index = current_key()
    if key not in LESSONS:
        write_lesson_link({})
        return None
    write_lesson_link({LESSON: key, STEP: str(index + 1)})
    return CurrentStep(LESSONS[key], index)


def current_key() -> tuple[str, int]:
    """The lesson's key ("" for the list, `OWN_LESSON` for a teacher's) and the index of the step."""
    if _STEP not in st.session_state:
        go(st.query_params.get(LESSON, ""), _number(st.query_params.get(STEP, "1")))
    key, index = st.session_state[_STEP]
    return key, index


def go(key: str, number: int = 1) -> None:
    """Open a step of a lesson, counted from 1; another key opens the list."""
    steps = len(LESSONS[key].steps) if key in LESSONS else 1
    st.session_state[_STEP] = key, max(1, min(number, steps)) - 1


def done_at(space: Workspace, current: CurrentStep) -> StepDone:
    """What the student has done at a step."""
    return space.document.progress.get(current.key, StepDone())


def _number(text: str) -> int:
    return int(text) if text.isdecimal() and len(text) < 4 else 1


def overview(space: Workspace) -> None:
    """The list of lessons with what is done of each."""
    st.markdown("### Learn NCA in ten lessons")
    st.markdown(
        "Each lesson is a few steps: read, **predict**, do, and see whether you were right. In a hurry? Lessons 1, "
        "2, 4 and 5 explain what is maximised, what K̂ is, and why a good score can mean nothing."
    )
    progress = space.document.progress
    with st.container(key="learn.list", gap="small"):
        for number, lesson in enumerate(LESSONS.values(), start=1):
            done, steps = steps_done(lesson, progress), len(lesson.steps)
            mark = "✓ done" if done == steps else f"{done} of {steps} steps" if done else f"{steps} steps"
            title, promise = st.columns([2, 3], vertical_alignment="center")
            title.button(
                f"{number}. {lesson.title}",
                key=f"learn.open.{lesson.key}",
                on_click=go,
                args=(lesson.key,),
                width="stretch",
            )
            promise.markdown(f"{lesson.promise} :small[({mark})]")


def heading(space: Workspace, current: CurrentStep) -> None:
    """Title, a dot for each step, and the buttons with the keys A, B and N."""
    keys = list(LESSONS)
    number = keys.index(current.lesson.key) + 1
    progress = space.document.progress
    dots = []
    for index, step in enumerate(current.lesson.steps):
        complete = progress.get((current.lesson.key, index), StepDone()).complete(step)
        dots.append("✓" if complete else "●" if index == current.index else "○")
    with st.container(horizontal=True, vertical_alignment="center", key="learn.heading"):
        title = f"Step {current.index + 1} of {len(dots)}: {current.step.title}"
        st.markdown(
            f"**Lesson {number}: {current.lesson.title}**  \n{title} &nbsp; {'&nbsp;'.join(dots)}", width="stretch"
        )
        st.button("All lessons", key="learn.all", shortcut="a", on_click=go, args=("",))
        back = (current.lesson.key, current.index) if current.index else _before(keys, number)
        st.button("Back", key="learn.back", shortcut="b", disabled=back is None, on_click=go, args=back or ("",))
        complete = progress.get(current.key, StepDone()).complete(current.step)
        next_button(current, "learn.next", shortcut="n", type="primary" if complete else "secondary")


def next_button(current: CurrentStep, key: str, **look: Any) -> None:
    """To the next step, after the last one to the next lesson, and after the last lesson to the list."""
    keys = list(LESSONS)
    number, last = keys.index(current.lesson.key) + 1, current.index + 1 == len(current.lesson.steps)
    over = last and number == len(keys)
    after = (keys[number], 1) if last and not over else (current.lesson.key, current.index + 2)
    words = "Next lesson" if last and not over else "Next"
    st.button(words, key=key, on_click=go, args=("",) if over else after, **look)


def _before(keys: list[str], number: int) -> tuple[str, int] | None:
    """The last step of the previous lesson."""
    if number == 1:
        return None
    key = keys[number - 2]
    return key, len(LESSONS[key].steps)


def text(step: Step) -> None:
    """The text of the step and its formula."""
    st.markdown(step.text)
    if step.formula:
        st.html(formula_html(step.formula))


def record_task(space: Workspace, current: CurrentStep, seen: Seen) -> StepDone:
    """Record the task once it is done; returns what is done at this step."""
    done, task = done_at(space, current), current.step.task
    if task is not None and not done.done and task.done(seen):
        done = replace(done, done=True)
        space.document.progress[current.key] = done
    return done


def question_and_task(space: Workspace, current: CurrentStep, done: StepDone, seen: Seen) -> None:
    """The question with its options, and the task with what is missing."""
    step = current.step
    if step.question is not None:
        _question(space, current, step.question, done)
    if step.task is not None:
        st.markdown(f"{'✓' if done.done else '➜'} {step.task.words}")
        if not done.done and (missing := step.task.missing(seen)):
            st.markdown(missing)
    if step.question is not None and done.said is not None and not done.answered(step):
        st.button("Show the answer", key="learn.skip", on_click=_skip, args=(space, current))


def _question(space: Workspace, current: CurrentStep, question: Question, done: StepDone) -> None:
    st.markdown(f"**{question.words}**")
    if done.said is None:
        for number, option in enumerate(question.options):
            st.button(
                option,
                key=f"learn.option.{number}",
                shortcut=str(number + 1),
                width="stretch",
                on_click=_predict,
                args=(space, current, number),
            )
        return
    st.markdown(f"Your prediction: {question.options[done.said]}")


def answer(current: CurrentStep, done: StepDone) -> None:
    """The answer, after the prediction and the task."""
    question = current.step.question
    if question is None or not done.answered(current.step):
        return
    right = done.said == question.right
    with st.spinner("Measuring …"):
        why = question.answered()
    with st.container(key="learn.answer"):
        result = "✓ **Yes.**" if right else f"✗ **Not quite: {question.options[question.right]}.**"
        st.markdown(f"{result} {why}")


def _predict(space: Workspace, current: CurrentStep, option: int) -> None:
    space.document.progress[current.key] = replace(done_at(space, current), said=option)


def _skip(space: Workspace, current: CurrentStep) -> None:
    space.document.progress[current.key] = replace(done_at(space, current), done=True)


DRAWN_IN_LESSON = f"{OWN}:drawn in a lesson"
_NOT_DRAWN = "learn.not_drawn"


def _use_drawing(space: Workspace) -> None:
    own = space.document
    try:
        dataset = drawn_dataset(own.drawing.points, own.drawing.codes, 0, 0.0, 0, "Drawn in a lesson")
    except DataError as error:
        st.session_state[_NOT_DRAWN] = str(error)
    else:
        own.keep_data(DRAWN_IN_LESSON, dataset)


def lesson_board(space: Workspace, recipe: Recipe) -> Recipe | None:
    """The drawing board; returns `recipe` on its points, None while there are none."""
    own = space.document
    own.drawing = board(key="learn.board", drawing=own.drawing)
    st.button("Use these points", key="learn.use_points", shortcut="u", on_click=_use_drawing, args=(space,))
    if failed := st.session_state.pop(_NOT_DRAWN, ""):
        show_error(DataError(failed))
    if DRAWN_IN_LESSON not in own.own_data:
        return None
    return replace(recipe, data=own.data_recipe(DRAWN_IN_LESSON))


_PIN_REQUEST = "learn.pin_request"
_PLAIN = "lesson"  # the stage without a question
_BEST = "best"  # the stage's button to the iteration that is best on held-out rows, which no lesson uses


def picture(space: Workspace, current: CurrentStep, export_slot: DeltaGenerator) -> Seen:
    """The stage, with the Export menu in `export_slot`; returns what tasks check."""
    step, done = current.step, done_at(space, current)
    recipe = step.shown(done.said is not None)
    if step.draws == "board":
        drawn = lesson_board(space, recipe)
        if drawn is None:
            return Seen()
        recipe = drawn
    # Trainings of another recipe or lesson end, and at steps that begin `anew`.
    before, _ = st.session_state.get(_PIN_REQUEST, (current.key, 0))
    begins = before != current.key and (step.anew or before[0] != current.lesson.key)
    if space.document.recipe != recipe or begins:
        trainings.reset(space)
    space.document.recipe = recipe
    space.document.own_lesson_shown = None  # a teacher's lesson starts again after this one
    try:
        dataset = chosen_dataset(space)
        comparison = put_on_stage(space, dataset)
        space.held = held_snapshots(space, "learn.stage")
        save_warning()
    except (DataError, ValueError) as error:
        show_error(error)
        return Seen()
    if any(panel.trains for panel in comparison.panels):
        transport(space, emphasise_train=step.task is not None and step.task.trains and not done.done)
    else:
        view_buttons()
    shown = {"": _PLAIN, "board": _PLAIN, "curves": ""}.get(step.draws, step.draws)
    explained = {*step.numbers, *(step.numbers_after if done.answered(step) else ())}
    stage = live_stage(
        space,
        key="learn.stage",
        point=_pin_request(current),
        question=shown,
        plain=True,
        without={*NUMBERS, _BEST} - explained,
        picture=picture_request(comparison),
    )
    with export_slot:
        export_menu(space, comparison, stage)
    return _seen(space, stage, step.pin)


def _pin_request(current: CurrentStep) -> tuple[int, int | None]:
    """The row that the step pins, once each time it is opened."""
    before, number = st.session_state.get(_PIN_REQUEST, (None, 0))
    if before != current.key:
        number += 1
        st.session_state[_PIN_REQUEST] = current.key, number
    return number, current.step.pin


def _seen(space: Workspace, stage: StageState, pin: int | None) -> Seen:
    iterations, ended = {}, set()
    for key, held in space.runs.items():
        snapshots = held.run.trajectory.snapshots
        if snapshots:
            iterations[key] = snapshots[-1].iteration
        if held.run.state == "ended":
            ended.add(key)
    point = pin if stage.point is None else stage.point if stage.point >= 0 else None
    view = stage.view
    return Seen(iterations, frozenset(ended), point, view.hidden, view.iteration, view.same_scale)


_SCROLLED = "learn.scrolled"
_TOP = "document.querySelector('[data-testid=stMain]')?.scrollTo(0, 0);"
# Later than the picture, which may change with the answer.
_ANSWER = (
    "setTimeout(() => ['answer', 'next_below'].forEach((name) => document.querySelector(`.st-key-learn-${name}`)"
    "?.scrollIntoView({ block: 'nearest', behavior: 'smooth' })), 400);"
)


def scroll(current: CurrentStep, done: StepDone) -> None:
    """Scroll to the top of a new step, or to an answer that has just appeared."""
    now = current.key, done.answered(current.step)
    before, number = st.session_state.get(_SCROLLED, (now, 0))
    st.session_state[_SCROLLED] = now, number + (before != now)
    if before != now and (before[0] != now[0] or now[1]):
        script = _TOP if before[0] != now[0] else _ANSWER
        # The number makes it a new script, so that it runs.
        st.html(f"<script>{script} // {number + 1}\n</script>", unsafe_allow_javascript=True)
