// What a point is: row, class, values, and its picture where rows are pictures. Text only, whatever names hold.
import { visibleName } from "./names.js";
import { element } from "./panel.js";

const MOST_VALUES = 8;

export class HoverCard {
  constructor(stage) {
    this.stage = stage;
    this.root = element("div", "card");
    this.root.hidden = true;
    this.root.setAttribute("role", "tooltip");
  }

  picture(values, scene) {
    if (this.judged !== scene) Object.assign(this, { judged: scene, ink: isInk(scene.hover) });
    return picture(values, scene.image_shape, this.ink);
  }

  hide() {
    this.root.hidden = true;
  }

  // At (x, y) of the panel in which the point is looked at.
  show(panel, i, x, y) {
    this.root.hidden = false;
    const { scene } = this.stage;
    const { labels } = panel;
    const width = scene.hover_names.length;
    const values = scene.hover.subarray(i * width, (i + 1) * width);
    const head = [element("b", "", className(scene, labels[i]))];
    head.push(element("div", "quiet", `row ${scene.rows[i]}${scene.heldOut[i] ? ", held out" : ""}`));
    if (labels[i] !== scene.labels[i]) {
      head.push(element("div", "quiet", `${className(scene, scene.labels[i])} in the other panels`));
    }
    this.around = element("div", "around");
    const shown = scene.image_shape ? this.picture(values, scene) : table(scene, values);
    this.root.replaceChildren(...head, shown, this.around);
    this.at = { panel, i };
    this.refresh();
    const box = this.stage.root.getBoundingClientRect(), here = panel.canvas.getBoundingClientRect();
    const left = Math.min(here.left + x - box.left + 16, box.width - this.root.offsetWidth - 8);
    this.root.style.transform = `translate(${Math.max(4, left)}px, ${here.top + y - box.top + 16}px)`;
  }

  // The numbers of the picture that is shown now.
  refresh() {
    if (!this.root.hidden) this.around.replaceChildren(...this.stage.spotlight.words(this.at.panel, this.at.i));
  }
}

export function className({ classes }, label) {
  return label < 0 ? "unlabelled" : visibleName(classes[label]);
}

function table(scene, values) {
  const made = element("dl", "");
  scene.hover_names.slice(0, MOST_VALUES).forEach((name, k) => {
    made.append(element("dt", "", name), element("dd", "", written(values[k])));
  });
  if (values.length > MOST_VALUES) made.append(element("dt", "quiet", `and ${values.length - MOST_VALUES} more`));
  return made;
}

export function written(value) {
  return Number.isNaN(value) ? "missing" : String(Number(value.toPrecision(5)));
}

// Writing: much of it is empty paper at the lowest value, so high values are ink. In a photograph they are light.
function isInk(hover) {
  const values = hover.subarray(0, 200_000);
  const low = values.reduce((least, value) => (value < least ? value : least), Infinity);
  return values.reduce((count, value) => count + (value === low), 0) > 0.2 * values.length;
}

function picture(values, [rows, columns], ink) {
  const canvas = element("canvas", "picture");
  Object.assign(canvas, { width: columns, height: rows });
  const pen = canvas.getContext("2d");
  const image = pen.createImageData(columns, rows);
  const low = Math.min(...values), range = Math.max(...values) - low || 1;
  values.forEach((value, k) => {
    const shade = Math.round((255 * (value - low)) / range);
    image.data.fill(ink ? 255 - shade : shade, 4 * k, 4 * k + 3);
    image.data[4 * k + 3] = 255;
  });
  pen.putImageData(image, 0, 0);
  return canvas;
}
