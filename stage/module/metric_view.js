// What is the metric? M = AᵀA of the picture as a heat map, the strongest features as arrows in the panels, and for a
// pair of features the points at distance 1.
import { element, onArrows, select, setOptions, setText, slider, svgElement } from "./dom.js";
import { Arrows } from "./arrows.js";
import { metricOf, strongest, unitEllipse, weightsOf } from "./matrix.js";
import { largest, paintSigned } from "./palette.js";
import { listed, shortNumber } from "./text.js";

const MOST = 40; // features in the heat map, and in its list of names up to MOST_NAMED
const MOST_NAMED = 16, MOST_ARROWS = 12, ARROWS = 5;
const OFTEN = 120; // milliseconds between two heat maps while the panels move

export class MetricView {
  constructor(stage) {
    this.stage = stage;
    this.answer = element("p", "answer");
    const range = { min: 0, max: MOST_ARROWS, step: 1, value: ARROWS };
    this.count = slider("Features drawn as arrows", range, () => stage.redraw());
    this.which = select("Panel", [], () => {
      this.at = -Infinity;
      stage.requestFrame();
    });
    this.controls = element("div", "controls", this.which, element("span", "", "arrows"), this.count);
    this.map = element("canvas", { className: "heat", tabIndex: 0, role: "img" });
    this.map.onclick = (event) => this.press(event);
    onArrows(this.map, ([right, down]) => this.choose([this.pair[0] + down, this.pair[1] + right]));
    this.mark = element("div", "heat-mark"); // of the cell that is chosen
    this.names = element("div", "heat-names");
    this.cell = element("p", "cell");
    this.scale = element("p", "quiet");
    this.ellipse = new EllipseView();
    const square = element("div", "heat-square", this.names, element("div", "heat-held", this.map, this.mark));
    this.parts = element("div", "metric-parts", element("div", "", square, this.cell, this.scale), this.ellipse.root);
    const title = element("h3", "", "What is the metric?");
    this.root = element("div", "metric-view", title, this.answer, this.controls, this.parts);
    this.pair = [0, 1]; // places among the features that are shown
    this.at = -Infinity;
  }

  // With every picture, so that the arrows do not lag behind their points.
  painted(panel) {
    panel.arrows ??= new Arrows(panel);
    panel.arrows.follow(Number(this.count.value));
  }

  show(time, moving) {
    if (moving && time - this.at < OFTEN) return;
    this.at = time;
    const panel = this.panel();
    this.controls.hidden = this.parts.hidden = !panel;
    if (!panel) return setText(this.answer, "No panel here projects by a matrix, so none has such a metric.");
    const { theme } = this.stage, { features } = panel, A = panel.matrix;
    const weights = weightsOf(A, features.columns, features.unit);
    this.shown = strongest(weights, MOST).sort((a, b) => a - b);
    const n = this.shown.length;
    this.M = metricOf(A, features.columns, this.shown, features.unit);
    this.name = (k) => panel.nameOf(this.shown[k]);
    this.limit = largest(this.M);
    paintSigned(this.map, this.M, [n, n], theme, this.limit);
    this.pair = this.pair.map((k) => Math.min(k, n - 1));
    const names = n <= MOST_NAMED ? this.shown.map((_, k) => this.name(k)) : [];
    if (names.join("\n") !== this.named) this.names.replaceChildren(...names.map((name) => element("span", "", name)));
    this.named = names.join("\n");
    setText(this.answer, this.sentence(panel, weights));
    const few = n < features.columns ? ` The ${n} features that weigh most, of ${features.columns}.` : "";
    const scale = `Orange above 0, blue below, up to ±${shortNumber(this.limit)}; 0 is the page's colour.`;
    setText(this.scale, `${scale} Press a cell for its pair.${few}`);
    this.showPair();
  }

  // The panel that was chosen, else the first that trains, else the first.
  panel() {
    const those = this.stage.panels.filter(({ projects }) => projects);
    const listed = those.map(({ key, content }) => `${key}\n${content.title}`).join("\n");
    if (listed !== this.listed) {
      const before = this.which.value;
      this.listed = listed;
      setOptions(this.which, those.map(({ key, content }) => [key, content.title]));
      const first = those.find(({ key }) => key === before) ?? those.find(({ content }) => content.live) ?? those[0];
      if (first) this.which.value = first.key;
    }
    return those.find(({ key }) => key === this.which.value) ?? null;
  }

  // What the metric looks at, and how many directions count.
  sentence(panel, weights) {
    const { content, features: { columns } } = panel, { components } = this.stage.scene;
    const trace = weights.reduce((sum, weight) => sum + weight, 0);
    if (!(trace > 0)) return `${content.title} measures nothing: A is 0.`;
    const top = strongest(weights, 3).map((f, k) => {
      const share = `${Math.round((100 * weights[f]) / trace)}\u00a0%`;
      return `${panel.nameOf(f)} (${share}${k ? "" : " of the trace of AᵀA"})`;
    });
    const rest = columns - components;
    const blind = `; along ${rest} of ${columns} directions all distances are 0 (rank at most ${components})`;
    return `${content.title} looks most at ${listed(top)}${rest > 0 ? blind : ""}.`;
  }

  press({ clientX, clientY }) {
    const { left, top, width, height } = this.map.getBoundingClientRect();
    const shares = [(clientY - top) / height, (clientX - left) / width];
    this.choose(shares.map((share) => Math.floor(share * this.shown.length)));
  }

  choose(pair) {
    this.pair = pair.map((k) => Math.max(0, Math.min(this.shown.length - 1, k)));
    this.showPair();
  }

  showPair() {
    const [a, b] = this.pair, n = this.shown.length;
    const between = (f, g) => this.M[f * n + g];
    const what = a === b ? `${this.name(a)} by itself` : `${this.name(a)} with ${this.name(b)}`;
    setText(this.cell, `AᵀA, ${what}: ${shortNumber(between(a, b))}`);
    const side = `${100 / n}%`;
    Object.assign(this.mark.style, { left: `${(100 * b) / n}%`, top: `${(100 * a) / n}%`, width: side, height: side });
    this.map.ariaLabel = `Heat map of the metric. ${this.cell.textContent}. Arrow keys go to other pairs.`;
    const other = a === b ? (a + 1) % n : b;
    this.ellipse.root.hidden = n < 2;
    if (n < 2) return;
    this.ellipse.show(this.name(a), this.name(other), between(a, a), between(a, other), between(other, other));
  }
}

// The points at distance 1 from the middle in the plane of two features: an ellipse, or two lines where a direction
// does not count; the unit circle, dashed, is that of features as they are.

const SIZE = 220, LEAST = 1.3, WIDEST = 12; // CSS pixels; half widths of what is shown, in units of the features

class EllipseView {
  constructor() {
    this.title = element("h4");
    this.answer = element("p", "answer");
    const axes = svgElement("path", { class: "axes", d: `M${-SIZE / 2} 0H${SIZE / 2}M0 ${-SIZE / 2}V${SIZE / 2}` });
    this.circle = svgElement("circle", { class: "circle-one" });
    this.curve = svgElement("path", { class: "curve" });
    const viewBox = `${-SIZE / 2} ${-SIZE / 2} ${SIZE} ${SIZE}`;
    this.svg = svgElement("svg", { viewBox, role: "img" }, axes, this.circle, this.curve);
    this.root = element("div", "ellipse", this.title, this.svg, this.answer);
  }

  // `across`, `up`: names of the features; their block of the metric.
  show(across, up, m11, m12, m22) {
    const { long, short, angle } = unitEllipse(m11, m12, m22);
    setText(this.title, `Distance 1: ${across} (across) and ${up} (up)`);
    const reach = Math.min(WIDEST, Math.max(LEAST, 1.15 * (long < Infinity ? long : 3 * short)));
    const pixels = SIZE / 2 / (Number.isFinite(reach) ? reach : WIDEST);
    this.circle.setAttribute("r", pixels.toFixed(2));
    // With its longer half axis across; two lines where that has no end.
    const [x, y] = [long, short].map((half) => (Math.min(half, 50 * WIDEST) * pixels).toFixed(2));
    const round = `M${x} 0A${x} ${y} 0 1 1 -${x} 0A${x} ${y} 0 1 1 ${x} 0Z`;
    this.curve.setAttribute("d", long === Infinity ? `M-${x} ${y}H${x}M-${x} -${y}H${x}` : round);
    this.curve.setAttribute("transform", `rotate(${((-angle * 180) / Math.PI).toFixed(3)})`);
    setText(this.answer, words(long, short));
    this.svg.ariaLabel = `${this.title.textContent}. ${this.answer.textContent}`;
  }
}

function words(long, short) {
  if (short === Infinity) return "Neither feature counts: all points in this plane are at distance 0.";
  const near = `A step of ${shortNumber(short)} units is a distance of 1 in the direction that counts most`;
  if (long === Infinity) return `${near}; along the lines all distances are 0.`;
  return `${near}, and ${shortNumber(long)} units in the one that counts least.`;
}
