// Numbers behind the story, over the training rows: what the features weigh in the view, how large the view is, and
// which K̂ it would have at another scale.
import { weightsOf } from "./matrix.js";
import { picksOf, roomFor, trainingPoints } from "./neighbourhood.js";

const MOST_ROWS = 3000; // with more, K̂ is not counted here
const SAMPLE = 2000; // rows that then tell the scale
const MOST_PAIRS = 120_000;

// The training rows; of very many, evenly spread ones.
export function trainedRows(labels, heldOut) {
  const rows = trainingPoints(labels, heldOut);
  if (rows.length <= MOST_ROWS) return { rows, all: true };
  const stride = rows.length / SAMPLE;
  return { rows: Array.from({ length: SAMPLE }, (_, k) => rows[Math.floor(k * stride)]), all: false };
}

// Of each column of X over those rows.
export function variances(X, columns, rows) {
  const sum = new Float64Array(columns), square = new Float64Array(columns);
  for (const i of rows) {
    for (let f = 0; f < columns; f++) {
      const x = X[i * columns + f];
      sum[f] += x;
      square[f] += x * x;
    }
  }
  return square.map((value, f) => Math.max(0, value / rows.length - (sum[f] / rows.length) ** 2));
}

// What share of the view each feature makes: s_f ∝ var(x_f) Σ_c A_cf², the square of how far a point moves when the
// feature grows by its standard deviation. They add up to 1.
export function shares(A, columns, variance) {
  const part = parts(A, columns, variance), all = total(part);
  return all > 0 ? part.map((value) => value / all) : part;
}

// About how large the picture is: as if the features had nothing to do with one another.
export function sizeOf(A, columns, variance) {
  return Math.sqrt(total(parts(A, columns, variance)));
}

function parts(A, columns, variance) {
  return weightsOf(A, columns).map((weight, f) => weight * variance[f]);
}

function total(values) {
  return values.reduce((sum, value) => sum + value, 0);
}

// Root of the mean squared distance of these rows of Y from their centre.
function rms(Y, components, rows) {
  return Math.sqrt(total(variances(Y, components, rows)));
}

// K̂ = exp(mean entropy of p_i·) of these rows of Y times `factor`; of many rows, evenly spread ones are counted.
export function effectiveNeighbours(Y, components, labels, rows, factor) {
  const counted = Math.max(1, Math.min(rows.length, Math.floor(MOST_PAIRS / rows.length)));
  const room = roomFor(rows);
  let entropies = 0;
  for (let q = 0; q < counted; q++) {
    const i = rows[Math.floor((q * rows.length) / counted)];
    entropies += Math.log(picksOf({ Y, components, i, labels, others: rows, unit: factor, room }).k);
  }
  return Math.exp(entropies / counted);
}

// -> { before, shares, growth, k, kAtStart } of a moment beside the first one, each { A, Y }: what the features weigh,
// how many times larger the view is, its K̂ and the one that it would have at the scale of the start. K̂ is NaN for too
// many rows.
export function momentOf({ X, columns }, { components, unit, labels, heldOut }, first, now) {
  const { rows, all } = trainedRows(labels, heldOut);
  const variance = variances(X, columns, rows);
  const growth = rms(now.Y, components, rows) / rms(first.Y, components, rows);
  const counted = all && rows.length > 2 && growth > 0 && growth < Infinity;
  const k = (factor) => (counted ? effectiveNeighbours(now.Y, components, labels, rows, factor) : NaN);
  return {
    before: shares(first.A, columns, variance),
    shares: shares(now.A, columns, variance),
    growth,
    k: k(unit),
    kAtStart: k(unit / growth),
  };
}
