// Names of features at the edges of the box in 3-D, where each axis of the picture is one feature.
import { element, setText } from "./dom.js";
import { edgesOf } from "./raster.js";

const AXES = [0, 1, 2];
const APART = 14; // pixels from an edge to its name

export class AxisNames {
  constructor() {
    this.texts = AXES.map(() => element("span"));
    this.root = element("div", { className: "axis-names", hidden: true }, ...this.texts);
  }

  // R: the rotation of the box, null in 2-D; half: what half the picture shows, in pixels of the canvas.
  follow(panel, R, half) {
    const features = R && !panel.turned.textContent ? featuresOf(panel) : null;
    this.root.hidden = !features;
    if (!features) return;
    const { raster: { width, height }, ratio } = panel;
    const middles = edgesOf(R, half, width, height).map((ends) => [0, 1].map((k) => (ends[0][k] + ends[1][k]) / 2));
    for (const axis of AXES) {
      // Of the four edges along an axis one on the rim, below or at the left of the points.
      const [x, y] = edgesAlong(axis).map((k) => middles[k]).reduce((a, b) => (outside(b, width, height) > outside(a, width, height) ? b : a));
      const [u, v] = [x - width / 2, y - height / 2], length = Math.hypot(u, v) || 1;
      const place = [x, y].map((value, k) => value / ratio + (APART * [u, v][k]) / length);
      setText(this.texts[axis], panel.nameOf(features[axis]));
      this.texts[axis].style.transform = `translate(${place[0]}px, ${place[1]}px) translate(-50%, -50%)`;
    }
  }
}

function outside([x, y], width, height) {
  const [u, v] = [x - width / 2, y - height / 2];
  return Math.hypot(u, v) + 0.01 * (v - u); // opposite edges are equally far from the middle
}

// The features that the axes are; null where an axis mixes several or the panel has no matrix.
function featuresOf(panel) {
  const A = panel.matrix, { columns } = panel.projects ? panel.features : {};
  if (!A) return null;
  const found = AXES.map((axis) => {
    const used = [...Array(columns).keys()].filter((f) => A[axis * columns + f] !== 0);
    return used.length === 1 ? used[0] : -1;
  });
  return found.includes(-1) ? null : found;
}

// Places in `edgesOf` of the edges along an axis: corner k and k with the bit of the axis, in the order of their making.
const ALONG = Array.from({ length: 8 }, (_, k) => AXES.filter((axis) => !(k & (1 << axis)))).flat();

function edgesAlong(axis) {
  return [...ALONG.keys()].filter((k) => ALONG[k] === axis);
}
