// The training so far in words: its phases, what moved, K̂ and why it changed, and the result. Every number is computed
// from the frames and snapshots; unknown numbers are left out.
import { element } from "./dom.js";
import { weightsOf } from "./matrix.js";
import { picksOf, roomFor, trainingPoints } from "./neighbourhood.js";
import { countOf, listed, percent } from "./text.js";

const MOST_PANELS = 3; // described at once
const MOVED = 0.05; // of the view, from which on a feature has grown or shrunk
const SAME_K = Math.log(1.1), CARRY = 0.9;
const TRUSTED = 0.1; // how far the K̂ counted here may be from the training's own
const MOSTLY = 0.7; // of the change, from which on one reason is the reason
const COMPARING_STARTS = "Short runs compare several starts; training continues from the one with the greatest f/n.";
const PAUSE = 2; // snapshots after which a phase that brings nothing more is over, while others may follow
const SETTLING = { head: "Settling", text: "little changes now." };
const EXPLAINED =
  "Share of a feature: how far a point moves when it grows by one standard deviation, squared, relative to all " +
  "features.";

export class Story {
  constructor(stage) {
    this.stage = stage;
    this.root = element("div", "story");
    this.root.title = EXPLAINED;
    this.shown = "";
    this.moment = ""; // shown above the panels: of a manual picture, else the phase that the first panel is in
  }

  // The current phase during a training or replay; at rest the numbers, too.
  show(moving) {
    const { live, player, runs } = this.stage;
    this.moment = this.stage.manual.words();
    if (this.moment) return;
    const panels = live.slice(0, MOST_PANELS);
    const several = live.length > 1;
    const stories = panels.flatMap((panel) => {
      const now = player.current(panel.key), history = player.histories.get(panel.key);
      if (!now) return [];
      const title = several ? panel.content.title : "";
      if (player.shownShortRuns(panel.key)) return [[title || "Before iteration 0", [COMPARING_STARTS]]];
      const [first] = history.snapshots;
      const phase = this.phaseOf(panel, history.value("number", player.clock));
      const head = [title, phase?.head].filter(Boolean).join(", ");
      if (moving || player.between(panel.key) || (player.mode === "follow" && runs[panel.key]?.state === "running")) {
        if (phase) this.moment ||= `${head}: ${phase.text}`;
        return [several ? [head, phase ? [phase.text] : []] : ["", []]];
      }
      const phases = phase && now.number < history.last("number") ? [[head, [phase.text]]] : [];
      return [...phases, [`${several ? `${title}, i` : "I"}teration ${now.iteration}`, this.describe(panel, first, now)]];
    });
    player.stops = panels.length ? this.phasesOf(panels[0]).map(({ number }) => number) : [];
    const text = JSON.stringify(stories);
    if (text === this.shown) return;
    this.shown = text;
    this.root.replaceChildren(...stories.flatMap(([head, sentences]) => {
      const parts = several ? [sentences.join(" ")] : sentences;
      return parts.map((part, k) => element("p", "", ...(head && !k ? [element("b", "", `${head}: `)] : []), part));
    }));
  }

  // The phase of the snapshot with this number, { head, text }; null before the first one.
  phaseOf(panel, number) {
    const phase = this.phasesOf(panel).findLast((each) => each.number <= number);
    if (!phase) return null;
    const { runs, player } = this.stage, newest = player.histories.get(panel.key).last("number");
    const running = runs[panel.key]?.state === "running";
    if (number >= phase.last.number && phase.last.number + (running ? PAUSE : 0) < newest) return SETTLING;
    return { head: phase.head, text: panel.phases.textOf(phase, !running, this.stage.without) };
  }

  // [{ number, head, first, last }] of the panel's training so far.
  phasesOf(panel) {
    const { player } = this.stage;
    const history = player.histories.get(panel.key), { content, run } = panel;
    if (panel.phases?.content !== content || panel.phases.run !== run) {
      const features = content.kind === "matrix" ? panel.features : null;
      panel.phases = Object.assign(new Phases(features, panel.points), { content, run });
    }
    return panel.phases.follow(history);
  }

  describe(panel, first, now) {
    const { projections } = this.stage, { content, features } = panel;
    const fits = content.kind === "matrix" && now.frame.length === first.frame.length;
    const [before, at] = [first, now].map(({ frame }) => fits && { A: frame, Y: projections.of(frame, content).Y });
    const moment = fits ? momentOf(features, panel.points, before, at) : null;
    const begun = now.iteration > first.iteration;
    return [
      moment && features.columns > 1 ? featureSentence(moment, features.names ?? [], begun) : "",
      neighbourSentence(first.k_mean_entropy, now.k_mean_entropy, moment, begun),
      resultSentence(first, now, begun),
    ].filter(Boolean);
  }
}

// Which features make up the picture: by name where there are few, else how many count.
export function featureSentence({ before, shares }, names, begun) {
  if (!names.length) {
    const now = carriers(shares), then = carriers(before);
    const past = begun && then !== now ? ` (${then} at the start)` : "";
    return `${now} of ${shares.length} features make up 90\u00a0% of the picture${past}.`;
  }
  const name = (f) => names[f];
  const order = [...shares.keys()].sort((a, b) => shares[b] - before[b] - (shares[a] - before[a]));
  const grown = order.filter((f) => shares[f] - before[f] >= MOVED).slice(0, 2);
  const shrunk = order.filter((f) => before[f] - shares[f] >= MOVED).slice(-2).reverse();
  const [first, ...others] = [...shrunk, ...grown];
  if (first !== undefined) {
    const [now, then] = [percent(shares[first]), percent(before[first])];
    const rest = others.map((f) => `; ${name(f)}: ${percent(shares[f])} (${percent(before[f])})`).join("");
    return `${name(first)} now makes up ${now} of the picture (${then} at the start)${rest}.`;
  }
  const top = [...shares.keys()].sort((a, b) => shares[b] - shares[a]).slice(0, 3);
  const list = top.map((f) => `${name(f)}: ${percent(shares[f])}`).join("; ");
  return begun ? `The features weigh about as much as at the start (${list}).` : `Shares of the picture: ${list}.`;
}

function carriers(shares) {
  let sum = 0, count = 0;
  for (const share of [...shares].sort((a, b) => b - a)) {
    if (sum >= CARRY) break;
    sum += share;
    count++;
  }
  return count;
}

// K̂, and whether it changed because the picture grew or because it has another shape: `kAtStart` is the K̂ that it
// would have at the scale of the start.
export function neighbourSentence(k0, k, moment, begun) {
  if (!(k >= 1) || !(k0 >= 1)) return "";
  const what = `${countOf(k)} neighbours typically influence a point (K̂)`;
  if (!begun) return `${what}.`;
  const change = Math.log(k0 / k);
  const sized = moment ? size(moment.growth) : "";
  if (Math.abs(change) < SAME_K) return `${what}, about as many as at the start.`;
  const fell = `${what}; ${countOf(k0)} at the start`;
  const known = moment && Math.abs(Math.log(moment.k / k)) < Math.log(1 + TRUSTED);
  if (!known) return sized ? `${fell}. The picture is ${sized}.` : `${fell}.`;
  const byScale = Math.log(moment.kAtStart / k) / change; // of the change
  const without = ` At the size of the start K̂ would be ${countOf(moment.kAtStart)}.`;
  const farther = change > 0 ? "farther apart" : "closer together";
  if (byScale >= MOSTLY) return `${fell}. Training made the picture ${sized}, so the points are ${farther}.${without}`;
  if (byScale <= 1 - MOSTLY) {
    const how = change > 0 ? "a few points are much nearer than the others" : "more points are about equally near";
    return `${fell}. Scale is not the reason: the picture is ${sized}, but ${how}.`;
  }
  return `${fell}. The picture is ${sized} and has another shape.${without}`;
}

export function resultSentence(first, now, begun) {
  if (Number.isNaN(now.mean_p)) return "";
  const past = begun ? `; ${first.mean_p.toFixed(3)} at the start` : "";
  const chance = `A training point picks its own class with probability ${now.mean_p.toFixed(3)} (f/n${past}).`;
  if (!(now.held_out_1nn >= 0)) return chance;
  return `${chance} ${percent(now.held_out_1nn)} of held-out rows have a nearest neighbour of their class.`;
}

function size(growth) {
  if (growth >= 0.95 && growth <= 1.05) return "about as large as at the start";
  if (growth > 1) return `${growth < 10 ? growth.toFixed(1) : Math.round(growth).toLocaleString("en")} times as large`;
  return `${growth < 0.1 ? growth.toPrecision(1) : growth.toFixed(2)} times as large`;
}

// The phases of a training, found from its own snapshots in their order: weight leaves features, classes part, the
// picture grows. Each occurs once, so a run has at most three, and then its end. Earlier phases never change as
// snapshots come.

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
    // As large as if the features had nothing to do with one another.
    const size = weighs ? Math.sqrt(total(parts(frame, this.features.columns, this.variance))) : NaN;
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

// The numbers behind the story, over the training rows: what the features weigh in the view, how large the view is, and
// which K̂ it would have at another scale.

const MOST_ROWS = 3000; // with more, K̂ is not counted here
const SAMPLE = 2000; // rows that then tell the scale
const MOST_PAIRS = 120_000;

// The training rows; of very many, evenly spread ones.
export function trainedRows(labels, heldOut) {
  const rows = trainingPoints(labels, heldOut);
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

// What share of the view each feature makes: s_f ∝ var(x_f) Σ_c A_cf², the square of how far a point moves when the
// feature grows by its standard deviation. They add up to 1.
export function shares(A, columns, variance) {
  const part = parts(A, columns, variance), all = total(part);
  return all > 0 ? part.map((value) => value / all) : part;
}

function parts(A, columns, variance) {
  return weightsOf(A, columns).map((weight, f) => weight * variance[f]);
}

function total(values) {
  return values.reduce((sum, value) => sum + value, 0);
}

// Root of the mean squared distance of these rows of Y from their centre.
function rms(Y, components, rows) {
  return Math.sqrt(total(variances(Y, components, rows)));
}

// K̂ = exp(mean entropy of p_i·) of these rows of Y times `factor`; of many rows, evenly spread ones are counted.
export function effectiveNeighbours(Y, components, labels, rows, factor) {
  const counted = Math.max(1, Math.min(rows.length, Math.floor(MOST_PAIRS / rows.length)));
  const room = roomFor(rows);
  let entropies = 0;
  for (let q = 0; q < counted; q++) {
    const i = rows[Math.floor((q * rows.length) / counted)];
    entropies += Math.log(picksOf({ Y, components, i, labels, others: rows, unit: factor, room }).k);
  }
  return Math.exp(entropies / counted);
}

// -> { before, shares, growth, k, kAtStart } of a moment beside the first one, each { A, Y }: what the features weigh,
// how many times larger the view is, its K̂ and the one that it would have at the scale of the start. K̂ is NaN for too
// many rows.
export function momentOf({ X, columns }, { components, unit, labels, heldOut }, first, now) {
  const { rows, all } = trainedRows(labels, heldOut);
  const variance = variances(X, columns, rows);
  const growth = rms(now.Y, components, rows) / rms(first.Y, components, rows);
  const counted = all && rows.length > 2 && growth > 0 && growth < Infinity;
  const k = (factor) => (counted ? effectiveNeighbours(now.Y, components, labels, rows, factor) : NaN);
  return {
    before: shares(first.A, columns, variance),
    shares: shares(now.A, columns, variance),
    growth,
    k: k(unit),
    kAtStart: k(unit / growth),
  };
}

// A panel in words, for screen readers: where its classes lie and how accurate 1-NN is.
const MOST = 12; // classes that are named
const OFF = 0.22; // of the half width, from which on a centre is not in the middle

// `panel`: with positions of the picture that is shown; `at`: its snapshot, or null.
export function summaryOf(panel, { scene, hidden, without }, at) {
  const { width, height } = panel.raster;
  const half = Math.min(width, height) / 2;
  const classes = scene.classes.length;
  const sums = Array.from({ length: classes + 1 }, () => [0, 0, 0]); // the last one: unlabelled
  for (let i = 0; i < panel.xs.length; i++) {
    if (!(Number.isFinite(panel.xs[i]) && Number.isFinite(panel.ys[i]))) continue;
    const sum = sums[panel.labels[i] < 0 ? classes : panel.labels[i]];
    sum[0] += panel.xs[i];
    sum[1] += panel.ys[i];
    sum[2]++;
  }
  const parts = [];
  for (let label = 0; label < classes && parts.length < MOST; label++) {
    const [x, y, count] = sums[label];
    if (!count || hidden.has(label)) continue;
    const where = placeOf((x / count - width / 2) / half, (height / 2 - y / count) / half);
    parts.push(`${scene.classes[label]} (${count}) ${where}`);
  }
  if (classes > MOST) parts.push(`and ${classes - MOST} more classes`);
  if (sums[classes][2]) parts.push(`${sums[classes][2]} unlabelled`);
  return [`Centres of the classes: ${parts.join("; ")}.`, accuracies(at, without)].filter(Boolean).join(" ");
}

export function placeOf(x, y) {
  const across = x < -OFF ? "left" : x > OFF ? "right" : "";
  const up = y < -OFF ? "lower" : y > OFF ? "upper" : "";
  if (up && across) return `at the ${up} ${across}`;
  if (across) return `on the ${across}`;
  return up ? `in the ${up} middle` : "in the middle";
}

function accuracies(at, without) {
  if (!at) return "";
  const parts = [[at.held_out_1nn, "held-out rows"], [at.accuracy_1nn, "training rows, which is optimistic"]]
    .filter(([value]) => !Number.isNaN(value) && !without.has("accuracy"))
    .map(([value, of]) => `${Math.round(100 * value)}\u00a0% on ${of}`);
  return `Iteration ${at.iteration}.${parts.length ? ` 1-NN accuracy ${parts.join(", ")}.` : ""}`;
}
