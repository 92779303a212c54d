"""Where: in which process a training makes its iterations; `here`, or a function of the same form that asks another."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any, Protocol

import numpy as np

from nca_core.snapshot import Snapshot, Trajectory
from nca_core.training_config import TrainingConfig

Slot = Callable[[], AbstractContextManager[object]]


class Owner(Protocol):
    """The run that a training belongs to."""

    @property
    def stopped(self) -> bool:
        """Whether it is to end before its next piece of work."""

    def say(self, note: str) -> None:
        """Tell people something about where it is made."""


class Where(Protocol):
    """Carries out `train`, which has the signature of `nca_core.training.train`, in the calling thread or for it.

    `on_snapshot` is called in the calling thread, in order; while it does not return, the training is held. What it and
    `slot` raise to end the training, and how the training ends, is as for `train`.
    """

    def __call__(
        self,
        owner: Owner,
        train: Callable[..., Trajectory],
        X: np.ndarray,
        y: np.ndarray,
        config: TrainingConfig,
        on_snapshot: Callable[[Snapshot], None],
        *,
        slot: Slot,
        **options: Any,
    ) -> Trajectory: ...


def here(
    owner: Owner,
    train: Callable[..., Trajectory],
    X: np.ndarray,
    y: np.ndarray,
    config: TrainingConfig,
    on_snapshot: Callable[[Snapshot], None],
    *,
    slot: Slot,
    **options: Any,
) -> Trajectory:
    """In the calling thread."""
    return train(X, y, config, on_snapshot, slot=slot, **options)
