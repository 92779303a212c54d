"""How long pictures are shown: a calm training lasts 8 to 10 s and takes its time where the picture changes."""

import itertools
import math
from collections.abc import Sequence

import numpy as np

from nca_core.snapshot import Snapshot

_PER_PICTURE, _PER_MOTION, _GROWTH, _POWER = 0.05, 4.5, 0.06, 0.7
_EASY, _MOST, _BEND = 7.0, 10.0, 5.0  # seconds: played as they are, in all, and how fast the rest is pressed together
_ROWS = 300


def nominal_seconds(before: np.ndarray, after: np.ndarray) -> float:
    """Seconds from one picture to the next, before the whole is compressed to ten.

    t = 0.05 + 4.5 (m^0.7 + 0.06 |log s'/s|), with s the root mean square distance of the points from their mean and
    m = rms(y'_i/s' − y_i/s), how far the points move in a view that fits them. As in stage/module/player.js.

    before, after: places of the same points, centred, (n_points, n_components).
    """
    first, last = (math.sqrt(np.mean(np.sum(Y * Y, axis=1))) or 1.0 for Y in (before, after))
    motion = math.sqrt(np.mean(np.sum((after / last - before / first) ** 2, axis=1)))
    growth = abs(math.log(last / first))
    seconds = _PER_PICTURE + _PER_MOTION * (motion**_POWER + _GROWTH * growth)
    return seconds if math.isfinite(seconds) else _PER_PICTURE


def pressed(seconds: float) -> float:
    """Compress times: unchanged up to 7 s, all others below 10 s."""
    return min(seconds, _EASY + (_MOST - _EASY) * (1 - math.exp(-max(0.0, seconds - _EASY) / _BEND)))


def show_times(pictures: Sequence[np.ndarray]) -> list[float]:
    """When each of the pictures of a training is shown, in seconds from the first, (n_points, n_components) each."""
    due, times = 0.0, [0.0]
    for before, after in itertools.pairwise(pictures):
        due += nominal_seconds(before, after)
        times.append(pressed(due))
    return times


class CalmPace:
    """Time to rest after each iteration, so that the picture can follow.

    X: what is projected; evenly spread rows of many, (n_samples, n_features).
    """

    def __init__(self, X: np.ndarray) -> None:
        rows = np.asarray(X[:: max(1, len(X) // _ROWS)], dtype=float)
        self._X = rows - rows.mean(axis=0)
        self._before: np.ndarray | None = None
        self._due = 0.0

    def __call__(self, snapshot: Snapshot) -> float:
        """Seconds that the picture needs for the way from the previous snapshot to this one."""
        if snapshot.coordinates is None:
            Y = self._X @ snapshot.transformation.T
        else:
            Y = snapshot.coordinates[:: max(1, len(snapshot.coordinates) // _ROWS)]
            Y = Y - np.nan_to_num(Y.mean(axis=0))
        before, self._before = self._before, Y
        if before is None or before.shape != Y.shape:
            return 0.0
        shown = pressed(self._due)
        self._due += nominal_seconds(before, Y)
        return pressed(self._due) - shown
