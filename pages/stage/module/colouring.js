// What the colours of the points stand for: their classes, or p_i, own K, right or wrong, a feature. What depends on the
// picture follows it, computed between two frames.
import { LocalNumbers } from "./local.js";
import { visibleName } from "./names.js";
import { colourOf } from "./palette.js";
import { element } from "./panel.js";

const STEPS = 9; // of a scale of colours
const MANY = 10_000; // points; with more, what looks at every pair is not offered
const MOST_FEATURES = 30;
const SLICE = 6; // milliseconds of each frame
const RIGHT = 0, WRONG = 3; // a disc and a diamond, in colours that everybody tells apart
const PAIRWISE = { p: "pᵢ, chance of its class", k: "own K", right: "1-NN right or wrong" };

export class Colouring {
  constructor(stage) {
    this.stage = stage;
    this.root = element("div", "colouring");
    this.select = element("select", "");
    this.select.setAttribute("aria-label", "What the colours stand for");
    this.select.onchange = () => this.choose(this.select.value);
    this.key = element("span", "colour-key");
    const name = element("label", "", "colour ");
    name.append(this.select);
    this.root.append(name, this.key);
    this.by = "class";
    this.found = new WeakMap(); // by panel: { numbers, at, working }
  }

  // Another scene: other features, other points. A choice that it has not is class again.
  fit(scene) {
    const pairwise = scene.samples <= MANY ? Object.entries(PAIRWISE) : [];
    const features = scene.image_shape ? [] : scene.hover_names.slice(0, MOST_FEATURES);
    const options = [["class", scene.ordered ? "range" : "class"], ...pairwise, ...features.map((name, f) => [`f${f}`, visibleName(name)])];
    this.select.replaceChildren(...options.map(([value, text]) => new Option(text, value)));
    if (!options.some(([value]) => value === this.by)) this.by = "class";
    this.select.value = this.by;
    this.found = new WeakMap();
    this.ofFeature = null;
    this.showKey();
  }

  choose(by) {
    this.by = by;
    this.ofFeature = null;
    this.showKey();
    this.stage.redraw();
  }

  // Before a panel is painted: its colours, { codes, classes, ordered }, null for its classes.
  shade(panel) {
    const shades = this.shadesOf(panel);
    if (shades === panel.shades) return;
    if (shades?.kind !== panel.shades?.kind) panel.sprites = null;
    panel.shades = shades;
    panel.sorted = null;
  }

  shadesOf(panel) {
    const { by } = this;
    if (by === "class") return null;
    if (!(by in PAIRWISE)) return (this.ofFeature ??= this.feature(Number(by.slice(1))));
    const found = this.found.get(panel);
    // Until the first ones are found, all are grey.
    if (!found?.numbers) return (panel.waiting ??= scaled(new Float64Array(panel.labels.length).fill(NaN)));
    return (found.shades[by] ??= this.shades(by, found.numbers));
  }

  shades(by, { p, k, right, others }) {
    if (by === "p") return scaled(p);
    if (by === "k") return scaled(k.map((value) => Math.log(value) / Math.log(Math.max(2, others.length))));
    return { kind: "two", codes: Int32Array.from(right, (is) => (is < 0 ? -1 : is ? RIGHT : WRONG)), classes: 10, ordered: false };
  }

  // From the low end of the usual values to their high end.
  feature(f) {
    const values = this.valuesOf(f);
    const [low, high] = this.usual(values);
    return scaled(values.map((value) => (high > low ? (value - low) / (high - low) : 0.5)));
  }

  valuesOf(f) {
    const { hover, hover_names: names, samples } = this.stage.scene;
    return Float64Array.from({ length: samples }, (_, i) => hover[i * names.length + f]);
  }

  usual(values) {
    const sorted = values.filter((value) => !Number.isNaN(value)).sort();
    const at = (share) => sorted[Math.round(share * (sorted.length - 1))];
    return sorted.length ? [at(0.02), at(0.98)] : [0, 1];
  }

  // A slice of the work that the pictures ask for; true while there is more.
  work() {
    if (!(this.by in PAIRWISE)) return false;
    const until = performance.now() + SLICE;
    const { scene, panels } = this.stage;
    const turn = this.turn ?? 0; // so that each panel has its turn while all move
    let more = false;
    for (let s = 0; s < panels.length; s++) {
      const panel = panels[(turn + s) % panels.length];
      if (!panel.drawn || !panel.xs.length) continue;
      const found = this.found.get(panel) ?? { numbers: null, shades: {}, working: null, of: null };
      this.found.set(panel, found);
      const picture = panel.hand ?? `${panel.run} ${panel.drawnAt}`;
      if (!found.working && found.of !== picture) {
        found.working = new LocalNumbers({ Y: panel.Y, components: scene.components, labels: panel.labels, heldOut: scene.heldOut, unit: panel.content.unit });
        found.begun = picture;
      }
      if (!found.working) continue;
      more = true;
      if (!found.working.work(until)) break;
      this.turn = (turn + s + 1) % panels.length;
      Object.assign(found, { numbers: found.working, shades: {}, working: null, of: found.begun });
      panel.dirty = true;
    }
    return more;
  }

  showKey() {
    const { by, stage } = this;
    stage.legendPlace?.classList.toggle("plain", by !== "class");
    if (by === "class" || !stage.scene) {
      this.key.replaceChildren();
      return;
    }
    const { dark } = stage.theme;
    if (by === "right") {
      const sign = (code, text) => swatch(colourOf(code, dark), text);
      this.key.replaceChildren(sign(RIGHT, "● right"), sign(WRONG, "◆ wrong"));
      return;
    }
    const inks = Array.from({ length: STEPS }, (_, k) => colourOf(k, dark, STEPS));
    const [low, high] = this.ends();
    const strip = element("span", "strip");
    strip.style.background = `linear-gradient(90deg, ${inks.join(", ")})`;
    this.key.replaceChildren(low, strip, high);
  }

  ends() {
    const { scene } = this.stage;
    if (this.by === "p") return ["0", "1"];
    if (this.by === "k") return ["1", `${scene.labels.filter((label, i) => label >= 0 && !scene.heldOut[i]).length} (log)`];
    return this.usual(this.valuesOf(Number(this.by.slice(1)))).map((value) => String(Number(value.toPrecision(3))));
  }
}

// Shares of 0 .. 1 as steps of the scale; what is no number is grey.
function scaled(shares) {
  const step = (share) => Math.max(0, Math.min(STEPS - 1, Math.floor(share * STEPS)));
  return { kind: "scale", codes: Int32Array.from(shares, (share) => (Number.isNaN(share) ? -1 : step(share))), classes: STEPS, ordered: true };
}

function swatch(colour, text) {
  const made = element("span", "swatch", text);
  made.style.setProperty("--ink", colour);
  return made;
}
