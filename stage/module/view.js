// The view of one or several panels: zoom and pan in 2-D, rotation and zoom in 3-D.
import { eigen, multiply } from "./matrix.js";

export const IDENTITY = [1, 0, 0, 0, 1, 0, 0, 0, 1];
const TILT = 0.3, TURN = 0.35; // radians

class View {
  // `facing`: in 3-D a rotation from which one looks first, then a little tilted.
  constructor(components, facing = null) {
    this.components = components;
    this.facing = facing;
    this.reset();
  }

  recentre() {
    Object.assign(this, { zoom: 1, panX: 0, panY: 0 });
  }

  reset() {
    this.recentre();
    this.rotation = this.components === 3 ? this.home : null;
  }

  get home() {
    return turned(this.facing ?? IDENTITY, TURN, TILT);
  }

  // Face another scene from its own best side, unless the view has been turned by hand.
  face(facing) {
    const untouched = this.rotation?.every((value, k) => value === this.home[k]);
    this.facing = facing;
    if (untouched) this.rotation = this.home;
  }

  // A drag by (dx, dy), as shares of the panel's half width.
  drag(dx, dy) {
    if (this.rotation) this.rotation = turned(this.rotation, dx * 1.6, dy * 1.6);
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

// The rotation R followed by others around the upright axis and the level one, in radians.
export function turned(R, across, up) {
  const [c, s, d, t] = [Math.cos(across), Math.sin(across), Math.cos(up), Math.sin(up)];
  return multiply(multiply([1, 0, 0, 0, d, -t, 0, t, d], [c, 0, s, 0, 1, 0, -s, 0, c], 3, 3, 3), R, 3, 3, 3);
}

export function cross(p, q) {
  return [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]];
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
    if (this.shared?.components === components) return this.shared.face(facing);
    this.shared = new View(components, facing);
    this.own = new WeakMap();
  }

  of(panel) {
    if (this.linked) return this.shared;
    if (!this.own.has(panel)) this.own.set(panel, Object.assign(new View(), this.shared));
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
// `Y`: places of the points, (n, 3). -> the axes of most to least spread as the rows of a rotation.
export function principalRotation(Y) {
  const S = new Float64Array(9), mean = [0, 0, 0];
  let n = 0;
  for (let at = 0; at + 2 < Y.length; at += 3) {
    if (Number.isNaN(Y[at])) continue;
    n++;
    for (let a = 0; a < 3; a++) {
      mean[a] += Y[at + a];
      for (let b = 0; b < 3; b++) S[3 * a + b] += Y[at + a] * Y[at + b];
    }
  }
  const scatter = S.map((sum, k) => sum - (mean[Math.floor(k / 3)] * mean[k % 3]) / Math.max(1, n));
  // Each of the first two points the way in which it is largest, so that an axis that is one already stays as it is.
  const [p, q] = eigen(scatter, 3).vectors.map((axis) => {
    const sign = axis.reduce((a, b) => (Math.abs(b) > Math.abs(a) ? b : a)) < 0 ? -1 : 1;
    return axis.map((value) => sign * value);
  });
  return [...p, ...q, ...cross(p, q)];
}
