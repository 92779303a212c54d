"""ARFF, dense and sparse, through liac-arff."""

from __future__ import annotations

import re
from typing import Any

from datasets.reading.formats.cell_text import cell_text
from datasets.reading.formats.cells import Cells, Refused

_DATE = re.compile(r"""^(\s*@attribute\s+(?:'[^']*'|"[^"]*"|\S+))\s+date\b.*$""", re.IGNORECASE)


def read_arff(data: bytes, request: dict[str, Any]) -> Cells:
    """Rows with the line of each; a nominal value that was not declared is refused with its line."""
    import arff

    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("cp1252", errors="replace")
    lines = text.splitlines()
    begin = next((k for k, line in enumerate(lines) if line.strip().lower().startswith("@data")), None)
    if begin is None:
        raise Refused("is an ARFF file without @data; nothing follows the attributes")
    numbers = [
        k + 1 for k in range(begin + 1, len(lines)) if lines[k].strip() and not lines[k].lstrip().startswith("%")
    ]
    n_columns = sum(line.lstrip().lower().startswith("@attribute") for line in lines[:begin])
    if n_columns > request["columns"]:
        raise Refused(f"has {n_columns:,} attributes; at most {request['columns']:,} are read")
    if n_columns * len(numbers) > request["cells"]:
        raise Refused(f"has {n_columns * len(numbers):,} cells; at most {request['cells']:,} are read")
    sparse = bool(numbers) and lines[numbers[0] - 1].lstrip().startswith("{")
    # The reader knows no dates; as text they are recognised later.
    text = "\n".join([*(_DATE.sub(r"\1 STRING", line) for line in lines[:begin]), *lines[begin:]])
    try:
        content = arff.loads(text, return_type=arff.LOD if sparse else arff.DENSE)
    except arff.BadNominalValue as error:
        place = numbers[int(error.line) - 1] if 0 < int(error.line or 0) <= len(numbers) else error.line
        value = str(error).removeprefix("Data value ").split(" not found")[0][:60]
        raise Refused(f"has, on line {place}, the value {value!r}, which its attribute does not declare") from None
    except arff.ArffException as error:
        reason = " ".join(str(error).split())[:160].rstrip(".")
        raise Refused(f"is not sound ARFF ({reason})") from None
    names = tuple(name for name, _ in content["attributes"])
    if sparse:
        # What a sparse row leaves out is 0, or the first value its nominal attribute declares.
        zero = ["0" if isinstance(kind, str) else str(kind[0]) for _, kind in content["attributes"]]
        rows = []
        for entries in content["data"]:
            row = list(zero)
            for k, value in entries.items():
                row[k] = cell_text(value)
            rows.append(tuple(row))
    else:
        rows = [tuple(map(cell_text, row)) for row in content["data"]]
    return Cells(names, rows, numbers[: len(rows)])
