"""The first rows of a table as they were read, cell by cell as text."""

from __future__ import annotations

import pandas as pd

from datasets.base.counted import counted
from datasets.reading import Table, on_one_line
from datasets.reading.table import unique_names
from pages.text.plain_text import visible

MOST_ROWS = 50
MOST_COLUMNS = 30
_MOST_LETTERS = 200


def preview_frame(table: Table) -> pd.DataFrame:
    """Line number and cells of the first rows; line breaks show as ⏎, control characters are written out."""
    width = min(MOST_COLUMNS, len(table.columns))
    rows = table.rows[:MOST_ROWS]
    lines = pd.Series(table.line_numbers[:MOST_ROWS], name="line")
    names = unique_names(("line", *(visible(name) for name in table.columns[:width])))[1:]
    cells = {name: [visible(on_one_line(row[k])[:_MOST_LETTERS]) for row in rows] for k, name in enumerate(names)}
    return pd.DataFrame({"line": lines, **cells})


def preview_caption(table: Table) -> str:
    """How much of the table the preview shows."""
    n, width = len(table.rows), len(table.columns)
    rows = (
        f"The first {MOST_ROWS} of {n:,} rows" if n > MOST_ROWS else ("The only row" if n == 1 else f"All {n:,} rows")
    )
    columns = (
        f"the first {MOST_COLUMNS} of {width:,} columns" if width > MOST_COLUMNS else f"all {counted(width, 'column')}"
    )
    return f"{rows}, {columns}."
