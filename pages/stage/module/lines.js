// Lines from the pinned point to the neighbours that it most probably picks, as wide as p_ij: solid to its own class,
// dashed to another. They lie over the points and are there only while a point is pinned.
import { element } from "./panel.js";

const WIDEST = 9, THINNEST = 0.8; // pixels
const SPACE = "http://www.w3.org/2000/svg";

export class Lines {
  constructor(panel) {
    this.panel = panel;
    this.root = element("div", "lines");
    this.svg = document.createElementNS(SPACE, "svg");
    this.svg.setAttribute("aria-hidden", "true");
    this.root.append(this.svg);
    this.pool = [];
  }

  // To the picture that is painted now: what stands around the point i, null for nothing; i < 0: none is pinned.
  follow(around, i) {
    if (i < 0 || !around) {
      this.root.remove();
      return;
    }
    if (!this.root.parentNode) this.panel.frame.insertBefore(this.root, this.panel.overlay);
    this.draw(around.near, i);
  }

  // The most probable one on top.
  draw(near, i) {
    const { panel, pool } = this;
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
