"""Find the session's workspace, and keep recipe and address in step.

A link carries settings only. A workspace belongs to one browser, by its cookie, and outlives a reload: the new session
finds it by the settings in the address. One living session holds a workspace; a link opened elsewhere, or while it is
held, starts another workspace with these settings.
"""

import secrets
import threading
from collections.abc import Callable, Mapping
from functools import partial

import streamlit as st

from lessons.base.own import LESSON, STEP, WORDS
from pages.server import compat
from pages.server.document import Document
from pages.server.limits import bind_uploads
from pages.server.middleware import owner_of
from pages.server.saver import SAVER
from pages.server.workspace import HUB, Workspace
from study.link import from_link, to_link

TRAIN = "train"  # in a link: train at once
POINT, ASK = "point", "ask"  # in a link to Understand: the pinned row, the question
EXPERIMENT = "experiment"  # in a link to Experiments
_OF_THE_SCREEN = ("present", "tab", POINT, ASK, EXPERIMENT)
_NOT_OF_THE_RECIPE = (TRAIN, LESSON, STEP, WORDS, *_OF_THE_SCREEN)
_WORKSPACE = "session.workspace"
_ID = "session.id"
_TRAINING_REQUESTED = "session.training_requested"
_FINDING = [threading.Lock() for _ in range(64)]  # by the owner's cookie
_NEW = "session.new"  # the address has not been read yet


def workspace() -> Workspace:
    """Workspace of Explore: the session's own, or the one that a reload left behind."""
    return _with_link(_first())


def second_workspace() -> Workspace:
    """Workspace of Compare, with its own recipe, runs and scene and the session's data."""
    first = _first()
    return _with_link(first.second or HUB.open_second(first))


def lesson_workspace() -> Workspace:
    """Workspace of the lessons, which leave Explore as it is; lessons read the address themselves."""
    first = _first(of_lessons=True)
    st.session_state.pop(_NEW, None)
    return first.lessons or HUB.open_lessons(first)


def recipe_in_the_address() -> dict[str, str]:
    """Parameters of the address that describe a recipe."""
    return {name: text for name, text in st.query_params.to_dict().items() if name not in _NOT_OF_THE_RECIPE}


def write_lesson_link(lesson: Mapping[str, str]) -> None:
    _write(lesson, ("present",))


def write_link(space: Workspace) -> None:
    _write(to_link(space.document.recipe), _OF_THE_SCREEN)


def _write(link: Mapping[str, str], kept: tuple[str, ...]) -> None:
    there = st.query_params.to_dict()
    wanted = {**link, **{name: there[name] for name in kept if name in there}}
    if there != wanted:
        st.query_params.from_dict(wanted)


def _first(of_lessons: bool = False) -> Workspace:
    """The session's workspace of Explore; the other pages' belong to it."""
    session_id, lives, owner = st.session_state.setdefault(_ID, secrets.token_hex(16)), _session_lives(), browser()
    bind_uploads(compat.session_id(), owner)
    held: Workspace | None = st.session_state.get(_WORKSPACE)
    if held is None:
        held = found(owner, recipe_in_the_address(), session_id, lives, of_lessons)
        st.session_state[_NEW] = True
    elif HUB.find(held.token) is not held or not held.belongs_to(owner) or not held.attach_session(session_id, lives):
        # Another with the settings of the one that the session has lost; data stay with their owner.
        gone, held = held, HUB.open(owner)
        held.document = gone.document.beside() if gone.belongs_to(owner) else Document(recipe=gone.document.recipe)
        if HUB.find(gone.token) is gone and gone.trains:
            held.elsewhere = gone.token
        held.attach_session(session_id, lives)
    st.session_state[_WORKSPACE] = held
    return held


def found(
    owner: str, link: Mapping[str, str], session_id: str, lives: Callable[[], bool], of_lessons: bool = False
) -> Workspace:
    """Restore the browser's workspace from memory or store, or open one; the session holds it.

    Overlapping runs of a page wait for one another here; the second would find nothing.
    """
    with _FINDING[hash(owner) % len(_FINDING)]:
        SAVER.drop_claimed(owner)
        held = None
        for wanted in (None, link) if of_lessons else (link,):
            for there in (HUB, SAVER):
                held = held or there.restore(owner, wanted, session_id, lives)
        if held is None:
            held = HUB.open(owner)
            held.attach_session(session_id, lives)
        if link and not held.trains and (other := HUB.trained(owner, link, held)) is not None:
            held.elsewhere = other.token
        return held


def trained_elsewhere(space: Workspace) -> Workspace | None:
    """Workspace of another tab of the browser that trained what this page shows untrained.

    That tab held it when this one was opened: it is still open, or its lost connection is not noticed yet.
    """
    first = space.first
    other = HUB.find(first.elsewhere) if first.elsewhere else None
    if other is None or first.trains or not other.belongs_to(browser()):
        return None
    there = other if space is first else other.second if space is first.second else None
    return other if there is not None and there.runs and there.shows(to_link(space.document.recipe)) else None


def take_over(other: Workspace) -> None:
    """Take over a workspace of the same browser.

    The session's previous one is kept like a closed tab's; the tab that loses its workspace opens another.
    """
    before: Workspace | None = st.session_state.get(_WORKSPACE)
    if HUB.find(other.token) is not other or not other.belongs_to(browser()):
        return
    session_id = st.session_state[_ID]
    other.attach_session(session_id, _session_lives(), take=True)
    st.session_state[_WORKSPACE] = other
    if before is not None and before is not other:
        before.release_session(session_id)


def browser() -> str:
    return owner_of(st.context.cookies)


def _session_lives() -> Callable[[], bool]:
    return partial(compat.session_lives, compat.session_id())


def _with_link(space: Workspace) -> Workspace:
    """The workspace, with the recipe in the address applied, unless that has been read before."""
    if not st.session_state.pop(_NEW, False):
        return space
    if st.query_params.get(TRAIN) == "1":
        st.session_state[_TRAINING_REQUESTED] = True
    if link := recipe_in_the_address():
        own, decoded = space.document, from_link(link)
        if own.past:
            own.change(decoded.recipe)
        else:  # nothing to undo
            own.recipe = decoded.recipe
        own.problems = decoded.problems
        if own.key_of(own.recipe.data) is None:  # another tab of the browser may have the table
            for other in HUB.of(space.owner):
                if (key := other.document.key_of(own.recipe.data)) is not None:
                    own.keep_data(key, other.document.own_data[key])
                    break
    return space


def training_requested() -> bool:
    """Whether the opened link requests a training; true once."""
    return bool(st.session_state.pop(_TRAINING_REQUESTED, False))
