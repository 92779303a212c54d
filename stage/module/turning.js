// Paths of A: three axes through the data, the turning of their picture, and the way from one plane to another. Frames
// are row by row, (2 x columns); each on a path is a true projection.
import { dot, multiply, norm, orthonormal, rowsOf, transpose } from "./matrix.js";

const ROWS = 500, STEPS = 40;

// Three orthonormal axes, (3 x columns): the features themselves where there are three, else the first principal axes,
// found by orthogonal iteration over evenly spread rows.
export function cloudAxes({ X, columns }, samples) {
  const start = (row, f) => (columns === 3 ? Number(f === row) : Math.sin(1 + f * (row + 1.7) + row));
  let axes = Float64Array.from({ length: 3 * columns }, (_, k) => start(Math.floor(k / columns), k % columns));
  if (columns === 3) return axes;
  const stride = Math.max(1, Math.floor(samples / ROWS));
  const rows = rowsOf(X, columns).filter((_, i) => i % stride === 0);
  for (let step = 0; step < STEPS; step++) {
    const next = new Float64Array(axes.length);
    for (const row of rows) {
      const along = multiply(axes, row, 3, columns, 1);
      for (let k = 0; k < next.length; k++) next[k] += along[Math.floor(k / columns)] * row[k % columns];
    }
    orthonormal(rowsOf(next, columns));
    axes = next;
  }
  return axes;
}

// The picture of the cloud under a rotation R (3 x 3): its first two rows in the axes.
export function shadowOf(R, axes, scale = 1) {
  return Float32Array.from(multiply(R, axes, 2, 3, axes.length / 3), (value) => scale * value);
}

// -> t => A, from one A to another: their planes turn along principal angles (Asimov's and Buja's grand tour), and
// within them scale and shear change evenly. No mirror lies on the way: it turns through another direction.
export function planePath(from, to, columns) {
  const [L0, Q0] = triangular(from, columns), [L1, Q1] = triangular(to, columns);
  if (!L0 || !L1) return (t) => Float32Array.from(from, (value, k) => value + t * (to[k] - value));
  const [U, sizes, W] = rotationsOf(multiply(Q0, transpose(Q1, 2, columns), 2, columns, 2));
  const q0 = multiply(transpose(U, 2, 2), Q0, 2, 2, columns), q1 = multiply(W, Q1, 2, 2, columns);
  const angles = sizes.map((size) => Math.acos(Math.max(-1, Math.min(1, size))));
  const [starts, ends] = [rowsOf(q0, columns), rowsOf(q1, columns)];
  const across = starts.map((q, k) => beside(q, ends[k], sizes[k], [...starts, ...ends]));
  const B0 = multiply(L0, U, 2, 2, 2), B1 = multiply(L1, transpose(W, 2, 2), 2, 2, 2);
  return (t) => {
    if (t >= 1) return to;
    const q = starts.flatMap((start, k) => {
      const c = Math.cos(t * angles[k]), s = Math.sin(t * angles[k]);
      return Array.from(start, (value, f) => c * value + s * across[k][f]);
    });
    return Float32Array.from(multiply(between(B0, B1, t), q, 2, 2, columns));
  };
}

// A = L Q with L lower triangular (2 x 2) and Q of two orthonormal rows; [null] where A has no two directions.
function triangular(A, columns) {
  const Q = Float64Array.from(A);
  orthonormal(rowsOf(Q, columns));
  const L = multiply(A, transpose(Q, 2, columns), 2, columns, 2);
  return L[0] > 1e-12 && L[3] > 1e-9 * L[0] ? [L, Q] : [null];
}

// M = U diag(sizes) W with rotations U and W; the second size is negative where M mirrors.
function rotationsOf([a, b, c, d]) {
  const [E, F, G, H] = [(a + d) / 2, (a - d) / 2, (c + b) / 2, (c - b) / 2];
  const [one, other] = [Math.atan2(G, F), Math.atan2(H, E)];
  const [Q, R] = [Math.hypot(E, H), Math.hypot(F, G)];
  return [rotation((other + one) / 2), [Q + R, Q - R], rotation((other - one) / 2)];
}

function rotation(angle) {
  const c = Math.cos(angle), s = Math.sin(angle);
  return [c, -s, s, c];
}

// The direction in which q turns towards p, their product being `size`; any other one where they are opposite.
function beside(q, p, size, taken) {
  const way = p.map((v, f) => v - size * q[f]);
  const length = norm(way);
  if (length > 1e-6) return way.map((v) => v / length);
  if (size > 0) return way.fill(0);
  const free = Float64Array.from(q, (_, f) => Math.cos(1 + 2 * f));
  return orthonormal([...taken.map((each) => each.slice()), free]).at(-1);
}

// Between two 2 x 2 matrices that do not mirror: their rotations the shorter way, their sizes evenly, their shapes
// straight.
function between(B0, B1, t) {
  const angle = ([a, b, c, d]) => Math.atan2(c - b, a + d);
  const size = ([a, b, c, d]) => Math.sqrt(Math.abs(a * d - b * c));
  const [first, last] = [angle(B0), angle(B1)];
  const way = Math.atan2(Math.sin(last - first), Math.cos(last - first));
  const shape = (B, by) => multiply(rotation(-by), B, 2, 2, 2).map((v) => v / size(B));
  const S0 = shape(B0, first), S1 = shape(B1, last);
  const S = S0.map((v, k) => v + t * (S1[k] - v));
  const wanted = size(B0) ** (1 - t) * size(B1) ** t;
  return multiply(rotation(first + t * way), S.map((v) => (v * wanted) / size(S)), 2, 2, 2);
}
