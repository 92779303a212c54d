// Decodes what pages/stage/wire.py encodes: a scene once, then batches of snapshots.
export const NUMBERS = [
  "iteration", "objective", "mean_p", "gradient_norm", "k_mean_entropy", "k_mean_perplexity",
  "accuracy_1nn", "accuracy_knn", "held_out_1nn", "held_out_knn", "seconds",
];

export function decodeScene(buffer) {
  const headLength = new DataView(buffer).getUint32(0, true);
  const head = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, headLength)));
  const start = 4 + headLength;
  const take = (Kind, name) => new Kind(buffer, start + head.arrays[name].offset, head.arrays[name].length);
  return {
    ...head,
    X: take(Float32Array, "X"),
    hover: take(head.arrays.hover.type === "f8" ? Float64Array : Float32Array, "hover"),
    labels: take(Int32Array, "labels"),
    rows: take(Int32Array, "rows"),
    heldOut: take(Uint8Array, "held_out"),
    panels: head.panels.map((panel, index) => ({ ...panel, A: take(Float32Array, `panel${index}`) })),
  };
}

export function decodeSnapshots(buffer) {
  const [count, components, features] = new Float64Array(buffer, 0, 3);
  const matrix = components * features;
  const snapshots = [];
  let at = 24;
  for (let k = 0; k < count; k++) {
    const values = new Float64Array(buffer, at, NUMBERS.length);
    const snapshot = { A: new Float32Array(buffer, at + 8 * NUMBERS.length, matrix) };
    NUMBERS.forEach((name, index) => (snapshot[name] = values[index]));
    snapshots.push(snapshot);
    at += 8 * NUMBERS.length + 8 * Math.ceil(matrix / 2);
  }
  return snapshots;
}
