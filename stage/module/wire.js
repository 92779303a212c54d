// Decodes what stage/wire.py encodes: a scene once, then batches of snapshots.
export const NUMBERS = [
  "iteration", "objective", "mean_p", "gradient_norm", "k_mean_entropy", "k_mean_perplexity",
  "accuracy_1nn", "accuracy_knn", "held_out_1nn", "held_out_knn", "seconds",
];
const HEADER = 6; // numbers before the first snapshot

export function decodeScene(buffer) {
  const headLength = new DataView(buffer).getUint32(0, true);
  const head = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, headLength)));
  const start = 4 + headLength;
  const take = (Kind, name, length) => {
    const at = head.arrays[name];
    if (at?.length !== length) throw new RangeError(`${name} has ${at?.length} values instead of ${length}.`);
    return new Kind(buffer, start + at.offset, length);
  };
  const { samples: n, components } = head;
  const features = head.features.map((set, k) => ({ ...set, X: take(Float32Array, `features${k}`, n * set.columns) }));
  return {
    ...head,
    features,
    hover: take(head.arrays.hover.type === "f8" ? Float64Array : Float32Array, "hover", n * head.hover_names.length),
    labels: take(Int32Array, "labels", n),
    rows: take(Int32Array, "rows", n),
    rowNames: head.arrays.names ? namesOf(take(Uint8Array, "names", head.arrays.names.length), n) : null,
    heldOut: take(Uint8Array, "held_out", n),
    panels: head.panels.map((panel, k) => ({
      ...panel,
      frame: panel.problem ? null : take(Float32Array, `panel${k}`, components * columnsOf(panel, features, n)),
      labels: head.arrays[`labels${k}`] ? take(Int32Array, `labels${k}`, n) : null,
    })),
  };
}

function namesOf(bytes, samples) {
  const names = new TextDecoder().decode(bytes).split("\n");
  if (names.length !== samples) throw new RangeError(`${names.length} names of ${samples} rows.`);
  return names;
}

// A frame is `components` rows of so many values: a matrix over features, or coordinates of points.
function columnsOf(panel, features, samples) {
  return panel.kind === "coordinates" ? samples : features[panel.features].columns;
}

// -> panel index, run number, number of the short run (0 for the training itself) and the snapshots, in order.
export function decodeSnapshots(buffer) {
  const [panel, run, shortRun, count, rows, columns] = new Float64Array(buffer, 0, HEADER);
  const size = rows * columns;
  const stride = 8 * NUMBERS.length + 8 * Math.ceil(size / 2);
  if (!(count >= 1 && size >= 1) || buffer.byteLength !== 8 * HEADER + count * stride) {
    throw new RangeError(`${buffer.byteLength} bytes cannot hold ${count} frames of ${rows} x ${columns}.`);
  }
  const snapshots = [];
  for (let k = 0, at = 8 * HEADER; k < count; k++, at += stride) {
    const values = new Float64Array(buffer, at, NUMBERS.length);
    // A copy, so that a snapshot that is dropped later does not hold the whole message.
    const snapshot = { frame: new Float32Array(buffer, at + 8 * NUMBERS.length, size).slice() };
    NUMBERS.forEach((name, index) => (snapshot[name] = values[index]));
    snapshots.push(snapshot);
  }
  return { panel, run, shortRun, snapshots };
}
