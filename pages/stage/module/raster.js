// Writes points straight into a pixel buffer: no WebGL, no path per point.
export class Raster {
  constructor(canvas) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d", { alpha: false });
    this.width = 0;
    this.height = 0;
  }

  resize(width, height) {
    if (width === this.width && height === this.height) return;
    Object.assign(this.canvas, { width, height });
    Object.assign(this, { width, height });
    this.image = this.context.createImageData(width, height);
    this.pixels = new Uint32Array(this.image.data.buffer);
  }

  // xs, ys: pixel positions; order: which points, back to front; spriteOf(i): the sprite of point i.
  paint(xs, ys, order, count, sprites, spriteIndex, background) {
    const { pixels, width, height } = this;
    const data = this.image.data;
    pixels.fill((255 << 24) | (background[2] << 16) | (background[1] << 8) | background[0]);
    for (let k = 0; k < count; k++) {
      const i = order[k];
      const sprite = sprites[spriteIndex[i]];
      const x0 = Math.round(xs[i]);
      const y0 = Math.round(ys[i]);
      const reach = sprite.reach;
      if (!(x0 >= reach && x0 < width - reach && y0 >= reach && y0 < height - reach)) continue;
      const { dx, dy, r, g, b, a, ink } = sprite;
      const here = y0 * width + x0;
      if (sprite.whole) {
        for (let s = 0; s < ink.length; s++) pixels[here + dy[s] * width + dx[s]] = ink[s];
        continue;
      }
      for (let s = 0; s < a.length; s++) {
        const at = here + dy[s] * width + dx[s];
        const alpha = a[s];
        if (alpha === 255) {
          pixels[at] = ink[s];
        } else {
          const byte = at << 2;
          const rest = 255 - alpha;
          data[byte] = (r[s] * alpha + data[byte] * rest) / 255;
          data[byte + 1] = (g[s] * alpha + data[byte + 1] * rest) / 255;
          data[byte + 2] = (b[s] * alpha + data[byte + 2] * rest) / 255;
        }
      }
    }
    this.context.putImageData(this.image, 0, 0);
  }
}

// Point numbers sorted far to near by counting, in linear time.
export function depthOrder(depths, visible, count, order, radius) {
  const buckets = 512;
  const counts = new Int32Array(buckets + 1);
  const scale = (buckets - 1) / (2 * radius || 1);
  const bucketOf = (z) => Math.max(0, Math.min(buckets - 1, ((z + radius) * scale) | 0));
  for (let k = 0; k < count; k++) counts[bucketOf(depths[visible[k]]) + 1]++;
  for (let k = 0; k < buckets; k++) counts[k + 1] += counts[k];
  for (let k = 0; k < count; k++) order[counts[bucketOf(depths[visible[k]])]++] = visible[k];
}
