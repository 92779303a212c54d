"""How the cases of a parametrised test are named, which files come first, and what of the environment no test sees."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from tests.longest_first import LONGEST_FIRST

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


def pytest_configure(config) -> None:
    """`--dist loadfile` hands files out in the order that they are collected in, not those of many tests first."""
    if hasattr(config.option, "loadscopereorder"):
        config.option.loadscopereorder = False


def pytest_collection_modifyitems(items) -> None:
    """The files that take longest come first: one that is begun last would be waited for by all processes."""
    tests = Path(__file__).parent
    places = {tests / name: place for place, name in enumerate(LONGEST_FIRST)}
    items.sort(key=lambda item: places.get(item.path, len(places)))
