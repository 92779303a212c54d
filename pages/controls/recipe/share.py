"""The recipe as a link and as a file, what of one could not be understood, and the way back."""

from __future__ import annotations

import streamlit as st

from pages.controls.base.folded import folded
from pages.controls.base.messages import show_error
from pages.server.session import link_that_trains
from pages.server.workspace import Workspace
from pages.text.plain_text import as_text
from study.link import LARGEST_FILE, from_json, to_json

_FAILED = "explore.recipe_failed"


def share(space: Workspace) -> None:
    """Save, open and undo."""
    if (place := folded("Link, file, undo", "explore.share")) is not None:
        with place:
            _share(space)


def _share(space: Workspace) -> None:
    own = space.belongings
    st.caption(
        "The address of this page is a link to these settings; a table of your own does not travel with it. This "
        "link trains by itself where it is opened; with &present=1 at its end in large type."
    )
    st.code(link_that_trains(space), language=None, wrap_lines=True)
    st.download_button(
        "Save the settings",
        data=lambda: to_json(own.recipe).encode("utf-8"),
        file_name="nca-recipe.json",
        mime="application/json",
        key="explore.save_recipe",
        on_click="ignore",
        help="A small text file that opens here again: data set, preparation, split, panels and seeds.",
    )
    st.file_uploader(
        "Open settings",
        type="json",
        key="explore.open_recipe",
        on_change=_opened,
        args=(space,),
        help="A file that was saved here, perhaps by somebody else.",
    )
    if failed := st.session_state.get(_FAILED):
        show_error(ValueError(failed))
    st.button(
        "Undo",
        key="explore.undo",
        disabled=not own.past,
        on_click=own.undo,
        help="Back to the settings before the last change." if own.past else "Nothing has been changed yet.",
    )


def problems(space: Workspace) -> None:
    """What of the link or the file that was opened could not be understood, until somebody has read it."""
    own = space.belongings
    if not own.problems:
        return
    st.warning("  \n".join(as_text(problem) for problem in own.problems))
    st.button("Dismiss", key="explore.problems_read", on_click=lambda: setattr(own, "problems", ()))


def _opened(space: Workspace) -> None:
    file = st.session_state["explore.open_recipe"]
    st.session_state[_FAILED] = ""
    if file is None:
        return
    try:
        if file.size > LARGEST_FILE:
            raise ValueError(f"The file has {file.size:,} bytes, and a recipe has at most {LARGEST_FILE:,}.")
        decoded = from_json(file.getvalue().decode("utf-8"))
    except UnicodeDecodeError:
        st.session_state[_FAILED] = "The file is no recipe: it is not text in UTF-8."
    except ValueError as error:
        st.session_state[_FAILED] = str(error)
    else:
        space.belongings.change(decoded.recipe)
        space.belongings.problems = decoded.problems
