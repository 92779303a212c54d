// Mouse, touch and keys on a panel: rotate or pan, zoom, hover, pin, select by a lasso or a box.
import { ARROW_KEYS, element, svgElement } from "./dom.js";

export function listen(panel, stage) {
  const { canvas } = panel;
  const pointers = new Map(); // where each is in the window: asking where the panel is would lay the page out anew
  let line = null; // around what is being selected
  let boxed = false;
  let pinch = 0;
  let pressed = null; // where, until the pointer goes away from there
  const place = (event) => {
    const box = canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  const view = () => stage.views.of(panel);
  const half = () => panel.half / panel.ratio;
  const drag = (...by) => (stage.manual.turns(panel) ? stage.manual.drag(...by) : view().drag(...by));

  canvas.onpointerdown = (event) => {
    canvas.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, [event.clientX, event.clientY]);
    pressed = pointers.size === 1 ? place(event) : null;
    if (!stage.selecting && !event.shiftKey) return;
    stage.hover(panel, -1); // its card would hide what is being selected
    pressed = null;
    line = [place(event)];
    boxed = stage.selecting === "box";
  };
  canvas.onpointermove = (event) => {
    const before = pointers.get(event.pointerId);
    if (!before) {
      const [x, y] = place(event);
      stage.hover(panel, panel.nearest(x, y), x, y);
      return;
    }
    const x = event.clientX, y = event.clientY;
    if (pressed && Math.hypot(x - before[0], y - before[1]) < 4) return; // a press may move by some pixels
    pressed = null;
    pointers.set(event.pointerId, [x, y]);
    if (line) {
      const [[x0, y0]] = line, [x1, y1] = place(event);
      line = boxed ? [[x0, y0], [x1, y0], [x1, y1], [x0, y1]] : [...line, [x1, y1]];
      drawLine(panel, line);
    } else if (pointers.size === 2) {
      const [p, q] = [...pointers.values()];
      const apart = Math.hypot(p[0] - q[0], p[1] - q[1]);
      if (pinch) view().zoomBy(apart / pinch);
      pinch = apart;
      stage.viewChanged(panel);
    } else if (event.pointerType !== "touch" || view().rotation || stage.manual.turns(panel)) {
      drag((x - before[0]) / half(), (y - before[1]) / half());
      stage.hints.wasTurned();
      stage.viewChanged(panel);
    }
  };
  canvas.onpointerup = canvas.onpointercancel = (event) => {
    pointers.delete(event.pointerId);
    pinch = 0;
    if (pressed && event.type === "pointerup") stage.spotlight.press(panel.nearest(...pressed));
    pressed = null;
    if (!line) return;
    drawLine(panel, []);
    if (line.length > 2) stage.select(inside(panel, line));
    line = null;
  };
  canvas.onpointerleave = () => stage.hover(panel, -1);
  canvas.ondblclick = () => stage.resetView(panel);
  const wheel = (event) => {
    if (!event.ctrlKey && !event.metaKey && !canvas.matches(":focus")) return stage.hints.wheel(panel); // page scrolls
    event.preventDefault();
    const [x, y] = place(event), h = half();
    const factor = Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0015));
    view().zoomBy(factor, (x - canvas.clientWidth / 2) / h, (canvas.clientHeight / 2 - y) / h);
    stage.viewChanged(panel);
  };
  canvas.addEventListener("wheel", wheel, { passive: false });
  canvas.onkeydown = (event) => {
    const by = ARROW_KEYS[event.key];
    const middle = [canvas.clientWidth / 2, canvas.clientHeight / 2];
    if (by) drag(...by.map((value) => 0.12 * value));
    else if (event.key === "+" || event.key === "=") view().zoomBy(1.2);
    else if (event.key === "-") view().zoomBy(1 / 1.2);
    else if (event.key === "0") stage.resetView(panel);
    else if (event.key === "Enter") stage.spotlight.press(panel.nearest(...middle, Infinity));
    else return;
    event.preventDefault();
    event.stopPropagation();
    stage.viewChanged(panel);
  };
  return panel;
}

function pathOf(points) {
  return `M${points.map((p) => p.map((v) => v.toFixed(1)).join(" ")).join("L")}Z`;
}

function drawLine(panel, points) {
  panel.overlay.replaceChildren();
  if (points.length > 1) panel.overlay.append(svgElement("svg", {}, svgElement("path", { d: pathOf(points) })));
}

// The visible points inside a closed line, by the even-odd rule.
function inside(panel, line) {
  const { xs, ys, ratio, labels, raster, stage: { hidden } } = panel;
  const path = new Path2D(pathOf(line)), found = [];
  for (let i = 0; i < xs.length; i++) {
    if (hidden.has(labels[i])) continue;
    if (raster.context.isPointInPath(path, xs[i] / ratio, ys[i] / ratio, "evenodd")) found.push(i);
  }
  return found;
}

// Whether the key goes to a text field, which then has its own use of Escape.
export function typing(event) {
  const [target] = event.composedPath();
  const text = "input:not([type=range], [type=checkbox], [type=radio], [type=button]), textarea, [contenteditable]";
  return Boolean(target?.matches?.(text) || target?.isContentEditable);
}

// Whether the focus is on something that the space bar presses, types into or moves.
export function usesSpace(event, root) {
  const [target] = event.composedPath();
  const roles = "[role=button], [role=tab], [role=option], [role=grid]";
  const used = `button, select, summary, a, textarea, input:not([type=range]), [contenteditable], ${roles}`;
  return typing(event) || Boolean(target.closest?.(used)) || (target.tagName === "CANVAS" && !root.contains(target));
}

// Whether the focus is on something that the arrow keys move, choose from or write into.
export function usesArrows(event) {
  const [target] = event.composedPath();
  return typing(event) || !(target.matches?.("button, summary, a") && !target.role) && target.tagName !== "BODY";
}

// Short hints on a panel: how to zoom where a wheel scrolls the page, that a 3-D panel can be turned.

const MOST = 3; // times that the wheel is explained
const LASTS = 1800; // milliseconds

export class Hints {
  constructor() {
    Object.assign(this, { wheels: 0, last: 0, turned: false });
    const mac = /Mac|iPhone|iPad/.test(navigator.platform ?? "");
    this.root = element("div", "hint", `Hold ${mac ? "⌘" : "Ctrl"} to zoom, or click the panel first`);
    this.turn = element("div", "turn-hint", "drag to turn");
  }

  wheel(panel) {
    const now = performance.now();
    if (now - this.last > LASTS) this.wheels++;
    this.last = now;
    if (this.wheels > MOST) return;
    panel.frame.append(this.root);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.root.remove(), LASTS);
  }

  // On the panel that moves, or the first, until a panel has been turned.
  offerTurning(panels, components) {
    const panel = panels.find(({ content }) => content.live && !content.problem) ?? panels.find(({ drawn }) => drawn);
    if (components === 3 && !this.turned && panel) panel.frame.append(this.turn);
    else this.turn.remove();
  }

  wasTurned() {
    this.turned = true;
    this.turn.remove();
  }
}
