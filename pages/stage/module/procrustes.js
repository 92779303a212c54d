// What brings one picture nearest to another by turning and mirroring (orthogonal Procrustes, Schönemann 1966): with yᵢ and
// zᵢ centred and C = Σ zᵢ yᵢᵀ = U Σ Vᵀ, R = U Vᵀ minimises Σ ‖zᵢ − R yᵢ‖². Both become equally large, Σ ‖zᵢ‖² = Σ ‖s yᵢ‖²: the s
// that minimises the sum too would make a picture the smaller the less it is like the other.
const MOST = 4000; // points that are looked at, evenly
const NOTHING = 1e-9; // of the greatest singular value

// Y, Z: places of the same points one after the other, NaN where a point has none.
// -> { R, size, from, to }: z ≈ to + size R (y − from), R row by row.
export function procrustes(Y, Z, components) {
  const samples = Y.length / components;
  const stride = Math.max(1, Math.ceil(samples / MOST));
  const from = new Float64Array(components), to = new Float64Array(components);
  const C = new Float64Array(components * components);
  let n = 0, square = 0, wanted = 0;
  for (let i = 0; i < samples; i += stride) {
    if (!placed(Y, Z, i, components)) continue;
    n++;
    for (let c = 0; c < components; c++) {
      from[c] += Y[i * components + c];
      to[c] += Z[i * components + c];
    }
  }
  for (let c = 0; c < components; c++) {
    from[c] /= n || 1;
    to[c] /= n || 1;
  }
  for (let i = 0; i < samples; i += stride) {
    if (!placed(Y, Z, i, components)) continue;
    for (let b = 0; b < components; b++) {
      const y = Y[i * components + b] - from[b];
      square += y * y;
      wanted += (Z[i * components + b] - to[b]) ** 2;
      for (let a = 0; a < components; a++) C[a * components + b] += (Z[i * components + a] - to[a]) * y;
    }
  }
  const size = Math.sqrt(wanted / square);
  return { R: nearestRotation(C, components), size: size > 0 && size < Infinity ? size : 1, from, to };
}

function placed(Y, Z, i, components) {
  for (let k = i * components; k < (i + 1) * components; k++) if (!(Number.isFinite(Y[k]) && Number.isFinite(Z[k]))) return false;
  return true;
}

// -> U Vᵀ of C = U Σ Vᵀ, by one-sided Jacobi: the columns of C are turned until each is at right angles to all.
function nearestRotation(C, d) {
  const u = [], v = [];
  for (let k = 0; k < d; k++) {
    u.push(Array.from({ length: d }, (_, a) => C[a * d + k]));
    v.push(Array.from({ length: d }, (_, a) => Number(a === k)));
  }
  for (let sweep = 0; sweep < 30; sweep++) {
    let turned = false;
    for (let p = 0; p < d; p++) {
      for (let q = p + 1; q < d; q++) {
        const pp = dot(u[p], u[p]), qq = dot(u[q], u[q]), pq = dot(u[p], u[q]);
        if (!(Math.abs(pq) > 1e-14 * Math.sqrt(pp * qq))) continue;
        turned = true;
        const zeta = (qq - pp) / (2 * pq);
        const t = (zeta < 0 ? -1 : 1) / (Math.abs(zeta) + Math.sqrt(1 + zeta * zeta));
        const c = 1 / Math.sqrt(1 + t * t), s = c * t;
        for (const [x, y] of [[u[p], u[q]], [v[p], v[q]]]) {
          for (let a = 0; a < d; a++) [x[a], y[a]] = [c * x[a] - s * y[a], s * x[a] + c * y[a]];
        }
      }
    }
    if (!turned) break;
  }
  const lengths = u.map((column) => Math.sqrt(dot(column, column)));
  const missing = [...u.keys()].filter((k) => !(lengths[k] > NOTHING * Math.max(...lengths)));
  const found = u.filter((_, k) => !missing.includes(k));
  found.forEach((column) => scale(column, 1 / Math.sqrt(dot(column, column))));
  // In a direction that one of the pictures does not fill, any axis will do.
  for (const k of missing) {
    fill(u[k], found);
    found.push(u[k]);
  }
  let R = product(u, v, d);
  if (missing.length && determinant(R, d) < 0) { // and no mirror
    scale(u[missing[missing.length - 1]], -1);
    R = product(u, v, d);
  }
  return R;
}

// A unit vector at right angles to all of `others`.
function fill(column, others) {
  const d = column.length;
  let most = -1;
  for (let axis = 0; axis < d; axis++) {
    const tried = Array.from({ length: d }, (_, a) => Number(a === axis));
    for (const other of others) {
      const along = dot(tried, other);
      for (let a = 0; a < d; a++) tried[a] -= along * other[a];
    }
    const length = Math.sqrt(dot(tried, tried));
    if (length <= most + 1e-9) continue;
    most = length;
    for (let a = 0; a < d; a++) column[a] = tried[a] / length;
  }
}

function product(u, v, d) {
  const R = new Float64Array(d * d);
  for (let k = 0; k < d; k++) for (let a = 0; a < d; a++) for (let b = 0; b < d; b++) R[a * d + b] += u[k][a] * v[k][b];
  return R;
}

function determinant(R, d) {
  if (d === 2) return R[0] * R[3] - R[1] * R[2];
  return R[0] * (R[4] * R[8] - R[5] * R[7]) - R[1] * (R[3] * R[8] - R[5] * R[6]) + R[2] * (R[3] * R[7] - R[4] * R[6]);
}

function dot(x, y) {
  let sum = 0;
  for (let a = 0; a < x.length; a++) sum += x[a] * y[a];
  return sum;
}

function scale(column, by) {
  for (let a = 0; a < column.length; a++) column[a] *= by;
}
