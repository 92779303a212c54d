"""Light or dark, chosen on the page itself."""

from __future__ import annotations

import streamlit as st

_THEMES = ("System", "Light", "Dark")
_ASKED = "base.theme_asked"
# Streamlit keeps the choice of its own menu under these names, one for each address that a page was first opened at.
_SCRIPT = """<script>
const names = Object.keys(localStorage).filter((name) => name.startsWith("stActiveTheme-"));
for (const path of ["/", "/compare", "/data"]) names.push(`stActiveTheme-${path}-v2`);
for (const name of new Set([...names, `stActiveTheme-${location.pathname}-v2`]))
  localStorage.setItem(name, JSON.stringify("%s"));
location.reload();
</script>"""


def theme_switch() -> None:
    """The page is loaded anew in the theme that is pressed; trainings and settings stay."""
    st.segmented_control(
        "Theme",
        list(_THEMES),
        key="base.theme",
        on_change=lambda: st.session_state.update({_ASKED: st.session_state["base.theme"]}),
        help="System follows the setting of your device. The page loads anew; trainings and settings stay.",
    )
    asked = st.session_state.pop(_ASKED, None)
    if asked in _THEMES:
        st.html(_SCRIPT % asked, unsafe_allow_javascript=True)
