"""Log unexpected errors under an id that the page shows."""

from __future__ import annotations

import logging
import secrets

_log = logging.getLogger(__name__)


def logged(error: BaseException) -> str:
    """Write the error with its traceback to the log; a sentence with its id there."""
    name = secrets.token_hex(4)
    _log.error("Error %s", name, exc_info=error)
    return f"The server's log has it as error {name}."
