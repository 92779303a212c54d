// The neighbours of a point as NCA defines them: p_ij ∝ exp(−‖y_i − y_j‖²) over the training points j ≠ i, and what
// follows from p_ij: its circle, its most probable neighbours, f and the gradient.
import { means, multiply, norm, transpose } from "./matrix.js";

const SHARE = 0.9; // of p_ij that the circle holds
const FAR = 40; // exp(−40) of the nearest one's weight is negligible
const CERTAIN = 1e-6; // a neighbour less probable than this is none
const STRETCH = 16; // points between two looks at the clock

// Indices of the points that are neighbours: labelled and not held out.
export function trainingPoints(labels, heldOut) {
  const found = [];
  for (let j = 0; j < labels.length; j++) if (!heldOut[j] && labels[j] >= 0) found.push(j);
  return Int32Array.from(found);
}

export function roomFor({ length }) {
  return [new Float64Array(length), new Float64Array(length)];
}

// -> { others, squares, weights, least, nearest, all, p, k }; null without neighbours. `others`: the neighbours'
// indices, and of each its squared distance in units of Y and exp(−(square − least) unit²), which add up to `all`; p:
// p_i, k: exp(entropy of p_ij). `unit`: what 1 in Y stands for; `room`: as of roomFor.
export function picksOf({ Y, components, i, labels, heldOut, unit = 1, others, room }) {
  others ??= trainingPoints(labels, heldOut);
  const n = others.length, scale = unit * unit, a = i * components;
  const [squares, weights] = room ?? roomFor(others);
  let least = Infinity, nearest = -1;
  for (let s = 0; s < n; s++) {
    let square = 0;
    for (let c = 0, b = others[s] * components; c < components; c++, b++) square += (Y[b] - Y[a + c]) ** 2;
    squares[s] = others[s] === i ? Infinity : square;
    if (squares[s] < least) {
      least = square;
      nearest = others[s];
    }
  }
  if (nearest < 0) return null;
  let all = 0, same = 0, mixed = 0;
  for (let s = 0; s < n; s++) {
    const energy = squares[s] === least ? 0 : (squares[s] - least) * scale;
    weights[s] = energy < FAR ? Math.exp(-energy) : 0;
    if (!weights[s]) continue;
    all += weights[s];
    mixed += weights[s] * energy;
    if (labels[others[s]] === labels[i]) same += weights[s];
  }
  return { others, squares, weights, least, nearest, all, p: same / all, k: Math.exp(Math.log(all) + mixed / all) };
}

// The least radius, in units of Y, that holds SHARE of p_ij.
export function circleRadius({ squares, weights, least, all }, unit = 1) {
  const near = squares.filter((_, s) => weights[s] > 0).sort();
  let sum = 0;
  for (const square of near) {
    sum += square === least ? 1 : Math.exp((least - square) * unit * unit);
    if (sum >= SHARE * all) return Math.sqrt(square);
  }
  return Math.sqrt(near[near.length - 1]);
}

// -> [{ j, p, same }] of the `most` most probable, the first the most, equally near ones in the order of their rows.
// `same`: of one class with i, null where i has none.
export function mostProbable({ others, squares, weights, all }, i, labels, most) {
  const near = []; // places in `others`, nearest first
  for (let s = 0; s < others.length; s++) {
    if (!(squares[s] < (near.length === most ? squares[near[most - 1]] : Infinity))) continue;
    let at = near.length;
    while (at > 0 && squares[near[at - 1]] > squares[s]) at--;
    near.splice(at, 0, s);
    near.length = Math.min(near.length, most);
  }
  return near
    .map((s) => ({ j: others[s], p: weights[s] / all, same: labels[i] < 0 ? null : labels[others[s]] === labels[i] }))
    .filter(({ p }, k) => k === 0 || p >= CERTAIN);
}

// What each feature adds to ‖A(x_i − x_j)‖²: δ_f Σ_k a_kf (a_k·δ) with δ = x_i − x_j. They add up to the square; one
// that is negative brings the two nearer, as the features act together.
export function splitByFeature(X, columns, A, components, i, j, unit = 1) {
  const delta = Float64Array.from({ length: columns }, (_, f) => (X[i * columns + f] - X[j * columns + f]) * unit);
  const along = multiply(A, delta, components, columns, 1);
  return multiply(along, A, 1, components, columns).map((value, f) => delta[f] * value);
}

// p_i, own K and whether the nearest neighbour is of the own class, of every point of a panel: n² pairs, so the work is
// done in slices between two pictures.
export class LocalNumbers {
  constructor({ Y, labels, heldOut, ...query }) {
    const n = labels.length, others = trainingPoints(labels, heldOut), room = roomFor(others);
    Object.assign(this, { n, done: 0, labels, others, query: { ...query, Y: Y.slice(), labels, others, room } });
    this.p = new Float64Array(n).fill(NaN);
    this.k = new Float64Array(n).fill(NaN);
    this.right = new Int8Array(n).fill(-1);
    this.voted = new Int8Array(n).fill(-1); // whether the class with the largest sum of p_ij is its own
  }

  // Goes on until then (milliseconds of the page's clock); true once all is done.
  work(until) {
    while (this.done < this.n && performance.now() < until) {
      const end = Math.min(this.n, this.done + STRETCH);
      while (this.done < end) this.of(this.done++);
    }
    return this.done === this.n;
  }

  of(i) {
    const { labels } = this;
    const picks = picksOf({ ...this.query, i });
    if (!picks) return;
    this.k[i] = picks.k;
    if (labels[i] < 0) return;
    this.p[i] = picks.p;
    this.right[i] = labels[picks.nearest] === labels[i] ? 1 : 0;
    const votes = new Map(), votesFor = (label) => votes.get(label) ?? 0;
    picks.others.forEach((j, s) => {
      if (picks.weights[s]) votes.set(labels[j], votesFor(labels[j]) + picks.weights[s]);
    });
    const own = votesFor(labels[i]);
    this.voted[i] = [...votes].every(([label, sum]) => label === labels[i] || sum < own) ? 1 : 0;
  }
}

// The local numbers of a panel's picture, at its own scale and at others, and their means; counted in slices.
export class PictureNumbers {
  counting = null;
  found = null; // { panel, picture, numbers, means: at each scale }, the latest

  // Go on for so many milliseconds; true where `found` has been brought to another picture, the one that was shown when
  // the count began. `scales`: of the unit of the panel.
  follow(panel, milliseconds, scales = [1]) {
    const { panel: before, picture } = this.counting ?? this.found ?? {};
    if (before !== panel || (!this.counting && picture !== panel.picture)) {
      const numbers = scales.map((scale) => new LocalNumbers({ ...panel.points, unit: scale * panel.points.unit }));
      this.counting = { panel, picture: panel.picture, numbers };
    }
    if (!this.counting) return false;
    panel.stage.requestFrame(); // once done too: the picture may be another one already
    const { numbers } = this.counting, until = performance.now() + milliseconds;
    if (!numbers.every((each) => each.work(until))) return false;
    this.found = { ...this.counting, means: numbers.map((each) => means(each, panel.labels, panel.points.heldOut)) };
    this.counting = null;
    return true;
  }
}

// How f = Σ p_i changes as points move (NCA paper, eqs. 1 to 3): ∂p_i/∂y_j = 2 p_ij (s_ij − p_i) (y_i − y_j), with s_ij
// = 1 for the same class, and ∂p_i/∂y_i = −Σ_j of these.

// Adds ∂p_i/∂y_j of every j, and i's own, to `moves`, which is laid out as Y.
export function addPulls({ others, weights, all, p }, { Y, components, i, labels, unit = 1 }, moves) {
  for (let s = 0; s < others.length; s++) {
    const j = others[s];
    const factor = (2 * unit * weights[s] * ((labels[j] === labels[i] ? 1 : 0) - p)) / all;
    if (!factor) continue;
    for (let c = 0; c < components; c++) {
      const pull = factor * (Y[i * components + c] - Y[j * components + c]);
      moves[j * components + c] += pull;
      moves[i * components + c] -= pull;
    }
  }
}

// For the point i alone -> { moves, p: p_i }; null without neighbours.
export function pullsOf(query) {
  const picks = picksOf(query);
  if (!picks) return null;
  const moves = new Float64Array(query.Y.length);
  addPulls(picks, query, moves);
  return { moves, p: picks.p };
}

// ∂f/∂Y: the pulls of all training points added up.
export function forcesOn(query) {
  const forces = new Float64Array(query.Y.length);
  const others = trainingPoints(query.labels, query.heldOut);
  const room = roomFor(others);
  for (const i of others) {
    const picks = picksOf({ ...query, i, others, room });
    if (picks) addPulls(picks, { ...query, i }, forces);
  }
  return forces;
}

// ‖∂f/∂A‖ = ‖(∂f/∂Y)ᵀ X‖: the gradient that remains when one matrix moves all points. X: (n, columns).
export function gradientNorm(forces, components, X, columns) {
  const n = forces.length / components;
  return norm(multiply(transpose(forces, n, components), X, components, n, columns));
}
