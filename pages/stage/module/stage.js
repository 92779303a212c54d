// The stage: panels side by side, legend, player and curves. It needs an element to live in and where to get its
// scene and its feed; of the page around it it knows nothing.
import { Curves } from "./curves.js";
import { HoverCard } from "./hovercard.js";
import { listen } from "./interaction.js";
import { buildLegend } from "./legend.js";
import { Panel, element } from "./panel.js";
import { Player } from "./player.js";
import { Projections } from "./projection.js";
import { readTheme } from "./theme.js";
import { Toolbar } from "./toolbar.js";
import { Views } from "./views.js";

const MOST_REPORTED = 5000;
const REST = 30; // milliseconds that drawing the curves may wait for the next picture

export class Stage {
  constructor(root, { report = () => {}, settled = () => {} } = {}) {
    Object.assign(this, { root, report, settled });
    this.player = new Player();
    this.hidden = new Set();
    this.selected = new Set();
    this.choices = {};
    this.views = new Views();
    this.selecting = ""; // "lasso" or "box" while a drag selects
    this.statusText = "";
    this.state = { state: "none" };
    this.theme = readTheme(root);
    this.toolbar = new Toolbar(this);
    this.curves = new Curves(this);
    this.card = new HoverCard(this);
    this.note = element("p", "note");
    this.row = element("div", "panels");
    this.legendPlace = element("div", "");
    root.replaceChildren(
      this.toolbar.readout, this.note, this.row, this.legendPlace, this.toolbar.root, this.curves.root, this.card.root,
    );
    root.addEventListener("keydown", (event) => this.key(event));
    this.panels = [];
    this.watcher = new ResizeObserver(() => this.resized());
    this.watcher.observe(root);
    this.awake = true;
    this.before = performance.now();
    this.curvesPainted = 0;
    this.tick = this.tick.bind(this);
    this.ticking = requestAnimationFrame(this.tick);
  }

  end() {
    this.awake = false;
    cancelAnimationFrame(this.ticking);
    this.watcher.disconnect();
    this.feed?.close();
  }

  showScene(scene) {
    const other = !this.scene || this.scene.classes.join("\0") !== scene.classes.join("\0");
    this.scene = scene;
    this.projections = new Projections(scene);
    this.selected.clear();
    if (other) this.hidden.clear();
    this.views.fit(scene.components);
    while (this.panels.length < scene.panels.length) {
      const panel = new Panel(this.panels.length, this);
      listen(panel, this);
      this.panels.push(panel);
    }
    this.panels.length = scene.panels.length;
    this.row.replaceChildren(...this.panels.map((panel) => panel.root));
    this.panels.forEach((panel, index) => panel.show(scene.panels[index], scene));
    this.note.textContent = scene.note;
    this.legendPlace.replaceChildren(buildLegend(this));
    this.card.show(-1);
    this.resized();
  }

  // Another run begins (or none): its history starts empty, view, hidden classes and selection stay.
  newRun() {
    this.player.reset();
    this.redraw();
  }

  addSnapshots(snapshots) {
    this.player.add(snapshots);
    this.stir();
  }

  setState(state) {
    const before = this.state;
    this.state = state;
    this.statusText = describe(state);
    if (state.state !== before.state || state.run !== before.run) this.settled(state);
    this.stir();
  }

  setLink(link) {
    if (link === "gone") this.statusText = "This run is no longer on the server. Reload the page.";
    else if (link === "lost") this.statusText = "Connection lost, connecting again …";
    else this.statusText = describe(this.state);
    this.stir();
  }

  // -- what people do

  seek(position) {
    this.player.seek(position);
    this.stir();
  }

  togglePlay() {
    this.player.toggle();
    this.stir();
  }

  follow() {
    this.player.toNewest();
    this.stir();
  }

  // All panels, or one of them that goes alone.
  resetView(panel = null) {
    this.views.reset(panel);
    this.viewChanged();
  }

  toggleLinked() {
    this.views.toggle();
    this.toolbar.linked.setAttribute("aria-pressed", String(this.views.linked));
    this.viewChanged();
  }

  viewChanged(panel = null) {
    this.views.last = panel ?? this.views.last;
    this.card.show(-1);
    for (const other of this.panels) other.mark(-1);
    this.redraw();
  }

  // A second press on the same way of selecting ends it.
  toggleSelecting(way) {
    this.selecting = this.selecting === way ? "" : way;
    for (const name of ["lasso", "box"]) {
      this.toolbar[name].setAttribute("aria-pressed", String(this.selecting === name));
    }
    this.root.classList.toggle("selecting", this.selecting !== "");
  }

  select(indices) {
    this.selected = new Set(indices);
    this.report(indices.slice(0, MOST_REPORTED), indices.length);
    this.chosen();
  }

  hover(panel, i, x = 0, y = 0) {
    for (const other of this.panels) other.mark(i);
    const box = panel.canvas.getBoundingClientRect();
    this.card.show(i, box.left + x, box.top + y);
  }

  key(event) {
    if (event.key === "Escape" && this.selected.size) this.select([]);
    else if (event.key === " " && event.target.tagName === "CANVAS") this.togglePlay();
    else return;
    event.preventDefault();
  }

  // -- drawing

  resized() {
    for (const panel of this.panels) panel.resize();
    this.redraw();
  }

  // Classes were hidden or shown, or points selected.
  chosen() {
    this.choices = {};
    this.redraw();
  }

  redraw() {
    for (const panel of this.panels) panel.dirty = true;
    this.stir();
  }

  stir() {
    this.stirred = true;
  }

  tick(time) {
    if (!this.awake) return;
    this.ticking = requestAnimationFrame(this.tick);
    const seconds = Math.min(0.1, Math.max(0, (time - this.before) / 1000));
    this.before = time;
    if (!this.scene) return;
    const theme = readTheme(this.root);
    if (theme.name !== this.theme.name) this.rethemed(theme);
    const moved = this.player.advance(seconds);
    if (!moved && !this.stirred) return;
    this.stirred = false;
    for (const panel of this.panels) {
      if (!panel.dirty && !(panel.panel.live && this.player.snapshots.length) && panel.extent) continue;
      if (panel.update(seconds)) {
        panel.dirty = true;
        this.stirred = true;
      }
      panel.paint();
    }
    this.toolbar.show();
    // While the projection moves, charts and numbers may be a little slower than the points.
    if (time - this.curvesPainted > REST || !moved) {
      this.curvesPainted = time;
      this.curves.paint();
      this.showNumbers();
    } else this.stirred = true;
  }

  showNumbers() {
    const at = this.player.current;
    for (const panel of this.panels) {
      if (!panel.panel.live) continue;
      panel.showMetrics(at ? [["1-NN", at.accuracy_1nn], ["K̂-NN", at.accuracy_knn]] : []);
    }
  }

  rethemed(theme) {
    this.theme = theme;
    for (const panel of this.panels) panel.sprites = null;
    this.legendPlace.replaceChildren(buildLegend(this));
    this.redraw();
  }
}

function describe({ state, queue, reason }) {
  if (state === "running") return "training";
  if (state === "waiting") return queue ? `waiting: number ${queue} in the queue` : "waiting";
  if (state === "paused") return "paused";
  if (state === "ended") return reason;
  return "";
}
