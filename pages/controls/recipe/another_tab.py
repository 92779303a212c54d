"""What is shown was trained in another tab of the browser: say so, and offer to bring it here."""

from __future__ import annotations

import streamlit as st

from pages.server.session import bring_here, trained_elsewhere
from pages.server.workspace import Workspace


def another_tab(space: Workspace) -> None:
    """Say where another tab of the browser has a training of what is shown here untrained, and offer to bring it here.

    So it is, too, after a reload whose tab the server has not noticed to be gone.
    """
    if (other := trained_elsewhere(space)) is None:
        return
    with st.container(horizontal=True, vertical_alignment="center", key="recipe.another_tab"):
        st.caption("Another tab of this browser has a training of this, or had until a moment ago.", width="content")
        st.button(
            "Bring it here",
            key="recipe.bring_here",
            on_click=bring_here,
            args=(other,),
            help="The training goes on here, with all else of that tab; that one begins anew, if it is still open.",
        )
