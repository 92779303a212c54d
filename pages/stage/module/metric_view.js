// What is the metric? M = AᵀA of the picture that is shown as a heat map, the strongest features as arrows in the panels,
// and for a pair of features the points at distance 1.
import { Arrows } from "./arrows.js";
import { largest, paintSigned } from "./diverging.js";
import { EllipseView } from "./ellipse_view.js";
import { featureName } from "./feature_name.js";
import { frameOf } from "./frame_of.js";
import { metricOf, strongest, weightsOf } from "./metric.js";
import { element } from "./panel.js";
import { say } from "./point_view.js";

const MOST = 40; // features in the heat map, and in its list of names up to MOST_NAMED
const MOST_NAMED = 16, MOST_ARROWS = 12, ARROWS = 5;
const OFTEN = 120; // milliseconds between two heat maps while the panels move

export class MetricView {
  constructor(stage) {
    this.stage = stage;
    this.root = element("div", "metric-view");
    this.title = element("h3", "", "What is the metric?");
    this.answer = element("p", "answer");
    this.controls = element("div", "controls");
    this.count = element("input", "");
    Object.assign(this.count, { type: "range", min: 0, max: MOST_ARROWS, step: 1, value: ARROWS });
    this.count.setAttribute("aria-label", "Features drawn as arrows");
    this.count.oninput = () => stage.redraw();
    this.which = element("select", "");
    this.which.setAttribute("aria-label", "Panel");
    this.which.onchange = () => this.again();
    this.controls.append(this.which, element("span", "", "arrows"), this.count);
    this.map = element("canvas", "heat");
    this.map.tabIndex = 0;
    this.map.setAttribute("role", "img");
    this.names = element("div", "heat-names");
    this.cell = element("p", "cell");
    this.scale = element("p", "quiet");
    this.ellipse = new EllipseView(stage);
    const square = element("div", "heat-square");
    const held = element("div", "heat-held");
    this.mark = element("div", "heat-mark"); // of the cell that is chosen
    held.append(this.map, this.mark);
    square.append(this.names, held);
    const left = element("div", ""), parts = element("div", "metric-parts");
    left.append(square, this.cell, this.scale);
    parts.append(left, this.ellipse.root);
    this.root.append(this.title, this.answer, this.controls, parts);
    this.pair = [0, 1]; // places among the features that are shown
    this.arrows = new WeakMap(); // by panel
    this.at = -Infinity;
    this.map.addEventListener("click", (event) => this.press(event));
    this.map.addEventListener("keydown", (event) => this.key(event));
  }

  // When another question is asked.
  end() {
    for (const panel of this.stage.panels) this.arrows.get(panel)?.follow(0);
  }

  again() {
    this.at = -Infinity;
    this.stage.stir();
  }

  // With every picture, so that the arrows do not lag behind their points.
  painted(panel) {
    if (!this.arrows.has(panel)) this.arrows.set(panel, new Arrows(panel));
    this.arrows.get(panel).follow(Number(this.count.value));
  }

  show(time, moving) {
    if (moving && time - this.at < OFTEN) return;
    this.at = time;
    const panel = this.panel();
    for (const part of [this.controls, this.root.lastChild]) part.hidden = !panel;
    if (!panel) {
      say(this.answer, "No panel here is a projection by a matrix, so none has such a metric.");
      return;
    }
    const { scene, theme } = this.stage;
    const features = scene.features[panel.content.features];
    const A = frameOf(panel);
    const weights = weightsOf(A, features.columns, features.unit);
    this.shown = strongest(weights, MOST).sort((a, b) => a - b);
    const n = this.shown.length;
    this.M = metricOf(A, features.columns, this.shown, features.unit);
    this.name = (k) => featureName(this.shown[k], features, scene.image_shape);
    this.limit = largest(this.M);
    paintSigned(this.map, this.M, [n, n], theme, this.limit);
    this.pair = this.pair.map((k) => Math.min(k, n - 1));
    this.showNames(n);
    say(this.answer, this.sentence(panel, A, features, weights));
    const few = n < features.columns ? ` The ${n} features that weigh most, of ${features.columns}.` : "";
    say(this.scale, `Orange above 0, blue below, up to ±${short(this.limit)}; 0 is the page's colour. Press a cell for its pair.${few}`);
    this.showPair();
  }

  // The panel that was chosen, else the first that trains, else the first.
  panel() {
    const those = this.stage.panels.filter(({ drawn, content }) => drawn && content.kind === "matrix");
    const listed = those.map(({ key, content }) => `${key}\n${content.title}`).join("\n");
    if (listed !== this.listed) {
      const before = this.which.value;
      this.listed = listed;
      this.which.replaceChildren(...those.map(({ key, content }) => new Option(content.title, key)));
      const first = those.find(({ key }) => key === before) ?? those.find(({ content }) => content.live) ?? those[0];
      if (first) this.which.value = first.key;
    }
    return those.find(({ key }) => key === this.which.value) ?? null;
  }

  showNames(n) {
    const text = n <= MOST_NAMED ? Array.from({ length: n }, (_, k) => this.name(k)) : [];
    if (text.join("\n") === this.named) return;
    this.named = text.join("\n");
    this.names.replaceChildren(...text.map((name) => element("span", "", name)));
  }

  // What the metric looks at, and how many directions count.
  sentence({ content }, A, features, weights) {
    const trace = weights.reduce((sum, weight) => sum + weight, 0);
    if (!(trace > 0)) return `${content.title} looks at nothing: A is 0.`;
    const { components } = this.stage.scene;
    const top = strongest(weights, 3).map((f, k) => {
      const share = `${Math.round((100 * weights[f]) / trace)}\u00a0%`;
      return `${featureName(f, features, this.stage.scene.image_shape)} (${share}${k ? "" : " of the trace of AᵀA"})`;
    });
    const rest = features.columns - components;
    const blind = rest > 0 ? `; along ${rest} of ${features.columns} directions it measures no distance, as its rank is ${components} at most` : "";
    return `${content.title} looks most at ${listed(top)}${blind}.`;
  }

  press({ clientX, clientY }) {
    const box = this.map.getBoundingClientRect(), n = this.shown.length;
    const at = (share) => Math.max(0, Math.min(n - 1, Math.floor(share * n)));
    this.choose([at((clientY - box.top) / box.height), at((clientX - box.left) / box.width)]);
  }

  key(event) {
    const [a, b] = this.pair, n = this.shown.length;
    const moves = { ArrowUp: [a - 1, b], ArrowDown: [a + 1, b], ArrowLeft: [a, b - 1], ArrowRight: [a, b + 1] };
    const to = moves[event.key];
    if (!to) return;
    event.preventDefault();
    event.stopPropagation();
    this.choose(to.map((k) => Math.max(0, Math.min(n - 1, k))));
  }

  choose(pair) {
    this.pair = pair;
    this.showPair();
  }

  showPair() {
    const [a, b] = this.pair, n = this.shown.length;
    const value = this.M[a * n + b];
    const what = a === b ? `${this.name(a)} by itself` : `${this.name(a)} with ${this.name(b)}`;
    say(this.cell, `AᵀA, ${what}: ${short(value)}`);
    const side = `${100 / n}%`;
    Object.assign(this.mark.style, { left: `${(100 * b) / n}%`, top: `${(100 * a) / n}%`, width: side, height: side });
    this.map.setAttribute("aria-label", `Heat map of the metric. ${this.cell.textContent}. Arrow keys go to other pairs.`);
    const other = a === b ? (a + 1) % n : b;
    this.ellipse.root.hidden = n < 2;
    if (n > 1) this.ellipse.show(this.name(a), this.name(other), this.M[a * n + a], this.M[a * n + other], this.M[other * n + other]);
  }
}

function listed(words) {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

function short(value) {
  return value && (Math.abs(value) >= 1e4 || Math.abs(value) < 1e-2) ? value.toExponential(1) : value.toFixed(2);
}
