"""Foreign binary formats are read in a child process with a memory limit and a time-out: nothing a file does can
take the server down, and what comes back is JSON, never a pickle."""

from __future__ import annotations

import json
import time
from collections.abc import Callable

from datasets.base.child_process import ask_child
from datasets.base.errors import DataError
from datasets.reading.apart import ONE_THREAD, READER
from datasets.reading.format_names import FORMAT_NAMES
from datasets.reading.table import Limits, Table


def read_binary(
    kind: str,
    data: bytes,
    filename: str,
    sheet: str | None,
    limits: Limits,
    cancelled: Callable[[], bool],
    header_lines: int | None = None,
) -> Table:
    """Read `data` of `kind` in a child process, which is killed on time-out, on `cancelled()` and on any error here.

    Raises
    ------
    DataError
        The child's sentence, or one that says which limit it broke.
    """
    request = {
        "kind": kind,
        "filename": filename,
        "sheet": sheet,
        "header_lines": header_lines,
        "columns": limits.columns,
        "cells": limits.cells,
        "decoded_bytes": limits.decoded_bytes,
        "child_memory": limits.child_memory,
        "seconds": limits.seconds,
    }
    until = time.monotonic() + limits.seconds

    def check() -> None:
        if cancelled():
            raise DataError(f"Reading {filename} was cancelled.")
        if time.monotonic() > until:
            raise DataError(
                f"{filename} took longer than {limits.seconds:.0f} s to read and was given up. Save it as CSV."
            )

    code, answer = ask_child(
        READER,
        json.dumps(request).encode() + b"\n",
        data,
        check=check,
        environment=ONE_THREAD,
    )
    if code != 0:
        raise DataError(
            f"{filename} looks like {FORMAT_NAMES[kind]}, but reading it took more memory than the "
            f"{limits.child_memory / 1e9:.1f} GB allowed, or broke the reader. Save it as CSV."
        )
    reply = json.loads(answer)
    if "error" in reply:
        raise DataError(reply["error"])
    return Table(
        name=filename,
        columns=tuple(reply["columns"]),
        rows=list(map(tuple, reply["rows"])),
        line_numbers=tuple(reply["line_numbers"]),
        decimal=".",
        notes=tuple(reply["notes"]),
        sheets=tuple(reply["sheets"]),
        sheet=reply["sheet"],
    )
