"""The lessons on the page: the list, and heading, text, question and stage of a step."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from datasets.base.dataset import Dataset
from datasets.base.errors import DataError
from datasets.drawn import drawn_dataset
from lessons import LESSONS
from lessons.base.lesson import NUMBERS, Lesson, PanelNumbers, Question, Seen, Step, StepDone, done_at, steps_done
from lessons.base.own import LESSON, OWN_LESSON, STEP, OwnLesson
from lessons.base.progress import LONGEST_ANSWER
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
from stage.plain_text import as_text, safe_markdown
from stage.streamlit_host import StageState, held_snapshots, live_stage
from study.compare import Comparison
from study.measure import measure
from study.recipe import OWN, Recipe

_STEP = "learn.step"


@dataclass(frozen=True)
class CurrentStep:
    """A step of a lesson, or its closing lines."""

    lesson: Lesson
    index: int  # of the step; the number of steps for the closing lines
    own: OwnLesson | None = None  # the teacher's lesson that it is

    @property
    def at_end(self) -> bool:
        return self.index == len(self.lesson.steps)

    @property
    def step(self) -> Step:
        return self.lesson.steps[self.index]

    @property
    def key(self) -> tuple[str, int]:
        return self.lesson.key, self.index

    @property
    def name(self) -> str:
        """The lesson in an address."""
        return self.lesson.key if self.own is None else OWN_LESSON

    def done(self, space: Workspace) -> StepDone:
        """What the student has done at this step."""
        return done_at(self.lesson, self.index, space.document.progress)


def current_step(own: OwnLesson | None) -> CurrentStep | None:
    """The step in the address, else the last one shown, of a teacher's lesson or of ours; None for the list."""
    key, number = current_key()
    if own is None and key not in LESSONS:
        write_lesson_link({})
        return None
    lesson = LESSONS[key] if own is None else own.lesson()
    current = CurrentStep(lesson, min(number - 1, len(lesson.steps)), own)
    if own is None:
        write_lesson_link({LESSON: key, STEP: str(current.index + 1)})
    return current


def current_key() -> tuple[str, int]:
    """The lesson's key ("" for the list, `OWN_LESSON` for a teacher's) and the number of the step, from 1."""
    if _STEP not in st.session_state:
        go(st.query_params.get(LESSON, ""), _number(st.query_params.get(STEP, "1")))
    key, number = st.session_state[_STEP]
    return key, number


def go(key: str, number: int = 1) -> None:
    """Open a step of a lesson, counted from 1; another key opens the list."""
    st.session_state[_STEP] = key, max(1, number)


def _number(text: str) -> int:
    return int(text) if text.isdecimal() and len(text) < 4 else 1


def overview(space: Workspace) -> None:
    """The list of lessons with what is done of each."""
    st.markdown("### Learn NCA in ten lessons")
    st.markdown(
        "Each lesson is a few steps: read, **predict**, do, and see whether you were right. In a hurry? Lessons 1, "
        "2, 4 and 5 explain what is maximised, how many neighbours count, and why a good score can mean nothing."
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
            promise.markdown(f"{lesson.promise[0].upper()}{lesson.promise[1:]} :small[({mark})]")


def heading(space: Workspace, current: CurrentStep) -> None:
    """Title, a dot for each step, and the buttons with the keys A, B and N."""
    lesson, keys = current.lesson, list(LESSONS)
    dots = []
    for index, step in enumerate(lesson.steps):
        complete = done_at(lesson, index, space.document.progress).complete(step)
        dots.append("✓" if complete else "●" if index == current.index else "○")
    number = "" if current.own is not None else f"Lesson {keys.index(lesson.key) + 1}: "
    title = "The end" if current.at_end else f"Step {current.index + 1} of {len(dots)}"
    if not current.at_end and current.step.title:
        title += f": {current.step.title}"
    with st.container(horizontal=True, vertical_alignment="center", key="learn.heading"):
        st.markdown(f"**{number}{as_text(lesson.title)}**  \n{title} &nbsp; {'&nbsp;'.join(dots)}", width="stretch")
        st.button("All lessons", key="learn.all", shortcut="a", on_click=go, args=("",))
        back = (current.name, current.index) if current.index else _before(current)
        st.button("Back", key="learn.back", shortcut="b", disabled=back is None, on_click=go, args=back or ("",))
        complete = current.at_end or current.done(space).complete(current.step)
        next_button(current, "learn.next", shortcut="n", type="primary" if complete else "secondary")


def next_button(current: CurrentStep, key: str, **look: Any) -> None:
    """To the next step, from the last one to the closing lines, and from there to the next lesson or the list."""
    keys = list(LESSONS)
    place = keys.index(current.lesson.key) + 1 if current.own is None else len(keys)
    over = current.at_end and place == len(keys)
    after = (keys[place], 1) if current.at_end and not over else (current.name, current.index + 2)
    words = "Next lesson" if current.at_end and not over else "Next"
    st.button(words, key=key, on_click=go, args=("",) if over else after, **look)


def _before(current: CurrentStep) -> tuple[str, int] | None:
    """The closing lines of the previous lesson."""
    keys = list(LESSONS)
    place = keys.index(current.lesson.key) if current.own is None else 0
    return (keys[place - 1], len(LESSONS[keys[place - 1]].steps) + 1) if place else None


def text(current: CurrentStep) -> None:
    """The text of the step and its formula; the first step begins with what the lesson promises."""
    step = current.step
    if current.index == 0 and current.lesson.promise:
        st.caption(f"Afterwards you can {current.lesson.promise}")
    st.markdown(safe_markdown(step.text))
    if step.formula:
        st.html(formula_html(step.formula))


def record_task(space: Workspace, current: CurrentStep, seen: Seen) -> StepDone:
    """Record the task once it is done; returns what is done at this step."""
    done, task = current.done(space), current.step.task
    if task is not None and not done.done and task.done(seen):
        done = replace(done, done=True)
        space.document.progress[current.key] = done
    return done


def question_and_task(space: Workspace, current: CurrentStep, done: StepDone, seen: Seen) -> None:
    """The question with its options, and the task with what is missing."""
    step = current.step
    if step.question is not None:
        st.markdown(f"**{safe_markdown(step.question.words)}**")
        if done.predicted:
            _prediction(current, step.question, done)
        elif step.question.options:
            _options(space, current, step.question)
        else:
            _own_words(space, current)
    if step.task is not None:
        st.markdown(f"{'✓' if done.done else '➜'} {step.task.words}")
        if not done.done and (missing := step.task.missing(seen)):
            st.markdown(missing)
    if step.question is not None and done.predicted and not done.answered(step):
        st.button("Show the answer", key="learn.skip", on_click=_skip, args=(space, current))


def _options(space: Workspace, current: CurrentStep, question: Question) -> None:
    for number, option in enumerate(question.options):
        st.button(
            safe_markdown(option),
            key=f"learn.option.{number}",
            shortcut=str(number + 1),
            width="stretch",
            on_click=_predict,
            args=(space, current, number),
        )


def _own_words(space: Workspace, current: CurrentStep) -> None:
    key = f"learn.words.{current.lesson.key}.{current.index}"
    written = st.text_area("What do you expect?", key=key, max_chars=LONGEST_ANSWER, persist_state="session").strip()
    st.button(
        "Show the answer",
        key="learn.write",
        disabled=not written,
        on_click=lambda: _record(space, current, words=written),
    )


def _prediction(current: CurrentStep, question: Question, done: StepDone) -> None:
    """All options stay: the predicted one is marked, and once it may be shown, which one is true."""
    if not question.options:
        st.markdown(f"Your prediction: {as_text(done.words)}")
        return
    answered = done.answered(current.step)
    with st.container(key="learn.options", gap="xsmall"):
        for number, option in enumerate(question.options):
            mine, right = number == done.said, number == question.right
            mark = ("✓" if right else "✗" if mine else "○") if answered else ("●" if mine else "○")
            said = f"**{safe_markdown(option)}** (your prediction)" if mine else safe_markdown(option)
            st.markdown(f"{mark} {said}")
            if mine and answered and (look := question.look(number, current.step.shown(True))):
                st.markdown(f"{look}")


def answer(current: CurrentStep, done: StepDone, seen: Seen) -> None:
    """The answer, after the prediction and the task."""
    question = current.step.question
    if question is None or not done.answered(current.step):
        return
    with st.spinner("Measuring …"):
        why = " ".join(filter(None, (question.answered(current.step.shown(True)), question.own(seen))))
    result = ""
    if question.options:
        right = safe_markdown(question.options[question.right])
        result = "✓ **Yes.** " if done.said == question.right else f"✗ **Not quite: {right}.** "
    with st.container(key="learn.answer"):
        st.markdown(f"{result}{safe_markdown(why)}")


def _predict(space: Workspace, current: CurrentStep, option: int) -> None:
    _record(space, current, said=option)


def _skip(space: Workspace, current: CurrentStep) -> None:
    _record(space, current, done=True)


def _record(space: Workspace, current: CurrentStep, **done: Any) -> None:
    space.document.progress[current.key] = replace(current.done(space), **done)


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


def lesson_dataset(space: Workspace, current: CurrentStep) -> Dataset | None:
    """Put the recipe of a step on the stage; returns its data set, None after a message or without a drawing."""
    step = current.step
    recipe = step.shown(current.done(space).predicted)
    if step.draws == "board":
        drawn = lesson_board(space, recipe)
        if drawn is None:
            return None
        recipe = drawn
    if space.document.recipe.pace != "auto":  # the one that was chosen last
        recipe = replace(recipe, pace=space.document.recipe.pace)
    # Trainings of another recipe or lesson end, and at steps that begin `anew`.
    before, _ = st.session_state.get(_PIN_REQUEST, (current.key, 0))
    begins = before != current.key and (step.anew or before[0] != current.lesson.key)
    if space.document.recipe != recipe or begins:
        trainings.reset(space)
    space.document.recipe = recipe
    space.document.own_step_shown = None  # a teacher's lesson starts again after this one
    try:
        return chosen_dataset(space)
    except DataError as error:
        show_error(error)
        return None


def picture(space: Workspace, current: CurrentStep, dataset: Dataset, export_slot: DeltaGenerator) -> Seen:
    """The stage, with the Export menu in `export_slot`; returns what tasks check."""
    step, done = current.step, current.done(space)
    try:
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
        question=shown if current.own is None else "",
        plain=current.own is None,
        turn="each" if step.turns else False,
        without={*NUMBERS, _BEST} - explained if current.own is None else (),
        picture=picture_request(comparison),
    )
    with export_slot:
        export_menu(space, comparison, stage)
    return _seen(space, comparison, stage, step.pin)


def _pin_request(current: CurrentStep) -> tuple[int, int | None]:
    """The row that the step pins, once each time it is opened."""
    before, number = st.session_state.get(_PIN_REQUEST, (None, 0))
    if before != current.key:
        number += 1
        st.session_state[_PIN_REQUEST] = current.key, number
    return number, current.step.pin


def _seen(space: Workspace, comparison: Comparison, stage: StageState, pin: int | None) -> Seen:
    snapshots, ended = {}, set()
    for key, held in space.runs.items():
        if (snapshot := held.run.latest()) is not None:
            snapshots[key] = snapshot
        if held.run.state == "ended":
            ended.add(key)

    def reached() -> list[PanelNumbers]:
        found = []
        for panel in comparison.panels:
            snapshot = snapshots.get(panel.key)
            if panel.problem or (panel.trains and snapshot is None):
                continue
            found.append(PanelNumbers(measure(comparison, panel.key, snapshot), panel.X.shape[1]))
        return found

    point = pin if stage.point is None else stage.point if stage.point >= 0 else None
    view = stage.view
    iterations = {key: snapshot.iteration for key, snapshot in snapshots.items()}
    matrices = {key: snapshot.transformation for key, snapshot in snapshots.items()}
    same = view.hidden, view.iteration, view.same_scale
    return Seen(iterations, frozenset(ended), point, *same, transformations=matrices, measure=reached)


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
