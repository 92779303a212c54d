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
const DASHES = 4; // different ones, see stage.css
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

// What is climbed, where that is not f itself. Different objectives have nothing in common but the iteration.
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
  return ink % DASHES;
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
