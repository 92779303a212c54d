"""Panels, their settings and the seed."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import streamlit as st

from datasets.base.dataset import Dataset
from nca_core.methods import METHODS
from nca_core.methods.method import Setting
from pages.controls.preparation import choose_components, choose_rows
from pages.controls.recipe_widgets import bind, change, change_panel, domain_widget, recipe_field, select_key
from pages.server.workspace import Workspace
from pages.views.notes import how_it_was_summed
from pages.views.recipe import advanced_differences
from stage import wording
from stage.plain_text import as_text
from study.panel import FEATURES, LABELS, SEED, PanelRecipe, free_key
from study.recipe import MOST_PANELS, Recipe, common_seed, with_seed

SETTINGS_OF = "explore.settings_of"


def choose_training(space: Workspace, dataset: Dataset | None) -> PanelRecipe | None:
    """Dimensions and the settings of one panel; returns that panel, None where none has settings.

    With a numeric label the target similarity is a setting, too.
    """
    about = "Dimensions of the projections. In 3-D, drag a panel to rotate it."
    bound = recipe_field(space, "dimensions")
    st.segmented_control("Dimensions", [2, 3], required=True, format_func="{}-D".format, help=about, **bound)
    if not any(panel.method.kind == "trained" for panel in space.document.recipe.panels):
        st.caption("No panel here trains: add NCA.")
    panel, numeric = _chosen_panel(space), dataset is not None and dataset.target is not None
    if panel is not None:
        if panel.method.starts:
            _choose_start(space, panel)
        for setting in panel.method.settings:
            if not setting.advanced and (numeric or setting.key != "target_similarity"):
                _setting(space, panel, setting)
    return panel


def _chosen_panel(space: Workspace) -> PanelRecipe | None:
    """The panel whose settings are shown: a select box where there are several, trained panels first."""
    panels = space.document.recipe.panels
    found = [panel for panel in panels if panel.method.kind == "trained"]
    found += [panel for panel in panels if panel.method.kind != "trained" and panel.method.settings]
    if len(found) < 2:
        return found[0] if found else None
    key = select_key("Settings of", {panel.key: panel.shown_title for panel in found}, SETTINGS_OF, width="stretch")
    return next(panel for panel in found if panel.key == key)


def _choose_start(space: Workspace, panel: PanelRecipe) -> None:
    starts = list(dict.fromkeys([*panel.method.starts, panel.start_name]))  # a frame that a link names, too
    titles = {name: wording.INITIALISATIONS.get(name, name) for name in starts}
    about = f"{panel.method.title} starts here; different starts can reach different optima."
    bound = _panel_field(space, panel, "start", panel.start_name)
    st.selectbox("Start from", starts, filter_mode=None, format_func=titles.__getitem__, help=about, **bound)


def _setting(space: Workspace, panel: PanelRecipe, setting: Setting) -> None:
    def put(value: Any) -> None:
        change_panel(space, panel.key, lambda now: now.with_setting(setting.key, value))

    value = panel.all_settings()[setting.key]
    keywords = bind(f"explore.{panel.key}.{setting.key}", value, put)
    domain_widget(setting.title, setting.domain, **keywords, help=setting.help)


def _panel_field(space: Workspace, panel: PanelRecipe, name: str, value: Any) -> dict[str, Any]:
    """Keywords that bind a widget to the field `name` of a panel."""

    def put(entered: Any) -> None:
        change_panel(space, panel.key, lambda now: replace(now, **{name: entered}))

    return bind(f"explore.{panel.key}.{name}", value, put)


def choose_panels(space: Workspace) -> None:
    """The panels, each of which can be removed, and those that can be added."""
    recipe = space.document.recipe
    there = {panel.key: panel.shown_title for panel in recipe.panels}
    offered = {key: PanelRecipe(key).shown_title for key in (free_key(m, set(there)) for m in METHODS)}
    again = {key for key in offered if "-" in key and METHODS[key.partition("-")[0]].kind != "trained"}
    titles = there | {key: title for key, title in offered.items() if key not in there and key not in again}
    st.multiselect(
        "Panels",
        list(titles),
        format_func=lambda key: titles.get(key, key),
        **bind("explore.panels", list(there), lambda keys: change(space, lambda now: _with_panels(now, keys))),
        max_selections=MOST_PANELS,
        filter_mode=None,
        help="The projections shown side by side. " + " ".join(f"{m.title}: {m.description}" for m in METHODS.values()),
    )


def _with_panels(recipe: Recipe, keys: list[str]) -> Recipe:
    """The recipe with these panels; a second one of a trained method starts as a copy of the last."""
    there = {panel.key: panel for panel in recipe.panels}
    panels: list[PanelRecipe] = []
    for key in keys:
        alike = [panel for panel in recipe.panels if panel.method_key == PanelRecipe(key).method_key]
        panels.append(there.get(key) or (replace(alike[-1], key=key, title="") if alike else PanelRecipe(key)))
    seed, changed = common_seed(recipe), replace(recipe, panels=tuple(panels))
    return changed if seed is None else with_seed(changed, seed)


_OF_A_PANEL = (
    (
        "labels",
        "Labels it sees",
        LABELS,
        "Shuffled: the same labels in random order. Whatever a method finds then is noise.",
    ),
    (
        "features",
        "Features it is fed",
        FEATURES,
        "Another preparation of the same rows, or similarities to other rows instead of features. "
        "With similarities the projection can be nonlinear.",
    ),
)


def advanced(space: Workspace, dataset: Dataset | None, panel: PanelRecipe | None) -> None:
    """Fewer features, sampling, the seeds, and the advanced settings of `panel`."""
    with st.expander("Advanced", key="explore.advanced", on_change="rerun") as place:
        if place.open:
            choose_components(space)
            choose_rows(space, dataset)
            _choose_seed(space)
            if panel is not None:
                for setting in panel.method.settings:
                    if setting.advanced:
                        _setting(space, panel, setting)
                for name, label, domain, about in _OF_A_PANEL:
                    bound = _panel_field(space, panel, name, getattr(panel, name))
                    domain_widget(label, domain, **bound, help=about)
                if (at := space.latest(panel.key)) is not None:
                    st.caption(how_it_was_summed(at))
    differing = advanced_differences(space.document.recipe)
    st.caption(as_text(f"Changed: {'; '.join(differing)}.") if differing else "Advanced (defaults)")


def _choose_seed(space: Workspace) -> None:
    """One seed for everything, and where several panels train, one for each of them."""

    def put(seed: int | None) -> None:
        if seed is not None:
            change(space, lambda recipe: with_seed(recipe, seed))

    about = (
        "For everything random: generated points, noise, held-out rows, samples and starts. The same seed gives the "
        "same picture."
    )
    bound, limits = bind("explore.seed", common_seed(space.document.recipe), put), (SEED.minimum, SEED.maximum)
    st.number_input("Seed", *limits, value=None, placeholder="several", help=about, **bound)
    trained = [panel for panel in space.document.recipe.panels if panel.method.kind == "trained"]
    for panel in trained if len(trained) > 1 else ():
        bound = _panel_field(space, panel, "random_state", panel.random_state)
        st.number_input(f"Seed of {panel.shown_title}", *limits, help="For its random start only.", **bound)
