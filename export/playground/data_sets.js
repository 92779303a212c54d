// SETS: key -> title, the settings that it begins with, and `rows(settings, rng, tables)`; `prepared` splits and scales them.
import { Random } from "./random.js";

export const SETS = {
  rings: {
    title: "Concentric rings", noise: 3, columns: 1, generated: true, standardised: false,
    rows: ({ points }, rng) => ({
      ...labelled(points, 5, (c) => {
        const angle = 2 * Math.PI * rng.uniform();
        return [(c + 1) * Math.cos(angle), (c + 1) * Math.sin(angle)];
      }),
      names: ["x", "y"], classes: [1, 2, 3, 4, 5].map((k) => `ring ${k}`),
    }),
  },
  wine: { title: "Wine", noise: 1, columns: 0, standardised: true, rows: (_, rng, { wine }) => fromTable(wine) },
  iris: { title: "Iris", noise: 1, columns: 0, standardised: true, rows: (_, rng, { iris }) => fromTable(iris) },
  digits: {
    title: "Handwritten digits", noise: 1, columns: 0, standardised: true,
    rows: (_, rng, { digits }) => ({ ...fromTable(digits), image: [8, 8] }),
  },
  xor: {
    title: "Noisy XOR", noise: 0.5, columns: 4, generated: true, standardised: false,
    rows: ({ points }, rng) => {
      const drawn = labelled(points, 4, (corner) => [corner & 1, corner >> 1].map((bit) => bit + 0.3 * rng.normal()));
      const labels = drawn.labels.map((corner) => (corner & 1) ^ (corner >> 1));
      return { ...drawn, labels, names: ["bit 1", "bit 2"], classes: ["equal", "different"] };
    },
  },
  drawing: {
    title: "Your drawing", noise: 1, columns: 2, standardised: false,
    rows: ({ drawing }) => {
      const used = [...new Set(drawing.map(([, , c]) => c))].sort((a, b) => a - b);
      return {
        values: drawing.map(([x, y]) => [x / 1000, y / 1000]),
        labels: Int32Array.from(drawing, ([, , c]) => used.indexOf(c)),
        names: ["across", "up"], classes: used.map((c) => `class ${c + 1}`),
      };
    },
  },
};

function labelled(points, classes, draw) {
  const labels = Int32Array.from({ length: points }, (_, i) => i % classes);
  return { values: Array.from(labels, draw), labels };
}

function fromTable({ values, labels, names, classes }) {
  return { values, labels: Int32Array.from(labels), names, classes };
}

// Why a training on these rows would learn nothing, in a sentence; "" where it can.
export function problemOf({ labels, classes }) {
  if (labels.length < 8 || classes.length < 2) return "Draw at least eight points in two classes.";
  const counts = classes.map((_, c) => labels.filter((label) => label === c).length);
  return Math.max(...counts) < 2 ? "Draw at least two points in one class." : "";
}

// -> rows with their noise columns, split and scaled: { X (samples x features, double), hover, names, classes, labels,
// heldOut, image, samples, features }. Means and scales are those of the training rows.
export function prepared(settings, tables) {
  const set = SETS[settings.data];
  const { values, labels, names, classes, image } = set.rows(settings, new Random(settings.seed), tables);
  const samples = values.length, own = names.length, features = own + settings.columns;
  const heldOut = split(labels, settings.heldOut, new Random(settings.seed + 1));
  const noise = new Random(settings.seed + 2);
  const X = new Float64Array(samples * features);
  for (let i = 0; i < samples; i++) {
    for (let f = 0; f < features; f++) X[i * features + f] = f < own ? values[i][f] : settings.noise * noise.normal();
  }
  scale(X, samples, features, heldOut, set.standardised ? own : 0);
  return {
    X, labels, heldOut, classes, samples, features, image: settings.columns ? null : image ?? null,
    names: [...names, ...Array.from({ length: settings.columns }, (_, k) => `noise ${k + 1}`)],
    hover: Float32Array.from(values.flat()), hoverNames: names,
  };
}

// The same share of each class is held out, and at least two rows of it stay.
function split(labels, share, rng) {
  const heldOut = new Uint8Array(labels.length);
  for (const c of new Set(labels)) {
    const rows = rng.shuffled(Array.from(labels.keys()).filter((i) => labels[i] === c));
    const count = Math.min(Math.round(share * rows.length), Math.max(0, rows.length - 2));
    for (const i of rows.slice(0, count)) heldOut[i] = 1;
  }
  return heldOut;
}

// Centre all columns and divide the first `standardised` of them by their deviation on the training rows.
function scale(X, samples, features, heldOut, standardised) {
  const train = heldOut.reduce((sum, out) => sum + 1 - out, 0);
  for (let f = 0; f < features; f++) {
    let mean = 0, square = 0;
    for (let i = 0; i < samples; i++) if (!heldOut[i]) mean += X[i * features + f] / train;
    for (let i = 0; i < samples; i++) {
      X[i * features + f] -= mean;
      if (!heldOut[i]) square += X[i * features + f] ** 2 / train;
    }
    const unit = f < standardised && square > 0 ? Math.sqrt(square) : 1;
    for (let i = 0; i < samples; i++) X[i * features + f] /= unit;
  }
}
