"""Whether somebody still waits for what this script run is doing."""

from __future__ import annotations

from collections.abc import Callable

from streamlit import runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx


def session_ended() -> Callable[[], bool]:
    """A question that any thread may ask: is the tab of this script run closed, or its connection lost?

    Streamlit stops a script only where it calls Streamlit; what computes on its own has to ask. Without a server
    (in tests) there is nobody to lose.
    """
    context = get_script_run_ctx(suppress_warning=True)
    if context is None or not runtime.exists():
        return lambda: False
    server, session_id = runtime.get_instance(), context.session_id
    return lambda: not server.is_active_session(session_id)
