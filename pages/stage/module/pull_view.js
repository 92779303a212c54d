// How does the gradient pull and push? Arrows on the points of each panel that trains: of the pinned point what it wants its
// neighbours to do, else of every point what all of them want together.
import { toScreen } from "./arrows.js";
import { element } from "./panel.js";
import { say } from "./point_view.js";
import { forcesOn, gradientNorm, pullsOf } from "./pulls.js";

const MOST = 2_000; // points, for the arrows of all: every pair counts
const MOST_COLUMNS = 1_000;
const LONGEST = 0.3, HEAD = 6; // of the half width; pixels
const LEAST = 3; // pixels: a shorter arrow says nothing
const SPACE = "http://www.w3.org/2000/svg";

export class PullView {
  constructor(stage) {
    this.stage = stage;
    this.root = element("div", "pull-view");
    this.answer = element("p", "answer");
    this.root.append(this.answer);
    this.drawn = new WeakMap(); // by panel: { root, own, other }
    this.said = new WeakMap(); // by panel: the sentence about it
  }

  end() {
    for (const panel of this.stage.panels) this.drawn.get(panel)?.root.remove();
  }

  painted(panel) {
    const { scene, spotlight } = this.stage;
    const { content, Y, labels } = panel;
    if (!panel.drawn || !panel.scale || panel.between || !content.live || content.kind !== "matrix") {
      this.drawn.get(panel)?.root.remove();
      this.said.delete(panel);
      return;
    }
    const { components, heldOut, samples } = scene;
    const i = spotlight.pinned;
    const asked = { Y, components, labels, heldOut, unit: content.unit };
    const pulls = i >= 0 ? pullsOf({ ...asked, i }) : null;
    const many = i < 0 && samples > MOST;
    const moves = pulls?.moves ?? (many || i >= 0 ? new Float64Array(Y.length) : forcesOn(asked));
    const longest = this.draw(panel, moves, i);
    this.said.set(panel, many ? TOO_MANY : pulls ? ofPoint(scene, i, pulls, longest) : ofAll(panel, scene, moves, longest));
  }

  show() {
    const { pinned } = this.stage.spotlight;
    if (this.pinned !== pinned) this.stage.panels.forEach((panel) => this.painted(panel)); // nothing else moves then
    this.pinned = pinned;
    const said = this.stage.panels.map((panel) => this.said.get(panel)).filter(Boolean);
    say(this.answer, said.join(" ") || "Arrows are drawn in panels that train a matrix.");
  }

  // The longest arrow has the same length in every picture; -> how long it is in truth.
  draw(panel, moves, pinned) {
    const { own, other, root } = this.partsOf(panel);
    if (!root.parentNode) panel.frame.insertBefore(root, panel.overlay);
    const { components } = this.stage.scene;
    const { Y, labels, xs, ys, ratio, extent } = panel;
    const length = (j) => Math.hypot(...moves.subarray(j * components, (j + 1) * components));
    let longest = 0;
    for (let j = 0; j < labels.length; j++) if (j !== pinned) longest = Math.max(longest, length(j));
    const paths = { own: "", other: "" };
    const factor = longest > 0 ? (LONGEST * extent) / longest : 0;
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
      const root = element("div", "pulls"), svg = document.createElementNS(SPACE, "svg");
      const [own, other] = ["own", "foreign"].map((name) => {
        const path = document.createElementNS(SPACE, "path");
        path.setAttribute("class", name);
        return path;
      });
      svg.setAttribute("aria-hidden", "true");
      svg.append(own, other);
      root.append(svg);
      this.drawn.set(panel, { root, own, other });
    }
    return this.drawn.get(panel);
  }
}

const TOO_MANY = `With more than ${MOST.toLocaleString("en")} points press one: its own pulls are drawn then.`;

function ofPoint(scene, i, { p }, longest) {
  return (
    `What row ${scene.rows[i]} (p = ${p.toFixed(2)}) wants: solid arrows pull its own class nearer, dashed ones push ` +
    `other classes away. The longest is ${short(longest)}; Escape lets the point go.`
  );
}

function ofAll({ content }, scene, forces, longest) {
  const { components, features } = scene;
  const { columns, X } = features[content.features];
  const norm = columns > MOST_COLUMNS ? "" : ` Added up for A: ${short(gradientNorm(forces, components, X, columns) * content.unit)}.`;
  return `What all points want: each arrow is ∂f/∂y of its point, the longest ${short(longest)}.${norm}`;
}

function arrow(x0, y0, x, y) {
  const length = Math.hypot(x - x0, y - y0);
  if (!(length >= LEAST)) return "";
  const [u, v] = [(x - x0) / length, (y - y0) / length], head = Math.min(HEAD, 0.6 * length);
  const at = (a, b) => `${a.toFixed(1)} ${b.toFixed(1)}`;
  const corner = (side) => at(x - head * u - side * 0.5 * head * v, y - head * v + side * 0.5 * head * u);
  return `M${at(x0, y0)}L${at(x, y)}M${corner(1)}L${at(x, y)}L${corner(-1)}`;
}

function short(value) {
  return value && (value < 1e-2 || value >= 1e4) ? value.toExponential(1) : value.toFixed(2);
}
