// Features as arrows in the panels: how a point moves when the feature grows by one (by its standard deviation, where
// features are standardised), all of a panel longer by one factor that is said.
import { featureName } from "./feature_name.js";
import { frameOf } from "./frame_of.js";
import { strongest, weightsOf } from "./metric.js";
import { element } from "./panel.js";

const SPACE = "http://www.w3.org/2000/svg";
const REACH = 0.8; // of the half width, for the longest
const FACTORS = [1, 2, 5];
const HEAD = 7, LETTER = 7, LINE = 14, GAP = 5, EDGE = 2; // pixels
const LONGEST = 0.5, FEWEST = 6; // of a panel's width, and letters, that a name takes before it is cut short

export class Arrows {
  // `gap`: from a tip to its name.
  constructor(panel, gap = GAP) {
    Object.assign(this, { panel, gap });
    this.root = element("div", "arrows");
    this.svg = document.createElementNS(SPACE, "svg");
    this.svg.setAttribute("aria-hidden", "true");
    this.factorText = element("span", "factor");
    this.root.append(this.svg, this.factorText);
    this.pool = [];
    this.last = null; // which features were drawn, and how much longer
  }

  // So many arrows in the picture that is painted now; `fixed`: those of `last` instead.
  follow(count, fixed = null) {
    const { panel } = this;
    const A = count > 0 && panel.drawn && panel.scale ? frameOf(panel) : null;
    if (!A) {
      this.root.remove();
      this.last = null;
      return;
    }
    if (!this.root.parentNode) panel.frame.insertBefore(this.root, panel.overlay);
    const { scene } = panel.stage;
    const features = scene.features[panel.content.features];
    const { columns } = features;
    const chosen = fixed?.chosen ?? strongest(weightsOf(A, columns), count);
    const tips = chosen.map((f) => Array.from({ length: scene.components }, (_, c) => A[c * columns + f]));
    const factor = fixed?.factor ?? factorFor(Math.max(...tips.map((tip) => Math.hypot(...tip))), panel.extent);
    this.last = { chosen, factor };
    this.factorText.textContent = factor === 1 ? "" : `arrows × ${factor >= 1e4 || factor < 1e-2 ? factor.toExponential(0) : factor}`;
    const middle = toScreen(panel, [0, 0, 0]);
    while (this.pool.length < chosen.length) this.pool.push(this.made());
    const wide = panel.raster.width / panel.ratio;
    const ends = tips.map((tip) => toScreen(panel, tip.map((v) => v * factor)));
    // What names keep off: one another, and what stands on the tips.
    const taken = this.gap > GAP ? ends.map(([x, y]) => ({ left: x - this.gap / 2, long: this.gap, base: y + 4 })) : [];
    this.pool.forEach((arrow, k) => {
      arrow.group.toggleAttribute("hidden", k >= chosen.length);
      if (k >= chosen.length) return;
      name(arrow, featureName(chosen[k], features, scene.image_shape), wide);
      place(arrow, middle, ends[k], wide, this.gap, taken);
    });
  }

  made() {
    const [group, line, head, text] = ["g", "line", "path", "text"].map((name) => document.createElementNS(SPACE, name));
    group.append(line, head, text);
    this.svg.append(group);
    return { group, line, head, text };
  }
}

// The round factor that brings the longest arrow to about REACH of what is shown.
export function factorFor(longest, extent) {
  const wanted = (REACH * extent) / longest;
  if (!(wanted > 0 && wanted < Infinity)) return 1;
  const power = 10 ** Math.floor(Math.log10(wanted));
  return Math.max(...FACTORS.map((f) => f * power).filter((f) => f <= wanted * (1 + 1e-9)));
}

// Where a place of Y is seen, in CSS pixels.
export function toScreen(panel, [a, b, c = 0]) {
  const { raster, ratio, scale, stage } = panel;
  const view = stage.views.of(panel);
  const { width, height } = raster;
  const half = Math.min(width, height) / 2, R = view.rotation;
  const [x, y] = R
    ? [width / 2 + scale * (R[0] * a + R[1] * b + R[2] * c), height / 2 - scale * (R[3] * a + R[4] * b + R[5] * c)]
    : [width / 2 + view.panX * half + scale * a, height / 2 - view.panY * half - scale * b];
  return [x / ratio, y / ratio];
}

// Written and measured, which lays out the page, only where the name or the panel is another.
function name(arrow, text, wide) {
  const told = `${text}\n${wide}`;
  if (told === arrow.told) return;
  arrow.told = told;
  const most = Math.max(FEWEST, Math.floor((LONGEST * wide) / LETTER));
  arrow.text.textContent = text.length > most ? `${text.slice(0, most - 1)}…` : text;
  arrow.long = arrow.text.getComputedTextLength();
}

// The name stays within the panel, which is so wide, and off the names in `taken`, to which it is added; where there is no
// room beside its tip it is left out.
function place({ line, head, text, long }, [x0, y0], [x, y], wide, gap, taken) {
  const length = Math.hypot(x - x0, y - y0) || 1;
  const [u, v] = [(x - x0) / length, (y - y0) / length];
  const ends = { x1: x0, y1: y0, x2: x, y2: y };
  for (const [name, at] of Object.entries(ends)) line.setAttribute(name, at.toFixed(1));
  const corner = (side) => `${(x - HEAD * u - side * 0.5 * HEAD * v).toFixed(1)} ${(y - HEAD * v + side * 0.5 * HEAD * u).toFixed(1)}`;
  head.setAttribute("d", `M${x.toFixed(1)} ${y.toFixed(1)}L${corner(1)}L${corner(-1)}Z`);
  const anchor = u < -0.3 ? "end" : u > 0.3 ? "start" : "middle";
  const before = { end: long, middle: long / 2, start: 0 }[anchor];
  const at = Math.max(before + EDGE, Math.min(wide - EDGE - (long - before), x + gap * u));
  const left = at - before;
  const free = (base) => taken.every((other) => left > other.left + other.long || other.left > left + long || Math.abs(base - other.base) >= LINE);
  const away = (v < 0 ? -1 : 1) * LINE;
  const base = [0, away, -away, 2 * away, -2 * away].map((by) => y + gap * v + 4 + by).find(free);
  text.setAttribute("visibility", base === undefined ? "hidden" : "visible");
  if (base === undefined) return;
  taken.push({ left, long, base });
  text.setAttribute("x", at.toFixed(1));
  text.setAttribute("y", base.toFixed(1));
  text.setAttribute("text-anchor", anchor);
}
