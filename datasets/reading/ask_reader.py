"""ask_reader: have a file read in the child process, with a memory limit, a time-out and a way to cancel."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any, BinaryIO

from datasets.base.child_process import ask_child
from datasets.base.errors import DataError
from datasets.reading.table import Limits

_READER = "datasets.reading.child"
_ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "ARROW_DEFAULT_MEMORY_POOL": "system"}


def ask_reader(
    request: dict[str, Any],
    data: bytes,
    filename: str,
    limits: Limits,
    cancelled: Callable[[], bool],
    *,
    advice: str,
    broken: str,
    answer: BinaryIO | None = None,
) -> bytes:
    """What the child answers to `request` about `data`; written to the file `answer` where there is one.

    It is killed on time-out and on `cancelled()`; nothing that a file does to it reaches the server.

    Raises
    ------
    DataError
        Cancelled, out of time (with `advice`), or, where the child ended otherwise, `broken`.
    """
    until = time.monotonic() + limits.seconds

    def check() -> None:
        if cancelled():
            raise DataError(f"Reading {filename} was cancelled.")
        if time.monotonic() > until:
            raise DataError(f"{filename} took longer than {limits.seconds:.0f} s to read and was given up. {advice}")

    limited = request | {
        "filename": filename,
        "child_memory": limits.child_memory,
        "seconds": limits.seconds,
    }
    question = json.dumps(limited).encode() + b"\n"
    code, said = ask_child(_READER, question, data, check=check, answer=answer, environment=_ONE_THREAD)
    if code != 0:
        raise DataError(broken)
    return said
