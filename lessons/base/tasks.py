"""Tasks: what a step asks one to do on the stage, and how it is seen that it was done."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
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
    trains : bool
        It asks for a training.
    missing : callable
        What is still missing, for who did something else than was asked; "" for nothing to say.
    """

    words: str
    done: Callable[[Seen], bool]
    trains: bool = False
    missing: Callable[[Seen], str] = lambda seen: ""


def train(*keys: str, words: str = "Press **Train** and wait until it ends.") -> Task:
    """Train these panels to their end."""
    return Task(words, lambda seen: _trained(seen, keys), trains=True)


def press_a_point(words: str = "Press any point in the picture.") -> Task:
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
    missing = "The training has ended, but the scale was not held. Press **same scale**, then ▶ to see it again."
    return Task(
        words,
        lambda seen: seen.same_scale and _trained(seen, keys),
        trains=True,
        missing=lambda seen: missing if _trained(seen, keys) and not seen.same_scale else "",
    )


def _trained(seen: Seen, keys: Collection[str]) -> bool:
    return set(keys) <= seen.ended and all(seen.iterations.get(key, 0) > 0 for key in keys)
