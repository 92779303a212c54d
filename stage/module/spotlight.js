// Shows a point in all panels at once: the one under the pointer, or the one pinned by a press. A circle holds 90 % of
// its p_ij, and each panel's head has its own K and p_i. All follow the picture that is painted.
import { element, Layer, setText, svgElement } from "./dom.js";
import { circleRadius, mostProbable, picksOf } from "./neighbourhood.js";
import { countOf } from "./text.js";

const MOST_NEAR = 30; // neighbours that lines are drawn to
const MANY = 5_000, OFTEN = 120; // points; milliseconds
const WIDEST_CIRCLE = 20_000; // pixels of a circle; beyond that it is around everything anyway

const LINES =
  `Lines: the ${MOST_NEAR} most probable neighbours, as wide as pᵢⱼ, dashed to another class. Escape releases the ` +
  "point.";

export class Spotlight {
  constructor(stage) {
    this.stage = stage;
    this.hovered = -1;
    this.pinned = -1;
    this.legend = element("span", { className: "quiet lines-legend", hidden: true }, LINES);
  }

  hover(i) {
    if (i === this.hovered) return;
    this.hovered = i;
    this.show();
  }

  // Pin the point, or release it; a press on no point releases it, too.
  press(i) {
    this.pin(i === this.pinned ? -1 : i);
  }

  // `silent`: at the request of the page, which needs no report.
  pin(i, silent = false) {
    if (i === this.pinned) return;
    this.pinned = i;
    if (!silent) this.stage.reportPoint(i);
    this.show();
    this.stage.requestFrame(); // questions are answered anew
  }

  // Another scene: its points are others.
  clear() {
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
    const i = this.pinned < 0 ? this.hovered : this.pinned;
    if (i < 0 && panel.lookedAt < 0) return; // nothing to bring along
    panel.lookedAt = i;
    const near = i < 0 ? null : this.neighbourhood(panel, i, moving);
    const found = near?.circle ?? null;
    panel.lines ??= new Lines(panel, "lines");
    panel.lines.follow(panel.between ? null : near, this.pinned);
    panel.circle.hidden = !found || panel.between;
    panel.circle.classList.toggle("pinned", this.pinned >= 0);
    const { without } = this.stage;
    const own = found && [!without.has("own_k") && `K ${countOf(found.k)}`, !without.has("p") && `p ${found.p.toFixed(2)}`];
    setText(panel.own, own ? own.filter(Boolean).join("  ") : "");
    if (!found) return;
    const size = Math.min(WIDEST_CIRCLE, (2 * found.radius * panel.scale) / panel.ratio);
    const x = panel.xs[i] / panel.ratio, y = panel.ys[i] / panel.ratio;
    panel.circle.style.transform = `translate(${x - size / 2}px, ${y - size / 2}px)`;
    panel.circle.style.width = panel.circle.style.height = `${size}px`;
  }

  // -> { circle: { radius, p, k }, near }, with `near` as `mostProbable` returns it; null where nothing is drawn, the
  // class of the point is hidden, or the panel has no p_ij. Computed anew only for another picture; while very many
  // points move (`moving`), a few times a second, and exactly once they rest.
  neighbourhood(panel, i, moving = false) {
    const { scene, hidden } = this.stage;
    const { labels, content, picture } = panel;
    if (!panel.projects || !panel.scale || hidden.has(labels[i])) return null;
    const before = panel.neighbourhood, now = performance.now(); // what was counted last
    if (before?.content === content && before.i === i) {
      const recent = moving && scene.samples > MANY && now - before.at < OFTEN;
      if (before.picture === picture || recent) return before.found;
    }
    const picks = picksOf({ ...panel.points, i });
    const found = picks && {
      circle: { radius: circleRadius(picks, content.unit), p: picks.p, k: picks.k },
      near: mostProbable(picks, i, labels, MOST_NEAR),
    };
    panel.neighbourhood = { content, i, picture, at: now, found };
    return found;
  }

  // Lines of the card about a point's neighbourhood in the panel under the pointer.
  words(panel, i) {
    const found = this.neighbourhood(panel, i)?.circle;
    if (!found) return [];
    const { without, scene: { ordered } } = this.stage, chance = found.p.toFixed(3);
    const lines = without.has("own_k") ? [] : [`About ${countOf(found.k)} points influence this one (its own K)`];
    if (panel.labels[i] >= 0 && !without.has("p")) {
      lines.push(`It picks its ${ordered ? "range" : "class"} with probability ${chance} (pᵢ)`);
    }
    lines.push("90 % of its picks fall inside the circle");
    if (!panel.content.live && lines.length > 1) lines.push("Scale not learnt: both depend on the units of the features");
    return lines.map((line) => element("div", "", line));
  }
}

// Lines from the pinned point to the neighbours that it most probably picks, as wide as p_ij: solid to its own class,
// dashed to another. They lie over the points and are there only while a point is pinned.

const WIDEST = 9, THINNEST = 0.8; // pixels

class Lines extends Layer {
  pool = [];

  // Draw the neighbours of the point i in the picture painted now, the most probable one on top; nothing where `found`
  // is null or none is pinned (i < 0).
  follow(found, i) {
    if (i < 0 || !found) return this.hide();
    this.show();
    const { panel, pool } = this;
    const { xs, ys, ratio, labels, stage } = panel;
    const seen = found.near.filter(({ j }) => !stage.hidden.has(labels[j])).reverse();
    while (pool.length < seen.length) pool.push(this.svg.appendChild(svgElement("line")));
    pool.forEach((line, k) => {
      line.toggleAttribute("hidden", k >= seen.length);
      if (k >= seen.length) return;
      const { j, p, same } = seen[k];
      const width = Math.max(THINNEST, WIDEST * p);
      line.setAttribute("class", same === null ? "" : same ? "same" : "other");
      line.setAttribute("stroke-width", width.toFixed(2));
      const dashes = `${(2 * width + 3).toFixed(1)} ${(width + 3).toFixed(1)}`;
      line.setAttribute("stroke-dasharray", same === false ? dashes : "none");
      const ends = { x1: xs[i], y1: ys[i], x2: xs[j], y2: ys[j] };
      for (const [name, at] of Object.entries(ends)) line.setAttribute(name, (at / ratio).toFixed(1));
    });
  }
}
