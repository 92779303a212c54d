// The stage: panels side by side, legend, player and curves. It needs an element to live in; whoever holds it hands it
// scenes, snapshots and the states of the runs. Of the page around it it knows nothing.
import { Aligning } from "./aligning.js";
import { Beside } from "./beside.js";
import { showInks } from "./captions.js";
import { ChosenRows } from "./chosen_rows.js";
import { Colouring } from "./colouring.js";
import { Curves } from "./curves.js";
import { arrange } from "./grid.js";
import { HoverCard } from "./hovercard.js";
import { Hints } from "./hints.js";
import { listen, typing } from "./interaction.js";
import { buildLegend } from "./legend.js";
import { Machine } from "./machine.js";
import { principalRotation } from "./opening.js";
import { Panel, element } from "./panel.js";
import { Player } from "./player.js";
import { Question } from "./question.js";
import { Projections } from "./projection.js";
import { Spotlight } from "./spotlight.js";
import { Story } from "./story.js";
import { describeAll, describeLink } from "./status.js";
import { dress, readTheme } from "./theme.js";
import { Toolbar } from "./toolbar.js";
import { Views } from "./views.js";

const MOST_REPORTED = 5000;
const THEME_EVERY = 200; // milliseconds
const PRESS_TRAIN = "Press Train: all panels train side by side.";

export class Stage {
  // `compares`: there is a way to turn panels onto one another, and `ask` is told what else to make of an iteration.
  constructor(root, { compares = false, ...told } = {}) {
    const nobody = { report() {}, reportPoint() {}, reportGrab() {}, settled() {}, rested() {}, ask() {} }; // who is told
    Object.assign(this, { root, compares, without: new Set(), ...nobody, ...told }); // `without`: some of NUMBERS
    this.player = new Player();
    this.hidden = new Set();
    this.selected = new Set();
    this.choices = {};
    this.views = new Views();
    this.sameScale = false; // what a panel shows is held, so that points fly apart as A grows
    this.spotlight = new Spotlight(this);
    this.hints = new Hints();
    this.selecting = ""; // "lasso" or "box" while a drag selects
    this.statusText = "";
    this.runs = {}; // the state of each run by its panel's key
    this.link = "open";
    this.live = []; // the panels that move
    this.best = null; // { panel, snapshot } with the best held-out accuracy
    this.theme = readTheme(root);
    this.panels = [];
    dress(root, this.theme);
    this.toolbar = new Toolbar(this);
    this.aligning = new Aligning(this);
    this.machine = compares ? new Machine(this, (...wish) => this.ask(...wish)) : null;
    if (compares) this.toolbar.readout.insertBefore(this.aligning.root, this.toolbar.numbers);
    this.curves = new Curves(this);
    this.story = new Story(this);
    this.chosenRows = new ChosenRows(this);
    this.card = new HoverCard(this);
    this.question = new Question(this);
    this.colouring = new Colouring(this);
    this.note = element("p", "note");
    this.thinned = element("p", "note thinned");
    this.row = element("div", "panels");
    this.legendPlace = element("div", "legend-place");
    root.replaceChildren(
      this.toolbar.readout, this.note, this.row, this.legendPlace, this.toolbar.root, this.question.root,
      this.story.root, this.chosenRows.root, this.thinned, this.curves.root, this.card.root,
    );
    root.addEventListener("keydown", (event) => this.key(event));
    this.onEscape = (event) => event.key === "Escape" && !event.defaultPrevented && !typing(event) && this.letGo();
    root.ownerDocument.addEventListener("keydown", this.onEscape);
    this.watcher = new ResizeObserver(() => this.resized());
    this.watcher.observe(root);
    this.awake = true;
    this.before = performance.now();
    this.beside = new Beside(this);
    this.tick = this.tick.bind(this);
    this.ticking = requestAnimationFrame(this.tick);
  }

  end() {
    this.awake = false;
    cancelAnimationFrame(this.ticking);
    this.watcher.disconnect();
    this.curves.end();
    this.root.ownerDocument.removeEventListener("keydown", this.onEscape);
  }

  showScene(scene) {
    const other = !this.scene || this.scene.classes.join("\0") !== scene.classes.join("\0");
    this.scene = scene;
    this.projections = new Projections(scene);
    this.selected.clear();
    if (other) this.hidden.clear();
    this.views.fit(scene.components, this.facing());
    const before = new Map(this.panels.map((panel) => [panel.key, panel]));
    const moving = scene.panels.filter((panel) => panel.live && !panel.problem);
    this.panels = scene.panels.map(({ key }) => before.get(key) ?? this.newPanel(key));
    arrange(this.row, this.panels);
    this.panels.forEach((panel, index) => {
      const content = scene.panels[index];
      panel.show(content, scene, moving.length === 1 && content === moving[0]);
    });
    this.live = this.panels.filter((panel) => moving.includes(panel.content));
    this.player.showPanels(moving);
    this.aligning.showPanels();
    this.machine?.showPanels();
    showInks(this);
    this.hints.offerTurning(this.panels, scene.components);
    this.statusText = this.describe();
    this.note.textContent = scene.note;
    this.colouring.fit(scene);
    this.showLegend();
    this.hover(null, -1);
    this.chosenRows.show();
    this.spotlight.forget();
    this.resized();
  }

  showLegend() {
    this.legendPlace.replaceChildren(this.colouring.root, buildLegend(this), this.spotlight.legend);
    this.colouring.showKey();
  }

  // The rotation that shows most of a 3-D scene: of the start of the panel that moves, else of the first one.
  facing() {
    const { panels, components } = this.scene;
    const panel = panels.find((each) => each.live && each.frame) ?? panels.find((each) => each.frame);
    return components === 3 && panel ? principalRotation(this.projections.of(panel.frame, panel).Y) : null;
  }

  newPanel(key) {
    const panel = new Panel(key, this);
    listen(panel, this);
    return panel;
  }

  // The histories go; view, hidden classes and selection stay.
  forgetRuns() {
    this.runs = {};
    this.setRuns({});
  }

  // A message of the live socket: the panel's index in the scene that is shown, the run's number, its next snapshots.
  addSnapshots({ panel, run, shortRun, snapshots }) {
    const { key } = this.scene.panels[panel];
    this.player.add(key, run, snapshots, shortRun);
    this.stir();
  }

  // The states of all runs by their panel's key; another run's history starts empty.
  setRuns(runs) {
    if (this.live.some(({ key }) => this.runs[key] && !runs[key])) { // back to the start
      this.views.recentre(this.panels);
      this.redraw();
    }
    this.runs = runs;
    for (const { key } of this.live) this.player.begin(key, runs[key]?.run ?? 0);
    this.statusText = this.describe();
    this.toolbar.showStatus(); // at once: somebody may have pressed a button
    this.settled(runs);
    this.stir();
  }

  setLink(link) {
    this.link = link;
    this.statusText = this.describe();
    this.toolbar.showStatus(); // also where there is no scene yet
  }

  describe() {
    const said = describeAll(this.live.map(({ key }) => key), this.runs);
    const jumps = said && this.player.calm.matches ? " (reduced motion: pictures jump)" : "";
    const idle = this.compares && this.live.length && !this.live.some(({ key }) => this.runs[key]);
    return describeLink(this.link) || (idle ? PRESS_TRAIN : said + jumps);
  }

  // -- what people do

  seek(position) {
    this.player.seek(position);
    this.stir();
  }

  step(by) {
    this.player.step(by);
    this.stir();
  }

  useClock(clock) {
    this.player.useClock(clock);
    this.redraw();
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
    for (const each of panel && !this.views.linked ? [panel] : this.panels) each.refit();
    this.viewChanged();
  }

  // From here on each panel keeps what it shows now; without it the view is fitted to every picture.
  toggleSameScale() {
    this.sameScale = !this.sameScale;
    this.toolbar.same.setAttribute("aria-pressed", String(this.sameScale));
    this.redraw();
  }

  toggleLinked() {
    this.views.toggle();
    this.toolbar.linked.setAttribute("aria-pressed", String(this.views.linked));
    this.viewChanged();
  }

  viewChanged(panel = null) {
    this.views.last = panel ?? this.views.last;
    this.hover(null, -1);
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
    this.spotlight.hover(i);
    if (i < 0) this.card.hide();
    else this.card.show(panel, i, x, y);
  }

  press(panel, i) {
    this.spotlight.press(i);
  }

  key(event) {
    if (event.key !== " " || event.target.tagName !== "CANVAS") return;
    this.togglePlay();
    event.preventDefault();
  }

  // Nothing is selected or pinned any more.
  letGo() {
    this.spotlight.clear();
    this.hover(null, -1);
    if (this.selected.size) this.select([]);
  }

  // -- drawing

  resized() {
    for (const panel of this.panels) panel.resize();
    this.redraw();
  }

  // Classes were hidden or shown, or points selected.
  chosen() {
    this.choices = {};
    this.chosenRows.show();
    this.redraw();
  }

  redraw() {
    for (const panel of this.panels) panel.dirty = true;
    this.stirred = true;
  }

  stir() { this.stirred = true; }

  // Asking for the page's colours makes the browser work out its styles: a few times a second will do.
  followTheme(time) {
    if (time - (this.themed ?? -Infinity) < THEME_EVERY) return;
    this.themed = time;
    const theme = readTheme(this.root);
    if (theme.name !== this.theme.name) this.rethemed(theme);
  }

  tick(time) {
    if (!this.awake) return;
    this.ticking = requestAnimationFrame(this.tick);
    const seconds = Math.min(0.1, Math.max(0, (time - this.before) / 1000));
    this.before = time;
    if (!this.scene) return;
    this.followTheme(time);
    const moved = this.player.advance(seconds);
    if (this.colouring.work()) this.stirred = true;
    if (!moved && !this.stirred) return;
    this.stirred = false;
    for (const panel of this.aligning.inOrder(this.panels)) {
      if (!panel.drawn || !panel.stale) continue;
      const moving = panel.update(seconds);
      panel.paint();
      panel.dirty = moving;
      this.stirred ||= moving;
    }
    const moving = moved || this.stirred;
    this.stirred = false; // who is shown beside may ask for another frame
    this.stirred = this.beside.show(time, moved, moving) || this.stirred;
  }

  rethemed(theme) {
    this.theme = theme;
    dress(this.root, theme);
    showInks(this);
    for (const panel of this.panels) panel.sprites = null;
    this.showLegend();
    this.redraw();
  }
}
