// One unit of the projection as a bar; where that is too long or too short to draw, a round number of units.
import { element } from "./element.js";

const SHORTEST = 5, LONGEST = 160, USUAL = 60; // pixels
const DRAWN = 100, END = 1.5; // pixels of the line and of the mark at its end, see stage.css

export class ScaleBar {
  constructor() {
    this.root = element("div", "bar");
    this.length = -Infinity;
    const rule = element("div", "rule");
    this.line = element("div", "length");
    this.end = element("div", "");
    rule.append(this.line, element("div", ""), this.end);
    this.text = element("span", "");
    this.root.append(rule, this.text);
  }

  show(pixelsPerUnit) {
    const wanted = USUAL / pixelsPerUnit;
    const power = 10 ** Math.floor(Math.log10(wanted));
    const nearer = (a, b) => (Math.abs(b - wanted) < Math.abs(a - wanted) ? b : a);
    const units = pixelsPerUnit >= SHORTEST && pixelsPerUnit < LONGEST
      ? 1
      : [1, 2, 5, 10].map((m) => m * power).reduce(nearer);
    const length = units * pixelsPerUnit;
    if (Math.abs(length - this.length) >= 0.05) {
      this.length = length;
      this.line.style.transform = `scaleX(${length / DRAWN})`; // a width would lay out the page anew in every frame
      this.end.style.transform = `translateX(${length - END}px)`;
    }
    const number = units >= 1e4 || units < 1e-3 ? units.toExponential(0) : String(Number(units.toPrecision(2)));
    const text = `${number} ${units === 1 ? "unit" : "units"}`;
    if (this.text.textContent !== text) this.text.textContent = text;
  }
}
