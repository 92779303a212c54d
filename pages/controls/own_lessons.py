"""Lessons made by teachers: make one, try it, open one from a file or a link."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import urlencode, urljoin

import streamlit as st

from datasets.base.dataset import Dataset
from lessons.base.own import (
    GOALS,
    LESSON,
    LONGEST,
    LONGEST_LINK,
    LONGEST_OPTION,
    MOST_OPTIONS,
    MOST_STEPS,
    OWN_LESSON,
    PARTS,
    STEP,
    WORDS,
    Goal,
    OwnLesson,
    OwnStep,
    from_lesson_file,
    from_lesson_link,
    to_lesson_file,
    to_lesson_link,
)
from pages.controls.data_choice import choose_dataset, choose_noise, dataset_or_error
from pages.controls.lessons import CurrentStep, current_key, go
from pages.controls.messages import show_error
from pages.controls.preparation import choose_preparation
from pages.controls.recipe_widgets import bind
from pages.controls.share import problems
from pages.controls.shell import go_to_page, switch_page_if_chosen
from pages.controls.training import advanced, choose_panels, choose_training
from pages.server.session import recipe_in_the_address, write_lesson_link
from pages.server.workspace import Workspace
from pages.views.recipe import part_sentence
from stage.plain_text import as_text
from study.recipe import OWN

_READ, _FAILED = "learn.own_read", "learn.own_failed"
_PREVIEW, _DRAFT = "learn.preview", "learn.draft"


def opened_lesson(space: Workspace) -> OwnLesson | None:
    """The teacher's lesson to show: from the address, from a file, or the last one; None for none."""
    words = st.query_params.get(WORDS)
    if words and st.session_state.get(_READ) != words:
        st.session_state[_READ] = words
        number = current_key()[1]
        try:
            lesson, problems_found = from_lesson_link(words, recipe_in_the_address())
        except ValueError as error:
            st.session_state[_FAILED] = str(error)
            go("")
        else:
            _open(space, lesson, problems_found, number)
    if (draft := st.session_state.get(_DRAFT)) is not None and draft.tried:
        draft.tried = False
        space.document.own_step_shown = None
        _open(space, st.session_state[_PREVIEW], ())
    if failed := st.session_state.get(_FAILED):
        show_error(ValueError(failed))
    return space.document.own_lesson if current_key()[0] == OWN_LESSON else None


def _open(space: Workspace, lesson: OwnLesson, problems_found: tuple[str, ...], number: int = 1) -> None:
    space.document.own_lesson, space.document.problems = lesson, problems_found
    st.session_state[_FAILED] = ""
    go(OWN_LESSON, number)


def lesson_file(space: Workspace) -> None:
    """A field for the file of a lesson."""
    st.file_uploader(
        "Open a lesson file",
        type="json",
        key="learn.open_file",
        on_change=_file_opened,
        args=(space,),
        help="A file made with *Make a lesson* in the sidebar of Explore, Compare or Understand.",
    )


def _file_opened(space: Workspace) -> None:
    if (read := _read_file("learn.open_file", _FAILED)) is not None:
        space.document.own_step_shown = None  # a reopened file starts again; a reloaded link does not
        _open(space, *read)


def _read_file(key: str, failed: str) -> tuple[OwnLesson, tuple[str, ...]] | None:
    """The lesson in the file of a field; None for no file, or after an error is recorded under `failed`."""
    file = st.session_state[key]
    st.session_state[failed] = ""
    try:
        return None if file is None else from_lesson_file(file.getvalue().decode("utf-8"))
    except UnicodeDecodeError:
        st.session_state[failed] = "This is not a lesson file: it is not UTF-8 text."
    except ValueError as error:
        st.session_state[failed] = str(error)
    return None


def own_dataset(space: Workspace, current: CurrentStep) -> Dataset | None:
    """Put the recipe of a teacher's step on the stage, once; returns its data set, None after an error message."""
    lesson, document = current.own, space.document
    assert lesson is not None
    recipe = current.step.recipe
    before = document.own_step_shown
    # A student's changes stay until another lesson, or a step with another recipe.
    if before is None or before[0] != lesson or lesson.steps[before[1]].recipe != recipe:
        document.recipe = recipe
    document.own_step_shown = lesson, current.index
    link = to_lesson_link(lesson)
    short = link if sum(map(len, link.values())) < LONGEST_LINK else {LESSON: OWN_LESSON}
    write_lesson_link({**short, STEP: str(current.index + 1)})
    problems(space)
    return parts(space, lesson)


def parts(space: Workspace, lesson: OwnLesson) -> Dataset | None:
    """The parts of the sidebar that are not hidden; returns the data set, None after an error message."""
    free = [part for part in PARTS if part not in lesson.hidden | lesson.locked]
    with st.sidebar if lesson.hidden != PARTS.keys() else st.container():
        dataset = choose_dataset(space) if "data" in free else dataset_or_error(space)
        panel = None
        draw: dict[str, Callable[[], object]] = {
            "noise": lambda: choose_noise(space, dataset) if dataset is not None else None,
            "preparation": lambda: choose_preparation(space, dataset),
            "panels": lambda: choose_panels(space),
        }
        for part in PARTS:
            if part in lesson.locked:
                name = "" if dataset is None else dataset.name
                st.caption(f"🔒 {as_text(part_sentence(part, space.document.recipe, name))}")
            elif part in free and part in draw:
                draw[part]()
            elif part in free and part == "training":
                panel = choose_training(space, numeric_label=dataset is not None and dataset.target is not None)
            elif part in free and part == "advanced":
                advanced(space, dataset, panel)
    return dataset


@dataclass
class _Draft:
    """A lesson that is being made."""

    title: str = ""
    steps: list[OwnStep] = field(default_factory=lambda: [OwnStep()])
    at: int = 0
    hidden: frozenset[str] = frozenset()
    locked: frozenset[str] = frozenset()
    page: str = ""  # title of the page that it is made on
    token: str = ""  # of the workspace whose settings the step takes
    tried: bool = False  # a preview was asked for

    @property
    def step(self) -> OwnStep:
        return self.steps[self.at]

    def change(self, **values: Any) -> None:
        """Change the step that is shown."""
        self.steps[self.at] = replace(self.step, **values)

    def lesson(self) -> OwnLesson:
        return OwnLesson(self.title, tuple(self.steps), self.hidden, self.locked - self.hidden)


def make_lesson(space: Workspace) -> None:
    """In the sidebar: the fields of a lesson, then its preview, link and file."""
    with st.expander("Make a lesson", key="learn.make", on_change="rerun") as place:
        if place.open:
            _make(space, st.session_state.setdefault(_DRAFT, _Draft()))


def _make(space: Workspace, draft: _Draft) -> None:
    if draft.token not in ("", space.token):  # another page has other settings
        st.button("Use the settings of this page", key="learn.make.take", on_click=setattr, args=(draft, "token", ""))
    else:
        draft.token = space.token
        draft.change(recipe=space.document.recipe)
        st.caption("The step uses the current data, preparation, panels and seeds.")
    bound = bind("learn.make.title", draft.title, lambda title: setattr(draft, "title", title))
    st.text_input("Title", max_chars=LONGEST["title"], **bound)
    _steps(space, draft)
    for name in ("text", "question"):
        _field(draft, name)
    _options(draft)
    _field(draft, "answer")
    _goal(draft)
    _choose_parts(draft, "Hide", "hidden", "Parts of the sidebar hidden from students.")
    _choose_parts(draft, "Lock", "locked", "Parts that students see but cannot change.")
    if not draft.title.strip():
        st.caption("Add a title to get a preview, a link and a file.")
    else:
        try:
            _give(space, draft, draft.lesson())
        except ValueError as error:
            show_error(error)
    st.file_uploader(
        "Change a lesson file", type="json", key="learn.make.open", on_change=_edit_file, args=(space, draft)
    )
    if failed := st.session_state.get("learn.make.failed"):
        show_error(ValueError(failed))


def _steps(space: Workspace, draft: _Draft) -> None:
    with st.container(horizontal=True, gap="xsmall"):
        st.selectbox(
            "Step",
            range(len(draft.steps)),
            format_func=lambda k: f"Step {k + 1} of {len(draft.steps)}",
            label_visibility="collapsed",
            help="The step that you edit.",
            width=140,
            **bind("learn.make.step", draft.at, lambda k: _turn_to(space, draft, k)),
        )
        full = len(draft.steps) >= MOST_STEPS
        st.button("Add", key="learn.make.add", on_click=_add, args=(draft,), disabled=full, help="Add a step.")
        alone = len(draft.steps) == 1
        st.button(
            "Remove", key="learn.make.remove", on_click=_remove, args=(space, draft), disabled=alone, help="This step."
        )


def _turn_to(space: Workspace, draft: _Draft, k: int) -> None:
    """Show another step, with its settings on this page."""
    draft.at, draft.token = k, space.token
    space.document.change(draft.step.recipe)


def _add(draft: _Draft) -> None:
    draft.steps.insert(draft.at + 1, OwnStep(recipe=draft.step.recipe))
    draft.at += 1


def _remove(space: Workspace, draft: _Draft) -> None:
    del draft.steps[draft.at]
    _turn_to(space, draft, max(draft.at - 1, 0))


def _edit_file(space: Workspace, draft: _Draft) -> None:
    if (read := _read_file("learn.make.open", "learn.make.failed")) is not None:
        lesson = read[0]
        draft.title, draft.steps = lesson.title, list(lesson.steps)
        draft.hidden, draft.locked = lesson.hidden, lesson.locked
        _turn_to(space, draft, 0)


def _field(draft: _Draft, name: str) -> None:
    helps = {
        "text": "Students read this. Markdown works: **bold**, lists, links; images stay text.",
        "question": "Students answer it before they see the answer.",
        "answer": "Packed into the link: not readable at a glance, but no secret.",
    }
    bound = bind(f"learn.make.{name}", getattr(draft.step, name), lambda words: _put_words(draft, name, words))
    st.text_area(name.capitalize(), height=80, max_chars=LONGEST[name], help=helps[name], **bound)


def _put_words(draft: _Draft, name: str, words: str) -> None:
    if name == "question" and not words.strip():
        draft.change(question="", answer="")
    else:
        draft.change(**{name: words})


def _options(draft: _Draft) -> None:
    words = "\n".join(draft.step.options)
    st.text_area(
        "Options, one a line",
        height=80,
        max_chars=MOST_OPTIONS * (LONGEST_OPTION + 1),
        help="Two to four, or none: then students write their answer.",
        **bind("learn.make.options", words, lambda lines: _put_options(draft, lines)),
    )
    if draft.step.options:
        st.selectbox(
            "The right one",
            range(len(draft.step.options)),
            format_func=lambda k: draft.step.options[k] if k < len(draft.step.options) else "",
            filter_mode=None,
            **bind("learn.make.right", draft.step.right, lambda k: draft.change(right=k)),
        )


def _put_options(draft: _Draft, lines: str) -> None:
    options = tuple(line.strip() for line in lines.splitlines() if line.strip())
    draft.change(options=options, right=min(draft.step.right, max(len(options) - 1, 0)))


def _goal(draft: _Draft) -> None:
    goal = draft.step.goal
    kinds = {"": "No task", **GOALS}
    st.selectbox(
        "Task",
        list(kinds),
        format_func=lambda key: f"Reach {kinds[key]}" if key not in ("", "train") else kinds[key].capitalize(),
        filter_mode=None,
        help="The engine checks it.",
        **bind("learn.make.goal", goal.what if goal else "", lambda key: draft.change(goal=Goal(key) if key else None)),
    )
    if goal is None or goal.what == "train":
        return
    share = GOALS[goal.what].startswith("on ")
    st.number_input(
        "At least (%)" if share else "At least",
        0.0,
        100.0 if share else None,
        step=1.0 if share else 0.1,
        **bind(
            "learn.make.least",
            100 * goal.least if share else goal.least,
            lambda least: draft.change(goal=replace(goal, least=round(least / 100 if share else least, 6))),
        ),
    )
    st.number_input(
        "With at most so many features",
        0,
        help="0 for any number. Students choose fewer features under *Prepare*.",
        **bind(
            "learn.make.features", goal.most_features, lambda most: draft.change(goal=replace(goal, most_features=most))
        ),
    )


def _choose_parts(draft: _Draft, label: str, name: str, help: str) -> None:
    chosen = sorted(getattr(draft, name), key=list(PARTS).index)
    st.multiselect(
        label,
        list(PARTS),
        format_func=lambda part: PARTS.get(part, part),
        help=help,
        placeholder="Nothing",
        **bind(f"learn.make.{name}", chosen, lambda parts: setattr(draft, name, frozenset(parts))),
    )


def _give(space: Workspace, draft: _Draft, lesson: OwnLesson) -> None:
    st.button("Preview", key="learn.make.preview", on_click=_preview, args=(draft, lesson), help="As students see it.")
    switch_page_if_chosen()
    link = f"{urljoin(st.context.url or '', 'learn')}?{urlencode(to_lesson_link(lesson))}"
    if any(step.recipe.data.key == OWN for step in lesson.steps):
        st.caption("Your own table is not in the link: students drop its file on Explore first.")
    if len(link) > LONGEST_LINK:
        show_error(
            ValueError(
                f"The link has {len(link):,} characters; only {LONGEST_LINK:,} work everywhere. Shorten the text, "
                f"or share the file."
            )
        )
    else:
        st.code(link, language=None, wrap_lines=True)
        st.caption(f"{len(link):,} of at most {LONGEST_LINK:,} characters. Add &present=1 for large type.")
    st.download_button(
        "Save the lesson",
        data=lambda: to_lesson_file(lesson).encode("utf-8"),
        file_name="nca-lesson.json",
        mime="application/json",
        key="learn.make.save",
        on_click="ignore",
        help="Students open it on Learn, below the list of lessons.",
    )


def _preview(draft: _Draft, lesson: OwnLesson) -> None:
    draft.page = st.session_state.get("main.page", "Explore")
    draft.tried = True
    st.session_state[_PREVIEW] = lesson
    go_to_page("Learn")


def preview_bar(current: CurrentStep | None) -> None:
    """Above a lesson that its maker tries: the way back to its fields."""
    if current is None or current.own is None or current.own != st.session_state.get(_PREVIEW):
        return
    with st.container(horizontal=True, vertical_alignment="center", key="learn.preview_bar"):
        st.caption("Preview: students see the same below.", width="stretch")
        st.button("Back to editing", key="learn.edit", on_click=go_to_page, args=(st.session_state[_DRAFT].page,))
