// A picture of the stage as it is shown: real shapes, titles, numbers and legend as SVG, and from that PNG of any size.
// It is built as a document, not as text, so whatever names hold stays text in it.
import { svgElement } from "./dom.js";
import { colourOf, hexOf, markerRadius, mixed, rgb, shapePath } from "./palette.js";
import { edgesOf, shareOf } from "./raster.js";

const MOST_SHAPES = 20_000; // of more points an SVG has a picture of them
const GAP = 14, AROUND = 16, TITLE = 26, HEAD = 20, FOOT = 18, LINE = 20; // pixels
const MOST_CLASSES = 50;
const PATH_RADIUS = 5; // of the shapes of the legend

// Saves the picture; `form`: "svg", "png1", "png2" or "png4", `name`: what is shown.
export async function savePicture(stage, form, name) {
  const svg = pictureOf(stage, name, form === "svg" ? MOST_SHAPES : Infinity);
  const drawing = new Blob([new XMLSerializer().serializeToString(svg)], { type: "image/svg+xml" });
  const file = form === "svg" ? drawing : await painted(svg, drawing, Number(form.slice(-1)));
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = `${name.replace(/[^\w.-]+/g, "-").slice(0, 60) || "nca"}.${form === "svg" ? "svg" : "png"}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

async function painted(svg, drawing, scale) {
  const address = URL.createObjectURL(drawing);
  const image = new Image();
  image.src = address;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(scale * svg.getAttribute("width"));
  canvas.height = Math.round(scale * svg.getAttribute("height"));
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(address);
  return new Promise((done) => canvas.toBlob(done, "image/png"));
}

// The SVG element. Where more than `mostShapes` points are seen, each panel has its canvas as a picture.
export function pictureOf(stage, name, mostShapes = MOST_SHAPES) {
  const { panels, theme, scene } = stage;
  const columns = Number(stage.row.dataset.columns) || 1;
  const width = panels[0].frame.clientWidth, height = panels[0].frame.clientHeight;
  const step = { x: width + GAP, y: HEAD + height + FOOT + GAP };
  const rows = Math.ceil(panels.length / columns);
  const whole = 2 * AROUND + columns * step.x - GAP;
  const top = AROUND + TITLE + rows * step.y;
  const key = legendOf(stage, whole - 2 * AROUND);
  const tall = Math.ceil(top + key.height + AROUND);
  const ink = hexOf(theme.ink), paper = hexOf(theme.background);
  const size = { width: whole, height: tall };
  const sheet = { ...size, viewBox: `0 0 ${whole} ${tall}`, "font-family": "system-ui, sans-serif" };
  const svg = svgElement("svg", sheet, svgElement("title", {}, name), svgElement("rect", { ...size, fill: paper }));
  const numbers = stage.toolbar.numbers.textContent.replace(/\s{2,}/g, ", ");
  const heading = { x: AROUND, y: AROUND + 14, fill: ink, "font-size": 16, "font-weight": 600 };
  const beside = { x: whole - AROUND, y: AROUND + 14, fill: theme.quiet, "font-size": 13, "text-anchor": "end" };
  svg.append(svgElement("text", heading, name), svgElement("text", beside, numbers));
  const seen = panels.reduce((sum, panel) => sum + (panel.drawn ? panel.count : 0), 0);
  panels.forEach((panel, k) => {
    const x = AROUND + (k % columns) * step.x, y = AROUND + TITLE + Math.floor(k / columns) * step.y;
    const clip = `panel${k}`;
    const frame = { x: 0, y: HEAD, width, height, rx: 10 };
    const bold = { y: 14, fill: ink, "font-size": 14, "font-weight": 600 };
    const title = svgElement("text", bold, panel.content.title);
    const inside = svgElement("clipPath", { id: clip }, svgElement("rect", frame));
    const points = svgElement("g", { "clip-path": `url(#${clip})` });
    if (panel.drawn && seen > mostShapes) {
      points.append(svgElement("image", { y: HEAD, width, height, href: panel.canvas.toDataURL("image/png") }));
    } else if (panel.drawn) points.append(...boxOf(panel, width, height), ...shapesOf(panel, scene, theme));
    const border = svgElement("rect", { ...frame, fill: "none", stroke: theme.line });
    const group = svgElement("g", { transform: `translate(${x} ${y})` }, title, inside, points, border);
    const foot = panel.drawn ? panel.foot.textContent.replace(/\s{2,}/g, ", ") : panel.content.problem;
    const small = Math.max(6, Math.min(12, width / (0.56 * foot.length || 1))); // so that it stays beneath its panel
    group.append(svgElement("text", { y: HEAD + height + 14, fill: theme.quiet, "font-size": short(small) }, foot));
    svg.append(group);
  });
  key.root.setAttribute("transform", `translate(${AROUND} ${top})`);
  svg.append(key.root);
  return svg;
}

// In 3-D the box around the points, each edge in two halves, fainter where it is far.
function boxOf(panel, width, height) {
  const { stage } = panel;
  const { rotation, zoom } = stage.views.of(panel);
  if (!rotation) return [];
  return edgesOf(rotation, (zoom * Math.min(width, height)) / 2, width, height).flatMap(([p, q]) => {
    const middle = p.map((value, k) => (value + q[k]) / 2);
    return [[p, middle], [middle, q]].map(([[x1, y1, z1], [x2, y2, z2]]) => svgElement("line", {
      x1: short(x1), y1: short(y1 + HEAD), x2: short(x2), y2: short(y2 + HEAD), stroke: hexOf(stage.theme.ink),
      opacity: short(shareOf((z1 + z2) / 2)),
    }));
  });
}

// A path for each point that is seen; in 3-D from far to near, the far ones smaller and paler, as on the stage.
function shapesOf(panel, scene, theme) {
  const { xs, ys, zs, visible, count, labels, ratio, shades, raster, stage } = panel;
  const { classes, ordered } = shades ?? { classes: scene.classes.length, ordered: scene.ordered };
  const codes = shades?.codes ?? labels;
  const deep = scene.components === 3;
  const extent = stage.aligning.picture(panel).extent;
  const radius = markerRadius(scene.samples, Math.min(raster.width, raster.height) / ratio);
  const order = Array.from(visible.subarray(0, count)).filter((i) => Number.isFinite(xs[i]) && Number.isFinite(ys[i]));
  if (deep) order.sort((a, b) => zs[a] - zs[b]);
  const { selected } = stage;
  return order.map((i) => {
    const near = deep ? Math.max(0, Math.min(1, (zs[i] / extent + 1) / 2)) : 1;
    const size = (radius * (deep ? 0.78 + 0.34 * near : 1)) / PATH_RADIUS;
    const full = rgb(colourOf(codes[i], theme.dark, ordered ? classes : 0));
    const colour = hexOf(mixed(full, theme.background, 0.5 * (1 - near)));
    const hollow = scene.heldOut[i];
    const shape = svgElement("path", {
      d: shapePath(ordered ? 0 : codes[i], classes),
      transform: `translate(${short(xs[i] / ratio)} ${short(HEAD + ys[i] / ratio)}) scale(${short(size)})`,
      fill: hollow ? "none" : colour,
      stroke: hollow ? colour : hexOf(theme.background),
      "stroke-width": short((hollow ? Math.max(1.2, radius * 0.3) : 0.7) / size),
    });
    if (selected.size && !selected.has(i)) shape.setAttribute("opacity", 0.16);
    return shape;
  });
}

// -> { root, height }: the classes that are seen, line by line, or the scale where colours stand for something else.
function legendOf(stage, width) {
  const { scene, theme, colouring, hidden } = stage;
  const root = svgElement("g", { "font-size": 13 });
  const ink = hexOf(theme.ink);
  let x = 0, y = 14;
  const put = (mark, words) => {
    const long = 30 + 7.5 * words.length;
    if (x > 0 && x + long > width) {
      x = 0;
      y += LINE;
    }
    if (mark) root.append(mark(x + 7, y - 4.5));
    root.append(svgElement("text", { x: x + (mark ? 18 : 0), y, fill: ink }, words));
    x += long;
  };
  if (colouring.by !== "class") {
    put(null, `colour: ${colouring.select.selectedOptions[0].textContent} ${colouring.key.textContent}`);
  } else {
    const marker = (label) => (at, down) => svgElement("path", {
      d: shapePath(scene.ordered ? 0 : label, scene.classes.length),
      fill: colourOf(label, theme.dark, scene.ordered ? scene.classes.length : 0),
      transform: `translate(${at} ${down})`,
    });
    const labels = [...scene.classes.keys()].slice(0, MOST_CLASSES).filter((label) => !hidden.has(label));
    for (const label of labels) put(marker(label), scene.classes[label]);
    if (scene.labels.includes(-1) && !hidden.has(-1)) put(marker(-1), "unlabelled");
    if (scene.classes.length > MOST_CLASSES) put(null, `and ${scene.classes.length - MOST_CLASSES} more classes`);
  }
  if (scene.heldOut.includes(1)) put(null, "hollow: held out, not trained on");
  return { root, height: y };
}

function short(value) {
  return Number(value.toFixed(2));
}
