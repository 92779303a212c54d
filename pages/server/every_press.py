"""every_press: who presses two things in quick succession has pressed both, however busy the server is.

Streamlit ends the run of a page as soon as something else is pressed there, and begins another. It does so, too, where
the run has not come to what was pressed first, or is in the midst of it: a button's press is then lost, and what was
picked from a list counts as known though nobody was told ("Label column" jumps back). Here what is pressed before the
run has heard its own press waits until then: each is heard, in the order in which they were pressed. The page itself is
drawn for the last of them.
"""

from __future__ import annotations

from collections import deque
from contextlib import suppress
from functools import partial
from typing import Any

MOST_WAITING = 50  # presses of one tab; of more the first are let go


def install() -> None:
    """Have each press heard; a version of Streamlit with other insides does as it did."""
    try:
        from streamlit.runtime.app_session import AppSession
        from streamlit.runtime.scriptrunner import ScriptRunner
        from streamlit.runtime.state.safe_session_state import SafeSessionState

        sessions: Any = AppSession
        runners: Any = ScriptRunner
        states: Any = SafeSessionState
        begin, create = sessions.request_rerun, sessions._create_scriptrunner
        start, work = runners.start, runners._run_script_thread
        hear = states.on_script_will_rerun
    except (ImportError, AttributeError):
        return
    if getattr(start, "hears", False):
        return

    def started(runner: Any) -> None:
        asked = getattr(runner._requests, "_rerun_data", None)
        runner._unheard = getattr(asked, "widget_states", None) is not None
        parts = getattr(asked, "fragment_id", None), getattr(asked, "fragment_id_queue", None)
        runner._of_whole_page = not any(parts)
        start(runner)

    def heard(runner: Any) -> None:
        """Called in the thread of the run: those who wait are next."""
        waited, runner._unheard = getattr(runner, "_unheard", False), False
        session = getattr(runner, "_for_session", None)  # after that: who creates it sets this, and looks at that
        if waited and session is not None:
            with suppress(RuntimeError):  # the server ends
                session._event_loop.call_soon_threadsafe(partial(carry_on, session))

    def worked(runner: Any) -> None:
        try:
            work(runner)
        finally:
            heard(runner)  # where it was ended before it came to that
            runner._for_session = None

    def heard_whole(safe: Any, *args: Any, **more: Any) -> None:
        try:
            hear(safe, *args, **more)
        finally:
            runner: Any = getattr(safe._yield_callback, "__self__", None)
            if isinstance(runner, ScriptRunner):
                heard(runner)

    def created(session: Any, what: Any) -> None:
        create(session, what)
        if session._scriptrunner is not None:
            session._scriptrunner._for_session = session

    def of_whole_page(said: Any) -> Any:
        whole = type(said)()
        whole.CopyFrom(said)
        whole.ClearField("fragment_id")
        return whole

    def presses(session: Any) -> deque[Any]:
        waiting: deque[Any] = vars(session).setdefault("_presses", deque(maxlen=MOST_WAITING))
        return waiting

    def carry_on(session: Any) -> None:
        waiting = presses(session)
        while waiting and not getattr(session._scriptrunner, "_unheard", False):
            said, runner = waiting.popleft(), session._scriptrunner
            part: Any = getattr(said, "fragment_id", "")
            if runner is not None and part:
                # Streamlit keeps it until the run is over, and forgets it where that is ended before.
                if runner._of_whole_page:
                    said = of_whole_page(said)
                else:
                    runner._unheard = True
            begin(session, said)

    def rerun(session: Any, client_state: Any) -> None:
        if getattr(client_state, "is_auto_rerun", False):  # a timer's: Streamlit has it wait for the run
            begin(session, client_state)
            return
        presses(session).append(client_state)
        carry_on(session)

    started.hears = True  # type: ignore[attr-defined]
    runners.start, runners._run_script_thread = started, worked
    states.on_script_will_rerun = heard_whole
    sessions.request_rerun, sessions._create_scriptrunner = rerun, created
