// Paint points of several classes; the drawing is sent to Python after each stroke, and strokes can be undone.
// Coordinates are thousandths of half the board's height: y from -1000 to 1000, x from -1333 to 1333.
import { ARROW_KEYS, button, element, setText } from "./dom.js";
import { colourOf, marker, readTheme, shapePath } from "./palette.js";
import { counted } from "./text.js";

export const HALF_HEIGHT = 1000;
export const HALF_WIDTH = 1333;
export const CLASSES = 9; // one for each digit key
const STEP_OF_BRUSH = 36, STEP_OF_KEYS = 40; // distance between the points of a dragged brush; of the cursor
const boards = new WeakMap();

export function showBoard(component) {
  const root = component.parentElement.querySelector(".board");
  let board = boards.get(root);
  if (!board) boards.set(root, (board = new Board(root, component.data)));
  board.report = (points) => component.setStateValue("points", points);
  board.followTheme();
  return () => board.end();
}

class Board {
  constructor(root, { points, limit }) {
    Object.assign(this, { root, limit, points: unpacked(points), undone: [], chosen: 0, erasing: false });
    Object.assign(this, { cursor: [0, 0], pointer: null, stroke: null, waiting: 0, report() {} });
    this.build();
    this.watcher = new ResizeObserver(() => this.requestPaint());
    this.watcher.observe(this.canvas);
  }

  end() {
    this.watcher.disconnect();
    cancelAnimationFrame(this.waiting);
    boards.delete(this.root);
  }

  build() {
    this.canvas = element("canvas", { tabIndex: 0, role: "application" });
    this.classButtons = Array.from({ length: CLASSES }, (_, c) => {
      const title = `Class ${c + 1} (key ${c + 1})`;
      return element("button", { type: "button", title, ariaLabel: `Class ${c + 1}`, onclick: () => this.pick(c) });
    });
    const group = { className: "classes", role: "group", ariaLabel: "Class to paint" };
    const classes = element("div", group, ...this.classButtons);
    this.eraser = button("Eraser", "", () => this.erase(!this.erasing));
    this.eraser.title = "Erase points (key E)";
    this.width = element("input", { type: "range", min: 0, max: 300, step: 10, value: 80, oninput: () => this.requestPaint() });
    const title = "Spread of a dragged brush; a single press sets one point";
    const width = element("label", { title }, "Brush", this.width);
    this.undoButton = button("Undo", "", () => this.undo());
    this.undoButton.title = "Ctrl+Z";
    this.clearButton = button("Clear", "", () => this.change([]));
    this.count = element("span", { ariaLive: "polite" });
    const help = element("span", "", "1-9 class, E eraser, Ctrl+Z undo; arrows and Space without a mouse");
    this.root.replaceChildren(
      element("div", "tools", classes, this.eraser, width, this.undoButton, this.clearButton),
      this.canvas, element("div", "foot", this.count, help),
    );
    this.root.onkeydown = (event) => this.pressed(event);
    this.canvas.onpointerdown = (event) => this.began(event);
    this.canvas.onpointermove = (event) => this.moved(event);
    this.canvas.onpointerup = this.canvas.onpointercancel = () => {
      const before = this.stroke?.before;
      this.stroke = null;
      if (before) this.remember(before);
    };
    this.canvas.onpointerleave = () => {
      if (this.stroke) return;
      this.pointer = null;
      this.requestPaint();
    };
  }

  pick(c) {
    this.chosen = c;
    this.erase(false);
  }

  erase(on) {
    this.erasing = on;
    this.refresh();
  }

  pressed(event) {
    if (event.target === this.width && event.key.startsWith("Arrow")) return;
    const digit = /^[1-9]$/.test(event.key) ? Number(event.key) : 0;
    const arrow = ARROW_KEYS[event.key];
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z") this.undo();
    else if (event.ctrlKey || event.metaKey || event.altKey) return;
    else if (digit) this.pick(digit - 1);
    else if (event.key.toLowerCase() === "e") this.erase(!this.erasing);
    else if (event.target !== this.canvas) return;
    else if (arrow) this.moveCursor(arrow);
    else if (event.key === " " || event.key === "Enter") this.change(this.touched(this.points, this.cursor, true));
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  moveCursor([right, down]) {
    const within = (value, most) => Math.max(-most, Math.min(most, value));
    const [x, y] = this.cursor;
    this.cursor = [within(x + right * STEP_OF_KEYS, HALF_WIDTH), within(y - down * STEP_OF_KEYS, HALF_HEIGHT)];
    this.pointer = this.cursor;
    this.requestPaint();
  }

  placeOf({ clientX, clientY }) {
    const { left, top, width, height } = this.canvas.getBoundingClientRect();
    return [((clientX - left) / width - 0.5) * 2 * HALF_WIDTH, (0.5 - (clientY - top) / height) * 2 * HALF_HEIGHT];
  }

  began(event) {
    if (event.button !== 0 || this.stroke) return;
    this.canvas.setPointerCapture(event.pointerId);
    this.pointer = this.cursor = this.placeOf(event);
    this.stroke = { before: this.points, last: this.pointer, id: event.pointerId };
    this.points = this.touched(this.points, this.pointer, true);
    this.requestPaint();
  }

  moved(event) {
    if (this.stroke && event.pointerId !== this.stroke.id) return;
    const parts = event.getCoalescedEvents?.() ?? [];
    for (const part of parts.length ? parts : [event]) this.pointer = this.drawnTo(this.placeOf(part));
    this.requestPaint();
  }

  drawnTo(place) {
    if (!this.stroke) return place;
    const [x0, y0] = this.stroke.last;
    const length = Math.hypot(place[0] - x0, place[1] - y0);
    for (let gone = STEP_OF_BRUSH; gone <= length; gone += STEP_OF_BRUSH) {
      const share = gone / length;
      this.stroke.last = [x0 + share * (place[0] - x0), y0 + share * (place[1] - y0)];
      this.points = this.touched(this.points, this.stroke.last, false);
    }
    return place;
  }

  // The points after a touch of brush or eraser at `place`; an exact touch sets its point there.
  touched(points, place, exact) {
    if (this.erasing) return points.filter(([x, y]) => Math.hypot(x - place[0], y - place[1]) > this.reach());
    const spread = exact ? 0 : Number(this.width.value);
    const x = Math.round(place[0] + spread * normal());
    const y = Math.round(place[1] + spread * normal());
    const outside = Math.abs(x) > HALF_WIDTH || Math.abs(y) > HALF_HEIGHT;
    return outside || points.length >= this.limit ? points : [...points, [x, y, this.chosen]];
  }

  reach() {
    return this.erasing ? Math.max(50, Number(this.width.value)) : Number(this.width.value);
  }

  change(points) {
    const before = this.points;
    this.points = points;
    this.remember(before);
  }

  remember(before) {
    if (before.length !== this.points.length) {
      this.undone.push(before);
      if (this.undone.length > 100) this.undone.shift();
      this.report(this.points.flat());
    }
    this.refresh();
  }

  undo() {
    if (this.stroke || !this.undone.length) return;
    this.points = this.undone.pop();
    this.report(this.points.flat());
    this.refresh();
  }

  followTheme() {
    const theme = readTheme(this.root);
    if (theme.name === this.theme?.name) return;
    this.theme = theme;
    const sign = (c) => marker(shapeOnStage(c), colourOf(c, theme.dark));
    this.classButtons.forEach((each, c) => each.replaceChildren(sign(c), String(c + 1)));
    this.refresh();
  }

  refresh() {
    this.classButtons.forEach((each, c) => (each.ariaPressed = !this.erasing && c === this.chosen));
    this.eraser.ariaPressed = this.erasing;
    this.undoButton.disabled = !this.undone.length;
    this.clearButton.disabled = !this.points.length;
    this.requestPaint();
  }

  requestPaint() {
    if (!this.waiting) this.waiting = requestAnimationFrame(() => this.paint());
  }

  paint() {
    this.waiting = 0;
    const { canvas, theme, points } = this;
    const ratio = window.devicePixelRatio || 1;
    const width = Math.round(canvas.clientWidth * ratio);
    const height = Math.round(canvas.clientHeight * ratio);
    if (!width || !height || !theme) return;
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
    const pen = canvas.getContext("2d");
    const paper = `rgb(${theme.background})`;
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.fillStyle = paper;
    pen.fillRect(0, 0, width, height);
    pen.fillStyle = theme.line;
    pen.fillRect(width / 2, 0, ratio, height);
    pen.fillRect(0, height / 2, width, ratio);
    const acrossOf = (x) => (x / HALF_WIDTH / 2 + 0.5) * width;
    const downOf = (y) => (0.5 - y / HALF_HEIGHT / 2) * height;
    const size = ratio * (points.length > 1500 ? 0.6 : 0.85);
    for (const [x, y, c] of points) {
      pen.setTransform(size, 0, 0, size, acrossOf(x), downOf(y));
      pen.fillStyle = colourOf(c, theme.dark);
      pen.fill(pathOf(c));
      pen.strokeStyle = paper;
      pen.stroke(pathOf(c));
    }
    pen.setTransform(1, 0, 0, 1, 0, 0);
    if (this.pointer) {
      pen.strokeStyle = theme.quiet;
      pen.lineWidth = ratio;
      pen.beginPath();
      const radius = Math.max(4 * ratio, (this.reach() / HALF_HEIGHT / 2) * height);
      pen.arc(acrossOf(this.pointer[0]), downOf(this.pointer[1]), radius, 0, 2 * Math.PI);
      pen.stroke();
    }
    const { limit } = this, classes = new Set(points.map(([, , c]) => c)).size;
    const full = points.length >= limit ? "; the board is full" : "";
    const said = `${counted(points.length, "point")} in ${counted(classes, "class", "classes")}${full}`;
    setText(this.count, points.length ? said : "Press for a point, drag to spray.");
    canvas.ariaLabel = `Drawing board: ${said}`;
  }
}

// [x, y, class] of each point, from one after the other.
export function unpacked(flat) {
  return Array.from({ length: Math.floor(flat.length / 3) }, (_, i) => flat.slice(3 * i, 3 * i + 3));
}

function shapeOnStage(c) {
  return shapePath(c, Math.max(8, c + 1));
}

const paths = [];

function pathOf(c) {
  return (paths[c] ??= new Path2D(shapeOnStage(c)));
}

function normal() {
  return Math.sqrt(-2 * Math.log(1 - Math.random())) * Math.cos(2 * Math.PI * Math.random());
}
