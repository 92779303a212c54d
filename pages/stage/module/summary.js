// What a panel shows, in words, for those who do not see it: where its classes lie and how well they are told apart.
const MOST = 12; // classes that are named
const OFF = 0.22; // of the half width, from which on a centre is not in the middle

// `panel`: with positions of the picture that is shown; `at`: its snapshot, or null.
export function summaryOf(panel, { scene, hidden, without }, at) {
  const { width, height } = panel.raster;
  const half = Math.min(width, height) / 2;
  const classes = scene.classes.length;
  const sums = Array.from({ length: classes + 1 }, () => [0, 0, 0]); // the last one: unlabelled
  for (let i = 0; i < panel.xs.length; i++) {
    if (!(Number.isFinite(panel.xs[i]) && Number.isFinite(panel.ys[i]))) continue;
    const sum = sums[panel.labels[i] < 0 ? classes : panel.labels[i]];
    sum[0] += panel.xs[i];
    sum[1] += panel.ys[i];
    sum[2]++;
  }
  const parts = [];
  for (let label = 0; label < classes && parts.length < MOST; label++) {
    const [x, y, count] = sums[label];
    if (!count || hidden.has(label)) continue;
    const where = placeOf((x / count - width / 2) / half, (height / 2 - y / count) / half);
    parts.push(`${scene.classes[label]} (${count}) ${where}`);
  }
  if (classes > MOST) parts.push(`and ${classes - MOST} more classes`);
  if (sums[classes][2]) parts.push(`${sums[classes][2]} unlabelled`);
  return [`Centres of the classes: ${parts.join("; ")}.`, accuracies(at, without)].filter(Boolean).join(" ");
}

export function placeOf(x, y) {
  const across = x < -OFF ? "left" : x > OFF ? "right" : "";
  const up = y < -OFF ? "lower" : y > OFF ? "upper" : "";
  if (up && across) return `at the ${up} ${across}`;
  if (across) return `on the ${across}`;
  return up ? `in the ${up} middle` : "in the middle";
}

function accuracies(at, without) {
  if (!at) return "";
  const parts = [[at.held_out_1nn, "held-out rows"], [at.accuracy_1nn, "training rows, which is optimistic"]]
    .filter(([value]) => !Number.isNaN(value) && !without.has("accuracy"))
    .map(([value, of]) => `${Math.round(100 * value)}\u00a0% on ${of}`);
  return `Iteration ${at.iteration}.${parts.length ? ` 1-NN accuracy ${parts.join(", ")}.` : ""}`;
}
