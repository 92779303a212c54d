"""Tasks: what a step asks one to do on the stage, and how it is seen that it was done."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Seen:
    """The stage as it stands, as far as a task asks for it.

    Attributes
    ----------
    iterations : mapping of str to int
        How far the training of each panel has come, by the panel's key; those without a training are left out.
    ended : frozenset of str
        The panels whose training has ended or rests.
    point : int or None
        Index of the row that is pinned.
    hidden : frozenset of int
        Codes of the classes that are hidden.
    iteration : int or None
        Which iteration is shown; None while it moves.
    same_scale : bool
        The scale of the panels is held.
    """

    iterations: Mapping[str, int] = field(default_factory=dict)
    ended: frozenset[str] = frozenset()
    point: int | None = None
    hidden: frozenset[int] = frozenset()
    iteration: int | None = None
    same_scale: bool = False


@dataclass(frozen=True)
class Task:
    """Something to do.

    Attributes
    ----------
    words : str
        What to do, as a request.
    done : callable
        Whether what is seen says that it was done.
    """

    words: str
    done: Callable[[Seen], bool]


def train(*keys: str, words: str = "Press **Train** and wait until it ends.") -> Task:
    """Train these panels to their end."""
    return Task(words, lambda seen: set(keys) <= seen.ended and all(seen.iterations.get(key, 0) > 0 for key in keys))


def press_a_point(words: str = "Press any point on the stage.") -> Task:
    """Pin a point."""
    return Task(words, lambda seen: seen.point is not None)


def hide(code: int, words: str) -> Task:
    """Hide a class."""
    return Task(words, lambda seen: code in seen.hidden)


def scrub_to(iteration: int, words: str) -> Task:
    """Go back to an iteration of what was trained."""
    return Task(words, lambda seen: bool(seen.iterations) and seen.iteration == iteration)


def hold_the_scale(*keys: str, words: str) -> Task:
    """Hold the scale of the panels, and train them to their end."""
    trained = train(*keys)
    return Task(words, lambda seen: seen.same_scale and trained.done(seen))
