// The phases of a training, found from its own snapshots in their order: weight leaves features, classes part, the picture grows.
// Each occurs once, so a run has at most three, and then its end. Earlier phases never change as snapshots come.
import { shares, sizeOf, trainedRows, variances } from "./story_numbers.js";
import { countOf, listed, percent, visibleName } from "./text.js";

const SHIFTED = 0.1, GAINED = 0.05, GROWN = 0.2; // from which on a change makes a phase: of the shares, of f/n, of log size and log K̂
const WINDOWS = { weight: 1, part: 2, grow: 3 }; // snapshots over which it is counted
const GOING_ON = 0.2; // of it that the last snapshot must bring
const NAMED = 0.04, HALVED = 0.6; // of the picture, from which on a feature is named; of its share, below which it is squeezed out

export class Phases {
  // `features`: the set that the matrix weighs, null for a panel of coordinates.
  constructor(features, { labels, heldOut, components }) {
    const { rows } = trainedRows(labels, heldOut);
    Object.assign(this, { features, components, done: 0, told: [], signals: [] });
    this.variance = features && variances(features.X, features.columns, rows);
  }

  // -> [{ number, kind, head, text }] of all snapshots of a history so far.
  follow({ snapshots, received }) {
    if (received > this.done) for (const snapshot of snapshots) if (snapshot.number >= this.done) this.add(snapshot);
    this.done = received;
    return this.told;
  }

  add({ frame, mean_p: p, k_mean_entropy: k, number }) {
    const weighs = this.features && frame.length === this.components * this.features.columns;
    const weight = weighs ? shares(frame, this.features.columns, this.variance) : null;
    const size = weighs ? sizeOf(frame, this.features.columns, this.variance) : NaN;
    this.signals.push({ number, p, k, weight, size });
    const untold = (kind) => this.told.every((phase) => phase.kind !== kind);
    const kind = ["weight", "part", "grow"].find((each) => untold(each) && this.score(each) >= 1);
    const current = this.told.at(-1)?.kind;
    if (!kind || (current && this.score(current) >= 1)) return;
    const [before, now] = this.signals.slice(-2);
    this.told.push({ number: before.number, kind, ...WORDS[kind](before, now, this.features?.names ?? []) });
  }

  // How much of a phase the latest snapshots are; 0 where the last one brings little of it.
  score(kind) {
    const [before, now] = this.signals.slice(-2);
    if (!now) return 0;
    const first = this.signals[Math.max(0, this.signals.length - 1 - WINDOWS[kind])];
    const change = CHANGES[kind](first, now);
    return CHANGES[kind](before, now) >= GOING_ON * change ? change : 0;
  }
}

const CHANGES = {
  weight: (a, b) => (a.weight && b.weight ? b.weight.reduce((sum, share, f) => sum + Math.max(0, share - a.weight[f]), 0) / SHIFTED : 0),
  part: (a, b) => (b.p - a.p) / GAINED || 0,
  grow: (a, b) => (Math.log(b.size / a.size) + Math.log(a.k / b.k)) / 2 / GROWN || 0,
};

const WORDS = {
  weight(before, now, names) {
    const change = now.weight.map((share, f) => share - before.weight[f]);
    const order = [...change.keys()].sort((a, b) => change[a] - change[b]);
    const name = (f) => visibleName(names[f]);
    const lost = names.length ? order.filter((f) => change[f] <= -NAMED).slice(0, 2) : [];
    const won = names.length ? order.filter((f) => change[f] >= NAMED).slice(-2).reverse() : [];
    const out = lost.filter((f) => now.weight[f] < HALVED * before.weight[f]);
    if (out.length) {
      const part = percent(out.reduce((sum, f) => sum + before.weight[f], 0));
      return { head: `Squeezing out ${listed(out.map(name))}`, text: `${out.length > 1 ? "They" : "It"} made up ${part} of the picture.` };
    }
    const from = lost.length ? ` from ${listed(lost.map(name))}` : "";
    const to = won.length ? listed(won.map(name)) : "the features that tell the classes apart";
    return { head: "Choosing features", text: `Weight moves${from} to ${to}.` };
  },
  part: ({ p }) => ({ head: "Classes part", text: `Points move next to points of their class: f/n rises from ${p.toFixed(2)}.` }),
  grow: ({ k }) => ({ head: "The picture grows", text: `Fewer neighbours influence a point: K̂ falls from ${countOf(k)}.` }),
};
