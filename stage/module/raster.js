// Writes points straight into a pixel buffer: no WebGL, no path per point.
import { mixed } from "./palette.js";

const BITS = 9;
const BUCKETS = 1 << BITS; // of depth

export class Raster {
  constructor(canvas) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d", { alpha: false, willReadFrequently: true });
    this.width = 0;
    this.height = 0;
  }

  // Whether it had another size.
  resize(width, height) {
    if (width === this.width && height === this.height) return false;
    Object.assign(this.canvas, { width, height });
    Object.assign(this, { width, height });
    this.image = this.context.createImageData(width, height);
    this.pixels = new Int32Array(this.image.data.buffer); // signed: quicker to read and write
    return true;
  }

  // list: a DrawList, back to front; sheet: its sprites; `beneath` draws below the points.
  paint({ places, which, count }, sheet, background, beneath = null) {
    const { pixels } = this;
    const { solidFrom, solid, ink, edgeFrom, edge, rest, redBlue, green } = sheet;
    pixels.fill(packed(background));
    beneath?.();
    for (let k = 0; k < count; k++) {
      const here = places[k];
      const sprite = which[k];
      for (let s = solidFrom[sprite], end = solidFrom[sprite + 1]; s < end; s++) pixels[here + solid[s]] = ink[s];
      for (let s = edgeFrom[sprite], end = edgeFrom[sprite + 1]; s < end; s++) {
        const at = here + edge[s];
        const below = pixels[at];
        const rb = (Math.imul(below & 0xff00ff, rest[s]) + redBlue[s]) >>> 8;
        const g = (Math.imul(below & 0x00ff00, rest[s]) + green[s]) >>> 8;
        pixels[at] = 0xff000000 | (rb & 0xff00ff) | (g & 0x00ff00);
      }
    }
    this.context.putImageData(this.image, 0, 0);
  }
}

function packed([red, green, blue]) {
  return (255 << 24) | (blue << 16) | (green << 8) | red;
}

// All sprites of a panel one after the other, so that painting looks up numbers only. A sprite's pixels that cover what
// is below are just written: `ink` at `solid`. Those at its `edge` are blended: what is below counts `rest` / 256, and
// of the sprite's own colour is there already multiplied, red and blue in one number, green in another.
export function spriteSheet(sprites) {
  const share = ([, , alpha]) => Math.round((alpha * 256) / 255);
  const solid = sprites.map(({ pixels }) => pixels.filter(([, , alpha]) => alpha === 255));
  const edge = sprites.map(({ pixels }) => pixels.filter(([, , alpha]) => alpha < 255));
  const [whole, blended] = [solid.flat(), edge.flat()];
  return {
    reach: Math.max(...sprites.map(({ reach }) => reach)),
    solidFrom: startsOf(solid),
    solid: Int32Array.from(whole, ([offset]) => offset),
    ink: Int32Array.from(whole, ([, colour]) => packed(colour)),
    edgeFrom: startsOf(edge),
    edge: Int32Array.from(blended, ([offset]) => offset),
    rest: Int32Array.from(blended, (pixel) => 256 - share(pixel)),
    redBlue: Int32Array.from(blended, (pixel) => Math.imul(packed(pixel[1]) & 0xff00ff, share(pixel))),
    green: Int32Array.from(blended, (pixel) => Math.imul(packed(pixel[1]) & 0x00ff00, share(pixel))),
  };
}

// Where each part begins when they are concatenated, and where the last one ends.
function startsOf(parts) {
  const starts = new Int32Array(parts.length + 1);
  parts.forEach(({ length }, k) => (starts[k + 1] = starts[k] + length));
  return starts;
}

// What is painted of a panel, in order: the pixel of each visible point and its sprite. Points that would reach over
// the rim are left out.
export class DrawList {
  constructor(points) {
    this.places = new Int32Array(points);
    this.which = new Int32Array(points);
    this.count = 0;
    this.found = new Int32Array(points); // the same before they are sorted
    this.kinds = new Int32Array(points);
    this.buckets = new Uint16Array(points);
  }

  flat(panel) {
    this.count = collect(panel, this.places, this.which);
  }

  // The same sorted far to near by counting, in linear time. `layers`: how many layers of depth have sprites of their
  // own, and how many each has.
  byDepth(panel) {
    const { places, which, found, kinds, buckets } = this, { layers } = panel;
    const seen = collect(panel, found, kinds, buckets);
    const next = new Int32Array(BUCKETS + 1);
    for (let k = 0; k < seen; k++) next[buckets[k] + 1]++;
    for (let k = 0; k < BUCKETS; k++) next[k + 1] += next[k];
    for (let k = 0; k < seen; k++) {
      const at = next[buckets[k]]++;
      places[at] = found[k];
      which[at] = kinds[k] + ((buckets[k] * layers.count) >> BITS) * layers.sprites;
    }
    this.count = seen;
  }
}

// `depth`: how far the points reach from the middle; `buckets`: receives the depth of each, where it counts.
function collect({ xs, ys, zs, visible, count, spriteIndex, raster, sprites, depth }, places, which, buckets = null) {
  const { width, height } = raster, { reach } = sprites;
  const scale = (BUCKETS - 1) / (2 * depth || 1);
  const right = width - reach - 1, bottom = height - reach - 1;
  let found = 0;
  for (let k = 0; k < count; k++) {
    const i = visible[k];
    const x = xs[i], y = ys[i];
    if (!(x >= reach && x < right && y >= reach && y < bottom)) continue; // nor what has no place
    places[found] = ((y + 0.5) | 0) * width + ((x + 0.5) | 0);
    which[found] = spriteIndex[i];
    if (buckets) {
      const bucket = ((zs[i] + depth) * scale) | 0;
      buckets[found] = bucket < 0 ? 0 : bucket < BUCKETS ? bucket : BUCKETS - 1;
    }
    found++;
  }
  return found;
}

// The faint box around the points of a panel in 3-D, drawn straight into its pixels: far edges are fainter than near
// ones.
const CORNERS = [...Array(8).keys()].map((k) => [k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1]);
export const EDGES = CORNERS.flatMap((_, k) => [1, 2, 4].filter((bit) => !(k & bit)).map((bit) => [k, k | bit]));
const SIDE = 0.56; // half a side, of what the panel shows: its corners just reach the rim
const SHADES = 16;
const NEAR = 0.34, FAR = 0.12; // of the ink

// -> the two ends of each edge, [x, y, depth]; `half`: what half the picture shows.
export function edgesOf(R, half, width, height) {
  const places = CORNERS.map(([a, b, c]) => [
    width / 2 + half * SIDE * (R[0] * a + R[1] * b + R[2] * c),
    height / 2 - half * SIDE * (R[3] * a + R[4] * b + R[5] * c),
    R[6] * a + R[7] * b + R[8] * c,
  ]);
  return EDGES.map(([p, q]) => [places[p], places[q]]);
}

// How much of the ink there is at a depth.
export function shareOf(depth) {
  return FAR + (NEAR - FAR) * nearness(depth);
}

export function drawBox({ pixels, width, height }, R, half, { background, ink }) {
  const shades = Int32Array.from({ length: SHADES }, (_, k) => {
    const share = FAR + ((NEAR - FAR) * k) / (SHADES - 1);
    return packed(mixed(background, ink, share).map(Math.round));
  });
  for (const [[x0, y0, z0], [x1, y1, z1]] of edgesOf(R, half, width, height)) {
    const steps = Math.ceil(Math.max(Math.abs(x1 - x0), Math.abs(y1 - y0), 1));
    for (let k = 0; k <= steps; k++) {
      const t = k / steps;
      const x = Math.round(x0 + t * (x1 - x0)), y = Math.round(y0 + t * (y1 - y0));
      if (x < 0 || y < 0 || x >= width || y >= height) continue;
      pixels[y * width + x] = shades[(nearness(z0 + t * (z1 - z0)) * SHADES) | 0];
    }
  }
}

function nearness(depth) {
  return (depth + 1.74) / 3.48;
}
