"""The screens of the app: what `st.navigation` shows, and what a link on one screen to another names.

Streamlit looks a page's file up on disk each time that one is named, some sixty looks in a run of a page, and at each
one the interpreter's lock is let go: milliseconds, where others compute. Here they are looked up once.
"""

from __future__ import annotations

import functools
from copy import copy
from pathlib import Path

import streamlit as st

_FOLDER = Path(__file__).resolve().parents[2]
_FIRST = "Explore"
_TITLES = (_FIRST, "Compare", "Understand", "Learn", "Experiments", "Data")


def screens() -> list[st.Page]:
    """All of them, in the order of the navigation. Copies, since a run writes into its own whether it may be run."""
    return [copy(page) for page in _found()]


def screen(title: str) -> st.Page:
    """The one of this title."""
    return copy(_found()[_TITLES.index(title)])


@functools.cache
def _found() -> tuple[st.Page, ...]:
    return tuple(st.Page(_FOLDER / f"{title.lower()}.py", title=title, default=title == _FIRST) for title in _TITLES)
