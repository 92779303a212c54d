// The settings of the playground: their ranges, and the link in the address that carries them.
import { CLASSES, HALF_HEIGHT, HALF_WIDTH } from "./board.js";
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
export const MOST_DRAWN = 1500;

export function defaults(data = "rings") {
  const values = Object.fromEntries(Object.entries(RANGES).map(([name, { value }]) => [name, value]));
  const { noise, columns } = SETS[data];
  return { ...values, data, noise, columns, start: "pca", pace: "calm", drawing: [] };
}

// -> [settings, what could not be read, in a sentence or ""]; whatever is missing is as by default.
export function fromHash(hash) {
  const given = new URLSearchParams(hash.replace(/^#/, ""));
  const data = given.get("data");
  const settings = defaults(Object.hasOwn(SETS, data) ? data : "rings");
  const unread = [];
  for (const [name, text] of given) {
    const value = read(name, text);
    if (value === undefined) unread.push(`“${name.slice(0, 30)}”`);
    else settings[name] = value;
  }
  const list = unread.slice(0, 5).join(", ");
  return [settings, unread.length ? `This link is damaged or from another version; ignored: ${list}.` : ""];
}

// The value of a setting; undefined where the text is none.
function read(name, text) {
  if (name === "drawing") return drawingFrom(text);
  if (Object.hasOwn(CHOICES, name)) return Object.hasOwn(CHOICES[name], text) ? text : undefined;
  if (!Object.hasOwn(RANGES, name)) return undefined;
  const { min, max, step } = RANGES[name], value = Number(text);
  const fits = text.trim() && value >= min && value <= max && (Number.isInteger(value) || !Number.isInteger(step));
  return fits ? value : undefined;
}

export function toHash(settings) {
  const usual = defaults(settings.data);
  const pairs = Object.entries(settings)
    .filter(([name, value]) => name === "data" || (name !== "drawing" && value !== usual[name]))
    .map(([name, value]) => [name, String(value)]);
  if (settings.data === "drawing" && settings.drawing.length) pairs.push(["drawing", settings.drawing.map((point) => point.join(".")).join("_")]);
  return `#${new URLSearchParams(pairs)}`;
}

// "x.y.class_x.y.class…" -> points; undefined where it is cut or no drawing.
function drawingFrom(text) {
  const points = text.split("_").map((point) => (/^-?\d+\.-?\d+\.\d$/.test(point) ? point.split(".").map(Number) : []));
  const inside = ([x, y, c]) => Math.abs(x) <= HALF_WIDTH && Math.abs(y) <= HALF_HEIGHT && c < CLASSES;
  return points.length <= MOST_DRAWN && points.every(inside) ? points : undefined;
}
