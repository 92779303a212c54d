// The metric of A, M = AᵀA: ‖A(x − z)‖² = (x − z)ᵀ M (x − z). All here are plain functions of a frame, row by row.

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
