// The phases of a training, found from its own snapshots in their order: weight leaves features, classes part, the
// picture grows. Each occurs once, so a run has at most three, and then its end. Earlier phases never change as
// snapshots come.
import { shares, sizeOf, trainedRows, variances } from "./story_numbers.js";
import { countOf, listed, percent } from "./text.js";

// From which on a change makes a phase: of the shares, of f/n, of log size and log K̂.
const SHIFTED = 0.1, GAINED = 0.05, GROWN = 0.2;
const WINDOWS = { weight: 1, part: 2, grow: 3 }; // snapshots over which it is counted
const GOING_ON = 0.2; // of it that the last snapshot must bring
const FADES = 0.5; // the least score with which a phase continues
const NAMED = 0.04; // of the picture, from which on a feature is named
const HALVED = 0.6; // of its share, below which it is squeezed out

export class Phases {
  // `features`: the set that the matrix weighs, null for a panel of coordinates.
  constructor(features, { labels, heldOut, components }) {
    const { rows } = trainedRows(labels, heldOut);
    Object.assign(this, { features, components, done: 0, found: [], signals: [] });
    this.variance = features && variances(features.X, features.columns, rows);
  }

  // -> [{ number, kind, head, first, last }] of all snapshots of a history so far; a phase lasts from `first` to
  // `last`.
  follow({ snapshots, received }) {
    if (received > this.done) for (const snapshot of snapshots) if (snapshot.number >= this.done) this.add(snapshot);
    this.done = received;
    return this.found;
  }

  add({ frame, mean_p: p, k_mean_entropy: k, number }) {
    const weighs = this.features && frame.length === this.components * this.features.columns;
    const weight = weighs ? shares(frame, this.features.columns, this.variance) : null;
    const size = weighs ? sizeOf(frame, this.features.columns, this.variance) : NaN;
    this.signals.push({ number, p, k, weight, size });
    const [before, now] = this.signals.slice(-2);
    const current = this.found.at(-1), goesOn = current ? this.score(current.kind) : 0;
    if (goesOn >= FADES) current.last = now;
    const isNew = (kind) => this.found.every((phase) => phase.kind !== kind);
    const kinds = Object.keys(CHANGES).filter((each) => isNew(each) && this.score(each) >= 1);
    if (!kinds.length || goesOn >= 1) return;
    const kind = kinds.reduce((a, b) => (this.score(b) > this.score(a) ? b : a));
    if (current) current.last = before;
    const out = squeezedOut(before, now, this.names);
    const head = HEADS[kind](before, now, this.names, out);
    this.found.push({ number: before.number, kind, head, out, first: before, last: now });
  }

  // What changes in a phase, but not the numbers `without`. Until the training has `ended` one thing and from where, so
  // that the sentence stays; then at most two, and to where.
  textOf({ kind, first, last, out }, ended, without = new Set()) {
    const size = (each) => CHANGES[each](first, last);
    const other = (each) => ended && each !== kind && size(each) >= 1;
    const others = Object.keys(CHANGES).filter(other).sort((a, b) => size(b) - size(a));
    const said = (each) => TEXTS[each](first, last, this.names, ended, each === kind && out);
    const text = (each) => !without.has(NUMBERS[each]) && said(each);
    const texts = [kind, ...others].map(text).filter(Boolean);
    return `${texts.slice(0, 2).join(", ") || UNNUMBERED[kind]}.`;
  }

  get names() {
    return this.features?.names ?? [];
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
  weight: (a, b) => {
    if (!a.weight || !b.weight) return 0;
    return b.weight.reduce((sum, share, f) => sum + Math.max(0, share - a.weight[f]), 0) / SHIFTED;
  },
  part: (a, b) => (b.p - a.p) / GAINED || 0,
  grow: (a, b) => (Math.log(b.size / a.size) + Math.log(a.k / b.k)) / 2 / GROWN || 0,
};

const NUMBERS = { part: "f", grow: "k" }; // in the text of a kind
const UNNUMBERED = {
  weight: "weight moves to the features that tell the classes apart",
  part: "points of a class come together",
  grow: "points move apart",
};

const HEADS = {
  weight: (before, now, names, out) => (out.length ? `Squeezing out ${named(out, names)}` : "Choosing features"),
  part: () => "Classes part",
  grow: (before, now) => (now.size < before.size ? "The picture shrinks" : "The picture grows"),
};

const TEXTS = {
  // `headed`: the features that the head of the phase names.
  weight(first, last, names, ended, headed) {
    if (!ended && !headed?.length) return ""; // which features gain is not known yet
    const out = headed?.length ? headed : squeezedOut(first, last, names);
    const sum = ({ weight }) => out.reduce((all, f) => all + weight[f], 0);
    const verb = headed?.length ? "" : out.length > 1 ? `${named(out, names)} fall ` : `${named(out, names)} falls `;
    if (out.length) return `${verb}${span(sum(first), sum(last), percent, ended)} of the picture`;
    const won = names.length ? largest(last.weight.map((share, f) => share - first.weight[f])) : [];
    return won.length ? `weight moves to ${named(won, names)}` : "";
  },
  part: ({ p }, last, names, ended) => goes("f/n", p, last.p, (value) => value.toFixed(3), ended),
  grow({ k }, last, names, ended) {
    return k >= 1 && countOf(k) !== countOf(last.k) ? goes("K̂", k, last.k, countOf, ended) : "";
  },
};

function goes(what, from, to, format, ended) {
  return `${what} ${to < from ? "falls" : "rises"} ${span(from, to, format, ended)}`;
}

function span(from, to, format, ended) {
  return `from ${format(from)}${ended ? ` to ${format(to)}` : ""}`;
}

function named(features, names) {
  return listed(features.map((f) => names[f]));
}

// The two features at most that lose most of what they weighed.
function squeezedOut(before, now, names) {
  if (!names.length || !before.weight || !now.weight) return [];
  const lost = largest(now.weight.map((share, f) => before.weight[f] - share));
  return lost.filter((f) => now.weight[f] < HALVED * before.weight[f]);
}

function largest(change) {
  return [...change.keys()].filter((f) => change[f] >= NAMED).sort((a, b) => change[b] - change[a]).slice(0, 2);
}
