// L-BFGS (Liu and Nocedal 1989) with the stopping rules of nca_core's climb.
import { dot, norm } from "./matrix.js";

const PAIRS = 10;
const CURVED = 2 ** -52; // of what the slope promised: a change of the slope by less tells nothing
const ENOUGH = 1e-3, FLATTER = 0.9, MOST = 30; // of the slope, and steps that are tried
const GAIN = 0.5, IN_A_ROW = 3, LEFT = 1e-2; // of tol, and iterations, as in nca_core/optimisers/climb.py

export class Climb {
  // `evaluate(A)` -> { value, gradient, ... } of a sum over `samples` points; the first step is one `unit` long.
  constructor(evaluate, start, samples, { unit = 1, maxIter = 100, tol = 1e-5 } = {}) {
    Object.assign(this, { evaluate, samples, maxIter, tol, unit, A: start, at: evaluate(start), made: 0, reason: "" });
  }

  // Yields after each iteration; `A` and `at` are those that it reached.
  *iterations() {
    const first = this.mean;
    if (1 - first <= LEFT * this.tol) {
      this.reason = "Converged at its start: there is nothing left to gain.";
      return;
    }
    let slow = 0, pairs = [];
    while (this.made < this.maxIter) {
      const before = this.mean;
      if (!this.step(pairs)) {
        if (pairs.length) { // what they tell of the curvature leads nowhere, the gradient itself may still
          pairs = [];
          continue;
        }
        this.reason = this.converged(this.at.gradient.some(Boolean) ? "no step climbs any more" : "the gradient is zero");
        return;
      }
      this.made += 1;
      yield;
      const gained = this.mean - before, left = 1 - this.mean;
      slow = gained <= GAIN * this.tol * Math.max(this.mean - first, 1) ? slow + 1 : 0;
      if (left <= LEFT * this.tol || (left <= this.tol && gained <= this.tol * (1 - left))) {
        this.reason = this.converged("almost nothing is left to gain");
        return;
      }
      if (slow === IN_A_ROW) {
        this.reason = this.converged("the last three gained almost nothing");
        return;
      }
    }
    this.reason = `Reached the maximum of ${this.maxIter} iterations.`;
  }

  get mean() {
    return this.at.value / this.samples;
  }

  converged(why) {
    return `Converged after ${this.made} ${this.made === 1 ? "iteration" : "iterations"}: ${why}.`;
  }

  // Go one step up and remember its pair; false where no step leads higher.
  step(pairs) {
    const { A, at, unit } = this;
    const direction = pairs.length ? timesInverseHessian(pairs, at.gradient) : at.gradient;
    const slope = dot(at.gradient, direction);
    if (!(slope > 0 && slope < Infinity)) return false;
    let reached = null;
    const look = (step) => {
      const there = A.map((a, k) => a + step * direction[k]);
      reached = { A: there, at: this.evaluate(there) };
      return { step, value: reached.at.value, slope: dot(reached.at.gradient, direction) };
    };
    const place = wolfeStep(look, at.value, slope, pairs.length ? 1 : unit / norm(direction));
    if (!place || reached.at.value <= at.value) return false;
    const s = direction.map((x) => place.step * x), y = at.gradient.map((g, k) => g - reached.at.gradient[k]);
    const product = place.step * (slope - place.slope);
    if (product > CURVED * place.step * slope) {
      pairs.push({ s, y, product });
      if (pairs.length > PAIRS) pairs.shift();
    }
    Object.assign(this, reached);
    return true;
  }
}

// H g by the two loops over the pairs, the scale of H from the latest one.
function timesInverseHessian(pairs, gradient) {
  const result = Float64Array.from(gradient), shares = [];
  for (let k = pairs.length - 1; k >= 0; k--) {
    const { s, y, product } = pairs[k];
    shares[k] = dot(s, result) / product;
    for (let i = 0; i < result.length; i++) result[i] -= shares[k] * y[i];
  }
  const { y, product } = pairs[pairs.length - 1];
  const gamma = product / dot(y, y);
  for (let i = 0; i < result.length; i++) result[i] *= gamma;
  pairs.forEach(({ s, y, product }, k) => {
    const share = shares[k] - dot(y, result) / product;
    for (let i = 0; i < result.length; i++) result[i] += share * s[i];
  });
  return result;
}

// A step that climbs enough and to a flatter place (weak Wolfe conditions), by doubling and halving; null where none is
// found. `look(step)` -> { step, value, slope }.
function wolfeStep(look, value, slope, step) {
  let low = 0, high = Infinity;
  for (let tried = 0; tried < MOST; tried++) {
    const at = look(step);
    if (!(at.value >= value + ENOUGH * step * slope)) high = step; // too far, or not finite
    else if (at.slope > FLATTER * slope) low = step;
    else return at;
    step = high < Infinity ? (low + high) / 2 : 2 * step;
  }
  return null;
}
