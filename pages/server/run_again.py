"""run_again: have the page of another session run as after a change of code, so that it shows what became of it."""

from __future__ import annotations

from typing import Any

from streamlit import runtime


def run_again(session_id: str) -> None:
    """Have the page of that session of Streamlit run with what its browser said last; nothing where it is gone."""
    if not runtime.exists():
        return
    session: Any = runtime.get_instance().get_app_session(session_id)
    state, loop = getattr(session, "_client_state", None), getattr(session, "_event_loop", None)
    if state is not None and loop is not None:  # Streamlit's own insides, which another version may have elsewhere
        loop.call_soon_threadsafe(session.request_rerun, state)
