// How f = Σ p_i changes as points move (NCA paper, eqs. 1 to 3): ∂p_i/∂y_j = 2 p_ij (s_ij − p_i) (y_i − y_j), with s_ij = 1 for
// the same class, and ∂p_i/∂y_i = −Σ_j of these. The neighbours are those that NCA has: labelled, not held out.
import { squaresFrom } from "./neighbourhood.js";

// For the point i alone -> { moves: ∂p_i/∂y_j of every j, as Y is laid out, with i's own; p: p_i }; null without neighbours.
// `unit`: what 1 in Y stands for.
export function pullsOf({ Y, components, i, labels, heldOut, unit = 1 }) {
  const squares = squaresFrom(Y, components, i, labels, heldOut);
  let least = Infinity;
  for (const square of squares) if (square < least) least = square;
  if (least === Infinity) return null;
  const weights = squares; // in their place
  let all = 0, same = 0;
  for (let j = 0; j < weights.length; j++) {
    weights[j] = Number.isNaN(squares[j]) ? 0 : Math.exp((least - squares[j]) * unit * unit);
    all += weights[j];
    if (labels[j] === labels[i]) same += weights[j];
  }
  const p = same / all;
  const moves = new Float64Array(Y.length);
  for (let j = 0; j < weights.length; j++) {
    const factor = (2 * unit * weights[j] * ((labels[j] === labels[i] ? 1 : 0) - p)) / all;
    if (!factor) continue;
    for (let c = 0; c < components; c++) {
      const pull = factor * (Y[i * components + c] - Y[j * components + c]);
      moves[j * components + c] += pull;
      moves[i * components + c] -= pull;
    }
  }
  return { moves, p };
}

// ∂f/∂Y: the pulls of all training points added up.
export function forcesOn({ Y, components, labels, heldOut, unit = 1 }) {
  const forces = new Float64Array(Y.length);
  for (let i = 0; i < labels.length; i++) {
    if (heldOut[i] || labels[i] < 0) continue;
    const pulls = pullsOf({ Y, components, i, labels, heldOut, unit });
    if (pulls) for (let k = 0; k < forces.length; k++) forces[k] += pulls.moves[k];
  }
  return forces;
}

// ‖∂f/∂A‖ = ‖(∂f/∂Y)ᵀ X‖: how far the wishes of all points remain once one matrix has to grant them. X: (n, columns).
export function gradientNorm(forces, components, X, columns) {
  const gradient = new Float64Array(components * columns);
  for (let i = 0; i * components < forces.length; i++) {
    for (let c = 0; c < components; c++) {
      const force = forces[i * components + c];
      if (force) for (let k = 0; k < columns; k++) gradient[c * columns + k] += force * X[i * columns + k];
    }
  }
  return Math.hypot(...gradient);
}
