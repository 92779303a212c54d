"""The session's workspace, and the address: what a link says is taken into the recipe, and the recipe into the address.

A workspace outlives a reload of the tab: its token stands in the address, so the new session finds the settings,
the prepared data and the trained trajectories again. Only one living session holds a workspace; a link opened
elsewhere while it is held starts its own workspace with the same settings.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

import streamlit as st

from pages.server.hub import HUB
from pages.server.workspace import Workspace
from study.link import from_link, to_link

TOKEN = "run"
TRAIN = "train"  # in a link: begin to train at once
POINT, ASK = "point", "ask"  # in a link to the page of questions: the row that is pinned, the question
LESSON, STEP, WORDS = "lesson", "step", "words"  # in a link to a lesson: which one, where, what its teacher wrote
_OF_THE_SCREEN = ("present", POINT, ASK)
_NOT_OF_THE_RECIPE = (TOKEN, TRAIN, "tab", LESSON, STEP, WORDS, *_OF_THE_SCREEN)
_WORKSPACE = "session.workspace"
_ID = "session.id"
_TRAIN_ASKED = "session.train_asked"
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
    _hold(st.session_state[_ID], held.token)
    if st.session_state.pop(_NEW, False):
        _take_link(held)
    return held


def lesson_workspace() -> Workspace:
    """The one of the lessons: its recipe, runs and scene are its own, so that Explore stays as it was left.

    What an address says of a recipe here belongs to a lesson, which reads it itself.
    """
    first = _first()
    held = first.lessons
    if held is None or HUB.find(held.token) is None:
        held = HUB.open_lessons(first)
    _hold(st.session_state[_ID], held.token)
    st.session_state.pop(_NEW, None)
    return held


def recipe_in_the_address() -> dict[str, str]:
    """The names and texts of the address that describe a recipe."""
    return {name: text for name, text in st.query_params.to_dict().items() if name not in _NOT_OF_THE_RECIPE}


def write_lesson_link(space: Workspace, lesson: Mapping[str, str]) -> None:
    """Let the address name a lesson."""
    there = st.query_params.to_dict()
    kept = {name: there[name] for name in ("present",) if name in there}
    wanted = {**lesson, **kept, TOKEN: space.first.token}
    if there != wanted:
        st.query_params.from_dict(wanted)


def _first() -> Workspace:
    session_id = st.session_state.setdefault(_ID, secrets.token_hex(16))
    held: Workspace | None = st.session_state.get(_WORKSPACE)
    if held is None:
        token = st.query_params.get(TOKEN)
        held = (HUB.adopt(token, session_id) if token else None) or HUB.open()
        st.session_state[_WORKSPACE] = held
        st.session_state[_NEW] = True
    _hold(session_id, held.token)
    for other in (held.second, held.lessons):  # their trainings go on while another page is looked at
        if other is not None:
            _hold(session_id, other.token)
    if st.query_params.get(TOKEN) != held.token:
        st.query_params[TOKEN] = held.token
    return held


@st.cache_resource(scope="session", show_spinner=False, on_release=lambda release: release())
def _hold(session_id: str, token: str) -> Any:
    """Attach the session to a workspace of its own until Streamlit lets the session go."""
    first: Workspace = st.session_state[_WORKSPACE]
    held = next(space for space in (first, first.second, first.lessons) if space is not None and space.token == token)
    held.attach_session(session_id)
    return lambda: held.release_session(session_id)


def _take_link(space: Workspace) -> None:
    """The recipe that the address names, where it names one."""
    if st.query_params.get(TRAIN) == "1":
        st.session_state[_TRAIN_ASKED] = True
    link = recipe_in_the_address()
    if link:
        decoded = from_link(link)
        if space.belongings.past:
            space.belongings.change(decoded.recipe)
        else:  # nothing was there before that one would want back
            space.belongings.recipe = decoded.recipe
        space.belongings.problems = decoded.problems


def train_asked() -> bool:
    """Whether the link that was opened asks for a training; true once."""
    return bool(st.session_state.pop(_TRAIN_ASKED, False))


def link_that_trains(space: Workspace) -> str:
    """A link to the recipe, in whoever's hands: it begins to train where it is opened."""
    return f"{st.context.url or ''}?{urlencode({**to_link(space.belongings.recipe), TRAIN: '1'})}"


def write_link(space: Workspace) -> None:
    """Let the address name the recipe, so that it is a link to what is shown."""
    there = st.query_params.to_dict()
    kept = {name: there[name] for name in _OF_THE_SCREEN if name in there}
    wanted = {**to_link(space.belongings.recipe), **kept, TOKEN: space.first.token}
    if there != wanted:
        st.query_params.from_dict(wanted)
