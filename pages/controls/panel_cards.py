"""Compare's panels: presets, a card for each panel, and panels made from others."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import Any

import streamlit as st

from datasets.base.dataset import Dataset
from nca_core.methods import METHODS
from pages.controls.recipe_widgets import bind, change, select_box
from pages.controls.settings import SETTINGS_OF
from pages.controls.shell import attempt, show_failure
from pages.server import trainings
from pages.server.workspace import Workspace
from pages.views.notes import card_line
from stage.plain_text import as_text
from study.compare import Comparison
from study.fitting import FittedPanel
from study.panel import PanelRecipe
from study.panel_changes import added, branched, duplicated, moved, removed, renamed, with_other_seed, with_twin
from study.presets import PRESETS
from study.recipe import MOST_PANELS, Recipe

_REFUSED = "compare.refused"


def panel_cards(space: Workspace, comparison: Comparison) -> None:
    show_failure(_REFUSED)
    for compared in comparison.panels:
        with st.container(border=True, gap="xsmall", key=f"compare.card.{compared.key}"):
            _card(space, comparison, compared)
    _add_panel(space)


def _card(space: Workspace, comparison: Comparison, compared: FittedPanel) -> None:
    panel, keys = compared.recipe, {panel.key for panel in space.document.recipe.panels}
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(f"**{as_text(panel.shown_title)}**", width="stretch", help=panel.method.description)
        if compared.trains:
            _own_training(space, panel.key, comparison.dataset)
        with st.popover("⋮", key=f"compare.menu.{panel.key}", help="Rename, copy, move, remove"):
            _menu(space, panel, trains=compared.config is not None)
    if line := card_line(comparison.recipe, panel):
        st.caption(as_text(line))
    if panel.key in keys and trainings.changed(space, space.document.recipe.panel(panel.key)):
        st.caption("Its settings have changed: ▶ uses them.")
    if compared.problem:
        st.caption(as_text(compared.problem) if compared.waits else f"⚠ {as_text(compared.problem)}")


def _own_training(space: Workspace, key: str, dataset: Dataset) -> None:
    held = space.runs.get(key)
    state = held.run.state if held is not None else ""
    if held is not None and state in ("running", "waiting"):
        st.button("❚❚", key=f"compare.pause.{key}", on_click=held.run.pause, help="Pause only this panel.")
    elif held is not None and state == "paused":
        st.button("▶", key=f"compare.resume.{key}", on_click=held.run.resume, help="Resume only this panel.")
    else:
        train = partial(trainings.train, space, dataset, key)
        st.button("▶", key=f"compare.train.{key}", on_click=train, help="Train only this panel, from its start.")


def _menu(space: Workspace, panel: PanelRecipe, trains: bool) -> None:
    key = panel.key
    rename = lambda name: change_panels(space, lambda now: renamed(now, key, name))  # noqa: E731
    bound = bind(f"compare.name.{key}", panel.title, rename)
    look: Any = {"max_chars": 60, "placeholder": f"Name: {panel.method.title}", "label_visibility": "collapsed"}
    st.text_input("Name", **bound, **look)

    def press(label: str, act: Callable[[], None], name: str = "", help: str | None = None) -> None:
        st.button(label, key=f"compare.{name or label}.{key}", on_click=act, help=help, width="stretch")

    def action(label: str, change: Callable[[Recipe], Recipe], help: str | None = None) -> None:
        press(label, partial(change_panels, space, change), help=help)

    row = partial(st.container, horizontal=True, gap="xsmall")
    with row():
        if panel.method.settings:
            press("Settings", partial(st.session_state.__setitem__, SETTINGS_OF, key), help="Shown below the cards.")
        if trains:
            press("Back to its start", partial(trainings.reset, space, key), "back")
    with row():
        action("Duplicate", lambda now: duplicated(now, key))
        noise = "The same method and rows with shuffled labels: whatever it finds is noise."
        action("Shuffled twin", lambda now: with_twin(now, key), noise)
    with row():
        action("Move up", lambda now: moved(now, key, -1))
        action("Move down", lambda now: moved(now, key, 1))
    action("Remove", lambda now: removed(now, key))


def _select_once(label: str, titles: Mapping[str, str], key: str, put: Callable[[str], None], **look: Any) -> None:
    """A select box that passes a key of `titles` to `put` and is empty again."""

    def chosen() -> None:
        if (one := st.session_state[key]) is not None:
            put(one)

    st.session_state[key] = None
    look = {"label_visibility": "collapsed", "filter_mode": "fuzzy", **look}
    select_box(label, titles, key=key, on_change=chosen, **look)


def _add_panel(space: Workspace) -> None:
    full = len(space.document.recipe.panels) >= MOST_PANELS
    titles = {key: method.title for key, method in METHODS.items()}
    words = f"At most {MOST_PANELS} panels" if full else "Add a panel …"
    about = " ".join(f"{method.title}: {method.description}" for method in METHODS.values())

    def put(method: str) -> None:
        change_panels(space, lambda now: added(now, method))

    _select_once("Add a panel", titles, "compare.add", put, placeholder=words, disabled=full, help=about)


def change_panels(space: Workspace, make: Callable[[Recipe], Recipe]) -> None:
    """Change the recipe; an error is shown at the next rerun."""
    with suppress(KeyError):  # the panel was removed: the button was pressed twice
        attempt(_REFUSED, change, space, make)


def choose_preset(space: Workspace) -> None:
    def put(key: str) -> None:
        change(space, PRESETS[key].on)
        for panel in space.document.recipe.panels:
            if trainings.changed(space, panel):
                trainings.reset(space, panel.key)  # no old picture below a new name

    titles = {key: preset.title for key, preset in PRESETS.items()}
    about = " ".join(f"{preset.title}: {preset.question}" for preset in PRESETS.values())
    about = f"Replaces the panels below; Undo restores them. {about}"
    _select_once("Begin with", titles, "compare.preset", put, placeholder="Begin with …", help=about)


def time_machine(space: Workspace, dataset: Dataset) -> Callable[[str, str, int], None]:
    """A callback for `live_stage` that makes a new panel from one on the stage.

    A branch and a copy wait for other settings; a replay with another seed trains at once.
    """

    def act(key: str, what: str, iteration: int) -> None:
        before = {panel.key for panel in space.document.recipe.panels}
        if key not in before:
            return  # it was removed meanwhile
        if what == "branch":
            change_panels(space, lambda now: branched(now, key, iteration))
        else:
            change_panels(space, lambda now: (duplicated if what == "again" else with_other_seed)(now, key))
        for panel in space.document.recipe.panels:
            if panel.key not in before:
                st.session_state[SETTINGS_OF] = panel.key
                if what not in ("branch", "again"):
                    trainings.train(space, dataset, panel.key)

    return act
