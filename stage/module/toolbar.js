// The bar below the panels (play, step, scrub, select) and the readout above them.
import { button, element, select, setText, slider, svgElement } from "./dom.js";
import { bestText } from "./history.js";

export class Toolbar {
  constructor(stage) {
    this.stage = stage;
    const { player } = stage;
    this.root = element("div", "toolbar");
    this.play = button("▶", "Replay or hold (space)", () => stage.togglePlay());
    const back = button("−1", "One iteration back", () => stage.step(-1));
    const forth = button("+1", "One iteration on", () => stage.step(1));
    this.steps = [back, forth];
    const range = { min: 0, max: 1, step: "any", value: 0 };
    this.slider = slider("Iteration shown", range, (position) => stage.seek(position), "scrub");
    this.slider.onkeydown = (event) => {
      const by = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key];
      if (!by) return;
      event.preventDefault();
      stage.step(by);
    };
    this.mark = element("div", "best-mark"); // where on the slider the best held-out accuracy is
    this.mark.hidden = true;
    this.track = element("div", "track");
    this.track.append(this.slider, this.mark);
    this.best = button("", "", () => stage.seek(stage.best.snapshot[player.clock]));
    this.best.title = "Go to the first iteration with the best 1-NN accuracy on held-out rows";
    this.best.hidden = true;
    this.newest = button("newest", "Follow the training", () => stage.follow());
    const speeds = [0.25, 0.5, 1, 2, 4].map((value) => [value, `${value}×`]);
    const speed = select("Speed of the replay", speeds, (value) => (player.speed = Number(value)));
    speed.value = 1;
    const clocks = [["number", "by iteration"], ["seconds", "by seconds"]];
    this.clock = select("What the panels keep step by", clocks, (clock) => stage.useClock(clock), "clock");
    this.clock.title = "Compare panels at the same iteration, or after the same seconds of computing";
    const selecting = (way) => () => stage.toggleSelecting(way);
    this.lasso = toggle("lasso", "Select points by drawing around them; Escape clears", false, selecting("lasso"));
    this.box = toggle("box", "Select points by a rectangle; Escape clears", false, selecting("box"));
    this.linked = toggle("linked", "Turn and zoom all panels together", true, () => stage.toggleLinked());
    const hold = "Same scale: the view is held, so that growth during training shows";
    this.same = toggle("same scale", hold, false, () => stage.toggleSameScale());
    this.pauses = toggle("by phase", "Pause the replay where each phase begins", false, () => stage.togglePauses());
    const pull = "Arrows: how the gradient pulls and pushes each point, or those of the pressed one";
    this.forces = toggle("forces", pull, false, () => stage.toggleForces());
    for (const each of [this.forces, ...stage.hands.parts]) each.classList.add("tool", "hands");
    this.clear = button("", "Clear the selection (Escape)", () => stage.clearSelection());
    const reset = button("reset view", "Zoom and rotation as at first", () => stage.resetView());
    for (const each of [speed, this.clock, this.pauses, this.lasso, this.box, this.linked]) each.classList.add("tool");
    // Where there is no room for both in a line, each group has its own.
    const moves = element("div", "moves"), tools = element("div", "tools");
    moves.append(this.play, back, forth, this.track, this.best, this.newest, speed, this.clock);
    tools.append(...stage.hands.parts, this.forces, this.pauses, this.lasso, this.box, this.clear, this.linked, this.same, reset);
    this.root.append(moves, tools);
    this.readout = element("div", "readout");
    this.status = element("span", "status");
    this.status.setAttribute("role", "status");
    this.status.textContent = "Loading the picture …"; // until there is a scene
    this.numbers = element("span", "numbers");
    this.readout.append(this.status, this.numbers);
  }

  show() {
    const { player, live } = this.stage;
    const last = player.last;
    const started = [...player.histories.values()].some(({ shortRuns }) => shortRuns.length);
    const idle = !(player.lastBy("number") > 0) && !started; // there is nothing to play yet
    if (this.slider.disabled !== idle) for (const each of [this.slider, this.play, ...this.steps]) each.disabled = idle;
    if (this.slider.max !== String(last || 1)) this.slider.max = last || 1;
    this.slider.value = player.position;
    setText(this.play, player.mode === "replay" ? "❚❚" : "▶");
    this.newest.hidden = player.mode === "follow";
    this.clock.hidden = live.length < 2;
    this.pauses.hidden = !player.stops.length;
    if (this.clock.value !== player.clock) this.clock.value = player.clock;
    const where = place(player, live);
    if (this.slider.getAttribute("aria-valuetext") !== where) this.slider.setAttribute("aria-valuetext", where);
    const points = this.stage.selected.size;
    this.clear.hidden = !points;
    setText(this.clear, `clear ${points.toLocaleString("en")} selected`);
    this.showBest(last);
    setText(this.numbers, readout(player, live, this.stage.without));
    this.showStatus();
  }

  showBest(last) {
    const { player, live, without } = this.stage;
    const best = without.has("best") ? null : this.stage.best;
    this.best.hidden = this.mark.hidden = !best;
    if (!best) return;
    setText(this.best, bestText(best, live.length > 1));
    const left = `calc(8px + (100% - 16px) * ${best.snapshot[player.clock] / (last || 1)})`; // as the thumb stands
    if (this.mark.style.left !== left) this.mark.style.left = left;
  }

  showStatus() {
    setText(this.status, this.stage.statusText);
  }
}

function toggle(text, title, pressed, act) {
  const created = button(text, title, act);
  created.setAttribute("aria-pressed", String(pressed));
  return created;
}

// The state of a run in words.
export function describe(run = {}) {
  return withNotes(describeState(run), [run]);
}

// Appends the notes of the runs (where they are computed), each once.
function withNotes(text, runs) {
  const notes = [...new Set(runs.map((run) => run?.note).filter(Boolean))];
  if (!notes.length) return text;
  return [text && !text.endsWith(".") ? `${text}.` : text, ...notes].filter(Boolean).join(" ");
}

function describeState({ state, queue, reason }) {
  if (state === "running") return "training";
  if (state === "waiting") return queue ? `waiting: number ${queue} in the queue` : "waiting";
  if (state === "paused") return "paused";
  if (state === "ended") return reason;
  return "";
}

const LINKS = {
  gone: "This run is no longer on the server. Reload the page.",
  kept: "The server has restarted. Restoring your work …",
  blocked: "No live connection. A proxy must pass WebSockets through. Retrying …",
  lost: "Connection lost. Trying again …",
  unsaved: "Run the cell: the picture is not stored in the notebook.",
  unreadable: "This page cannot read the server's data. Reload the page.",
};

export function describeLink(link) {
  return LINKS[link] ?? "";
}

// What happened to the live panels without a connection. `before`, `now`: of each its run and its last iteration.
export function meanwhile(live, before, now) {
  const parts = live.flatMap(({ content }, k) => {
    const a = before[k], b = now[k];
    if (!a) return [];
    if (a.run?.run !== b.run?.run) return b.run ? [`${content.title} began another training`] : [];
    const went = b.at > (a.at ?? 0) ? [`went on to iteration ${b.at}`] : [];
    if (a.run?.state !== b.run?.state && ["ended", "paused"].includes(b.run?.state)) went.push(b.run.state === "ended" ? "ended" : "was paused");
    return went.length ? [`${content.title} ${went.join(" and ")}`] : [];
  });
  return parts.length ? `Connected again. Meanwhile ${parts.join("; ")}.` : "Connected again. Nothing has changed meanwhile.";
}

// Of several panels: "2 of 3 training, 1 ended". `keys` are those of the live panels, `runs` the states by key.
export function describeAll(keys, runs) {
  if (keys.length < 2) return describe(runs[keys[0]]);
  const words = { running: "training", waiting: "waiting", paused: "paused", ended: "ended" };
  const parts = [];
  for (const [state, word] of Object.entries(words)) {
    const found = keys.filter((key) => runs[key]?.state === state);
    if (!found.length) continue;
    const queue = Math.min(...found.map((key) => runs[key].queue || Infinity));
    const place = state === "waiting" && queue < Infinity ? ` (number ${queue} in the queue)` : "";
    parts.push(`${found.length}${parts.length ? "" : ` of ${keys.length}`} ${word}${place}`);
  }
  return withNotes(parts.join(", "), keys.map((key) => runs[key]));
}

export function seconds(value) {
  return `${value.toFixed(value < 10 ? 2 : 1)} s`;
}

// What the scrubber says: "iteration 12 of 40".
export function place(player, live) {
  const shortRuns = live.length === 1 ? player.shownShortRuns(live[0].key) : null;
  if (shortRuns) return `short run ${shortRuns.number} of ${shortRuns.length}`;
  if (player.clock === "seconds") return `${seconds(player.position)} of ${seconds(player.last)} of computing`;
  const at = live.length === 1 ? player.current(live[0].key)?.iteration : Math.round(player.position);
  return `iteration ${at ?? 0} of ${player.lastBy("iteration")}`;
}

// The position, and with one live panel its numbers; each of several has them at its foot.
export function readout(player, live, without) {
  if (live.length > 1) {
    if (![...player.histories.values()].some((history) => history.length)) return "";
    if (player.clock === "seconds") return `${seconds(player.position)} of computing`;
    return `iteration ${Math.round(player.position)}`;
  }
  const shortRuns = live.length ? player.shownShortRuns(live[0].key) : null;
  if (shortRuns) return `short run ${shortRuns.number} of ${shortRuns.length}`;
  const at = live.length ? player.current(live[0].key) : null;
  if (!at) return "";
  const numbers = [["f", "f/n", at.mean_p, 3], ["k", "K̂", at.k_mean_entropy, 1]];
  const shown = numbers.filter(([key, , value]) => !Number.isNaN(value) && !without.has(key));
  return [`iteration ${at.iteration}`, ...shown.map(([, name, v, digits]) => `${name} ${v.toFixed(digits)}`)].join("   ");
}

// The numbers at a panel's foot: [name, value, digits or "%"]. One live panel has the others in the readout.
export function footNumbers(at, several, without) {
  const accuracies = Number.isNaN(at.held_out_1nn)
    ? [["1-NN: training rows (optimistic)", at.accuracy_1nn, "%"]]
    : [["1-NN: held-out rows", at.held_out_1nn, "%"], ["training rows (optimistic)", at.accuracy_1nn, "%"]];
  const of = (key, ...numbers) => (without.has(key) ? [] : numbers);
  const others = several ? [...of("f", ["f/n", at.mean_p, 3]), ...of("k", ["K̂", at.k_mean_entropy, 1])] : [];
  return [...others, ...of("accuracy", ...accuracies)];
}

export function thinnedNote(titles, mostBytes) {
  if (!titles.length) return "";
  const most = Math.round(mostBytes / 1e6);
  return `The histories have reached ${most} MB; only some of the older iterations are kept (${titles.join(", ")}).`;
}

// The time machine: a menu on every live panel that starts another panel from the iteration shown.

export class TimeMachine {
  constructor(stage, ask) {
    this.stage = stage;
    this.ask = ask; // (panel's key, "branch" | "again" | "seed", iteration)
    this.opened = null; // the panel whose list is open
    this.parts = new WeakMap(); // of each panel: its button and its list
    stage.root.addEventListener("pointerdown", (event) => {
      if (this.opened && !event.composedPath().includes(this.parts.get(this.opened).root)) this.close();
    });
  }

  // Another scene: the panels that train have a button.
  showPanels() {
    this.close();
    for (const panel of this.stage.panels) {
      if (!this.parts.has(panel)) this.parts.set(panel, this.build(panel));
      this.parts.get(panel).root.hidden = !(panel.drawn && panel.content.live);
    }
  }

  build(panel) {
    const root = element("span", "machine"), list = element("div", "list");
    const title = "Another panel from this one: a branch, the same start again, another seed";
    const opener = button("", title, () => (this.opened === panel ? this.close() : this.open(panel)));
    opener.append(fork());
    opener.setAttribute("aria-label", "Another panel from this one");
    opener.setAttribute("aria-expanded", "false");
    list.hidden = true;
    root.onkeydown = (event) => {
      if (event.key !== "Escape" || this.opened !== panel) return;
      event.preventDefault(); // the selection stays
      this.close();
      opener.focus();
    };
    root.append(opener, list);
    panel.head.append(root);
    return { root, opener, list };
  }

  open(panel) {
    this.close();
    const { player } = this.stage;
    const { opener, list } = this.parts.get(panel);
    const iteration = player.current(panel.key)?.iteration ?? 0;
    const act = (words, what) => button(words, "", () => {
      this.close();
      this.ask(panel.key, what, iteration);
    });
    const acts = [act("Again from the same start", "again"), act("Replay with another seed", "seed")];
    if (panel.content.kind === "matrix") acts.unshift(act(`Branch from iteration ${iteration}`, "branch"));
    list.replaceChildren(...acts);
    list.hidden = false;
    opener.setAttribute("aria-expanded", "true");
    this.opened = panel;
    acts[0].focus();
  }

  close() {
    const parts = this.opened && this.parts.get(this.opened);
    this.opened = null;
    if (!parts) return;
    parts.list.hidden = true;
    parts.opener.setAttribute("aria-expanded", "false");
  }
}

// A line that forks; no letter for it is in every font.
function fork() {
  const svg = svgElement("svg", { viewBox: "0 0 12 14", width: 12, height: 14, "aria-hidden": true });
  svg.append(svgElement("path", { d: "M2.5 1.5V12.5M9.5 1.5V4C9.5 7 2.5 6.5 2.5 9.5" }));
  return svg;
}
