// The faint box around the points of a panel in 3-D, drawn straight into its pixels: far edges are fainter than near ones.
const CORNERS = [...Array(8).keys()].map((k) => [k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1]);
const EDGES = CORNERS.flatMap((_, k) => [1, 2, 4].filter((bit) => !(k & bit)).map((bit) => [k, k | bit]));
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
  const shades = Uint32Array.from({ length: SHADES }, (_, k) => {
    const share = FAR + ((NEAR - FAR) * k) / (SHADES - 1);
    const [r, g, b] = background.map((value, c) => Math.round(value + share * (ink[c] - value)));
    return ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0;
  });
  for (const [p, q] of edgesOf(R, half, width, height)) line(pixels, width, height, p, q, shades);
}

// 0 is far, 1 is near.
function nearness(depth) {
  return (depth + 1.74) / 3.48;
}

function line(pixels, width, height, [x0, y0, z0], [x1, y1, z1], shades) {
  const steps = Math.ceil(Math.max(Math.abs(x1 - x0), Math.abs(y1 - y0), 1));
  for (let k = 0; k <= steps; k++) {
    const t = k / steps;
    const x = Math.round(x0 + t * (x1 - x0)), y = Math.round(y0 + t * (y1 - y0));
    if (x < 0 || y < 0 || x >= width || y >= height) continue;
    pixels[y * width + x] = shades[(nearness(z0 + t * (z1 - z0)) * SHADES) | 0];
  }
}
