// Decodes what stage/wire.py encodes: a scene once, then batches of snapshots.
export const NUMBERS = [
  "iteration", "objective", "mean_p", "gradient_norm", "k_mean_entropy", "k_mean_perplexity",
  "accuracy_1nn", "accuracy_knn", "held_out_1nn", "held_out_knn", "seconds",
];
const HEADER = 6; // numbers before the first snapshot

export function decodeScene(buffer) {
  const headLength = new DataView(buffer).getUint32(0, true);
  const text = (bytes) => new TextDecoder().decode(bytes);
  const head = JSON.parse(text(new Uint8Array(buffer, 4, headLength)));
  const start = 4 + headLength;
  const take = (Kind, name, length) => {
    const at = arrays[name];
    if (at?.length !== length) throw new RangeError(`${name} has ${at?.length} values instead of ${length}.`);
    return new Kind(buffer, start + at.offset, length);
  };
  const { samples: n, components, arrays } = head;
  const features = head.features.map((set, k) => ({ ...set, X: take(Float32Array, `features${k}`, n * set.columns) }));
  const rowNames = arrays.names ? text(take(Uint8Array, "names", arrays.names.length)).split("\n") : null;
  if (rowNames && rowNames.length !== n) throw new RangeError(`${rowNames.length} names of ${n} rows.`);
  return {
    ...head,
    features,
    hover: take(arrays.hover.type === "f8" ? Float64Array : Float32Array, "hover", n * head.hover_names.length),
    labels: take(Int32Array, "labels", n),
    rows: take(Int32Array, "rows", n),
    rowNames,
    heldOut: take(Uint8Array, "held_out", n),
    panels: head.panels.map((panel, k) => {
      // A frame is `components` rows of so many values: a matrix over features, or coordinates of points.
      const columns = panel.kind === "coordinates" ? n : features[panel.features].columns;
      return {
        ...panel,
        frame: panel.problem ? null : take(Float32Array, `panel${k}`, components * columns),
        labels: arrays[`labels${k}`] ? take(Int32Array, `labels${k}`, n) : null,
      };
    }),
  };
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
