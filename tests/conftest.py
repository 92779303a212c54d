"""How the cases of a parametrised test are named, and what of the environment no test is to see."""

from __future__ import annotations

import os
import tempfile

_STATE = tempfile.TemporaryDirectory(prefix="nca-tests-", ignore_cleanup_errors=True)
os.environ["XDG_STATE_HOME"] = _STATE.name  # nothing of the tests ends in the home of whoever runs them
os.environ.pop("NCA_EXPLORER_STORE", None)
os.environ.pop("NCA_EXPLORER_DASK", None)  # tests of a cluster start one of their own


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """Bytes are named by their place: what they hold may differ from one process to the next (gzip keeps the time),
    and the processes that share out the tests have to agree on every name."""
    return argname if isinstance(val, bytes) else None


def pytest_xdist_auto_num_workers(config: object) -> int:
    """One process more than there are cores: most of a browser's test is waiting."""
    return (os.cpu_count() or 1) + 1
