// The point that is looked at, in all panels at once: under the pointer, or pinned by a press. A circle holds 90 % of its
// p_ij, and beside each panel's title stand its own K and p_i. All follow the picture that is painted.
import { Around, MOST_NEAR } from "./around.js";
import { Lines } from "./lines.js";
import { element } from "./panel.js";

const WIDEST = 20_000; // pixels of a circle; beyond that it is around everything anyway

const LINES =
  `lines: up to ${MOST_NEAR} most probable neighbours of the pressed point, as wide as pᵢⱼ; dashed to another class; Escape lets go`;

export class Spotlight {
  constructor(stage) {
    this.stage = stage;
    this.hovered = -1;
    this.pinned = -1;
    this.lines = new WeakMap(); // by panel
    this.arounds = new Around(stage);
    this.legend = element("span", "quiet lines-legend", LINES);
    this.legend.hidden = true;
  }

  get point() {
    return this.pinned < 0 ? this.hovered : this.pinned;
  }

  hover(i) {
    if (i === this.hovered) return;
    this.hovered = i;
    this.show();
  }

  // Pins the point, or lets go of it; a press beside all points lets go too.
  press(i) {
    this.pin(i === this.pinned ? -1 : i);
  }

  // As a person does, and so told; `asked`: the page did, and knows.
  pin(i, asked = false) {
    if (i === this.pinned) return;
    this.pinned = i;
    if (!asked) this.stage.reportPoint(i);
    this.show();
    this.stage.stir(); // what is asked of it is answered anew
  }

  clear() {
    this.pin(-1);
    this.show();
  }

  // Another scene: its points are others.
  forget() {
    this.hovered = this.pinned = -1;
    this.show();
  }

  show() {
    this.legend.hidden = this.pinned < 0;
    for (const panel of this.stage.panels) {
      panel.mark(this.hovered);
      this.follow(panel);
    }
  }

  // Bring the circle and the numbers of a panel to the picture that it shows.
  follow(panel, moving = false) {
    const i = this.point;
    if (i < 0 && panel.lookedAt < 0) return; // nothing to bring along
    panel.lookedAt = i;
    const around = i < 0 ? null : this.arounds.of(panel, i, moving);
    const found = around?.circle ?? null;
    this.linesOf(panel).follow(panel.between ? null : around, this.pinned);
    panel.circle.hidden = !found || panel.between;
    panel.circle.classList.toggle("pinned", this.pinned >= 0);
    const text = found ? this.numbersOf(found) : "";
    if (panel.own.textContent !== text) panel.own.textContent = text;
    if (!found) return;
    const size = Math.min(WIDEST, (2 * found.radius * panel.scale) / panel.ratio);
    const x = panel.xs[i] / panel.ratio, y = panel.ys[i] / panel.ratio;
    panel.circle.style.transform = `translate(${x - size / 2}px, ${y - size / 2}px)`;
    panel.circle.style.width = panel.circle.style.height = `${size}px`;
  }

  // Its own K and p_i, as far as they are to be seen; kept with them, as a picture that moves asks for them often.
  numbersOf(found) {
    const { without } = this.stage;
    if (found.without === without) return found.words;
    const words = [!without.has("own_k") && `K ${countOf(found.k)}`, !without.has("p") && `p ${found.p.toFixed(2)}`];
    found.without = without;
    return (found.words = words.filter(Boolean).join("  "));
  }

  linesOf(panel) {
    if (!this.lines.has(panel)) this.lines.set(panel, new Lines(panel));
    return this.lines.get(panel);
  }

  // The neighbourhood of a point in a panel; null where there is none, as of Around.
  around(panel, i) {
    return this.arounds.of(panel, i)?.circle ?? null;
  }

  // What the card says of a point's neighbourhood in the panel that the pointer is on.
  words(panel, i) {
    const found = this.around(panel, i);
    if (!found) return [];
    const kind = this.stage.scene.ordered ? "range" : "class";
    const { without } = this.stage;
    const lines = without.has("own_k") ? [] : [`effectively looks at ${countOf(found.k)} of the training rows (its own K)`];
    if (panel.labels[i] >= 0 && !without.has("p")) lines.push(`chance of picking one of its ${kind} (pᵢ): ${found.p.toFixed(3)}`);
    lines.push("the circle holds 90 % of its pᵢⱼ");
    if (!panel.content.live && lines.length > 1) lines.push("scale not learnt: both depend on the unit of the features");
    return lines.map((line) => element("div", "", line));
  }
}

// A number of neighbours, in digits that mean something.
export function countOf(k) {
  return k < 100 ? k.toFixed(1) : Math.round(k).toLocaleString("en");
}
