// Which features make up the squared distance between two points in one space: bars by feature, the largest first, or a
// picture where the features are pixels.
import { largest, paintSigned } from "./diverging.js";
import { featureName, isPicture } from "./feature_name.js";
import { element } from "./panel.js";
import { splitByFeature } from "./probable.js";

const MOST = 10; // bars

export class DistanceSplit {
  constructor(stage) {
    this.stage = stage;
    this.root = element("div", "distance-split");
    this.title = element("h4", "");
    this.answer = element("p", "answer");
    this.bars = element("div", "bars");
    this.picture = element("canvas", "signed");
    this.picture.setAttribute("role", "img");
    this.root.append(this.title, this.answer, this.picture, this.bars);
    this.pool = Array.from({ length: MOST }, () => {
      const bar = { root: element("div", "bar-row"), name: element("span", "name"), track: element("span", "bar-track"), fill: element("span", "fill"), value: element("span", "value") };
      bar.track.append(bar.fill);
      bar.root.append(bar.name, bar.track, bar.value);
      return bar;
    });
    this.bars.append(...this.pool.map(({ root }) => root));
  }

  // `features`: the set that A weighs; A: of the space, null for all features as they are.
  show(i, j, title, features, A) {
    const { scene, theme } = this.stage;
    const { X, columns, unit } = features;
    const parts = A
      ? splitByFeature(X, columns, A, scene.components, i, j, unit)
      : Float64Array.from({ length: columns }, (_, f) => ((X[i * columns + f] - X[j * columns + f]) * unit) ** 2);
    const whole = parts.reduce((sum, part) => sum + part, 0);
    const order = [...parts.keys()].sort((a, b) => Math.abs(parts[b]) - Math.abs(parts[a]));
    const asPicture = isPicture(columns, scene.image_shape);
    const name = (f) => featureName(f, features, scene.image_shape);
    put(this.title, `What makes up the distance from row ${scene.rows[i]} to row ${scene.rows[j]} in ${title}?`);
    put(this.answer, sentence(parts, whole, order, name));
    this.picture.hidden = !asPicture;
    if (asPicture) {
      paintSigned(this.picture, parts, scene.image_shape, theme);
      this.picture.setAttribute("aria-label", this.answer.textContent);
    }
    const limit = largest(parts) || 1;
    this.pool.forEach((bar, k) => {
      const f = order[k];
      bar.root.hidden = f === undefined || parts[f] === 0;
      if (bar.root.hidden) return;
      put(bar.name, name(f));
      put(bar.value, short(parts[f]));
      bar.fill.className = parts[f] < 0 ? "fill below" : "fill";
      bar.fill.style.width = `${(50 * Math.abs(parts[f])) / limit}%`;
    });
  }
}

function sentence(parts, whole, order, name) {
  if (!(whole > 0)) return "The two lie in one place there.";
  const share = (f) => `${name(f)} ${Math.round((100 * parts[f]) / whole)}\u00a0%`;
  const top = order.slice(0, 3).filter((f) => parts[f] !== 0);
  const rest = whole - top.reduce((sum, f) => sum + parts[f], 0);
  const others = order.length > top.length ? `, all others ${Math.round((100 * rest) / whole)}\u00a0%` : "";
  const nearer = parts.some((part) => part < 0) ? " A feature below 0 brings them nearer, as the features act together." : "";
  return `Of their squared distance, ${short(whole)}, ${top.map(share).join(", ")}${others}.${nearer}`;
}

function short(value) {
  return Math.abs(value) >= 1e4 || (value && Math.abs(value) < 1e-2) ? value.toExponential(1) : value.toFixed(2);
}

function put(place, text) {
  if (place.textContent !== text) place.textContent = text;
}
