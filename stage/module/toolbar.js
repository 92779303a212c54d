// The bar below the panels (play, step, scrub, select), the readout above them, and the states of runs in words.
import { button, element, onArrows, select, setText, slider, svgElement } from "./dom.js";
import { percent } from "./text.js";

const CLOCKS = [["number", "by iteration"], ["seconds", "by seconds"]];
// Buttons that stay pressed: [name, text, tooltip, whether it is on, act].
const TOGGLES = [
  ["forces", "forces", "Arrows: how the gradient pulls and pushes each point, or those of the pressed one",
    (stage) => stage.forces, (stage) => stage.toggleForces()],
  ["pauses", "by phase", "Pause the replay where each phase begins",
    ({ player }) => player.pauses, ({ player }) => (player.pauses = !player.pauses)],
  ["lasso", "lasso", "Select points by drawing around them; Escape clears",
    (stage) => stage.selecting === "lasso", (stage) => stage.toggleSelecting("lasso")],
  ["box", "box", "Select points by a rectangle; Escape clears",
    (stage) => stage.selecting === "box", (stage) => stage.toggleSelecting("box")],
  ["linked", "linked", "Turn and zoom all panels together", ({ views }) => views.linked, (stage) => {
    stage.views.toggle();
    stage.viewChanged();
  }],
  ["same", "same scale", "Same scale: the view is held, so that growth during training shows",
    (stage) => stage.sameScale, (stage) => stage.toggleSameScale()],
];

export class Toolbar {
  constructor(stage) {
    this.stage = stage;
    const { player, manual } = stage;
    this.play = button("▶", "Replay or hold (space)", () => player.toggle());
    this.back = button("−1", "One iteration back (←)", () => player.step(-1));
    this.forth = button("+1", "One iteration on (→)", () => player.step(1));
    const range = { min: 0, max: 1, step: "any", value: 0 };
    this.slider = slider("Iteration shown", range, (position) => player.seek(position), "scrub");
    onArrows(this.slider, ([right, down]) => player.step(right - down));
    this.mark = element("div", { className: "best-mark", hidden: true }); // the best held-out accuracy on the slider
    this.best = button("", "", () => player.seek(stage.best.snapshot[player.clock]));
    this.best.title = "Go to the first iteration with the best 1-NN accuracy on held-out rows";
    this.newest = button("newest", "Follow the training", () => player.toNewest());
    const speeds = [0.25, 0.5, 1, 2, 4].map((times) => [times, `${times}×`]);
    const speed = select("Speed of the replay", speeds, (times) => (player.speed = Number(times)), "tool");
    speed.value = 1;
    this.clock = select("What the panels keep step by", CLOCKS, (clock) => player.useClock(clock), "clock tool");
    this.clock.title = "Compare panels at the same iteration, or after the same seconds of computing";
    for (const [name, text, title, , act] of TOGGLES) {
      this[name] = button(text, title, () => {
        act(stage);
        this.showToggles();
        stage.requestFrame();
      }, name === "same" ? "" : "tool");
    }
    for (const each of [this.forces, ...manual.parts]) each.classList.add("tool", "manual");
    this.clear = button("", "Clear the selection (Escape)", () => stage.clearSelection());
    const reset = button("reset view", "Zoom and rotation as at first", () => stage.resetView());
    const track = element("div", "track", this.slider, this.mark);
    const { forces, pauses, lasso, box, clear, linked, same } = this;
    // Where there is no room for both in a line, each group has its own.
    this.root = element(
      "div", "toolbar",
      element("div", "moves", this.play, this.back, this.forth, track, this.best, this.newest, speed, this.clock),
      element("div", "tools", ...manual.parts, forces, pauses, lasso, box, clear, linked, same, reset),
    );
    this.status = element("span", { className: "status", role: "status" }, "Loading the picture …");
    this.name = element("span");
    this.values = element("span");
    this.numbers = element("span", "numbers", this.name, this.values);
    this.readout = element("div", "readout", this.status, this.numbers);
  }

  show() {
    const { player, live, selected, without } = this.stage;
    const { last } = player;
    const started = [...player.histories.values()].some(({ shortRuns }) => shortRuns.length);
    const idle = !(player.lastBy("number") > 0) && !started; // there is nothing to play yet
    for (const each of [this.slider, this.play, this.back, this.forth]) each.disabled = idle;
    this.slider.max = last || 1;
    this.slider.value = player.position;
    setText(this.play, player.mode === "replay" ? "❚❚" : "▶");
    this.newest.hidden = player.mode === "follow";
    this.clock.hidden = live.length < 2;
    this.pauses.hidden = !player.stops.length;
    this.clock.value = player.clock;
    const of = player.clock === "seconds"
      ? `${seconds(player.position)} of ${seconds(last)} of computing`
      : `${position(this.stage)} of ${player.lastBy("iteration")}`;
    this.slider.ariaValueText = shortRun(this.stage) || of;
    this.clear.hidden = !selected.size;
    setText(this.clear, `clear ${selected.size.toLocaleString("en")} selected`);
    const best = without.has("best") ? null : this.stage.best;
    this.best.hidden = this.mark.hidden = !best;
    if (best) {
      const title = live.length > 1 ? `${best.panel.content.title}, ` : "";
      setText(this.best, `best held-out: ${title}iteration ${best.snapshot.iteration}`);
      const share = best.snapshot[player.clock] / (last || 1);
      this.mark.style.left = `calc(8px + (100% - 16px) * ${share})`; // where the thumb would be
    }
    const [name, values, passed] = readout(this.stage);
    setText(this.name, name);
    setText(this.values, values);
    this.values.classList.toggle("passed", passed);
    this.showToggles();
  }

  showToggles() {
    for (const [name, , , on] of TOGGLES) this[name].ariaPressed = Boolean(on(this.stage));
  }
}

const STATES = { running: "training", waiting: "waiting", paused: "paused", ended: "ended" };

export function describe(run = {}) {
  const { state, queue, reason } = run;
  const words = state === "ended" ? reason : STATES[state] ?? "";
  return withNotes(state === "waiting" && queue ? `${words}: number ${queue} in the queue` : words, [run]);
}

// Appends the notes of the runs (where they are computed), each once.
function withNotes(text, runs) {
  const notes = [...new Set(runs.map((run) => run?.note).filter(Boolean))];
  if (!notes.length) return text;
  return [text && !text.endsWith(".") ? `${text}.` : text, ...notes].filter(Boolean).join(" ");
}

// Status texts of a connection that is not open.
export const LINKS = {
  gone: "This run is no longer on the server. Reload the page.",
  kept: "The server has restarted. Restoring your work …",
  blocked: "No live connection. A proxy must pass WebSockets through. Retrying …",
  lost: "Connection lost. Trying again …",
  unsaved: "Run the cell: the picture is not stored in the notebook.",
  unreadable: "This page cannot read the server's data. Reload the page.",
};

// What happened to the live panels without a connection. `before`, `now`: of each its run and its last iteration.
export function meanwhile(live, before, now) {
  const ends = { ended: "ended", paused: "was paused" };
  const parts = live.flatMap(({ content: { title } }, k) => {
    const a = before[k], b = now[k];
    if (!a) return [];
    if (a.run?.run !== b.run?.run) return [b.run ? `${title} began another training` : `${title} was reset`];
    const went = b.at > (a.at ?? 0) ? `went on to iteration ${b.at}` : "";
    const end = a.run?.state !== b.run?.state ? ends[b.run?.state] : "";
    return went || end ? [`${title} ${[went, end].filter(Boolean).join(" and ")}`] : [];
  });
  return `Connected again. ${parts.length ? `Meanwhile ${parts.join("; ")}.` : "Nothing has changed meanwhile."}`;
}

// Of several panels: "2 of 3 training, 1 ended". `keys` are those of the live panels, `runs` the states by key.
export function describeAll(keys, runs) {
  if (keys.length < 2) return describe(runs[keys[0]]);
  const parts = [];
  for (const [state, word] of Object.entries(STATES)) {
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

// What one live panel shows while it looks for its start; "" else.
function shortRun({ player, live }) {
  const runs = live.length === 1 ? player.shownShortRuns(live[0].key) : null;
  return runs ? `short run ${runs.number} of ${runs.length}` : "";
}

// As in "iteration 12", "iteration 12 to 13" and "0.75 s of computing".
function position({ player, live }) {
  if (player.clock === "seconds") return `${seconds(player.position)} of computing`;
  const between = live.map(({ key }) => player.between(key)).find(Boolean);
  if (between) return `iteration ${between.from.iteration} to ${between.to.iteration}`;
  return `iteration ${live.length === 1 ? player.current(live[0].key)?.iteration ?? 0 : Math.round(player.position)}`;
}

// The numbers of a live panel, { at, passed }. Between two iterations they are those of the last one `passed`; of a
// manual A they are counted, `at` is null until then.
export function numbersOf({ player, manual }, panel) {
  const at = player.current(panel.key), between = player.between(panel.key);
  if (manual.panel === panel && (at || manual.numbers)) return { at: manual.numbers };
  return between ? { at: between.from, passed: true } : at && { at };
}

// The position, and with one live panel its numbers, [name, values, passed]; each of several has them at its foot.
function readout(stage) {
  const { live, without, manual } = stage;
  const [shown] = live.map((panel) => numbersOf(stage, panel)).filter(Boolean);
  if (!shown) return ["", "", false];
  if (live.length > 1 || shortRun(stage)) return [shortRun(stage) || position(stage), "", false];
  const { at, passed = false } = shown, name = manual.caption(live[0]) || position(stage);
  const numbers = at ? overall(at, without).filter(([, value]) => !Number.isNaN(value)) : [];
  const texts = numbers.map(([what, value, digits]) => `${what} ${value.toFixed(digits)}`);
  return [name, texts.length ? `   ${passedBy(at, passed)}${texts.join("   ")}` : "", passed];
}

function passedBy(at, passed) {
  return passed ? `at ${at.iteration}: ` : "";
}

// [name, value, digits] of f/n and K̂.
function overall(at, without) {
  const numbers = { f: ["f/n", at.mean_p, 3], k: ["K̂", at.k_mean_entropy, 1] };
  return Object.keys(numbers).filter((key) => !without.has(key)).map((key) => numbers[key]);
}

// The numbers at a panel's foot. One live panel has the others in the readout.
export function footText({ at, passed }, several, without) {
  if (!at) return "";
  const accuracies = Number.isNaN(at.held_out_1nn)
    ? [["1-NN: training (optimistic)", at.accuracy_1nn, "%"]]
    : [["1-NN: held out", at.held_out_1nn, "%"], ["training (optimistic)", at.accuracy_1nn, "%"]];
  const numbers = [...(several ? overall(at, without) : []), ...(without.has("accuracy") ? [] : accuracies)];
  const texts = numbers.filter(([, value]) => !Number.isNaN(value)).map(([name, value, digits]) => {
    const shown = passed ? name.replace("1-NN: ", "") : name; // as wide with the iteration as without
    return `${shown}\u00a0${digits === "%" ? percent(value) : value.toFixed(digits)}`;
  });
  return texts.length ? passedBy(at, passed) + texts.join("   ") : "";
}

// The time machine of a live panel: a menu that starts another panel from the iteration shown.
export function showTimeMachine(panel) {
  panel.menu ??= timeMachine(panel);
  panel.menu.open = false;
  panel.menu.hidden = !(panel.drawn && panel.content.live);
}

function timeMachine(panel) {
  const { stage, key } = panel;
  const fork = svgElement("path", { d: "M2.5 1.5V12.5M9.5 1.5V4C9.5 7 2.5 6.5 2.5 9.5" }); // fonts may lack it
  const sign = svgElement("svg", { viewBox: "0 0 12 14", width: 12, height: 14, "aria-hidden": true }, fork);
  const title = "Another panel from this one: a branch, the same start again, another seed";
  const opener = element("summary", { title, ariaLabel: "Another panel from this one" }, sign);
  const list = element("div", "list"), menu = element("details", "machine", opener, list);
  opener.onclick = () => {
    if (menu.open) return;
    const iteration = stage.player.current(key)?.iteration ?? 0;
    const act = (words, what) => button(words, "", () => {
      menu.open = false;
      stage.ask(key, what, iteration);
    });
    const acts = [act("Again from the same start", "again"), act("Replay with another seed", "seed")];
    if (panel.content.kind === "matrix") acts.unshift(act(`Branch from iteration ${iteration}`, "branch"));
    list.replaceChildren(...acts);
  };
  menu.ontoggle = () => menu.open && list.firstChild.focus();
  menu.addEventListener("focusout", ({ relatedTarget }) => (menu.open &&= menu.contains(relatedTarget)));
  menu.onkeydown = (event) => {
    if (event.key !== "Escape" || !menu.open) return;
    event.preventDefault(); // the selection stays
    opener.focus();
    menu.open = false;
  };
  panel.head.append(menu);
  return menu;
}
