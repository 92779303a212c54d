"""LESSONS: the path from a shadow to one's own data. A lesson is one file here and its name in this list."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from lessons.base.lesson import Lesson, Number
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

_IN_ORDER = SHADOW, NEIGHBOUR, PULL, SCALE, OVERFITTING, STARTS, OUTLIERS, OTHER_METHODS, SCALING, CHOOSING_K


def _with_numbers(lessons: Iterable[Lesson]) -> Iterator[Lesson]:
    """Each step shows the numbers that it or an earlier one explains."""
    known: tuple[Number, ...] = ()
    for lesson in lessons:
        steps = []
        for step in lesson.steps:
            known += step.explains
            steps.append(replace(step, numbers=known))
            known += step.numbers_after
        yield replace(lesson, steps=tuple(steps))


LESSONS: dict[str, Lesson] = {lesson.key: lesson for lesson in _with_numbers(_IN_ORDER)}
