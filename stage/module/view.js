// The view of one or several panels: zoom and pan in 2-D, rotation and zoom in 3-D.
const TILT = 0.3, TURN = 0.35; // radians

export class View {
  // `facing`: in 3-D a rotation from which one looks first, then a little tilted.
  constructor(components, facing = null) {
    this.components = components;
    this.facing = facing;
    this.reset();
  }

  recentre() {
    this.zoom = 1;
    this.panX = 0;
    this.panY = 0;
  }

  reset() {
    this.recentre();
    this.rotation = this.components === 3 ? this.home : null;
  }

  get home() {
    const tilt = multiply(aboutX(TILT), aboutY(TURN));
    return this.facing ? multiply(tilt, this.facing) : tilt;
  }

  // Face another scene from its own best side, unless the view has been turned by hand.
  face(facing) {
    const untouched = this.rotation?.every((value, k) => value === this.home[k]);
    this.facing = facing;
    if (untouched) this.rotation = this.home;
  }

  copy() {
    return Object.assign(new View(this.components), this);
  }

  // A drag by (dx, dy), as shares of the panel's half width.
  drag(dx, dy) {
    if (this.rotation) this.rotation = multiply(multiply(aboutX(dy * 1.6), aboutY(dx * 1.6)), this.rotation);
    else {
      this.panX += dx;
      this.panY -= dy;
    }
  }

  // Zoom by `factor` around (x, y), as shares of the half width from the centre, y upwards.
  zoomBy(factor, x = 0, y = 0) {
    const zoom = Math.max(0.2, Math.min(200, this.zoom * factor));
    const applied = zoom / this.zoom;
    this.zoom = zoom;
    if (!this.rotation) {
      this.panX = x - (x - this.panX) * applied;
      this.panY = y - (y - this.panY) * applied;
    }
  }
}

function aboutX(angle) {
  const c = Math.cos(angle), s = Math.sin(angle);
  return [1, 0, 0, 0, c, -s, 0, s, c];
}

function aboutY(angle) {
  const c = Math.cos(angle), s = Math.sin(angle);
  return [c, 0, s, 0, 1, 0, -s, 0, c];
}

export function transposed(p) {
  return [0, 1, 2].flatMap((k) => [p[k], p[3 + k], p[6 + k]]);
}

export function cross(p, q) {
  return [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]];
}

export function multiply(p, q) {
  const out = new Array(9);
  for (let i = 0; i < 3; i++) {
    for (let j = 0; j < 3; j++) out[3 * i + j] = p[3 * i] * q[j] + p[3 * i + 1] * q[3 + j] + p[3 * i + 2] * q[6 + j];
  }
  return out;
}

// The views of the panels: one for all while they are linked, else one for each.

export class Views {
  constructor() {
    this.linked = true;
    this.shared = null;
    this.own = new WeakMap();
    this.last = null; // the panel that was turned or zoomed last
  }

  // Views survive another scene, unless it has other dimensions.
  fit(components, facing = null) {
    if (this.shared?.components === components) {
      this.shared.face(facing);
      return;
    }
    this.shared = new View(components, facing);
    this.own = new WeakMap();
  }

  of(panel) {
    if (this.linked) return this.shared;
    if (!this.own.has(panel)) this.own.set(panel, this.shared.copy());
    return this.own.get(panel);
  }

  // Unlinked, each panel starts from the shared view; linked again, all take the view that was used last.
  toggle() {
    if (!this.linked && this.last && this.own.has(this.last)) this.shared = this.own.get(this.last);
    this.own = new WeakMap();
    this.last = null;
    this.linked = !this.linked;
  }

  // All views, or that of one panel if panels are not linked.
  reset(panel = null) {
    if (panel && !this.linked) this.of(panel).reset();
    else {
      this.shared.reset();
      this.own = new WeakMap();
    }
  }

  // Zoom and pan as at first; rotations stay.
  recentre(panels) {
    for (const view of [this.shared, ...panels.map((panel) => this.of(panel))]) view?.recentre();
  }
}

// From where a 3-D scene is looked at first: its two principal axes face the viewer, a little tilted to show the depth.
const SWEEPS = 12;

// `Y`: places of the points, (n, 3). -> the axes of most to least spread as the rows of a rotation.
export function principalRotation(Y) {
  const S = [0, 0, 0, 0, 0, 0, 0, 0, 0], mean = [0, 0, 0];
  let n = 0;
  for (let at = 0; at + 2 < Y.length; at += 3) {
    if (Number.isNaN(Y[at])) continue;
    n++;
    for (let a = 0; a < 3; a++) {
      mean[a] += Y[at + a];
      for (let b = 0; b < 3; b++) S[3 * a + b] += Y[at + a] * Y[at + b];
    }
  }
  for (let a = 0; a < 3; a++) for (let b = 0; b < 3; b++) S[3 * a + b] -= (mean[a] * mean[b]) / Math.max(1, n);
  const V = eigenvectors(S);
  const axes = [0, 1, 2].sort((a, b) => S[4 * b] - S[4 * a]).map((k) => [V[k], V[3 + k], V[6 + k]]);
  // Each of the first two points the way in which it is largest, so that an axis that is one already stays as it is.
  for (const axis of axes) if (axis.reduce((a, b) => (Math.abs(b) > Math.abs(a) ? b : a)) < 0) axis.forEach((v, k) => (axis[k] = -v));
  const [p, q] = axes;
  return [...p, ...q, ...cross(p, q)];
}

// Makes the symmetric S diagonal by rotations (Jacobi); -> its eigenvectors as columns, in no order.
export function eigenvectors(S) {
  const V = [1, 0, 0, 0, 1, 0, 0, 0, 1];
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    for (const [p, q] of [[0, 1], [0, 2], [1, 2]]) {
      if (!(Math.abs(S[3 * p + q]) > 1e-14 * Math.abs(S[4 * p] + S[4 * q]))) continue;
      const angle = 0.5 * Math.atan2(2 * S[3 * p + q], S[4 * p] - S[4 * q]);
      const c = Math.cos(angle), s = Math.sin(angle);
      for (const M of [S, V]) {
        for (let k = 0; k < 3; k++) {
          const a = M[3 * k + p], b = M[3 * k + q];
          M[3 * k + p] = c * a + s * b;
          M[3 * k + q] = c * b - s * a;
        }
      }
      for (let k = 0; k < 3; k++) {
        const a = S[3 * p + k], b = S[3 * q + k];
        S[3 * p + k] = c * a + s * b;
        S[3 * q + k] = c * b - s * a;
      }
    }
  }
  return V;
}
