// Three small charts over the player's clock: objective, K estimate, accuracies; a press or drag on one scrubs. With one
// live panel a chart has a line for each kind of number, with several a line for each panel.
import { linesOf, measures, short } from "./chart_lines.js";
import { element } from "./panel.js";
import { seconds } from "./status.js";

const EDGE = { left: 40, right: 10, top: 8, bottom: 18 };
const DASHES = [[], [5, 3], [1.5, 2.5], [7, 2, 2, 2]];

export class Curves {
  constructor(stage) {
    this.stage = stage;
    this.root = element("div", "curves");
    this.charts = measures.map((chart) => this.build(chart));
  }

  build(chart) {
    const root = element("section", "chart");
    const title = element("h4", "", chart.title);
    const key = element("div", "key");
    const canvas = element("canvas", "");
    canvas.setAttribute("role", "img");
    root.append(title, canvas, key);
    this.root.append(root);
    const scrub = (event) => {
      if (!event.buttons) return;
      const { player } = this.stage;
      const width = canvas.clientWidth - EDGE.left - EDGE.right;
      const share = (event.clientX - canvas.getBoundingClientRect().left - EDGE.left) / width;
      this.stage.seek(player.clock === "number" ? Math.round(share * player.last) : share * player.last);
    };
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      scrub(event);
    });
    canvas.addEventListener("pointermove", scrub);
    return { ...chart, canvas, heading: title, key, shown: "" };
  }

  paint() {
    for (const chart of this.charts) this.paintChart(chart, this.stage.player, this.stage.theme);
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
    const { title, lines } = linesOf(chart, this.stage);
    if (chart.heading.textContent !== title) chart.heading.textContent = title;
    this.showKey(chart, lines, player, theme);
    const drawn = lines.filter((line) => line.measured);
    const [low, high] = rangeOf(chart, drawn);
    const { clock, last } = player;
    const x = (time) => EDGE.left + (time / (last || 1)) * (width - EDGE.left - EDGE.right);
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
    const histories = [...player.histories.values()].filter((history) => history.length);
    if (!histories.length) return;
    const end = clock === "seconds" ? seconds(last) : Math.max(...histories.map((history) => history.last("iteration")));
    pen.fillText(String(end), width - EDGE.right, height - 4);
    pen.textAlign = "left";
    pen.fillText("0", EDGE.left, height - 4);
    for (const { history, name, ink, dash } of drawn) {
      pen.strokeStyle = pen.fillStyle = theme.lines[ink];
      pen.lineWidth = 1.8;
      pen.setLineDash(DASHES[dash]);
      pen.beginPath();
      const { snapshots } = history;
      // No more corners than there are places for them.
      const stride = Math.max(1, Math.floor(snapshots.length / (2 * width)));
      for (let k = 0; k < snapshots.length; k += stride) pen.lineTo(x(snapshots[k][clock]), y(snapshots[k][name]));
      pen.lineTo(x(history.last(clock)), y(history.last(name)));
      pen.stroke();
      pen.setLineDash([]);
      pen.beginPath();
      pen.arc(x(history.at), y(history.value(name, clock)), 3.4, 0, 2 * Math.PI);
      pen.fill();
    }
    pen.strokeStyle = theme.quiet;
    pen.lineWidth = 1;
    pen.beginPath();
    pen.moveTo(x(player.position), EDGE.top);
    pen.lineTo(x(player.position), height - EDGE.bottom);
    pen.stroke();
  }

  showKey(chart, lines, player, theme) {
    const text = lines.map(({ history, name, title, measured }) => {
      return `${title} ${measured ? short(history.current(player.clock)[name], 3) : "–"}`;
    });
    const shown = text.join("|") + theme.dark;
    if (shown === chart.shown) return;
    chart.shown = shown;
    chart.key.replaceChildren(
      ...lines.map(({ ink, dash }, index) => {
        const item = element("span", `ink dash${dash}`, text[index]);
        item.style.setProperty("--ink", theme.lines[ink]);
        return item;
      }),
    );
  }
}

function rangeOf(chart, lines) {
  let low = Infinity, high = -Infinity;
  for (const { history, name } of lines) {
    for (const snapshot of history.snapshots) {
      low = Math.min(low, snapshot[name]);
      high = Math.max(high, snapshot[name]);
    }
  }
  if (!(low <= high)) return chart.unit ? [0, 1] : [0, 10];
  const room = Math.max((high - low) * 0.06, Math.abs(high) * 0.01, 1e-9);
  return chart.unit ? [Math.max(0, low - room), Math.min(1, high + room)] : [Math.max(0, low - room), high + room];
}
