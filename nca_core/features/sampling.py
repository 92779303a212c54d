"""A sample of the rows in which every class keeps its share."""

from __future__ import annotations

import numpy as np


def stratified_sample(y: np.ndarray, size: int, rng: np.random.Generator) -> np.ndarray:
    """Sorted row numbers of about `size` rows, never more than twice as many.

    Each class keeps its share, but at least two of its members. Where there are too many classes for that, the largest
    ones are kept.

    y: class codes, (n_samples,).
    size: how many rows are wanted; all are returned where there are no more.
    """
    if size >= len(y):
        return np.arange(len(y))
    _, counts = np.unique(y, return_counts=True)
    ends, by_class = np.cumsum(counts), np.argsort(y, kind="stable")
    chosen, room = np.arange(len(counts)), max(1, size // 2)
    if len(chosen) > room:
        chosen = np.sort(np.lexsort((rng.random(len(counts)), -counts))[:room])
    rows = []
    for code in chosen:
        members = by_class[ends[code] - counts[code] : ends[code]]
        wanted = min(len(members), max(2, round(size * len(members) / len(y))))
        rows.append(rng.choice(members, wanted, replace=False))
    return np.sort(np.concatenate(rows))
