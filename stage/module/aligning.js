// Turns, mirrors and scales all pictures onto that of a chosen panel, at every frame; a slider moves each point from
// its place in its own panel to its place in that one. Only what is painted changes: a panel's Y and every number stay
// as they are.
import { element, select, setOptions, slider } from "./dom.js";
import { dot, eigen, multiply, norm, transpose } from "./matrix.js";
import { cross, IDENTITY } from "./view.js";

export class Aligning {
  constructor(stage) {
    this.stage = stage;
    this.key = ""; // none: each as it is
    this.way = 0; // 0: each point where its panel has it; 1: where the chosen panel has it
    this.choice = select("Turn all panels onto one", [], (key) => this.turnOnto(key));
    this.choice.title = "Turns, mirrors and scales each picture to match one of them (Procrustes). No number changes.";
    this.slider = slider("", { min: 0, max: 1, step: 0.01, value: 0 }, (way) => this.go(way), "trail");
    this.there = element("label", "way", "move there", this.slider);
    this.root = element("span", "aligning", this.choice, this.there);
  }

  // The panel that the others are turned onto, or null.
  get onto() {
    return (this.key && this.stage.panels.find((panel) => panel.key === this.key && panel.drawn)) || null;
  }

  // Another scene: offer its panels, and turn nothing if the chosen one is gone.
  showPanels() {
    const drawn = this.stage.panels.filter((panel) => panel.drawn);
    this.root.hidden = drawn.length < 2;
    const options = drawn.map(({ key, content }) => [key, `turned onto ${content.title}`]);
    setOptions(this.choice, [["", "each as it is"], ...options]);
    this.turnOnto(this.root.hidden || !this.onto ? "" : this.key);
  }

  turnOnto(key) {
    this.key = key;
    this.choice.value = key;
    if (!key) this.way = Number((this.slider.value = 0));
    this.there.hidden = !key;
    const title = this.onto?.content.title ?? "";
    this.slider.title = `Move every point from its own place to the one in ${title}`;
    this.slider.ariaLabel = `Way of every point to its place in ${title}`;
    this.choice.toggleAttribute("data-on", Boolean(key));
    this.showWords();
    this.stage.redraw();
  }

  go(way) {
    this.way = way;
    this.showWords();
    this.stage.redraw();
  }

  // Label every panel with what is done to its picture.
  showWords() {
    const { onto } = this;
    for (const panel of this.stage.panels) {
      panel.turned.textContent = onto && panel.drawn ? this.words(panel, onto) : "";
    }
    this.slider.ariaValueText = `${Math.round(100 * this.way)} %`;
  }

  words(panel, onto) {
    if (panel === onto) return "the others are turned onto this";
    if (this.way === 0) return `turned onto ${onto.content.title}`;
    if (this.way === 1) return `each point where ${onto.content.title} has it`;
    return `${Math.round(100 * this.way)} % of the way to ${onto.content.title}`;
  }

  // The panels in the order to paint them: the chosen one first, and where it moves all move.
  inOrder(panels) {
    const { onto } = this;
    if (!onto) return panels;
    if (onto.stale) for (const panel of panels) panel.dirty = true;
    return [onto, ...panels.filter((panel) => panel !== onto)];
  }

  // What to paint of a panel: its points, how far they reach from the middle of the picture, how large the panel's unit
  // is in theirs, and whether points are on the way between two panels.
  picture(panel) {
    const { onto, way } = this;
    const { Y, extent } = panel;
    if (!onto || onto === panel) return { points: Y, extent, size: 1, between: false };
    const d = this.stage.scene.components, Z = onto.Y;
    const { R, size: best, from, to } = procrustes(Y, Z, d);
    const size = this.stage.sameScale ? onto.extent / extent : best; // a scale that is held stays
    if (panel.turnedY?.length !== Y.length) panel.turnedY = new Float32Array(Y.length);
    const points = panel.turnedY;
    for (let at = 0; at < Y.length; at += d) {
      for (let a = 0; a < d; a++) {
        let place = 0;
        for (let b = 0; b < d; b++) place += R[3 * a + b] * (Y[at + b] - from[b]);
        place = to[a] + size * place;
        points[at + a] = way ? place + way * (Z[at + a] - place) : place;
      }
    }
    return { points, extent: onto.extent, size, between: way > 0 };
  }
}

// What brings one picture nearest to another by turning and mirroring (orthogonal Procrustes, Schönemann 1966): with yᵢ
// and zᵢ centred and C = Σ zᵢ yᵢᵀ = U Σ Vᵀ, R = U Vᵀ minimises Σ ‖zᵢ − R yᵢ‖². Both become equally large, Σ ‖zᵢ‖² = Σ
// ‖s yᵢ‖²: the s that minimises the sum too would make a picture the smaller the less it is like the other.
const MOST = 4000; // points that are looked at, evenly
const NOTHING = 1e-7; // of the greatest singular value

// Y, Z: places of the same points one after the other, NaN where a point has none.
// -> { R, size, from, to }: z ≈ to + size R (y − from), with R (3 x 3) row by row; in 2-D its third axis stays.
export function procrustes(Y, Z, components) {
  const d = components, stride = d * Math.max(1, Math.ceil(Y.length / d / MOST));
  const placed = [];
  for (let at = 0; at < Y.length; at += stride) {
    let sum = 0;
    for (let c = 0; c < d; c++) sum += Y[at + c] + Z[at + c];
    if (Number.isFinite(sum)) placed.push(at);
  }
  const along = (P, c) => placed.reduce((sum, at) => sum + P[at + c], 0) / (placed.length || 1);
  const middle = (P) => Float64Array.from({ length: d }, (_, c) => along(P, c));
  const from = middle(Y), to = middle(Z), C = new Float64Array(9);
  let square = 0, wanted = 0;
  for (const at of placed) {
    for (let b = 0; b < d; b++) {
      const y = Y[at + b] - from[b];
      square += y * y;
      wanted += (Z[at + b] - to[b]) ** 2;
      for (let a = 0; a < d; a++) C[3 * a + b] += (Z[at + a] - to[a]) * y;
    }
  }
  if (d === 2) C[8] = Math.hypot(...C);
  const size = Math.sqrt(wanted / square);
  return { R: nearestRotation(C), size: size > 0 && size < Infinity ? size : 1, from, to };
}

// -> U Vᵀ of C = U Σ Vᵀ (3 x 3). V are the eigenvectors of CᵀC, and C V = U Σ.
function nearestRotation(C) {
  const { vectors } = eigen(multiply(transpose(C, 3, 3), C, 3, 3, 3), 3);
  const axes = vectors.map((v) => ({ v, u: multiply(C, v, 3, 3, 1) }));
  for (const axis of axes) axis.length = norm(axis.u);
  const [first, second, third] = axes;
  if (!(first.length > 0)) return IDENTITY;
  for (const axis of axes) axis.u = axis.u.map((value) => value / axis.length);
  // In a direction that one of the pictures does not fill, any axis will do, but no mirror.
  const missing = ({ length }) => !(length > NOTHING * first.length);
  if (missing(second)) {
    const sizes = first.u.map(Math.abs), least = sizes.indexOf(Math.min(...sizes));
    const across = cross(first.u, [0, 1, 2].map((k) => Number(k === least)));
    second.u = across.map((value) => value / norm(across));
  }
  if (missing(third)) {
    const hand = Math.sign(dot(cross(first.v, second.v), third.v));
    third.u = cross(first.u, second.u).map((value) => hand * value);
  }
  const [U, V] = ["u", "v"].map((side) => axes.flatMap((axis) => [...axis[side]]));
  return multiply(transpose(U, 3, 3), V, 3, 3, 3);
}
