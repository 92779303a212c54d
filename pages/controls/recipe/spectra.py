"""The spectrum of each metric of full rank that has been trained, under the stage."""

from __future__ import annotations

import streamlit as st

from pages.controls.base.figure_config import figure_config
from pages.server.trainings import latest
from pages.server.workspace import Workspace
from pages.text.plain_text import as_text
from study.compare import Comparison


def spectra(space: Workspace, comparison: Comparison) -> None:
    """Nothing where every training learns the very matrix that is shown."""
    found = [(panel, latest(space, panel.key)) for panel in comparison.panels]
    shown = [(panel, at) for panel, at in found if at is not None and at.spectrum is not None]
    if not shown:
        return
    # Plotly takes long to import, and the first page does not need it.
    from pages.views.spectrum import spectrum_figure, spectrum_sentence

    for place, (panel, at) in zip(st.columns(len(shown)), shown, strict=True):
        assert at.spectrum is not None
        n_shown = len(at.transformation)
        with place:
            st.caption(as_text(spectrum_sentence(panel.recipe.shown_title, at.spectrum, n_shown)))
            figure = spectrum_figure(at.spectrum, n_shown)
            st.plotly_chart(figure, key=f"explore.spectrum.{panel.key}", config=figure_config("spectrum"))
