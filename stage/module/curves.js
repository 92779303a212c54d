// Small charts over the player's clock: f/n, objective, K̂, accuracies. A press or drag on one scrubs. With one live
// panel a chart has a line for each kind of number, with several a line for each panel.
import { element, setText } from "./dom.js";
import { bestSnapshot } from "./player.js";
import { roundAbove } from "./text.js";
import { seconds } from "./toolbar.js";

const AROUND = { left: 40, right: 10, top: 8, bottom: 18 }; // around what is drawn, for letters of the usual size
const BEFORE = 0.3; // of a chart's width, for short runs that looked for the start
const LETTERS = 12; // pixels between the names of two ticks
const GAP = 4; // pixels between the axis and these
const DASHES = [[], [5, 3], [1.5, 2.5], [7, 2, 2, 2]]; // as in stage.css

export class Curves {
  constructor(stage) {
    this.stage = stage;
    this.sizes = new Map(); // of the canvases, as the ResizeObserver reports them: reading one forces a layout
    this.watcher = new ResizeObserver((changes) => {
      for (const { target, contentRect } of changes) this.sizes.set(target, contentRect);
      this.stage.requestFrame();
    });
    this.charts = MEASURES.map((chart) => this.build(chart));
    this.root = element("div", "curves", ...this.charts.map(({ root }) => root));
  }

  end() {
    this.watcher.disconnect();
  }

  build(chart) {
    const heading = element("h4", "", chart.title), key = element("div", "key");
    const canvas = element("canvas", { role: "img" });
    const root = element("section", "chart", heading, canvas, key);
    canvas.onpointermove = ({ buttons, clientX }) => {
      if (!buttons) return;
      const { player } = this.stage;
      const { left, right } = this.sidesOf(canvas, shortRunsOf(chart, this.stage));
      const time = ((clientX - canvas.getBoundingClientRect().left - left) / (right - left)) * player.last;
      this.stage.player.seek(player.clock === "number" ? Math.round(time) : time);
    };
    canvas.onpointerdown = (event) => {
      canvas.setPointerCapture(event.pointerId);
      canvas.onpointermove(event);
    };
    this.watcher.observe(canvas);
    return { ...chart, root, canvas, heading, key, shown: "" };
  }

  // Where the axis is, and the edges of the lines of the training; short runs lie left of these.
  sidesOf(canvas, shortRuns) {
    const { type } = this.stage.theme, { width, height } = this.sizes.get(canvas);
    const axis = AROUND.left * type;
    const left = axis + (shortRuns.length ? BEFORE * width : 0);
    return { axis, left, right: width - AROUND.right, top: AROUND.top * type, bottom: height - AROUND.bottom * type };
  }

  // What there is to do, in parts: all pictures before all words, as setting a font lays out what was written before.
  get parts() {
    const pictures = this.charts.map((chart) => () => this.paintChart({ chart, ...linesOf(chart, this.stage) }, this.stage));
    return [...pictures, () => this.charts.forEach((chart) => this.showWords(chart, linesOf(chart, this.stage)))];
  }

  showWords(chart, { title, lines }) {
    chart.root.hidden = chart.title === "Objective" && !lines.length;
    setText(chart.heading, title);
    this.showKey(chart, lines, this.stage);
    this.describe(chart, title, lines.filter((line) => line.measured), this.stage);
  }

  paintChart({ chart, own, lines }, { player, theme, best }) {
    const { canvas } = chart;
    const { width, height } = this.sizes.get(canvas) ?? { width: 0 };
    if (!width) return;
    const ratio = window.devicePixelRatio || 1;
    if (canvas.width !== Math.round(width * ratio)) canvas.width = Math.round(width * ratio);
    if (canvas.height !== Math.round(height * ratio)) canvas.height = Math.round(height * ratio);
    const pen = canvas.getContext("2d");
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, width, height);
    const drawn = lines.filter((line) => line.measured);
    const shortRuns = shortRunsOf(chart, this.stage);
    const { axis: start, left, right, top, bottom } = this.sidesOf(canvas, shortRuns);
    const before = shortRuns.map((snapshots) => ({ history: { snapshots }, name: "mean_p" }));
    const values = extremes([...drawn, ...before]);
    const axis = own ? { low: 0, high: 1, ticks: [0, 1], texts: ["least", "most"] } : axisOf(values, chart);
    const { clock, last } = player;
    const x = (time) => left + (time / (last || 1)) * (right - left);
    const upright = (share) => bottom - share * (bottom - top);
    const y = (v) => upright((v - axis.low) / (axis.high - axis.low));
    pen.font = `${11 * theme.type}px ${theme.font}`;
    pen.fillStyle = theme.quiet;
    pen.textAlign = "right";
    const between = (bottom - top) / Math.max(1, axis.ticks.length - 1); // two ticks; a low chart names some of them
    const stride = Math.max(1, Math.ceil((LETTERS * theme.type) / Math.max(1, between)));
    axis.ticks.forEach((value, k) => {
      stroke(pen, 2, (end) => (end ? right : start), () => y(value), theme.line);
      if (k % stride === 0) pen.fillText(axis.texts[k], start - 5, y(value) + 4 * theme.type);
    });
    const histories = [...player.histories.values()].filter((history) => history.length);
    if (!histories.length) return;
    const iterations = Math.max(...histories.map((history) => history.last("iteration")));
    pen.fillText(clock === "seconds" ? seconds(last) : `iteration ${iterations}`, right, height - 4);
    pen.textAlign = "left";
    pen.fillText("0", left, height - 4);
    if (shortRuns.length) pen.fillText(`${shortRuns.length} starts`, start, height - 4);
    paintShortRuns(pen, shortRuns, start, left, y, theme);
    for (const { history, name, ink, dash, thickness } of drawn) {
      const [low, high] = own ? extremes([{ history, name }]) : [0, 0];
      const place = own ? (v) => upright(high > low ? (v - low) / (high - low) : 0.5) : y;
      const { snapshots } = history, colour = theme.lines[ink];
      // No more corners than there are places for them.
      const step = Math.max(1, Math.floor(snapshots.length / (2 * width)));
      const at = (k) => snapshots[Math.min(k * step, snapshots.length - 1)];
      const corners = Math.ceil(snapshots.length / step) + 1;
      stroke(pen, corners, (k) => x(at(k)[clock]), (k) => place(at(k)[name]), colour, thickness, DASHES[dash]);
      disc(pen, x(history.at), place(history.value(name, clock)), 3.4, colour);
      const first = name === "held_out_1nn" ? bestSnapshot(history) : null;
      if (first) disc(pen, x(first[clock]), place(first[name]), 6, colour, 1.6);
    }
    const upline = (time, dash) => stroke(pen, 2, () => x(time), (end) => (end ? bottom : top), theme.quiet, 1, dash);
    upline(player.position, []);
    if (best) upline(best.snapshot[clock], [2, 3]);
  }

  // The chart in words, for screen readers.
  describe(chart, title, lines, { player: { clock }, best }) {
    const parts = lines.map(({ history, name, title: kind }) => {
      const first = short(history.snapshots[0][name], 3), last = short(history.last(name), 3);
      const now = history.current(clock);
      return `${kind} from ${first} to ${last}, ${short(now[name], 3)} at iteration ${now.iteration}`;
    });
    if (best && chart.compared) parts.push(`best held-out accuracy at iteration ${best.snapshot.iteration}`);
    const ends = shortRunsOf(chart, this.stage).map((run) => short(run.at(-1).mean_p, 3));
    const from = `before that, short runs from ${ends.length} starts, which reached ${ends.join(", ")}`;
    if (ends.length) parts.push(`${from}; training continued from the last`);
    chart.canvas.ariaLabel = `Chart. ${title}. ${parts.join("; ") || "Nothing is measured yet"}.`;
  }

  showKey(chart, lines, { player, theme }) {
    const items = lines.map(({ history, name, title, measured, ink, dash }) => {
      const value = measured ? short(history.current(player.clock)[name], 3) : "–";
      const item = element("span", `ink dash${dash}`, `${title} ${value}`);
      item.style.setProperty("--ink", theme.lines[ink]);
      return item;
    });
    const shown = items.map(({ outerHTML }) => outerHTML).join("");
    if (shown !== chart.shown) chart.key.replaceChildren(...items);
    chart.shown = shown;
  }
}

// A line through so many places, `x` and `y` of each by its number.
function stroke(pen, count, x, y, colour, width = 1, dash = []) {
  pen.strokeStyle = colour;
  pen.lineWidth = width;
  pen.setLineDash(dash);
  pen.beginPath();
  for (let k = 0; k < count; k++) pen.lineTo(x(k), y(k));
  pen.stroke();
}

// `width`: of the line around it, where it is a ring.
function disc(pen, x, y, radius, colour, width = 0) {
  pen.strokeStyle = pen.fillStyle = colour;
  pen.lineWidth = width;
  pen.setLineDash([]);
  pen.beginPath();
  pen.arc(x, y, radius, 0, 2 * Math.PI);
  if (width) pen.stroke();
  else pen.fill();
}

// The short runs that compared starts of the one live panel, for the chart of f/n alone.
function shortRunsOf(chart, { player, live }) {
  if (live.length !== 1 || chart.kinds[0][0] !== "mean_p") return [];
  return player.histories.get(live[0].key)?.shortRuns.runs ?? [];
}

// Thin lines that end where the training begins; the best one, from which training continues, has its line's colour.
function paintShortRuns(pen, runs, start, end, y, theme) {
  const longest = Math.max(...runs.map((run) => run.length - 1), 1);
  runs.forEach((run, k) => {
    const best = k === runs.length - 1, colour = best ? theme.lines[0] : theme.quiet;
    const x = (i) => end - ((run.length - 1 - i) / longest) * (end - start - GAP);
    stroke(pen, run.length, x, (i) => y(run[i].mean_p), colour, best ? 1.8 : 1);
    disc(pen, end, y(run.at(-1).mean_p), best ? 3.4 : 2, colour);
  });
}

// Which lines a chart has: of one live panel every kind of number, of several one kind, with a line for each panel.
const MEASURES = [
  { title: "Chance of picking a same-class neighbour (f/n)", kinds: [["mean_p", "f/n"]], bounds: [0, 1] },
  { title: "Objective", kinds: [["objective", "objective"]], bounds: [-Infinity, Infinity] },
  {
    title: "K̂: effective number of neighbours",
    kinds: [["k_mean_entropy", "K̂"], ["k_mean_perplexity", "mean of each point's own K"]],
    bounds: [1, Infinity],
    from: 1,
  },
  {
    title: "Accuracy",
    kinds: [["held_out_1nn", "1-NN on held-out rows"], ["accuracy_1nn", "1-NN on training rows (optimistic)"]],
    bounds: [0, 1],
    compared: true,
  },
];
const STRONG = 2.6, USUAL = 1.8; // pixels

// -> the chart's title, whether each line has a range of its own, and its lines: whose history, which number, its
// title, its colour, dash and thickness, whether it is measured. No lines: the chart is not shown.
function linesOf(chart, { player, live }) {
  const histories = live.map(({ key }) => player.histories.get(key));
  if (chart.title === "Objective") return objectives(chart, live, histories);
  if (live.length < 2) {
    const every = (history) => chart.kinds.map(([name, title], ink) => lineOf(history, name, title, ink));
    const lines = histories.flatMap(every);
    return { title: chart.title, lines: lines.filter((line) => line.measured) };
  }
  const [name, kind] = chart.kinds.find(([each]) => histories.some((history) => has(history, each))) ?? chart.kinds[0];
  const lines = live.map((panel, ink) => lineOf(histories[ink], name, panel.content.title, ink));
  return { title: chart.compared ? kind : chart.title, lines };
}

// The objective climbed, where that is not f. Different objectives share only the iteration, so each has its own range.
function objectives(chart, live, histories) {
  if (!live.some(({ content }) => content.objective)) return { title: chart.title, lines: [] };
  const formulas = live.map(({ content }) => content.objective || "Σ pᵢ");
  const own = new Set(formulas).size > 1;
  const title = own ? "Objectives climbed, each on its own range" : `Objective climbed: ${formulas[0]}`;
  const lines = live.map(({ content }, ink) => {
    const named = own ? `${content.title}, ${formulas[ink]}` : content.title;
    return lineOf(histories[ink], "objective", live.length < 2 ? "objective" : named, ink);
  });
  return { title, own, lines };
}

export function dashOf(ink) {
  return ink % DASHES.length;
}

function lineOf(history, name, title, ink) {
  const thickness = name === "held_out_1nn" ? STRONG : USUAL;
  return { history, name, title, ink, dash: dashOf(ink), thickness, measured: has(history, name) };
}

function has(history, name) {
  return history.length > 0 && !Number.isNaN(history.snapshots[0][name]);
}

function short(value, digits) {
  if (Math.abs(value) < 0.5 * 10 ** -digits) return (0).toFixed(digits); // never -0.000
  if (Math.abs(value) >= 1e6) return value.toExponential(2);
  if (Math.abs(value) >= 1000) return value.toFixed(0);
  return Math.abs(value) >= 10 ? value.toFixed(1) : value.toFixed(digits);
}

// The upright axis of a chart: a range that holds the values, and round numbers to read them by.
const PARTS = 3; // between ticks, about

// The least and the greatest value of the lines; null where there is none.
function extremes(lines) {
  let low = Infinity, high = -Infinity;
  for (const { history, name } of lines) {
    for (const snapshot of history.snapshots) {
      low = Math.min(low, snapshot[name]);
      high = Math.max(high, snapshot[name]);
    }
  }
  return low <= high ? [low, high] : null;
}

// -> { low, high, ticks } with round ticks, `texts` beside them. `bounds`: what the values can never leave; `from`:
// where the axis begins in any case.
export function axisOf(values, { bounds: [least, most], from }) {
  const [a, b] = values ?? [Math.max(least, 0), Math.min(most, 10)];
  const start = from ?? a;
  const span = Math.max(b - start, Math.abs(b) * 1e-3, 1e-6);
  const step = roundAbove((0.999 * span) / PARTS);
  const low = from ?? Math.max(least, Math.floor(start / step + 1e-9) * step);
  const high = Math.max(low + step, Math.min(most, Math.ceil(b / step - 1e-9) * step));
  const ticks = from === undefined ? [] : [from];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; k++) {
    if (from === undefined || k * step >= from + step / 2) ticks.push(k * step);
  }
  const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  const text = (tick) => (Math.abs(tick) >= 1e5 ? tick.toExponential(1) : tick.toFixed(Math.min(digits, 6)));
  const texts = ticks.map(text);
  return { low, high: Math.max(high, ticks[ticks.length - 1]), ticks, texts };
}
