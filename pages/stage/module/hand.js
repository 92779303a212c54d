// A that somebody moves by hand: the smallest change of it that brings a feature's arrow, or the centre of a class, where
// the hand has it. Frames are row by row, (components x columns).

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
export function means({ p, k, right }, labels, heldOut) {
  const sums = { p: 0, entropy: 0, own: 0, n: 0, new: 0, m: 0 };
  for (let i = 0; i < labels.length; i++) {
    if (labels[i] < 0) continue;
    if (heldOut[i]) {
      sums.m++;
      sums.new += right[i];
      continue;
    }
    sums.n++;
    sums.p += p[i];
    sums.entropy += Math.log(k[i]);
    sums.own += right[i];
  }
  const { n, m } = sums;
  return { p: sums.p / n, k: Math.exp(sums.entropy / n), own: sums.own / n, new: sums.new / m };
}
