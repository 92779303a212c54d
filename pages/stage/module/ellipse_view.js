// The points at distance 1 from the middle in the plane of two features: an ellipse, or two lines where a direction does
// not count; the unit circle, dashed, is that of features as they are.
import { unitEllipse } from "./metric.js";
import { element } from "./panel.js";
import { say } from "./point_view.js";

const SPACE = "http://www.w3.org/2000/svg";
const SIZE = 220, LEAST = 1.3, WIDEST = 12; // CSS pixels; half widths of what is shown, in units of the features

export class EllipseView {
  constructor(stage) {
    this.stage = stage;
    this.root = element("div", "ellipse");
    this.title = element("h4", "");
    this.svg = document.createElementNS(SPACE, "svg");
    this.svg.setAttribute("viewBox", `${-SIZE / 2} ${-SIZE / 2} ${SIZE} ${SIZE}`);
    this.svg.setAttribute("role", "img");
    this.answer = element("p", "answer");
    const [axes, circle, curve] = ["path", "circle", "path"].map((name) => document.createElementNS(SPACE, name));
    Object.assign(this, { circle, curve });
    axes.setAttribute("d", `M${-SIZE / 2} 0H${SIZE / 2}M0 ${-SIZE / 2}V${SIZE / 2}`);
    axes.setAttribute("class", "axes");
    circle.setAttribute("class", "circle-one");
    curve.setAttribute("class", "curve");
    this.svg.append(axes, circle, curve);
    this.root.append(this.title, this.svg, this.answer);
  }

  // `across`, `up`: names of the features; their block of the metric.
  show(across, up, m11, m12, m22) {
    const { long, short, angle } = unitEllipse(m11, m12, m22);
    say(this.title, `Distance 1: ${across} (across) and ${up} (up)`);
    const reach = Math.min(WIDEST, Math.max(LEAST, 1.15 * (long < Infinity ? long : 3 * short)));
    const pixels = SIZE / 2 / (Number.isFinite(reach) ? reach : WIDEST);
    this.circle.setAttribute("r", pixels.toFixed(2));
    this.curve.setAttribute("d", pathOf(Math.min(long, 50 * WIDEST) * pixels, Math.min(short, 50 * WIDEST) * pixels, long === Infinity));
    this.curve.setAttribute("transform", `rotate(${((-angle * 180) / Math.PI).toFixed(3)})`);
    say(this.answer, words(long, short));
    this.svg.setAttribute("aria-label", `${this.title.textContent}. ${this.answer.textContent}`);
  }
}

// With its longer half axis across; two lines where that has no end.
function pathOf(a, b, open) {
  const [x, y] = [a.toFixed(2), b.toFixed(2)];
  if (open) return `M-${x} ${y}H${x}M-${x} -${y}H${x}`;
  return `M${x} 0A${x} ${y} 0 1 1 -${x} 0A${x} ${y} 0 1 1 ${x} 0Z`;
}

function words(long, short) {
  if (short === Infinity) return "Neither feature counts: all points in this plane are at distance 0.";
  const near = `A step of ${round(short)} units is a distance of 1 in the direction that counts most`;
  if (long === Infinity) return `${near}; along the lines no step is any distance.`;
  return `${near}, one of ${round(long)} in that which counts least.`;
}

function round(value) {
  return value >= 1e4 || value < 1e-2 ? value.toExponential(1) : String(Number(value.toPrecision(3)));
}
