"""Parquet through pyarrow, in small batches: a kilobyte of it can stand for hundreds of megabytes of text."""

from __future__ import annotations

import io
from typing import Any

from datasets.base.first_few import first_few
from datasets.reading.formats.cell_text import cell_text
from datasets.reading.formats.cells import Cells, Refused

_MAX_TEXT = 100_000_000


def read_parquet(data: bytes, request: dict[str, Any]) -> Cells:
    """All rows, after the footer's counts have been looked at."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    pa.set_cpu_count(1)
    file = pq.ParquetFile(io.BytesIO(data))
    footer = file.metadata
    size = sum(footer.row_group(k).total_byte_size for k in range(footer.num_row_groups))
    if size > request["decoded_bytes"]:
        raise Refused(f"unpacks to {size / 1e6:,.0f} MB; at most {request['decoded_bytes'] // 1_000_000} MB are read")
    if footer.num_columns > request["columns"]:
        raise Refused(f"has {footer.num_columns:,} columns; at most {request['columns']:,} are read")
    if footer.num_rows * footer.num_columns > request["cells"]:
        raise Refused(
            f"has {footer.num_rows:,} rows of {footer.num_columns} columns; at most {request['cells']:,} cells are "
            "read: save a sample of the rows"
        )
    schema = file.schema_arrow
    nested = [field.name for field in schema if pa.types.is_nested(field.type)]
    names = tuple(name for name in schema.names if name not in nested)
    if not names:
        raise Refused("holds only nested columns; save it with one value a cell")
    rows: list[tuple[str, ...]] = []
    total = 0
    # The keys of a dictionary page may be long: few rows at a time until their length is known.
    for batch in file.iter_batches(batch_size=1024, columns=list(names), use_threads=False):
        columns = []
        for column in batch.columns:
            cells = [cell_text(value) for value in column.to_pylist()]
            total += sum(map(len, cells))
            if total > _MAX_TEXT:
                raise Refused(f"unpacks to more than {_MAX_TEXT // 1_000_000} MB of cells; save a sample of the rows")
            columns.append(cells)
        rows.extend(zip(*columns, strict=True))
    notes = [f"Left out, as nested: {first_few(nested)}."] if nested else []
    return Cells(names, rows, list(range(1, len(rows) + 1)), notes)
