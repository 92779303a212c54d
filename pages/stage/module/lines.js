// Lines from the pinned point to the neighbours that it most probably picks, as wide as p_ij: solid to its own class,
// dashed to another. They lie over the points and are there only while a point is pinned.
import { mostProbable } from "./probable.js";
import { element } from "./panel.js";

export const MOST_LINES = 30;
const WIDEST = 9, THINNEST = 0.8; // pixels
const MANY = 20_000; // points; with more, whose lines these are is counted anew only now and then while they move
const OFTEN = 120; // milliseconds
const SPACE = "http://www.w3.org/2000/svg";

export class Lines {
  constructor(panel) {
    this.panel = panel;
    this.root = element("div", "lines");
    this.svg = document.createElementNS(SPACE, "svg");
    this.svg.setAttribute("aria-hidden", "true");
    this.root.append(this.svg);
    this.pool = [];
    this.near = []; // as mostProbable has it
    this.i = -1;
    this.at = -Infinity;
  }

  // To the picture that is painted now; i < 0: none. `moving`: another one follows soon.
  follow(i, moving) {
    if (i < 0) {
      this.near = [];
      this.i = -1;
      this.root.remove();
      return;
    }
    if (!this.root.parentNode) this.panel.frame.insertBefore(this.root, this.panel.overlay);
    this.count(i, moving);
    this.draw(i);
  }

  count(i, moving) {
    const { stage, Y, labels, content } = this.panel;
    const { samples, components, heldOut } = stage.scene;
    const now = performance.now();
    if (moving && samples > MANY && this.i === i && now - this.at < OFTEN) return;
    Object.assign(this, { i, at: now });
    this.near = mostProbable({ Y, components, i, labels, heldOut, unit: content.unit, most: MOST_LINES });
  }

  // The most probable one on top.
  draw(i) {
    const { panel, near, pool } = this;
    const { xs, ys, ratio, labels, stage } = panel;
    const seen = near.filter(({ j }) => !stage.hidden.has(labels[j])).reverse();
    while (pool.length < seen.length) {
      pool.push(document.createElementNS(SPACE, "line"));
      this.svg.append(pool[pool.length - 1]);
    }
    pool.forEach((line, k) => {
      const there = seen[k];
      line.toggleAttribute("hidden", !there);
      if (!there) return;
      const { j, p, same } = there;
      const width = Math.max(THINNEST, WIDEST * p);
      put(line, "class", same === null ? "" : same ? "same" : "other");
      put(line, "stroke-width", width.toFixed(2));
      put(line, "stroke-dasharray", same === false ? `${(2 * width + 3).toFixed(1)} ${(width + 3).toFixed(1)}` : "none");
      const ends = { x1: xs[i], y1: ys[i], x2: xs[j], y2: ys[j] };
      for (const [name, at] of Object.entries(ends)) line.setAttribute(name, (at / ratio).toFixed(1));
    });
  }
}

function put(line, name, value) {
  if (line.getAttribute(name) !== value) line.setAttribute(name, value);
}
