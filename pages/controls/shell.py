"""What every page shares: navigation, the back button, shortcut keys, theme and large type."""

from __future__ import annotations

import json
from pathlib import Path

import streamlit as st

_FOLDER = Path(__file__).resolve().parents[1]
_TITLES = ("Explore", "Compare", "Understand", "Learn", "Experiments", "Data")
_NEXT_PAGE = "page.next"


def screens() -> list[st.Page]:
    """All pages, in the order of the navigation."""
    return [screen(title) for title in _TITLES]


def screen(title: str) -> st.Page:
    """The page of this title."""
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


# Streamlit keeps the theme under these names, one for each address at which a page was first opened.
_SET_THEME = """<script>
const names = Object.keys(localStorage).filter((name) => name.startsWith("stActiveTheme-"));
const base = location.pathname.replace(/[^/]*$/, "");
for (const page of %s) names.push(`stActiveTheme-${base}${page}-v2`);
for (const name of new Set([...names, `stActiveTheme-${location.pathname}-v2`]))
  localStorage.setItem(name, JSON.stringify(%s));
location.reload();
</script>"""


def _theme_button() -> None:
    """A button for the other theme, which reloads the page; trainings and settings stay."""
    other = "Light" if st.context.theme.type == "dark" else "Dark"
    if st.button(other, key="base.theme"):
        pages = [page.url_path for page in screens()]
        st.html(_SET_THEME % (json.dumps(pages), json.dumps(other)), unsafe_allow_javascript=True)


_PRESENT = "present"
_STYLE = Path(__file__).with_suffix(".css")


def present() -> bool:
    """Whether the address asks for large type, which is then set."""
    presenting = st.query_params.get(_PRESENT) == "1"
    if presenting:
        st.html(_STYLE)
    return presenting


def view_buttons() -> None:
    """Large type on and off, and light or dark."""
    presenting = st.query_params.get(_PRESENT) == "1"

    def turn() -> None:
        if presenting:
            st.query_params.pop(_PRESENT, None)
        else:
            st.query_params[_PRESENT] = "1"

    with st.container(horizontal=True, width="content", gap="xsmall", key="explore.view"):
        st.button("Leave" if presenting else "Present", key="explore.present", shortcut="l", on_click=turn)
        _theme_button()


# Every address names the version of its recipe; only leaving a page takes it out.
BACK_BUTTON = """<script>
if (!history.ncaWrapped) {
  history.ncaWrapped = true;
  const push = history.pushState.bind(history);
  let left = "";
  const of = (address) => new URL(address, location.href);
  history.pushState = (state, title, url) => {
    const next = of(url ?? location.href), now = of(location.href);
    if (next.pathname === now.pathname) {
      if (now.searchParams.has("recipe") && !next.searchParams.has("recipe")) left = location.href;
      history.replaceState(state, title, url);
      return;
    }
    if (left) history.replaceState(history.state, "", left);
    left = "";
    push(state, title, url);
  };
  addEventListener("popstate", () => { left = ""; });
}
</script>"""


# Streamlit ignores shortcuts while a select box or a slider has the focus; this presses the letter on the page instead.
KEYS = """<script>
if (!window.ncaKeys) {
  window.ncaKeys = true;
  addEventListener("keydown", (event) => {
    const { key, code, keyCode, ctrlKey, metaKey, altKey } = event;
    const target = event.composedPath()[0]; // within the stage, too
    if (key.length > 1 || key === " " || ctrlKey || metaKey || altKey) return;
    const textless = "input[role=combobox][inputmode=none][aria-expanded=false], input[type=range], select";
    if (!target.matches?.(textless)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    for (const kind of ["keydown", "keyup"])
      document.body.dispatchEvent(new KeyboardEvent(kind, { key, code, keyCode, which: keyCode, bubbles: true }));
  }, true);
}
</script>"""
