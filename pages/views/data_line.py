"""Name and size of the data on the stage, in a line."""

from __future__ import annotations

from datasets.base.counted import counted
from datasets.preparation import Prepared


def data_line(ready: Prepared) -> str:
    """As in "Wine: 178 rows (44 held out), 13 features, 3 classes"."""
    raw, held_out = ready.raw, int(ready.held_out.sum())
    rows = counted(raw.n_samples, "row") + (f" ({held_out:,} held out)" if held_out else "")
    classes = counted(raw.n_classes, "class", "classes") if raw.target is None else "a label of numbers"
    return f"{raw.name}: {rows}, {counted(raw.n_features, 'feature')}, {classes}"
