"""Which question is asked of the picture."""

from __future__ import annotations

import streamlit as st

from pages.controls.base.persistence import IN_SESSION
from pages.server.session import ASK

QUESTIONS = {
    "point": "Why is this point here?",
    "metric": "What is the metric?",
    "k": "Where does K come from?",
    "optima": "Is this the only answer?",
    "grab": "Does it come back?",
    "cope": "Does it cope with noise?",
}
_KEY = "understand.ask"


def choose_question() -> str:
    """Key of QUESTIONS; the address names it, so that a link asks the same."""
    named = st.query_params.get(ASK)
    if _KEY not in st.session_state:
        st.session_state[_KEY] = named if named in QUESTIONS else next(iter(QUESTIONS))
    asked = st.pills(  # they wrap where there is little room
        "Question",
        list(QUESTIONS),
        format_func=lambda key: QUESTIONS[key],
        required=True,
        label_visibility="collapsed",
        key=_KEY,
        **IN_SESSION,
    )
    if named != asked:
        st.query_params[ASK] = asked
    return str(asked)
