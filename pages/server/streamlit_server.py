"""What the server's own code asks of Streamlit: its settings, and the files that it keeps for a session."""

from __future__ import annotations

from typing import Any

from streamlit import config, runtime
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager


def setting(name: str) -> Any:
    """One of Streamlit's settings of the server, such as "baseUrlPath"."""
    return config.get_option(f"server.{name}")


def keep_few_uploads(session_id: str, most: int) -> None:
    """The oldest files of a session go; the pages have taken what they asked for."""
    manager = runtime.get_instance().uploaded_file_mgr if runtime.exists() else None
    if not isinstance(manager, MemoryUploadedFileManager):
        return
    for file_id in list(manager.file_storage.get(session_id, ()))[:-most]:
        manager.remove_file(session_id, file_id)
