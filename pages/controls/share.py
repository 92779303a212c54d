"""The recipe as a link and as a file, problems of an opened one, and Undo."""

from __future__ import annotations

import streamlit as st

from pages.controls.messages import show_error
from pages.server.session import link_that_trains
from pages.server.workspace import Workspace
from stage.plain_text import as_text
from study.link import LARGEST_FILE, from_json, to_json

_FAILED = "explore.recipe_failed"


def share(space: Workspace) -> None:
    """The expander with the link, the settings file and Undo."""
    with st.expander("Link, file, undo", key="explore.share", on_change="rerun") as place:
        if place.open:
            _share(space)


def _share(space: Workspace) -> None:
    own = space.document
    st.caption(
        "The address of this page links to these settings, without your own table. The link below also starts "
        "training; add &present=1 for large type."
    )
    st.code(link_that_trains(space), language=None, wrap_lines=True)
    st.download_button(
        "Save the settings",
        data=lambda: to_json(own.recipe).encode("utf-8"),
        file_name="nca-recipe.json",
        mime="application/json",
        key="explore.save_recipe",
        on_click="ignore",
        help="A small file with data set, preparation, split, panels and seeds.",
    )
    st.file_uploader(
        "Open settings",
        type="json",
        key="explore.open_recipe",
        on_change=_opened,
        args=(space,),
        help="A file made with *Save the settings*.",
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
    """What was not understood in the opened link or file, until dismissed."""
    own = space.document
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
            raise ValueError(f"The file has {file.size:,} bytes; settings have at most {LARGEST_FILE:,}.")
        decoded = from_json(file.getvalue().decode("utf-8"))
    except UnicodeDecodeError:
        st.session_state[_FAILED] = "This is not a settings file: it is not UTF-8 text."
    except ValueError as error:
        st.session_state[_FAILED] = str(error)
    else:
        space.document.change(decoded.recipe)
        space.document.problems = decoded.problems
