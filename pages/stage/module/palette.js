// Colours that colour-blind people can tell apart (after Okabe and Ito), a shape for each class, and their sprites.
// The colours stand in palette.json, which Python reads too. Its scale is viridis (Smith and van der Walt), for ranges
// of a number: lightness alone tells the order. Each theme leaves out the end that its background swallows.
import palette from "./palette.json" with { type: "json" };

const SMALLEST_SHAPE = 2;
const SHAPES = [
  (x, y, r) => Math.hypot(x, y) - r,
  (x, y, r) => Math.max(Math.abs(x), Math.abs(y)) - 0.86 * r,
  (x, y, r) => Math.max(y - 0.75 * r, (Math.abs(x) * 1.732 - y) / 2 - 0.62 * r),
  (x, y, r) => (Math.abs(x) + Math.abs(y)) / 1.414 - 0.85 * r,
  (x, y, r) => Math.max(-y - 0.75 * r, (Math.abs(x) * 1.732 + y) / 2 - 0.62 * r),
  (x, y, r) => Math.max(Math.min(Math.abs(x), Math.abs(y)) - 0.36 * r, Math.max(Math.abs(x), Math.abs(y)) - 1.05 * r),
  (x, y, r) => {
    const u = Math.abs(x + y) / 1.414;
    const v = Math.abs(x - y) / 1.414;
    return Math.max(Math.min(u, v) - 0.36 * r, Math.max(u, v) - 1.1 * r);
  },
  (x, y, r) => Math.max(Math.abs(y) * 0.866 + Math.abs(x) / 2, Math.abs(x)) - 0.92 * r,
];

// `slices`: how many ranges of a number there are, 0 where the labels are classes without an order.
export function colourOf(label, dark, slices = 0) {
  const theme = dark ? "dark" : "light";
  if (label < 0) return palette.unlabelled[theme];
  if (slices) return onScale(slices > 1 ? label / (slices - 1) : 0, dark);
  const colours = palette.classes[theme];
  return colours[label % colours.length];
}

// Of the charts: nine live panels side by side have a line each.
export function lineColours(dark) {
  return palette.lines[dark ? "dark" : "light"];
}

function onScale(share, dark) {
  const at = dark ? 3 + 7 * share : 8 * share;
  const below = Math.min(palette.scale.length - 2, Math.floor(at));
  const [a, b] = [rgb(palette.scale[below]), rgb(palette.scale[below + 1])];
  const mixed = a.map((value, k) => Math.round(value + (at - below) * (b[k] - value)));
  return `#${mixed.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
}

// As many classes as colours, ten digits among them: a colour each, and a shape each for the first eight. More: shapes
// tell apart the classes that share a colour.
export function shapeOf(label, classes) {
  if (label < 0) return 0;
  const colours = palette.classes.light.length;
  return (classes <= colours ? label : Math.floor(label / colours)) % SHAPES.length;
}

// So that all markers together cover the same share of the square that is fitted into a panel, within what the eye tells
// apart; `side`: of that square, in CSS pixels.
export function markerRadius(points, side) {
  const least = points <= 3000 ? 2.1 : points <= 12000 ? 1.7 : 1.2;
  return Math.max(least, Math.min(4.8, (0.3 * side) / Math.sqrt(Math.max(1, points))));
}

export function rgb(hex) {
  const value = parseInt(hex.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

// A sprite: how far it reaches, and of each covered pixel its offset in a picture of that width, colour and coverage.
export function makeSprite({ label, classes, ordered, dark, radius, hollow, faded, background, width, pale = 0 }) {
  const shape = SHAPES[ordered ? 0 : shapeOf(label, classes)];
  const colour = rgb(colourOf(label, dark, ordered ? classes : 0)).map((v, k) => v + pale * (background[k] - v));
  const rim = radius >= 2.5 && !hollow ? 0.9 : 0;
  const reach = Math.ceil(radius * 1.2 + rim + 1);
  const pixels = []; // [offset, colour, alpha]
  if (radius < SMALLEST_SHAPE) {
    // Tens of thousands of points: a few whole pixels each, nothing to blend.
    const side = Math.max(2, Math.round(1.6 * radius));
    const mix = colour.map((value, k) => Math.round(faded ? 0.16 * value + 0.84 * background[k] : value));
    for (let k = 0; k < side * side; k++) {
      if (hollow && k % 2) continue;
      pixels.push([(Math.floor(k / side) - (side >> 1)) * width + (k % side) - (side >> 1), mix, 255]);
    }
    return { reach: side, pixels };
  }
  for (let y = -reach; y <= reach; y++) {
    for (let x = -reach; x <= reach; x++) {
      const distance = shape(x, y, radius);
      const body = hollow ? Math.abs(distance + 0.4) - Math.max(0.6, radius * 0.16) : distance;
      const inside = Math.min(1, Math.max(0, 0.5 - body));
      const covered = Math.min(1, Math.max(0, 0.5 - (distance - rim)));
      const alpha = hollow ? inside : covered;
      if (alpha < 0.04) continue;
      const ink = hollow ? 1 : inside / alpha;
      const mix = colour.map((value, k) => value * ink + background[k] * (1 - ink));
      pixels.push([y * width + x, mix, Math.round(alpha * (faded ? 40 : 255))]);
    }
  }
  return { reach, pixels };
}

// A shape in a colour, to stand beside the name of a class.
export function marker(path, colour) {
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  svg.setAttribute("viewBox", "-7 -7 14 14");
  svg.setAttribute("aria-hidden", "true");
  const shape = document.createElementNS(space, "path");
  shape.setAttribute("d", path);
  shape.setAttribute("fill", colour);
  svg.append(shape);
  return svg;
}

// The same shapes as SVG paths in a box of -6..6, for the legend and for pictures.
export function shapePath(label, classes) {
  return palette.shapes[shapeOf(label, classes)];
}
