// NCA's objective f(A) = Σ p_i and its gradient over every pair of points, in double precision (NCA paper, eq. 1 to 5).

// Places of the points, Y = X Aᵀ, (samples x components).
export function project(X, A, samples, features, components) {
  const Y = new Float64Array(samples * components);
  for (let i = 0; i < samples; i++) {
    for (let c = 0; c < components; c++) {
      let sum = 0;
      for (let f = 0; f < features; f++) sum += X[i * features + f] * A[c * features + f];
      Y[i * components + c] = sum;
    }
  }
  return Y;
}

export class Objective {
  // X: (samples x features); labels: class codes, (samples,).
  constructor(X, labels, features) {
    Object.assign(this, { X, labels, features, samples: labels.length });
    this.pairs = new Float64Array(this.samples * this.samples);
  }

  // -> { value: Σ p_i, gradient in A, p, entropy of p_i· in nats, nearest other point of each }.
  at(A) {
    const { X, samples: n, features } = this;
    const d = A.length / features;
    const Y = project(X, A, n, features, d);
    const found = this.probabilities(Y, d);
    const G = this.pull(Y, d, found.p);
    const gradient = new Float64Array(A.length);
    for (let i = 0; i < n; i++) {
      for (let c = 0; c < d; c++) {
        const g = G[i * d + c];
        for (let f = 0; f < features; f++) gradient[c * features + f] += g * X[i * features + f];
      }
    }
    return { ...found, value: found.p.reduce((sum, p) => sum + p, 0), gradient };
  }

  // p_ij = exp(−‖y_i − y_j‖²) / Σ_k exp(−‖y_i − y_k‖²), k ≠ i, in `pairs`. The nearest point's square is subtracted first,
  // so that isolated points stay finite.
  probabilities(Y, d) {
    const { pairs, labels, samples: n } = this;
    const p = new Float64Array(n), entropy = new Float64Array(n), nearest = new Int32Array(n);
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < i; j++) {
        let square = 0;
        for (let c = 0; c < d; c++) square += (Y[i * d + c] - Y[j * d + c]) ** 2;
        pairs[i * n + j] = pairs[j * n + i] = square;
      }
      pairs[i * n + i] = Infinity;
    }
    for (let i = 0; i < n; i++) {
      const row = pairs.subarray(i * n, (i + 1) * n);
      let least = Infinity;
      for (let j = 0; j < n; j++) {
        if (row[j] < least) {
          least = row[j];
          nearest[i] = j;
        }
      }
      let all = 0, same = 0, mixed = 0;
      for (let j = 0; j < n; j++) {
        const energy = row[j] - least, weight = Math.exp(-energy);
        row[j] = weight;
        if (!weight) continue;
        all += weight;
        mixed += weight * energy;
        if (labels[j] === labels[i]) same += weight;
      }
      for (let j = 0; j < n; j++) row[j] /= all;
      p[i] = same / all;
      entropy[i] = Math.log(all) + mixed / all;
    }
    return { p, entropy, nearest };
  }

  // ∂f/∂y_m = −2 Σ_j (y_m − y_j) [p_mj (s_mj − p_m) + p_jm (s_mj − p_j)], s_mj = 1 within a class; (samples x components).
  pull(Y, d, p) {
    const { pairs, labels, samples: n } = this;
    const G = new Float64Array(n * d);
    for (let m = 0; m < n; m++) {
      for (let j = 0; j < m; j++) {
        const same = labels[m] === labels[j] ? 1 : 0;
        const force = -2 * (pairs[m * n + j] * (same - p[m]) + pairs[j * n + m] * (same - p[j]));
        if (!force) continue;
        for (let c = 0; c < d; c++) {
          const along = force * (Y[m * d + c] - Y[j * d + c]);
          G[m * d + c] += along;
          G[j * d + c] -= along;
        }
      }
    }
    return G;
  }
}
