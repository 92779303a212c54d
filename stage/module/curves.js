// Small charts over the player's clock: f/n, objective, K̂, accuracies. A press or drag on one scrubs. With one live panel a chart
// has a line for each kind of number, with several a line for each panel.
import { element, setText } from "./dom.js";
import { bestSnapshot } from "./history.js";
import { seconds } from "./toolbar.js";

const AROUND = { left: 40, right: 10, top: 8, bottom: 18 }; // around what is drawn, for letters of the usual size
const BEFORE = 0.3; // of a chart's width, for short runs that looked for the start
const GAP = 4; // pixels between the axis and these
const DASHES = [[], [5, 3], [1.5, 2.5], [7, 2, 2, 2]];

export class Curves {
  constructor(stage) {
    this.stage = stage;
    this.root = element("div", "curves");
    this.sizes = new Map(); // of the canvases, as the browser tells them: asking for one lays the page out anew
    this.watcher = new ResizeObserver((changes) => {
      for (const { target, contentRect } of changes) this.sizes.set(target, contentRect);
      this.stage.requestFrame();
    });
    this.charts = measures.map((chart) => this.build(chart));
  }

  end() {
    this.watcher.disconnect();
  }

  build(chart) {
    const root = element("section", "chart");
    const title = element("h4", "", chart.title);
    const key = element("div", "key");
    const canvas = element("canvas");
    canvas.setAttribute("role", "img");
    root.append(title, canvas, key);
    this.root.append(root);
    const scrub = (event) => {
      if (!event.buttons) return;
      const { player } = this.stage;
      const sides = sidesOf(this.stage.theme, this.sizes.get(canvas).width, shortRunsOf(chart, this.stage));
      const width = this.sizes.get(canvas).width - sides.left - sides.right;
      const share = (event.clientX - canvas.getBoundingClientRect().left - sides.left) / width;
      this.stage.seek(player.clock === "number" ? Math.round(share * player.last) : share * player.last);
    };
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      scrub(event);
    });
    canvas.addEventListener("pointermove", scrub);
    this.watcher.observe(canvas);
    return { ...chart, root, canvas, heading: title, key, shown: null, items: [] };
  }

  // All pictures before all words: setting a font lays out what has been written before.
  paint() {
    const { player, theme } = this.stage;
    const all = this.charts.map((chart) => ({ chart, ...linesOf(chart, this.stage) }));
    for (const each of all) this.paintChart(each, player, theme);
    for (const { chart, title, lines } of all) {
      chart.root.hidden = chart.title === "Objective" && !lines.length;
      setText(chart.heading, title);
      this.showKey(chart, lines, player, theme);
      this.describe(chart, title, lines.filter((line) => line.measured), player);
    }
  }

  paintChart({ chart, own, lines }, player, theme) {
    const { canvas } = chart;
    const ratio = window.devicePixelRatio || 1;
    const { width, height } = this.sizes.get(canvas) ?? { width: 0 };
    if (!width) return;
    if (canvas.width !== Math.round(width * ratio)) canvas.width = Math.round(width * ratio);
    if (canvas.height !== Math.round(height * ratio)) canvas.height = Math.round(height * ratio);
    const pen = canvas.getContext("2d");
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, width, height);
    const drawn = lines.filter((line) => line.measured);
    const shortRuns = shortRunsOf(chart, this.stage);
    const sides = sidesOf(theme, width, shortRuns);
    const before = shortRuns.map((snapshots) => ({ history: { snapshots }, name: "mean_p" }));
    const values = extremes([...drawn, ...before]);
    const axis = own ? { low: 0, high: 1, ticks: [0, 1], texts: ["least", "most"] } : axisOf(values, chart);
    const { clock, last } = player;
    const x = (time) => sides.left + (time / (last || 1)) * (width - sides.left - sides.right);
    const upright = (share) => sides.top + (1 - share) * (height - sides.top - sides.bottom);
    const y = (v) => upright((v - axis.low) / (axis.high - axis.low));
    pen.font = `${11 * theme.type}px ${theme.font}`;
    pen.fillStyle = theme.quiet;
    pen.strokeStyle = theme.line;
    pen.lineWidth = 1;
    axis.ticks.forEach((value, k) => {
      pen.beginPath();
      pen.moveTo(sides.axis, y(value));
      pen.lineTo(width - sides.right, y(value));
      pen.stroke();
      pen.textAlign = "right";
      pen.fillText(axis.texts[k], sides.axis - 5, y(value) + 4);
    });
    const histories = [...player.histories.values()].filter((history) => history.length);
    if (!histories.length) return;
    const iterations = Math.max(...histories.map((history) => history.last("iteration")));
    pen.fillText(clock === "seconds" ? seconds(last) : `iteration ${iterations}`, width - sides.right, height - 4);
    pen.textAlign = "left";
    pen.fillText("0", sides.left, height - 4);
    paintShortRuns(pen, shortRuns, sides, y, height, theme);
    for (const line of drawn) {
      const { history, name, ink, dash } = line;
      const [low, high] = own ? extremes([line]) : [0, 0];
      const place = own ? (v) => upright(high > low ? (v - low) / (high - low) : 0.5) : y;
      pen.strokeStyle = pen.fillStyle = theme.lines[ink];
      pen.lineWidth = line.width;
      pen.setLineDash(DASHES[dash]);
      pen.beginPath();
      const { snapshots } = history;
      // No more corners than there are places for them.
      const stride = Math.max(1, Math.floor(snapshots.length / (2 * width)));
      for (let k = 0; k < snapshots.length; k += stride) pen.lineTo(x(snapshots[k][clock]), place(snapshots[k][name]));
      pen.lineTo(x(history.last(clock)), place(history.last(name)));
      pen.stroke();
      pen.setLineDash([]);
      pen.beginPath();
      pen.arc(x(history.at), place(history.value(name, clock)), 3.4, 0, 2 * Math.PI);
      pen.fill();
      const best = name === "held_out_1nn" ? bestSnapshot(history) : null;
      if (best) ring(pen, x(best[clock]), place(best.held_out_1nn));
    }
    upline(pen, x(player.position), sides.top, height - sides.bottom, theme.quiet, []);
    const { best } = this.stage;
    if (best) upline(pen, x(best.snapshot[clock]), sides.top, height - sides.bottom, theme.quiet, [2, 3]);
  }

  // The chart in words, for screen readers.
  describe(chart, title, lines, { clock }) {
    const parts = lines.map(({ history, name, title: kind }) => {
      const first = short(history.snapshots[0][name], 3), last = short(history.last(name), 3);
      const now = history.current(clock);
      return `${kind} from ${first} to ${last}, ${short(now[name], 3)} at iteration ${now.iteration}`;
    });
    const { best } = this.stage;
    if (best && chart.compared) parts.push(`best held-out accuracy at iteration ${best.snapshot.iteration}`);
    const ends = shortRunsOf(chart, this.stage).map((run) => short(run[run.length - 1].mean_p, 3));
    if (ends.length) parts.push(`before that, short runs from ${ends.length} starts, which reached ${ends.join(", ")}; training continued from the last`);
    const text = `Chart. ${title}. ${parts.join("; ") || "Nothing is measured yet"}.`;
    if (chart.canvas.getAttribute("aria-label") !== text) chart.canvas.setAttribute("aria-label", text);
  }

  showKey(chart, lines, player, theme) {
    const text = lines.map(({ history, name, title, measured }) => {
      return `${title} ${measured ? short(history.current(player.clock)[name], 3) : "–"}`;
    });
    const shown = lines.map(({ ink, dash }) => `${ink} ${dash}`).join("|") + theme.dark;
    if (shown !== chart.shown) {
      chart.shown = shown;
      chart.items = lines.map(({ ink, dash }) => {
        const item = element("span", `ink dash${dash}`, "–");
        item.style.setProperty("--ink", theme.lines[ink]);
        return item;
      });
      chart.key.replaceChildren(...chart.items);
    }
    chart.items.forEach(({ firstChild }, k) => {
      if (firstChild.data !== text[k]) firstChild.data = text[k];
    });
  }
}

function ring(pen, x, y) {
  pen.lineWidth = 1.6;
  pen.beginPath();
  pen.arc(x, y, 6, 0, 2 * Math.PI);
  pen.stroke();
}

// Where the line of the training begins and, left of it, the axis; short runs lie between.
function sidesOf({ type }, width, shortRuns) {
  const axis = AROUND.left * type;
  const left = axis + (shortRuns.length ? BEFORE * width : 0);
  return { ...AROUND, axis, left, bottom: AROUND.bottom * type };
}

// The short runs that compared starts of the one live panel, for the chart of f/n alone.
function shortRunsOf(chart, { player, live }) {
  if (live.length !== 1 || chart.kinds[0][0] !== "mean_p") return [];
  return player.histories.get(live[0].key)?.shortRuns.runs ?? [];
}

// Thin lines that end where the training begins; the best one, from which it goes on, is its line's own colour.
function paintShortRuns(pen, runs, { axis, left }, y, height, theme) {
  if (!runs.length) return;
  const longest = Math.max(...runs.map((run) => run.length - 1), 1);
  runs.forEach((run, k) => {
    const best = k === runs.length - 1;
    pen.strokeStyle = pen.fillStyle = best ? theme.lines[0] : theme.quiet;
    pen.lineWidth = best ? 1.8 : 1;
    pen.beginPath();
    run.forEach((at, i) => pen.lineTo(left - ((run.length - 1 - i) / longest) * (left - axis - GAP), y(at.mean_p)));
    pen.stroke();
    pen.beginPath();
    pen.arc(left, y(run[run.length - 1].mean_p), best ? 3.4 : 2, 0, 2 * Math.PI);
    pen.fill();
  });
  pen.fillStyle = theme.quiet;
  pen.fillText(`${runs.length} starts`, axis, height - 4);
}

function upline(pen, x, top, bottom, colour, dash) {
  pen.strokeStyle = colour;
  pen.lineWidth = 1;
  pen.setLineDash(dash);
  pen.beginPath();
  pen.moveTo(x, top);
  pen.lineTo(x, bottom);
  pen.stroke();
  pen.setLineDash([]);
}

// Which lines a chart has: of one live panel every kind of number, of several one kind, with a line for each panel.
export const measures = [
  {
    title: "Chance of picking a same-class neighbour (f/n)",
    kinds: [["mean_p", "f/n"]],
    bounds: [0, 1],
  },
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
const DASH_COUNT = 4; // different ones, see stage.css
const STRONG = 2.6, USUAL = 1.8; // pixels

// -> the chart's title, whether each line has a range of its own, and its lines: whose history, which number, its title,
// its colour, dash and width, whether it is measured. No lines: the chart is not shown.
export function linesOf(chart, { player, live }) {
  const histories = live.map(({ key }) => player.histories.get(key));
  if (chart.title === "Objective") return objectives(chart, live, histories);
  if (live.length < 2) {
    const lines = histories.flatMap((history) => {
      return chart.kinds.map(([name, title], ink) => lineOf(history, name, title, ink));
    });
    return { title: chart.title, lines: lines.filter((line) => line.measured) };
  }
  const name = (chart.kinds.find(([each]) => histories.some((history) => has(history, each))) ?? chart.kinds[0])[0];
  const kind = chart.kinds.find(([each]) => each === name)[1];
  const lines = live.map((panel, ink) => lineOf(histories[ink], name, panel.content.title, ink));
  return { title: chart.compared ? kind : chart.title, lines };
}

// The objective climbed, where that is not f. Different objectives share only the iteration, so each has its own range.
function objectives(chart, live, histories) {
  const formulas = live.map((panel) => panel.content.objective ?? "");
  if (!formulas.some(Boolean)) return { title: chart.title, lines: [] };
  const written = formulas.map((formula) => formula || "Σ pᵢ");
  const own = new Set(written).size > 1;
  const title = own ? "Objectives climbed, each on its own range" : `Objective climbed: ${written[0]}`;
  const named = (k) => (live.length < 2 ? "objective" : own ? `${live[k].content.title}, ${written[k]}` : live[k].content.title);
  return { title, own, lines: live.map((_, ink) => lineOf(histories[ink], "objective", named(ink), ink)) };
}

// The colour and the dash of a line or of a live panel, by its place.
export function dashOf(ink) {
  return ink % DASH_COUNT;
}

function lineOf(history, name, title, ink) {
  const width = name === "held_out_1nn" ? STRONG : USUAL;
  return { history, name, title, ink, dash: dashOf(ink), width, measured: has(history, name) };
}

function has(history, name) {
  return history.length > 0 && !Number.isNaN(history.snapshots[0][name]);
}

export function short(value, digits = 2) {
  if (Math.abs(value) < 0.5 * 10 ** -digits) return (0).toFixed(digits); // never -0.000
  if (Math.abs(value) >= 1e6) return value.toExponential(2);
  if (Math.abs(value) >= 1000) return value.toFixed(0);
  return Math.abs(value) >= 10 ? value.toFixed(1) : value.toFixed(digits);
}

// The upright axis of a chart: a range that holds the values, and round numbers to read them by.
const PARTS = 3; // between ticks, about

// The least and the greatest value of the lines; null where there is none.
export function extremes(lines) {
  let low = Infinity, high = -Infinity;
  for (const { history, name } of lines) {
    for (const snapshot of history.snapshots) {
      low = Math.min(low, snapshot[name]);
      high = Math.max(high, snapshot[name]);
    }
  }
  return low <= high ? [low, high] : null;
}

// -> { low, high, ticks } with round ticks, `texts` beside them. `bounds`: what the values can never leave; `from`: where
// the axis begins in any case.
export function axisOf(values, { bounds: [least, most], from }) {
  const [a, b] = values ?? [Math.max(least, 0), Math.min(most, 10)];
  const start = from ?? a;
  const span = Math.max(b - start, Math.abs(b) * 1e-3, 1e-6);
  const step = roundStep(span / PARTS);
  const low = from ?? Math.max(least, Math.floor(start / step + 1e-9) * step);
  const high = Math.max(low + step, Math.min(most, Math.ceil(b / step - 1e-9) * step));
  const ticks = from === undefined ? [] : [from];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; k++) {
    if (from === undefined || k * step >= from + step / 2) ticks.push(k * step);
  }
  const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  const texts = ticks.map((tick) => (Math.abs(tick) >= 1e5 ? tick.toExponential(1) : tick.toFixed(Math.min(digits, 6))));
  return { low, high: Math.max(high, ticks[ticks.length - 1]), ticks, texts };
}

// 1, 2 or 5 times a power of ten.
function roundStep(wanted) {
  const power = 10 ** Math.floor(Math.log10(wanted));
  return [1, 2, 5, 10].find((m) => m * power >= wanted * 0.999) * power;
}
