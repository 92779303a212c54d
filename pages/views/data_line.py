"""Name and size of the data on the stage, in a line."""

from __future__ import annotations

from datasets.base.counted import counted
from datasets.preparation import Prepared


def data_line(ready: Prepared, n_rows: int) -> str:
    """As in "Wine: 178 rows (44 held out), 13 features, 3 classes"; fewer than `n_rows` are called a sample."""
    raw, held_out = ready.raw, int(ready.held_out.sum())
    rows = counted(raw.n_samples, "row") if raw.n_samples == n_rows else sample_of(raw.n_samples, n_rows)
    rows += f" ({held_out:,} held out)" if held_out else ""
    classes = counted(raw.n_classes, "class", "classes") if raw.target is None else "a label of numbers"
    return f"{raw.name}: {rows}, {counted(raw.n_features, 'feature')}, {classes}"


def sample_of(n_sampled: int, n_rows: int) -> str:
    """As in "a sample of 100,000 of the 400,000 rows"."""
    return f"a sample of {n_sampled:,} of the {n_rows:,} rows"
