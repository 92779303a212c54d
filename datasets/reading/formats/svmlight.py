"""libsvm (svmlight) files through scikit-learn: a label, then index:value pairs; what a line leaves out is 0."""

from __future__ import annotations

import io
from typing import Any

import numpy as np

from datasets.reading.formats.cell_text import cell_text
from datasets.reading.formats.cells import Cells, Refused


def read_svmlight(data: bytes, request: dict[str, Any]) -> Cells:
    """The label first, then a column for each index; of more cells than are read rows are drawn at random."""
    from sklearn.datasets import load_svmlight_file

    lines = data.removeprefix(b"\xef\xbb\xbf").splitlines()
    numbers = [k + 1 for k, line in enumerate(lines) if line.partition(b"#")[0].strip()]
    try:
        # Counting from 0, index j is column j; a file that counts from 1 has a first column that is not there.
        X, y = load_svmlight_file(io.BytesIO(b"\n".join(lines)), zero_based=True)
    except ValueError:
        raise Refused(
            f"looks like a libsvm file, but line {_faulty(lines, numbers)} is not a label and index:value pairs with "
            "growing indices. Mend the line"
        ) from None
    begin = 0 if X[:, :1].nnz else 1
    n_columns = X.shape[1] - begin + 1
    if n_columns > request["columns"]:
        raise Refused(
            f"is a libsvm file with indices up to {X.shape[1] - 1:,}; at most {request['columns']:,} columns are read. "
            "Keep fewer features"
        )
    notes = ["A libsvm file: a label, then index:value pairs; what a line leaves out is 0."]
    most = max(1, request["cells"] // n_columns)
    if len(numbers) > most:
        drawn = np.sort(np.random.default_rng(0).choice(len(numbers), most, replace=False))
        notes.append(f"It has {len(numbers):,} rows, more than are read at once: {most:,} were drawn at random.")
        X, y, numbers = X[drawn], y[drawn], [numbers[k] for k in drawn.tolist()]
    values = X[:, begin:].toarray().tolist()
    rows = [(cell_text(label), *(map(cell_text, row))) for label, row in zip(y.tolist(), values, strict=True)]
    names = ("label", *(f"feature {k}" for k in range(begin, X.shape[1])))
    return Cells(names, rows, numbers, notes)


def _faulty(lines: list[bytes], numbers: list[int]) -> int:
    """The first line that cannot be read, by halving: all files that end above it can."""
    from sklearn.datasets import load_svmlight_file

    sound, broken = 0, len(numbers)  # rows that can be read, and that cannot
    while broken - sound > 1:
        middle = (sound + broken) // 2
        try:
            load_svmlight_file(io.BytesIO(b"\n".join(lines[: numbers[middle - 1]])), zero_based=True)
            sound = middle
        except ValueError:
            broken = middle
    return numbers[broken - 1]
