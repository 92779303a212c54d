// NCA's objective f(A) = Σ p_i and its gradient over every pair of points, in double precision (NCA paper, eq. 1 to 5).
import { multiply, transpose } from "./matrix.js";
import { addPulls, picksOf, roomFor } from "./neighbourhood.js";
import { project } from "./projection.js";

export class Objective {
  // X: (samples x features); labels: class codes, (samples,).
  constructor(X, labels, features) {
    Object.assign(this, { X, labels, features, others: labels.map((_, i) => i), room: roomFor(labels) });
  }

  // -> { value: Σ p_i, gradient in A, p, entropy of p_i· in nats, nearest other point of each }.
  at(A) {
    const { X, labels: { length: n }, features } = this;
    const d = A.length / features, forces = new Float64Array(n * d);
    const found = this.probabilities(A, forces);
    const gradient = multiply(transpose(forces, n, d), X, d, n, features);
    return { ...found, value: found.p.reduce((sum, p) => sum + p, 0), gradient };
  }

  // -> { p, entropy, nearest }; the pulls of all points are added to `forces`.
  probabilities(A, forces = null) {
    const { X, labels, features, others, room } = this;
    const components = A.length / features;
    const Y = project(X, labels.length, features, A, components, Float64Array);
    const p = new Float64Array(labels.length), entropy = p.slice(), nearest = new Int32Array(labels.length);
    for (const i of others) {
      const query = { Y, components, i, labels, others, room }, picks = picksOf(query);
      p[i] = picks.p;
      entropy[i] = Math.log(picks.k);
      nearest[i] = picks.nearest;
      if (forces) addPulls(picks, query, forces);
    }
    return { p, entropy, nearest };
  }
}
