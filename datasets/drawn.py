"""A data set of points that were painted on the drawing board."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from datasets.base.dataset import Dataset, Source
from datasets.base.errors import DataError
from datasets.base.words import counted, numbered

MOST_POINTS = 5_000
MOST_NOISE_DIMENSIONS = 30
CLASSES = 9
HALF_HEIGHT, HALF_WIDTH = 1000, 1333  # as on the board: thousandths of half its height


@dataclass(frozen=True)
class Drawing:
    """Painted points: `flat` is x, y, class, x, y, class, … as whole numbers, x and y in thousandths."""

    flat: tuple[int, ...] = ()

    @property
    def points(self) -> np.ndarray:
        """Coordinates, (n, 2): y in [-1, 1] upwards, x in [-1.333, 1.333]."""
        return self._table()[:, :2] / HALF_HEIGHT

    @property
    def codes(self) -> np.ndarray:
        """Class of each point, (n,), 0 … 8."""
        return self._table()[:, 2]

    def _table(self) -> np.ndarray:
        return np.array(self.flat, dtype=np.int64).reshape(-1, 3)


_BOARD = Source("Painted on the drawing board")


def is_drawn(dataset: Dataset) -> bool:
    """Whether the first two features are those of the board."""
    return dataset.source == _BOARD and dataset.feature_names[:2] == ("x", "y")


def on_the_board(A: np.ndarray, dataset: Dataset) -> np.ndarray:
    """A picture of a drawing, turned and mirrored until the board's x points right and its y up, as far as they can.

    A, (n_components, n_features), becomes R A with the orthogonal R that maximises the trace of R A[:, :2]; distances
    in the picture stay. Of other data A stays as it is.
    """
    if not is_drawn(dataset):
        return A
    U, _, Vt = np.linalg.svd(A[:, :2] @ np.eye(2, len(A)))  # (n_components, n_components)
    return np.asarray((U @ Vt).T @ A)


def drawing_from(sent: Any) -> Drawing:
    """What a browser sent as a drawing; only whole points on the board count, and only as many as it holds."""
    if not isinstance(sent, Sequence) or isinstance(sent, (str, bytes)):
        return Drawing()
    kept: list[int] = []
    for x, y, code in zip(*[iter(sent)] * 3, strict=False):
        if not all(isinstance(value, int) for value in (x, y, code)):
            continue
        if abs(x) <= HALF_WIDTH and abs(y) <= HALF_HEIGHT and 0 <= code < CLASSES:
            kept += (x, y, code)
    return Drawing(tuple(kept[: 3 * MOST_POINTS]))


def drawn_dataset(
    points: np.ndarray,
    codes: np.ndarray,
    noise_dimensions: int = 0,
    noise_scale: float = 1.0,
    random_state: int = 0,
    name: str = "Drawing",
) -> Dataset:
    """The painted points, with columns of noise beside them where those are wanted.

    points: painted coordinates, (n_samples, 2), in units of half the board's height.
    codes: painted class of each point, (n_samples,), counted from 0; classes without a point are left out.
    noise_dimensions: columns of independent N(0, noise_scale²) that follow the two coordinates; 0 … 30.
    noise_scale, random_state: standard deviation of the noise, in the same units as the points, and its seed.
    name: shown as the data set's name.

    Raises DataError: fewer than 3 points, a single class, or only classes of one point each.
    """
    if len(points) < 3:
        there = "There is" if len(points) == 1 else "There are"
        raise DataError(f"{there} {counted(len(points), 'point')} on the board; paint at least 3, of two classes.")
    used, y, counts = np.unique(codes, return_inverse=True, return_counts=True)
    if len(used) < 2:
        raise DataError("All points on the board are of one class; pick another class and paint points of it too.")
    if counts.max() < 2:
        raise DataError(
            f"Each of the {len(used)} classes on the board has a single point; paint at least two points of one class."
        )
    rng = np.random.default_rng(random_state)
    noise = noise_scale * rng.standard_normal((len(points), noise_dimensions))
    return Dataset(
        name=name.strip() or "Drawing",
        X=np.hstack([points, noise]),
        y=y.astype(np.int64),
        feature_names=("x", "y", *numbered("noise", noise_dimensions)),
        class_names=tuple(f"class {code + 1}" for code in used),
        source=_BOARD,
        notes=_notes(noise_dimensions, noise_scale, random_state),
    )


def _notes(noise_dimensions: int, noise_scale: float, random_state: int) -> tuple[str, ...]:
    if not noise_dimensions:
        return ()
    return (
        f"{counted(noise_dimensions, 'noise dimension')} with a standard deviation of {noise_scale:g} beside the two "
        f"that were painted (seed {random_state}); the board is 2 units high.",
    )
