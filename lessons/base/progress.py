"""StepDone: how far one has come at a step, and whether it is done."""

from __future__ import annotations

from dataclasses import dataclass

from lessons.base.lesson import Lesson, Step


@dataclass(frozen=True)
class StepDone:
    """What one did at a step.

    Attributes
    ----------
    said : int or None
        Index of the option that was predicted.
    done : bool
        The task was done.
    """

    said: int | None = None
    done: bool = False

    def answered(self, step: Step) -> bool:
        """Whether the answer may be shown: it was predicted, and the task is done."""
        return self.said is not None and (step.task is None or self.done)

    def complete(self, step: Step) -> bool:
        """Whether nothing is left to do."""
        return (step.question is None or self.said is not None) and (step.task is None or self.done)


def steps_done(lesson: Lesson, progress: dict[tuple[str, int], StepDone]) -> int:
    """How many steps of a lesson are complete."""
    return sum(progress.get((lesson.key, k), StepDone()).complete(step) for k, step in enumerate(lesson.steps))
