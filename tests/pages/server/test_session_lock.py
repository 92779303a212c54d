"""Two threads that run one tab for a moment: neither loses what it has just written."""

from __future__ import annotations

import threading

import pytest
from streamlit.runtime.state.safe_session_state import SafeSessionState
from streamlit.runtime.state.session_state import SessionState

from pages.server import session_lock


@pytest.fixture
def two(monkeypatch):
    """What two runs of one tab hold."""
    monkeypatch.setattr(SafeSessionState, "__init__", SafeSessionState.__init__)  # and as it was afterwards
    session_lock.install()
    session_lock.install()
    state = SessionState()
    return [SafeSessionState(state, lambda: None) for _ in range(2)]


def test_while_one_run_clears_up_the_other_waits(two, monkeypatch):
    """The second one writes in between: after the first has copied what there is, and before it clears it."""
    one, other = two
    one["before"] = 1
    written = threading.Thread(target=other.__setitem__, args=("now", 2))
    compact = SessionState.__iter__

    def copying(state):
        yield from compact(state)
        written.start()
        written.join(0.2)

    monkeypatch.setattr(SessionState, "__iter__", copying)
    one.on_script_will_rerun(None)
    written.join(5)
    assert (other["now"], other["before"]) == (2, 1)


def test_tabs_do_not_wait_for_each_other(two):
    apart = SafeSessionState(SessionState(), lambda: None)
    with two[0].query_params():
        done = threading.Thread(target=apart.__setitem__, args=("x", 1), daemon=True)
        done.start()
        done.join(5)
        assert not done.is_alive()
