"""The undocumented names of Streamlit are there in the installed version, and do what they are used for."""

import inspect
from types import SimpleNamespace

import pytest
from streamlit.proto.Common_pb2 import FileURLs
from streamlit.runtime import Runtime
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.scriptrunner import RerunData, RerunException, ScriptRunner
from streamlit.runtime.state.safe_session_state import SafeSessionState
from streamlit.runtime.state.session_state import SessionState
from streamlit.runtime.uploaded_file_manager import UploadedFileRec
from streamlit.testing.v1 import AppTest

from pages.server import compat


def test_a_run_has_a_session():
    assert compat.session_id() == ""

    def script():
        import streamlit as st

        from pages.server.compat import session_id

        st.session_state["id"] = session_id()

    assert AppTest.from_function(script).run().session_state["id"]


def test_a_session_lives_until_the_runtime_says_otherwise(monkeypatch):
    assert compat.session_lives("any")  # there is no server in this test
    assert list(inspect.signature(Runtime.is_active_session).parameters) == ["self", "session_id"]

    ended = SimpleNamespace(is_active_session=lambda session_id: session_id == "open")
    monkeypatch.setattr(compat.runtime, "exists", lambda: True)
    monkeypatch.setattr(compat.runtime, "get_instance", lambda: ended)
    assert compat.session_lives("open")
    assert not compat.session_lives("closed")


def test_uploaded_files_can_be_listed_and_removed(monkeypatch):
    manager = MemoryUploadedFileManager("/_stcore/upload_file")
    manager.add_file("tab", UploadedFileRec("one", "a.csv", "text/csv", b"1,2"))
    assert [len(file.data) for file in manager.file_storage["tab"].values()] == [3]
    manager.remove_file("tab", "one")
    assert not manager.file_storage.get("tab")
    assert compat.uploaded_files() is None

    monkeypatch.setattr(compat.runtime, "exists", lambda: True)
    monkeypatch.setattr(compat.runtime, "get_instance", lambda: SimpleNamespace(uploaded_file_mgr=manager))
    assert compat.uploaded_files() is manager
    file = compat.UploadedFile(UploadedFileRec("one", "a.csv", "text/csv", b"1,2"), FileURLs())
    assert (file.file_id, file.getvalue()) == ("one", b"1,2")
    assert compat.DeletedFile("one").file_id == "one"


class OneRequest:
    """Stands in for a script run that a waiting request interrupts wherever it looks."""

    def __init__(self):
        self._execing = True

    def look(self):
        if self._execing:
            raise RerunException(RerunData())


def test_a_request_that_comes_meanwhile_waits_until_the_callbacks_have_run(monkeypatch):
    monkeypatch.setattr(SafeSessionState, "on_script_will_rerun", SafeSessionState.on_script_will_rerun)
    runner, state = OneRequest(), SessionState()
    safe = SafeSessionState(state, runner.look)
    monkeypatch.setattr(SessionState, "on_script_will_rerun", lambda *_, **__: safe.__setitem__("step", 2))
    with pytest.raises(RerunException):
        safe.on_script_will_rerun(None)
    assert "step" not in state
    compat.finish_callbacks()
    safe.on_script_will_rerun(None)
    assert state["step"] == 2
    with pytest.raises(RerunException):  # and then it is answered
        safe["step"] = 3


def test_a_script_looks_for_the_next_request_right_after_its_callbacks():
    source = inspect.getsource(ScriptRunner._run_script)
    callbacks = source.index("self._session_state.on_script_will_rerun(")
    assert callbacks < source.index("self._maybe_handle_execution_control_request()", callbacks)
    assert "if not self._execing:" in inspect.getsource(ScriptRunner._maybe_handle_execution_control_request)
