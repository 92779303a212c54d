"""Widgets for dimensions and pace, and for the settings of a panel that trains."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import streamlit as st

from nca_core.methods.setting import Setting
from pages.controls.base.bound import bound, change, domain_widget, field_of
from pages.server.trainings import pace
from pages.server.workspace import Workspace
from pages.text import wording
from study.fields import PACES
from study.panel import FEATURES, LABELS, SEED, PanelRecipe

_CHOSEN = "explore.settings_of"


def choose_training(space: Workspace, numeric_label: bool = False) -> None:
    """Where the label was kept as a number, one also says how far two rows match."""
    st.segmented_control(
        "Dimensions",
        [2, 3],
        required=True,
        format_func=lambda d: f"{d}-D",
        **field_of(space, "dimensions"),
        help="How many dimensions the projections have. In 3-D, drag a panel to turn it.",
    )
    panel = _chosen_panel(space)
    if panel is None:
        st.caption("Nothing trains: add NCA under Panels.")
        return
    _choose_start(space, panel)
    plain = [setting for setting in panel.method.settings if not setting.advanced]
    for setting in plain:
        if numeric_label or setting.key != "target_similarity":
            _setting(space, panel, setting)
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
    with st.expander("More settings", key="explore.more"):
        for setting in panel.method.settings:
            if setting.advanced:
                _setting(space, panel, setting)
        _of_panel(space, panel, "labels", "Labels it sees", LABELS, _LABELS_HELP)
        _of_panel(space, panel, "features", "Features it is fed", FEATURES, _FEATURES_HELP)
        _of_panel(space, panel, "random_state", "Seed", SEED, _SEED_HELP)


_LABELS_HELP = "Shuffled: the same labels, dealt to the rows at random. What a method finds then is found in noise."
_FEATURES_HELP = "Similarities to other rows in place of the features: the projection may then be curved."
_SEED_HELP = "Of random starts and of the stochastic optimiser: the same seed gives the same training."


def _chosen_panel(space: Workspace) -> PanelRecipe | None:
    """The panel whose settings are shown; asked for only where several train."""
    trained = [panel for panel in space.belongings.recipe.panels if panel.method.kind == "trained"]
    if len(trained) < 2:
        return trained[0] if trained else None
    titles = {panel.key: panel.shown_title for panel in trained}
    if st.session_state.get(_CHOSEN) not in titles:
        st.session_state[_CHOSEN] = trained[0].key
    key = st.selectbox(
        "Settings of",
        list(titles),
        format_func=lambda key: titles.get(key, key),
        key=_CHOSEN,
        help="Several panels train; each has settings of its own.",
    )
    return next(panel for panel in trained if panel.key == key)


def _choose_start(space: Workspace, panel: PanelRecipe) -> None:
    starts = list(dict.fromkeys([*panel.method.starts, panel.start_name]))  # a frame that a link names, too
    st.selectbox(
        "Start from",
        starts,
        format_func=lambda name: wording.INITIALISATIONS.get(name, name),
        **bound(f"explore.{panel.key}.start", panel.start_name, _put(space, panel, "start")),
        help=f"{panel.method.title} climbs from here; different starts can end in different optima.",
    )


def _setting(space: Workspace, panel: PanelRecipe, setting: Setting) -> None:
    def put(said: Any) -> None:
        settings = {**dict(panel.settings), setting.key: said}
        change(space, lambda recipe: recipe.with_panel(replace(panel, settings=settings)))

    now = panel.all_settings()[setting.key]
    domain_widget(
        setting.title, setting.domain, bound(f"explore.{panel.key}.{setting.key}", now, put), help=setting.help
    )


def _of_panel(space: Workspace, panel: PanelRecipe, name: str, label: str, domain: Any, help: str) -> None:
    bind = bound(f"explore.{panel.key}.{name}", getattr(panel, name), _put(space, panel, name))
    domain_widget(label, domain, bind, help=help)


def _put(space: Workspace, panel: PanelRecipe, name: str) -> Callable[[Any], None]:
    return lambda said: change(space, lambda recipe: recipe.with_panel(replace(panel, **{name: said})))
