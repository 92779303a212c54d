// The hover card: class, name, row, values of a point, and its picture where rows are pictures. Names are only ever text.
import { element } from "./dom.js";
import { counted } from "./text.js";

const MOST_ON_CARD = 8;

export class HoverCard {
  constructor(stage) {
    this.stage = stage;
    this.root = element("div", { className: "card", hidden: true, role: "tooltip" });
  }

  // The picture of a row of pixels.
  picture(values) {
    const { hover, image_shape: [rows, columns] } = this.stage.scene;
    if (this.judged !== hover) {
      // Writing: much of it is empty paper at the lowest value, so high values are ink. In a photograph they are light.
      const some = hover.subarray(0, 200_000), least = some.reduce((a, b) => (b < a ? b : a), Infinity);
      const ink = some.reduce((count, value) => count + (value === least), 0) > 0.2 * some.length;
      Object.assign(this, { judged: hover, ink });
    }
    const canvas = element("canvas", { className: "picture", width: columns, height: rows });
    const pen = canvas.getContext("2d");
    const image = pen.createImageData(columns, rows);
    const low = Math.min(...values), range = Math.max(...values) - low || 1;
    values.forEach((value, k) => {
      const shade = Math.round((255 * (value - low)) / range);
      image.data.fill(this.ink ? 255 - shade : shade, 4 * k, 4 * k + 3);
      image.data[4 * k + 3] = 255;
    });
    pen.putImageData(image, 0, 0);
    return canvas;
  }

  hide() {
    this.root.hidden = true;
  }

  // At (x, y) of the panel in which the point is looked at.
  show(panel, i, x, y) {
    this.root.hidden = false;
    const { scene } = this.stage;
    const { labels } = panel;
    const values = valuesOf(scene, i);
    const head = [element("b", "", className(scene, labels[i]))];
    if (scene.rowNames?.[i]) head.push(element("div", "", scene.rowNames[i]));
    const about = scene.heldOut[i] ? ", held out" : "";
    head.push(element("div", "quiet", `${scene.row_word} ${scene.rows[i]}${about}`));
    if (labels[i] !== scene.labels[i]) {
      head.push(element("div", "quiet", `${className(scene, scene.labels[i])} in the other panels`));
    }
    this.neighbourhood = element("div", "neighbourhood");
    const shown = scene.image_shape ? this.picture(values) : element("dl");
    if (!scene.image_shape) {
      const named = scene.hover_names.slice(0, MOST_ON_CARD);
      shown.append(...named.flatMap((name, k) => [element("dt", "", name), element("dd", "", written(values[k]))]));
      const more = values.length - named.length;
      if (more > 0) shown.append(element("dt", "quiet", `and ${more} more`));
    }
    this.root.replaceChildren(...head, shown, this.neighbourhood);
    this.at = { panel, i };
    this.refresh();
    const box = this.stage.root.getBoundingClientRect(), here = panel.canvas.getBoundingClientRect();
    // Beside the circle, so that it covers no neighbour that it speaks of; below the panel where neither side has room.
    const reach = (panel.circle.hidden ? 0 : panel.circle.offsetWidth / 2) + 12, wide = this.root.offsetWidth;
    const middle = here.left + x - box.left, top = here.top - box.top;
    const sides = [middle + reach, middle - reach - wide].filter((left) => left >= 4 && left + wide <= box.width - 4);
    const left = sides[0] ?? Math.max(4, Math.min(middle - wide / 2, box.width - wide - 8));
    this.root.style.transform = `translate(${left}px, ${sides.length ? top + y + 16 : top + here.height + 6}px)`;
  }

  // The numbers of the picture that is shown now.
  refresh() {
    if (!this.root.hidden) this.neighbourhood.replaceChildren(...this.stage.spotlight.words(this.at.panel, this.at.i));
  }
}

export function valuesOf({ hover, hover_names: names }, i) {
  return hover.subarray(i * names.length, (i + 1) * names.length);
}

// A row by its name and number, as in "Anna (line 37, held out)", "Row 37 (held out)" and "row 37".
export function rowTitle(scene, i, { about = "", capital = false } = {}) {
  const number = `${scene.row_word} ${scene.rows[i]}`, name = scene.rowNames?.[i];
  if (name) return `${name} (${number}${about && `, ${about}`})`;
  return (capital ? number[0].toUpperCase() + number.slice(1) : number) + (about && ` (${about})`);
}

export function className({ classes }, label) {
  return label < 0 ? "unlabelled" : classes[label];
}

function written(value) {
  return Number.isNaN(value) ? "missing" : String(Number(value.toPrecision(5)));
}

// The selected points: how many of which class, and their rows as a small table. They replace the story while there are
// any.

const MOST_ROWS = 50, MOST_VALUES = 6, MOST_CLASSES = 6;

export class ChosenRows {
  constructor(stage) {
    this.stage = stage;
    const root = { className: "chosen", tabIndex: 0, role: "region", hidden: true }; // it scrolls, by keys too
    this.root = element("div", { ...root, ariaLabel: "Selected points" });
  }

  show() {
    const { scene, selected, story } = this.stage;
    this.root.hidden = !selected.size;
    story.root.hidden = !this.root.hidden;
    if (this.root.hidden) return this.root.replaceChildren();
    const rows = [...selected].sort((a, b) => scene.rows[a] - scene.rows[b]);
    this.root.replaceChildren(element("p", "", summary(scene, rows)), table(scene, rows.slice(0, MOST_ROWS)));
    if (rows.length > MOST_ROWS) {
      this.root.append(element("p", "quiet", `and ${(rows.length - MOST_ROWS).toLocaleString("en")} more`));
    }
    this.root.scrollTop = 0;
  }
}

// As in "5 points selected: 3 setosa, 2 virginica".
function summary(scene, rows) {
  const counts = new Map();
  for (const i of rows) counts.set(scene.labels[i], (counts.get(scene.labels[i]) ?? 0) + 1);
  const named = [...counts].sort((a, b) => b[1] - a[1]).slice(0, MOST_CLASSES).map(([label, count]) => {
    return `${count.toLocaleString("en")} ${className(scene, label)}`;
  });
  if (counts.size > MOST_CLASSES) named.push(`and ${counts.size - MOST_CLASSES} more classes`);
  return `${counted(rows.length, "point")} selected: ${named.join(", ")}`;
}

function table(scene, rows) {
  const names = scene.image_shape ? [] : scene.hover_names.slice(0, MOST_VALUES);
  const lines = rows.map((i) => {
    const held = scene.heldOut[i] ? ", held out" : "";
    const values = Array.from(valuesOf(scene, i).subarray(0, names.length), written);
    return line("td", [scene.rows[i], ...(scene.rowNames ? [scene.rowNames[i]] : []), `${className(scene, scene.labels[i])}${held}`, ...values]);
  });
  return element("table", "", line("th", [scene.row_word, ...(scene.rowNames ? ["name"] : []), "class", ...names]), ...lines);
}

function line(kind, cells) {
  return element("tr", "", ...cells.map((cell) => element(kind, "", cell)));
}
