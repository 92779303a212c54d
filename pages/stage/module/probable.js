// The neighbours that a point most probably picks, and what makes up its distance to one of them. Of many points only
// these few are told apart; all count in the sum that p_ij are shares of.
import { squaresFrom } from "./neighbourhood.js";

const CERTAIN = 1e-6; // a neighbour less probable than this is none

// -> [{ j, p, square, same }] of the `most` most probable, the first the most; `same`: of one class with i, null where i
// has none. Equally near ones in the order of their rows. `unit`: what 1 in Y stands for.
export function mostProbable({ Y, components, i, labels, heldOut, unit = 1, most, squares = squaresFrom(Y, components, i, labels, heldOut) }) {
  const near = []; // indices, nearest first
  for (let j = 0; j < squares.length; j++) {
    const square = squares[j];
    if (Number.isNaN(square) || (near.length === most && square >= squares[near[most - 1]])) continue;
    let at = near.length;
    while (at > 0 && squares[near[at - 1]] > square) at--;
    near.splice(at, 0, j);
    if (near.length > most) near.pop();
  }
  if (!near.length) return [];
  const scale = unit * unit, least = squares[near[0]];
  const weight = (square) => (square === least ? 1 : Math.exp(-(square - least) * scale));
  let all = 0;
  for (let j = 0; j < squares.length; j++) if (!Number.isNaN(squares[j])) all += weight(squares[j]);
  return near
    .map((j) => ({ j, p: weight(squares[j]) / all, square: squares[j] * scale, same: sameClass(labels, i, j) }))
    .filter(({ p }, k) => k === 0 || p >= CERTAIN);
}

function sameClass(labels, i, j) {
  return labels[i] < 0 ? null : labels[j] === labels[i];
}

// What each feature adds to ‖A(x_i − x_j)‖²: δ_f Σ_k a_kf (a_k·δ) with δ = x_i − x_j. They add up to the square; one that
// is negative brings the two nearer, as the features act together.
export function splitByFeature(X, columns, A, components, i, j, unit = 1) {
  const delta = Float64Array.from({ length: columns }, (_, f) => (X[i * columns + f] - X[j * columns + f]) * unit);
  const parts = new Float64Array(columns);
  for (let c = 0; c < components; c++) {
    let along = 0;
    for (let f = 0; f < columns; f++) along += A[c * columns + f] * delta[f];
    for (let f = 0; f < columns; f++) parts[f] += delta[f] * A[c * columns + f] * along;
  }
  return parts;
}
