// Colours points by class, p_i, own K, right or wrong, or a feature. Values that depend on the picture are computed
// between two frames.
import { button, element, select, setOptions } from "./dom.js";
import { PictureNumbers, trainingPoints } from "./neighbourhood.js";
import { classMarker, colourOf } from "./palette.js";
import { inTwo } from "./text.js";

const STEPS = 9; // of a scale of colours
const MANY = 10_000; // points; with more, what looks at every pair is not offered
const SLICE = 6; // milliseconds of each frame
const RIGHT = 0, WRONG = 3; // a disc and a diamond, in colours that all tell apart
const PAIRWISE = { p: "pᵢ, chance of its class", k: "own K", right: "1-NN right or wrong" };

export class Colouring {
  constructor(stage) {
    this.stage = stage;
    this.select = select("What the colours stand for", [], (by) => this.choose(by));
    this.key = element("span", "colour-key");
    this.root = element("div", "colouring", element("label", "", "colour ", this.select), this.key);
    this.by = "class";
    this.counted = new WeakMap(); // by panel: its PictureNumbers
  }

  // Another scene: its features can be chosen; a choice that it lacks becomes class again.
  fit(scene) {
    const pairwise = scene.samples <= MANY ? Object.entries(PAIRWISE) : [];
    const features = scene.image_shape ? [] : scene.hover_names.slice(0, 30);
    const named = features.map((name, f) => [`f${f}`, name]);
    const options = [["class", scene.ordered ? "range" : "class"], ...pairwise, ...named];
    setOptions(this.select, options);
    if (!options.some(([value]) => value === this.by)) this.by = "class";
    this.select.value = this.by;
    this.counted = new WeakMap();
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
    if (!(by in PAIRWISE)) return this.feature().shades;
    const found = this.counted.get(panel)?.found;
    // Until the first ones are found, all are grey.
    if (!found) return (panel.waiting ??= scaled(new Float64Array(panel.labels.length).fill(NaN)));
    return (found[by] ??= this.shades(by, found.numbers[0]));
  }

  shades(by, { p, k, right, others }) {
    if (by === "p") return scaled(p);
    if (by === "k") return scaled(k.map((value) => Math.log(value) / Math.log(Math.max(2, others.length))));
    const codes = Int32Array.from(right, (is) => (is < 0 ? -1 : is ? RIGHT : WRONG));
    return { kind: "two", codes, classes: 10, ordered: false };
  }

  // -> the ends of the usual values of the chosen feature, and its shades from the one to the other.
  feature() {
    if (this.ofFeature) return this.ofFeature;
    const { hover, hover_names: names, samples } = this.stage.scene, f = Number(this.by.slice(1));
    const values = Float64Array.from({ length: samples }, (_, i) => hover[i * names.length + f]);
    const sorted = values.filter((value) => !Number.isNaN(value)).sort();
    const at = (share) => sorted[Math.round(share * (sorted.length - 1))];
    const [low, high] = sorted.length ? [at(0.02), at(0.98)] : [0, 1];
    const shades = scaled(values.map((value) => (high > low ? (value - low) / (high - low) : 0.5)));
    return (this.ofFeature = { ends: [low, high], shades });
  }

  // A slice of the work that the pictures ask for.
  work() {
    if (!(this.by in PAIRWISE)) return;
    const until = performance.now() + SLICE;
    const panels = this.stage.panels.filter(({ drawn, xs }) => drawn && xs.length);
    const turn = this.turn ?? 0; // so that each panel has its turn while all move
    for (let s = 0; s < panels.length && performance.now() < until; s++) {
      const panel = panels[(turn + s) % panels.length];
      if (!this.counted.has(panel)) this.counted.set(panel, new PictureNumbers());
      if (!this.counted.get(panel).follow(panel, until - performance.now())) continue;
      this.turn = (turn + s + 1) % panels.length;
      panel.dirty = true;
    }
  }

  showKey() {
    const { by, stage: { legendPlace, scene, theme: { dark } } } = this;
    legendPlace?.classList.toggle("grey", by !== "class");
    if (by === "class" || !scene) this.key.replaceChildren();
    else if (by === "right") {
      this.key.replaceChildren(swatch(colourOf(RIGHT, dark), "● right"), swatch(colourOf(WRONG, dark), "◆ wrong"));
    } else {
      const [low, high] = this.ends(scene), strip = element("span", "strip");
      const inks = Array.from({ length: STEPS }, (_, k) => colourOf(k, dark, STEPS));
      strip.style.background = `linear-gradient(90deg, ${inks.join(", ")})`;
      this.key.replaceChildren(low, strip, high);
    }
  }

  ends({ labels, heldOut }) {
    if (this.by === "p") return ["0", "1"];
    if (this.by === "k") return ["1", `${trainingPoints(labels, heldOut).length} (log)`];
    return this.feature().ends.map((value) => String(Number(value.toPrecision(3))));
  }
}

// Shares of 0 .. 1 as steps of the scale; what is no number is grey.
function scaled(shares) {
  const step = (share) => Math.max(0, Math.min(STEPS - 1, Math.floor(share * STEPS)));
  const codes = Int32Array.from(shares, (share) => (Number.isNaN(share) ? -1 : step(share)));
  return { kind: "scale", codes, classes: STEPS, ordered: true };
}

function swatch(colour, text) {
  const created = element("span", "swatch", text);
  created.style.setProperty("--ink", colour);
  return created;
}

// The legend: a press on a class hides it in all panels, a double press shows it alone.

const MOST = 50;

export function buildLegend(stage) {
  const { scene, hidden, theme } = stage;
  const labels = [...scene.classes.keys()].slice(0, MOST);
  if ([scene, ...scene.panels].some((each) => each.labels?.includes(-1))) labels.push(-1);
  const everything = button("show all", "", () => showOnly(null), "quiet");
  const toggles = labels.map((label) => {
    const name = label < 0 ? "unlabelled" : scene.classes[label];
    const onclick = () => {
      if (!hidden.delete(label)) hidden.add(label);
      changed();
    };
    const title = `${name}: press to hide or show, double press to see it alone`;
    const toggle = { type: "button", className: "class", title, onclick, ondblclick: () => showOnly(label) };
    const words = element("bdi", "name", element("span", "start", inTwo(name)[0]));
    if (inTwo(name)[1]) words.append(element("span", "end", inTwo(name)[1]));
    return element("button", toggle, classMarker(label, scene, theme.dark), words);
  });
  const refresh = () => {
    toggles.forEach((toggle, k) => (toggle.ariaPressed = !hidden.has(labels[k])));
    everything.hidden = hidden.size === 0;
  };
  const changed = () => {
    refresh();
    stage.chosen();
  };
  const showOnly = (label) => {
    hidden.clear();
    if (label !== null) for (const other of [...scene.classes.keys(), -1]) if (other !== label) hidden.add(other);
    changed();
  };
  refresh();
  const legend = element("div", "legend", ...toggles);
  const more = scene.classes.length - MOST;
  if (more > 0) legend.append(element("span", "quiet", `and ${more} more classes`));
  if (scene.heldOut.includes(1)) legend.append(element("span", "quiet hollow", "hollow: held out, not trained on"));
  legend.append(everything);
  return legend;
}
