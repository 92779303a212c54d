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
