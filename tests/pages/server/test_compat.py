"""The undocumented names of Streamlit are there in the installed version, and do what they are used for."""

import inspect
from types import SimpleNamespace

from streamlit.proto.Common_pb2 import FileURLs
from streamlit.runtime import Runtime
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
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
