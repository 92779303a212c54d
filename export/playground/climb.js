// L-BFGS with the steps of L-BFGS-B without bounds (Liu and Nocedal 1989), and the stopping rules of nca_core's climb.
import { dot, norm } from "./matrix.js";
import { LONGEST, wolfeStep } from "./line_search.js";

const PAIRS = 10;
const CURVED = 2 ** -52; // of the promised slope: a smaller change of the slope is rounding
const GAIN = 0.5, IN_A_ROW = 3, LEFT = 1e-2; // of tol, and iterations, as in nca_core/optimisers.py
const LONG = 1e8; // of the variables: beside it a step of 1 loses half of its digits

export class Climb {
  // `evaluate(A)` -> { value, gradient, ... } of a sum over `samples` points; A is climbed in multiples of `unit`.
  constructor(evaluate, start, samples, { unit = 1, maxIter = 100, tol = 1e-5 } = {}) {
    Object.assign(this, { evaluate, samples, maxIter, tol, unit, A: start, at: evaluate(start), iteration: 0, reason: "" });
    const size = norm(start) / unit;
    this.unit *= powerOfTwo(size / LONG);
    const slope = this.unit * norm(this.at.gradient);
    this.factor = slope > 0 ? powerOfTwo(norm(start) / this.unit / slope) : 1; // of the objective
  }

  // Yields after each iteration; `A` and `at` are those that it reached.
  *iterations() {
    const first = this.mean;
    if (1 - first <= LEFT * this.tol) {
      this.reason = "Converged at its start: there is nothing left to gain.";
      return;
    }
    let slow = 0, pairs = [];
    while (this.iteration < this.maxIter) {
      const before = this.mean;
      if (!this.step(pairs)) {
        if (pairs.length) { // the approximated curvature led nowhere; restart along the gradient
          pairs = [];
          continue;
        }
        this.reason = this.converged(this.at.gradient.some(Boolean) ? "no step climbs any more" : "the gradient is zero");
        return;
      }
      this.iteration += 1;
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
    return `Converged after ${this.iteration} ${this.iteration === 1 ? "iteration" : "iterations"}: ${why}.`;
  }

  // Go one step up and remember its pair; false where no step leads higher.
  step(pairs) {
    const { A, at, unit, factor } = this;
    const ascent = at.gradient.map((g) => factor * unit * g);
    const direction = pairs.length ? timesInverseHessian(pairs, ascent) : ascent;
    const slope = dot(ascent, direction);
    if (!(slope > 0 && slope < Infinity)) return false;
    let reached = null;
    const evaluateAt = (step) => {
      const there = A.map((a, k) => a + step * unit * direction[k]);
      const found = this.evaluate(there);
      reached = { A: there, at: found, ascent: found.gradient.map((g) => factor * unit * g) };
      return { step, value: -factor * found.value, slope: -dot(reached.ascent, direction) };
    };
    const first = this.iteration ? 1 : 1 / Math.max(norm(ascent), 1 / LONGEST);
    const place = wolfeStep(evaluateAt, { step: 0, value: -factor * at.value, slope: -slope }, first);
    if (!place || reached.at.value <= at.value) return false;
    const s = direction.map((x) => place.step * x), y = ascent.map((g, k) => g - reached.ascent[k]);
    const product = place.step * (slope + place.slope);
    if (product > CURVED * place.step * slope) {
      pairs.push({ s, y, product });
      if (pairs.length > PAIRS) pairs.shift();
    }
    Object.assign(this, { A: reached.A, at: reached.at });
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

// The one next to a finite ratio above 1, else 1.
function powerOfTwo(ratio) {
  return ratio > 1 && ratio < Infinity ? 2 ** Math.round(Math.log2(ratio)) : 1;
}
