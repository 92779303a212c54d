"""ask_child: one question to a module of ours in a process of its own, which can be ended at any moment."""

from __future__ import annotations

import contextlib
import ctypes
import os
import runpy
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import BinaryIO

_ROOT = Path(__file__).resolve().parents[2]
_POLL_SECONDS = 0.1
_PR_SET_PDEATHSIG = 1  # of <sys/prctl.h>


def ask_child(
    module: str,
    *question: bytes,
    check: Callable[[], None],
    answer: BinaryIO | None = None,
    environment: Mapping[str, str] = MappingProxyType({}),
) -> tuple[int, bytes]:
    """(exit code, what it printed) of `python -m module`, given the question on stdin; it is gone afterwards.

    module: of this project, wherever the server was started.
    question: what it reads, in one part or several.
    check: called ten times a second while it works; whatever that raises kills it.
    answer: A file for its output, where that may be large; otherwise the output is returned.
    environment: variables besides those of this process.
    """
    # Through a file, not a pipe: after a time-out `communicate` forgets what it has not sent yet (CPython 3.11).
    with tempfile.TemporaryFile() as stdin:
        stdin.writelines(question)
        stdin.seek(0)
        child = subprocess.Popen(
            [sys.executable, "-m", __name__, module, str(os.getpid())],
            stdin=stdin,
            stdout=subprocess.PIPE if answer is None else answer,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": str(_ROOT), "PYTHONIOENCODING": "utf-8", **environment},
        )
    try:
        while True:
            with contextlib.suppress(subprocess.TimeoutExpired):
                printed = child.communicate(timeout=_POLL_SECONDS)[0]
                return child.returncode, printed or b""
            check()
    finally:
        if child.poll() is None:
            child.kill()
            child.communicate()


def _end_with(parent: int) -> None:
    """On Linux: end when the parent does, though that be killed; elsewhere a child's own limits end it."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):  # another C library
            ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:
            os._exit(1)


if __name__ == "__main__":
    _end_with(int(sys.argv[2]))
    runpy.run_module(sys.argv[1], run_name="__main__", alter_sys=True)
