"""What every page shares: navigation, errors and notes, theme and large type."""

from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any

import streamlit as st

from datasets.base.errors import DataError
from pages.server.jobs import logged
from stage.plain_text import as_text

_TITLES = ("Explore", "Compare", "Understand", "Learn", "Experiments", "Data")
_NEXT_PAGE = "page.next"
_LONGEST, _BEGINNING, _FEW = 600, 120, 2  # characters of a note and of its title; notes that are not folded
_PRESENT = "present"  # in the address and in the session


def screens() -> list[st.Page]:
    return [screen(title) for title in _TITLES]


def screen(title: str) -> st.Page:
    file = Path(__file__).resolve().parents[1] / f"{title.lower()}.py"
    return st.Page(file, title=title, default=title == _TITLES[0])


def go_to_page(title: str) -> None:
    """Open another page; for callbacks, where `st.switch_page` is not allowed."""
    st.session_state[_NEXT_PAGE] = title


def switch_page_if_chosen(current: str = "") -> None:
    """Switch to the page that a callback chose, unless `current` is its title."""
    chosen = st.session_state.get(_NEXT_PAGE)
    if chosen == current:
        st.session_state.pop(_NEXT_PAGE)
    elif chosen is not None:
        st.switch_page(screen(chosen))


# -- errors and notes


def show_error(error: Exception) -> None:
    st.error(as_text(str(error)))


def attempt(key: str, act: Callable[..., object], *args: Any) -> None:
    """For callbacks: call `act`; its error is kept for `show_failure`."""
    try:
        act(*args)
    except (DataError, ValueError) as error:
        st.session_state[key] = error


def show_failure(key: str) -> None:
    """Show the error of the last `attempt` once."""
    if failed := st.session_state.pop(key, None):
        show_error(failed)


def show_notes(notes: Iterable[str], fold: str = "") -> None:
    """Captions for what was guessed, repaired or left out; very long notes are folded.

    fold: the title under which more than a few notes are folded together.
    """
    notes = list(filter(None, notes))
    if fold and len(notes) > _FEW:
        with st.expander(f"{fold} ({len(notes)})"):
            show_notes(notes)
        return
    for note in notes:
        if len(note) <= _LONGEST:
            st.caption(as_text(note))
        else:
            st.expander(as_text(f"{note[:_BEGINNING].rstrip()} …")).caption(as_text(note))


def show_unexpected(error: Exception) -> None:
    """One sentence and a link to another page."""
    st.error(
        f"Unexpected error. {logged(error)} Your data and settings are kept: undo the last change, choose other "
        f"data, or reload the page."
    )
    st.page_link(screen("Data"), label="All data sets →")
    st.page_link(screen("Explore"), label="Explore →")


# -- the view


def present() -> bool:
    """Whether large type was asked for, which is then set; written to the address."""
    in_address = st.query_params.get(_PRESENT) == "1"
    presenting = bool(st.session_state.setdefault(_PRESENT, in_address))
    if presenting:
        st.html(Path(__file__).with_suffix(".css"))
    if presenting and not in_address:
        st.query_params[_PRESENT] = "1"
    elif in_address and not presenting:
        st.query_params.pop(_PRESENT)
    return presenting


def view_buttons() -> None:
    presenting = bool(st.session_state.get(_PRESENT))
    turn = partial(st.session_state.update, {_PRESENT: not presenting})
    with st.container(horizontal=True, width="content", gap="xsmall", key="explore.view"):
        st.button("Leave" if presenting else "Present", key="explore.present", shortcut="l", on_click=turn)
        st.button("Theme", key="base.theme")  # main.js handles the press
