// Features as arrows in the panels: how a point moves when the feature grows by one (by its standard deviation, where
// features are standardised), all of a panel longer by one factor, which is shown.
import { element, layer, setText, svgElement } from "./dom.js";
import { strongest, weightsOf } from "./matrix.js";
import { forcesOn, gradientNorm, pullsOf } from "./neighbourhood.js";
import { featureName, shortNumber } from "./text.js";

const REACH = 0.8; // of the half width, for the longest
const FACTORS = [1, 2, 5];
const ARROW_HEAD = 7, LETTER = 7, LINE = 14, GAP = 5, EDGE = 2; // pixels
const LONGEST_NAME = 0.5, FEWEST = 6; // of a panel's width, and letters, that a name takes before it is cut short

export class Arrows {
  // `gap`: from a tip to its name.
  constructor(panel, gap = GAP) {
    Object.assign(this, { panel, gap });
    Object.assign(this, layer("arrows"));
    this.factorText = element("span", "factor");
    this.root.append(this.factorText);
    this.pool = [];
    this.last = null; // which features were drawn, and how much longer
  }

  // So many arrows in the picture that is painted now; `fixed`: those of `last` instead.
  follow(count, fixed = null) {
    const { panel } = this;
    const A = count > 0 && panel.drawn && panel.scale ? panel.matrix : null;
    if (!A) {
      this.root.remove();
      this.last = null;
      return;
    }
    if (!this.root.parentNode) panel.frame.insertBefore(this.root, panel.overlay);
    const { scene } = panel.stage;
    const features = scene.features[panel.content.features];
    const { columns } = features;
    const chosen = fixed?.chosen ?? strongest(weightsOf(A, columns), count);
    const tips = chosen.map((f) => Array.from({ length: scene.components }, (_, c) => A[c * columns + f]));
    const factor = fixed?.factor ?? factorFor(Math.max(...tips.map((tip) => Math.hypot(...tip))), panel.extent);
    this.last = { chosen, factor };
    this.factorText.textContent = factor === 1 ? "" : `arrows × ${factor >= 1e4 || factor < 1e-2 ? factor.toExponential(0) : factor}`;
    const middle = toScreen(panel, [0, 0, 0]);
    while (this.pool.length < chosen.length) this.pool.push(this.build());
    const wide = panel.raster.width / panel.ratio;
    const ends = tips.map((tip) => toScreen(panel, tip.map((v) => v * factor)));
    // Names keep off one another and off the handles on the tips.
    const taken = this.gap > GAP ? ends.map(([x, y]) => ({ left: x - this.gap / 2, long: this.gap, base: y + 4 })) : [];
    this.pool.forEach((arrow, k) => {
      arrow.group.toggleAttribute("hidden", k >= chosen.length);
      if (k >= chosen.length) return;
      name(arrow, featureName(chosen[k], features, scene.image_shape), wide);
      place(arrow, middle, ends[k], wide, this.gap, taken);
    });
  }

  build() {
    const [group, line, head, text] = ["g", "line", "path", "text"].map((name) => svgElement(name));
    group.append(line, head, text);
    this.svg.append(group);
    return { group, line, head, text };
  }
}

// The round factor that brings the longest arrow to about REACH of what is shown.
export function factorFor(longest, extent) {
  const wanted = (REACH * extent) / longest;
  if (!(wanted > 0 && wanted < Infinity)) return 1;
  const power = 10 ** Math.floor(Math.log10(wanted));
  return Math.max(...FACTORS.map((f) => f * power).filter((f) => f <= wanted * (1 + 1e-9)));
}

// Where a place of Y is seen, in CSS pixels.
export function toScreen(panel, [a, b, c = 0]) {
  const { raster, ratio, scale, stage } = panel;
  const view = stage.views.of(panel);
  const { width, height } = raster;
  const half = Math.min(width, height) / 2, R = view.rotation;
  const [x, y] = R
    ? [width / 2 + scale * (R[0] * a + R[1] * b + R[2] * c), height / 2 - scale * (R[3] * a + R[4] * b + R[5] * c)]
    : [width / 2 + view.panX * half + scale * a, height / 2 - view.panY * half - scale * b];
  return [x / ratio, y / ratio];
}

// Measuring lays out the page: only for another name or width.
function name(arrow, text, wide) {
  const shown = `${text}\n${wide}`;
  if (shown === arrow.shown) return;
  arrow.shown = shown;
  const most = Math.max(FEWEST, Math.floor((LONGEST_NAME * wide) / LETTER));
  arrow.text.textContent = text.length > most ? `${text.slice(0, most - 1)}…` : text;
  arrow.long = arrow.text.getComputedTextLength();
}

// Keep the name within the panel's width and off the names in `taken`, to which it is added; without room it is hidden.
function place({ line, head, text, long }, [x0, y0], [x, y], wide, gap, taken) {
  const length = Math.hypot(x - x0, y - y0) || 1;
  const [u, v] = [(x - x0) / length, (y - y0) / length];
  const ends = { x1: x0, y1: y0, x2: x, y2: y };
  for (const [name, at] of Object.entries(ends)) line.setAttribute(name, at.toFixed(1));
  const corner = (side) => `${(x - ARROW_HEAD * u - side * 0.5 * ARROW_HEAD * v).toFixed(1)} ${(y - ARROW_HEAD * v + side * 0.5 * ARROW_HEAD * u).toFixed(1)}`;
  head.setAttribute("d", `M${x.toFixed(1)} ${y.toFixed(1)}L${corner(1)}L${corner(-1)}Z`);
  const anchor = u < -0.3 ? "end" : u > 0.3 ? "start" : "middle";
  const before = { end: long, middle: long / 2, start: 0 }[anchor];
  const at = Math.max(before + EDGE, Math.min(wide - EDGE - (long - before), x + gap * u));
  const left = at - before;
  const free = (base) => taken.every((other) => left > other.left + other.long || other.left > left + long || Math.abs(base - other.base) >= LINE);
  const away = (v < 0 ? -1 : 1) * LINE;
  const base = [0, away, -away, 2 * away, -2 * away].map((by) => y + gap * v + 4 + by).find(free);
  text.setAttribute("visibility", base === undefined ? "hidden" : "visible");
  if (base === undefined) return;
  taken.push({ left, long, base });
  text.setAttribute("x", at.toFixed(1));
  text.setAttribute("y", base.toFixed(1));
  text.setAttribute("text-anchor", anchor);
}

// How does the gradient pull and push? Arrows on the points of each panel that trains: ∂p_i/∂y_j of the pinned point i, else
// ∂f/∂y of every point.

const MOST = 2_000; // points, for the arrows of all: every pair counts
const MOST_COLUMNS = 1_000;
const LONGEST_PULL = 0.3, PULL_HEAD = 6; // of the half width; pixels
const LEAST = 3; // pixels: a shorter arrow says nothing
const OFTEN = 150; // milliseconds, for each panel that trains, between two counts while points move

export class PullView {
  constructor(stage) {
    this.stage = stage;
    this.root = element("div", "pull-view");
    this.answer = element("p", "answer");
    this.root.append(this.answer);
    this.drawn = new WeakMap(); // by panel: { root, own, other }
    this.said = new WeakMap(); // by panel: the sentence about it
    this.kept = new WeakMap(); // by panel: the moves that were counted last
  }

  end() {
    for (const panel of this.stage.panels) this.drawn.get(panel)?.root.remove();
  }

  painted(panel) {
    const { scene, spotlight } = this.stage;
    const { content } = panel;
    if (!panel.drawn || !panel.scale || panel.between || !content.live || content.kind !== "matrix") {
      this.drawn.get(panel)?.root.remove();
      this.said.delete(panel);
      return;
    }
    const i = spotlight.pinned, now = performance.now();
    const before = this.kept.get(panel);
    // While points move, the arrows go with them and are counted anew a few times a second.
    const kept = before?.i === i && before.moves.length === panel.Y.length && this.stage.moving && now - before.at < OFTEN * this.stage.live.length;
    const pulls = kept ? before.pulls : i >= 0 ? pullsOf({ ...panel.points, i }) : null;
    const many = i < 0 && scene.samples > MOST;
    const moves = kept ? before.moves : pulls?.moves ?? (many || i >= 0 ? new Float64Array(panel.Y.length) : forcesOn(panel.points));
    if (!kept) this.kept.set(panel, { i, pulls, moves, at: now });
    const longest = this.draw(panel, moves, i);
    this.said.set(panel, many ? TOO_MANY : pulls ? ofPoint(scene, i, pulls, longest) : ofAll(panel, scene, moves, longest));
  }

  show() {
    const { pinned } = this.stage.spotlight;
    if (this.pinned !== pinned) this.stage.panels.forEach((panel) => this.painted(panel)); // nothing else moves then
    this.pinned = pinned;
    const said = this.stage.panels.map((panel) => this.said.get(panel)).filter(Boolean);
    setText(this.answer, said.join(" ") || "Arrows are drawn in panels that train a matrix.");
  }

  // The longest arrow has the same length in every picture; returns its true length.
  draw(panel, moves, pinned) {
    const { own, other, root } = this.partsOf(panel);
    if (!root.parentNode) panel.frame.insertBefore(root, panel.overlay);
    const { components } = this.stage.scene;
    const { Y, labels, xs, ys, ratio, extent } = panel;
    const length = (j) => Math.hypot(...moves.subarray(j * components, (j + 1) * components));
    let longest = 0;
    for (let j = 0; j < labels.length; j++) if (j !== pinned) longest = Math.max(longest, length(j));
    const paths = { own: "", other: "" };
    const factor = longest > 0 ? (LONGEST_PULL * extent) / longest : 0;
    for (let j = 0; j < labels.length && factor; j++) {
      if (j === pinned || this.stage.hidden.has(labels[j])) continue;
      const tip = Array.from({ length: components }, (_, c) => Y[j * components + c] + factor * moves[j * components + c]);
      const foreign = pinned >= 0 && labels[j] !== labels[pinned];
      paths[foreign ? "other" : "own"] += arrow(xs[j] / ratio, ys[j] / ratio, ...toScreen(panel, tip));
    }
    own.setAttribute("d", paths.own);
    other.setAttribute("d", paths.other);
    return longest;
  }

  partsOf(panel) {
    if (!this.drawn.has(panel)) {
      const { root, svg } = layer("pulls");
      const [own, other] = ["own", "foreign"].map((name) => svgElement("path", { class: name }));
      svg.append(own, other);
      this.drawn.set(panel, { root, own, other });
    }
    return this.drawn.get(panel);
  }
}

const TOO_MANY = `With more than ${MOST.toLocaleString("en")} points, press one to see its pulls.`;

function ofPoint(scene, i, { p }, longest) {
  return (
    `Gradient of row ${scene.rows[i]} (p = ${p.toFixed(2)}): solid arrows pull its class nearer, dashed arrows push others ` +
    `away. The longest is ${shortNumber(longest)}. Escape releases the point.`
  );
}

function ofAll({ content }, scene, forces, longest) {
  const { components, features } = scene;
  const { columns, X } = features[content.features];
  const norm = columns > MOST_COLUMNS ? "" : ` ‖∂f/∂A‖ = ${shortNumber(gradientNorm(forces, components, X, columns) * content.unit)}.`;
  return `Gradient of all points: each arrow is ∂f/∂y of its point, the longest ${shortNumber(longest)}.${norm}`;
}

function arrow(x0, y0, x, y) {
  const length = Math.hypot(x - x0, y - y0);
  if (!(length >= LEAST)) return "";
  const [u, v] = [(x - x0) / length, (y - y0) / length], head = Math.min(PULL_HEAD, 0.6 * length);
  const at = (a, b) => `${a.toFixed(1)} ${b.toFixed(1)}`;
  const corner = (side) => at(x - head * u - side * 0.5 * head * v, y - head * v + side * 0.5 * head * u);
  return `M${at(x0, y0)}L${at(x, y)}M${corner(1)}L${at(x, y)}L${corner(-1)}`;
}
