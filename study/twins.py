"""twins_of: panels whose projections are the same up to a rotation, so that nobody takes them for different ones."""

from __future__ import annotations

import numpy as np

from study.compare import Comparison

_SAME = 1e-6  # of the norm of the projected rows
_MOST_ROWS = 5_000


def twins_of(comparison: Comparison) -> dict[str, str]:
    """Key of a panel -> key of the first panel before it that puts the training rows in the same places.

    "The same" allows a shift, a rotation and a reflection, found by orthogonal Procrustes, and no scaling: then all
    distances are equal, and with them neighbours and accuracies. Trainings are left out, as they move on.
    """
    rows = np.flatnonzero(comparison.prepared.train)
    rows = rows[:: -(-len(rows) // _MOST_ROWS)] if len(rows) else rows
    found: dict[str, str] = {}
    places: dict[str, np.ndarray] = {}
    for panel in comparison.panels:
        if panel.problem or panel.config is not None:
            continue
        Y = panel.projected()[rows]
        Y = Y - Y.mean(axis=0)
        twin = next((key for key, other in places.items() if same_up_to_a_rotation(Y, other)), None)
        if twin is not None:
            found[panel.key] = twin
        else:
            places[panel.key] = Y
    return found


def same_up_to_a_rotation(Y: np.ndarray, other: np.ndarray) -> bool:
    """Whether centred points Y, (n_samples, n_components), are those of `other`, rotated or reflected."""
    norm, its_norm = float(np.linalg.norm(Y)), float(np.linalg.norm(other))
    if not 0 < norm < np.inf or abs(norm - its_norm) > _SAME * norm:
        return False
    left, _, right = np.linalg.svd((Y.T / norm) @ (other / norm))
    return bool(np.linalg.norm(Y @ (left @ right) - other) <= _SAME * norm)
