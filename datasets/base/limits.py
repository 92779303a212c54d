"""Limits: how much of a file is read."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """How much is read."""

    file_bytes: int = 50_000_000  # of the file as it is
    decoded_bytes: int = 400_000_000  # of what it unpacks to
    text_bytes: int = 120_000_000  # of a text table, unpacked
    lines: int = 10_000_000  # of a text table, blank ones and comments too, for each takes time
    columns: int = 20_000  # of a table
    cells: int = 5_000_000  # of a table; of a longer text table rows are drawn at random, other formats are refused
    seconds: float = 60.0  # that a binary format may take
    child_memory: int = 1_500_000_000  # address space in bytes of the process that reads it
