"""One card of the gallery: picture, title, size, licence, and the button that takes it to Explore."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal

import streamlit as st

from datasets.base.dataset import Source
from datasets.previews import Preview
from pages.controls.base.asked import pressed
from pages.controls.recipe.explore_data import explore_data
from pages.server.workspace import Workspace
from pages.text.plain_text import as_text
from pages.views.thumbnail import thumbnail_image

WIDTH = 232  # five in a row of a large window
# In a small window a card is as wide as the page; the width stands in the wrapper around it.
_NARROW = """<style>@media (max-width: 640px) {
  [data-testid="stLayoutWrapper"]:has(> [class*="st-key-data-card"]) {flex: 1 1 100%; width: 100%;}
  [class*="st-key-data-card"] {width: 100%;}
}</style>"""


@contextmanager
def gallery_row(key: str) -> Iterator[None]:
    """As many cards side by side as the window has room for."""
    st.html(_NARROW)
    with st.container(horizontal=True, gap="small", key=key):
        yield


@contextmanager
def card(
    key: str,
    title: str,
    description: str,
    source: Source,
    shown: Preview | None,
    width: Literal["stretch"] | int = WIDTH,
) -> Iterator[None]:
    """The card of one data set; what is drawn inside the block comes at its foot.

    `shown` is None where there is nothing to show before a download, and an empty Preview while it is being made.
    """
    with st.container(border=True, width=width, height="stretch", gap="xsmall", key=f"data.card.{key}"):
        with st.container(height="stretch", gap="xsmall"):
            if shown is not None:
                st.html(thumbnail_image(shown.picture, f"Small picture of {title}", shown.trained))
            st.markdown(f"**{as_text(title)}**  \n{as_text(description)}")
            if shown is not None and (shown.picture or shown.error):
                st.caption(as_text(shown.error or _size(shown)))
            facts = [source.licence, f"Used in {source.paper}" if source.paper else ""]
            if any(facts):
                st.caption(as_text(". ".join(fact for fact in facts if fact) + "."))
        yield


def explore_button(space: Workspace, key: str, *, disabled: bool = False) -> None:
    if pressed("Explore", f"data.explore.{key}", width="stretch", disabled=disabled):
        explore_data(space, key)


def _size(shown: Preview) -> str:
    features = f"{shown.n_features:,} feature{'s' if shown.n_features != 1 else ''}"
    return f"{shown.n_samples:,} rows x {features}, {shown.n_classes:,} classes"
