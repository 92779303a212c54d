"""CheckedInput: what a training is given, checked once."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

import numpy as np

from nca_core.initialisation import scaled_start
from nca_core.neighbours.pairwise_similarity import Similarity
from nca_core.supervision import Supervision, check_supervision
from nca_core.training_config import TrainingConfig
from nca_core.validation import check_features, check_held_out, check_initial, check_sample_weight, refuse_parts


class TrainingStopped(Exception):
    """Raised by `slot` to end a training before its next piece of work, even within a line search."""


@dataclass(frozen=True)
class CheckedInput:
    """The arguments of a training.

    Attributes
    ----------
    X : ndarray of shape (n_samples, n_features)
        Finite float64.
    labels : Supervision
        Class codes, or the similarity of targets.
    sample_weight : ndarray of shape (n_samples,) or None
        ω_i ≥ 0, not all 0.
    held_out : tuple[ndarray, ndarray] or None
        (X_test, y_test).
    """

    X: np.ndarray
    labels: Supervision
    sample_weight: np.ndarray | None
    held_out: tuple[np.ndarray, np.ndarray] | None

    def initial(
        self,
        initial: np.ndarray | None,
        config: TrainingConfig,
        slot: Callable[[], AbstractContextManager[object]],
    ) -> np.ndarray:
        """The A to start from, (n_components, n_features): the one given, or that of `config.initialisation`."""
        if initial is not None:
            return check_initial(initial, config.n_components, self.X.shape[1])
        return scaled_start(
            self.X,
            self.labels.start_codes,
            config.n_components,
            config.initialisation,
            config.random_state,
            slot=slot,
        ).transformation

    def why_nothing_can_be_learnt(self) -> str:
        """A sentence where every projection is as good as any other; else empty."""
        why = self.labels.why_nothing_can_be_learnt()
        if not why and not np.ptp(self.X, axis=0).any():
            why = "All rows are equal, so every projection is as good as any other."
        return why


def check_input(
    X: Any,
    y: Any,
    config: TrainingConfig,
    *,
    sample_weight: Any = None,
    held_out: Any = None,
    target_similarity: str | np.ndarray | Similarity | None = None,
    targets: Any = None,
    in_parts: bool = False,
) -> CheckedInput:
    """The arguments of a training as it takes them; X may be FeaturesInParts where `in_parts` says so.

    Raises
    ------
    ValueError
        For the first that cannot be trained on or with; the message names it.
    """
    if not in_parts:
        refuse_parts(X)
    X = check_features(X)
    config.check(X.shape[1])
    labels = check_supervision(y, len(X), target_similarity, targets)
    return CheckedInput(
        X,
        labels,
        None if sample_weight is None else check_sample_weight(sample_weight, len(X)),
        None if held_out is None else check_held_out(held_out, X.shape[1]),
    )
