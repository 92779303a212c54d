"""Which projections stand side by side: any method of the registry, those that train as often as one likes."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from nca_core.methods import METHODS
from pages.controls.base.bound import bound
from pages.server.workspace import Workspace
from study.panel import PanelRecipe, free_key
from study.recipe import MOST_PANELS, Recipe
from study.seed import seed_of, with_seed

_REFUSED = "explore.panels_refused"


def choose_panels(space: Workspace) -> None:
    """The panels there are, each to be taken away, and those that may be added."""
    recipe = space.belongings.recipe
    there = {panel.key: panel.shown_title for panel in recipe.panels}
    offered = {key: PanelRecipe(key).shown_title for key in (free_key(m, set(there)) for m in METHODS)}
    again = {key for key in offered if "-" in key and METHODS[key.partition("-")[0]].kind != "trained"}
    titles = there | {key: title for key, title in offered.items() if key not in there and key not in again}
    st.multiselect(
        "Panels",
        list(titles),
        format_func=lambda key: titles.get(key, key),
        **bound("explore.panels", list(there), lambda said: _put(space, said)),
        max_selections=MOST_PANELS,
        filter_mode=None,
        help="What stands side by side. " + " ".join(f"{m.title}: {m.description}" for m in METHODS.values()),
    )
    if refused := st.session_state.pop(_REFUSED, ""):
        st.caption(refused)


def _put(space: Workspace, keys: list[str]) -> None:
    own = space.belongings
    try:
        own.change(_with_panels(own.recipe, keys))
    except ValueError as error:
        st.session_state[_REFUSED] = f"The panels stay as they were. {error}"


def _with_panels(recipe: Recipe, keys: list[str]) -> Recipe:
    """The recipe with these panels; one more of a method that trains begins as a copy of the last one."""
    there = {panel.key: panel for panel in recipe.panels}
    panels: list[PanelRecipe] = []
    for key in keys:
        alike = [panel for panel in recipe.panels if panel.method_key == PanelRecipe(key).method_key]
        panels.append(there.get(key) or (replace(alike[-1], key=key, title="") if alike else PanelRecipe(key)))
    seed, changed = seed_of(recipe), replace(recipe, panels=tuple(panels))
    return changed if seed is None else with_seed(changed, seed)
