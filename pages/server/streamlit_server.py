"""What the server's own code asks of Streamlit: its settings, and the files that it keeps for a session."""

from __future__ import annotations

from typing import Any

from streamlit import config, runtime
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager


def setting(name: str) -> Any:
    """One of Streamlit's settings of the server, such as "baseUrlPath"."""
    return config.get_option(f"server.{name}")


def keep_few_uploads(session_id: str, most: int, most_bytes: float) -> None:
    """The oldest files of a session go; of all together too much, those of whoever has most.

    What the pages asked for they have taken.
    """
    manager = runtime.get_instance().uploaded_file_mgr if runtime.exists() else None
    if not isinstance(manager, MemoryUploadedFileManager):
        return
    for file_id in list(manager.file_storage.get(session_id, ()))[:-most]:
        manager.remove_file(session_id, file_id)
    while (held := _held_bytes(manager)) and sum(held.values()) > most_bytes:
        largest = max(held, key=lambda session: held[session])
        manager.remove_file(largest, next(iter(manager.file_storage[largest])))


def _held_bytes(manager: MemoryUploadedFileManager) -> dict[str, int]:
    """By session; not of those that have no file."""
    sizes = {s: sum(len(file.data) for file in list(files.values())) for s, files in list(manager.file_storage.items())}
    return {session: size for session, size in sizes.items() if size}


def forget_upload(session_id: str, file_id: str) -> None:
    """A page has taken the file: what it keeps of it is counted, and a second hold on it is not needed."""
    manager = runtime.get_instance().uploaded_file_mgr if runtime.exists() else None
    if isinstance(manager, MemoryUploadedFileManager):
        manager.remove_file(session_id, file_id)
