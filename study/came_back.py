"""Does it come back? A training from where a hand has put A, beside where it was before."""

from __future__ import annotations

from nca_core.snapshot import Snapshot
from study.optima import ALIKE, AS_GOOD, procrustes_distances


def came_back(title: str, before: Snapshot, moved: Snapshot, now: Snapshot, ended: bool) -> str:
    """What became of it, in a sentence.

    Parameters
    ----------
    title : str
        The panel.
    before, moved, now : Snapshot
        Where the training was when a hand took hold of A, where the hand left it, and where the training from there is.
    ended : bool
        Whether that has come to its end.
    """
    how = f"{title} was at f/n = {before.mean_p:.3f}; you moved it to {moved.mean_p:.3f}"
    if not ended:
        return f"{how}, and it is climbing: {now.mean_p:.3f} at iteration {now.iteration}."
    apart = float(procrustes_distances([before.transformation, now.transformation])[0, 1])
    climbed = f"{how}, and it climbed to {now.mean_p:.3f}"
    gain = now.mean_p - before.mean_p
    if apart <= ALIKE and abs(gain) <= AS_GOOD:
        return f"{climbed}: it came back to the same view (Procrustes distance {apart:.2f})."
    if abs(gain) <= AS_GOOD:
        return f"{climbed}: to another view that is about as good (Procrustes distance {apart:.2f})."
    worth = "better" if gain > 0 else "worse"
    view = "nearly the same view" if apart <= ALIKE else "another view"
    return f"{climbed}: to {view}, which is {worth} (Procrustes distance {apart:.2f})."
