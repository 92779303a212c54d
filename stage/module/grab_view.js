// Does it come back? Handles on the arrows of features and on the centres of classes move A by hand in a panel that trains. Its
// numbers follow, and training can continue from there.
import { button, element, setText } from "./dom.js";
import { Arrows, toScreen } from "./arrows.js";
import { classMeans, means, withArrow, withCentre } from "./matrix.js";
import { LocalNumbers } from "./neighbourhood.js";
import { colourOf } from "./palette.js";
import { countOf, featureName, percent, visibleName } from "./text.js";

const ARROWS = 6, MOST_CENTRES = 12, MOST_UNDO = 20, BESIDE = 15; // the last: pixels from a handle to its name
const MANY = 10_000; // points; with more the numbers would come too late
const SLICE = 8, STEP = 0.06; // milliseconds of a frame for the numbers; of the half width, for a press of an arrow key
const HELP =
  "Drag the tip of an arrow, or the square at the centre of a class, in a panel that trains. A changes as little as possible.";

export class GrabView {
  constructor(stage) {
    this.stage = stage;
    this.root = element("div", "grab-view");
    this.answer = element("p", "answer", HELP);
    this.numbers = element("p", "answer");
    this.go = button("Go on from here", "", () => this.goOn());
    this.undo = button("Undo", "", () => this.back());
    this.free = button("Let go", "", () => this.release());
    const controls = element("div", "controls");
    controls.append(this.go, this.undo, this.free);
    this.root.append(element("h3", "", "Does NCA come back?"), this.answer, this.numbers, controls);
    this.parts = new WeakMap(); // by panel: its arrows and handles
    this.held = null; // { panel, before: what undo brings back, run, first: the numbers before the hand }
    this.showButtons();
  }

  end() {
    this.release();
    for (const panel of this.stage.panels) {
      this.parts.get(panel)?.arrows.follow(0);
      for (const handle of this.parts.get(panel)?.handles ?? []) handle.root.remove();
      this.parts.delete(panel);
    }
  }

  painted(panel) {
    const { held } = this;
    // Another training or other points.
    if (held?.panel === panel && (held.run !== panel.run || held.scene !== this.stage.scene)) this.release();
    if (!panel.drawn || !panel.content.live || panel.content.kind !== "matrix") return;
    const { scene } = this.stage;
    const features = scene.features[panel.content.features];
    const part = this.partOf(panel, features);
    // During a drag the same features keep their arrows and their length.
    part.arrows.follow(ARROWS, panel.dragging ? part.arrows.last : null);
    const { chosen, factor } = part.arrows.last ?? { chosen: [], factor: 1 };
    const A = panel.matrix, { columns } = features;
    part.handles.forEach((handle, k) => {
      const feature = k < ARROWS ? chosen[k] : undefined;
      const mu = k < ARROWS ? null : part.centres[k - ARROWS].mu;
      handle.root.hidden = k < ARROWS ? feature === undefined : this.stage.hidden.has(part.centres[k - ARROWS].label);
      if (handle.root.hidden) return;
      if (!panel.dragging) Object.assign(handle, { feature, mu, factor });
      const along = (c) => (mu ? dot(A, c * columns, mu) : A[c * columns + feature] * factor);
      handle.place = Array.from({ length: scene.components }, (_, c) => along(c));
      const [x, y] = toScreen(panel, handle.place);
      handle.root.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
      const name = mu ? handle.name : featureName(feature, features, scene.image_shape);
      if (handle.root.title !== name) {
        handle.root.title = name;
        handle.root.setAttribute("aria-label", `${mu ? "Centre of" : "Arrow of"} ${name}: drag, or move it by the arrow keys`);
      }
    });
  }

  partOf(panel, { X, columns }) {
    const { scene } = this.stage;
    const before = this.parts.get(panel);
    if (before?.scene === scene) return before;
    for (const handle of before?.handles ?? []) handle.root.remove();
    const found = classMeans(X, columns, panel.labels, scene.heldOut, scene.classes.length);
    const centres = [...found.entries()].filter(([, mu]) => mu?.some((v) => v !== 0)).slice(0, MOST_CENTRES).map(([label, mu]) => ({ label, mu }));
    const part = { scene, centres, arrows: before?.arrows ?? new Arrows(panel, BESIDE) };
    part.handles = [...Array(ARROWS).fill(null), ...centres].map((centre) => this.handle(panel, centre));
    this.parts.set(panel, part);
    return part;
  }

  handle(panel, centre) {
    const root = button("", "", null, centre ? "handle centre" : "handle");
    const handle = { root, name: centre ? visibleName(this.stage.scene.classes[centre.label]) : "" };
    const { ordered, classes } = this.stage.scene;
    if (centre) root.style.setProperty("--ink", colourOf(centre.label, this.stage.theme.dark, ordered ? classes.length : 0));
    root.addEventListener("pointerdown", (event) => {
      root.setPointerCapture(event.pointerId);
      this.begin(panel);
      panel.dragging = true;
      handle.from = [event.clientX, event.clientY];
    });
    root.addEventListener("pointermove", (event) => {
      if (!handle.from) return;
      this.move(panel, handle, event.clientX - handle.from[0], event.clientY - handle.from[1]);
      handle.from = [event.clientX, event.clientY];
    });
    const drop = () => {
      if (!handle.from) return;
      handle.from = null;
      panel.dragging = false;
      this.stage.redraw();
    };
    root.addEventListener("pointerup", drop);
    root.addEventListener("pointercancel", drop);
    root.addEventListener("keydown", (event) => {
      const moves = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
      if (!moves[event.key]) return;
      event.preventDefault();
      event.stopPropagation();
      const step = (STEP * Math.min(panel.raster.width, panel.raster.height)) / panel.ratio / 2;
      this.begin(panel);
      this.move(panel, handle, ...moves[event.key].map((by) => by * step));
    });
    panel.frame.append(root);
    return handle;
  }

  // Begin to move a panel by hand; undo restores what it showed.
  begin(panel) {
    if (this.held && this.held.panel !== panel) this.release();
    const known = this.found?.panel === panel && this.found.picture === panel.picture;
    this.held ??= { panel, before: [], run: panel.run, scene: this.stage.scene, first: known ? this.found.means : null };
    this.held.before.push(panel.matrix);
    if (this.held.before.length > MOST_UNDO) this.held.before.splice(1, 1);
  }

  // By so many CSS pixels, in the plane of the screen.
  move(panel, handle, dx, dy) {
    const { scene, views } = this.stage;
    const R = views.of(panel).rotation;
    const [x, y] = [(dx * panel.ratio) / panel.scale, (-dy * panel.ratio) / panel.scale];
    const by = R ? [0, 1, 2].map((c) => R[c] * x + R[3 + c] * y) : [x, y];
    const place = handle.place.map((value, c) => value + by[c]);
    const { columns } = scene.features[panel.content.features];
    const A = panel.matrix;
    panel.manual = handle.mu
      ? withCentre(A, columns, handle.mu, place)
      : withArrow(A, columns, handle.feature, place.map((value) => value / handle.factor));
    handle.place = place;
    panel.dirty = true;
    this.showButtons();
    this.stage.requestFrame();
  }

  back() {
    const { panel, before } = this.held;
    const A = before.pop();
    panel.manual = before.length ? A : null;
    if (!before.length) this.held = null;
    this.showButtons();
    this.stage.redraw();
  }

  release() {
    if (!this.held) return;
    Object.assign(this.held.panel, { manual: null, dragging: false });
    this.held = null;
    this.showButtons();
    this.stage.redraw();
  }

  goOn() {
    const { panel } = this.held;
    this.stage.reportGrab(panel.key, [...panel.manual]);
    setText(this.numbers, "Training continues from here …");
  }

  showButtons() {
    for (const each of [this.go, this.undo, this.free]) each.disabled = !this.held?.panel.manual;
  }

  // The numbers of the panel that is held, else of the first that trains, for the picture that is shown.
  show() {
    const { scene, panels } = this.stage;
    const panel = this.held?.panel ?? panels.find(({ drawn, content }) => drawn && content.live && content.kind === "matrix");
    if (!panel) setText(this.answer, "No panel here trains a matrix, so there is nothing to move.");
    else setText(this.answer, HELP);
    if (!panel || scene.samples > MANY) {
      setText(this.numbers, panel ? `With more than ${MANY.toLocaleString("en")} points, numbers appear once training continues.` : "");
      return;
    }
    const { labels, picture } = panel;
    if (!this.counting || this.counting.panel !== panel) {
      if (this.found?.panel === panel && this.found.picture === picture) return;
      this.counting = { panel, picture, numbers: new LocalNumbers(panel.points) };
    }
    const { numbers } = this.counting;
    const { picture: counted } = this.counting;
    if (!numbers.work(performance.now() + SLICE)) return this.stage.requestFrame();
    this.counting = null;
    this.found = { panel, picture: counted, means: means(numbers, labels, scene.heldOut) };
    setText(this.numbers, this.sentence(panel));
    this.stage.requestFrame(); // the picture may be another one already
  }

  sentence({ content }) {
    const now = this.found.means, first = this.held?.panel.manual ? this.held.first : null;
    const two = (value) => value.toFixed(2);
    const number = (title, name, digits) => {
      if (!Number.isFinite(now[name])) return [];
      return [`${title} ${digits(now[name])}${Number.isFinite(first?.[name]) ? ` (${digits(first[name])} before)` : ""}`];
    };
    const accuracies = [...number("1-NN on training rows", "own", percent), ...number("1-NN on held-out rows", "new", percent)];
    return `${content.title}: ${[...number("f/n", "p", two), ...number("K̂", "k", countOf), ...accuracies].join(", ")}.`;
  }
}

function dot(A, from, mu) {
  let sum = 0;
  for (let f = 0; f < mu.length; f++) sum += A[from + f] * mu[f];
  return sum;
}
