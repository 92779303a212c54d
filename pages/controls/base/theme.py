"""Light or dark, chosen on the page itself."""

from __future__ import annotations

import json

import streamlit as st

from pages.controls.base.screens import screens

_ASKED = "base.theme_asked"
# Streamlit keeps the choice of its own menu under these names, one for each address that a page was first opened at.
_SCRIPT = """<script>
const names = Object.keys(localStorage).filter((name) => name.startsWith("stActiveTheme-"));
const base = location.pathname.replace(/[^/]*$/, "");
for (const page of %s) names.push(`stActiveTheme-${base}${page}-v2`);
for (const name of new Set([...names, `stActiveTheme-${location.pathname}-v2`]))
  localStorage.setItem(name, JSON.stringify(%s));
location.reload();
</script>"""


def theme_button() -> None:
    """To the other theme; the page is loaded anew in it, and trainings and settings stay."""
    other = "Light" if st.context.theme.type == "dark" else "Dark"
    st.button(other, key="base.theme", on_click=_ask, args=(other,))
    asked = st.session_state.pop(_ASKED, None)
    if asked is not None:
        pages = [page.url_path for page in screens()]
        st.html(_SCRIPT % (json.dumps(pages), json.dumps(asked)), unsafe_allow_javascript=True)


def _ask(theme: str) -> None:
    st.session_state[_ASKED] = theme
