// How one looks at a panel: zoom and pan in 2-D, rotation and zoom in 3-D. One view may serve several panels.
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

  // Another scene is best looked at from elsewhere; who has turned it himself stays where he is.
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

function multiply(p, q) {
  const out = new Array(9);
  for (let i = 0; i < 3; i++) {
    for (let j = 0; j < 3; j++) out[3 * i + j] = p[3 * i] * q[j] + p[3 * i + 1] * q[3 + j] + p[3 * i + 2] * q[6 + j];
  }
  return out;
}
