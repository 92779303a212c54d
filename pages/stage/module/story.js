// What has happened up to the picture that is shown, in words: what moved, what K̂ says and why it changed, and what came of
// it. Every number is computed from the frames and snapshots; what cannot be told is not said.
import { momentOf } from "./moment.js";
import { visibleName } from "./names.js";
import { element } from "./panel.js";
import { countOf } from "./spotlight.js";

const MOST_PANELS = 3; // whose stories are told
const OFTEN = 250; // milliseconds between two while the panels move, for each that is live
const MOVED = 0.05; // of the view, from which on a feature has grown or shrunk
const SAME_K = Math.log(1.1), CARRY = 0.9;
const TRUSTED = 0.1; // how far the K̂ counted here may be from the training's own
const MOSTLY = 0.7; // of the change, from which on one reason is the reason
const UNBROKEN = "\u00a0"; // between a number and its %: no line ends there
const LOOKING =
  "The best of several starts is looked for: short runs from all of them are shown one after another, and the training goes on from the one with the greatest f/n.";
const NOTHING_YET = "What moves, and why, stands here as soon as a training has begun.";
const EXPLAINED =
  "The share of a feature: the square of how far a point moves when the feature grows by its standard deviation, beside the sum over all features.";

export class Story {
  constructor(stage) {
    this.stage = stage;
    this.root = element("div", "story");
    this.root.title = EXPLAINED;
    this.told = new WeakMap(); // by snapshot
    this.shown = "";
    this.at = -Infinity;
    this.latest = new Map(); // by panel: its head and its sentences
    this.turn = 0; // whose are counted next while the panels move
  }

  show(time, moving) {
    const { live, player } = this.stage;
    const panels = live.slice(0, MOST_PANELS);
    if (moving && time - this.at < (OFTEN * live.length) / panels.length) return; // the points come first
    this.at = time;
    const several = live.length > 1;
    // While they move, one after the other: to count for all of them at once would hold up a frame.
    for (const panel of moving ? panels.slice(this.turn, this.turn + 1) : panels) {
      const now = player.current(panel.key);
      const looking = player.looking(panel.key);
      const sentences = looking
        ? [LOOKING]
        : now && this.of(panel, player.histories.get(panel.key).snapshots[0], now);
      const head = looking
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
    let told = this.told.get(now);
    if (told?.first !== first) {
      told = { first, sentences: this.tell(panel, first, now) };
      this.told.set(now, told);
    }
    return told.sentences;
  }

  tell(panel, first, now) {
    const { scene } = this.stage;
    const { content, labels } = panel;
    const features = scene.features[content.features];
    const fits = content.kind === "matrix" && now.frame.length === first.frame.length;
    const moment = fits
      ? momentOf({ ...features, unit: content.unit }, scene.components, labels, scene.heldOut, first.frame, now.frame)
      : null;
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
  const made = element("p", "");
  if (head) made.append(element("b", "", head));
  made.append(text);
  return made;
}

// Which features the view is made of, by their names where there are few enough to be named, else how many count.
export function whatMoved({ before, shares }, names, begun) {
  if (!names.length) {
    const now = carriers(shares), then = carriers(before);
    const past = begun && then !== now ? ` (${then} at the start)` : "";
    return `of ${shares.length} features, ${now} make 90${UNBROKEN}% of the view${past}.`;
  }
  const order = [...shares.keys()].sort((a, b) => shares[b] - before[b] - (shares[a] - before[a]));
  const name = (f) => visibleName(names[f]);
  const change = (f) => `from ${percent(before[f])} to ${percent(shares[f])}`;
  const grown = order.filter((f) => shares[f] - before[f] >= MOVED).slice(0, 2);
  const shrunk = order.filter((f) => before[f] - shares[f] >= MOVED).slice(-2).reverse();
  const listed = (verb, features) => (features.length ? [`${verb} ${features.map((f) => `${name(f)} ${change(f)}`).join(" and ")}`] : []);
  const parts = [...listed("the training has shrunk", shrunk), ...listed(shrunk.length ? "stretched" : "the training has stretched", grown)];
  if (parts.length) return `of the view, ${parts.join(", ")}.`;
  const top = [...shares.keys()].sort((a, b) => shares[b] - shares[a]).slice(0, 3);
  const list = top.map((f) => `${name(f)} ${percent(shares[f])}`).join(", ");
  return begun ? `the features weigh about as much as at the start (${list}).` : `the view is made of ${list}.`;
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

// What K̂ is, and whether it changed because the view became larger or because it became another one: told by the K̂ that
// the view of now would have at the scale of the start.
export function whyK(k0, k, moment, begun) {
  if (!(k >= 1) || !(k0 >= 1)) return "";
  const what = `Each point effectively looks at ${countOf(k)} neighbours (K̂)`;
  if (!begun) return `${what}.`;
  const change = Math.log(k0 / k);
  const sized = moment ? size(moment.growth) : "";
  if (Math.abs(change) < SAME_K) return `${what}, about as many as at the start.`;
  const fell = `${what}, ${countOf(k0)} at the start`;
  const known = moment && Math.abs(Math.log(moment.k / k)) < Math.log(1 + TRUSTED);
  if (!known) return sized ? `${fell}; the view is ${sized}.` : `${fell}.`;
  const byScale = Math.log(moment.kAtStart / k) / change; // of the change
  const still = `at the scale of the start it would ${Math.abs(Math.log(moment.kAtStart / k0)) < SAME_K ? "still " : ""}be ${countOf(moment.kAtStart)}`;
  const farther = change > 0 ? "farther apart" : "closer together";
  if (byScale >= MOSTLY) return `${fell}: the training has made the view ${sized}, so the points stand ${farther} (${still}).`;
  if (byScale <= 1 - MOSTLY) {
    const how = change > 0 ? "a few points stand much nearer than the others" : "more points stand about equally near";
    return `${fell}. Not by its scale: the view is ${sized}, and in it ${how} (${still}).`;
  }
  return `${fell}: partly because the training has made the view ${sized}, partly by its new shape (${still}).`;
}

export function whatCameOfIt(first, now, begun) {
  if (Number.isNaN(now.mean_p)) return "";
  const chance = `A training point picks a neighbour of its class with a chance of ${now.mean_p.toFixed(2)} (f/n)`;
  const past = begun ? `, ${first.mean_p.toFixed(2)} at the start` : "";
  const fair = now.held_out_1nn >= 0 ? `. Of the held-out rows, ${percent(now.held_out_1nn)} have a nearest neighbour of their class` : "";
  return `${chance}${past}${fair}.`;
}

function size(growth) {
  if (growth >= 0.95 && growth <= 1.05) return "about as large as at the start";
  if (growth > 1) return `${growth < 10 ? growth.toFixed(1) : Math.round(growth).toLocaleString("en")} times as large`;
  return `${growth < 0.1 ? growth.toPrecision(1) : growth.toFixed(2)} times as large`;
}

function percent(share) {
  return share < 0.01 && share > 0 ? `under 1${UNBROKEN}%` : `${Math.round(100 * share)}${UNBROKEN}%`;
}
