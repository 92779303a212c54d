"""A change of the panels, or the sentence why it cannot be made."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from pages.controls.base.messages import show_error
from pages.server.workspace import Workspace
from study.recipe import Recipe

_REFUSED = "compare.refused"


def change_panels(space: Workspace, make: Callable[[Recipe], Recipe]) -> None:
    """Change the recipe; what cannot be made is said when the page is drawn next."""
    new_panels(space, make)


def new_panels(space: Workspace, make: Callable[[Recipe], Recipe]) -> list[str]:
    """As `change_panels`; gives the keys of the panels that came to the recipe."""
    before = {panel.key for panel in space.belongings.recipe.panels}
    try:
        space.belongings.change(make(space.belongings.recipe))
    except KeyError:  # the panel is gone: it was pressed twice
        return []
    except ValueError as error:
        st.session_state[_REFUSED] = str(error)
    return [panel.key for panel in space.belongings.recipe.panels if panel.key not in before]


def show_refused() -> None:
    """Why the last change was not made, once."""
    if refused := st.session_state.pop(_REFUSED, ""):
        show_error(ValueError(refused))
