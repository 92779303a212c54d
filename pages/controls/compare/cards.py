"""A card for each panel: what it is, its own training, and what can be done with it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from datasets.base.dataset import Dataset
from nca_core.methods import METHODS
from pages.controls.base.bound import bound
from pages.controls.compare.panel_change import change_panels, show_refused
from pages.controls.recipe.training import SETTINGS_OF
from pages.server import trainings
from pages.server.workspace import Workspace
from pages.text.plain_text import as_text
from pages.views.family_tree import family_tree
from pages.views.panel_card import card_line
from study.compare import Comparison
from study.fitting import Compared
from study.panel import PanelRecipe
from study.panel_changes import added, duplicated, moved, removed, renamed, with_twin
from study.recipe import MOST_PANELS, Recipe

_ADD = "compare.add"
_SETTINGS = "They stand below the cards, on the left."


def panel_cards(space: Workspace, comparison: Comparison, dataset: Dataset) -> None:
    """The cards in the order of the panels, and one more panel to add."""
    show_refused()
    for compared in comparison.panels:
        with st.container(border=True, gap="xsmall", key=f"compare.card.{compared.key}"):
            _card(space, comparison.recipe, compared, dataset)
    _add_panel(space)
    if tree := family_tree(comparison.recipe):
        st.caption("What came from what")
        st.markdown(tree)


def _card(space: Workspace, recipe: Recipe, compared: Compared, dataset: Dataset) -> None:
    panel, keys = compared.recipe, {panel.key for panel in space.belongings.recipe.panels}
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(f"**{as_text(panel.shown_title)}**", width="stretch", help=panel.method.description)
        if compared.trains:
            _own_training(space, panel.key, dataset)
        with st.popover("⋮", key=f"compare.menu.{panel.key}", help="Rename, copy, move, remove"):
            _menu(space, panel, trains=compared.config is not None)
    if line := card_line(recipe, panel):
        st.caption(as_text(line))
    if panel.key in keys and trainings.changed(space, space.belongings.recipe.panel(panel.key)):
        st.caption("Its settings have changed since this training: ▶ uses them.")
    if compared.problem:
        st.caption(as_text(compared.problem) if compared.waits else f"⚠ {as_text(compared.problem)}")


def _own_training(space: Workspace, key: str, dataset: Dataset) -> None:
    """Train this panel alone; hold it, or let it go on."""
    held = space.runs.get(key)
    state = held.run.state if held is not None else ""
    if held is not None and state in ("running", "waiting"):
        st.button("❚❚", key=f"compare.pause.{key}", on_click=held.run.pause, help="Hold this panel alone.")
    elif held is not None and state == "paused":
        st.button("▶", key=f"compare.resume.{key}", on_click=held.run.resume, help="Let this panel go on.")
    else:
        act = partial(trainings.train, space, dataset, key)
        st.button("▶", key=f"compare.train.{key}", on_click=act, help="Train this panel alone, from its start.")


def _menu(space: Workspace, panel: PanelRecipe, trains: bool) -> None:
    key = panel.key
    st.text_input(
        "Name",
        **bound(
            f"compare.name.{key}", panel.title, lambda said: change_panels(space, lambda now: renamed(now, key, said))
        ),
        max_chars=60,
        placeholder=f"Name: {panel.method.title}",
        label_visibility="collapsed",
    )

    def action(label: str, change: Callable[[Recipe], Recipe], help: str = "") -> None:
        act = partial(change_panels, space, change)
        st.button(label, key=f"compare.{label}.{key}", on_click=act, help=help or None, width="stretch")

    def row() -> DeltaGenerator:
        return st.container(horizontal=True, gap="xsmall")

    with row():
        if panel.method.settings:
            show = partial(st.session_state.__setitem__, SETTINGS_OF, key)
            st.button("Settings", key=f"compare.Settings.{key}", on_click=show, width="stretch", help=_SETTINGS)
        if trains:
            back = partial(trainings.reset, space, key)
            st.button("Back to its start", key=f"compare.back.{key}", on_click=back, width="stretch")
    with row():
        action("Duplicate", lambda now: duplicated(now, key))
        action(
            "Shuffled twin",
            lambda now: with_twin(now, key),
            "The same method on the same rows, with the labels dealt at random: what it finds then is found in noise.",
        )
    with row():
        action("Move up", lambda now: moved(now, key, -1))
        action("Move down", lambda now: moved(now, key, 1))
    action("Remove", lambda now: removed(now, key))


def _add_panel(space: Workspace) -> None:
    full = len(space.belongings.recipe.panels) >= MOST_PANELS
    st.session_state[_ADD] = None

    def put() -> None:
        if (method := st.session_state[_ADD]) is not None:
            change_panels(space, lambda now: added(now, method))

    st.selectbox(
        "Add a panel",
        list(METHODS),
        format_func=lambda key: METHODS[key].title if key in METHODS else str(key),
        key=_ADD,
        on_change=put,
        placeholder=f"{MOST_PANELS} are there" if full else "Add a panel …",
        label_visibility="collapsed",
        disabled=full,
        help=" ".join(f"{method.title}: {method.description}" for method in METHODS.values()),
    )
