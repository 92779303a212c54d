// One panel: a canvas with its points, a title, a foot with numbers, a scale bar; or why there is nothing to draw.
import { element, setText } from "./dom.js";
import { makeSprite, markerRadius } from "./palette.js";
import { blend, blended } from "./projection.js";
import { drawBox, DrawList, EDGES, edgesOf, Raster, spriteSheet } from "./raster.js";
import { counted, featureName, roundAbove } from "./text.js";

const LAYERS = 6, MOST_LAYERED = 60; // layers of depth in 3-D; classes up to which there are any
const IN_FRAME = ["overlay", "circle", "ring", "outside", "start", "turned", "reason"];
const BELOW = ["foot", "state", "remark"];

export class Panel {
  constructor(key, stage) {
    this.key = key;
    this.stage = stage;
    this.heading = element("h3");
    this.own = element("span", "own"); // numbers of the point that is looked at
    this.head = element("div", "head", this.heading, this.own);
    this.canvas = element("canvas", { tabIndex: 0, role: "img" });
    this.summary = element("p", { className: "unseen", id: `nca-summary-${key}` });
    this.canvas.setAttribute("aria-describedby", this.summary.id);
    for (const name of [...IN_FRAME, ...BELOW]) this[name] = element("div", name);
    this.circle.hidden = true;
    this.bar = new ScaleBar();
    this.axisNames = new AxisNames();
    const parts = (names) => names.map((name) => this[name]);
    this.frame = element("div", "frame", this.canvas, ...parts(IN_FRAME), this.axisNames.root, this.bar.root, this.summary);
    this.root = element("section", "panel", this.head, this.frame, ...parts(BELOW));
    this.raster = new Raster(this.canvas);
  }

  // A new scene, or other content for the same one. `hero`: the one panel that moves.
  show(content, scene, hero) {
    this.content = content;
    this.labels = content.labels ?? scene.labels;
    this.drawn = !content.problem;
    const n = this.drawn ? scene.samples : 0;
    this.Y = new Float32Array(n * scene.components);
    for (const name of ["xs", "ys", "zs"]) this[name] = new Float32Array(n); // pixels; the depths in units of Y
    this.visible = new Int32Array(n);
    this.list = new DrawList(n);
    this.spriteIndex = new Int32Array(n);
    this.sorted = this.sprites = null;
    this.extent = 0; // half the width in units of Y; 0 where it has to be fitted at once
    this.scale = 0; // pixels of the canvas for one unit of Y
    this.blended = null; // the frames that Y was computed from
    this.picture = 0; // grows when Y changes
    this.shownRun = undefined; // the run and the short run of the picture
    this.shades = this.waiting = undefined; // of the colouring
    this.manual = null; // A moved by hand replaces the history's
    this.dragging = false;
    this.mark(-1);
    this.heading.textContent = content.title;
    this.reason.textContent = content.problem;
    this.remark.textContent = content.note;
    this.root.classList.toggle("hero", hero);
    this.root.classList.toggle("problem", !this.drawn);
    for (const part of [this.canvas, this.bar.root]) part.hidden = !this.drawn;
    this.canvas.ariaLabel = `${content.title}: scatter plot of ${n} points`;
    setText(this.summary, "");
    setTitled(this.foot, "");
    this.dirty = true;
  }

  resize() {
    const ratio = Math.min(window.devicePixelRatio || 1, 2);
    const width = Math.round(this.frame.clientWidth * ratio);
    const height = Math.round(this.frame.clientHeight * ratio);
    if (!width || !height) return;
    if (this.raster.resize(width, height)) {
      this.sprites = null;
      this.dirty = true;
    }
    this.ratio = ratio;
  }

  // Of the canvas the half of the shorter side, in its pixels.
  get half() {
    return Math.min(this.raster.width, this.raster.height) / 2;
  }

  get history() {
    return this.content.live ? this.stage.player.histories.get(this.key) : undefined;
  }

  // The number of the run whose snapshots are shown; 0 is none.
  get run() {
    return this.history?.length ? this.history.run : 0;
  }

  // The two frames that the picture blends, and how far it is from the first to the second.
  get frames() {
    return this.manual ? [this.manual, this.manual, 0] : this.trainedFrames;
  }

  // The same of the training, whatever a hand does.
  get trainedFrames() {
    const { content, history, key, stage: { player } } = this;
    const shortRuns = player.shownShortRuns(key);
    const pair = shortRuns?.bracket(player.reducedMotion.matches) ?? history?.bracket(player.clock);
    // The first snapshots of another run may arrive before its scene, with a frame of another size.
    if (pair?.from.frame.length === content.frame.length) return [pair.from.frame, pair.to.frame, pair.t];
    return [content.frame, content.frame, 0];
  }

  // Whether it projects by a matrix, over these features.
  get projects() {
    return this.drawn && this.content.kind === "matrix";
  }

  get features() {
    return this.stage.scene.features[this.content.features];
  }

  nameOf(f) {
    return featureName(f, this.features, this.stage.scene.image_shape);
  }

  // A of the picture, row by row; null for coordinates.
  get matrix() {
    return this.projects ? blended(...this.frames) : null;
  }

  // What the sums over neighbours need of the picture.
  get points() {
    const { components, heldOut } = this.stage.scene;
    return { Y: this.Y, components, labels: this.labels, heldOut, unit: this.content.unit };
  }

  get stale() {
    return this.dirty || !this.extent || this.run !== this.shownRun?.[0] || !same(this.frames, this.blended);
  }

  // Bring Y to the player's position; true while the picture still moves by itself.
  update(seconds) {
    const { scene, projections, player } = this.stage;
    const shownRun = [this.run, player.shownShortRuns(this.key)?.number ?? 0];
    const anew = !same(shownRun, this.shownRun);
    if (anew) this.extent = 0;
    this.shownRun = shownRun;
    const { frames } = this;
    const [from, to] = frames.slice(0, 2).map((frame) => projections.of(frame, this.content));
    if (!same(frames, this.blended)) {
      blend(from.Y, to.Y, frames[2], this.Y);
      this.blended = frames;
      this.picture++;
    }
    if (this.dragging) return false; // the view stays as it is under a hand
    const t = anew ? 0 : frames[2]; // a scale that is held is that of the start
    const target = Math.exp((1 - t) * Math.log(from.spread) + t * Math.log(to.spread));
    return this.fit(target * (scene.components === 3 ? 1.08 : 1.12), seconds);
  }

  // What is shown follows the spread of the points, unless it is held; true while it still moves.
  fit(target, seconds) {
    if (this.extent && this.stage.sameScale) return false;
    const step = this.extent ? Math.log(target / this.extent) : 0;
    const settled = !this.extent || Math.abs(step) < 0.002 || this.stage.player.reducedMotion.matches;
    this.settled = settled;
    this.extent = settled ? target : this.extent * Math.exp(step * (1 - Math.exp(-seconds / 0.2)));
    return !settled;
  }

  paint() {
    const { scene, hidden, selected, theme } = this.stage;
    const view = this.stage.views.of(this);
    const { width, height } = this.raster;
    if (!width) return;
    this.stage.colouring.shade(this);
    if (!this.sprites) this.makeSprites(scene, theme);
    const { half } = this;
    const { points, extent, size, between } = this.stage.aligning.picture(this);
    this.depth = extent;
    const scale = (half / extent) * view.zoom;
    this.scale = scale * size;
    this.between = between; // the points are on their way to another panel, where distances mean nothing
    const R = view.rotation;
    if (R) this.turn(points, R, scale);
    else this.place(points, scale, width / 2 + view.panX * half, height / 2 - view.panY * half);
    if (this.sorted !== this.stage.choices) this.chooseSprites(scene.heldOut, hidden, selected);
    const { list, raster, sprites, count } = this;
    if (R) list.byDepth(this);
    else list.flat(this);
    raster.paint(list, sprites, theme.background, R && (() => drawBox(raster, R, half * view.zoom, theme)));
    this.axisNames.follow(this, between ? null : R, half * view.zoom);
    if (this.bar.root.hidden !== between) this.bar.root.hidden = between;
    // In a view that was zoomed or moved by hand it is no news; while the scale follows the points they come back.
    const plain = this.settled && view.zoom === 1 && !view.panX && !view.panY;
    const outside = this.stage.sameScale || plain ? count - list.count : 0;
    setText(this.outside, outside ? `${counted(outside, "point")} outside` : "");
    this.stage.spotlight.follow(this, true);
    this.stage.question?.painted?.(this);
    this.stage.forces?.painted(this);
    if (this.marked >= 0) this.mark(this.marked); // the ring stays with its point while it moves
    this.dirty = false;
  }

  place(Y, scale, x0, y0) {
    const { xs, ys } = this;
    for (let i = 0; i < xs.length; i++) {
      xs[i] = x0 + scale * Y[2 * i];
      ys[i] = y0 - scale * Y[2 * i + 1];
    }
  }

  // The same in three dimensions, by the rotation R; the depths stay in units of Y.
  turn(Y, R, scale) {
    const { xs, ys, zs } = this;
    const [r0, r1, r2, r3, r4, r5, r6, r7, r8] = R;
    const x0 = this.raster.width / 2, y0 = this.raster.height / 2;
    for (let i = 0, k = 0; i < xs.length; i++) {
      const a = Y[k++], b = Y[k++], c = Y[k++];
      xs[i] = x0 + scale * (r0 * a + r1 * b + r2 * c);
      ys[i] = y0 - scale * (r3 * a + r4 * b + r5 * c);
      zs[i] = r6 * a + r7 * b + r8 * c;
    }
  }

  // Which points are seen, and as which sprite; only anew when classes are hidden or points selected.
  chooseSprites(heldOut, hidden, selected) {
    const { labels } = this;
    const codes = this.shades?.codes ?? labels; // what the colours stand for
    this.count = 0;
    for (let i = 0; i < labels.length; i++) {
      if (!hidden.has(labels[i])) this.visible[this.count++] = i;
      const faded = selected.size > 0 && !selected.has(i) ? 1 : 0;
      this.spriteIndex[i] = 4 * (codes[i] + 1) + 2 * heldOut[i] + faded;
    }
    this.sorted = this.stage.choices;
  }

  makeSprites(scene, { dark, background }) {
    const { classes, ordered } = this.shades ?? { classes: scene.classes.length, ordered: scene.ordered };
    const { width } = this.raster;
    const usual = markerRadius(scene.samples, (2 * this.half) / this.ratio) * this.ratio;
    const sprites = [];
    // In 3-D what is far is smaller and paler; so many layers of depth, where there are not too many classes.
    const layers = scene.components === 3 && classes <= MOST_LAYERED ? LAYERS : 1;
    for (let layer = 0; layer < layers; layer++) {
      const near = layers > 1 ? layer / (layers - 1) : 1;
      const radius = usual * (layers > 1 ? 0.78 + 0.34 * near : 1), pale = 0.5 * (1 - near);
      for (let label = -1; label < classes; label++) {
        for (const kind of [0, 1, 2, 3]) {
          const hollow = kind > 1, faded = kind % 2 > 0;
          sprites.push(makeSprite({ label, classes, ordered, dark, radius, hollow, faded, background, width, pale }));
        }
      }
    }
    this.layers = { count: layers, sprites: sprites.length / layers };
    this.sprites = spriteSheet(sprites);
  }

  // The visible point nearest to a place in CSS pixels and not farther from it, or −1.
  nearest(x, y, farthest = 12) {
    const { hidden } = this.stage;
    const px = x * this.ratio, py = y * this.ratio;
    let best = -1, least = (farthest * this.ratio) ** 2;
    for (let i = 0; i < this.xs.length; i++) {
      const square = (this.xs[i] - px) ** 2 + (this.ys[i] - py) ** 2;
      if (square <= least && !hidden.has(this.labels[i])) {
        best = i;
        least = square;
      }
    }
    return best;
  }

  mark(i) {
    this.marked = i;
    this.ring.hidden = i < 0;
    if (i >= 0) this.ring.style.transform = `translate(${this.xs[i] / this.ratio}px, ${this.ys[i] / this.ratio}px)`;
  }
}

// Where there is no room for it all, a pointer shows it.
export function setTitled(place, text) {
  setText(place, text);
  if (place.title !== text) place.title = text;
}

function same(a, b) {
  return Boolean(b) && a.every((value, k) => value === b[k]);
}

// One unit of the projection as a bar; where that is too long or too short to draw, a round number of units.

const SHORTEST = 40, LONGEST = 120; // pixels
const DRAWN = 100, END = 1.5; // pixels of the line and of the mark at its end, see stage.css

class ScaleBar {
  constructor() {
    this.length = -Infinity;
    this.line = element("div", "length");
    this.end = element("div");
    this.text = element("span");
    this.root = element("div", "bar", element("div", "rule", this.line, element("div"), this.end), this.text);
  }

  show(pixelsPerUnit) {
    const least = SHORTEST / pixelsPerUnit;
    const units = least <= 1 && pixelsPerUnit <= LONGEST ? 1 : roundAbove(least);
    const length = units * pixelsPerUnit;
    if (Math.abs(length - this.length) >= 0.05) {
      this.length = length;
      this.line.style.transform = `scaleX(${length / DRAWN})`; // a width would lay out the page anew in every frame
      this.end.style.transform = `translateX(${length - END}px)`;
    }
    const number = units >= 1e4 || units < 1e-3 ? units.toExponential(0) : String(Number(units.toPrecision(2)));
    setText(this.text, `${number} ${units === 1 ? "unit" : "units"}`);
  }
}

// Names of features at the edges of the box in 3-D, where each axis of the picture is one feature.

const AXES = [0, 1, 2];
const APART = 14; // pixels from an edge to its name

class AxisNames {
  constructor() {
    this.texts = AXES.map(() => element("span"));
    this.root = element("div", { className: "axis-names", hidden: true }, ...this.texts);
  }

  // R: the rotation of the box, null in 2-D; half: what half the picture shows, in pixels of the canvas.
  follow(panel, R, half) {
    const features = R && !panel.turned.textContent ? featuresOf(panel) : null;
    this.root.hidden = !features;
    if (!features) return;
    const { raster: { width, height }, ratio } = panel;
    const middles = edgesOf(R, half, width, height).map((ends) => [0, 1].map((k) => (ends[0][k] + ends[1][k]) / 2));
    // From the middle, from which opposite edges are equally far.
    const outside = ([x, y]) => Math.hypot(x - width / 2, y - height / 2) + 0.01 * (y - height / 2 - x + width / 2);
    for (const axis of AXES) {
      const along = middles.filter((_, k) => (EDGES[k][0] ^ EDGES[k][1]) === 1 << axis);
      // Of the four edges along an axis one on the rim, below or at the left of the points.
      const [x, y] = along.reduce((a, b) => (outside(b) > outside(a) ? b : a));
      const [u, v] = [x - width / 2, y - height / 2], length = Math.hypot(u, v) || 1;
      const place = [x, y].map((value, k) => value / ratio + (APART * [u, v][k]) / length);
      setText(this.texts[axis], panel.nameOf(features[axis]));
      this.texts[axis].style.transform = `translate(${place[0]}px, ${place[1]}px) translate(-50%, -50%)`;
    }
  }
}

// The features that the axes are; null where an axis mixes several or the panel has no matrix.
function featuresOf(panel) {
  const A = panel.matrix, { columns } = panel.projects ? panel.features : {};
  if (!A) return null;
  const found = AXES.map((axis) => {
    const used = [...Array(columns).keys()].filter((f) => A[axis * columns + f] !== 0);
    return used.length === 1 ? used[0] : -1;
  });
  return found.includes(-1) ? null : found;
}
