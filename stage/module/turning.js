// Paths of A: three axes through the data, the turning of their picture, and the way from one plane to another. Frames are row by
// row, (2 x columns); each on a path is a true projection.
import { multiply } from "./view.js";

const ROWS = 500, STEPS = 40;

// Three orthonormal axes, (3 x columns): the features themselves where there are three, else the first principal axes, found by
// orthogonal iteration over evenly spread rows.
export function cloudAxes({ X, columns }, samples) {
  const axes = Array.from({ length: 3 }, (_, k) => Float64Array.from({ length: columns }, (_, f) => Number(f === k)));
  if (columns === 3) return axes;
  for (const [k, axis] of axes.entries()) axis.forEach((_, f) => (axis[f] = Math.sin(1 + f * (k + 1.7) + k)));
  const stride = Math.max(1, Math.floor(samples / ROWS));
  for (let step = 0; step < STEPS; step++) {
    const next = axes.map(() => new Float64Array(columns));
    for (let i = 0; i < samples; i += stride) {
      axes.forEach((axis, k) => {
        let along = 0;
        for (let f = 0; f < columns; f++) along += X[i * columns + f] * axis[f];
        for (let f = 0; f < columns; f++) next[k][f] += along * X[i * columns + f];
      });
    }
    orthonormal(next).forEach((axis, k) => axes[k].set(axis));
  }
  return axes;
}

// The picture of the cloud under a rotation R (3 x 3): its first two rows in the axes.
export function shadowOf(R, axes, scale = 1) {
  const columns = axes[0].length;
  return Float32Array.from({ length: 2 * columns }, (_, at) => {
    const row = 3 * Math.floor(at / columns), f = at % columns;
    return scale * (R[row] * axes[0][f] + R[row + 1] * axes[1][f] + R[row + 2] * axes[2][f]);
  });
}

// A rotation by `across` and `up` (radians) after R.
export function turned(R, across, up) {
  const [c, s, d, t] = [Math.cos(across), Math.sin(across), Math.cos(up), Math.sin(up)];
  return multiply(multiply([1, 0, 0, 0, d, -t, 0, t, d], [c, 0, s, 0, 1, 0, -s, 0, c]), R);
}

// -> t => A, from one A to another: their planes turn along principal angles (Asimov's and Buja's grand tour), and within them
// scale and shear change evenly. No mirror lies on the way: it turns through another direction.
export function planePath(from, to, columns) {
  const [L0, Q0] = triangular(from, columns), [L1, Q1] = triangular(to, columns);
  if (!L0 || !L1) return (t) => Float32Array.from(from, (value, k) => value + t * (to[k] - value));
  const M = [0, 1].flatMap((a) => [0, 1].map((b) => dot(Q0[a], Q1[b])));
  const [U, sizes, W] = rotationsOf(M);
  const q0 = rows([U[0], U[2], U[1], U[3]], Q0), q1 = rows(W, Q1);
  const angles = sizes.map((size) => Math.acos(Math.max(-1, Math.min(1, size))));
  const across = q0.map((q, k) => beside(q, q1[k], sizes[k], [...q0, ...q1]));
  const B0 = product(L0, U), B1 = product(L1, [W[0], W[2], W[1], W[3]]);
  return (t) => {
    if (t >= 1) return to;
    const B = between(B0, B1, t);
    const q = q0.map((each, k) => each.map((v, f) => Math.cos(t * angles[k]) * v + Math.sin(t * angles[k]) * across[k][f]));
    return Float32Array.from([0, 1].flatMap((a) => [...q[0].map((v, f) => B[2 * a] * v + B[2 * a + 1] * q[1][f])]));
  };
}

// A = L Q with L lower triangular (2 x 2) and Q of two orthonormal rows; [null] where A has no two directions.
function triangular(A, columns) {
  const given = [0, 1].map((a) => Float64Array.from(A.subarray(a * columns, (a + 1) * columns)));
  const Q = orthonormal(given.map((row) => row.slice()));
  const L = [dot(given[0], Q[0]), 0, dot(given[1], Q[0]), dot(given[1], Q[1])];
  return L[0] > 1e-12 && L[3] > 1e-9 * L[0] ? [L, Q] : [null];
}

function orthonormal(axes) {
  axes.forEach((axis, k) => {
    for (const other of axes.slice(0, k)) {
      const along = dot(axis, other);
      axis.forEach((_, f) => (axis[f] -= along * other[f]));
    }
    const length = Math.hypot(...axis) || 1;
    axis.forEach((_, f) => (axis[f] /= length));
  });
  return axes;
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
  const length = Math.hypot(...way);
  if (length > 1e-6) return way.map((v) => v / length);
  if (size > 0) return way.fill(0);
  const free = Float64Array.from(q, (_, f) => Math.cos(1 + 2 * f));
  for (const other of orthonormal(taken.map((each) => each.slice()))) {
    const along = dot(free, other);
    free.forEach((_, f) => (free[f] -= along * other[f]));
  }
  const rest = Math.hypot(...free) || 1;
  return free.map((v) => v / rest);
}

// Between two 2 x 2 matrices that do not mirror: their rotations the shorter way, their sizes evenly, their shapes straight.
function between(B0, B1, t) {
  const angle = ([a, b, c, d]) => Math.atan2(c - b, a + d);
  const size = ([a, b, c, d]) => Math.sqrt(Math.abs(a * d - b * c));
  const [first, last] = [angle(B0), angle(B1)];
  const way = Math.atan2(Math.sin(last - first), Math.cos(last - first));
  const [S0, S1] = [[B0, first], [B1, last]].map(([B, by]) => product(rotation(-by), B).map((v) => v / size(B)));
  const S = S0.map((v, k) => v + t * (S1[k] - v));
  const wanted = size(B0) ** (1 - t) * size(B1) ** t;
  return product(rotation(first + t * way), S.map((v) => (v * wanted) / size(S)));
}

function product([a, b, c, d], [e, f, g, h]) {
  return [a * e + b * g, a * f + b * h, c * e + d * g, c * f + d * h];
}

function rows([a, b, c, d], [p, q]) {
  return [p.map((v, f) => a * v + b * q[f]), p.map((v, f) => c * v + d * q[f])];
}

function dot(p, q) {
  let sum = 0;
  for (let f = 0; f < p.length; f++) sum += p[f] * q[f];
  return sum;
}
