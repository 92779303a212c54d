// One panel: a canvas with its points, a title, a foot with numbers, a scale bar; or why there is nothing to draw.
import { blend } from "./projection.js";
import { drawBox } from "./box.js";
import { dotSheet, Dots } from "./dots.js";
import { element } from "./element.js";
import { DrawList, Raster, spriteSheet } from "./raster.js";
import { makeSprite, markerRadius } from "./palette.js";
import { ScaleBar } from "./scale_bar.js";

export { element };

const LAYERS = 6, MOST_LAYERED = 60;

export class Panel {
  constructor(key, stage) {
    this.key = key;
    this.stage = stage;
    this.root = element("section", "panel");
    this.head = element("div", "head");
    this.heading = element("h3", "");
    this.own = element("span", "own"); // numbers of the point that is looked at
    this.head.append(this.heading, this.own);
    this.frame = element("div", "frame");
    this.canvas = element("canvas", "");
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute("role", "img");
    this.summary = element("p", "unseen");
    this.summary.id = `nca-summary-${key}`;
    this.canvas.setAttribute("aria-describedby", this.summary.id);
    this.overlay = element("div", "overlay");
    this.ring = element("div", "ring");
    this.ring.hidden = true;
    this.circle = element("div", "circle");
    this.circle.hidden = true;
    this.outside = element("div", "outside");
    this.start = element("div", "start-shown");
    this.bar = new ScaleBar();
    this.reason = element("p", "reason");
    this.foot = element("div", "foot");
    this.status = element("div", "state");
    this.remark = element("div", "remark");
    this.frame.append(
      this.canvas, this.overlay, this.circle, this.ring, this.bar.root, this.outside, this.start, this.reason,
      this.summary,
    );
    this.root.append(this.head, this.frame, this.foot, this.status, this.remark);
    this.raster = new Raster(this.canvas);
    this.dots = new Dots(this.raster);
    this.extent = 0; // what the half width shows, in units of Y; 0 where it has to be fitted at once
    this.scale = 0; // pixels of the canvas for one unit of Y
    this.marked = -1;
    this.dirty = true;
  }

  // A new scene, or other content for the same one. `hero`: the one panel that moves.
  show(content, scene, hero) {
    this.content = content;
    this.labels = content.labels ?? scene.labels;
    this.drawn = !content.problem;
    const n = this.drawn ? scene.samples : 0;
    this.Y = new Float32Array(n * scene.components);
    this.xs = new Float32Array(n);
    this.ys = new Float32Array(n);
    this.zs = new Float32Array(n);
    this.visible = new Int32Array(n);
    this.list = new DrawList(n);
    this.spriteIndex = new Int32Array(n);
    this.sorted = null;
    this.sprites = null;
    this.extent = this.scale = 0;
    this.drawnRun = undefined; // the first picture is of no other run
    this.drawnStart = 0; // number of the short run that is shown
    this.shades = this.waiting = undefined; // of the colouring
    this.hand = null; // A as somebody moves it, in the place of the history's
    this.holding = false;
    this.drawnAt = NaN; // the time of the player's clock
    this.mark(-1);
    this.heading.textContent = content.title;
    this.reason.textContent = content.problem;
    this.remark.textContent = content.note;
    this.root.classList.toggle("hero", hero);
    this.root.classList.toggle("problem", !this.drawn);
    for (const part of [this.canvas, this.bar.root]) part.hidden = !this.drawn;
    this.canvas.setAttribute("aria-label", `${content.title}: scatter plot of ${n} points`);
    this.showSummary("");
    this.showMetrics([]);
    this.dirty = true;
  }

  showSummary(text) {
    if (this.summary.textContent !== text) this.summary.textContent = text;
  }

  showMetrics(metrics) {
    const measured = metrics.filter(([, value]) => !Number.isNaN(value));
    const text = measured.map(([name, value, digits = 3]) => `${name}\u00a0${value.toFixed(digits)}`).join("   ");
    if (this.foot.textContent !== text) this.foot.textContent = this.foot.title = text;
  }

  // Which of several starts is shown, while a short run from it is.
  showStart(text) {
    if (this.start.textContent !== text) this.start.textContent = text;
  }

  showState(text) {
    if (this.status.textContent !== text) this.status.textContent = this.status.title = text;
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

  get history() {
    return this.content.live ? this.stage.player.histories.get(this.key) : undefined;
  }

  // The number of the run whose snapshots are shown; 0 is none.
  get run() {
    return this.history?.length ? this.history.run : 0;
  }

  // Whether the picture has to be painted anew.
  get stale() {
    const { history } = this;
    if (this.dirty || !this.extent || this.run !== this.drawnRun || this.stage.player.looking(this.key)) return true;
    return Boolean(history?.length) && history.at !== this.drawnAt;
  }

  // Bring Y to the player's place; true while the picture still moves by itself.
  update(seconds) {
    const { scene, projections, player } = this.stage;
    const { history } = this;
    const looking = player.looking(this.key);
    const around = looking ? looking.around(player.calm.matches) : history?.around(player.clock);
    const start = looking?.number ?? 0;
    // Another run, or back to the start; another start.
    const anew = this.run !== this.drawnRun || start !== this.drawnStart;
    if (anew) this.extent = 0;
    this.drawnRun = this.run;
    this.drawnStart = start;
    this.drawnAt = around ? history.at : NaN;
    let target;
    if (this.hand) {
      const moved = projections.of(this.hand, this.content);
      this.Y.set(moved.Y);
      if (this.holding) return false; // the view stays as it is under a hand
      target = moved.spread;
    }
    // Another run's first snapshots may come before its scene, with a frame of another size.
    else if (around && around.from.frame.length === this.content.frame.length) {
      const from = projections.of(around.from.frame, this.content);
      const to = projections.of(around.to.frame, this.content);
      blend(from.Y, to.Y, around.t, this.Y);
      const t = anew ? 0 : around.t; // a scale that is held is that of the start
      target = Math.exp((1 - t) * Math.log(from.spread) + t * Math.log(to.spread));
    } else {
      const still = projections.of(this.content.frame, this.content);
      this.Y.set(still.Y);
      target = still.spread;
    }
    return this.fit(target * (scene.components === 3 ? 1.08 : 1.12), seconds);
  }

  // What is shown follows the spread of the points, unless it is held; true while it still moves.
  fit(target, seconds) {
    if (this.extent && this.stage.sameScale) return false;
    const step = this.extent ? Math.log(target / this.extent) : 0;
    const settled = !this.extent || Math.abs(step) < 0.002 || this.stage.player.calm.matches;
    this.extent = settled ? target : this.extent * Math.exp(step * (1 - Math.exp(-seconds / 0.2)));
    return !settled;
  }

  // Fit what is shown at once, though it be held.
  refit() {
    this.extent = 0;
    this.dirty = true;
  }

  paint() {
    const { scene, hidden, selected, theme } = this.stage;
    const view = this.stage.views.of(this);
    const { width, height } = this.raster;
    if (!width) return;
    this.stage.colouring.shade(this);
    if (!this.sprites) this.makeSprites(scene, theme);
    const half = Math.min(width, height) / 2;
    const { points, extent, size, between } = this.stage.aligning.picture(this);
    const scale = (half / extent) * view.zoom;
    this.scale = scale * size;
    this.between = between; // the points stand on their way to another panel, where no distance says anything
    const R = view.rotation;
    if (R) this.turn(points, R, scale);
    else this.place(points, scale, width / 2 + view.panX * half, height / 2 - view.panY * half);
    if (this.sorted !== this.stage.choices) this.sortOut(scene.heldOut, hidden, selected);
    const seen = this.paintPoints(extent, theme.background, R, R && (() => drawBox(this.raster, R, half * view.zoom, theme)));
    if (this.bar.root.hidden !== between) this.bar.root.hidden = between;
    this.showOutside(this.stage.sameScale ? this.count - seen : 0);
    this.stage.spotlight.follow(this, true);
    this.stage.question.painted(this);
    if (this.marked >= 0) this.mark(this.marked); // the ring stays with its point while it moves
    this.dirty = false;
  }

  // How many points are seen.
  paintPoints(extent, background, R, beneath) {
    const { xs, ys, zs, visible, count, spriteIndex, list, raster, dots, tiny, sprites, layers } = this;
    if (tiny && R) return dots.byDepth(xs, ys, zs, extent, visible, count, spriteIndex, layers, tiny, background, beneath);
    if (tiny) return dots.flat(xs, ys, visible, count, spriteIndex, tiny, background);
    if (R) list.byDepth(xs, ys, zs, extent, visible, count, spriteIndex, raster, sprites.reach, layers);
    else list.flat(xs, ys, visible, count, spriteIndex, raster, sprites.reach);
    raster.paint(list, sprites, background, beneath);
    return list.count;
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
  sortOut(heldOut, hidden, selected) {
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

  makeSprites(scene, theme) {
    const { classes, ordered } = this.shades ?? { classes: scene.classes.length, ordered: scene.ordered };
    const radius = markerRadius(scene.samples, Math.min(this.raster.width, this.raster.height) / this.ratio) * this.ratio;
    const sprites = [];
    // In 3-D what is far is smaller and paler; so many layers of depth, where there are not too many classes.
    const layers = scene.components === 3 && classes <= MOST_LAYERED ? LAYERS : 1;
    for (let layer = 0; layer < layers; layer++) {
      const near = layers > 1 ? layer / (layers - 1) : 1;
      for (let label = -1; label < classes; label++) {
        for (const hollow of [false, true]) {
          for (const faded of [false, true]) {
            sprites.push(
              makeSprite({
                label, classes, ordered, dark: theme.dark, radius: radius * (layers > 1 ? 0.78 + 0.34 * near : 1), hollow,
                faded, background: theme.background, width: this.raster.width, pale: 0.5 * (1 - near),
              }),
            );
          }
        }
      }
    }
    this.layers = { count: layers, sprites: sprites.length / layers };
    this.sprites = spriteSheet(sprites);
    this.tiny = dotSheet(sprites);
  }

  showScale() {
    if (this.scale) this.bar.show(this.scale / this.ratio / this.content.unit);
  }

  showOutside(points) {
    const text = points ? `${points.toLocaleString("en")} ${points === 1 ? "point" : "points"} outside` : "";
    if (this.outside.textContent !== text) this.outside.textContent = text;
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
