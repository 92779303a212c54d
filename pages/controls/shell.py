"""What every page shares: navigation, theme and large type."""

from pathlib import Path

import streamlit as st

_FOLDER = Path(__file__).resolve().parents[1]
_TITLES = ("Explore", "Compare", "Understand", "Learn", "Experiments", "Data")
_NEXT_PAGE = "page.next"


def screens() -> list[st.Page]:
    return [screen(title) for title in _TITLES]


def screen(title: str) -> st.Page:
    return st.Page(_FOLDER / f"{title.lower()}.py", title=title, default=title == _TITLES[0])


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


_PRESENT = "present"  # in the address and in the session
_STYLE = Path(__file__).with_suffix(".css")


def present() -> bool:
    """Whether large type was asked for, which is then set; written to the address."""
    in_address = st.query_params.get(_PRESENT) == "1"
    if _PRESENT not in st.session_state:
        st.session_state[_PRESENT] = in_address
    presenting = bool(st.session_state[_PRESENT])
    if presenting:
        st.html(_STYLE)
    if presenting and not in_address:
        st.query_params[_PRESENT] = "1"
    elif in_address and not presenting:
        st.query_params.pop(_PRESENT)
    return presenting


def view_buttons() -> None:
    presenting = bool(st.session_state.get(_PRESENT))

    def turn() -> None:
        st.session_state[_PRESENT] = not presenting

    with st.container(horizontal=True, width="content", gap="xsmall", key="explore.view"):
        st.button("Leave" if presenting else "Present", key="explore.present", shortcut="l", on_click=turn)
        st.button("Theme", key="base.theme")  # main.js handles the press
