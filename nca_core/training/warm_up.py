"""Compile the pair loops ahead, in another process, so that the server stays quick meanwhile.

`python -m nca_core.training.warm_up` compiles once for scripts, whose first fit of some hundred points
otherwise does.
"""

import ctypes
import logging
import os
import signal
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path

import numpy as np

from nca_core.neighbours.base.threads import DENSE_READY, defer_sums, release_sums
from nca_core.neighbours.choose import SUMMATION_METHODS
from nca_core.training.gate import NICENESS, lower_priority

_log = logging.getLogger(__name__)
_TIME_LIMIT = 300.0


def _few() -> tuple[np.random.Generator, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 4)), np.arange(60) % 3
    X[0] += 100.0  # an isolated point
    return rng, X, y


def _compile(method: str) -> None:
    """Compile the loops of a method in up to three components, or load them from numba's cache on disk."""
    from nca_core.objectives.evaluator import Evaluator

    rng, X, y = _few()
    Evaluator(X, y, objective="g", summation=method).evaluate(rng.normal(size=(2, 4)))


def compile_all() -> None:
    """Compile every loop by small evaluations, or load it from numba's cache on disk."""
    from nca_core.objectives.evaluator import Evaluator

    for method in SUMMATION_METHODS:
        _compile(method)
    rng, X, y = _few()
    crowd, in_one = rng.normal(size=(4_000, 5)), np.zeros(4_000, dtype=np.int64)  # enough for a grid, and for a tree
    Evaluator(crowd, in_one, summation="spectral").evaluate(np.eye(2, 5) * 0.1)
    Evaluator(crowd, in_one).evaluate(np.eye(5) * 10.0)
    Evaluator(X, y).gradient_of_queries(np.eye(4), np.arange(5))
    wide = rng.normal(size=(60, 40))
    wide[0] += 100.0
    for d in (20, 40):
        Evaluator(wide, y, objective="g", summation="dense").evaluate(np.eye(d, 40) * 0.3)
    in_twos = np.repeat(wide[1:31], 2, axis=0)  # few pull on each other
    Evaluator(in_twos, y, summation="dense").evaluate(np.eye(40) * 2.0)


def compile_apart(parent: int) -> None:
    """`compile_all` in a process; on Linux it ends with its parent, elsewhere when it is done.

    It prints a line as soon as the dense method is compiled, and has a low priority from then on.
    """
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):  # another C library
            ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG
        if os.getppid() != parent:
            return
    _compile("dense")
    print("dense", flush=True)
    if os.name == "posix":
        os.nice(NICENESS + 5)
    compile_all()


def warm_up() -> None:
    """Fill numba's cache from another process, then load from it; sums over more than some points wait meanwhile.

    A first picture of up to 800 points waits for the dense method alone. The calling thread, and the threads of the
    sums, which it starts, get a low priority.
    """
    defer_sums()
    root = Path(__file__).resolve().parents[2]  # holds nca_core
    command = f"from nca_core.training.warm_up import compile_apart; compile_apart({os.getpid()})"
    try:
        # The child lowers its own priority: a `preexec_fn` would fork with the interpreter's lock held, and OpenBLAS
        # waits in a fork for its threads, a deadlock if one of these waits for the lock.
        child = subprocess.Popen(
            [sys.executable, "-c", command], cwd=root, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        lower_priority()
        limit = threading.Timer(_TIME_LIMIT, child.kill)
        limit.start()
        try:
            if child.stdout is not None and child.stdout.readline():
                DENSE_READY.set()
            failed = child.wait() != 0
        finally:
            limit.cancel()
        if failed:
            _log.warning("compiling ahead failed, so the first training compiles")
    except (OSError, subprocess.SubprocessError) as error:
        _log.warning("compiling ahead failed, so the first training compiles: %s", error)
    finally:
        release_sums()
    compile_all()


if __name__ == "__main__":
    compile_all()
