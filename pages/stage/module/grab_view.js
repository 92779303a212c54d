// Does it come back? Handles on the arrows of the features and on the centres of the classes move A by hand in a panel that
// trains; its numbers follow, and the training may go on from there.
import { Arrows, toScreen } from "./arrows.js";
import { featureName } from "./feature_name.js";
import { frameOf } from "./frame_of.js";
import { classMeans, means, withArrow, withCentre } from "./hand.js";
import { LocalNumbers } from "./local.js";
import { visibleName } from "./names.js";
import { colourOf } from "./palette.js";
import { element } from "./panel.js";
import { say } from "./point_view.js";
import { countOf } from "./spotlight.js";

const ARROWS = 6, MOST_CENTRES = 12, MOST_UNDO = 20, BESIDE = 15; // the last: pixels from a handle to its name
const MANY = 10_000; // points; with more the numbers would come too late
const SLICE = 8, STEP = 0.06; // milliseconds of a frame for the numbers; of the half width, for a press of an arrow key
const HELP =
  "Drag the tip of an arrow, or the square in the middle of a class, in a panel that trains. A follows by the smallest change that does it.";

export class GrabView {
  constructor(stage) {
    this.stage = stage;
    this.root = element("div", "grab-view");
    this.answer = element("p", "answer", HELP);
    this.numbers = element("p", "answer");
    this.go = button("Go on from here", () => this.goOn());
    this.undo = button("Undo", () => this.back());
    this.free = button("Let go", () => this.release());
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
    // Another training began, or other points came.
    if (held?.panel === panel && (held.run !== panel.run || held.scene !== this.stage.scene)) this.release();
    if (!panel.drawn || !panel.content.live || panel.content.kind !== "matrix") return;
    const { scene } = this.stage;
    const features = scene.features[panel.content.features];
    const part = this.partOf(panel, features);
    // While a hand moves one, the arrows stay those that they were, at the same length.
    part.arrows.follow(ARROWS, panel.holding ? part.arrows.last : null);
    const { chosen, factor } = part.arrows.last ?? { chosen: [], factor: 1 };
    const A = frameOf(panel), { columns } = features;
    part.handles.forEach((handle, k) => {
      const feature = k < ARROWS ? chosen[k] : undefined;
      const mu = k < ARROWS ? null : part.centres[k - ARROWS].mu;
      handle.root.hidden = k < ARROWS ? feature === undefined : this.stage.hidden.has(part.centres[k - ARROWS].label);
      if (handle.root.hidden) return;
      if (!panel.holding) Object.assign(handle, { feature, mu, factor });
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
    const root = element("button", centre ? "handle centre" : "handle");
    root.type = "button";
    const handle = { root, name: centre ? visibleName(this.stage.scene.classes[centre.label]) : "" };
    const { ordered, classes } = this.stage.scene;
    if (centre) root.style.setProperty("--ink", colourOf(centre.label, this.stage.theme.dark, ordered ? classes.length : 0));
    root.addEventListener("pointerdown", (event) => {
      root.setPointerCapture(event.pointerId);
      this.begin(panel);
      panel.holding = true;
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
      panel.holding = false;
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

  // A hand takes hold of a panel: what it shows can be had back.
  begin(panel) {
    if (this.held && this.held.panel !== panel) this.release();
    const known = this.found?.panel === panel && same(this.found.Y, panel.Y);
    this.held ??= { panel, before: [], run: panel.run, scene: this.stage.scene, first: known ? this.found.means : null };
    this.held.before.push(frameOf(panel));
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
    const A = frameOf(panel);
    panel.hand = handle.mu
      ? withCentre(A, columns, handle.mu, place)
      : withArrow(A, columns, handle.feature, place.map((value) => value / handle.factor));
    handle.place = place;
    panel.dirty = true;
    this.showButtons();
    this.stage.stir();
  }

  back() {
    const { panel, before } = this.held;
    const A = before.pop();
    panel.hand = before.length ? A : null;
    if (!before.length) this.held = null;
    this.showButtons();
    this.stage.redraw();
  }

  release() {
    if (!this.held) return;
    Object.assign(this.held.panel, { hand: null, holding: false });
    this.held = null;
    this.showButtons();
    this.stage.redraw();
  }

  goOn() {
    const { panel } = this.held;
    this.stage.reportGrab(panel.key, [...panel.hand]);
    say(this.numbers, "The training goes on from here …");
  }

  showButtons() {
    for (const each of [this.go, this.undo, this.free]) each.disabled = !this.held?.panel.hand;
  }

  // The numbers of the panel that is held, else of the first that trains, for the picture that is shown.
  show() {
    const { scene, panels } = this.stage;
    const panel = this.held?.panel ?? panels.find(({ drawn, content }) => drawn && content.live && content.kind === "matrix");
    if (!panel) say(this.answer, "Nothing here trains by a matrix, so there is nothing to take hold of.");
    else say(this.answer, HELP);
    if (!panel || scene.samples > MANY) {
      say(this.numbers, panel ? `With more than ${MANY.toLocaleString("en")} points the numbers come when the training goes on.` : "");
      return;
    }
    const { Y, labels, content } = panel;
    if (!this.counting || this.counting.panel !== panel) {
      if (this.found?.panel === panel && same(this.found.Y, Y)) return;
      this.counting = { panel, numbers: new LocalNumbers({ Y, components: scene.components, labels, heldOut: scene.heldOut, unit: content.unit }) };
    }
    const { numbers } = this.counting;
    if (!numbers.work(performance.now() + SLICE)) return this.stage.stir();
    this.counting = null;
    this.found = { panel, Y: numbers.Y, means: means(numbers, labels, scene.heldOut) };
    say(this.numbers, this.sentence(panel));
    this.stage.stir(); // the picture may be another one already
  }

  sentence({ content }) {
    const now = this.found.means, first = this.held?.panel.hand ? this.held.first : null;
    const beside = (name, digits) => (first && Number.isFinite(first[name]) ? ` (${digits(first[name])} before)` : "");
    const two = (value) => value.toFixed(2);
    const fresh = Number.isFinite(now.new) ? `, 1-NN on held-out rows ${two(now.new)}${beside("new", two)}` : "";
    return `${content.title}: f/n ${two(now.p)}${beside("p", two)}, K̂ ${countOf(now.k)}${beside("k", countOf)}, 1-NN on training rows ${two(now.own)}${beside("own", two)}${fresh}.`;
  }
}

function dot(A, from, mu) {
  let sum = 0;
  for (let f = 0; f < mu.length; f++) sum += A[from + f] * mu[f];
  return sum;
}

function same(a, b) {
  return a.length === b.length && a.every((value, k) => value === b[k]);
}

function button(text, act) {
  const made = element("button", "", text);
  made.type = "button";
  made.onclick = act;
  return made;
}
