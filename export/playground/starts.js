// Projections without iterations: PCA, LDA, random; and the scale at which NCA starts from them.
import { eigen, multiply, norm } from "./linear_algebra.js";
import { Objective, project } from "./objective.js";

const RANK = 1e-10; // eigenvalues below this share of the greatest count as zero
const SCALED_ON = 1000, LARGEST_LOG = 60;

// Rows: the leading principal axes of the rows of X, (components x features).
export function pca(X, samples, features, components) {
  const rows = Array.from({ length: samples }, (_, i) => i);
  return firstRows(eigen(scatter(X, rows, features), features).vectors, components, features);
}

// Fisher's axes: the greatest between-class scatter in units of the scatter within classes. C classes give C − 1 axes; the
// rest are principal axes, made orthogonal to them.
export function lda(X, labels, features, components) {
  const samples = labels.length;
  const classes = [...new Set(labels)].map((c) => Array.from(labels.keys()).filter((i) => labels[i] === c));
  const within = new Float64Array(features * features), all = scatter(X, [...labels.keys()], features);
  for (const rows of classes) scatter(X, rows, features).forEach((value, k) => (within[k] += value));
  // In units of each feature's spread within the classes, the test for rank is the same in every unit of the features.
  const spread = Float64Array.from({ length: features }, (_, f) => Math.sqrt(within[f * features + f]) || 1);
  const sized = (M) => M.map((value, k) => value / (spread[Math.floor(k / features)] * spread[k % features]));
  const { values, vectors } = eigen(sized(within), features);
  const kept = vectors.filter((_, k) => values[k] > RANK * values[0]);
  const W = flat(kept.map((vector, k) => vector.map((value) => value / Math.sqrt(values[k]))));
  const between = sized(all.map((value, k) => value - within[k]));
  const turned = multiply(multiply(W, between, kept.length, features, features), transpose(W, kept.length, features),
    kept.length, features, kept.length);
  const found = Math.min(components, classes.length - 1, kept.length);
  const axes = firstRows(eigen(turned, kept.length).vectors, found, kept.length);
  const A = multiply(axes, W, found, kept.length, features).map((value, k) => (value / spread[k % features]) * Math.sqrt(samples));
  return completed(A, pca(X, samples, features, features), components, features);
}

export function random(rng, features, components) {
  return Float64Array.from({ length: components * features }, () => rng.normal());
}

// A times one positive number, so that the first K̂ lies between 3 and a third of the points: { A, unit }. As in nca_core.
export function withSensibleK(A, X, labels, features) {
  const n = labels.length, count = Math.min(n, SCALED_ON);
  const rows = Array.from({ length: count }, (_, k) => (count > 1 ? Math.floor((k * (n - 1)) / (count - 1)) : 0));
  const some = flat(rows.map((i) => X.subarray(i * features, (i + 1) * features)));
  const objective = new Objective(some, Int32Array.from(rows, (i) => labels[i]), features);
  const components = A.length / features;
  const times = (factor) => A.map((a) => a * factor);
  const kAt = (factor) => {
    const { entropy } = objective.probabilities(project(some, times(factor), count, features, components), components);
    return Math.exp(entropy.reduce((sum, h) => sum + h, 0) / count);
  };
  const pull = (factor) => norm(objective.at(times(factor)).gradient) * factor;
  const low = Math.min(3, count / 4), high = Math.max(count / 3, 1.5);
  const now = kAt(1);
  if (low <= now && now <= high) return { A, unit: 1 };
  const Y = project(some, A, count, features, components);
  let extent = 0;
  for (let c = 0; c < components; c++) {
    let mean = 0;
    for (let i = 0; i < count; i++) mean += Y[i * components + c] / count;
    for (let i = 0; i < count; i++) extent = Math.max(extent, Math.abs(Y[i * components + c] - mean));
  }
  const target = Math.sqrt(low * high);
  let small = -LARGEST_LOG, large = LARGEST_LOG; // K̂ falls as the scale grows
  for (let k = 0; k < 32; k++) {
    const middle = 0.5 * (small + large);
    if (kAt(Math.exp(middle) / extent) > target) small = middle;
    else large = middle;
  }
  const factor = Math.exp(large) / extent;
  return pull(factor) > pull(1) ? { A: times(factor), unit: factor } : { A, unit: 1 };
}

// Σ (x − mean)(x − mean)ᵀ over some rows.
function scatter(X, rows, features) {
  const mean = new Float64Array(features), S = new Float64Array(features * features), off = new Float64Array(features);
  for (const i of rows) for (let f = 0; f < features; f++) mean[f] += X[i * features + f] / rows.length;
  for (const i of rows) {
    for (let f = 0; f < features; f++) off[f] = X[i * features + f] - mean[f];
    for (let a = 0; a < features; a++) for (let b = 0; b < features; b++) S[a * features + b] += off[a] * off[b];
  }
  return S;
}

// Further rows for A from `others`, each without what lies along the rows before.
function completed(A, others, components, features) {
  const rows = split(A, features);
  const basis = [];
  const without = (row) => {
    const rest = Float64Array.from(row);
    for (const axis of basis) {
      let along = 0;
      for (let f = 0; f < features; f++) along += axis[f] * rest[f];
      for (let f = 0; f < features; f++) rest[f] -= along * axis[f];
    }
    return rest;
  };
  const keep = (rest) => basis.push(rest.map((value) => value / norm(rest)));
  for (const row of rows) keep(without(row));
  for (const row of split(others, features)) {
    if (rows.length >= components) break;
    const rest = without(row);
    if (norm(rest) < 1e-6) continue;
    keep(rest);
    rows.push(basis[basis.length - 1]);
  }
  return flat(rows);
}

function firstRows(rows, count, length) {
  return flat(rows.slice(0, count).map((row) => row.subarray(0, length)));
}

function split(A, length) {
  return Array.from({ length: A.length / length }, (_, k) => A.slice(k * length, (k + 1) * length));
}

function flat(rows) {
  const joined = new Float64Array(rows.reduce((sum, row) => sum + row.length, 0));
  let at = 0;
  for (const row of rows) {
    joined.set(row, at);
    at += row.length;
  }
  return joined;
}

function transpose(M, rows, columns) {
  const T = new Float64Array(M.length);
  for (let i = 0; i < rows; i++) for (let j = 0; j < columns; j++) T[j * rows + i] = M[i * columns + j];
  return T;
}
