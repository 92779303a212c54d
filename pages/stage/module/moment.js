// Numbers of one frame A of a training, from which is told what moved and why: what the features weigh in the view, how
// large the view is, and which K̂ it would have at another scale. Counted over the training rows, as the training does.
const MOST_ROWS = 3000; // with more, K̂ is not counted here
const SAMPLE = 2000; // rows that then tell the scale
const MOST_PAIRS = 120_000;

// Rows that are trained on: labelled and not held out; of very many every so-manieth.
export function trainedRows(labels, heldOut) {
  const rows = [];
  for (let i = 0; i < labels.length; i++) if (labels[i] >= 0 && !heldOut[i]) rows.push(i);
  if (rows.length <= MOST_ROWS) return { rows, all: true };
  const stride = rows.length / SAMPLE;
  return { rows: Array.from({ length: SAMPLE }, (_, k) => rows[Math.floor(k * stride)]), all: false };
}

// Of each column of X over those rows.
export function variances(X, columns, rows) {
  const sum = new Float64Array(columns), square = new Float64Array(columns);
  for (const i of rows) {
    for (let f = 0; f < columns; f++) {
      const x = X[i * columns + f];
      sum[f] += x;
      square[f] += x * x;
    }
  }
  return square.map((value, f) => Math.max(0, value / rows.length - (sum[f] / rows.length) ** 2));
}

// What share of the view each feature makes: s_f ∝ var(x_f) Σ_c A_cf², the square of how far a point moves when the feature
// grows by its standard deviation. They add up to 1.
export function shares(A, columns, variance) {
  const part = new Float64Array(columns);
  for (let k = 0; k < A.length; k++) part[k % columns] += A[k] * A[k] * variance[k % columns];
  const all = part.reduce((sum, value) => sum + value, 0);
  return all > 0 ? part.map((value) => value / all) : part;
}

export function projected(X, columns, A, components, rows) {
  const Y = new Float64Array(rows.length * components);
  rows.forEach((i, r) => {
    for (let c = 0; c < components; c++) {
      let sum = 0;
      for (let f = 0; f < columns; f++) sum += X[i * columns + f] * A[c * columns + f];
      Y[r * components + c] = sum;
    }
  });
  return Y;
}

// Root of the mean squared distance from the centre.
export function rms(Y, components) {
  const n = Y.length / components;
  let total = 0;
  for (let c = 0; c < components; c++) {
    let sum = 0, square = 0;
    for (let k = c; k < Y.length; k += components) {
      sum += Y[k];
      square += Y[k] * Y[k];
    }
    total += square / n - (sum / n) ** 2;
  }
  return Math.sqrt(Math.max(0, total));
}

// K̂ = exp(mean entropy of p_i·) of the points times `factor`; of many, every so-manieth is asked.
export function effectiveNeighbours(Y, components, factor) {
  const n = Y.length / components;
  const asked = Math.max(1, Math.min(n, Math.floor(MOST_PAIRS / n)));
  const energies = new Float64Array(n);
  let entropies = 0;
  for (let q = 0; q < asked; q++) {
    const i = Math.floor((q * n) / asked);
    let least = Infinity;
    for (let j = 0; j < n; j++) {
      let square = 0;
      for (let c = 0; c < components; c++) square += (Y[i * components + c] - Y[j * components + c]) ** 2;
      energies[j] = square;
      if (j !== i && square < least) least = square;
    }
    let all = 0, mixed = 0;
    for (let j = 0; j < n; j++) {
      if (j === i) continue;
      const e = (energies[j] - least) * factor * factor;
      const w = Math.exp(-e);
      if (!w) continue;
      all += w;
      mixed += w * e;
    }
    entropies += Math.log(all) + mixed / all;
  }
  return Math.exp(entropies / asked);
}

// -> { shares, growth, k, kAtStart } of the frame A beside the frame A0 of the start: what the features weigh, how many
// times larger the view is, its K̂ and the one that it would have at the scale of the start. K̂ is NaN for too many rows.
export function momentOf({ X, columns, unit }, components, labels, heldOut, A0, A) {
  const { rows, all } = trainedRows(labels, heldOut);
  const variance = variances(X, columns, rows);
  const before = projected(X, columns, A0, components, rows), now = projected(X, columns, A, components, rows);
  const growth = rms(now, components) / rms(before, components);
  const counted = all && rows.length > 2 && growth > 0 && growth < Infinity;
  return {
    before: shares(A0, columns, variance),
    shares: shares(A, columns, variance),
    growth,
    k: counted ? effectiveNeighbours(now, components, unit) : NaN,
    kAtStart: counted ? effectiveNeighbours(now, components, unit / growth) : NaN,
  };
}
