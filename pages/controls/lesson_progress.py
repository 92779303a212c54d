"""Progress in lessons: kept by the student's own browser, and saved as a file to hand in."""

from __future__ import annotations

import streamlit as st

from lessons.base.lesson import Lesson
from lessons.base.progress import from_browser, merge, right_of, to_browser, to_hand_in
from pages.server.workspace import Workspace
from stage.plain_text import as_text

_KEPT = "learn.kept"
# Joins what the browser has kept with what the page knows, keeps both, and reports what the page does not know.
_KEEP = """
export default function ({ data, setStateValue }) {
  const name = "nca.lessons";
  let kept = {};
  try { kept = JSON.parse(localStorage.getItem(name)) ?? {}; } catch { /* damaged or forbidden: begin anew */ }
  const all = { ...kept };
  for (const [step, [said, done, words]] of Object.entries(data.progress)) {
    const [before, did, wrote] = Array.isArray(kept[step]) ? kept[step] : [null, false, ""];
    all[step] = [said ?? before, done || did, words || wrote];
  }
  try { localStorage.setItem(name, JSON.stringify(all)); } catch { /* forbidden or full */ }
  const known = (step) => JSON.stringify(all[step]) === JSON.stringify(data.progress[step]);
  if (!Object.keys(all).every(known)) setStateValue("kept", all);
}
"""
_keeper = st.components.v2.component("nca_lesson_progress", js=_KEEP)


def keep_progress(space: Workspace) -> None:
    """Exchange the progress with the browser, which keeps it for good; call at the end of the page."""
    progress = space.document.progress

    def take() -> None:
        merge(progress, from_browser(st.session_state[_KEPT].get("kept")))

    with st.container(key="learn.keeper"):  # takes no room, by lessons.css
        _keeper(key=_KEPT, data={"progress": to_browser(progress)}, on_kept_change=take)


def closing(space: Workspace, lesson: Lesson) -> None:
    """The end of a lesson: what one can say now, how the predictions went, and the file."""
    progress = space.document.progress
    if lesson.closing:
        st.markdown("**You can say now:**\n\n" + "\n".join(f"1. {line}" for line in lesson.closing))
    right, asked = right_of(lesson, progress)
    if asked:
        st.markdown(f"You predicted {right} of {asked} answers correctly.")
    name = st.text_input("Name (optional)", key="learn.name", max_chars=80, persist_state="session", width=320)
    st.download_button(
        "Save my answers",
        data=lambda: to_hand_in(lesson, progress, name).encode("utf-8"),
        file_name=f"nca-answers-{as_text(lesson.key).replace(':', '-')}.json",
        mime="application/json",
        key="learn.hand_in",
        on_click="ignore",
        help="A small file to hand in. Your answers stay in this browser otherwise.",
    )
