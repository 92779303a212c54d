"""Figure 3 of the NCA paper: a network learns from pairs how faces are turned and how large they are."""

from __future__ import annotations

import numpy as np
from scipy.spatial.distance import cdist

from datasets.generators.turned_faces import draw_faces, pair_weights
from nca_core.neural.train import NetworkConfig, train_network
from nca_core.run import Slot
from study.experiments.base.cell import Cell
from study.experiments.base.outcome import Outcome

N_TRAIN, N_TEST, N_PEOPLE = 420, 140, 30
_NEAR = 5


def turned_faces(cell: Cell, slot: Slot) -> Outcome:
    """Train on pairs of drawn faces (eq. 8) and say how far their turn and size can be read off faces of others.

    The numbers, all on people that were not trained on: "angle" and "size", the greatest correlation of the turn and
    of the size with a direction or, about the best centre, with the polar angle and the radius; "angle_told" and
    "size_told", the share of the variance that the five nearest known faces tell.
    """
    rng = np.random.default_rng(cell.recipe.preparation.random_state)
    n = N_TRAIN + N_TEST
    angles, sizes, side = rng.uniform(-45, 45, n), rng.uniform(25, 35, n), rng.uniform(0, 2 * np.pi, n)
    people = rng.integers(0, N_PEOPLE, n)
    people[N_TRAIN:] += N_PEOPLE
    X = draw_faces(angles, sizes, people, 1.3 * np.stack([np.cos(side), np.sin(side)], axis=1))
    X += 0.02 * rng.standard_normal(X.shape)
    old, new = slice(0, N_TRAIN), slice(N_TRAIN, n)
    w = pair_weights(angles[old], sizes[old]) * (1.0 - np.eye(N_TRAIN))
    panel = cell.recipe.panels[0]
    settings = panel.all_settings()
    config = NetworkConfig(
        objective="pair_weights",
        max_iter=settings["max_iter"],
        n_hidden=settings["n_hidden"],
        random_state=panel.random_state,
    )
    trajectory = train_network(
        X[old], np.zeros(N_TRAIN, dtype=int), config, target_similarity=w, measure_accuracy=False, slot=slot
    )
    last = trajectory.snapshots[-1]
    if last.network is None:
        return Outcome(problem="The training gave no network.")
    Y = last.network.apply(X)
    numbers = {
        **polar(Y[new], angles[new], sizes[new]),
        "angle_told": _told(Y[old], angles[old], Y[new], angles[new]),
        "size_told": _told(Y[old], sizes[old], Y[new], sizes[new]),
        "iterations": float(last.iteration),
    }
    places = [
        [float(f"{value:.4g}") for value in (*place, angle)] for place, angle in zip(Y[new], angles[new], strict=True)
    ]
    codes = [int(size >= 30) for size in sizes[new]]
    return Outcome(numbers, N_TRAIN, N_TEST, ended=trajectory.reason, places=places, codes=codes)


def polar(Y: np.ndarray, angles: np.ndarray, sizes: np.ndarray) -> dict[str, float]:
    """How well polar coordinates about the best of many centres follow turn and size.

    Parameters
    ----------
    Y : ndarray of shape (n_samples, 2)
        Places.
    angles, sizes : ndarray of shape (n_samples,)
        What is to be read off.

    Returns
    -------
    dict
        "angle": the greatest |correlation| of the unwrapped polar angle with `angles` over the centres tried; "size":
        |correlation| of the radius with `sizes` about that centre.
    """
    low, high = Y.min(axis=0), Y.max(axis=0)
    reach = high - low
    best = (0.0, 0.0)
    for x in np.linspace(low[0] - 2 * reach[0], high[0] + 2 * reach[0], 41):
        for y in np.linspace(low[1] - 2 * reach[1], high[1] + 2 * reach[1], 41):
            away = Y - (x, y)
            turn = np.arctan2(away[:, 1], away[:, 0])
            turn = np.angle(np.exp(1j * (turn - np.angle(np.exp(1j * turn).sum()))))  # cut opposite to their mean
            found = abs(np.corrcoef(turn, angles)[0, 1]) if np.ptp(turn) > 0 else 0.0
            if found > best[0]:
                radius = np.linalg.norm(away, axis=1)
                best = (float(found), float(abs(np.corrcoef(radius, sizes)[0, 1])))
    return {"angle": best[0], "size": best[1]}


def _told(Y: np.ndarray, known: np.ndarray, asked: np.ndarray, values: np.ndarray) -> float:
    near = np.argsort(cdist(asked, Y), axis=1)[:, :_NEAR]
    return float(1.0 - np.mean((values - known[near].mean(axis=1)) ** 2) / np.var(values))
