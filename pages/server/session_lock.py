"""Two threads that run one tab for a moment take turns at what Streamlit keeps for it.

A press ends the page that is being run and begins another run at once; the first goes on until it next speaks to
Streamlit. Streamlit guards what it keeps for a tab by a lock of each run, so that two runs do not keep each other out:
a value that one has just written is gone where the other clears up ("st.session_state has no key").
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any
from weakref import WeakValueDictionary

_locks: WeakValueDictionary[int, Any] = WeakValueDictionary()  # by the id of what is kept for a tab; its runs hold them
_one_asks = threading.Lock()


def install() -> None:
    """Have all runs of a tab share one lock, where this version of Streamlit has such locks."""
    try:
        from streamlit.runtime.state.safe_session_state import SafeSessionState

        make: Any = SafeSessionState.__init__
    except (ImportError, AttributeError):
        return
    if getattr(make, "shares", False):
        return

    def sharing(safe: SafeSessionState, state: Any, yield_callback: Callable[[], None]) -> None:
        make(safe, state, yield_callback)
        if "_lock" in vars(safe):
            with _one_asks:
                object.__setattr__(safe, "_lock", _locks.setdefault(id(state), threading.RLock()))

    sharing.shares = True  # type: ignore[attr-defined]
    own: Any = SafeSessionState
    own.__init__ = sharing
