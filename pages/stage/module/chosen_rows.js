// The points that are selected, in sight of the panels: how many of which class, and their rows as a small table. It stands
// where the story does, which comes back when the selection goes.
import { className, written } from "./hovercard.js";
import { element } from "./panel.js";

const MOST_ROWS = 50, MOST_VALUES = 6, MOST_CLASSES = 6;

export class ChosenRows {
  constructor(stage) {
    this.stage = stage;
    this.root = element("div", "chosen");
    this.root.tabIndex = 0; // it scrolls, by keys too
    this.root.setAttribute("role", "region");
    this.root.setAttribute("aria-label", "Selected points");
    this.root.hidden = true;
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
  const order = [...counts].sort((a, b) => b[1] - a[1]);
  const named = order.slice(0, MOST_CLASSES).map(([label, count]) => `${count.toLocaleString("en")} ${className(scene, label)}`);
  if (order.length > MOST_CLASSES) named.push(`and ${order.length - MOST_CLASSES} more classes`);
  return `${rows.length.toLocaleString("en")} ${rows.length === 1 ? "point" : "points"} selected: ${named.join(", ")}`;
}

function table(scene, rows) {
  const made = element("table", "");
  const names = scene.image_shape ? [] : scene.hover_names.slice(0, MOST_VALUES);
  made.append(line("th", ["row", "class", ...names]));
  const width = scene.hover_names.length;
  for (const i of rows) {
    const values = names.map((_, k) => written(scene.hover[i * width + k]));
    const held = scene.heldOut[i] ? ", held out" : "";
    made.append(line("td", [scene.rows[i], `${className(scene, scene.labels[i])}${held}`, ...values]));
  }
  return made;
}

function line(kind, cells) {
  const made = element("tr", "");
  for (const cell of cells) made.append(element(kind, "", String(cell)));
  return made;
}
