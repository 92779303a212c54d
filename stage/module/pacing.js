// How long the way from one picture to the next is shown: a calm training lasts 8 to 10 s and takes its time where the
// picture changes. As in nca_core/training/pace.py.
import { transpose } from "./matrix.js";
import { project } from "./projection.js";

const PER_PICTURE = 0.05, PER_MOTION = 4.5, GROWTH = 0.06, POWER = 0.7;
const EASY = 7, MOST = 10, BEND = 5; // seconds: played as they are, in all, and how fast the rest is pressed together
const SAMPLE = 300; // rows

// Seconds between two pictures, each the centred places of the same points one after the other: (n_points x
// components).
export function nominalSeconds(before, after, components) {
  const n = before.length / components;
  const size = (Y) => Math.sqrt(Y.reduce((sum, y) => sum + y * y, 0) / n) || 1;
  const first = size(before), last = size(after);
  let square = 0;
  for (let k = 0; k < before.length; k++) square += (after[k] / last - before[k] / first) ** 2;
  const motion = Math.sqrt(square / n), growth = Math.abs(Math.log(last / first));
  const seconds = PER_PICTURE + PER_MOTION * (motion ** POWER + GROWTH * growth);
  return Number.isFinite(seconds) ? seconds : PER_PICTURE;
}

// When a picture is shown that would be due after `seconds`.
export function pressed(seconds) {
  return Math.min(seconds, EASY + (MOST - EASY) * (1 - Math.exp(-Math.max(0, seconds - EASY) / BEND)));
}

// -> (frame, panel) => centred places of evenly spread points, for `nominalSeconds`.
export function sampler({ samples, components, features }) {
  const stride = Math.max(1, Math.floor(samples / SAMPLE)), count = Math.ceil(samples / stride);
  const sampled = (values, columns) => Float32Array.from({ length: count * columns }, (_, k) => {
    return values[Math.floor(k / columns) * stride * columns + (k % columns)];
  });
  const rows = features.map(({ X, columns }) => sampled(X, columns));
  return (frame, { kind, features: set }) => {
    if (kind === "coordinates") return sampled(transpose(frame, components, samples), components);
    return project(rows[set], count, features[set].columns, frame, components);
  };
}
