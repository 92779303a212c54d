"""Foreign binary formats are read in a child process with a memory limit and a time-out: nothing a file does can
take the server down, and what comes back is JSON, never a pickle."""

from __future__ import annotations

import json
from collections.abc import Callable

from datasets.base.errors import DataError
from datasets.reading.ask_reader import ask_reader
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
        "sheet": sheet,
        "header_lines": header_lines,
        "columns": limits.columns,
        "cells": limits.cells,
        "decoded_bytes": limits.decoded_bytes,
    }
    broken = (
        f"{filename} looks like {FORMAT_NAMES[kind]}, but reading it took more memory than the "
        f"{limits.child_memory / 1e9:.1f} GB allowed, or broke the reader. Save it as CSV."
    )
    answer = ask_reader(request, data, filename, limits, cancelled, advice="Save it as CSV.", broken=broken)
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
