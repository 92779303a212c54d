"""Advanced: the settings that few people change, folded away, and in sight what of them is not as by default."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from datasets.base.dataset import Dataset
from pages.controls.base.bound import bound, change, change_panel
from pages.controls.base.folded import folded
from pages.controls.recipe.preparation import choose_components, choose_rows
from pages.controls.recipe.training import choose_more
from pages.server.trainings import latest
from pages.server.workspace import Workspace
from pages.text.plain_text import as_text
from pages.views.differences import advanced_differences
from pages.views.notes import how_it_was_summed
from study.panel import SEED, PanelRecipe
from study.seed import seed_of, with_seed


def advanced(space: Workspace, dataset: Dataset | None, panel: PanelRecipe | None) -> None:
    """Fewer features, sampling, the seed, and what is special to the panel whose settings are shown."""
    if (place := folded("Advanced", "explore.advanced")) is not None:
        with place:
            choose_components(space)
            choose_rows(space, dataset)
            _choose_seed(space)
            if panel is not None:
                choose_more(space, panel)
                if (at := latest(space, panel.key)) is not None:
                    st.caption(how_it_was_summed(at))
    differing = advanced_differences(space.belongings.recipe)
    st.caption(as_text(f"Not as by default: {'; '.join(differing)}.") if differing else "Advanced: all as by default.")


def _choose_seed(space: Workspace) -> None:
    def put(said: int | None) -> None:
        if said is not None:
            change(space, lambda recipe: with_seed(recipe, said))

    st.number_input(
        "Seed",
        SEED.minimum,
        SEED.maximum,
        value=None,
        placeholder="several",
        **bound("explore.seed", seed_of(space.belongings.recipe), put),
        help="Of everything that is drawn at random: generated points, noise, held-out rows, sample and random starts. "
        "The same seed gives the same picture.",
    )
    _choose_own_seed(space)


def _choose_own_seed(space: Workspace) -> None:
    """Where several panels train, each may start from a seed of its own."""
    trained = [panel for panel in space.belongings.recipe.panels if panel.method.kind == "trained"]
    for panel in trained if len(trained) > 1 else ():

        def put(said: int, panel: PanelRecipe = panel) -> None:
            change_panel(space, panel.key, lambda now: replace(now, random_state=said))

        st.number_input(
            f"Seed of {panel.shown_title}",
            SEED.minimum,
            SEED.maximum,
            **bound(f"explore.{panel.key}.random_state", panel.random_state, put),
            help="Of its random start alone.",
        )
