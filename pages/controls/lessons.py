"""The lessons on the page: the list, a step, its closing lines, and what the student's browser keeps."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from html import escape
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from datasets.base.dataset import Dataset
from datasets.base.errors import DataError
from datasets.drawn import drawn_dataset
from lessons import LESSONS
from lessons.base import lesson as base
from lessons.base.own import LESSON, OWN_LESSON, STEP, OwnLesson
from pages.controls.comparison import put_on_stage, save_warning, transport
from pages.controls.drawing import board
from pages.controls.export import export_menu, picture_request
from pages.controls.recipe_widgets import chart, is_dark, save_json
from pages.controls.settings import dataset_or_error
from pages.controls.shell import attempt, show_error, show_failure, view_buttons
from pages.server import trainings
from pages.server.measurements import measurements, solved_accuracies
from pages.server.session import write_lesson_link
from pages.server.workspace import Workspace
from pages.views.figures import k_accuracy_figure
from stage.plain_text import as_text, safe_markdown
from stage.streamlit_host import StageState, held_snapshots, live_stage
from study.compare import Comparison
from study.learnt import k_curve
from study.measure import measure
from study.recipe import OWN

_STEP = "learn.step"
_SKIPPED = "learn.skipped"  # the step whose answer was shown before its task was done
_DRAWN = f"{OWN}:drawn in a lesson"
_NOT_DRAWN = "learn.not_drawn"
_PIN_REQUEST = "learn.pin_request"
_PLAIN = "lesson"  # the stage without a question
_BEST = "best"  # the stage's button to the iteration that is best on held-out rows, which no lesson uses
_SCROLLED = "learn.scrolled"
_TOP = "document.querySelector('[data-testid=stMain]')?.scrollTo(0, 0);"
# Later than the picture, which may change with the answer.
_ANSWER = (
    "setTimeout(() => ['answer', 'next_below'].forEach((name) => document.querySelector(`.st-key-learn-${name}`)"
    "?.scrollIntoView({ block: 'nearest', behavior: 'smooth' })), 400);"
)
_KEPT = "learn.kept"


@dataclass(frozen=True)
class CurrentStep:
    """A step of a lesson, or its closing lines."""

    space: Workspace
    lesson: base.Lesson
    index: int  # of the step; the number of steps for the closing lines
    own: OwnLesson | None = None  # the teacher's lesson that it is

    @property
    def at_end(self) -> bool:
        return self.index == len(self.lesson.steps)

    @property
    def step(self) -> base.LessonStep:
        return self.lesson.steps[self.index]

    @property
    def key(self) -> tuple[str, int]:
        return self.lesson.key, self.index

    @property
    def done(self) -> base.StepDone:
        return base.done_at(self.lesson, self.index, self.space.document.progress)

    @property
    def may_answer(self) -> bool:
        """Whether the answer may be shown: the step is done, or was given up for the answer."""
        done = self.done
        return done.answered(self.step) or (done.predicted and st.session_state.get(_SKIPPED) == self.key)

    def record(self, **done: Any) -> None:
        self.space.document.progress[self.key] = replace(self.done, **done)

    def before_and_after(self) -> tuple[tuple[str, int] | None, tuple[str, int]]:
        """Where Back and Next lead: past the ends of a lesson to its neighbours, from the last to the list."""
        keys = list(LESSONS) if self.own is None else [OWN_LESSON]
        name = self.lesson.key if self.own is None else OWN_LESSON
        place = keys.index(name)
        before = (name, self.index) if self.index else None
        if not self.index and place:
            before = keys[place - 1], len(LESSONS[keys[place - 1]].steps) + 1
        after = ((*keys[place + 1 :], "")[0], 1) if self.at_end else (name, self.index + 2)
        return before, after


def current_step(space: Workspace, own: OwnLesson | None) -> CurrentStep | None:
    """The step in the address, else the last one shown, of a teacher's lesson or of ours; None for the list."""
    key, number = current_key()
    if own is None and key not in LESSONS:
        write_lesson_link({})
        if key:
            known = ", ".join(LESSONS)
            st.warning(as_text(f"There is no lesson {key[:40]!r}; the link may be cut. There are: {known}."))
        return None
    lesson = LESSONS[key] if own is None else own.lesson()
    if number > len(lesson.steps) + 1:
        st.warning(f"This lesson has {len(lesson.steps)} steps; the link names step {number}. Here is the first.")
        number = 1
    current = CurrentStep(space, lesson, min(number - 1, len(lesson.steps)), own)
    if own is None:
        write_lesson_link({LESSON: key, STEP: str(current.index + 1)})
    return current


def current_key() -> tuple[str, int]:
    """The lesson's key ("" for the list, `OWN_LESSON` for a teacher's) and the number of the step, from 1."""
    if _STEP not in st.session_state:
        number = st.query_params.get(STEP, "")
        go(st.query_params.get(LESSON, ""), int(number) if number.isdecimal() and len(number) < 4 else 1)
    return st.session_state[_STEP]


def go(key: str, number: int = 1) -> None:
    """Open a step of a lesson, counted from 1; another key opens the list."""
    st.session_state[_STEP] = key, max(1, number)


def overview(space: Workspace) -> None:
    st.markdown("### Learn NCA in ten lessons")
    st.markdown(
        "Each lesson is a few steps: read, **predict**, do, and see whether you were right. In a hurry? Lessons 1, "
        "2, 4 and 5 explain what is maximised, how many neighbours count, and why a good score can mean nothing."
    )
    with st.container(key="learn.list", gap="small"):
        for number, lesson in enumerate(LESSONS.values(), start=1):
            done, steps = base.steps_done(lesson, space.document.progress), len(lesson.steps)
            mark = "✓ done" if done == steps else f"{done} of {steps} steps" if done else f"{steps} steps"
            title, promise = st.columns([2, 3], vertical_alignment="center")
            opened: Any = {"key": f"learn.open.{lesson.key}", "on_click": go, "args": (lesson.key,)}
            title.button(f"{number}. {lesson.title}", width="stretch", **opened)
            promise.markdown(f"{lesson.promise[0].upper()}{lesson.promise[1:]} :small[({mark})]")


def heading(current: CurrentStep) -> None:
    """Title, a dot for each step, the buttons with the keys A, B and N, and those of the view."""
    lesson = current.lesson
    dots = []
    for index, step in enumerate(lesson.steps):
        complete = base.done_at(lesson, index, current.space.document.progress).complete(step)
        dots.append("✓" if complete else "●" if index == current.index else "○")
    number = "" if current.own is not None else f"Lesson {list(LESSONS).index(lesson.key) + 1}: "
    title = "The end" if current.at_end else f"Step {current.index + 1} of {len(dots)}"
    if not current.at_end and current.step.title:
        title += f": {current.step.title}"
    with st.container(horizontal=True, vertical_alignment="center", key="learn.heading"):
        st.markdown(f"**{number}{as_text(lesson.title)}**  \n{title} &nbsp; {'&nbsp;'.join(dots)}", width="stretch")
        st.button("All lessons", key="learn.all", shortcut="a", on_click=go, args=("",))
        back = current.before_and_after()[0]
        st.button("Back", key="learn.back", shortcut="b", disabled=back is None, on_click=go, args=back or ("",))
        complete = current.at_end or current.done.complete(current.step)
        _next_button(current, "learn.next", shortcut="n", type="primary" if complete else "secondary")
        view_buttons()


def _next_button(current: CurrentStep, key: str, **look: Any) -> None:
    after = current.before_and_after()[1]
    name = "Finish" if not after[0] else "Next lesson" if after[1] == 1 else "Next"
    st.button(name, key=key, on_click=go, args=after, **look)


def show_step(current: CurrentStep, dataset_of: Callable[[CurrentStep], Dataset | None]) -> None:
    """Text, question, stage and answer of a step; `dataset_of` puts its recipe on the stage."""
    head, own = st.container(key="learn.head"), current.own is not None
    # The picture of a teacher's lesson is below the rest and as wide as the page.
    names = ("words", "question", "verdict", "stage_place") if own else ("words", "question", "stage_place", "verdict")
    with st.container(key="learn.own_body" if own else "learn.body"):
        places = {name: st.container(key=f"learn.{name}") for name in names}
    with places["words"]:
        if current.index == 0 and current.lesson.promise:
            st.caption(f"Afterwards you can {current.lesson.promise}")
        st.markdown(safe_markdown(current.step.text))
        if current.step.formula:
            st.html(formula_html(current.step.formula))
    export_slot = st.container(key="learn.export_slot")
    with places["stage_place"]:
        dataset = dataset_of(current)
        state = _picture(current, dataset, export_slot) if dataset is not None else base.LessonState()
    task = current.step.task
    if task is not None and not current.done.done and task.done(state):
        current.record(done=True)
    with places["question"]:
        _question_and_task(current, state)
    with head:
        heading(current)
    with places["verdict"]:
        _answer(current, state)
        if current.done.complete(current.step):
            _next_button(current, "learn.next_below")  # the other one may be out of sight
    _scroll(current)


def formula_html(key: str) -> str:
    """The formula of that key of FORMULAS; each symbol shows its meaning on hover, tap and keyboard focus."""
    pieces = []
    for number, part in enumerate(base.formula_parts(key)):
        if isinstance(part, str):
            pieces.append(f"<span>{escape(part)}</span>")
            continue
        name = f"formula-{key}-{number}"
        symbol = f"<i>{escape(part.base)}</i>" if len(part.base) == 1 and part.base != "Σ" else escape(part.base)
        below = f"<sub>{escape(part.below)}</sub>" if part.below else ""
        pieces.append(
            f'<span class="symbol" tabindex="0" role="button" aria-describedby="{name}">'
            f"{symbol}{below}"
            f'<span class="meaning" role="tooltip" id="{name}">{escape(part.meaning)}</span></span>'
        )
    return f'<div class="formula" role="group" aria-label="Formula"><div class="line">{"".join(pieces)}</div></div>'


def _question_and_task(current: CurrentStep, state: base.LessonState) -> None:
    step, question, done = current.step, current.step.question, current.done
    if question is not None:
        st.markdown(f"**{safe_markdown(question.words)}**")
        if done.predicted:
            _prediction(current, question)
        else:
            _predict(current, question)
    if step.task is not None:
        st.markdown(f"{'✓' if done.done else '➜'} {step.task.words}")
        if not done.done and (missing := step.task.missing(state)):
            st.markdown(missing)
    if question is not None and done.predicted and not current.may_answer:
        skip = partial(st.session_state.update, {_SKIPPED: current.key})
        st.button("Show the answer", key="learn.skip", on_click=skip)


def _predict(current: CurrentStep, question: base.LessonQuestion) -> None:
    """A button for each option, or a field for one's own words."""
    for number, option in enumerate(question.options):
        key, say = f"learn.option.{number}", partial(current.record, said=number)
        st.button(safe_markdown(option), key=key, shortcut=str(number + 1), width="stretch", on_click=say)
    if not question.options:
        key = f"learn.words.{current.lesson.key}.{current.index}"
        look: Any = {"max_chars": base.LONGEST_ANSWER, "persist_state": "session"}
        words = st.text_area("What do you expect?", key=key, **look).strip()
        write = partial(current.record, words=words)
        st.button("Show the answer", key="learn.write", disabled=not words, on_click=write)


def _prediction(current: CurrentStep, question: base.LessonQuestion) -> None:
    """All options stay: the predicted one is marked, and once it may be shown, which one is true."""
    if not question.options:
        st.markdown(f"Your prediction: {as_text(current.done.words)}")
        return
    answered = current.may_answer
    with st.container(key="learn.options", gap="xsmall"):
        for number, option in enumerate(question.options):
            mine, right = number == current.done.said, number == question.right
            mark = ("✓" if right else "✗" if mine else "○") if answered else ("●" if mine else "○")
            said = f"**{safe_markdown(option)}** (your prediction)" if mine else safe_markdown(option)
            st.markdown(f"{mark} {said}")
            if mine and answered and (look := question.look(number, current.step.shown(True))):
                st.markdown(safe_markdown(look))


def _answer(current: CurrentStep, state: base.LessonState) -> None:
    question = current.step.question
    if question is None or not current.may_answer:
        return
    with st.spinner("Measuring …"):
        why = " ".join(filter(None, (question.answered(current.step.shown(True)), question.own(state))))
    mark = "✓ **Right.** " if current.done.said == question.right else "✗ **Not quite.** "
    with st.container(key="learn.answer"):
        st.markdown(f"{mark if question.options else ''}{safe_markdown(why)}")
        if not current.done.answered(current.step):
            st.caption("This describes the picture once the task is done.")
    space, comparison, at = current.space, current.space.document.comparison, current.space.latest("nca")
    if current.step.draws == "k" and comparison is not None and at is not None:
        found = space.document.cached("k curve nca", partial(k_curve, comparison, "nca", at), comparison, at)
        chart(k_accuracy_figure(found, is_dark()), "learn.k_accuracy")


def _drawing_board(space: Workspace) -> None:
    own = space.document
    own.drawing = board(key="learn.board", drawing=own.drawing)

    def use() -> None:
        own.keep_data(_DRAWN, drawn_dataset(own.drawing.points, own.drawing.codes, 0, 0.0, 0, "Drawn in a lesson"))

    st.button("Use these points", key="learn.use_points", shortcut="u", on_click=attempt, args=(_NOT_DRAWN, use))
    show_failure(_NOT_DRAWN)


def lesson_dataset(current: CurrentStep) -> Dataset | None:
    """Put the recipe of a step on the stage; returns its data set, None after a message or without a drawing."""
    step, space = current.step, current.space
    own, recipe = space.document, step.shown(current.done.predicted)
    if step.draws == "board":
        _drawing_board(space)
        if _DRAWN not in own.own_data:
            return None
        recipe = replace(recipe, data=own.data_recipe(_DRAWN))
    if own.recipe.pace != "auto":  # the one that was chosen last
        recipe = replace(recipe, pace=own.recipe.pace)
    # Trainings of another recipe or lesson end, and at steps that begin `anew`.
    before, own.step_shown = own.step_shown or current.key, current.key
    begins = before != current.key and (step.anew or before[0] != current.lesson.key)
    if own.recipe != recipe or begins:
        trainings.reset(space)
    own.recipe = recipe
    own.own_step_shown = None  # a teacher's lesson starts again after this one
    return dataset_or_error(space)


def _picture(current: CurrentStep, dataset: Dataset, export_slot: DeltaGenerator) -> base.LessonState:
    """The stage, with the Export menu in `export_slot`; returns what tasks check."""
    space, step, done = current.space, current.step, current.done
    try:
        comparison = put_on_stage(space, dataset)
    except (DataError, ValueError) as error:
        show_error(error)
        return base.LessonState()
    space.held = held_snapshots(space, "learn.stage")
    save_warning()
    if any(panel.trains for panel in comparison.panels):
        transport(space, emphasise_train=step.task is not None and step.task.trains and not done.done)
    shown = {"": _PLAIN, "board": _PLAIN, "curves": ""}.get(step.draws, step.draws)
    before, pins = st.session_state.get(_PIN_REQUEST, (None, 0))
    if before != current.key:  # the step's row is pinned once each time it is opened
        pins += 1
        st.session_state[_PIN_REQUEST] = current.key, pins
    explained = {*step.numbers, *(step.numbers_after if current.may_answer else ())}
    counts = current.own is not None or "accuracy" in explained
    stage = live_stage(
        space,
        key="learn.stage",
        point=(pins, step.pin),
        question=shown if current.own is None else "",
        plain=("scale" if step.scales else True) if current.own is None else False,
        turn="each" if step.turns else False,
        without={*base.NUMBERS, _BEST} - explained if current.own is None else (),
        picture=picture_request(comparison),
        solved=solved_accuracies(measurements(space, comparison)) if counts else {},
    )
    with export_slot:
        export_menu(space, comparison, stage)
    return _lesson_state(space, comparison, stage, step.pin)


def _lesson_state(space: Workspace, comparison: Comparison, stage: StageState, pin: int | None) -> base.LessonState:
    snapshots = {key: snapshot for key in space.runs if (snapshot := space.latest(key)) is not None}

    def reached() -> list[base.PanelNumbers]:
        ready = [p for p in comparison.panels if not p.problem and (not p.trains or p.key in snapshots)]
        return [base.PanelNumbers(measure(comparison, p.key, snapshots.get(p.key)), p.X.shape[1]) for p in ready]

    return base.LessonState(
        iterations={key: snapshot.iteration for key, snapshot in snapshots.items()},
        ended=frozenset(key for key, held in space.runs.items() if held.run.state == "ended"),
        point=pin if stage.point is None else stage.point if stage.point >= 0 else None,
        hidden=stage.view.hidden,
        iteration=stage.view.iteration,
        same_scale=stage.view.same_scale,
        transformations={key: snapshot.transformation for key, snapshot in snapshots.items()},
        measure=reached,
    )


def _scroll(current: CurrentStep) -> None:
    """Scroll to the top of a new step, or to an answer that has just appeared."""
    now = current.key, current.may_answer
    before, number = st.session_state.get(_SCROLLED, (now, 0))
    st.session_state[_SCROLLED] = now, number + (before != now)
    if before != now and (before[0] != now[0] or now[1]):
        script = _TOP if before[0] != now[0] else _ANSWER
        # The number makes it a new script, so that it runs.
        st.html(f"<script>{script} // {number + 1}\n</script>", unsafe_allow_javascript=True)


# Merges the browser's progress with the page's, stores the result, and reports what the page lacks.
_KEEP = """
export default function ({ data, setStateValue }) {
  const name = "nca.lessons";
  let kept = {};
  try { kept = JSON.parse(localStorage.getItem(name)) ?? {}; } catch { /* damaged or forbidden: begin anew */ }
  const all = { ...kept };
  for (const [step, [said, done, words]] of Object.entries(data.progress)) {
    const [before, did, wrote] = Array.isArray(kept[step]) ? kept[step] : [null, false, ""];
    all[step] = [said ?? before, done || did, words || wrote];
  }
  try { localStorage.setItem(name, JSON.stringify(all)); } catch { /* forbidden or full */ }
  const known = (step) => JSON.stringify(all[step]) === JSON.stringify(data.progress[step]);
  if (!Object.keys(all).every(known)) setStateValue("kept", all);
}
"""
_keeper = st.components.v2.component("nca_lesson_progress", js=_KEEP)


def keep_progress(space: Workspace) -> None:
    """Exchange the progress with the browser, which keeps it for good; call at the end of the page."""
    progress = space.document.progress

    def take() -> None:
        base.merge(progress, base.from_browser(st.session_state[_KEPT].get("kept")))

    with st.container(key="learn.keeper"):  # takes no room, by lessons.css
        _keeper(key=_KEPT, data={"progress": base.to_browser(progress)}, on_kept_change=take)


def closing(space: Workspace, lesson: base.Lesson) -> None:
    """Show the end of a lesson: closing lines, right predictions and the file to hand in."""
    progress = space.document.progress
    if lesson.closing:
        st.markdown("**You can say now:**\n\n" + "\n".join(f"1. {safe_markdown(line)}" for line in lesson.closing))
    right, n_questions = base.right_of(lesson, progress)
    if n_questions:
        st.markdown(f"You predicted {right} of {n_questions} answers correctly.")
    name = st.text_input("Name (optional)", key="learn.name", max_chars=80, persist_state="session", width=320)
    content, file = partial(base.to_hand_in, lesson, progress, name), as_text(lesson.key).replace(":", "-")
    about = "A small file to hand in. Your answers stay in this browser otherwise."
    save_json("Save my answers", content, f"nca-answers-{file}.json", key="learn.hand_in", help=about)
