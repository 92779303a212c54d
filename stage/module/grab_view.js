// Does it come back? Handles on the arrows of features and on the centres of classes move A by hand in a panel that
// trains. Its numbers follow, and training can continue from there.
import { Arrows, toScreen } from "./arrows.js";
import { button, element, onArrows, setText } from "./dom.js";
import { classMeans, dot, withCentre } from "./matrix.js";
import { PictureNumbers } from "./neighbourhood.js";
import { colourOf } from "./palette.js";
import { countOf, percent } from "./text.js";

const ARROWS = 6, MOST_CENTRES = 12, MOST_UNDO = 20, BESIDE = 15; // the last: pixels from a handle to its name
const MANY = 10_000; // points; with more the numbers would come too late
const SLICE = 8, STEP = 0.06; // milliseconds of a frame for the numbers; of the half width, for a press of an arrow key
const HELP =
  "Drag the tip of an arrow, or the square at the centre of a class, in a panel that trains. A changes as little as " +
  "possible.";

export class GrabView {
  constructor(stage) {
    this.stage = stage;
    this.answer = element("p", "answer", HELP);
    this.numbers = element("p", "answer");
    const acts = { "Continue from here": () => this.continue(), Undo: () => this.undo(), Release: () => this.release() };
    this.buttons = Object.entries(acts).map(([words, act]) => button(words, "", act));
    const title = element("h3", "", "Does NCA come back?"), controls = element("div", "controls", ...this.buttons);
    this.root = element("div", "grab-view", title, this.answer, this.numbers, controls);
    this.parts = new WeakMap(); // by panel: its arrows and handles
    this.counted = new PictureNumbers();
    this.held = null; // { panel, before: what undo brings back, run, first: the numbers before the hand }
    this.showButtons();
  }

  painted(panel) {
    const { held, stage: { scene, hidden } } = this;
    // Another training or other points.
    if (held?.panel === panel && (held.run !== panel.run || held.scene !== scene)) this.release();
    if (!panel.projects || !panel.content.live) return;
    const { columns } = panel.features, { arrows, handles } = this.partOf(panel);
    // During a drag the same features keep their arrows and their length.
    arrows.follow(ARROWS, panel.dragging ? arrows.last : null);
    const { chosen, factor } = arrows.last ?? { chosen: [], factor: 1 };
    const A = panel.matrix;
    handles.forEach((handle, k) => {
      const { root, label } = handle, ofClass = label !== undefined;
      root.hidden = ofClass ? hidden.has(label) : k >= chosen.length;
      if (root.hidden) return;
      if (!panel.dragging && !ofClass) {
        const mu = Float64Array.from({ length: columns }, (_, f) => Number(f === chosen[k]));
        Object.assign(handle, { mu, factor, name: panel.nameOf(chosen[k]) });
      }
      const { mu, factor: times, name } = handle;
      handle.place = Array.from({ length: scene.components }, (_, c) => times * dot(mu, A.subarray(c * columns)));
      const [x, y] = toScreen(panel, handle.place);
      root.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
      if (root.title === name) return;
      root.title = name;
      root.ariaLabel = `${ofClass ? "Centre" : "Arrow"} of ${name}: drag, or move it by the arrow keys`;
    });
  }

  // The panel's arrows, and handles: of the arrows first, then of the centres of classes.
  partOf(panel) {
    const { scene, theme: { dark } } = this.stage, { X, columns } = panel.features;
    const before = this.parts.get(panel);
    if (before?.scene === scene) return before;
    before?.handles.forEach(({ root }) => root.remove());
    const means = classMeans(X, columns, panel.labels, scene.heldOut, scene.classes.length);
    const centres = means.map((mu, label) => ({ mu, label, factor: 1, name: scene.classes[label] }))
      .filter(({ mu }) => mu?.some(Boolean));
    const all = [...Array(ARROWS).fill({}), ...centres.slice(0, MOST_CENTRES)];
    const handles = all.map((each) => this.handle(panel, each));
    for (const { root, label } of handles.slice(ARROWS)) {
      root.style.setProperty("--ink", colourOf(label, dark, scene.ordered ? scene.classes.length : 0));
    }
    const part = { scene, handles, arrows: before?.arrows ?? new Arrows(panel, BESIDE) };
    this.parts.set(panel, part);
    return part;
  }

  handle(panel, centre) {
    const root = button("", "", null, centre.mu ? "handle centre" : "handle");
    const handle = { ...centre, root };
    root.onpointerdown = ({ pointerId, clientX, clientY }) => {
      root.setPointerCapture(pointerId);
      this.begin(panel);
      panel.dragging = true;
      handle.from = [clientX, clientY];
    };
    root.onpointermove = ({ clientX, clientY }) => {
      if (!handle.from) return;
      this.move(panel, handle, clientX - handle.from[0], clientY - handle.from[1]);
      handle.from = [clientX, clientY];
    };
    root.onlostpointercapture = () => {
      handle.from = null;
      panel.dragging = false;
      this.stage.redraw();
    };
    onArrows(root, (by) => {
      this.begin(panel);
      this.move(panel, handle, ...by.map((value) => (value * STEP * panel.half) / panel.ratio));
    });
    panel.frame.append(root);
    return handle;
  }

  begin(panel) {
    if (this.held && this.held.panel !== panel) this.release();
    const { found } = this.counted, known = found?.panel === panel && found.picture === panel.picture;
    this.held ??= { panel, before: [], run: panel.run, scene: this.stage.scene, first: known ? found.means[0] : null };
    this.held.before.push(panel.matrix);
    if (this.held.before.length > MOST_UNDO) this.held.before.splice(1, 1);
  }

  // By so many CSS pixels, in the plane of the screen.
  move(panel, handle, dx, dy) {
    const R = this.stage.views.of(panel).rotation;
    const [x, y] = [(dx * panel.ratio) / panel.scale, (-dy * panel.ratio) / panel.scale];
    const by = R ? [0, 1, 2].map((c) => R[c] * x + R[3 + c] * y) : [x, y];
    handle.place = handle.place.map((value, c) => value + by[c]);
    const place = handle.place.map((value) => value / handle.factor);
    panel.manual = withCentre(panel.matrix, panel.features.columns, handle.mu, place);
    panel.dirty = true;
    this.showButtons();
    this.stage.requestFrame();
  }

  undo() {
    const { panel, before } = this.held;
    const A = before.pop();
    if (!before.length) return this.release();
    panel.manual = A;
    this.stage.redraw();
  }

  release() {
    if (!this.held) return;
    Object.assign(this.held.panel, { manual: null, dragging: false });
    this.held = null;
    this.showButtons();
    this.stage.redraw();
  }

  continue() {
    const { panel } = this.held;
    this.stage.reportGrab(panel.key, [...panel.manual]);
    setText(this.numbers, "Training continues from here …");
  }

  showButtons() {
    for (const each of this.buttons) each.disabled = !this.held?.panel.manual;
  }

  // The numbers of the panel that is held, else of the first that trains, for the picture that is shown.
  show() {
    const { scene, panels } = this.stage;
    const panel = this.held?.panel ?? panels.find(({ projects, content }) => projects && content.live);
    setText(this.answer, panel ? HELP : "No panel here trains a matrix, so there is nothing to move.");
    if (!panel || scene.samples > MANY) {
      const many = `With more than ${MANY.toLocaleString("en")} points, numbers appear once training continues.`;
      return setText(this.numbers, panel ? many : "");
    }
    if (this.counted.follow(panel, SLICE)) setText(this.numbers, this.sentence(panel));
  }

  sentence({ content }) {
    const [now] = this.counted.found.means, first = this.held?.panel.manual ? this.held.first : null;
    const two = (value) => value.toFixed(2);
    const numbers = [
      ["f/n", "p", two], ["K̂", "k", countOf],
      ["1-NN on training rows", "own", percent], ["1-NN on held-out rows", "new", percent],
    ].filter(([, name]) => Number.isFinite(now[name]));
    const words = numbers.map(([title, name, written]) => {
      const before = Number.isFinite(first?.[name]) ? ` (${written(first[name])} before)` : "";
      return `${title} ${written(now[name])}${before}`;
    });
    return `${content.title}: ${words.join(", ")}.`;
  }
}
