// One panel: a canvas with its points, a title, a foot with numbers, a bar of length 1.
import { blend } from "./projection.js";
import { Raster, depthOrder } from "./raster.js";
import { makeSprite, markerRadius } from "./palette.js";

export class Panel {
  constructor(index, stage) {
    this.index = index;
    this.stage = stage;
    this.root = element("section", "panel");
    this.heading = element("h3", "");
    this.frame = element("div", "frame");
    this.canvas = element("canvas", "");
    this.canvas.tabIndex = 0;
    this.overlay = element("div", "overlay");
    this.ring = element("div", "ring");
    this.ring.hidden = true;
    this.bar = element("div", "bar");
    this.barText = element("span", "");
    this.bar.append(this.barText);
    this.foot = element("div", "foot");
    this.remark = element("div", "remark");
    this.frame.append(this.canvas, this.overlay, this.ring, this.bar);
    this.root.append(this.heading, this.frame, this.foot, this.remark);
    this.raster = new Raster(this.canvas);
    this.extent = 0;
    this.marked = -1;
    this.dirty = true;
  }

  // A new scene, or other content for the same one.
  show(panel, scene) {
    this.panel = panel;
    const n = scene.samples;
    this.Y = new Float32Array(n * scene.components);
    this.xs = new Float32Array(n);
    this.ys = new Float32Array(n);
    this.zs = new Float32Array(n);
    this.visible = new Int32Array(n);
    this.order = new Int32Array(n);
    this.spriteIndex = new Int32Array(n);
    this.sorted = null;
    this.sprites = null;
    this.extent = 0;
    this.mark(-1);
    this.heading.textContent = panel.title;
    this.remark.textContent = panel.note;
    this.root.classList.toggle("hero", panel.live);
    this.canvas.setAttribute("aria-label", `${panel.title}: scatter plot of ${n} points`);
    this.showMetrics([]);
    this.dirty = true;
  }

  showMetrics(metrics) {
    this.foot.textContent = metrics.map(([name, value]) => `${name} ${value.toFixed(3)}`).join("   ");
  }

  resize() {
    const ratio = Math.min(window.devicePixelRatio || 1, 2);
    const width = Math.round(this.frame.clientWidth * ratio);
    const height = Math.round(this.frame.clientHeight * ratio);
    if (!width || !height) return;
    if (width !== this.raster.width || height !== this.raster.height) {
      this.raster.resize(width, height);
      this.sprites = null;
      this.dirty = true;
    }
    this.ratio = ratio;
  }

  // Bring Y to the player's place; true while the picture still moves by itself.
  update(seconds) {
    const { scene, projections, player } = this.stage;
    const around = this.panel.live ? player.around() : null;
    let target;
    // Another run's first snapshots may come before its scene, with a matrix of another size.
    if (around && around.from.A.length === this.panel.A.length) {
      const from = projections.of(around.from.A);
      const to = projections.of(around.to.A);
      blend(from.Y, to.Y, around.t, this.Y);
      target = Math.exp((1 - around.t) * Math.log(from.spread) + around.t * Math.log(to.spread));
    } else {
      const still = projections.of(this.panel.A);
      this.Y.set(still.Y);
      target = still.spread;
    }
    target *= scene.components === 3 ? 1.08 : 1.12;
    const step = this.extent ? Math.log(target / this.extent) : 0;
    const settled = !this.extent || Math.abs(step) < 0.002;
    this.extent = settled ? target : this.extent * Math.exp(step * (1 - Math.exp(-seconds / 0.2)));
    return !settled;
  }

  paint() {
    const { scene, hidden, selected, theme } = this.stage;
    const view = this.stage.views.of(this);
    const { width, height } = this.raster;
    if (!width) return;
    if (!this.sprites) this.makeSprites(scene, theme);
    const n = scene.samples;
    const { Y, xs, ys, zs, visible } = this;
    const half = Math.min(width, height) / 2;
    const scale = (half / this.extent) * view.zoom;
    const x0 = width / 2 + view.panX * half;
    const y0 = height / 2 - view.panY * half;
    const R = view.rotation;
    for (let i = 0; i < n; i++) {
      if (R) {
        const a = Y[3 * i], b = Y[3 * i + 1], c = Y[3 * i + 2];
        xs[i] = x0 + scale * (R[0] * a + R[1] * b + R[2] * c);
        ys[i] = y0 - scale * (R[3] * a + R[4] * b + R[5] * c);
        zs[i] = R[6] * a + R[7] * b + R[8] * c;
      } else {
        xs[i] = x0 + scale * Y[2 * i];
        ys[i] = y0 - scale * Y[2 * i + 1];
      }
    }
    if (this.sorted !== this.stage.choices) this.sortOut(scene, hidden, selected);
    const count = this.count;
    const index = this.spriteIndex;
    if (R) depthOrder(zs, visible, count, this.order, this.extent);
    this.raster.paint(xs, ys, R ? this.order : visible, count, this.sprites, index, theme.background);
    this.showBar(scale / this.ratio / scene.unit);
    if (this.marked >= 0) this.mark(this.marked); // the ring stays with its point while it moves
    this.dirty = false;
  }

  // Which points are seen, and as which sprite; only anew when classes are hidden or points selected.
  sortOut(scene, hidden, selected) {
    const n = scene.samples;
    this.count = 0;
    for (let i = 0; i < n; i++) {
      if (!hidden.has(scene.labels[i])) this.visible[this.count++] = i;
      const faded = selected.size > 0 && !selected.has(i) ? 1 : 0;
      this.spriteIndex[i] = 4 * (scene.labels[i] + 1) + 2 * scene.heldOut[i] + faded;
    }
    this.sorted = this.stage.choices;
  }

  makeSprites(scene, theme) {
    const classes = scene.classes.length;
    const radius = markerRadius(scene.samples, this.frame.clientWidth) * this.ratio;
    this.sprites = [];
    for (let label = -1; label < classes; label++) {
      for (const hollow of [false, true]) {
        for (const faded of [false, true]) {
          this.sprites.push(
            makeSprite({
              label, classes, ordered: scene.ordered, dark: theme.dark, radius, hollow, faded,
              background: theme.background,
            }),
          );
        }
      }
    }
  }

  // One unit of the projection as a bar; where that is too long or short to draw, a round number of units.
  showBar(pixelsPerUnit) {
    const wanted = 60 / pixelsPerUnit;
    const power = 10 ** Math.floor(Math.log10(wanted));
    const units = pixelsPerUnit > 12 && pixelsPerUnit < 160
      ? 1
      : [1, 2, 5, 10].map((m) => m * power).reduce((a, b) => (Math.abs(b - wanted) < Math.abs(a - wanted) ? b : a));
    this.bar.style.width = `${units * pixelsPerUnit}px`;
    this.barText.textContent = units >= 1e4 || units < 1e-3 ? units.toExponential(0) : String(Number(units.toPrecision(2)));
  }

  // The visible point nearest to a place in CSS pixels, or −1.
  nearest(x, y) {
    const { scene, hidden } = this.stage;
    const px = x * this.ratio, py = y * this.ratio;
    let best = -1, least = (12 * this.ratio) ** 2;
    for (let i = 0; i < scene.samples; i++) {
      const square = (this.xs[i] - px) ** 2 + (this.ys[i] - py) ** 2;
      if (square <= least && !hidden.has(scene.labels[i])) {
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

export function element(name, className, text = "") {
  const made = document.createElement(name);
  if (className) made.className = className;
  if (text) made.textContent = text;
  return made;
}
