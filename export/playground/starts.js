// Projections without iterations: PCA, LDA, random; and the scale at which NCA starts from them.
import { eigen, multiply, norm, orthonormal, rowsOf, transpose } from "./matrix.js";
import { Objective } from "./objective.js";
import { project } from "./projection.js";

const RANK = 1e-10; // eigenvalues below this share of the greatest count as zero
const SCALED_ON = 1000, LARGEST_LOG = 60;

// Rows: the leading principal axes of the rows of X, (components x features).
export function pca(X, features, components) {
  return flat(eigen(scatter(rowsOf(X, features)), features).vectors.slice(0, components));
}

// Fisher's axes: the greatest between-class scatter in units of the scatter within classes. C classes give C − 1 axes; the
// rest are principal axes, made orthogonal to them.
export function lda(X, labels, features, components) {
  const samples = labels.length, all = rowsOf(X, features), classes = new Set(labels);
  const within = new Float64Array(features * features);
  for (const c of classes) scatter(all.filter((_, i) => labels[i] === c)).forEach((value, k) => (within[k] += value));
  // In units of each feature's spread within the classes, the test for rank is the same in every unit of the features.
  const spread = Float64Array.from({ length: features }, (_, f) => Math.sqrt(within[f * features + f]) || 1);
  const sized = (M) => M.map((value, k) => value / (spread[Math.floor(k / features)] * spread[k % features]));
  const { values, vectors } = eigen(sized(within), features);
  const kept = vectors.filter((_, k) => values[k] > RANK * values[0]), rank = kept.length;
  const W = flat(kept.map((vector, k) => vector.map((value) => value / Math.sqrt(values[k]))));
  const between = multiply(W, sized(scatter(all).map((value, k) => value - within[k])), rank, features, features);
  const turned = multiply(between, transpose(W, rank, features), rank, features, rank);
  const found = Math.min(components, classes.size - 1, rank);
  const axes = multiply(flat(eigen(turned, rank).vectors.slice(0, found)), W, found, rank, features);
  const A = axes.map((value, k) => (value / spread[k % features]) * Math.sqrt(samples));
  const free = orthonormal(rowsOf(flat([A, pca(X, features, features)]), features)).slice(found);
  return flat([A, ...free.filter((row) => norm(row) > 0.5).slice(0, components - found)]);
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
  const kAt = (factor) => Math.exp(objective.probabilities(times(factor)).entropy.reduce((sum, h) => sum + h, 0) / count);
  const pull = (factor) => norm(objective.at(times(factor)).gradient) * factor;
  const low = Math.min(3, count / 4), high = Math.max(count / 3, 1.5);
  const now = kAt(1);
  if (low <= now && now <= high) return { A, unit: 1 };
  const Y = rowsOf(project(some, count, features, A, components, Float64Array), components);
  const middle = multiply(new Float64Array(count).fill(1 / count), flat(Y), 1, count, components);
  const extent = Y.reduce((most, place) => Math.max(most, ...place.map((y, c) => Math.abs(y - middle[c]))), 0);
  const target = Math.sqrt(low * high);
  let small = -LARGEST_LOG, large = LARGEST_LOG; // K̂ falls as the scale grows
  for (let k = 0; k < 32; k++) {
    const log = 0.5 * (small + large);
    if (kAt(Math.exp(log) / extent) > target) small = log;
    else large = log;
  }
  const factor = Math.exp(large) / extent;
  return pull(factor) > pull(1) ? { A: times(factor), unit: factor } : { A, unit: 1 };
}

// Σ (x − mean)(x − mean)ᵀ over rows.
function scatter(rows) {
  const features = rows[0].length, n = rows.length, X = flat(rows);
  const mean = multiply(new Float64Array(n).fill(1 / n), X, 1, n, features);
  const centred = X.map((value, k) => value - mean[k % features]);
  return multiply(transpose(centred, n, features), centred, features, n, features);
}

function flat(rows) {
  return Float64Array.from(rows.flatMap((row) => [...row]));
}
