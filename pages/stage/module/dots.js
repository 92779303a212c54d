// Very many points of at most four whole pixels each, painted in one pass over them. Nothing is blended, so that in 3-D
// what is nearest at each pixel can be kept, which is the same picture as sorting by depth.
const PIXELS = 4;

// As spriteSheet, where all sprites are so small: four offsets each, some of them twice, and one ink. Else null.
export function dotSheet(sprites) {
  const small = ({ pixels }) => pixels.length && pixels.length <= PIXELS && pixels.every(([, , alpha]) => alpha === 255);
  if (!sprites.every(small)) return null;
  return {
    reach: Math.max(...sprites.map(({ reach }) => reach)),
    offsets: Int32Array.from(sprites.flatMap(({ pixels }) => [0, 1, 2, 3].map((k) => pixels[k % pixels.length][0]))),
    ink: Int32Array.from(sprites, ({ pixels: [[, [r, g, b]]] }) => (255 << 24) | (b << 16) | (g << 8) | r),
  };
}

export class Dots {
  constructor(raster) {
    this.raster = raster;
    this.nearest = new Int32Array(0);
  }

  // xs, ys: pixel positions; visible: the points that are seen, in order, the first `count` of it. Returns how many lie
  // in the picture.
  flat(xs, ys, visible, count, spriteIndex, { offsets, ink, reach }, background) {
    const { width, height } = this.raster;
    const pixels = this.clear(background);
    const right = width - reach - 1, bottom = height - reach - 1;
    let seen = 0;
    for (let k = 0; k < count; k++) {
      const i = visible[k];
      const x = xs[i], y = ys[i];
      if (!(x >= reach && x < right && y >= reach && y < bottom)) continue; // nor what has no place
      const here = ((y + 0.5) | 0) * width + ((x + 0.5) | 0);
      const sprite = spriteIndex[i], s = PIXELS * sprite, colour = ink[sprite];
      pixels[here + offsets[s]] = colour;
      pixels[here + offsets[s + 1]] = colour;
      pixels[here + offsets[s + 2]] = colour;
      pixels[here + offsets[s + 3]] = colour;
      seen++;
    }
    this.raster.show();
    return seen;
  }

  // The same in 3-D; zs: depths between −radius and radius. `layers`: how many layers of depth have sprites of their own,
  // and how many each has. `beneath` draws what lies under the points.
  byDepth(xs, ys, zs, radius, visible, count, spriteIndex, layers, { offsets, ink, reach }, background, beneath) {
    const { width, height } = this.raster;
    const pixels = this.clear(background);
    beneath();
    const nearest = this.room(pixels.length);
    const bits = 32 - Math.clz32(ink.length), depths = 2 ** (31 - bits) - 1;
    const scale = depths / (2 * radius || 1), layer = layers.count / (depths + 1);
    const right = width - reach - 1, bottom = height - reach - 1;
    let seen = 0;
    for (let k = 0; k < count; k++) {
      const i = visible[k];
      const x = xs[i], y = ys[i];
      if (!(x >= reach && x < right && y >= reach && y < bottom)) continue;
      const here = ((y + 0.5) | 0) * width + ((x + 0.5) | 0);
      const steps = ((zs[i] + radius) * scale) | 0;
      const depth = steps < 0 ? 0 : steps > depths ? depths : steps;
      const sprite = spriteIndex[i] + ((depth * layer) | 0) * layers.sprites;
      const s = PIXELS * sprite, mark = (depth << bits) | (sprite + 1); // a number that is larger the nearer it is
      const a = here + offsets[s], b = here + offsets[s + 1], c = here + offsets[s + 2], d = here + offsets[s + 3];
      nearest[a] = Math.max(nearest[a], mark);
      nearest[b] = Math.max(nearest[b], mark);
      nearest[c] = Math.max(nearest[c], mark);
      nearest[d] = Math.max(nearest[d], mark);
      seen++;
    }
    const last = (1 << bits) - 1;
    for (let at = 0; at < pixels.length; at++) if (nearest[at]) pixels[at] = ink[(nearest[at] & last) - 1];
    this.raster.show();
    return seen;
  }

  // A number for each pixel: what is nearest there, 0 where nothing is.
  room(pixels) {
    if (this.nearest.length === pixels) this.nearest.fill(0);
    else this.nearest = new Int32Array(pixels);
    return this.nearest;
  }

  clear(background) {
    this.raster.clear(background);
    return this.raster.whole;
  }
}
