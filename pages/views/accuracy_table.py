"""The table that compares the projections by the accuracy of nearest neighbours."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import pandas as pd


def accuracy_table(lines: Sequence[Any]) -> pd.DataFrame:
    """One row a projection; the columns of K = round(K̂) and of held-out rows only where there are such."""
    k = lines[0].k
    several = f"K = {k} (rounded K̂)"
    columns = {
        "Projection": [line.projection for line in lines],
        "Leave-one-out, K = 1": [line.one for line in lines],
    }
    if k:
        columns[f"Leave-one-out, {several}"] = [line.several for line in lines]
    if not all(math.isnan(line.held_out_one) for line in lines):
        columns["Held-out, K = 1"] = [line.held_out_one for line in lines]
        if k:
            columns[f"Held-out, {several}"] = [line.held_out_several for line in lines]
    return pd.DataFrame(columns)
