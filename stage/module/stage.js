// The stage: panels side by side, legend, player and curves in one element. Its host passes scenes, snapshots and the
// states of the runs; the stage does not depend on the page around it.
import { element, setText } from "./dom.js";
import { Aligning } from "./aligning.js";
import { buildLegend, Colouring } from "./colouring.js";
import { Curves, dashOf } from "./curves.js";
import { PullView } from "./arrows.js";
import { GrabView } from "./grab_view.js";
import { Hints, listen, typing, usesArrows, usesSpace } from "./interaction.js";
import { ManualView } from "./manual_view.js";
import { MetricView } from "./metric_view.js";
import { applyTheme, readTheme } from "./palette.js";
import { Panel, setTitled } from "./panel.js";
import { bestHeldOut, nominalSeconds, Player, sampler } from "./player.js";
import { PointView } from "./point_view.js";
import { Projections } from "./projection.js";
import { ChosenRows, HoverCard } from "./rows.js";
import { Spotlight } from "./spotlight.js";
import { Story, summaryOf } from "./story.js";
import {
  describe, describeAll, footText, LINKS, meanwhile, numbersOf, showTimeMachine, Toolbar,
} from "./toolbar.js";
import { principalRotation, Views } from "./view.js";

const MOST_REPORTED = 5000;
const REST = 30, LONGEST_REST = 120; // milliseconds that readouts wait for each live panel, and at most
const REST_BACK = 1000; // milliseconds until what happened without a connection is here
const MEANWHILE = 10_000; // milliseconds to read it
const SLICE = 3; // milliseconds of a frame for the readouts while points move
const SUMMARY = 1000; // milliseconds between two summaries while the panels move
const PHONE = 520, WIDE = 880, LOW = 900; // pixels of the stage's width, as in stage.css, and of the window's height
const PRESS_TRAIN = "Press Train: all panels train side by side.";
const NOTHING_YET = "Once you train, this line explains what moves and why.";

const QUESTIONS = { point: PointView, metric: MetricView, grab: GrabView, pull: PullView };

export class Stage {
  // `compares`: panels can be turned onto one another, and `ask` receives the actions of the time machine. `ownPage`:
  // the space bar plays and ← → step wherever the focus is, unless that needs them.
  constructor(root, { compares = false, ...given } = {}) {
    const callbacks = { report() {}, reportPoint() {}, reportGrab() {}, settled() {}, rested() {}, ask() {} };
    Object.assign(this, { root, compares, without: new Set(), ...callbacks, ...given });
    this.hidden = new Set();
    this.selected = new Set();
    this.choices = {};
    this.views = new Views();
    this.sameScale = false; // what a panel shows is held, so that points fly apart as A grows
    this.selecting = ""; // "lasso" or "box" while a drag selects
    this.runs = this.reported = {}; // the state of each run by its panel's key, as it is seen and as the server has it
    this.over = {}; // the numbers of those that had ended before the page came: no replay by itself
    this.link = "open";
    this.panels = [];
    this.live = []; // the panels that move
    this.best = null; // { panel, snapshot } with the best held-out accuracy
    this.forces = null;
    this.theme = readTheme(root);
    applyTheme(root, this.theme);
    this.player = new Player();
    this.player.changed = () => this.requestFrame();
    this.spotlight = new Spotlight(this);
    this.hints = new Hints();
    this.manual = new ManualView(this);
    this.toolbar = new Toolbar(this);
    this.aligning = new Aligning(this);
    if (compares) this.toolbar.numbers.before(this.aligning.root);
    this.curves = new Curves(this);
    this.story = new Story(this);
    this.chosenRows = new ChosenRows(this);
    this.card = new HoverCard(this);
    this.questionKey = ""; // the question that is answered below the panels, by its view
    this.question = null;
    this.questionPlace = element("section", { className: "question", hidden: true });
    this.colouring = new Colouring(this);
    root.classList.add("empty"); // until there is a scene
    this.note = element("p", "note");
    this.thinned = element("p", "note thinned");
    this.row = element("div", "panels");
    this.legendPlace = element("div", "legend-place");
    root.replaceChildren(
      this.toolbar.readout, this.note, this.row, this.legendPlace, this.toolbar.root, this.curves.root,
      this.questionPlace, this.story.root, this.chosenRows.root, this.thinned, this.card.root,
    );
    this.ended = new AbortController();
    const document = root.ownerDocument, { signal } = this.ended;
    (this.ownPage ? document : root).addEventListener("keydown", (event) => {
      const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      const modified = event.ctrlKey || event.metaKey || event.altKey;
      if (event.defaultPrevented || this.toolbar.play.disabled || modified) return;
      if (event.key === " " && !usesSpace(event, root)) this.player.toggle();
      else if (by && !usesArrows(event)) this.player.step(by);
      else return;
      event.preventDefault(); // else the page scrolls
    }, { signal });
    document.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || event.defaultPrevented || typing(event)) return;
      if (this.clearSelection()) event.preventDefault(); // else the page leaves the large type
    }, { signal });
    this.watcher = new ResizeObserver(() => this.resized());
    this.watcher.observe(root);
    document.defaultView.addEventListener("resize", () => this.resized(), { signal }); // its height, too
    this.before = performance.now();
    this.readoutsAt = 0; // when they were last shown
    this.unshown = []; // parts of them that the next frames show
    this.tick = this.tick.bind(this);
    this.ticking = requestAnimationFrame(this.tick);
  }

  end() {
    cancelAnimationFrame(this.ticking);
    this.watcher.disconnect();
    this.curves.end();
    this.ended.abort();
  }

  showScene(scene) {
    const other = !this.scene || this.scene.classes.join("\0") !== scene.classes.join("\0");
    this.scene = scene;
    this.root.classList.remove("empty");
    this.projections = new Projections(scene);
    this.selected.clear();
    if (other) this.hidden.clear();
    this.views.fit(scene.components, this.facing());
    const before = new Map(this.panels.map((panel) => [panel.key, panel]));
    const moving = scene.panels.filter((panel) => panel.live && !panel.problem);
    this.panels = scene.panels.map(({ key }) => before.get(key) ?? listen(new Panel(key, this), this));
    arrange(this.row, this.panels);
    this.panels.forEach((panel, index) => {
      const content = scene.panels[index];
      panel.show(content, scene, moving.length === 1 && content === moving[0]);
    });
    this.live = this.panels.filter((panel) => moving.includes(panel.content));
    const places = sampler(scene);
    const seconds = (panel) => (from, to) => nominalSeconds(places(from, panel), places(to, panel), scene.components);
    this.player.showPanels(moving, seconds);
    this.aligning.showPanels();
    this.manual.showScene(this.turn && !Object.keys(this.runs).length);
    this.turn = false;
    if (this.compares) this.panels.forEach(showTimeMachine);
    showInks(this);
    this.hints.offerTurning(this.panels, scene.components);
    this.showStatus();
    this.note.textContent = scene.note;
    this.colouring.fit(scene);
    this.showLegend();
    this.hover(null, -1);
    this.chosenRows.show();
    this.spotlight.clear();
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

  // Drop the histories; view, hidden classes and selection stay.
  clearRuns() {
    this.runs = this.reported = {};
    this.setRuns({});
  }

  // A message of the live socket: the panel's index in the scene that is shown, the run's number, its next snapshots.
  addSnapshots({ panel, run, shortRun, snapshots }) {
    const { key } = this.scene.panels[panel];
    this.player.add(key, run, snapshots, shortRun);
    this.requestFrame();
  }

  // The states of all runs by their panel's key; another run's history starts empty.
  setRuns(runs) {
    if (this.live.some(({ key }) => this.runs[key] && !runs[key])) { // back to the start
      this.views.recentre(this.panels);
      this.redraw();
    }
    const begins = ({ key }) => runs[key]?.state === "running" && runs[key].run !== this.reported[key]?.run;
    const pressed = this.ownPage && this.runsKnown && this.live.some(begins);
    if (pressed) this.row.scrollIntoView({ block: "nearest", behavior: "smooth" });
    this.runsKnown = true; // those that were there before the page
    const goesOn = (key) => this.reported[key]?.state === "ended" && runs[key]?.state === "running";
    for (const { key } of this.live) {
      if (goesOn(key)) delete this.over[key];
      this.player.begin(key, runs[key]?.run ?? 0);
      this.player.pace(key, runs[key], this.over[key] === (runs[key]?.run ?? 0));
    }
    this.reported = runs;
    this.runs = this.seen(runs);
    if (!this.moving) this.story.moment = "";
    this.showStatus(); // at once, as the answer to a button
    this.settled(this.runs);
    this.requestFrame();
  }

  // The runs as far as they are seen: one that has ended counts as running until its picture has caught up.
  seen(runs) {
    const unseen = ({ key }) => runs[key]?.state === "ended" && !document.hidden && !this.player.arrived(key);
    const late = this.live.filter(unseen).map(({ key }) => [key, { ...runs[key], state: "running" }]);
    return late.length ? { ...runs, ...Object.fromEntries(late) } : runs;
  }

  // Back after a loss, it says what has happened meanwhile.
  setLink(link) {
    const last = (key) => this.player.histories.get(key)?.snapshots.at(-1)?.iteration;
    const progress = () => this.live.map(({ key }) => ({ run: this.reported[key], at: last(key) }));
    if (link === "open" && this.atLoss) {
      const { atLoss } = this;
      this.atLoss = null;
      setTimeout(() => this.showMeanwhile(meanwhile(this.live, atLoss, progress())), REST_BACK);
    } else if (link !== "open") this.atLoss ??= progress();
    this.link = link;
    this.showStatus(); // also where there is no scene yet
  }

  showMeanwhile(text) {
    this.meanwhile = text;
    this.showStatus();
    if (text) setTimeout(() => this.showMeanwhile(""), MEANWHILE);
  }

  showStatus() {
    const said = describeAll(this.live.map(({ key }) => key), this.runs);
    const jumps = said && this.player.reducedMotion.matches ? " (reduced motion: pictures jump)" : "";
    const idle = this.live.length && !this.questionKey && !this.live.some(({ key }) => this.runs[key]);
    const words = this.story.moment || (idle ? (this.compares ? PRESS_TRAIN : NOTHING_YET) : said);
    setText(this.toolbar.status, LINKS[this.link] || this.meanwhile || words + jumps);
  }

  // Another question, or none; the current one keeps its state.
  showQuestion(key) {
    if (key === this.questionKey) return;
    this.questionKey = key;
    this.question?.release?.();
    this.clearDrawings();
    this.question = QUESTIONS[key] ? new QUESTIONS[key](this) : null;
    this.questionPlace.replaceChildren(...(this.question ? [this.question.root] : []));
    this.questionPlace.hidden = !this.question;
    if (key) this.root.dataset.question = key; // hides the story, and the curves where K needs none
    else delete this.root.dataset.question;
    this.resized();
  }

  // All panels, or the given one if panels are not linked.
  resetView(panel = null) {
    this.views.reset(panel);
    const reset = panel && !this.views.linked ? [panel] : this.panels;
    for (const each of reset) each.extent = 0; // even if the scale is held
    this.viewChanged();
  }

  toggleSameScale() {
    this.sameScale = !this.sameScale;
    this.redraw();
  }

  viewChanged(panel = null) {
    this.views.last = panel ?? this.views.last;
    this.hover(null, -1);
    this.redraw();
  }

  // Take away what questions have drawn over the points; what is still wanted comes back with the next picture.
  clearDrawings() {
    for (const each of this.row.querySelectorAll(".arrows, .pulls, .handle")) each.remove();
  }

  toggleForces() {
    this.clearDrawings();
    this.forces = this.forces ? null : new PullView(this);
    this.redraw();
  }

  toggleSelecting(way) {
    this.selecting = this.selecting === way ? "" : way;
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

  // Whether there was anything to clear.
  clearSelection() {
    const { manual, spotlight, selected } = this;
    const any = Boolean(manual.R) || spotlight.pinned >= 0 || selected.size > 0;
    manual.end();
    spotlight.pin(-1);
    this.hover(null, -1);
    if (selected.size) this.select([]);
    return any;
  }

  resized() {
    placeCharts(this);
    for (const panel of this.panels) panel.resize();
    this.redraw();
  }

  // After classes were hidden or shown, or points selected.
  chosen() {
    this.choices = {};
    this.chosenRows.show();
    this.redraw();
  }

  redraw() {
    for (const panel of this.panels) panel.dirty = true;
    this.frameWanted = true;
  }

  requestFrame() { this.frameWanted = true; }

  // A few times a second: reading the page's colours makes the browser compute its styles.
  followTheme(time) {
    if (time - (this.themed ?? -Infinity) < 200) return;
    this.themed = time;
    const theme = readTheme(this.root);
    if (theme.name === this.theme.name) return;
    this.theme = theme;
    applyTheme(this.root, theme);
    showInks(this);
    for (const panel of this.panels) panel.sprites = null;
    this.showLegend();
    this.redraw();
  }

  tick(time) {
    this.ticking = requestAnimationFrame(this.tick);
    const seconds = Math.min(0.1, Math.max(0, (time - this.before) / 1000));
    this.before = time;
    if (!this.scene) return;
    this.followTheme(time);
    const trained = this.player.advance(seconds);
    if (trained) this.manual.end();
    const moved = this.manual.advance(seconds) || trained;
    this.colouring.work();
    if (!moved && !this.frameWanted) return;
    this.frameWanted = false;
    for (const panel of this.aligning.inOrder(this.panels)) {
      if (!panel.drawn || !panel.stale) continue;
      const moving = panel.update(seconds);
      panel.paint();
      panel.dirty = moving;
      this.frameWanted ||= moving;
    }
    const moving = (this.moving = moved || this.frameWanted);
    this.frameWanted = false; // the readouts may request another frame
    this.frameWanted = this.showReadouts(time, moved, moving) || this.frameWanted;
  }

  // Charts, scale bars, scrubber, numbers and words: while points move less often, and as many of them in a frame as there
  // is time for. Returns whether to show them once more at rest. `moved`: the player has; `moving`: or the view follows.
  showReadouts(time, moved, moving) {
    if (!moving || !this.unshown.length) {
      if (moving && time - this.readoutsAt <= Math.min(LONGEST_REST, REST * this.live.length)) return true;
      this.readoutsAt = time;
      this.best = bestHeldOut(this);
      this.unshown = [...this.curves.parts, () => {
        for (const { bar, scale, ratio, content } of this.panels) if (scale) bar.show(scale / ratio / content.unit);
        this.toolbar.show();
      }, () => showNumbers(this, time, moving), () => {
        this.story.show(moving);
        this.showStatus();
      }, () => {
        this.question?.show(time, moving);
        if (!moved) this.spotlight.show();
        this.card.refresh();
      }];
    }
    const until = performance.now() + SLICE;
    do this.unshown.shift()();
    while (this.unshown.length && (!moving || performance.now() < until));
    if (!moving && this.runs !== this.reported) this.setRuns(this.reported);
    if (!moving) this.rested();
    return moving;
  }
}

function showNumbers(stage, time, moving) {
  const { live, player, without } = stage;
  const several = live.length > 1;
  const summed = !moving || !(time - stage.summedAt < SUMMARY);
  if (summed) stage.summedAt = time;
  for (const panel of stage.panels) {
    const shortRuns = player.shownShortRuns(panel.key);
    const starts = shortRuns?.describe(stage.runs[panel.key]?.starts, without) ?? "";
    setText(panel.start, stage.manual.caption(panel) || starts);
    const shown = panel.content.live && !shortRuns ? numbersOf(stage, panel) : null;
    setTitled(panel.state, several && live.includes(panel) ? describe(stage.runs[panel.key]) : "");
    setTitled(panel.foot, footText(shown ?? solved(stage, panel), several, without));
    panel.foot.classList.toggle("passed", Boolean(shown?.passed));
    if (!summed || !panel.drawn || !panel.raster.width) continue;
    const measured = shown && !shown.passed && stage.manual.panel !== panel;
    setText(panel.summary, summaryOf(panel, stage, measured ? shown.at : null));
  }
  const sparse = live.filter(({ history }) => history.thinned).map(({ content }) => content.title);
  const most = `The histories have reached ${Math.round(player.mostBytes / 1e6)} MB`;
  setText(stage.thinned, sparse.length ? `${most}; only some of the older iterations are kept (${sparse.join(", ")}).` : "");
}

// The numbers of a panel that does not train, as those of a snapshot.
function solved({ solved }, { key }) {
  const [heldOut, own] = (solved?.[key] ?? []).map((value) => value ?? NaN);
  if (own === undefined) return { at: null };
  return { at: { held_out_1nn: heldOut, accuracy_1nn: own, mean_p: NaN, k_mean_entropy: NaN } };
}

// Mark each of several live panels with the colour and dash of its line in the charts.
function showInks({ live, panels, theme }) {
  for (const panel of panels) {
    const ink = live.length > 1 ? live.indexOf(panel) : -1;
    panel.heading.className = ink < 0 ? "" : `ink dash${dashOf(ink)}`;
    panel.heading.style.setProperty("--ink", theme.lines[ink] ?? "");
  }
}

// Up to three panels side by side, four two by two, more three by three.
function arrange(row, panels) {
  const columns = panels.length < 4 ? panels.length : panels.length === 4 ? 2 : 3;
  row.replaceChildren(...panels.map((panel) => panel.root));
  row.dataset.columns = columns;
  row.style.setProperty("--columns", columns);
  row.dataset.rows = Math.ceil(panels.length / columns);
  row.classList.toggle("rows", panels.length > 3);
}

// Where the window is wide and low the charts are beside the panels; where it is narrow and low the tools are below the
// charts; where it is tall the panel that trains has a row of its own. So picture and charts share the first screen.
// In large type accuracies, which stand below the panels too, leave their place to the other charts where it is scarce.
function placeCharts({ root, row, curves, theme: { type }, questionKey }) {
  const { clientWidth: width, ownerDocument: { defaultView: { innerHeight: height } } } = root;
  const columns = Number(row.dataset.columns) || 1;
  const beside = width >= WIDE && height < 500 + 100 * type + (0.8 * width) / columns && !questionKey;
  root.classList.toggle("beside", beside);
  root.classList.toggle("scarce", beside && type > 1 && curves.root.clientHeight < 500 * type);
  root.classList.toggle("low", !beside && width > PHONE && height < LOW);
  root.classList.toggle("tall", columns === 3 && width > PHONE && height > 700 + width);
}
