// From where a 3-D scene is looked at first: its two principal axes face the viewer, a little tilted to show the depth.
const SWEEPS = 12;

// `Y`: places of the points, (n, 3). -> the axes of most to least spread as the rows of a rotation.
export function principalRotation(Y) {
  const S = [0, 0, 0, 0, 0, 0, 0, 0, 0], mean = [0, 0, 0];
  let n = 0;
  for (let at = 0; at + 2 < Y.length; at += 3) {
    if (Number.isNaN(Y[at])) continue;
    n++;
    for (let a = 0; a < 3; a++) {
      mean[a] += Y[at + a];
      for (let b = 0; b < 3; b++) S[3 * a + b] += Y[at + a] * Y[at + b];
    }
  }
  for (let a = 0; a < 3; a++) for (let b = 0; b < 3; b++) S[3 * a + b] -= (mean[a] * mean[b]) / Math.max(1, n);
  const V = jacobi(S);
  const axes = [0, 1, 2].sort((a, b) => S[4 * b] - S[4 * a]).map((k) => [V[k], V[3 + k], V[6 + k]]);
  // Each of the first two points the way in which it is largest, so that an axis that is one already stays as it is.
  for (const axis of axes) if (axis.reduce((a, b) => (Math.abs(b) > Math.abs(a) ? b : a)) < 0) axis.forEach((v, k) => (axis[k] = -v));
  const [p, q] = axes;
  return [...p, ...q, p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]];
}

// Makes the symmetric S diagonal by rotations; -> the eigenvectors as columns.
function jacobi(S) {
  const V = [1, 0, 0, 0, 1, 0, 0, 0, 1];
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    for (const [p, q] of [[0, 1], [0, 2], [1, 2]]) {
      if (!(Math.abs(S[3 * p + q]) > 1e-14 * Math.abs(S[4 * p] + S[4 * q]))) continue;
      const angle = 0.5 * Math.atan2(2 * S[3 * p + q], S[4 * p] - S[4 * q]);
      const c = Math.cos(angle), s = Math.sin(angle);
      for (const M of [S, V]) {
        for (let k = 0; k < 3; k++) {
          const a = M[3 * k + p], b = M[3 * k + q];
          M[3 * k + p] = c * a + s * b;
          M[3 * k + q] = c * b - s * a;
        }
      }
      for (let k = 0; k < 3; k++) {
        const a = S[3 * p + k], b = S[3 * q + k];
        S[3 * p + k] = c * a + s * b;
        S[3 * q + k] = c * b - s * a;
      }
    }
  }
  return V;
}
