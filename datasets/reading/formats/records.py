"""JSON: a list of records, a dictionary of columns, or one record a line."""

from __future__ import annotations

import json
from typing import Any

from datasets.base.first_few import first_few
from datasets.reading.formats.cell_text import cell_text
from datasets.reading.formats.cells import Cells, Refused


def read_records(data: bytes, request: dict[str, Any]) -> Cells:
    """[{"a": 1, "label": "x"}, …]; {"a": [1, …], "label": ["x", …]}; {"a": 1, "label": "x"} on each line; one list of
    records beside other things; and what pandas writes with orient "columns", "index", "split" and "records"."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Refused("is JSON but not UTF-8; save it as UTF-8") from None
    try:
        content = json.loads(text)
    except json.JSONDecodeError as error:
        content = _lines(text, error)
    if isinstance(content, dict):
        content = _from_columns(content)
    if not isinstance(content, list) or not all(isinstance(record, dict) for record in content):
        raise Refused('is JSON but not a list of records such as [{"a": 1, "label": "x"}]')
    names: dict[str, None] = {}
    for record in content:
        names.update(dict.fromkeys(record))
        if len(names) > request["columns"]:
            raise Refused(f"has more than {request['columns']:,} different keys; at most that many columns are read")
    if len(names) * len(content) > request["cells"]:
        raise Refused(f"has {len(names) * len(content):,} cells; at most {request['cells']:,} are read")
    nested = [name for name in names if any(isinstance(record.get(name), (dict, list)) for record in content)]
    kept = tuple(name for name in names if name not in nested)
    if not kept:
        raise Refused("is JSON whose records hold no plain values; save it as a list of records or as CSV")
    notes = [f"Left out, as nested: {first_few(nested)}."] if nested else []
    rows = [tuple(cell_text(record.get(name)) for name in kept) for record in content]
    return Cells(kept, rows, list(range(1, len(rows) + 1)), notes)


def _are_records(values: object) -> bool:
    return isinstance(values, list) and bool(values) and all(isinstance(record, dict) for record in values)


def _lines(text: str, error: json.JSONDecodeError) -> list[object]:
    """One record a line; where that fails too, the first error is told."""
    lines = [line for line in text.splitlines() if line.strip()]
    if len(lines) > 1 and error.msg == "Extra data":
        try:
            return [json.loads(line) for line in lines]
        except json.JSONDecodeError:
            pass
    raise Refused(f"is not sound JSON: line {error.lineno}, column {error.colno}: {error.msg}")


def _from_columns(content: dict[str, Any]) -> list[dict[str, Any]]:
    tables = [values for values in content.values() if _are_records(values)]
    if len(tables) == 1:  # {"source": "...", "data": [{...}, ...]}
        return tables[0]
    names, rows = content.get("columns"), content.get("data")
    if isinstance(names, list) and isinstance(rows, list) and all(isinstance(row, list) for row in rows):
        if any(len(row) != len(names) for row in rows):
            raise Refused("is JSON whose rows under 'data' have other lengths than its 'columns'")
        return [dict(zip(map(str, names), row, strict=True)) for row in rows]
    if content and all(isinstance(values, dict) for values in content.values()):
        # As pandas writes a table: {"a": {"0": 1, "1": 2}, "label": {"0": "x", "1": "y"}}.
        if all(name.isdigit() for name in content):  # or row by row, by orient "index"
            return list(content.values())
        keys = dict.fromkeys(key for values in content.values() for key in values)
        return [{name: values.get(key) for name, values in content.items()} for key in keys]
    if not content or not all(isinstance(values, list) for values in content.values()):
        return [content]
    if len({len(values) for values in content.values()}) != 1:
        sizes = ", ".join(f"{name!r}: {len(values)}" for name, values in list(content.items())[:5])
        raise Refused(f"is JSON with columns of different lengths ({sizes})")
    return [dict(zip(content, row, strict=True)) for row in zip(*content.values(), strict=True)]
