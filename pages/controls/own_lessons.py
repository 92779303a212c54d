"""Lessons made by teachers: make one, try it, open one from a file or a link."""

from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any
from urllib.parse import urlencode, urljoin

import streamlit as st

from datasets.base.dataset import Dataset
from lessons.base import own
from pages.controls import settings
from pages.controls.lessons import CurrentStep, current_key, go
from pages.controls.recipe_widgets import bind, folded, open_json, save_json, select_box
from pages.controls.shell import go_to_page, show_error, switch_page_if_chosen
from pages.server.session import lesson_workspace, recipe_in_the_address, write_lesson_link
from pages.server.workspace import Workspace
from pages.views.notes import part_sentence
from stage.plain_text import as_text
from study.recipe import OWN

_READ, _FAILED = "learn.own_read", "learn.own_failed"
_PREVIEW, _DRAFT = "learn.preview", "learn.draft"


def opened_lesson(space: Workspace) -> own.OwnLesson | None:
    """The teacher's lesson to show: from the address, from a file, or the last one; None for none."""
    words = st.query_params.get(own.WORDS)
    if words and st.session_state.get(_READ) != words:
        st.session_state[_READ] = words
        try:
            read = own.from_lesson_link(words, recipe_in_the_address())
            # A reloaded link keeps the step, and what the student has changed.
            _open(space, *read, current_key()[1], space.document.own_step_shown)
        except ValueError as error:
            st.session_state[_FAILED] = error
            go("")
    if failed := st.session_state.get(_FAILED):
        show_error(failed)
    return space.document.own_lesson if current_key()[0] == own.OWN_LESSON else None


def _open(
    space: Workspace,
    lesson: own.OwnLesson,
    problems_found: tuple[str, ...] = (),
    number: int = 1,
    shown: tuple[own.OwnLesson, int] | None = None,
) -> None:
    """Open a lesson at a step, counted from 1; with its own settings unless `shown` is the step that they belong to."""
    document = space.document
    document.own_lesson, document.problems, document.own_step_shown = lesson, problems_found, shown
    st.session_state[_FAILED] = None
    go(own.OWN_LESSON, number)


def lesson_file(space: Workspace) -> None:
    about = "A file made with *Make a lesson* in the sidebar of Explore, Compare or Understand."
    begin = lambda text: _open(space, *own.from_lesson_file(text))  # noqa: E731
    open_json("Open a lesson file", begin, key="learn.open_file", help=about)


def own_dataset(current: CurrentStep) -> Dataset | None:
    """Put the recipe of a teacher's step on the stage, once; returns its data set, None after an error message."""
    lesson, space = current.own, current.space
    document = space.document
    assert lesson is not None
    recipe = current.step.recipe
    before = document.own_step_shown
    # A student's changes stay until another lesson, or a step with another recipe.
    if before is None or before[0] != lesson or lesson.steps[before[1]].recipe != recipe:
        document.recipe = recipe
    document.own_step_shown = lesson, current.index
    link = own.to_lesson_link(lesson)
    short = link if sum(map(len, link.values())) < own.LONGEST_LINK else {own.LESSON: own.OWN_LESSON}
    write_lesson_link({**short, own.STEP: str(current.index + 1)})
    settings.problems(space)
    with st.sidebar if lesson.hidden != own.PARTS.keys() else st.container():
        return _parts(space, lesson)


def _parts(space: Workspace, lesson: own.OwnLesson) -> Dataset | None:
    """The parts of the sidebar that are not hidden; returns the data set, None after an error message."""
    closed = lesson.hidden | lesson.locked
    dataset = settings.dataset_or_error(space) if "data" in closed else settings.choose_dataset(space)
    panel = None
    for part in own.PARTS:
        if part in lesson.locked:
            name = "" if dataset is None else dataset.name
            st.caption(f"🔒 {as_text(part_sentence(part, space.document.recipe, name))}")
        elif part in lesson.hidden:
            continue
        elif part == "noise" and dataset is not None:
            settings.choose_noise(space, dataset)
        elif part == "preparation":
            settings.choose_preparation(space, dataset)
        elif part == "panels":
            settings.choose_panels(space)
        elif part == "training":
            panel = settings.choose_training(space, dataset)
        elif part == "advanced":
            settings.advanced(space, dataset, panel)
    return dataset


@dataclass
class _Draft:
    title: str = ""
    steps: list[own.OwnStep] = field(default_factory=lambda: [own.OwnStep()])
    at: int = 0
    hidden: frozenset[str] = frozenset()
    locked: frozenset[str] = frozenset()
    closing: str = ""
    page: str = ""  # title of the page that it is made on
    token: str = ""  # of the workspace whose settings the step takes

    @property
    def step(self) -> own.OwnStep:
        return self.steps[self.at]

    def change(self, **values: Any) -> None:
        self.steps[self.at] = replace(self.step, **values)

    def turn_to(self, space: Workspace, k: int) -> None:
        self.at, self.token = k, space.token
        space.document.change(self.step.recipe)


@folded("Make a lesson", "learn.make")
def make_lesson(space: Workspace) -> None:
    draft: _Draft = st.session_state.setdefault(_DRAFT, _Draft())
    if draft.token not in ("", space.token):  # another page has other settings
        st.button("Use the settings of this page", key="learn.make.take", on_click=setattr, args=(draft, "token", ""))
    else:
        draft.token = space.token
        draft.change(recipe=space.document.recipe)
        st.caption("The step uses the current data, preparation, panels and seeds.")
    bound = bind("learn.make.title", draft.title, partial(setattr, draft, "title"))
    st.text_input("Title", max_chars=own.LONGEST["title"], **bound)
    _steps(space, draft)
    _text(draft, "text", "Students read this. Markdown works: **bold**, lists, links; images stay text.")
    _text(draft, "question", "Students answer it before they see the answer.")
    _options(draft)
    _text(draft, "answer", "Packed into the link: not readable at a glance, but no secret.")
    _goal(draft)
    bound = bind("learn.make.closing", draft.closing, partial(setattr, draft, "closing"))
    about = "Shown at the end of the lesson, one a line."
    st.text_area("What students can say at the end", height=80, max_chars=own.LONGEST["closing"], help=about, **bound)
    _choose_parts(draft, "hidden", "Hide", "Parts of the sidebar hidden from students.")
    _choose_parts(draft, "locked", "Lock", "Parts that students see but cannot change.")
    if draft.title.strip():
        try:
            closed = draft.hidden, draft.locked - draft.hidden
            _give(own.OwnLesson(draft.title, tuple(draft.steps), *closed, draft.closing))
        except ValueError as error:
            show_error(error)
    else:
        st.caption("Add a title to get a preview, a link and a file.")

    def edit(text: str) -> None:
        lesson, _ = own.from_lesson_file(text)
        draft.title, draft.steps = lesson.title, list(lesson.steps)
        draft.hidden, draft.locked, draft.closing = lesson.hidden, lesson.locked, lesson.closing
        draft.turn_to(space, 0)

    open_json("Change a lesson file", edit, key="learn.make.open", help="Its steps replace those above.")


def _steps(space: Workspace, draft: _Draft) -> None:
    def add() -> None:
        draft.at += 1
        draft.steps.insert(draft.at, own.OwnStep(recipe=draft.steps[draft.at - 1].recipe))

    def remove() -> None:
        del draft.steps[draft.at]
        draft.turn_to(space, max(draft.at - 1, 0))

    number = len(draft.steps)
    with st.container(horizontal=True, gap="xsmall"):
        titles = {k: f"Step {k + 1} of {number}" for k in range(number)}
        bound = bind("learn.make.step", draft.at, partial(draft.turn_to, space))
        look: Any = {"label_visibility": "collapsed", "width": 140, "help": "The step that you edit."}
        select_box("Step", titles, **bound, **look)
        full, alone = number >= own.MOST_STEPS, number == 1
        st.button("Add", key="learn.make.add", on_click=add, disabled=full, help="Add a step.")
        st.button("Remove", key="learn.make.remove", on_click=remove, disabled=alone, help="This step.")


def _text(draft: _Draft, name: str, help: str) -> None:
    def put(words: str) -> None:
        draft.change(**{name: words})
        if not draft.step.question.strip():
            draft.change(question="", answer="")

    bound = bind(f"learn.make.{name}", getattr(draft.step, name), put)
    st.text_area(name.capitalize(), height=80, max_chars=own.LONGEST[name], help=help, **bound)


def _options(draft: _Draft) -> None:
    def put(lines: str) -> None:
        options = tuple(line.strip() for line in lines.splitlines() if line.strip())
        chosen = draft.step.options[draft.step.right] if draft.step.right >= 0 else ""
        draft.change(options=options, right=options.index(chosen) if chosen in options else -1)

    help = "Two to four, or none: then students write. *Red look: its rings* shows the hint to those who choose Red."
    bound = bind("learn.make.options", "\n".join(draft.step.options), put)
    longest = own.MOST_OPTIONS * (own.LONGEST_OPTION + 1)
    st.text_area("Options, one a line", height=80, max_chars=longest, help=help, **bound)
    if options := dict(enumerate(draft.step.options)):
        right = draft.step.right if draft.step.right >= 0 else None
        bound = bind("learn.make.right", right, lambda k: draft.change(right=-1 if k is None else k))
        about = "The one that counts as a right prediction."
        select_box("The right one", options, placeholder="Choose it", help=about, **bound)


def _goal(draft: _Draft) -> None:
    goal = draft.step.goal
    titles = {"": "No task"} | {key: f"Reach {words}" for key, words in own.GOALS.items()}
    titles["train"] = own.GOALS["train"].capitalize()
    put_goal = lambda key: draft.change(goal=own.Goal(key) if key else None)  # noqa: E731
    bound = bind("learn.make.goal", goal.what if goal else "", put_goal)
    select_box("Task", titles, help="The engine checks it.", **bound)
    if goal is None or goal.what == "train":
        return
    whole = 100 if own.GOALS[goal.what].startswith("on ") else 1
    put_least = lambda least: draft.change(goal=replace(goal, least=round(least / whole, 6)))  # noqa: E731
    bound = bind("learn.make.least", float(whole * goal.least), put_least)
    label, most, step = ("At least (%)", 100.0, 1.0) if whole > 1 else ("At least", None, 0.1)
    st.number_input(label, 0.0, most, step=step, **bound)
    put = lambda most: draft.change(goal=replace(goal, most_features=most))  # noqa: E731
    bound = bind("learn.make.features", goal.most_features, put)
    about = "Students choose fewer features under *Prepare*."
    st.number_input("Most features allowed (0: any)", 0, help=about, **bound)


def _choose_parts(draft: _Draft, name: str, label: str, help: str) -> None:
    chosen = [part for part in own.PARTS if part in getattr(draft, name)]
    bound = bind(f"learn.make.{name}", chosen, lambda parts: setattr(draft, name, frozenset(parts)))
    st.multiselect(label, list(own.PARTS), format_func=own.PARTS.__getitem__, help=help, placeholder="Nothing", **bound)


def _give(lesson: own.OwnLesson) -> None:
    def preview() -> None:
        st.session_state[_DRAFT].page = st.session_state.get("main.page", "Explore")
        st.session_state[_PREVIEW] = lesson
        _open(lesson_workspace(), lesson)
        go_to_page("Learn")

    st.button("Preview", key="learn.make.preview", on_click=preview, help="As students see it.")
    switch_page_if_chosen()
    link = f"{urljoin(st.context.url or '', 'learn')}?{urlencode(own.to_lesson_link(lesson))}"
    if any(step.recipe.data.key == OWN for step in lesson.steps):
        st.caption("Your own table is not in the link: students drop it on Explore first, with the same label.")
    if len(link) > own.LONGEST_LINK:
        why = f"The link has {len(link):,} characters; only {own.LONGEST_LINK:,} work everywhere."
        show_error(ValueError(f"{why} Shorten the text, or share the file."))
    else:
        st.code(link, language=None, wrap_lines=True)
        st.caption(f"{len(link):,} of at most {own.LONGEST_LINK:,} characters. Add &present=1 for large type.")
    content, about = partial(own.to_lesson_file, lesson), "Students open it on Learn, below the list of lessons."
    save_json("Save the lesson", content, "nca-lesson.json", key="learn.make.save", help=about)


def preview_bar(current: CurrentStep | None) -> None:
    """Above a lesson that its maker tries: the way back to its fields."""
    if current is None or current.own is None or current.own != st.session_state.get(_PREVIEW):
        return
    with st.container(horizontal=True, vertical_alignment="center", key="learn.preview_bar"):
        st.caption("Preview: students see the same below.", width="stretch")
        st.button("Back to editing", key="learn.edit", on_click=go_to_page, args=(st.session_state[_DRAFT].page,))
