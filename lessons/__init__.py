"""LESSONS: the path from a shadow to one's own data. A lesson is one file here and its name in this list."""

from __future__ import annotations

from lessons.base.lesson import Lesson
from lessons.choosing_k import CHOOSING_K
from lessons.neighbour import NEIGHBOUR
from lessons.other_methods import OTHER_METHODS
from lessons.outliers import OUTLIERS
from lessons.overfitting import OVERFITTING
from lessons.pull import PULL
from lessons.scale import SCALE
from lessons.scaling import SCALING
from lessons.shadow import SHADOW
from lessons.starts import STARTS

_IN_ORDER = (
    SHADOW,
    NEIGHBOUR,
    PULL,
    SCALE,
    OVERFITTING,
    STARTS,
    OUTLIERS,
    OTHER_METHODS,
    SCALING,
    CHOOSING_K,
)
LESSONS: dict[str, Lesson] = {lesson.key: lesson for lesson in _IN_ORDER}
