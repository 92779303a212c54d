"""Compare's panels: presets, a card for each panel, and panels made from others."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from datasets.base.dataset import Dataset
from nca_core.methods import METHODS
from pages.controls.messages import show_error
from pages.controls.recipe_widgets import bind, change
from pages.controls.training import SETTINGS_OF
from pages.server import trainings
from pages.server.workspace import Workspace
from pages.views.recipe import card_line, family_tree
from stage.plain_text import as_text
from study.compare import Comparison
from study.fitting import FittedPanel
from study.panel import PanelRecipe
from study.panel_changes import added, branched, duplicated, moved, removed, renamed, with_other_seed, with_twin
from study.presets import PRESETS
from study.recipe import MOST_PANELS, Recipe

_ADD, _REFUSED = "compare.add", "compare.refused"
_SETTINGS = "Shown below the cards."


def panel_cards(space: Workspace, comparison: Comparison, dataset: Dataset) -> None:
    """A card for each panel, and a select box that adds one."""
    if refused := st.session_state.pop(_REFUSED, ""):
        show_error(ValueError(refused))
    for compared in comparison.panels:
        with st.container(border=True, gap="xsmall", key=f"compare.card.{compared.key}"):
            _card(space, comparison.recipe, compared, dataset)
    _add_panel(space)
    if tree := family_tree(comparison.recipe):
        st.caption("Origin of the panels")
        st.markdown(tree)


def _card(space: Workspace, recipe: Recipe, compared: FittedPanel, dataset: Dataset) -> None:
    panel, keys = compared.recipe, {panel.key for panel in space.document.recipe.panels}
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(f"**{as_text(panel.shown_title)}**", width="stretch", help=panel.method.description)
        if compared.trains:
            _own_training(space, panel.key, dataset)
        with st.popover("⋮", key=f"compare.menu.{panel.key}", help="Rename, copy, move, remove"):
            _menu(space, panel, trains=compared.config is not None)
    if line := card_line(recipe, panel):
        st.caption(as_text(line))
    if panel.key in keys and trainings.changed(space, space.document.recipe.panel(panel.key)):
        st.caption("Its settings have changed: ▶ uses them.")
    if compared.problem:
        st.caption(as_text(compared.problem) if compared.waits else f"⚠ {as_text(compared.problem)}")


def _own_training(space: Workspace, key: str, dataset: Dataset) -> None:
    """A button that trains, pauses or resumes this panel alone."""
    held = space.runs.get(key)
    state = held.run.state if held is not None else ""
    if held is not None and state in ("running", "waiting"):
        st.button("❚❚", key=f"compare.pause.{key}", on_click=held.run.pause, help="Pause only this panel.")
    elif held is not None and state == "paused":
        st.button("▶", key=f"compare.resume.{key}", on_click=held.run.resume, help="Resume only this panel.")
    else:
        act = partial(trainings.train, space, dataset, key)
        st.button("▶", key=f"compare.train.{key}", on_click=act, help="Train only this panel, from its start.")


def _menu(space: Workspace, panel: PanelRecipe, trains: bool) -> None:
    key = panel.key
    st.text_input(
        "Name",
        **bind(
            f"compare.name.{key}", panel.title, lambda name: change_panels(space, lambda now: renamed(now, key, name))
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
            "The same method and rows with shuffled labels: whatever it finds is noise.",
        )
    with row():
        action("Move up", lambda now: moved(now, key, -1))
        action("Move down", lambda now: moved(now, key, 1))
    action("Remove", lambda now: removed(now, key))


def _add_panel(space: Workspace) -> None:
    full = len(space.document.recipe.panels) >= MOST_PANELS
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
        placeholder=f"At most {MOST_PANELS} panels" if full else "Add a panel …",
        label_visibility="collapsed",
        disabled=full,
        help=" ".join(f"{method.title}: {method.description}" for method in METHODS.values()),
    )


def change_panels(space: Workspace, make: Callable[[Recipe], Recipe]) -> None:
    """Change the recipe; an error is shown at the next rerun."""
    try:
        space.document.change(make(space.document.recipe))
    except KeyError:  # the panel was removed: the button was pressed twice
        pass
    except ValueError as error:
        st.session_state[_REFUSED] = str(error)


_PRESET = "compare.preset"


def choose_preset(space: Workspace) -> None:
    """Replace the panels by those of a preset."""
    st.session_state[_PRESET] = None

    def put() -> None:
        if (key := st.session_state[_PRESET]) is not None:
            change(space, PRESETS[key].on)
            trainings.begin_anew(space)  # no old picture below a new name

    st.selectbox(
        "Begin with",
        list(PRESETS),
        format_func=lambda key: PRESETS[key].title if key in PRESETS else str(key),
        key=_PRESET,
        on_change=put,
        placeholder="Begin with …",
        label_visibility="collapsed",
        help="Replaces the panels below; Undo restores them. "
        + " ".join(f"{preset.title}: {preset.question}" for preset in PRESETS.values()),
    )


def time_machine(space: Workspace, dataset: Dataset) -> Callable[[str, str, int], None]:
    """A callback for `live_stage` that makes a new panel from one on the stage.

    A branch and a copy wait for other settings; a replay with another seed trains at once.
    """

    changes = {"branch": branched, "again": lambda now, key, _: duplicated(now, key)}

    def act(key: str, what: str, iteration: int) -> None:
        before = {panel.key for panel in space.document.recipe.panels}
        if key not in before:
            return  # it was removed meanwhile
        make = changes.get(what, lambda now, key, _: with_other_seed(now, key))
        change_panels(space, lambda now: make(now, key, iteration))
        for panel in space.document.recipe.panels:
            if panel.key not in before:
                st.session_state[SETTINGS_OF] = panel.key
                if what not in changes:
                    trainings.train(space, dataset, panel.key)

    return act
