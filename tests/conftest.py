"""How the cases of a parametrised test are named, and what of the environment no test is to see."""

from __future__ import annotations

import os

os.environ.pop("NCA_EXPLORER_DASK", None)  # tests of a cluster start one of their own


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """Bytes are named by their place: what they hold may differ from one process to the next (gzip keeps the time),
    and the processes that share out the tests have to agree on every name."""
    return argname if isinstance(val, bytes) else None
