"""Rows of two classes, some held out and some without a label, and their p_ij by brute force."""

import numpy as np

_RNG = np.random.default_rng(5)
X = _RNG.normal(size=(70, 4)) + np.repeat(np.eye(4)[:2] * 1.5, 35, axis=0)
CENTRED = X - X.mean(axis=0)
LABELS = np.repeat([0, 1], 35)
LABELS[[3, 40]] = -1
HELD_OUT = np.arange(70) % 5 == 0
TRAIN = (LABELS >= 0) & ~HELD_OUT
POINT = 36
A0, A1 = np.eye(2, 4), 1.5 * _RNG.normal(size=(2, 4))


def picks(Y, i):
    """Training rows but i, the nearest first, their distances and p_ij."""
    rows = np.flatnonzero(TRAIN & (np.arange(len(Y)) != i))
    distances = np.linalg.norm(Y[rows] - Y[i], axis=1)
    order = np.argsort(distances, kind="stable")
    rows, distances = rows[order], distances[order]
    p = np.exp(distances[0] ** 2 - distances**2)
    return rows, distances, p / p.sum()


def local(Y, i):
    """Radius of the circle that holds 90 % of p_ij, p_i, and exp(entropy of p_ij)."""
    rows, distances, p = picks(Y, i)
    seen = p[p > 0]
    own = p[LABELS[rows] == LABELS[i]].sum()
    return distances[np.searchsorted(np.cumsum(p), 0.9)], own, np.exp(-np.sum(seen * np.log(seen)))
