// Three small charts over the iterations: objective, both K estimates, accuracies; a press or drag on one scrubs.
import { element } from "./panel.js";

const CHARTS = [
  { title: "Mean pᵢ (f/n)", lines: [["mean_p", "f/n"]], unit: true },
  { title: "Estimate of K", lines: [["k_mean_entropy", "exp(mean entropy)"], ["k_mean_perplexity", "mean exp(entropy)"]] },
  {
    title: "Accuracy",
    lines: [
      ["accuracy_1nn", "1-NN, leave-one-out"], ["accuracy_knn", "K̂-NN, leave-one-out"],
      ["held_out_1nn", "1-NN, held-out"], ["held_out_knn", "K̂-NN, held-out"],
    ],
    unit: true,
  },
];
const DASHES = [[], [5, 3], [1.5, 2.5], [7, 2, 2, 2]];
const EDGE = { left: 40, right: 10, top: 8, bottom: 18 };

export class Curves {
  constructor(stage) {
    this.stage = stage;
    this.root = element("div", "curves");
    this.charts = CHARTS.map((chart) => this.build(chart));
  }

  build(chart) {
    const root = element("section", "chart");
    const key = element("div", "key");
    const canvas = element("canvas", "");
    canvas.setAttribute("role", "img");
    root.append(element("h4", "", chart.title), canvas, key);
    this.root.append(root);
    const scrub = (event) => {
      if (!event.buttons) return;
      const width = canvas.clientWidth - EDGE.left - EDGE.right;
      const share = (event.clientX - canvas.getBoundingClientRect().left - EDGE.left) / width;
      this.stage.seek(Math.round(share * this.stage.player.last));
    };
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      scrub(event);
    });
    canvas.addEventListener("pointermove", scrub);
    return { ...chart, canvas, key, shown: "" };
  }

  paint() {
    const { player, theme } = this.stage;
    for (const chart of this.charts) this.paintChart(chart, player, theme);
  }

  paintChart(chart, player, theme) {
    const { canvas } = chart;
    const ratio = window.devicePixelRatio || 1;
    const width = canvas.clientWidth, height = canvas.clientHeight;
    if (!width) return;
    if (canvas.width !== Math.round(width * ratio)) canvas.width = Math.round(width * ratio);
    if (canvas.height !== Math.round(height * ratio)) canvas.height = Math.round(height * ratio);
    const pen = canvas.getContext("2d");
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, width, height);
    const history = player.snapshots;
    const lines = chart.lines.filter(([name]) => history.length && !Number.isNaN(history[0][name]));
    this.showKey(chart, lines, player, theme);
    const [low, high] = rangeOf(chart, lines, history);
    const x = (i) => EDGE.left + (i / Math.max(1, player.last)) * (width - EDGE.left - EDGE.right);
    const y = (v) => EDGE.top + (1 - (v - low) / (high - low)) * (height - EDGE.top - EDGE.bottom);
    pen.font = `11px ${theme.font}`;
    pen.fillStyle = theme.quiet;
    pen.strokeStyle = theme.line;
    pen.lineWidth = 1;
    for (const value of [low, (low + high) / 2, high]) {
      pen.beginPath();
      pen.moveTo(EDGE.left, y(value));
      pen.lineTo(width - EDGE.right, y(value));
      pen.stroke();
      pen.textAlign = "right";
      pen.fillText(short(value), EDGE.left - 5, y(value) + 4);
    }
    if (!history.length) return;
    pen.fillText(String(history[history.length - 1].iteration), width - EDGE.right, height - 4);
    pen.textAlign = "left";
    pen.fillText("0", EDGE.left, height - 4);
    lines.forEach(([name], index) => {
      pen.strokeStyle = theme.curves[index];
      pen.lineWidth = 1.8;
      pen.setLineDash(DASHES[index]);
      pen.beginPath();
      history.forEach((snapshot, i) => (i ? pen.lineTo(x(i), y(snapshot[name])) : pen.moveTo(x(i), y(snapshot[name]))));
      pen.stroke();
      pen.setLineDash([]);
      const now = between(history, player.position, name);
      pen.fillStyle = theme.curves[index];
      pen.beginPath();
      pen.arc(x(player.position), y(now), 3.4, 0, 2 * Math.PI);
      pen.fill();
    });
    pen.strokeStyle = theme.quiet;
    pen.lineWidth = 1;
    pen.beginPath();
    pen.moveTo(x(player.position), EDGE.top);
    pen.lineTo(x(player.position), height - EDGE.bottom);
    pen.stroke();
  }

  showKey(chart, lines, player, theme) {
    const at = player.current;
    const text = lines.map(([name, title]) => `${title} ${at ? short(at[name], 3) : ""}`);
    const shown = text.join("|") + theme.dark;
    if (shown === chart.shown) return;
    chart.shown = shown;
    chart.key.replaceChildren(
      ...text.map((words, index) => {
        const item = element("span", "", words);
        item.style.setProperty("--ink", theme.curves[index]);
        item.classList.add(`dash${index}`);
        return item;
      }),
    );
  }
}

function rangeOf(chart, lines, history) {
  let low = Infinity, high = -Infinity;
  for (const [name] of lines) {
    for (const snapshot of history) {
      low = Math.min(low, snapshot[name]);
      high = Math.max(high, snapshot[name]);
    }
  }
  if (!(low <= high)) return chart.unit ? [0, 1] : [0, 10];
  const room = Math.max((high - low) * 0.06, Math.abs(high) * 0.01, 1e-9);
  return chart.unit ? [Math.max(0, low - room), Math.min(1, high + room)] : [Math.max(0, low - room), high + room];
}

function between(history, position, name) {
  const first = Math.floor(position);
  const a = history[first][name], b = history[Math.min(first + 1, history.length - 1)][name];
  return a + (position - first) * (b - a);
}

function short(value, digits = 2) {
  if (Math.abs(value) >= 1000) return value.toFixed(0);
  return Math.abs(value) >= 10 ? value.toFixed(1) : value.toFixed(digits);
}
