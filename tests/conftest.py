"""How the cases of a parametrised test are named, which files come first, and what of the environment no test sees."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.longest_first import LONGEST_FIRST

TESTS = Path(__file__).parent
_STATE = tempfile.TemporaryDirectory(prefix="nca-tests-", ignore_cleanup_errors=True)
os.environ["XDG_STATE_HOME"] = _STATE.name  # nothing of the tests ends in the home of whoever runs them
os.environ.pop("NCA_EXPLORER_STORE", None)
os.environ.pop("NCA_EXPLORER_DASK", None)  # tests of a cluster start one of their own
_compiling: list[subprocess.Popen[bytes]] = []


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """Bytes are named by their place: what they hold may differ from one process to the next (gzip keeps the time),
    and the processes that share out the tests have to agree on every name."""
    return argname if isinstance(val, bytes) else None


def pytest_xdist_auto_num_workers(config: object) -> int:
    """One process more than there are cores: most of a browser's test is waiting."""
    return (os.cpu_count() or 1) + 1


def pytest_configure(config) -> None:
    """Where several processes share out the tests: in the order of collection, and with the loops compiled once.

    xdist would hand out the files of most tests first. The loops, 23 seconds, are compiled while the processes collect;
    else each process of tests and each app would find the cache empty and compile them for itself.
    """
    if getattr(config.option, "numprocesses", None) and not hasattr(config, "workerinput"):
        config.option.loadscopereorder = False
        compiles = f"from nca_core.training.warm_up import compile_apart; compile_apart({os.getpid()})"
        command = [sys.executable, "-c", compiles]
        _compiling.append(subprocess.Popen(command, cwd=TESTS.parent, stdout=subprocess.DEVNULL))


def pytest_unconfigure() -> None:
    for child in _compiling:
        child.kill()
        child.wait()


def pytest_collection_modifyitems(items) -> None:
    """The files that take longest come first: one that is begun last would be waited for by all processes."""
    places = {TESTS / name: place for place, name in enumerate(LONGEST_FIRST)}
    items.sort(key=lambda item: places.get(item.path, len(places)))
