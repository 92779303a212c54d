// The stage: panels side by side, legend, player and curves. It needs an element to live in and where to get its
// scene and its feed; of the page around it it knows nothing.
import { Curves } from "./curves.js";
import { Feed } from "./feed.js";
import { HoverCard } from "./hovercard.js";
import { listen } from "./interaction.js";
import { buildLegend } from "./legend.js";
import { Panel, element } from "./panel.js";
import { Player } from "./player.js";
import { Projections } from "./projection.js";
import { readTheme } from "./theme.js";
import { Toolbar } from "./toolbar.js";
import { View } from "./view.js";
import { decodeScene } from "./wire.js";

const MOST_REPORTED = 5000;
const REST = 30; // milliseconds that drawing the curves may wait for the next picture

export class Stage {
  constructor(root, { report = () => {}, settled = () => {} } = {}) {
    Object.assign(this, { root, report, settled });
    this.player = new Player();
    this.hidden = new Set();
    this.selected = new Set();
    this.choices = {};
    this.lassoing = false;
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
    if (!this.view || this.view.components !== scene.components) this.view = new View(scene.components);
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

  resetView() {
    this.view.reset();
    this.viewChanged();
  }

  viewChanged() {
    this.card.show(-1);
    for (const panel of this.panels) panel.mark(-1);
    this.redraw();
  }

  toggleLasso() {
    this.lassoing = !this.lassoing;
    this.toolbar.lasso.setAttribute("aria-pressed", String(this.lassoing));
    this.root.classList.toggle("lassoing", this.lassoing);
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
      panel.showMetrics(at ? [["1-NN", at.accuracy_1nn], ["K̂-NN", at.accuracy_knn]] : panel.panel.metrics);
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

// -- in Streamlit's component: the same element keeps its stage through every rerun

const stages = new WeakMap();

export function mount(root, component) {
  const { data } = component;
  let held = stages.get(root);
  if (!held) {
    addStyle(root, data);
    held = { stage: new Stage(root), scene: 0, run: -1 };
    stages.set(root, held);
  }
  const { stage } = held;
  held.known = data.known;
  stage.report = (indices, total) => component.setStateValue("selection", { scene: data.scene, indices, total });
  stage.settled = (state) => {
    const news = state.state !== held.known && ["ended", "paused", "running"].includes(state.state);
    held.known = state.state;
    if (news && state.run === data.run) component.setTriggerValue("settled", `${state.run}:${state.state}`);
  };
  if (held.token !== data.token || held.scene !== data.scene) showScene(held, data);
  if (held.token !== data.token || held.run !== data.run) showRun(held, data);
  held.token = data.token;
}

export function unmount(root) {
  stages.get(root)?.stage.end();
  stages.delete(root);
}

function addStyle(root, { base, version }) {
  const link = element("link", "");
  Object.assign(link, { rel: "stylesheet", href: `${base}/module/${version}/stage.css` });
  root.parentNode.insertBefore(link, root);
}

async function showScene(held, { base, token, scene }) {
  held.scene = scene;
  const answer = await fetch(`${base}/${token}/scene/${scene}`);
  if (held.scene !== scene) return;
  if (answer.ok) held.stage.showScene(decodeScene(await answer.arrayBuffer()));
  else held.stage.setLink("gone");
}

function showRun(held, { base, token, run }) {
  held.run = run;
  const { stage } = held;
  stage.feed?.close();
  stage.newRun();
  const address = new URL(`${base}/${token}/live`, document.baseURI);
  address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
  stage.feed = new Feed(address.href, {
    received: () => stage.player.snapshots.length,
    onSnapshots: (snapshots) => stage.addSnapshots(snapshots),
    onState: (state) => stage.setState(state),
    onLink: (link) => stage.setLink(link),
  });
}
