"""Light or dark, chosen on the page itself."""

from __future__ import annotations

import streamlit as st

_ASKED = "base.theme_asked"
# Streamlit keeps the choice of its own menu under these names, one for each address that a page was first opened at.
_SCRIPT = """<script>
const names = Object.keys(localStorage).filter((name) => name.startsWith("stActiveTheme-"));
for (const path of ["/", "/compare", "/understand", "/learn", "/data"]) names.push(`stActiveTheme-${path}-v2`);
for (const name of new Set([...names, `stActiveTheme-${location.pathname}-v2`]))
  localStorage.setItem(name, JSON.stringify("%s"));
location.reload();
</script>"""


def theme_button() -> None:
    """To the other theme; the page is loaded anew in it, and trainings and settings stay."""
    other = "Light" if st.context.theme.type == "dark" else "Dark"
    st.button(other, key="base.theme", on_click=_ask, args=(other,))
    asked = st.session_state.pop(_ASKED, None)
    if asked is not None:
        st.html(_SCRIPT % asked, unsafe_allow_javascript=True)


def _ask(theme: str) -> None:
    st.session_state[_ASKED] = theme
