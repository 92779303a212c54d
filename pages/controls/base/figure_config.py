"""figure_config: how a chart behaves that is looked at, its camera among it, which saves it as PNG or SVG."""

from __future__ import annotations

from typing import Any

import streamlit as st

FORM = "export.figure_form"  # what people chose in the Export menu, under this name in the session
FORMS = {"png": "PNG", "svg": "SVG"}


def figure_config(name: str) -> dict[str, Any]:
    """For `st.plotly_chart`; `name` is that of the saved file."""
    form = st.session_state.get(FORM)
    saved = {"format": form if form in FORMS else "png", "filename": name, "scale": 2}
    return {"displaylogo": False, "toImageButtonOptions": saved}
