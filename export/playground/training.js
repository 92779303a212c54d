// Training: NCA on prepared rows, an iteration at a time, with the numbers that the stage shows.
import { Climb } from "./climb.js";
import { norm } from "./linear_algebra.js";
import { Objective, project } from "./objective.js";
import { Random } from "./random.js";
import { lda, pca, random, withSensibleK } from "./starts.js";

const SHORT = 10; // iterations
const AXES = { pca: "PCA", lda: "LDA" }; // the projections beside NCA

export class Training {
  constructor({ X, labels, heldOut, features, components, start, seed, maxIter = 100 }) {
    const rows = (wanted) => [...labels.keys()].filter((i) => Boolean(heldOut[i]) === wanted);
    const take = (which) => ({
      X: Float64Array.from(which.flatMap((i) => [...X.subarray(i * features, (i + 1) * features)])),
      labels: Int32Array.from(which, (i) => labels[i]),
    });
    Object.assign(this, { features, components, maxIter, seconds: 0, train: take(rows(false)), test: take(rows(true)) });
    this.objective = new Objective(this.train.X, this.train.labels, features);
    const n = this.train.labels.length;
    this.frames = { pca: pca(this.train.X, n, features, components), lda: lda(this.train.X, this.train.labels, features, components) };
    const drawn = random(new Random(seed + 3), features, components);
    this.start = start === "best" ? this.bestOf([...Object.values(this.frames), drawn]) : this.scaled(this.frames[start] ?? drawn);
    this.reset();
  }

  scaled(axes) {
    return withSensibleK(axes, this.train.X, this.train.labels, this.features);
  }

  // Where the best of short runs arrived: from each of the axes, and from LDA three times as large.
  bestOf(candidates) {
    const starts = candidates.map((axes) => this.scaled(axes));
    starts.push({ A: starts[1].A.map((a) => 3 * a), unit: 3 * starts[1].unit });
    let best = null;
    for (const { A, unit } of starts) {
      const climb = this.climbFrom(A, unit, SHORT);
      for (const _ of climb.iterations());
      if (!(best?.mean >= climb.mean)) best = climb;
    }
    return { A: best.A, unit: 1 };
  }

  climbFrom(A, unit, maxIter) {
    return new Climb((at) => this.objective.at(at), A, this.train.labels.length, { unit, maxIter });
  }

  // Back to the start.
  reset() {
    this.seconds = 0;
    this.climb = this.climbFrom(this.start.A, this.start.unit, this.maxIter);
    this.pending = this.climb.iterations();
    this.latest = this.snapshot();
    this.ended = "";
  }

  // One iteration -> its snapshot; null once it has ended, with the reason in `ended`.
  step() {
    const before = performance.now();
    const { done } = this.pending.next();
    this.seconds += (performance.now() - before) / 1000;
    if (done) {
      this.ended = this.climb.reason;
      return null;
    }
    return (this.latest = this.snapshot());
  }

  snapshot() {
    const { A, at, made } = this.climb, n = at.p.length;
    const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
    return {
      frame: Float32Array.from(A), iteration: made, objective: at.value, mean_p: at.value / n, gradient_norm: norm(at.gradient),
      k_mean_entropy: Math.exp(mean(at.entropy)), k_mean_perplexity: mean(at.entropy.map(Math.exp)),
      ...this.accuracies(A, at.nearest), accuracy_knn: NaN, held_out_knn: NaN, seconds: this.seconds,
    };
  }

  // 1-NN: leave-one-out on the training rows, and of the held-out rows by the training rows; NaN without any.
  accuracies(A, nearest = this.objective.probabilities(this.places(A, this.train), this.components).nearest) {
    const { train, test } = this;
    const share = (right, all) => (all ? right / all : NaN);
    const own = train.labels.reduce((sum, label, i) => sum + (label === train.labels[nearest[i]]), 0);
    const Y = this.places(A, train), Z = this.places(A, test);
    const right = test.labels.reduce((sum, label, i) => sum + (label === train.labels[this.closest(Y, Z, i)]), 0);
    return { accuracy_1nn: share(own, train.labels.length), held_out_1nn: share(right, test.labels.length) };
  }

  places(A, { X, labels }) {
    return project(X, A, labels.length, this.features, this.components);
  }

  closest(Y, Z, i) {
    const d = this.components;
    let least = Infinity, found = 0;
    for (let j = 0; j < Y.length / d; j++) {
      let square = 0;
      for (let c = 0; c < d; c++) square += (Y[j * d + c] - Z[i * d + c]) ** 2;
      if (square < least) {
        least = square;
        found = j;
      }
    }
    return found;
  }

  // What the page needs before anything trains: frames, and the accuracies of the projections beside NCA.
  opened() {
    const scores = Object.fromEntries(Object.keys(AXES).map((key) => [key, this.accuracies(this.frames[key])]));
    return { frames: this.frames, scores, first: this.latest };
  }
}
