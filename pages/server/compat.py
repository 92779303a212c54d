"""Undocumented names of Streamlit, each tested against the installed version; says what is lost without it."""

from typing import Any

from streamlit import runtime
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.state.safe_session_state import SafeSessionState
from streamlit.runtime.uploaded_file_manager import DeletedFile, UploadedFile

__all__ = ["DeletedFile", "UploadedFile"]  # without: a file lost by a restart would look like a field without a file


def session_id() -> str:
    """Id of the running script's session; without: a reload could not tell living tabs from closed ones."""
    context = get_script_run_ctx(suppress_warning=True)
    return "" if context is None else context.session_id


def session_lives(session: str) -> bool:
    """Whether a browser is connected; without: trainings of closed tabs would take places until they expire."""
    return not runtime.exists() or runtime.get_instance().is_active_session(session)


def uploaded_files() -> MemoryUploadedFileManager | None:
    """Streamlit's uploads; without: each session would keep every file it was sent in memory."""
    manager = runtime.get_instance().uploaded_file_mgr if runtime.exists() else None
    return manager if isinstance(manager, MemoryUploadedFileManager) else None


def finish_callbacks() -> None:
    """Look at the next request only once the callbacks of this one have run; without: of two quick presses, or of a
    press and a report of the page, one is lost."""
    begin = SafeSessionState.on_script_will_rerun

    def begin_whole(safe: Any, *args: Any, **kwargs: Any) -> None:
        runner = safe._yield_callback.__self__
        runner._execing = False
        try:
            begin(safe, *args, **kwargs)
        finally:
            runner._execing = True

    own: Any = SafeSessionState
    own.on_script_will_rerun = begin_whole
