"""Does it come back? A training from where a hand has put A, beside where it was before."""

from __future__ import annotations

import numpy as np

from datasets.base.percent import percent
from nca_core.snapshot import Snapshot
from study.landscape import AS_GOOD
from study.views_apart import procrustes_distances

ALIKE = 0.1  # of the spread of a view, by which the rows may lie apart in two that are called the same


def came_back(title: str, before: Snapshot, moved: Snapshot, now: Snapshot, ended: bool, X: np.ndarray) -> str:
    """What became of it, in a sentence.

    Parameters
    ----------
    title : str
        The panel.
    before, moved, now : Snapshot
        Where the training was when a hand took hold of A, where the hand left it, and where the training from there is.
    ended : bool
        Whether that has come to its end.
    X : ndarray of shape (n_rows, n_features)
        The rows that are viewed.
    """
    how = f"{title} was at f/n = {before.mean_p:.3f}; you moved it to {moved.mean_p:.3f}"
    if not ended:
        return f"{how}, and it is climbing: {now.mean_p:.3f} at iteration {now.iteration}."
    centred = (X - X.mean(axis=0)).T
    apart = float(procrustes_distances([at.transformation @ centred for at in (before, now)])[0, 1])
    away = f"(turned and scaled onto it, rows lie {percent(apart)} of its spread away)"
    climbed = f"{how}, and it climbed to {now.mean_p:.3f}"
    gain = now.mean_p - before.mean_p
    if apart <= ALIKE and abs(gain) <= AS_GOOD:
        return f"Yes: {climbed}, back to the same view {away}."
    if abs(gain) <= AS_GOOD:
        return f"No: {climbed}, to another view that is about as good {away}."
    worth = "better" if gain > 0 else "worse"
    if apart <= ALIKE:
        return f"Nearly: {climbed}, to a view much like it, which is {worth} {away}."
    return f"No: {climbed}, to another view, which is {worth} {away}."
