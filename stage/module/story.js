// The training so far in words: what moved, K̂ and why it changed, and the result. Every number is computed from the
// frames and snapshots; unknown numbers are left out.
import { element } from "./dom.js";
import { Phases } from "./phases.js";
import { momentOf } from "./story_numbers.js";
import { countOf, percent } from "./text.js";

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
    this.root.replaceChildren(...stories.flatMap(([head, sentences]) => paragraphs(head, sentences, several)));
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

function paragraphs(head, sentences, several) {
  const bold = head ? [element("b", "", `${head}: `)] : [];
  if (several) return [element("p", "", ...bold, sentences.join(" "))];
  return sentences.map((sentence, k) => element("p", "", ...(k ? [] : bold), sentence));
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
