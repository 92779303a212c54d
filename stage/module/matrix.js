// The metric of A, M = AᵀA: ‖A(x − z)‖² = (x − z)ᵀ M (x − z). All are pure functions of a frame, row by row.
// What each feature weighs: M_ff, the square of how far a point moves when it grows by one; (columns,).
export function weightsOf(A, columns, unit = 1) {
  const weights = new Float64Array(columns);
  for (let k = 0; k < A.length; k++) weights[k % columns] += (A[k] * unit) ** 2;
  return weights;
}

// The `most` features that weigh most, the first the most.
export function strongest(weights, most) {
  return [...weights.keys()].sort((a, b) => weights[b] - weights[a] || a - b).slice(0, most);
}

// M between these features, row by row, (n, n).
export function metricOf(A, columns, features, unit = 1) {
  const n = features.length, rows = A.length / columns;
  const M = new Float64Array(n * n);
  for (let a = 0; a < n; a++) {
    for (let b = a; b < n; b++) {
      let sum = 0;
      for (let c = 0; c < rows; c++) sum += A[c * columns + features[a]] * A[c * columns + features[b]];
      M[a * n + b] = M[b * n + a] = sum * unit * unit;
    }
  }
  return M;
}

// The points at distance 1 in the plane of two features: half axes (Infinity where a direction does not count), the
// longer one first, and its angle from the first feature.
export function unitEllipse(m11, m12, m22) {
  const middle = (m11 + m22) / 2, radius = Math.hypot((m11 - m22) / 2, m12);
  const least = Math.max(0, middle - radius), most = middle + radius;
  // A block of rank 1 leaves a least eigenvalue of rounding errors only.
  const long = least > 1e-12 * most ? 1 / Math.sqrt(least) : Infinity;
  const short = most > 0 ? 1 / Math.sqrt(most) : Infinity;
  return { long, short, angle: 0.5 * Math.atan2(2 * m12, m11 - m22) + Math.PI / 2 };
}

// A moved by hand: its smallest change that brings a feature's arrow, or the centre of a class, to a place. Frames are row by
// row, (components x columns).

// ‖A' − A‖ is least among all A' with A' e_f = tip: column f becomes the tip, and nothing else changes.
export function withArrow(A, columns, f, tip) {
  const changed = Float32Array.from(A);
  tip.forEach((value, c) => (changed[c * columns + f] = value));
  return changed;
}

// The same with A' μ = place: A + (place − A μ) μᵀ / ‖μ‖².
export function withCentre(A, columns, mu, place) {
  const square = mu.reduce((sum, value) => sum + value * value, 0);
  const changed = Float32Array.from(A);
  place.forEach((value, c) => {
    let now = 0;
    for (let f = 0; f < columns; f++) now += A[c * columns + f] * mu[f];
    for (let f = 0; f < columns; f++) changed[c * columns + f] += ((value - now) * mu[f]) / square;
  });
  return changed;
}

// The mean of each class over its training rows, one Float64Array a class; null for a class without any.
export function classMeans(X, columns, labels, heldOut, classes) {
  const sums = Array.from({ length: classes }, () => new Float64Array(columns)), counts = new Int32Array(classes);
  for (let i = 0; i < labels.length; i++) {
    if (labels[i] < 0 || heldOut[i]) continue;
    counts[labels[i]]++;
    for (let f = 0; f < columns; f++) sums[labels[i]][f] += X[i * columns + f];
  }
  return sums.map((sum, label) => (counts[label] ? sum.map((value) => value / counts[label]) : null));
}

// f/n, K̂, and the share whose nearest neighbour is of their class, of training rows (the others) and of held-out ones.
// The same of the vote of p_ij, as ownVote and newVote.
export function means({ p, k, right, voted }, labels, heldOut) {
  const sums = { p: 0, entropy: 0, own: 0, ownVote: 0, n: 0, new: 0, newVote: 0, m: 0 };
  for (let i = 0; i < labels.length; i++) {
    if (labels[i] < 0) continue;
    if (heldOut[i]) {
      sums.m++;
      sums.new += right[i];
      sums.newVote += voted[i];
      continue;
    }
    sums.n++;
    sums.p += p[i];
    sums.entropy += Math.log(k[i]);
    sums.own += right[i];
    sums.ownVote += voted[i];
  }
  const { n, m } = sums;
  return { p: sums.p / n, k: Math.exp(sums.entropy / n), own: sums.own / n, ownVote: sums.ownVote / n, new: sums.new / m, newVote: sums.newVote / m };
}
