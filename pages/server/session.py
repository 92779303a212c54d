"""The session's workspace, and the address: what a link says is taken into the recipe, and the recipe into the address.

A link carries settings only. A workspace belongs to the browser that it was made for, told by its cookie, and outlives
a reload of the tab: the new session of the same browser finds it by the settings in the address. Only one living
session holds a workspace; a link opened elsewhere, or while it is held, starts its own workspace with these settings.
"""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable, Mapping
from urllib.parse import urlencode

import streamlit as st

from lessons.base.own import LESSON, STEP, WORDS
from pages.server.compat import run_context, session_lives
from pages.server.document import Document
from pages.server.middleware import owner_of
from pages.server.saver import SAVER
from pages.server.workspace import HUB, Workspace
from study.link import from_link, to_link

_TOKEN = "run"  # in links of earlier versions, where it was a key to the data
TRAIN = "train"  # in a link: begin to train at once
POINT, ASK = "point", "ask"  # in a link to the page of questions: the row that is pinned, the question
EXPERIMENT = "experiment"  # in a link to the experiments: which one
_OF_THE_SCREEN = ("present", "tab", POINT, ASK, EXPERIMENT)
_NOT_OF_THE_RECIPE = (_TOKEN, TRAIN, LESSON, STEP, WORDS, *_OF_THE_SCREEN)
_WORKSPACE = "session.workspace"
_ID = "session.id"
_TRAIN_ASKED = "session.train_asked"
_FINDING = [threading.Lock() for _ in range(64)]  # by the owner's cookie
_NEW = "session.new"  # what the address says has not been taken yet


def workspace() -> Workspace:
    """This session's workspace: its own, or the one that a reload left behind."""
    held = _first()
    if st.session_state.pop(_NEW, False):
        _take_link(held)
    return held


def second_workspace() -> Workspace:
    """The one of the page of comparisons: its recipe, runs and scene are its own, the data are the session's."""
    first = _first()
    held = first.second
    if held is None or HUB.find(held.token) is None:
        held = HUB.open_second(first)
    held.attach_session(st.session_state[_ID], _session_lives())
    if st.session_state.pop(_NEW, False):
        _take_link(held)
    return held


def lesson_workspace() -> Workspace:
    """The one of the lessons: its recipe, runs and scene are its own, so that Explore stays as it was left.

    What an address says of a recipe here belongs to a lesson, which reads it itself.
    """
    first = _first(of_lessons=True)
    held = first.lessons
    if held is None or HUB.find(held.token) is None:
        held = HUB.open_lessons(first)
    held.attach_session(st.session_state[_ID], _session_lives())
    st.session_state.pop(_NEW, None)
    return held


def recipe_in_the_address() -> dict[str, str]:
    """The names and texts of the address that describe a recipe."""
    return {name: text for name, text in st.query_params.to_dict().items() if name not in _NOT_OF_THE_RECIPE}


def write_lesson_link(lesson: Mapping[str, str]) -> None:
    """Let the address name a lesson."""
    there = st.query_params.to_dict()
    kept = {name: there[name] for name in ("present",) if name in there}
    wanted = {**lesson, **kept}
    if there != wanted:
        st.query_params.from_dict(wanted)


def _first(of_lessons: bool = False) -> Workspace:
    session_id, lives, owner = st.session_state.setdefault(_ID, secrets.token_hex(16)), _session_lives(), browser()
    held: Workspace | None = st.session_state.get(_WORKSPACE)
    if held is None:
        held = found(owner, recipe_in_the_address(), session_id, lives, of_lessons)
        st.session_state[_NEW] = True
    elif HUB.find(held.token) is not held or not held.belongs_to(owner) or not held.attach_session(session_id, lives):
        held = _another(held, owner)
    st.session_state[_WORKSPACE] = held
    held.attach_session(session_id, lives)
    for each in held.of_the_tab():  # trainings go on while another page is looked at
        each.attach_session(session_id, lives)
    return held


def found(
    owner: str, link: Mapping[str, str], session_id: str, lives: Callable[[], bool], of_lessons: bool = False
) -> Workspace:
    """What the browser had, in the server's memory or in its store, else a new workspace; held by the session.

    A page that is asked for again while it is run is run a second time at once: the second run waits for what the
    first one finds, or it would find nothing.
    """
    with _FINDING[hash(owner) % len(_FINDING)]:
        SAVER.drop_claimed(owner)
        held = None
        for wanted in (None, link) if of_lessons else (link,):
            for restores in (HUB, SAVER):
                held = held or restores.take_up(owner, wanted, session_id, lives)
        if held is None:
            held = HUB.open(owner)
            held.attach_session(session_id, lives)
        if link and not held.trains and (other := HUB.trained(owner, link, held)) is not None:
            held.elsewhere = other.token
        return held


def trained_elsewhere(space: Workspace) -> Workspace | None:
    """The workspace of another tab of the browser that has a training of what this page shows and has not trained.

    That tab held it when this one was opened: it works there still, or its line was cut and nobody has noticed yet.
    """
    first = space.first
    other = HUB.find(first.elsewhere) if first.elsewhere else None
    if other is None or first.trains or not other.belongs_to(browser()):
        return None
    there = other if space is first else other.second if space is first.second else None
    return other if there is not None and there.runs and there.shows(to_link(space.document.recipe)) else None


def bring_here(other: Workspace) -> None:
    """Let this session hold a workspace of the same browser. What it held before is kept as that of a tab that was
    closed; the tab that held the other one begins anew."""
    before: Workspace | None = st.session_state.get(_WORKSPACE)
    if HUB.find(other.token) is not other or not other.belongs_to(browser()):
        return
    session_id, lives = st.session_state[_ID], _session_lives()
    for each in other.of_the_tab():
        each.take_from_another(session_id, lives)
    st.session_state[_WORKSPACE] = other
    for each in before.of_the_tab() if before is not None and before is not other else ():
        each.release_session(session_id)


def _another(gone: Workspace, owner: str) -> Workspace:
    """A workspace with Explore's settings of one that this session may not use any more; the data come along to their
    owner."""
    space = HUB.open(owner)
    space.document = gone.document.beside() if gone.belongs_to(owner) else Document(recipe=gone.document.recipe)
    if HUB.find(gone.token) is gone and gone.trains:
        space.elsewhere = gone.token
    return space


def browser() -> str:
    """What the cookie says of the browser that looks at the page."""
    return owner_of(st.context.cookies)


def _session_lives() -> Callable[[], bool]:
    """Whether this session still has a browser; another one that clears Streamlit's caches does not change that."""
    session_id, _ = run_context()
    return lambda: session_lives(session_id)


def _take_link(space: Workspace) -> None:
    """The recipe that the address names, where it names one."""
    if st.query_params.get(TRAIN) == "1":
        st.session_state[_TRAIN_ASKED] = True
    if link := recipe_in_the_address():
        own, decoded = space.document, from_link(link)
        if own.past:
            own.change(decoded.recipe)
        else:  # nothing was there before that one would want back
            own.recipe = decoded.recipe
        own.problems = decoded.problems
        if own.key_of(own.recipe.data) is None:
            _bring_own_table(space)


def _bring_own_table(space: Workspace) -> None:
    """The table that the recipe names, where another tab of the same browser has it."""
    for other in HUB.of(space.owner):
        key = other.document.key_of(space.document.recipe.data)
        if key is not None:
            space.document.keep_data(key, other.document.own_data[key])
            return


def train_asked() -> bool:
    """Whether the link that was opened asks for a training; true once."""
    return bool(st.session_state.pop(_TRAIN_ASKED, False))


def link_that_trains(space: Workspace) -> str:
    """A link to the recipe, in whoever's hands: it begins to train where it is opened."""
    return f"{st.context.url or ''}?{urlencode({**to_link(space.document.recipe), TRAIN: '1'})}"


def write_link(space: Workspace) -> None:
    """Let the address name the recipe, so that it is a link to what is shown."""
    there = st.query_params.to_dict()
    kept = {name: there[name] for name in _OF_THE_SCREEN if name in there}
    wanted = {**to_link(space.document.recipe), **kept}
    if there != wanted:
        st.query_params.from_dict(wanted)
