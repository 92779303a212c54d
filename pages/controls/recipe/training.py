"""Widgets for dimensions and pace, and for the settings of a panel that has any."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import streamlit as st

from nca_core.methods.setting import Setting
from pages.controls.base.bound import bound, change_panel, domain_widget, field_of
from pages.server.trainings import pace
from pages.server.workspace import Workspace
from pages.text import wording
from study.fields import PACES
from study.panel import FEATURES, LABELS, PanelRecipe

SETTINGS_OF = "explore.settings_of"


def choose_training(space: Workspace, numeric_label: bool = False) -> PanelRecipe | None:
    """Dimensions, panels' settings and pace; gives the panel whose settings are shown, None where none has any.

    Where the label was kept as a number, one also says how far two rows match.
    """
    st.segmented_control(
        "Dimensions",
        [2, 3],
        required=True,
        format_func=lambda d: f"{d}-D",
        **field_of(space, "dimensions"),
        help="How many dimensions the projections have. In 3-D, drag a panel to turn it.",
    )
    trains = any(panel.method.kind == "trained" for panel in space.belongings.recipe.panels)
    if not trains:
        st.caption("Nothing trains here: add NCA.")
    panel = _chosen_panel(space)
    if panel is not None:
        _choose_settings(space, panel, numeric_label)
    if trains:
        _choose_pace(space)
    return panel


def _choose_settings(space: Workspace, panel: PanelRecipe, numeric_label: bool) -> None:
    """Where it starts, and the settings that many people change."""
    if panel.method.starts:
        _choose_start(space, panel)
    for setting in panel.method.settings:
        if not setting.advanced and (numeric_label or setting.key != "target_similarity"):
            _setting(space, panel, setting)


def _choose_pace(space: Workspace) -> None:
    choose_pace = field_of(space, "pace", lambda said: said)
    put = choose_pace["on_change"]

    def paced() -> None:
        put()
        pace(space)  # what trains now follows at once

    st.segmented_control(
        "Pace",
        list(PACES),
        required=True,
        format_func=wording.labelled(wording.PACES),
        key=choose_pace["key"],
        on_change=paced,
        help="Small data sets train faster than eyes can follow; this slows the iterations down.",
    )


def choose_more(space: Workspace, panel: PanelRecipe) -> None:
    """The settings of the panel that few people change."""
    for setting in panel.method.settings:
        if setting.advanced:
            _setting(space, panel, setting)
    _of_panel(space, panel, "labels", "Labels it sees", LABELS, _LABELS_HELP)
    _of_panel(space, panel, "features", "Features it is fed", FEATURES, _FEATURES_HELP)


_LABELS_HELP = "Shuffled: the same labels, dealt to the rows at random. What a method finds then is found in noise."
_FEATURES_HELP = (
    "The same rows prepared otherwise than for the other panels; or their similarities to other rows in place of the "
    "features: the projection may then be curved."
)


def _chosen_panel(space: Workspace) -> PanelRecipe | None:
    """The panel whose settings are shown; asked for only where several train or have settings of their method."""
    panels = space.belongings.recipe.panels
    # Those that train stand first: theirs are asked for most.
    found = [panel for panel in panels if panel.method.kind == "trained"]
    found += [panel for panel in panels if panel.method.kind != "trained" and panel.method.settings]
    if len(found) < 2:
        return found[0] if found else None
    titles = {panel.key: panel.shown_title for panel in found}
    if st.session_state.get(SETTINGS_OF) not in titles:
        st.session_state[SETTINGS_OF] = found[0].key
    key = st.selectbox(
        "Settings of",
        list(titles),
        format_func=lambda key: titles.get(key, key),
        key=SETTINGS_OF,
        filter_mode=None,
        help="Several panels have settings; these are the settings of one.",
    )
    return next(panel for panel in found if panel.key == key)


def _choose_start(space: Workspace, panel: PanelRecipe) -> None:
    starts = list(dict.fromkeys([*panel.method.starts, panel.start_name]))  # a frame that a link names, too
    st.selectbox(
        "Start from",
        starts,
        filter_mode=None,
        format_func=lambda name: wording.INITIALISATIONS.get(name, name),
        **bound(f"explore.{panel.key}.start", panel.start_name, _put(space, panel, "start")),
        help=f"{panel.method.title} climbs from here; different starts can end in different optima.",
    )


def _setting(space: Workspace, panel: PanelRecipe, setting: Setting) -> None:
    def put(said: Any) -> None:
        change_panel(space, panel.key, lambda now: now.with_setting(setting.key, said))

    now = panel.all_settings()[setting.key]
    domain_widget(
        setting.title, setting.domain, bound(f"explore.{panel.key}.{setting.key}", now, put), help=setting.help
    )


def _of_panel(space: Workspace, panel: PanelRecipe, name: str, label: str, domain: Any, help: str) -> None:
    bind = bound(f"explore.{panel.key}.{name}", getattr(panel, name), _put(space, panel, name))
    domain_widget(label, domain, bind, help=help)


def _put(space: Workspace, panel: PanelRecipe, name: str) -> Callable[[Any], None]:
    return lambda said: change_panel(space, panel.key, lambda now: replace(now, **{name: said}))
