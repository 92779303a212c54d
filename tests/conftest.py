"""How the cases of a parametrised test are named, and where the servers of the tests keep what people have."""

from __future__ import annotations

import os
import tempfile

_STATE = tempfile.TemporaryDirectory(prefix="nca-tests-", ignore_cleanup_errors=True)
os.environ["XDG_STATE_HOME"] = _STATE.name  # nothing of the tests ends in the home of whoever runs them
os.environ.pop("NCA_EXPLORER_STORE", None)


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """Bytes are named by their place: what they hold may differ from one process to the next (gzip keeps the time),
    and the processes that share out the tests have to agree on every name."""
    return argname if isinstance(val, bytes) else None
