// The settings of the playground: their ranges, and the link in the address that carries them.
import { SETS } from "./data_sets.js";

export const STARTS = { pca: "PCA", lda: "LDA", random: "random", best: "best of four short runs" };
// Least seconds between two iterations; null: at once, and the stage shows them in 8 to 10 s.
export const PACES = { calm: ["calm", null], normal: ["normal", 0.08], full: ["full speed", 0] };
export const RANGES = {
  points: { title: "Points", min: 100, max: 1500, step: 50, value: 300 },
  noise: { title: "Noise (standard deviation)", min: 0, max: 10, step: 0.5, value: 3 },
  columns: { title: "Noise columns", min: 0, max: 10, step: 1, value: 1 },
  heldOut: { title: "Held out", min: 0, max: 0.5, step: 0.05, value: 0.3 },
  seed: { title: "Seed", min: 0, max: 999, step: 1, value: 0 },
  dimensions: { title: "Dimensions", min: 2, max: 3, step: 1, value: 2 },
};
const CHOICES = { data: SETS, start: STARTS, pace: PACES };
const MOST_DRAWN = 1500, ACROSS = 1333, UP = 1000, CLASSES = 9; // as on the drawing board

export function defaults(data = "rings") {
  const values = Object.fromEntries(Object.entries(RANGES).map(([name, { value }]) => [name, value]));
  const { noise, columns } = SETS[data];
  return { ...values, data, noise, columns, start: "pca", pace: "calm", drawing: [] };
}

// -> [settings, what could not be read, in a sentence or ""]; whatever is missing is as by default.
export function fromHash(hash) {
  const given = new URLSearchParams(hash.replace(/^#/, ""));
  const unread = [];
  const data = given.get("data") ?? "rings";
  const settings = defaults(Object.hasOwn(SETS, data) ? data : "rings");
  for (const [name, text] of given) {
    if (name === "drawing") {
      settings.drawing = drawingFrom(text) ?? (unread.push(name), []);
    } else if (Object.hasOwn(CHOICES, name)) {
      if (Object.hasOwn(CHOICES[name], text)) settings[name] = text;
      else unread.push(name);
    } else if (Object.hasOwn(RANGES, name)) {
      const { min, max } = RANGES[name], value = Number(text);
      const whole = Number.isInteger(RANGES[name].step);
      if (text.trim() && value >= min && value <= max && (!whole || Number.isInteger(value))) settings[name] = value;
      else unread.push(name);
    } else unread.push(name);
  }
  const list = unread.slice(0, 5).map((name) => `“${name.slice(0, 30)}”`).join(", ");
  return [settings, unread.length ? `This link is damaged or from another version; ignored: ${list}.` : ""];
}

export function toHash(settings) {
  const usual = defaults(settings.data);
  const pairs = Object.entries(settings)
    .filter(([name, value]) => name === "data" || (name !== "drawing" && value !== usual[name]))
    .map(([name, value]) => [name, String(value)]);
  if (settings.data === "drawing" && settings.drawing.length) pairs.push(["drawing", settings.drawing.map((point) => point.join(".")).join("_")]);
  return `#${new URLSearchParams(pairs)}`;
}

// "x.y.class_x.y.class…" -> points; null where it is cut or no drawing.
function drawingFrom(text) {
  const points = text.split("_").map((point) => (/^-?\d+\.-?\d+\.\d$/.test(point) ? point.split(".").map(Number) : null));
  const inside = (point) => point && Math.abs(point[0]) <= ACROSS && Math.abs(point[1]) <= UP && point[2] < CLASSES;
  return points.length <= MOST_DRAWN && points.every(inside) ? points : null;
}
