"""Files as the world makes them -> Table: detected by content, checked for size first, foreign binaries in a child."""

from datasets.reading.door import read_table
from datasets.reading.options import ENCODINGS, SEPARATORS, ReadOptions
from datasets.reading.table import Limits, Table, as_number

__all__ = ["ENCODINGS", "SEPARATORS", "Limits", "ReadOptions", "Table", "as_number", "read_table"]
