"""The store that the settings name; without one a folder of the user's own, so that a restart loses no work."""

from __future__ import annotations

import logging
import os
import tempfile
from pathlib import Path

from pages.server.store import Store

VARIABLE, MOST_VARIABLE = "NCA_EXPLORER_STORE", "NCA_EXPLORER_STORE_MB"
OFF = "off"
_log = logging.getLogger(__name__)


def default_folder() -> Path:
    """nca-explorer in XDG_STATE_HOME, unless that is relative, else in ~/.local/state.

    Raises
    ------
    RuntimeError
        For a user without a home.
    """
    shared = os.environ.get("XDG_STATE_HOME", "")
    return (Path(shared) if os.path.isabs(shared) else Path.home() / ".local" / "state") / "nca-explorer"


def store_of_settings(seconds: float, port: int) -> Store | None:
    """The store; None where nothing is to be kept, or the user's own folder cannot be written.

    Servers share a store that is named. That of the user is shared by whatever he starts, so a server finds there what
    was written under its own port only: a browser sends the same cookie to all ports of a machine.

    Raises
    ------
    Exception
        Where one is named that cannot be used, or not now; fsspec raises whatever the libraries behind it raise.
    """
    named = os.environ.get(VARIABLE)
    if named is not None and named.strip().lower() in ("", OFF):
        return None
    most_bytes = 1e6 * float(os.environ.get(MOST_VARIABLE, "2000"))
    return _own_store(seconds, most_bytes, port) if named is None else Store(named.strip(), seconds, most_bytes)


def _own_store(seconds: float, most_bytes: float, port: int) -> Store | None:
    where = "a folder of this user"
    try:
        folder = default_folder()
        where = str(folder)
        store = Store(where, seconds, most_bytes, apart=str(port))
        store.make_root()
        folder.chmod(0o700)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except (OSError, RuntimeError) as error:  # a container, a user without a home
        why = getattr(error, "strerror", None) or error
        _log.warning(
            "Work is not kept over a restart, as %s cannot be written (%s); %s names another folder, or says %s.",
            *(where, why, VARIABLE, OFF),
        )
        return None
    return store
