"""What a page says reaches the server's loop in a few pieces, and the loop sends it without a look around in between.

A page is about a hundred messages. Streamlit hands each to the loop by itself, and the loop does whatever else there is
to do between two of them. Each time the interpreter's lock changes hands, and while others compute it takes
milliseconds until it comes back: the page waits for the loop, and the loop for the page.
"""

from __future__ import annotations

import asyncio
from collections import deque
from functools import partial
from typing import Any

SECONDS = 0.02  # that a message may wait for those after it; what ends a run takes all along
AT_ONCE = 32  # messages sent between two looks around


class _FewLooks:
    """What stands for asyncio where Streamlit sends: nearly all of its "let the others go on" return at once."""

    def __init__(self) -> None:
        self._sent = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(asyncio, name)

    async def sleep(self, seconds: float, result: Any = None) -> Any:
        if seconds == 0:
            self._sent += 1
            if self._sent % AT_ONCE:
                return result
        return await asyncio.sleep(seconds, result)


def install() -> None:
    """Gather what a run of a page says, where Streamlit hands it to the loop; a version with other insides does not."""
    try:
        from streamlit.runtime import runtime
        from streamlit.runtime.app_session import AppSession
        from streamlit.runtime.scriptrunner import ScriptRunnerEvent

        own: Any = AppSession
        if getattr(own._on_scriptrunner_event, "gathers", False):
            return
        needed = own._call_soon_on_event_loop, own._handle_scriptrunner_event_on_event_loop, own.request_rerun
        message, sends = ScriptRunnerEvent.ENQUEUE_FORWARD_MSG, runtime.asyncio is asyncio
    except (ImportError, AttributeError):
        return
    if not (all(map(callable, needed)) and sends):
        return

    def said_by(session: Any) -> deque[Any]:
        found: deque[Any] = vars(session).setdefault("_gathered", deque())
        return found

    def take(session: Any, said: deque[Any]) -> None:
        try:
            while said:
                sender, event, told = said.popleft()
                session._handle_scriptrunner_event_on_event_loop(sender, event, **told)
        finally:
            if said:  # one of them failed, and the others are none the worse for it
                session._call_soon_on_event_loop(partial(take, session, said))

    def gathered(session: Any, sender: Any, event: Any, **told: Any) -> None:
        said = said_by(session)
        said.append((sender, event, told))
        if event is not message:
            session._call_soon_on_event_loop(partial(take, session, said))
        elif len(said) == 1:  # the first of them; where the loop takes some meanwhile, it takes this one, too
            later = partial(session._event_loop.call_later, SECONDS, take, session, said)
            session._call_soon_on_event_loop(later)

    def rerun(session: Any, client_state: Any) -> None:
        take(session, said_by(session))  # from the next run on nobody listens to what the one before has said
        begin(session, client_state)

    begin = own.request_rerun
    own.request_rerun = rerun
    gathered.gathers = True  # type: ignore[attr-defined]
    own._on_scriptrunner_event = gathered
    runtime.asyncio = _FewLooks()  # type: ignore[assignment]
