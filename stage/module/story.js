// The training so far in words: what moved, K̂ and why it changed, and the result. Every number is computed from the frames
// and snapshots; unknown numbers are left out.
import { element } from "./dom.js";
import { picksOf, trainingPoints } from "./neighbourhood.js";
import { countOf, percent, visibleName } from "./text.js";

const MOST_PANELS = 3; // described at once
const OFTEN = 250; // milliseconds between two while the panels move, for each that is live
const MOVED = 0.05; // of the view, from which on a feature has grown or shrunk
const SAME_K = Math.log(1.1), CARRY = 0.9;
const TRUSTED = 0.1; // how far the K̂ counted here may be from the training's own
const MOSTLY = 0.7; // of the change, from which on one reason is the reason
const COMPARING_STARTS = "Short runs compare several starts; training continues from the one with the greatest f/n.";
const NOTHING_YET = "Once you train, this explains what moves and why.";
const EXPLAINED =
  "Share of a feature: how far a point moves when it grows by one standard deviation, squared, relative to all features.";

export class Story {
  constructor(stage) {
    this.stage = stage;
    this.root = element("div", "story");
    this.root.title = EXPLAINED;
    this.described = new WeakMap(); // by snapshot
    this.shown = "";
    this.at = -Infinity;
    this.latest = new Map(); // by panel: its head and its sentences
    this.turn = 0; // index of the panel described next while panels move
  }

  show(time, moving) {
    const { live, player } = this.stage;
    const panels = live.slice(0, MOST_PANELS);
    if (moving && time - this.at < (OFTEN * live.length) / panels.length) return; // the points come first
    this.at = time;
    const several = live.length > 1;
    // While panels move, one at a time: describing all of them would delay a frame.
    for (const panel of moving ? panels.slice(this.turn, this.turn + 1) : panels) {
      const now = player.current(panel.key);
      const shortRuns = player.shownShortRuns(panel.key);
      const sentences = shortRuns
        ? [COMPARING_STARTS]
        : now && this.of(panel, player.histories.get(panel.key).snapshots[0], now);
      const head = shortRuns
        ? several ? panel.content.title : "Before iteration 0"
        : `${several ? `${panel.content.title}, i` : "I"}teration ${now?.iteration}`;
      this.latest.set(panel.key, now ? [head, sentences] : null);
    }
    this.turn = (this.turn + 1) % Math.max(1, panels.length);
    const stories = panels.map(({ key }) => this.latest.get(key)).filter(Boolean);
    const text = JSON.stringify([stories, live.length > 0]);
    if (text === this.shown) return;
    this.shown = text;
    if (!stories.length && live.length) this.root.replaceChildren(element("p", "quiet", NOTHING_YET));
    else this.root.replaceChildren(...stories.flatMap(([head, sentences]) => paragraphs(head, sentences, several)));
  }

  of(panel, first, now) {
    let found = this.described.get(now);
    if (found?.first !== first) {
      found = { first, sentences: this.describe(panel, first, now) };
      this.described.set(now, found);
    }
    return found.sentences;
  }

  describe(panel, first, now) {
    const { scene, projections } = this.stage;
    const { content } = panel;
    const features = scene.features[content.features];
    const fits = content.kind === "matrix" && now.frame.length === first.frame.length;
    const [before, at] = [first, now].map(({ frame }) => fits && { A: frame, Y: projections.of(frame, content).Y });
    const moment = fits ? momentOf(features, panel.points, before, at) : null;
    const begun = now.iteration > first.iteration;
    return [
      moment && features.columns > 1 ? whatMoved(moment, features.names ?? [], begun) : "",
      whyK(first.k_mean_entropy, now.k_mean_entropy, moment, begun),
      whatCameOfIt(first, now, begun),
    ].filter(Boolean);
  }
}

function paragraphs(head, sentences, several) {
  if (several) return [paragraph(`${head}: `, sentences.join(" "))];
  return sentences.map((sentence, k) => paragraph(k ? "" : `${head}: `, sentence));
}

function paragraph(head, text) {
  const created = element("p");
  if (head) created.append(element("b", "", head));
  created.append(text);
  return created;
}

// Which features make up the picture: by name where there are few, else how many count.
export function whatMoved({ before, shares }, names, begun) {
  if (!names.length) {
    const now = carriers(shares), then = carriers(before);
    const past = begun && then !== now ? ` (${then} at the start)` : "";
    return `${now} of ${shares.length} features make up 90\u00a0% of the picture${past}.`;
  }
  const name = (f) => visibleName(names[f]);
  const order = [...shares.keys()].sort((a, b) => shares[b] - before[b] - (shares[a] - before[a]));
  const grown = order.filter((f) => shares[f] - before[f] >= MOVED).slice(0, 2);
  const shrunk = order.filter((f) => before[f] - shares[f] >= MOVED).slice(-2).reverse();
  const [first, ...others] = [...shrunk, ...grown];
  if (first !== undefined) {
    const rest = others.map((f) => `, ${name(f)} ${percent(shares[f])} (${percent(before[f])})`).join("");
    return `${name(first)} now makes up ${percent(shares[first])} of the picture (${percent(before[first])} at the start)${rest}.`;
  }
  const top = [...shares.keys()].sort((a, b) => shares[b] - shares[a]).slice(0, 3);
  const list = top.map((f) => `${name(f)} ${percent(shares[f])}`).join(", ");
  return begun ? `The features weigh about as much as at the start (${list}).` : `The picture is made of ${list}.`;
}

// How many of the largest shares make CARRY of the view.
function carriers(shares) {
  let sum = 0, count = 0;
  for (const share of [...shares].sort((a, b) => b - a)) {
    if (sum >= CARRY) break;
    sum += share;
    count++;
  }
  return count;
}

// K̂, and whether it changed because the picture grew or because it has another shape: `kAtStart` is the K̂ that it would
// have at the scale of the start.
export function whyK(k0, k, moment, begun) {
  if (!(k >= 1) || !(k0 >= 1)) return "";
  const what = `${countOf(k)} neighbours influence each point on average (K̂)`;
  if (!begun) return `${what}.`;
  const change = Math.log(k0 / k);
  const sized = moment ? size(moment.growth) : "";
  if (Math.abs(change) < SAME_K) return `${what}, about as many as at the start.`;
  const fell = `${what}; ${countOf(k0)} at the start`;
  const known = moment && Math.abs(Math.log(moment.k / k)) < Math.log(1 + TRUSTED);
  if (!known) return sized ? `${fell}. The picture is ${sized}.` : `${fell}.`;
  const byScale = Math.log(moment.kAtStart / k) / change; // of the change
  const without = ` Without the ${moment.growth > 1 ? "growth" : "shrinking"}: ${countOf(moment.kAtStart)}.`;
  const farther = change > 0 ? "farther apart" : "closer together";
  if (byScale >= MOSTLY) return `${fell}. Training made the picture ${sized}, so the points are ${farther}.${without}`;
  if (byScale <= 1 - MOSTLY) {
    const how = change > 0 ? "a few points are much nearer than the others" : "more points are about equally near";
    return `${fell}. Scale is not the reason: the picture is ${sized}, but ${how}.`;
  }
  return `${fell}. The picture is ${sized} and has another shape.${without}`;
}

export function whatCameOfIt(first, now, begun) {
  if (Number.isNaN(now.mean_p)) return "";
  const past = begun ? `; ${first.mean_p.toFixed(2)} at the start` : "";
  const chance = `A training point picks its own class with probability ${now.mean_p.toFixed(2)} (f/n${past}).`;
  if (!(now.held_out_1nn >= 0)) return chance;
  return `${chance} ${percent(now.held_out_1nn)} of held-out rows have a nearest neighbour of their class.`;
}

function size(growth) {
  if (growth >= 0.95 && growth <= 1.05) return "about as large as at the start";
  if (growth > 1) return `${growth < 10 ? growth.toFixed(1) : Math.round(growth).toLocaleString("en")} times as large`;
  return `${growth < 0.1 ? growth.toPrecision(1) : growth.toFixed(2)} times as large`;
}

// Numbers behind the story, over the training rows: what the features weigh in the view, how large the view is, and which K̂ it
// would have at another scale.
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

// What share of the view each feature makes: s_f ∝ var(x_f) Σ_c A_cf², the square of how far a point moves when the feature
// grows by its standard deviation. They add up to 1.
export function shares(A, columns, variance) {
  const part = new Float64Array(columns);
  for (let k = 0; k < A.length; k++) part[k % columns] += A[k] * A[k] * variance[k % columns];
  const all = part.reduce((sum, value) => sum + value, 0);
  return all > 0 ? part.map((value) => value / all) : part;
}

// Root of the mean squared distance of these rows of Y from their centre.
export function rms(Y, components, rows) {
  let total = 0;
  for (let c = 0; c < components; c++) {
    let sum = 0, square = 0;
    for (const i of rows) {
      sum += Y[i * components + c];
      square += Y[i * components + c] ** 2;
    }
    total += square / rows.length - (sum / rows.length) ** 2;
  }
  return Math.sqrt(Math.max(0, total));
}

// K̂ = exp(mean entropy of p_i·) of these rows of Y times `factor`; of many rows, evenly spread ones are counted.
export function effectiveNeighbours(Y, components, labels, rows, factor) {
  const counted = Math.max(1, Math.min(rows.length, Math.floor(MOST_PAIRS / rows.length)));
  const room = [new Float64Array(rows.length), new Float64Array(rows.length)];
  let entropies = 0;
  for (let q = 0; q < counted; q++) {
    const i = rows[Math.floor((q * rows.length) / counted)];
    entropies += Math.log(picksOf({ Y, components, i, labels, others: rows, unit: factor, room }).k);
  }
  return Math.exp(entropies / counted);
}

// -> { before, shares, growth, k, kAtStart } of a moment beside the first one, each { A, Y }: what the features weigh, how many
// times larger the view is, its K̂ and the one that it would have at the scale of the start. K̂ is NaN for too many rows.
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
