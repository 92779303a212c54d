// Training: NCA on prepared rows, an iteration at a time, with the numbers that the stage shows.
import { Climb } from "./climb.js";
import { norm } from "./matrix.js";
import { picksOf, roomFor, trainingPoints } from "./neighbourhood.js";
import { Objective } from "./objective.js";
import { project } from "./projection.js";
import { Random } from "./random.js";
import { lda, pca, random, withSensibleK } from "./starts.js";

const SHORT = 10; // iterations

export class Training {
  constructor({ X, labels, heldOut, features, components, start, seed, maxIter = 100 }) {
    const rows = [...trainingPoints(labels, heldOut)], test = [...labels.keys()].filter((i) => heldOut[i]);
    const train = {
      X: Float64Array.from(rows.flatMap((i) => [...X.subarray(i * features, (i + 1) * features)])),
      labels: Int32Array.from(rows, (i) => labels[i]),
    };
    Object.assign(this, { X, labels, rows, test, room: roomFor(rows), features, components, maxIter, train });
    this.objective = new Objective(train.X, train.labels, features);
    this.frames = { pca: pca(train.X, features, components), lda: lda(train.X, train.labels, features, components) };
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
    return new Climb((at) => this.objective.at(at), A, this.rows.length, { unit, maxIter });
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
    const { A, at, iteration } = this.climb;
    const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
    return {
      frame: Float32Array.from(A), iteration, objective: at.value, mean_p: mean(at.p), gradient_norm: norm(at.gradient),
      k_mean_entropy: Math.exp(mean(at.entropy)), k_mean_perplexity: mean(at.entropy.map(Math.exp)),
      ...this.accuracies(A, at), accuracy_knn: NaN, held_out_knn: NaN, seconds: this.seconds,
    };
  }

  // 1-NN: leave-one-out on the training rows, and of the held-out rows by the training rows; NaN without any.
  accuracies(A, { nearest } = this.objective.probabilities(A)) {
    const { X, labels, rows: others, test, room, train, features, components } = this;
    const Y = project(X, labels.length, features, A, components, Float64Array);
    const own = train.labels.filter((label, i) => label === train.labels[nearest[i]]).length;
    const right = test.filter((i) => labels[picksOf({ Y, components, i, labels, others, room }).nearest] === labels[i]).length;
    return { accuracy_1nn: own / others.length, held_out_1nn: test.length ? right / test.length : NaN };
  }

  // What the page needs before anything trains: frames, and the accuracies of the projections beside NCA.
  opened() {
    const scores = { pca: this.accuracies(this.frames.pca), lda: this.accuracies(this.frames.lda) };
    return { frames: this.frames, scores, first: this.latest };
  }
}
