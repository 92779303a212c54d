"""stratified_rows: the one stratified sampler, for training samples, held-out rows, thumbnails and the stage."""

from __future__ import annotations

import numpy as np


def stratified_rows(y: np.ndarray, count: int, rng: np.random.Generator) -> np.ndarray:
    """Draw row numbers that take the same share of each class.

    The rows are shuffled, sorted by class and picked at equal distances from a random first one (systematic
    sampling), so a class of m rows gives ⌊m count / n⌋ or one more.

    y: class codes, shape (n_samples,); UNLABELLED rows count as a class of their own.
    count: how many rows to draw, at most n_samples.
    rng: where the randomness comes from.

    Returns row numbers, sorted and distinct, shape (count,).
    """
    order = rng.permutation(len(y))
    by_class = order[np.argsort(y[order], kind="stable")]
    places = np.floor((np.arange(count) + rng.uniform()) * len(y) / count).astype(int)
    return np.sort(by_class[np.minimum(places, len(y) - 1)])
