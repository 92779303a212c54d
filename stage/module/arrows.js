// Features as arrows in the panels: how a point moves when the feature grows by one (by its standard deviation, where
// features are standardised), all of a panel longer by one factor, which is shown.
import { element, Layer, setText, svgElement } from "./dom.js";
import { norm, rowsOf, strongest, weightsOf } from "./matrix.js";
import { forcesOn, gradientNorm, pullsOf } from "./neighbourhood.js";
import { rowTitle } from "./rows.js";
import { shortNumber } from "./text.js";

const REACH = 0.8; // of the half width, for the longest
const ARROW_HEAD = 7, LETTER = 7, LINE = 14, GAP = 5, EDGE = 2; // pixels
const LONGEST_NAME = 0.5, FEWEST = 6; // of a panel's width, and letters, that a name takes before it is cut short

export class Arrows extends Layer {
  // `gap`: from a tip to its name.
  constructor(panel, gap = GAP) {
    super(panel, "arrows");
    this.gap = gap;
    this.factorText = element("span", "factor");
    this.root.append(this.factorText);
    this.pool = [];
    this.last = null; // which features were drawn, and how much longer
  }

  // So many arrows in the picture that is painted now; `fixed`: those of `last` instead.
  follow(count, fixed = null) {
    const { panel, gap } = this;
    const A = count > 0 && panel.drawn && panel.scale ? panel.matrix : null;
    this.last = null;
    if (!A) return this.hide();
    this.show();
    const { scene } = panel.stage, { columns } = panel.features;
    const chosen = fixed?.chosen ?? strongest(weightsOf(A, columns), count);
    const tips = chosen.map((f) => Array.from({ length: scene.components }, (_, c) => A[c * columns + f]));
    const factor = fixed?.factor ?? factorFor(Math.max(...tips.map(norm)), panel.extent);
    this.last = { chosen, factor };
    const times = factor >= 1e4 || factor < 1e-2 ? factor.toExponential(0) : factor;
    this.factorText.textContent = factor === 1 ? "" : `arrows × ${times}`;
    const middle = toScreen(panel, [0, 0, 0]);
    while (this.pool.length < chosen.length) this.pool.push(this.build());
    const wide = panel.raster.width / panel.ratio;
    const ends = tips.map((tip) => toScreen(panel, tip.map((v) => v * factor)));
    // Names keep off one another and off the handles on the tips.
    const taken = gap > GAP ? ends.map(([x, y]) => ({ left: x - gap / 2, long: gap, base: y + 4 })) : [];
    this.pool.forEach((arrow, k) => {
      arrow.group.toggleAttribute("hidden", k >= chosen.length);
      if (k >= chosen.length) return;
      name(arrow, panel.nameOf(chosen[k]), wide);
      place(arrow, middle, ends[k], wide, gap, taken);
    });
  }

  build() {
    const [line, head, text] = ["line", "path", "text"].map((tag) => svgElement(tag));
    const group = svgElement("g", {}, line, head, text);
    this.svg.append(group);
    return { group, line, head, text };
  }
}

// The round factor that brings the longest arrow to about REACH of what is shown.
function factorFor(longest, extent) {
  const wanted = (REACH * extent) / longest;
  if (!(wanted > 0 && wanted < Infinity)) return 1;
  const power = 10 ** Math.floor(Math.log10(wanted));
  return Math.max(...[1, 2, 5].map((f) => f * power).filter((f) => f <= wanted * (1 + 1e-9)));
}

// Where a place of Y is seen, in CSS pixels.
export function toScreen(panel, [a, b, c = 0]) {
  const { raster: { width, height }, ratio, scale, half, stage } = panel;
  const { rotation: R, panX, panY } = stage.views.of(panel);
  const [right, up] = R
    ? [R[0] * a + R[1] * b + R[2] * c, R[3] * a + R[4] * b + R[5] * c].map((value) => scale * value)
    : [panX * half + scale * a, panY * half + scale * b];
  return [(width / 2 + right) / ratio, (height / 2 - up) / ratio];
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
  const { u, v, corners } = headOf(x0, y0, x, y, ARROW_HEAD);
  write(line, { x1: x0, y1: y0, x2: x, y2: y });
  head.setAttribute("d", `M${written(x, y)}L${corners[0]}L${corners[1]}Z`);
  const anchor = u < -0.3 ? "end" : u > 0.3 ? "start" : "middle";
  const before = { end: long, middle: long / 2, start: 0 }[anchor];
  const at = Math.max(before + EDGE, Math.min(wide - EDGE - (long - before), x + gap * u));
  const left = at - before;
  const apart = (other) => left > other.left + other.long || other.left > left + long;
  const free = (base) => taken.every((other) => apart(other) || Math.abs(base - other.base) >= LINE);
  const away = (v < 0 ? -1 : 1) * LINE;
  const base = [0, away, -away, 2 * away, -2 * away].map((by) => y + gap * v + 4 + by).find(free);
  text.setAttribute("visibility", base === undefined ? "hidden" : "visible");
  if (base === undefined) return;
  taken.push({ left, long, base });
  write(text, { x: at, y: base });
  text.setAttribute("text-anchor", anchor);
}

function headOf(x0, y0, x, y, size) {
  const length = Math.hypot(x - x0, y - y0) || 1;
  const [u, v] = [(x - x0) / length, (y - y0) / length];
  const corner = (half) => written(x - size * u - half * v, y - size * v + half * u);
  return { u, v, corners: [corner(size / 2), corner(-size / 2)] };
}

function written(x, y) {
  return `${x.toFixed(1)} ${y.toFixed(1)}`;
}

function write(part, numbers) {
  for (const [name, at] of Object.entries(numbers)) part.setAttribute(name, at.toFixed(1));
}

// How does the gradient pull and push? Arrows on the points of each panel that trains: ∂p_i/∂y_j of the pinned point i,
// else ∂f/∂y of every point.

const MOST = 2_000; // points, for the arrows of all: every pair counts
const MOST_COLUMNS = 1_000;
const LONGEST_PULL = 0.3, PULL_HEAD = 6; // of the half width; pixels
const LEAST = 3; // pixels: a shorter arrow says nothing
const OFTEN = 150; // milliseconds, for each panel that trains, between two counts while points move

export class PullView {
  constructor(stage) {
    this.stage = stage;
    this.answer = element("p", "answer");
    this.root = element("div", "pull-view", this.answer);
    this.kept = new WeakMap(); // by panel: its layer, the moves that were counted last, and the sentence about them
  }

  of(panel) {
    if (!this.kept.has(panel)) {
      const layer = new Layer(panel, "pulls");
      layer.svg.append(svgElement("path", { class: "own" }), svgElement("path", { class: "foreign" }));
      this.kept.set(panel, { layer, said: "" });
    }
    return this.kept.get(panel);
  }

  painted(panel) {
    const { scene, spotlight, moving, live } = this.stage;
    const { content, Y } = panel, kept = this.of(panel);
    if (!panel.projects || !panel.scale || panel.between || !content.live) {
      kept.layer.hide();
      kept.said = "";
      return;
    }
    const i = spotlight.pinned, now = performance.now();
    const many = i < 0 && scene.samples > MOST;
    // While points move, the arrows go with them and are counted anew a few times a second.
    if (!moving || kept.i !== i || kept.moves.length !== Y.length || now - kept.at >= OFTEN * live.length) {
      const pulls = i >= 0 ? pullsOf({ ...panel.points, i }) : null;
      const moves = pulls?.moves ?? (many || i >= 0 ? new Float64Array(Y.length) : forcesOn(panel.points));
      Object.assign(kept, { i, pulls, moves, at: now });
    }
    const longest = this.draw(panel, kept, i);
    const { pulls, moves } = kept;
    kept.said = many ? TOO_MANY : pulls ? ofPoint(scene, i, pulls, longest) : ofAll(panel, scene, moves, longest);
  }

  show() {
    const { panels, spotlight: { pinned } } = this.stage;
    if (this.pinned !== pinned) panels.forEach((panel) => this.painted(panel)); // nothing else moves then
    this.pinned = pinned;
    const said = panels.map((panel) => this.of(panel).said).filter(Boolean);
    setText(this.answer, said.join(" ") || "Arrows are drawn in panels that train a matrix.");
  }

  // The longest arrow has the same length in every picture; returns its true length.
  draw(panel, { layer, moves }, pinned) {
    layer.show();
    const { components } = this.stage.scene;
    const { Y, labels, xs, ys, ratio, extent } = panel;
    const [places, pulls] = [Y, moves].map((all) => rowsOf(all, components));
    const longest = pulls.reduce((most, pull, j) => (j === pinned ? most : Math.max(most, norm(pull))), 0);
    const paths = ["", ""];
    const factor = longest > 0 ? (LONGEST_PULL * extent) / longest : 0;
    for (let j = 0; j < labels.length && factor; j++) {
      if (j === pinned || this.stage.hidden.has(labels[j])) continue;
      const tip = places[j].map((place, c) => place + factor * pulls[j][c]);
      const foreign = pinned >= 0 && labels[j] !== labels[pinned];
      paths[Number(foreign)] += arrow(xs[j] / ratio, ys[j] / ratio, ...toScreen(panel, tip));
    }
    paths.forEach((path, k) => layer.svg.children[k].setAttribute("d", path));
    return longest;
  }
}

const TOO_MANY = `With more than ${MOST.toLocaleString("en")} points, press one to see its pulls.`;

function ofPoint(scene, i, { p }, longest) {
  return (
    `Gradient of ${rowTitle(scene, i)}, p = ${p.toFixed(2)}: solid arrows pull its class nearer, dashed arrows push ` +
    `others away. The longest is ${shortNumber(longest)}. Escape releases the point.`
  );
}

function ofAll({ content, features: { columns, X } }, { components }, forces, longest) {
  const all = `Gradient of all points: each arrow is ∂f/∂y of its point, the longest ${shortNumber(longest)}.`;
  if (columns > MOST_COLUMNS) return all;
  return `${all} ‖∂f/∂A‖ = ${shortNumber(gradientNorm(forces, components, X, columns) * content.unit)}.`;
}

function arrow(x0, y0, x, y) {
  const length = Math.hypot(x - x0, y - y0);
  if (!(length >= LEAST)) return "";
  const { corners } = headOf(x0, y0, x, y, Math.min(PULL_HEAD, 0.6 * length));
  return `M${written(x0, y0)}L${written(x, y)}M${corners[0]}L${written(x, y)}L${corners[1]}`;
}
