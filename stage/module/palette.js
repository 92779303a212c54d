// Colours safe for colour-blind readers (after Okabe and Ito), a shape for each class, their sprites, and the page's
// theme. Colours and shapes are in palette.json, which stage/palette.py reads too. Ranges of a number use viridis
// (Smith and van der Walt), ordered by lightness; each theme leaves out the end that is close to its background.
import { svgElement } from "./dom.js";
import palette from "./palette.json" with { type: "json" };

const SMALLEST_SHAPE = 2; // pixels: smaller markers are a few whole pixels
const UNIT = 5; // radius of a marker in the table of shapes
const outlines = new Map(); // distances from a shape's outline, by shape and radius

// `slices`: how many ranges of a number there are, 0 where the labels are classes without an order.
export function colourOf(label, dark, slices = 0) {
  const theme = dark ? "dark" : "light";
  if (label < 0) return palette.unlabelled[theme];
  if (!slices) return palette.classes[theme][label % palette.classes[theme].length];
  const share = slices > 1 ? label / (slices - 1) : 0, at = dark ? 3 + 7 * share : 8 * share;
  const below = Math.min(palette.scale.length - 2, Math.floor(at));
  return hexOf(mixed(rgb(palette.scale[below]), rgb(palette.scale[below + 1]), at - below));
}

// As many classes as colours, ten digits among them: a colour each, and a shape each for the first eight. More: shapes
// tell apart the classes that share a colour.
export function shapeOf(label, classes) {
  if (label < 0) return 0;
  const colours = palette.classes.light.length;
  return (classes <= colours ? label : Math.floor(label / colours)) % palette.shapes.length;
}

// So that all markers together cover the same share of the square that is fitted into a panel, within what the eye
// tells apart; `side`: of that square, in CSS pixels.
export function markerRadius(points, side) {
  const least = points <= 3000 ? 2.1 : points <= 12000 ? 1.7 : 1.2;
  return Math.max(least, Math.min(4.8, (0.3 * side) / Math.sqrt(Math.max(1, points))));
}

export function rgb(hex) {
  const value = parseInt(hex.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

export function hexOf(colour) {
  return `#${colour.map((value) => Math.round(value).toString(16).padStart(2, "0")).join("")}`;
}

// [red, green, blue] on the way from one colour to another.
export function mixed(from, to, share) {
  return from.map((value, k) => value + share * (to[k] - value));
}

// Signed distance of each pixel around a marker's centre from its outline, in pixels, row by row; negative inside. A
// shape without corners is the disc. stage/palette.py does the same for pictures made on the server.
function distancesTo(shape, radius, reach) {
  const key = `${shape} ${radius} ${reach}`;
  if (outlines.has(key)) return outlines.get(key);
  if (outlines.size > 500) outlines.clear();
  const corners = palette.shapes[shape].map((corner) => corner.map((value) => (value * radius) / UNIT));
  const side = 2 * reach + 1;
  const distances = Float64Array.from({ length: side * side }, (_, k) => {
    const x = (k % side) - reach, y = Math.floor(k / side) - reach;
    if (!corners.length) return Math.hypot(x, y) - radius;
    let least = Infinity, inside = false;
    corners.forEach(([x0, y0], c) => {
      const [x1, y1] = corners[(c + 1) % corners.length];
      const along = ((x - x0) * (x1 - x0) + (y - y0) * (y1 - y0)) / ((x1 - x0) ** 2 + (y1 - y0) ** 2);
      const t = Math.max(0, Math.min(1, along));
      least = Math.min(least, Math.hypot(x - x0 - t * (x1 - x0), y - y0 - t * (y1 - y0)));
      if (y0 > y !== y1 > y && x < x0 + ((y - y0) * (x1 - x0)) / (y1 - y0)) inside = !inside;
    });
    return inside ? -least : least;
  });
  outlines.set(key, distances);
  return distances;
}

// A sprite: how far it reaches, and of each covered pixel its offset in a picture of that width, colour and coverage.
export function makeSprite({ label, classes, ordered, dark, radius, hollow, faded, background, width, pale = 0 }) {
  const colour = mixed(rgb(colourOf(label, dark, ordered ? classes : 0)), background, pale);
  const pixels = []; // [offset, colour, alpha]
  if (radius < SMALLEST_SHAPE) {
    const side = Math.max(2, Math.round(1.6 * radius));
    const ink = mixed(colour, background, faded ? 0.84 : 0).map(Math.round);
    for (let k = 0; k < side * side; k++) {
      if (hollow && k % 2) continue;
      pixels.push([(Math.floor(k / side) - (side >> 1)) * width + (k % side) - (side >> 1), ink, 255]);
    }
    return { reach: side, pixels };
  }
  const rim = radius >= 2.5 && !hollow ? 0.9 : 0; // of the background's colour, so that neighbours stay apart
  const reach = Math.ceil(radius * 1.2 + rim + 1), side = 2 * reach + 1;
  distancesTo(ordered ? 0 : shapeOf(label, classes), radius, reach).forEach((distance, k) => {
    const body = hollow ? Math.abs(distance + 0.4) - Math.max(0.6, radius * 0.16) : distance;
    const inside = Math.min(1, Math.max(0, 0.5 - body));
    const covered = hollow ? inside : Math.min(1, Math.max(0, 0.5 - (distance - rim)));
    if (covered < 0.04) return;
    const at = (Math.floor(k / side) - reach) * width + (k % side) - reach;
    pixels.push([at, mixed(background, colour, inside / covered), Math.round(covered * (faded ? 40 : 255))]);
  });
  return { reach, pixels };
}

// A class's shape as an SVG path in a box of -7 to 7.
export function shapePath(label, classes) {
  const corners = palette.shapes[shapeOf(label, classes)];
  if (!corners.length) return "M5 0A5 5 0 1 1 -5 0A5 5 0 1 1 5 0Z";
  return `M${corners.map((corner) => corner.join(" ")).join("L")}Z`;
}

export function marker(path, colour) {
  const svg = svgElement("svg", { viewBox: "-7 -7 14 14", "aria-hidden": true });
  svg.append(svgElement("path", { d: path, fill: colour }));
  return svg;
}

export function classMarker(label, { classes, ordered }, dark) {
  return marker(shapePath(ordered ? 0 : label, classes.length), colourOf(label, dark, ordered ? classes.length : 0));
}

// Colours for signed numbers, safe for colour blindness: the page's own for 0, orange above, blue below.
const ENDS = { light: [[179, 64, 15], [0, 92, 150]], dark: [[255, 154, 107], [107, 188, 240]] };

// Values as a picture of (rows, columns), the largest in size at the end of the scale, 0 in its middle.
export function paintSigned(canvas, values, [rows, columns], { dark, background }, limit = largest(values)) {
  Object.assign(canvas, { width: columns, height: rows });
  const pen = canvas.getContext("2d"), image = pen.createImageData(columns, rows);
  const [above, below] = ENDS[dark ? "dark" : "light"];
  for (let k = 0; k < values.length; k++) {
    const share = Math.max(-1, Math.min(1, values[k] / (limit || 1)));
    image.data.set([...mixed(background, share < 0 ? below : above, Math.abs(share)), 255], 4 * k);
  }
  pen.putImageData(image, 0, 0);
}

export function largest(values) {
  let most = 0;
  for (const value of values) most = Math.max(most, Math.abs(value));
  return most;
}

// Colours and font of the page around, read anew so that a change of theme shows at once.

export function readTheme(root) {
  const style = getComputedStyle(root);
  const paper = hex(style.getPropertyValue("--st-background-color")) ?? "#ffffff";
  const ink = hex(style.getPropertyValue("--st-text-color")) ?? "#1d2733";
  const type = Number.parseFloat(style.getPropertyValue("--nca-type")) || 1; // how large letters are
  const background = rgb(paper);
  const dark = background[0] * 0.3 + background[1] * 0.59 + background[2] * 0.11 < 128;
  return {
    name: `${paper}${ink}${type}`,
    type,
    dark,
    background,
    ink: rgb(ink),
    font: style.fontFamily || "sans-serif",
    quiet: dark ? "#98a4b0" : "#66717d",
    line: dark ? "#2a333d" : "#e6eaee",
    lines: palette.lines[dark ? "dark" : "light"], // of the charts: nine live panels have one each
  };
}

// Set from here: the size of letters, and the inks of lines to one's own class and to others.
export function applyTheme(root, { type, lines }) {
  root.classList.toggle("large", type > 1);
  root.style.setProperty("--same", lines[0]);
  root.style.setProperty("--other", lines[1]);
}

function hex(colour) {
  const text = colour.trim();
  if (/^#[0-9a-f]{6}$/i.test(text)) return text;
  if (/^#[0-9a-f]{3}$/i.test(text)) return `#${[...text.slice(1)].map((c) => c + c).join("")}`;
  const parts = text.match(/^rgba?\((\d+),\s*(\d+),\s*(\d+)/);
  return parts ? hexOf(parts.slice(1, 4).map(Number)) : null;
}
