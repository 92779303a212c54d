"""One file per foreign format; each runs in the child process only and imports its library when it is asked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from datasets.reading.formats.arff import read_arff
from datasets.reading.formats.arrays import read_npy, read_npz
from datasets.reading.formats.cells import Cells
from datasets.reading.formats.excel import read_excel
from datasets.reading.formats.parquet import read_parquet
from datasets.reading.formats.records import read_records
from datasets.reading.formats.svmlight import read_svmlight

READERS: dict[str, Callable[[bytes, dict[str, Any]], Cells]] = {
    "excel": read_excel,
    "parquet": read_parquet,
    "npz": read_npz,
    "npy": read_npy,
    "arff": read_arff,
    "json": read_records,
    "svmlight": read_svmlight,
}
