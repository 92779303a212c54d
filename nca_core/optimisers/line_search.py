"""wolfe_step: how far to go along a direction, by Moré and Thuente."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

LONGEST = 1e10
_ENOUGH = 1e-3  # of the descent that the slope at the start promises
_FLAT = 0.9  # of that slope: where it is steeper still, the step was too short
_NARROW = 0.1  # of its farther end: an interval that tells no more
_NEARER, _FARTHER = 1.1, 4.0  # how many times as far the next step goes while the slope still falls
_MOST = 20  # steps that are tried


class Place(NamedTuple):
    """A step, the value there, and the slope along the direction."""

    step: float
    value: float
    slope: float


def wolfe_step(look: Callable[[float], Place], start: Place, step: float) -> Place | None:
    """A step s with φ(s) ≤ φ(0) + 0.001 s φ'(0) and |φ'(s)| ≤ 0.9 |φ'(0)|: Wolfe's strong conditions.

    It takes the steps of MINPACK-2's `dcsrch` with the constants that L-BFGS-B gives it; where the value is no number
    it goes back to a tenth of the way.

    Parameters
    ----------
    look : callable
        The Place at a step.
    start : Place
        At step 0; its slope is below 0.
    step : float
        The first that is tried, above 0.

    Returns
    -------
    Place or None
        Where the conditions hold; or LONGEST, where it is still as steep there; or the best end of an interval that has
        become narrower than a tenth of its farther end, which may be no lower than the start. None where 20 steps lead
        to none of these.

    References
    ----------
    Moré, Thuente: Line search algorithms with guaranteed sufficient decrease, ACM TOMS 20, 1994, 286-307.
    """
    promised = _ENOUGH * start.slope
    best = other = start  # the ends of the interval, once it is closed
    closed = False
    low, high = 0.0, (1.0 + _FARTHER) * step
    width, width_before = LONGEST, 2.0 * LONGEST
    for _ in range(_MOST):
        at = look(step)
        if not (math.isfinite(at.value) and math.isfinite(at.slope)):
            step = best.step + 0.1 * (step - best.step)
            continue
        enough = start.value + at.step * promised
        if at.value <= enough and abs(at.slope) <= -_FLAT * start.slope:
            return at
        if at.step == best.step or (closed and (not low < at.step < high or high - low <= _NARROW * high)):
            return at
        if at.step == LONGEST and at.value <= enough and at.slope <= promised:
            return at
        # A step that leads lower, but not by enough, is judged by φ(s) − s · promised.
        lift = promised if enough < at.value <= best.value else 0.0
        best, other, at = (_lifted(place, lift) for place in (best, other, at))
        best, other, step, closed = _narrowed(best, other, at, closed, low, high)
        best, other = _lifted(best, -lift), _lifted(other, -lift)
        if closed:
            if abs(other.step - best.step) >= 0.66 * width_before:
                step = best.step + 0.5 * (other.step - best.step)
            width_before, width = width, abs(other.step - best.step)
            low, high = min(best.step, other.step), max(best.step, other.step)
        else:
            low, high = (step + times * (step - best.step) for times in (_NEARER, _FARTHER))
        step = min(max(step, 0.0), LONGEST)
        if closed and (not low < step < high or high - low <= _NARROW * high):
            step = best.step
    return None


def _lifted(place: Place, lift: float) -> Place:
    return place if lift == 0.0 else Place(place.step, place.value - place.step * lift, place.slope - lift)


def _narrowed(
    best: Place, other: Place, at: Place, closed: bool, low: float, high: float
) -> tuple[Place, Place, float, bool]:
    """The interval with `at` in it, the next step, and whether the interval is closed; MINPACK-2's `dcstep`."""
    if at.value > best.value:
        cubic = best.step + _to_lowest(best, at)[0] * (at.step - best.step)
        slope = (best.value - at.value) / (at.step - best.step) + best.slope
        square = best.step + best.slope / slope / 2.0 * (at.step - best.step)
        nearer = abs(cubic - best.step) <= abs(square - best.step)
        return best, at, cubic if nearer else cubic + (square - cubic) / 2.0, True
    if at.slope * best.slope < 0.0:
        cubic = at.step + _to_lowest(at, best)[0] * (best.step - at.step)
        secant = at.step + at.slope / (at.slope - best.slope) * (best.step - at.step)
        return at, best, cubic if abs(cubic - at.step) > abs(secant - at.step) else secant, True
    onward = high if at.step > best.step else low
    if abs(at.slope) >= abs(best.slope):
        if closed:
            onward = at.step + _to_lowest(at, other)[0] * (other.step - at.step)
        return at, other, onward, closed
    ratio, bends = _to_lowest(at, best)
    cubic = at.step + ratio * (best.step - at.step) if ratio < 0.0 and bends else onward
    secant = at.step + at.slope / (at.slope - best.slope) * (best.step - at.step)
    cubic_is_farther = abs(cubic - at.step) > abs(secant - at.step)
    if not closed:
        return at, other, min(max(cubic if cubic_is_farther else secant, low), high), False
    step, most = secant if cubic_is_farther else cubic, at.step + 0.66 * (other.step - at.step)
    return at, other, min(step, most) if at.step > best.step else max(step, most), True


def _to_lowest(a: Place, b: Place) -> tuple[float, bool]:
    """Where the cubic through two places is lowest, from a as a share of the way to b; and whether it is anywhere."""
    theta = 3.0 * (a.value - b.value) / (b.step - a.step) + a.slope + b.slope
    largest = max(abs(theta), abs(a.slope), abs(b.slope))
    inside = (theta / largest) ** 2 - (a.slope / largest) * (b.slope / largest)
    root = math.copysign(largest * math.sqrt(max(0.0, inside)), b.step - a.step)
    return (root - a.slope + theta) / (2.0 * root - a.slope + b.slope), root != 0.0
