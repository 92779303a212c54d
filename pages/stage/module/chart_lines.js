// Which lines a chart has: of one live panel every kind of number, of several one kind, with a line for each panel.
export const measures = [
  { title: "Mean pᵢ (f/n)", kinds: [["mean_p", "f/n"]], unit: true },
  {
    title: "Estimate of K",
    kinds: [["k_mean_entropy", "exp(mean entropy)"], ["k_mean_perplexity", "mean exp(entropy)"]],
  },
  {
    title: "Accuracy",
    kinds: [
      ["accuracy_1nn", "1-NN, leave-one-out"], ["accuracy_knn", "K̂-NN, leave-one-out"],
      ["held_out_1nn", "1-NN, held-out"], ["held_out_knn", "K̂-NN, held-out"],
    ],
    unit: true,
    compared: ["held_out_1nn", "accuracy_1nn"], // of several panels: the first of these that any has
  },
];
const DASHES = 4; // different ones, see stage.css

// -> the chart's title and its lines: whose history, which number, its title, its colour and dash, whether it is measured.
export function linesOf(chart, { player, live }) {
  const histories = live.map(({ key }) => player.histories.get(key));
  if (live.length < 2) {
    const lines = histories.flatMap((history) => {
      return chart.kinds.map(([name, title], ink) => lineOf(history, name, title, ink));
    });
    return { title: chart.title, lines: lines.filter((line) => line.measured) };
  }
  const wanted = chart.compared ?? [chart.kinds[0][0]];
  const name = wanted.find((each) => histories.some((history) => has(history, each))) ?? wanted[wanted.length - 1];
  const kind = chart.kinds.find(([each]) => each === name)[1];
  const lines = live.map((panel, ink) => lineOf(histories[ink], name, panel.content.title, ink));
  return { title: chart.kinds.length > 1 ? `${chart.title}: ${kind}` : chart.title, lines };
}

// The colour and the dash of a line or of a live panel, by its place.
export function dashOf(ink) {
  return ink % DASHES;
}

function lineOf(history, name, title, ink) {
  return { history, name, title, ink, dash: dashOf(ink), measured: has(history, name) };
}

function has(history, name) {
  return history.length > 0 && !Number.isNaN(history.snapshots[0][name]);
}

export function short(value, digits = 2) {
  if (Math.abs(value) >= 1000) return value.toFixed(0);
  return Math.abs(value) >= 10 ? value.toFixed(1) : value.toFixed(digits);
}
