"""Where the page stands: a new step begins at its top, and an answer comes into sight."""

from __future__ import annotations

import streamlit as st

from lessons.base.progress import StepDone
from pages.controls.learn.place import Place

_BEFORE = "learn.scrolled"
_TOP = "document.querySelector('[data-testid=stMain]')?.scrollTo(0, 0);"
# The picture may change with the answer, which moves what is below it.
_ANSWER = (
    "setTimeout(() => ['answer', 'next_below'].forEach((name) => document.querySelector(`.st-key-learn-${name}`)"
    "?.scrollIntoView({ block: 'nearest', behavior: 'smooth' })), 400);"
)


def scroll(place: Place, done: StepDone) -> None:
    """Once each time that the step is another one, or has just been answered. A constant script of our own."""
    now = place.key, done.answered(place.step)
    before, number = st.session_state.get(_BEFORE, (now, 0))
    st.session_state[_BEFORE] = now, number + (before != now)
    if before != now and (before[0] != now[0] or now[1]):
        script = _TOP if before[0] != now[0] else _ANSWER
        # The number makes it another script, so that it runs.
        st.html(f"<script>{script} // {number + 1}\n</script>", unsafe_allow_javascript=True)
