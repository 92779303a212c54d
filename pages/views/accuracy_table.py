"""The table that compares the panels by the accuracy of nearest neighbours."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pyarrow as pa

from study.measure import Measurement


def accuracy_table(measurements: Sequence[Measurement]) -> pa.Table:
    """One row a panel; the columns of K neighbours and of held-out rows only where there are such."""
    measured = [one.accuracies for one in measurements]
    several = any(one.k for one in measurements)
    held_out = not all(math.isnan(one.held_out_1nn) for one in measured)
    columns: dict[str, list[object]] = {
        "Projection": [one.title for one in measurements],
    }
    if held_out:
        columns["1-NN, held-out rows"] = [one.held_out_1nn for one in measured]
    columns["1-NN, training rows (optimistic)"] = [one.leave_one_out_1nn for one in measured]
    if several:
        columns["K = rounded K̂"] = [one.k for one in measurements]
        if held_out:
            columns["K-NN, held-out rows"] = [one.held_out_knn for one in measured]
        columns["K-NN, training rows (optimistic)"] = [one.leave_one_out_knn for one in measured]
    # Streamlit takes it as it is; of a data frame it makes one first, at each run of the page.
    return pa.table({name: pa.array(each, from_pandas=True) for name, each in columns.items()})  # NaN is a gap
