"""What lessons claim, computed again without the engine's own code."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from scipy.special import logsumexp

from lessons import LESSONS
from study.recipe import with_seed


def chances(Y, y):
    """(p_ij, p_i, K of each point) by log-sum-exp over all pairs."""
    logs = -((Y[:, None] - Y[None]) ** 2).sum(axis=2)
    np.fill_diagonal(logs, -np.inf)
    p = np.exp(logs - logsumexp(logs, axis=1, keepdims=True))
    entropy = -(p * np.log(np.where(p > 0, p, 1.0))).sum(axis=1)
    return p, (p * (y[:, None] == y[None])).sum(axis=1), np.exp(entropy)


def places(found, key, iteration=-1, scale=1.0):
    """(Y, y) of all rows of a panel, by a matrix product."""
    panel = found.comparison.panel(key)
    A = panel.transformation if key not in found.trajectories else None
    if A is None:
        A = found.trajectories[key].snapshots[iteration].transformation
    return scale * panel.X @ A.T, panel.y


def trained(found, key, iteration=-1, scale=1.0):
    """(Y, y) of the training rows."""
    Y, y = places(found, key, iteration, scale)
    rows = found.comparison.prepared.train
    return Y[rows], y[rows]


def leave_one_out(found, key):
    """Share of training rows whose nearest other training row has their class."""
    Y, y = trained(found, key)
    squares = ((Y[:, None] - Y[None]) ** 2).sum(axis=2)
    np.fill_diagonal(squares, np.inf)
    return float(np.mean(y[squares.argmin(axis=1)] == y))


def held_out(found, key, k=1):
    """The k-nearest-neighbour accuracy on held-out rows; of classes with as many votes the nearest row decides."""
    Y, y = places(found, key)
    ready = found.comparison.prepared
    squares = ((Y[ready.held_out][:, None] - Y[ready.train][None]) ** 2).sum(axis=2)
    told = []
    for row in squares:
        near = y[ready.train][np.argsort(row, kind="stable")[:k]]
        votes = np.bincount(near)
        told.append(next(code for code in near if votes[code] == votes.max()))
    return float(np.mean(np.array(told) == y[ready.held_out]))


def varied(recipe, seed):
    """The recipe with another split, other generated data and other starts; the very same for 0."""
    if not seed:
        return recipe
    other = with_seed(recipe, seed)
    starts = zip(other.panels, recipe.panels, strict=True)
    return replace(other, panels=tuple(replace(new, random_state=old.random_state + 100 * seed) for new, old in starts))


def facts(key, step, seed=0):
    """What a lesson measures for the answer of a step, by its place."""
    at = LESSONS[key].steps[step]
    return at.question.facts(varied(at.shown(True), seed))


def f(found, key, iteration=-1):
    """Mean p_i."""
    return chances(*trained(found, key, iteration))[1].mean()


def k_hat(found, key, iteration=-1, scale=1.0):
    """exp of the mean entropy."""
    return float(np.exp(np.log(chances(*trained(found, key, iteration, scale))[2]).mean()))


def arrows(found, row, key="nca"):
    """Length of ∂p_i/∂y_j of a training row for each other one at the start, by differences."""
    Y, y = trained(found, key, 0)
    lengths = np.zeros(len(y))
    for j in set(range(len(y))) - {row}:
        slopes = []
        for c in range(Y.shape[1]):
            step = np.zeros_like(Y)
            step[j, c] = 1e-6
            slopes.append((chances(Y + step, y)[1][row] - chances(Y - step, y)[1][row]) / 2e-6)
        lengths[j] = np.hypot(*slopes)
    return lengths
