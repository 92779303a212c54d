"""The session's state in one place: its workspace, the data sets it brought along, what was prepared from them.

A workspace outlives a reload of the tab: its token stands in the address, so the new session finds the settings,
the prepared data and the trained trajectory again. Only one living session holds a workspace; a link opened
elsewhere while it is held starts its own workspace with the same settings.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import Any

import streamlit as st

from datasets.dataset import Dataset
from datasets.preparation import PreparationConfig, Prepared, prepare
from nca_core.run import TrainingRun
from nca_core.training import TrainingConfig
from pages.server.hub import HUB
from pages.server.workspace import Workspace

TOKEN = "run"
_WORKSPACE = "session.workspace"
_ID = "session.id"


@dataclass(frozen=True)
class StartedRun:
    """A run with the settings it was started with, so that the page can say when they differ from the widgets'."""

    run: TrainingRun
    config: TrainingConfig
    scene_key: tuple[Any, ...]


def workspace() -> Workspace:
    """This session's workspace: its own, or the one that a reload left behind."""
    session_id = st.session_state.setdefault(_ID, secrets.token_hex(16))
    held: Workspace | None = st.session_state.get(_WORKSPACE)
    if held is None:
        token = st.query_params.get(TOKEN)
        held = (HUB.adopt(token, session_id) if token else None) or HUB.open()
        st.session_state[_WORKSPACE] = held
    _hold(session_id, held.token)
    if st.query_params.get(TOKEN) != held.token:
        st.query_params[TOKEN] = held.token
    return held


@st.cache_resource(scope="session", show_spinner=False, on_release=lambda release: release())
def _hold(session_id: str, token: str) -> Any:
    """Attach the session to the workspace until Streamlit lets the session go."""
    held: Workspace = st.session_state[_WORKSPACE]
    held.attach_session(session_id)
    return lambda: held.release_session(session_id)


def own_data(space: Workspace) -> dict[str, Dataset]:
    """The data sets that this session brought along (uploads, drawings), by their key."""
    return space.saved.setdefault("own_data", {})


def keep_data(space: Workspace, key: str, dataset: Dataset) -> None:
    """Add one of the user's own data sets; the oldest goes when there are more than eight."""
    kept = own_data(space)
    kept.pop(key, None)
    kept[key] = dataset
    while len(kept) > 8:
        kept.pop(next(iter(kept)))


def prepared(space: Workspace, dataset: Dataset, config: PreparationConfig) -> Prepared:
    """`dataset` prepared as `config` says; the last few are kept so that a rerun costs nothing."""
    kept: dict[Any, tuple[Dataset, Prepared]] = space.saved.setdefault("prepared", {})
    key = (id(dataset), config)
    found = kept.get(key)
    if found is None or found[0] is not dataset:
        kept[key] = found = (dataset, prepare(dataset, config))
        while len(kept) > 4:
            kept.pop(next(iter(kept)))
    return found[1]


def remembered(space: Workspace, name: str, key: Any, make: Any) -> Any:
    """The value of `make()` for `key`; one value a name is kept."""
    kept = space.saved.setdefault("remembered", {})
    if name not in kept or kept[name][0] != key:
        kept[name] = (key, make())
    return kept[name][1]


def started_run(space: Workspace) -> StartedRun | None:
    return space.saved.get("started_run")


def set_started_run(space: Workspace, started: StartedRun | None) -> None:
    """Make `started` the run that the stage shows; the one before it is stopped first."""
    space.set_run("nca", None if started is None else started.run)
    space.saved["started_run"] = started
