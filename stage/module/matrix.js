// Dense linear algebra, and the metric of A, M = AᵀA: ‖A(x − z)‖² = (x − z)ᵀ M (x − z). Matrices are arrays, row by
// row.
const NOTHING = 1e-15, DEPENDENT = 1e-9; // of the diagonal; of a row's length

// The product of a (rows x inner) and b (inner x columns).
export function multiply(a, b, rows, inner, columns) {
  const product = new Float64Array(rows * columns);
  for (let i = 0; i < rows; i++) {
    for (let k = 0; k < inner; k++) {
      const factor = a[i * inner + k];
      if (factor) for (let j = 0; j < columns; j++) product[i * columns + j] += factor * b[k * columns + j];
    }
  }
  return product;
}

export function transpose(M, rows, columns) {
  const T = M.slice();
  for (let i = 0; i < rows; i++) for (let j = 0; j < columns; j++) T[j * rows + i] = M[i * columns + j];
  return T;
}

export function dot(a, b) {
  let sum = 0;
  for (let k = 0; k < a.length; k++) sum += a[k] * b[k];
  return sum;
}

export function norm(values) {
  return Math.sqrt(dot(values, values));
}

export function rowsOf(M, columns) {
  return Array.from({ length: M.length / columns }, (_, k) => M.subarray(k * columns, (k + 1) * columns));
}

// Gram-Schmidt in place; a row that depends on those before becomes 0.
export function orthonormal(rows) {
  rows.forEach((row, k) => {
    const before = norm(row);
    for (const other of rows.slice(0, k)) {
      const along = dot(row, other);
      row.forEach((_, f) => (row[f] -= along * other[f]));
    }
    const length = norm(row);
    row.forEach((value, f) => (row[f] = length > DEPENDENT * before ? value / length : 0));
  });
  return rows;
}

// Eigenvalues, the greatest first, and eigenvectors (as rows) of a symmetric matrix, by Jacobi rotations.
export function eigen(symmetric, size) {
  const M = Float64Array.from(symmetric), V = new Float64Array(size * size);
  for (let k = 0; k < size; k++) V[k * size + k] = 1;
  for (let sweep = 0; sweep < 60; sweep++) {
    let off = 0, diagonal = 0;
    for (let i = 0; i < size; i++) {
      diagonal += M[i * size + i] ** 2;
      for (let j = 0; j < i; j++) off += M[i * size + j] ** 2;
    }
    if (Math.sqrt(off) <= NOTHING * Math.sqrt(diagonal)) break;
    for (let p = 0; p < size; p++) for (let q = p + 1; q < size; q++) rotate(M, V, size, p, q);
  }
  const order = [...Array(size).keys()].sort((a, b) => M[b * size + b] - M[a * size + a]);
  return { values: order.map((k) => M[k * size + k]), vectors: order.map((k) => V.slice(k * size, (k + 1) * size)) };
}

// Make M[p, q] zero; the rows of V turn along.
function rotate(M, V, size, p, q) {
  const off = M[p * size + q];
  if (!off) return;
  const theta = (M[q * size + q] - M[p * size + p]) / (2 * off);
  const t = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
  const c = 1 / Math.sqrt(t * t + 1), s = t * c;
  const turn = (values, a, b) => {
    const [x, y] = [values[a], values[b]];
    values[a] = c * x - s * y;
    values[b] = s * x + c * y;
  };
  for (let k = 0; k < size; k++) turn(M, k * size + p, k * size + q);
  for (let k = 0; k < size; k++) {
    turn(M, p * size + k, q * size + k);
    turn(V, p * size + k, q * size + k);
  }
}

// What each feature weighs: M_ff, the square of how far a point moves when it grows by one; (columns,).
export function weightsOf(A, columns, unit = 1) {
  const weights = new Float64Array(columns);
  for (let k = 0; k < A.length; k++) weights[k % columns] += (A[k] * unit) ** 2;
  return weights;
}

export function strongest(weights, most) {
  return [...weights.keys()].sort((a, b) => weights[b] - weights[a] || a - b).slice(0, most);
}

// M between these features, row by row, (n, n).
export function metricOf(A, columns, features, unit = 1) {
  const n = features.length, rows = A.length / columns;
  const own = Float64Array.from({ length: rows * n }, (_, k) => {
    return unit * A[Math.floor(k / n) * columns + features[k % n]];
  });
  return multiply(transpose(own, rows, n), own, n, rows, n);
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

// A moved by hand: its smallest change that brings a feature's arrow, or the centre of a class, to a place. ‖A' − A‖ is
// least among all A' with A' μ = place: A + (place − A μ) μᵀ / ‖μ‖². A: row by row, (components x columns).
export function withCentre(A, columns, mu, place) {
  const now = multiply(A, mu, place.length, columns, 1), square = dot(mu, mu);
  return Float32Array.from(A, (value, k) => {
    const c = Math.floor(k / columns);
    return value + ((place[c] - now[c]) * mu[k % columns]) / square;
  });
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
  const rows = [...labels.keys()].filter((i) => labels[i] >= 0);
  const known = rows.filter((i) => !heldOut[i]), unknown = rows.filter((i) => heldOut[i]);
  const mean = (of, value) => of.reduce((sum, i) => sum + value(i), 0) / of.length;
  const [isRight, isVoted] = [(i) => right[i], (i) => voted[i]];
  return {
    p: mean(known, (i) => p[i]),
    k: Math.exp(mean(known, (i) => Math.log(k[i]))),
    own: mean(known, isRight), ownVote: mean(known, isVoted),
    new: mean(unknown, isRight), newVote: mean(unknown, isVoted),
  };
}
