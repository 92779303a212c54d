// One unit of the projection as a bar; where that is too long or too short to draw, a round number of units.
import { element } from "./panel.js";

const SHORTEST = 5, LONGEST = 160, USUAL = 60; // pixels

export class ScaleBar {
  constructor() {
    this.root = element("div", "bar");
    this.line = element("div", "length");
    this.text = element("span", "");
    this.root.append(this.line, this.text);
  }

  show(pixelsPerUnit) {
    const wanted = USUAL / pixelsPerUnit;
    const power = 10 ** Math.floor(Math.log10(wanted));
    const nearer = (a, b) => (Math.abs(b - wanted) < Math.abs(a - wanted) ? b : a);
    const units = pixelsPerUnit >= SHORTEST && pixelsPerUnit < LONGEST
      ? 1
      : [1, 2, 5, 10].map((m) => m * power).reduce(nearer);
    const length = `${(units * pixelsPerUnit).toFixed(1)}px`;
    if (this.line.style.width !== length) this.line.style.width = length; // a page that is laid out anew costs a frame
    const number = units >= 1e4 || units < 1e-3 ? units.toExponential(0) : String(Number(units.toPrecision(2)));
    const text = `${number} ${units === 1 ? "unit" : "units"}`;
    if (this.text.textContent !== text) this.text.textContent = text;
  }
}
