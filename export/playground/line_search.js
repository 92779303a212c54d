// A step length by Moré and Thuente (1994), with the constants that L-BFGS-B gives MINPACK-2's dcsrch: the result meets
// φ(s) ≤ φ(0) + 0.001 s φ'(0) and |φ'(s)| ≤ 0.9 |φ'(0)|.
export const LONGEST = 1e10;
const ENOUGH = 1e-3, FLAT = 0.9, NARROW = 0.1, NEARER = 1.1, FARTHER = 4;
const MOST = 20; // steps that are tried

// `evaluateAt(step)` -> { step, value, slope }; `start` is that of step 0, its slope below 0. null where no step is found.
export function wolfeStep(evaluateAt, start, step) {
  const promised = ENOUGH * start.slope;
  let best = start, other = start; // the ends of the interval, once it is closed
  let closed = false, low = 0, high = (1 + FARTHER) * step, width = LONGEST, before = 2 * LONGEST;
  for (let tried = 0; tried < MOST; tried++) {
    let at = evaluateAt(step);
    if (!Number.isFinite(at.value) || !Number.isFinite(at.slope)) {
      step = best.step + 0.1 * (step - best.step);
      continue;
    }
    const enough = start.value + at.step * promised;
    if (at.value <= enough && Math.abs(at.slope) <= -FLAT * start.slope) return at;
    const outside = closed && (!(low < at.step && at.step < high) || high - low <= NARROW * high);
    if (at.step === best.step || outside) return at;
    if (at.step === LONGEST && at.value <= enough && at.slope <= promised) return at;
    // A step that leads lower, but not by enough, is judged by φ(s) − s · promised.
    const lift = enough < at.value && at.value <= best.value ? promised : 0;
    [best, other, at] = [best, other, at].map((place) => lifted(place, lift));
    [best, other, step, closed] = narrowed(best, other, at, closed, low, high);
    [best, other] = [best, other].map((place) => lifted(place, -lift));
    if (closed) {
      if (Math.abs(other.step - best.step) >= 0.66 * before) step = best.step + 0.5 * (other.step - best.step);
      before = width;
      width = Math.abs(other.step - best.step);
      low = Math.min(best.step, other.step);
      high = Math.max(best.step, other.step);
    } else {
      const away = step - best.step;
      low = step + NEARER * away;
      high = step + FARTHER * away;
    }
    step = Math.min(Math.max(step, 0), LONGEST);
    if (closed && (!(low < step && step < high) || high - low <= NARROW * high)) step = best.step;
  }
  return null;
}

function lifted(place, lift) {
  return lift ? { step: place.step, value: place.value - place.step * lift, slope: place.slope - lift } : place;
}

// The interval with `at` in it, the next step, and whether the interval is closed: MINPACK-2's dcstep.
function narrowed(best, other, at, closed, low, high) {
  if (at.value > best.value) {
    const cubic = best.step + lowest(best, at).ratio * (at.step - best.step);
    const slope = (best.value - at.value) / (at.step - best.step) + best.slope;
    const square = best.step + (best.slope / slope / 2) * (at.step - best.step);
    const nearer = Math.abs(cubic - best.step) <= Math.abs(square - best.step);
    return [best, at, nearer ? cubic : cubic + (square - cubic) / 2, true];
  }
  const secant = at.step + (at.slope / (at.slope - best.slope)) * (best.step - at.step);
  if (at.slope * best.slope < 0) {
    const cubic = at.step + lowest(at, best).ratio * (best.step - at.step);
    return [at, best, Math.abs(cubic - at.step) > Math.abs(secant - at.step) ? cubic : secant, true];
  }
  let onward = at.step > best.step ? high : low;
  if (Math.abs(at.slope) >= Math.abs(best.slope)) {
    if (closed) onward = at.step + lowest(at, other).ratio * (other.step - at.step);
    return [at, other, onward, closed];
  }
  const { ratio, bends } = lowest(at, best);
  const cubic = ratio < 0 && bends ? at.step + ratio * (best.step - at.step) : onward;
  const cubicIsFarther = Math.abs(cubic - at.step) > Math.abs(secant - at.step);
  if (!closed) return [at, other, Math.min(Math.max(cubicIsFarther ? cubic : secant, low), high), false];
  const step = cubicIsFarther ? secant : cubic, most = at.step + 0.66 * (other.step - at.step);
  return [at, other, at.step > best.step ? Math.min(step, most) : Math.max(step, most), true];
}

// Where the cubic through two places is lowest, from a as a share of the way to b, and whether it has such a place.
function lowest(a, b) {
  const theta = (3 * (a.value - b.value)) / (b.step - a.step) + a.slope + b.slope;
  const largest = Math.max(Math.abs(theta), Math.abs(a.slope), Math.abs(b.slope));
  const inside = (theta / largest) ** 2 - (a.slope / largest) * (b.slope / largest);
  const root = Math.sign(b.step - a.step) * largest * Math.sqrt(Math.max(0, inside));
  return { ratio: (root - a.slope + theta) / (2 * root - a.slope + b.slope), bends: root !== 0 };
}
