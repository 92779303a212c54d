"""train_diagonal: NCA with one weight for each feature, shown along the axes in which the weighted rows spread most."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace

import numpy as np

from nca_core.checked_input import check_input
from nca_core.covariance import principal_axes
from nca_core.progress import Progress
from nca_core.snapshot import Snapshot, Trajectory
from nca_core.training import train
from nca_core.training_config import TrainingConfig
from nca_core.truncation import turned_towards

_SHARE = 1e-2  # of the greatest squared weight: a start without it would never see a feature whose weight is 0


def train_diagonal(
    X: np.ndarray,
    y: np.ndarray,
    config: TrainingConfig,
    on_snapshot: Callable[[Snapshot], None] | None = None,
    *,
    sample_weight: np.ndarray | None = None,
    held_out: tuple[np.ndarray, np.ndarray] | None = None,
    initial: np.ndarray | None = None,
    targets: np.ndarray | None = None,
    slot: Callable[[], AbstractContextManager[object]] = nullcontext,
    measure_accuracy: bool = True,
) -> Trajectory:
    """Maximise an objective of NCA over A = diag(a) in all dimensions.

    Each snapshot's `transformation` is V diag(a), V the leading principal axes of the weighted rows, turned to lie on
    the one before; accuracies, mean p_i and K̂ belong to it, `objective` to diag(a) itself.

    Parameters
    ----------
    X, y, on_snapshot, sample_weight, held_out, targets, slot, measure_accuracy
        As for `nca_core.training.train`; without measure_accuracy, mean p_i and K̂ are NaN too.
    config : TrainingConfig
        How to train; `n_components` is what is shown.
    initial : ndarray or None
        An A, (n_components, n_features): a starts from the lengths of its columns.

    Returns
    -------
    Trajectory

    Raises
    ------
    ValueError
        For input that cannot be trained on.

    References
    ----------
    Goldberger, Roweis, Hinton, Salakhutdinov: Neighbourhood Components Analysis, NIPS 2004, figure 1 ("diag-NCA").
    """
    given = check_input(
        X,
        y,
        config,
        sample_weight=sample_weight,
        held_out=held_out,
        target_similarity=config.target_similarity,
        targets=targets,
    )
    D = given.X.shape[1]
    centred = given.X - given.X.mean(axis=0)
    codes = given.labels.codes
    progress = Progress(given.X, codes, given.held_out, config.random_state, on_snapshot, slot, measure_accuracy)
    square = None
    if initial is not None:
        lengths = np.sum(given.initial(initial, config, slot) ** 2, axis=0)
        square = np.diag(np.sqrt(np.maximum(lengths, _SHARE * lengths.max())))

    def heard(snapshot: Snapshot) -> None:
        a = np.diag(snapshot.transformation)
        shown = principal_axes(centred * a, config.n_components) * a
        if progress.snapshots:
            shown = turned_towards(shown, progress.snapshots[-1].transformation, centred)
        progress.record(shown, snapshot.objective, snapshot.gradient_norm)

    end = train(
        given.X,
        y,
        replace(config, n_components=D, shape="diagonal"),
        heard,
        sample_weight=given.sample_weight,
        initial=square,
        targets=targets,
        slot=slot,
        measure_accuracy=False,
        keep_path=False,
    )
    return Trajectory(tuple(progress.snapshots), end.ended, end.reason, k_determined=end.k_determined)
