"""The recipe as a link and as a file, problems of an opened one, and Undo."""

from urllib.parse import urlencode

import streamlit as st

from pages.controls.recipe_widgets import folded, open_json, save_json
from pages.server.session import TRAIN
from pages.server.workspace import Workspace
from stage.plain_text import as_text
from study.link import from_json, to_json, to_link


@folded("Link, file, undo", "explore.share")
def share(space: Workspace) -> None:
    own = space.document

    def put(text: str) -> None:
        decoded = from_json(text)
        own.change(decoded.recipe)
        own.problems = decoded.problems

    st.caption(
        "The address of this page links to these settings, without your own table. The link below also offers the "
        "trained picture, not the iteration, the view or a selection; add &present=1 for large type."
    )
    link = urlencode({**to_link(own.recipe), TRAIN: "1"})
    st.code(f"{st.context.url or ''}?{link}", language=None, wrap_lines=True)
    about = "A small file with data set, preparation, split, panels and seeds."
    save_json("Save the settings", lambda: to_json(own.recipe), "nca-recipe.json", "explore.save_recipe", about)
    open_json("Open settings", put, "explore.open_recipe", "A file made with *Save the settings*.")
    undo = "Back to the settings before the last change." if own.past else "Nothing has been changed yet."
    st.button("Undo", key="explore.undo", disabled=not own.past, on_click=own.undo, help=undo)


def problems(space: Workspace) -> None:
    """What was not understood in the opened link or file, until dismissed."""
    own = space.document
    if own.problems:
        st.warning("  \n".join(as_text(problem) for problem in own.problems))
        st.button("Dismiss", key="explore.problems_read", on_click=setattr, args=(own, "problems", ()))
