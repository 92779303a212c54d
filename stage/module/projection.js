// Y for a frame, once: Y = X Aᵀ for a matrix, the coordinates themselves for a method without one. Frames between two
// snapshots blend their Y, which for matrices equals blending A: Y is linear in A.
import { transpose } from "./matrix.js";

export function project(X, samples, features, A, components, Numbers = Float32Array) {
  const Y = new Numbers(samples * components);
  for (let c = 0; c < components; c++) {
    const row = A.subarray(c * features, (c + 1) * features);
    for (let i = 0, at = 0; i < samples; i++) {
      let sum = 0;
      for (let f = 0; f < features; f++) sum += X[at++] * row[f];
      Y[i * components + c] = sum;
    }
  }
  return Y;
}

export function blend(Y0, Y1, t, out) {
  if (t <= 0 || Y0 === Y1) out.set(Y0);
  else for (let k = 0; k < out.length; k++) out[k] = Y0[k] + t * (Y1[k] - Y0[k]);
  return out;
}

export function blended(from, to, t) {
  return from === to ? from : blend(from, to, t, new Float32Array(from.length));
}

// How far the points reach from the centre, a few stragglers left out and those without a place.
export function spread(Y, components) {
  const samples = Y.length / components;
  const stride = Math.max(1, Math.floor(samples / 4000));
  const radii = new Float64Array(Math.ceil(samples / stride));
  let found = 0;
  for (let i = 0; i < samples; i += stride) {
    let square = 0;
    for (let c = 0; c < components; c++) square = components === 3
      ? square + Y[i * components + c] ** 2
      : Math.max(square, Y[i * components + c] ** 2);
    if (!Number.isNaN(square)) radii[found++] = Math.sqrt(square);
  }
  if (!found) return 1;
  const sorted = radii.subarray(0, found).sort();
  const most = sorted[found - 1];
  const usual = sorted[Math.floor((found - 1) * 0.99)];
  return Math.max(most > 2.5 * usual ? usual : most, 1e-30);
}

// Cache the latest projections in bounded memory. There is room for the two around the position of each live panel, for
// the next, and for all still ones.
export class Projections {
  constructor(scene) {
    this.scene = scene;
    this.kept = new Map();
    const live = scene.panels.filter((panel) => panel.live).length;
    const needed = Math.ceil(2.5 * live) + scene.panels.length - live;
    this.room = Math.max(4, needed, Math.floor(12e6 / (scene.samples * scene.components)));
  }

  // `panel` says what the frame is: a matrix on which features, or coordinates.
  of(frame, panel) {
    let found = this.kept.get(frame);
    if (found) this.kept.delete(frame);
    else {
      const { samples, components } = this.scene;
      const { X, columns } = this.scene.features[panel.features];
      const Y = panel.kind === "coordinates"
        ? transpose(frame, components, samples) // they travel axis by axis
        : project(X, samples, columns, frame, components);
      found = { Y, spread: spread(Y, components) };
    }
    this.kept.set(frame, found);
    if (this.kept.size > this.room) this.kept.delete(this.kept.keys().next().value);
    return found;
  }
}
