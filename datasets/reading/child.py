"""The child process that reads one foreign file: a request line and the bytes on stdin, JSON on stdout.

For a binary format that is one object, for a packed file or a long text the pieces of a table, a line each.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import sys
import warnings
from collections.abc import Iterator
from typing import Any

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


def _confine(request: dict) -> None:
    with contextlib.suppress(ImportError):  # not on Windows; the time-out holds there all the same
        import resource

        size = int(request["child_memory"])
        resource.setrlimit(resource.RLIMIT_AS, (size, size))
        seconds = int(request["seconds"]) + 1
        # The parent may be killed while this runs: then the processor limit ends it.
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def answer(request: dict, data: bytes) -> dict:
    """The table as plain lists, or {"error": one sentence}; whatever a library raises becomes a sentence."""
    from datasets.reading import formats
    from datasets.reading.format_names import FORMAT_NAMES
    from datasets.reading.formats.cells import Refused
    from datasets.reading.names import count_header_lines, header_note, joined_names
    from datasets.reading.preamble import count_titles, titles_note
    from datasets.reading.table import unique_names

    name = request["filename"]
    try:
        cells = formats.READERS[request["kind"]](data, request)
        if not cells.rows:
            raise Refused("holds no rows")
        columns, notes = cells.columns, cells.notes
        if columns is None:
            said = request.get("header_lines")
            n_titles = count_titles(cells.rows, header_is_said=said is not None)
            if n_titles:
                notes.append(titles_note(cells.rows[:n_titles]))
            n_names = count_header_lines(cells.rows[n_titles:]) if said is None else max(0, int(said))
            top = n_titles + n_names
            columns = joined_names(cells.rows[n_titles:top], len(cells.rows[0]))
            cells.rows, cells.line_numbers = cells.rows[top:], cells.line_numbers[top:]
            notes += header_note(n_names, "row")
        if not cells.rows:
            raise Refused("has a header row and no rows below it")
    except Refused as refused:
        return {"error": f"{name} {refused}."}
    except MemoryError:
        return {"error": f"{name} needs more memory than is allowed to read. Save a smaller part of it."}
    except RecursionError:
        return {"error": f"{name} is nested too deeply to be a table. Save it as CSV."}
    except Exception as error:  # a foreign library met a foreign file: anything can be raised here
        reason = " ".join(str(error).split())[:120] or type(error).__name__
        what = FORMAT_NAMES[request["kind"]]
        return {"error": f"{name} is damaged and cannot be read as {what} ({reason}). Save it again."}
    return {
        "columns": unique_names(tuple(columns)),
        "rows": cells.rows,
        "line_numbers": cells.line_numbers,
        "notes": notes,
        "sheets": cells.sheets,
        "sheet": cells.sheet,
    }


def pieces(request: dict, data: bytes) -> Iterator[Any]:
    """The table in a file of any kind, piece by piece; whatever is raised becomes a sentence."""
    from datasets.base.errors import DataError
    from datasets.reading.apart import pieces_of, pieces_of_error
    from datasets.reading.kinds import kind_of, unzipped
    from datasets.reading.options import ReadOptions
    from datasets.reading.table import Limits, Table
    from datasets.reading.text import read_text

    name, limits = request["filename"], Limits(**request["limits"])
    options = ReadOptions(**request["options"] | {"missing": tuple(request["options"]["missing"])})
    try:
        data = unzipped(data, name, limits)
        kind = kind_of(data, name)
        if kind == "text":
            return pieces_of(read_text(data, name, limits, options))
        reply = answer({**request, **request["limits"], "kind": kind, "header_lines": options.header_lines}, data)
        if "error" in reply:
            raise DataError(reply["error"])
        reply |= {"rows": list(map(tuple, reply["rows"])), "columns": tuple(reply["columns"])}
        return pieces_of(Table(name=name, decimal=".", **reply))
    except DataError as error:
        return pieces_of_error(error)
    except MemoryError:
        return iter([{"error": f"{name} needs more memory than is allowed to read. Save a smaller part of it."}])


def as_bytes(reply: Any) -> bytes:
    """As JSON in UTF-8; half a surrogate pair, which JSON can escape but no page can show, becomes U+FFFD."""
    return _LONE_SURROGATE.sub("\ufffd", json.dumps(reply, ensure_ascii=False)).encode()


def main() -> None:
    request = json.loads(sys.stdin.buffer.readline())
    _confine(request)
    warnings.simplefilter("ignore")
    output = sys.stdout.buffer
    sys.stdout = io.StringIO()  # what a library prints must not end in the answer
    data = sys.stdin.buffer.read()
    for piece in pieces(request, data) if request["kind"] == "any" else [answer(request, data)]:
        output.write(as_bytes(piece) + b"\n")
    output.flush()
    os._exit(0)  # nothing is left to tidy, and a library's own threads may fail while the interpreter goes down


if __name__ == "__main__":
    main()
