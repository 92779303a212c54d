// Y = X Aᵀ for a snapshot, once; frames between two snapshots blend their Y, which equals blending A: Y is linear in A.
export function project(X, samples, features, A, components) {
  const Y = new Float32Array(samples * components);
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

// How far the points reach from the centre, a few stragglers left out.
export function spread(Y, components) {
  const samples = Y.length / components;
  const stride = Math.max(1, Math.floor(samples / 4000));
  const radii = [];
  for (let i = 0; i < samples; i += stride) {
    let square = 0;
    for (let c = 0; c < components; c++) square = components === 3
      ? square + Y[i * components + c] ** 2
      : Math.max(square, Y[i * components + c] ** 2);
    radii.push(Math.sqrt(square));
  }
  radii.sort((a, b) => a - b);
  const most = radii[radii.length - 1];
  const usual = radii[Math.floor((radii.length - 1) * 0.99)];
  return Math.max(most > 2.5 * usual ? usual : most, 1e-30);
}

// Keeps the projections that were asked for last; memory stays bounded however long the history is.
export class Projections {
  constructor(scene) {
    this.scene = scene;
    this.kept = new Map();
    this.room = Math.max(4, Math.floor(12e6 / (scene.samples * scene.components)));
  }

  of(A) {
    let found = this.kept.get(A);
    if (found) this.kept.delete(A);
    else {
      const { X, samples, features, components } = this.scene;
      const Y = project(X, samples, features, A, components);
      found = { Y, spread: spread(Y, components) };
    }
    this.kept.set(A, found);
    if (this.kept.size > this.room) this.kept.delete(this.kept.keys().next().value);
    return found;
  }
}
