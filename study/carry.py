"""carried_over: the A of a training, for the same rows with other noise."""

from __future__ import annotations

import numpy as np

from nca_core.snapshot import Snapshot
from study.compare import Comparison
from study.features import prepared_for

_SAME = 1e-6  # of the spread of a picture, up to which two pictures are one


def carried_over(at: Snapshot, key: str, before: Comparison, after: Comparison) -> np.ndarray | None:
    """A over the features of a panel `after`, from which it can go on as it was `before`.

    Each feature keeps the weights that it has in its own units, whatever scaling stands between; columns of A for
    features that are new are zero. So new features leave every row where it is, and a feature that was multiplied
    stretches the picture along itself.

    Parameters
    ----------
    at : Snapshot
        Where the training of the panel is.
    key : str
        Key of the panel.
    before, after : Comparison
        The comparison that was trained in, and the same one with other noise.

    Returns
    -------
    ndarray of shape (n_components, n_panel_features) or None
        None where no matrix is carried: the projection is none, or shows the leading axes of a metric of full rank, or
        its features come from kernels or from fewer directions than the features now need.
    """
    panel, target = before.panel(key), after.panel(key).transformation
    if not panel.recipe.gives_frames or at.spectrum is not None or target is None:
        return None
    then, now = (
        prepared_for(panel.recipe.features, each.dataset, each.recipe.noise, each.recipe.preparation, each.prepared)
        for each in (before, after)
    )
    if then is None or now is None or at.transformation.shape[1] != then.dataset.n_features:
        return None
    weights = then.back_to_features(at.transformation)  # (n_components, n_raw_features)
    wanted = np.zeros((len(weights), now.raw.n_features))
    common = min(wanted.shape[1], weights.shape[1])  # the data's own features stand first, then those of noise
    wanted[:, :common] = weights[:, :common]
    A = now.forth_from_features(wanted)
    centred = now.raw.X[now.train] - now.raw.X[now.train].mean(axis=0)
    meant, found = centred @ wanted.T, now.dataset.X[now.train] @ A.T
    apart = np.abs(found - found.mean(axis=0) - meant).max()
    return A if A.shape == target.shape and apart <= _SAME * np.abs(meant).max() else None
