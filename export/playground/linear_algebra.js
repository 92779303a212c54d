// Dense linear algebra in double precision for a few dozen features; matrices are Float64Arrays, row by row.

// The product of a (rows x inner) and b (inner x columns).
export function multiply(a, b, rows, inner, columns) {
  const product = new Float64Array(rows * columns);
  for (let i = 0; i < rows; i++) {
    for (let k = 0; k < inner; k++) {
      const factor = a[i * inner + k];
      for (let j = 0; j < columns; j++) product[i * columns + j] += factor * b[k * columns + j];
    }
  }
  return product;
}

export function norm(values) {
  return Math.sqrt(dot(values, values));
}

export function dot(a, b) {
  let sum = 0;
  for (let k = 0; k < a.length; k++) sum += a[k] * b[k];
  return sum;
}

const SWEEPS = 60;
const NOTHING = 1e-15; // of the diagonal

// Eigenvalues, the greatest first, and eigenvectors (as rows) of a symmetric matrix, by Jacobi rotations.
export function eigen(symmetric, size) {
  const M = Float64Array.from(symmetric), V = new Float64Array(size * size);
  for (let k = 0; k < size; k++) V[k * size + k] = 1;
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    let off = 0, diagonal = 0;
    for (let i = 0; i < size; i++) {
      diagonal += M[i * size + i] ** 2;
      for (let j = 0; j < i; j++) off += M[i * size + j] ** 2;
    }
    if (Math.sqrt(off) <= NOTHING * Math.sqrt(diagonal)) break;
    for (let p = 0; p < size; p++) for (let q = p + 1; q < size; q++) rotate(M, V, size, p, q);
  }
  const order = Array.from({ length: size }, (_, k) => k).sort((a, b) => M[b * size + b] - M[a * size + a]);
  return { values: order.map((k) => M[k * size + k]), vectors: order.map((k) => V.slice(k * size, (k + 1) * size)) };
}

// Make M[p, q] zero; the rows of V turn along.
function rotate(M, V, size, p, q) {
  const off = M[p * size + q];
  if (!off) return;
  const theta = (M[q * size + q] - M[p * size + p]) / (2 * off);
  const t = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
  const c = 1 / Math.sqrt(t * t + 1), s = t * c;
  for (let k = 0; k < size; k++) {
    const a = M[k * size + p], b = M[k * size + q];
    M[k * size + p] = c * a - s * b;
    M[k * size + q] = s * a + c * b;
  }
  for (let k = 0; k < size; k++) {
    const a = M[p * size + k], b = M[q * size + k], u = V[p * size + k], v = V[q * size + k];
    M[p * size + k] = c * a - s * b;
    M[q * size + k] = s * a + c * b;
    V[p * size + k] = c * u - s * v;
    V[q * size + k] = s * u + c * v;
  }
}
