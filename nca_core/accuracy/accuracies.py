"""Accuracies: the four numbers that say how well a projection classifies, measured in one way everywhere."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nca_core.accuracy.votes import Neighbourhood

QUERIES = 2_000  # a fixed random sample of so many points votes where there are more


@dataclass(frozen=True)
class Accuracies:
    """Shares of points whose class the nearest neighbours vote for; NaN without points."""

    # training points by their nearest neighbour, and by K neighbours, the point itself left out
    leave_one_out_1nn: float = float("nan")
    leave_one_out_knn: float = float("nan")
    held_out_1nn: float = float("nan")  # held-out points by the training points nearest to them
    held_out_knn: float = float("nan")


def accuracies_of(
    Y: np.ndarray,
    y: np.ndarray,
    held_out: tuple[np.ndarray, np.ndarray] | None,
    k: int,
    random_state: int,
    points: Neighbourhood | None = None,
) -> Accuracies:
    """The accuracies of projected points.

    Y: projected training points, (n_samples, n_components).
    y: their class codes, negative for unlabelled, (n_samples,).
    held_out: projected points that were not trained on, and their codes, (n_test, n_components).
    k: neighbours that vote beside one; 0 asks one only.
    random_state: seed of the sample of `QUERIES` points where there are more.
    points: `points_of` these points, where they are asked with one k after another.
    """
    points = points_of(Y, y, random_state) if points is None else points
    ks = (1, k) if k else (1,)
    nothing = float("nan")
    inside = (*points.leave_one_out(ks), nothing)[:2]
    if held_out is None or not len(held_out[0]):
        return Accuracies(*inside)
    return Accuracies(*inside, *(*points.held_out(*held_out, ks), nothing)[:2])


def points_of(Y: np.ndarray, y: np.ndarray, random_state: int, every_k: bool = False) -> Neighbourhood:
    """The points that `accuracies_of` asks; with `every_k`, for one K after another."""
    return Neighbourhood(Y, y, max_queries=QUERIES, random_state=random_state, every_k=every_k)
