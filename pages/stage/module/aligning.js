// All pictures turned, mirrored and sized onto the one of a chosen panel, at every frame; and a slider that moves each point
// from its place in its own panel to its place in that one. Only what is painted changes: a panel's own Y stays as it is,
// and with it every number.
import { element } from "./panel.js";
import { procrustes } from "./procrustes.js";

const AS_THEY_ARE = "";

export class Aligning {
  constructor(stage) {
    this.stage = stage;
    this.key = AS_THEY_ARE;
    this.way = 0; // 0: each point where its panel has it; 1: where the chosen panel has it
    this.root = element("span", "aligning");
    this.choice = element("select", "");
    this.choice.setAttribute("aria-label", "Turn all panels onto one");
    this.choice.title = "Turns, mirrors and sizes every picture so that it lies best on one of them (Procrustes). Only the picture: no number changes.";
    this.choice.onchange = () => this.turnOnto(this.choice.value);
    this.slider = element("input", "trail");
    Object.assign(this.slider, { type: "range", min: 0, max: 1, step: 0.01, value: 0 });
    this.slider.oninput = () => this.go(Number(this.slider.value));
    this.there = element("label", "way", "move there");
    this.there.append(this.slider);
    this.root.append(this.choice, this.there);
  }

  // The panel that the others are turned onto, or null.
  get onto() {
    return (this.key && this.stage.panels.find((panel) => panel.key === this.key && panel.drawn)) || null;
  }

  // Another scene: its panels can be chosen; where the chosen one is gone, each stands for itself again.
  showPanels() {
    const drawn = this.stage.panels.filter((panel) => panel.drawn);
    this.root.hidden = drawn.length < 2;
    const options = drawn.map(({ key, content }) => new Option(`turned onto ${content.title}`, key));
    this.choice.replaceChildren(new Option("each as it is", AS_THEY_ARE), ...options);
    this.turnOnto(this.root.hidden || !this.onto ? AS_THEY_ARE : this.key);
  }

  turnOnto(key) {
    this.key = key;
    this.choice.value = key;
    if (!key) this.way = Number((this.slider.value = 0));
    this.there.hidden = !key;
    const title = this.onto?.content.title ?? "";
    this.slider.title = `Move every point from its own place to the one in ${title}`;
    this.slider.setAttribute("aria-label", `Way of every point to its place in ${title}`);
    this.choice.toggleAttribute("data-on", Boolean(key));
    this.say();
    this.stage.redraw();
  }

  go(way) {
    this.way = way;
    this.say();
    this.stage.redraw();
  }

  // On every panel what is done to its picture.
  say() {
    const { onto } = this;
    for (const panel of this.stage.panels) {
      panel.turned ??= panel.frame.appendChild(element("div", "turned"));
      panel.turned.textContent = onto && panel.drawn ? this.words(panel, onto) : "";
    }
    if (onto) this.slider.setAttribute("aria-valuetext", `${Math.round(100 * this.way)} %`);
  }

  words(panel, onto) {
    if (panel === onto) return "the others are turned onto this";
    if (this.way === 0) return `turned onto ${onto.content.title}`;
    if (this.way === 1) return `each point where ${onto.content.title} has it`;
    return `${Math.round(100 * this.way)} % of the way to ${onto.content.title}`;
  }

  // The panels in the order to paint them: the chosen one stands first, and where it moves all move.
  inOrder(panels) {
    const { onto } = this;
    if (!onto) return panels;
    if (onto.stale) for (const panel of panels) panel.dirty = true;
    return [onto, ...panels.filter((panel) => panel !== onto)];
  }

  // What to paint of a panel: the places of its points, how far they reach from the middle of the picture, how large its own
  // unit is in theirs, and whether points stand between two panels.
  picture(panel) {
    const { onto, way } = this;
    const { Y, extent } = panel;
    if (!onto || onto === panel) return { points: Y, extent, size: 1, between: false };
    const d = this.stage.scene.components, Z = onto.Y;
    const { R, size: best, from, to } = procrustes(Y, Z, d);
    const size = this.stage.sameScale ? onto.extent / extent : best; // a scale that is held stays
    if (panel.points?.length !== Y.length) panel.points = new Float32Array(Y.length);
    const { points } = panel;
    for (let at = 0; at < Y.length; at += d) {
      for (let a = 0; a < d; a++) {
        let place = 0;
        for (let b = 0; b < d; b++) place += R[a * d + b] * (Y[at + b] - from[b]);
        place = to[a] + size * place;
        points[at + a] = way ? place + way * (Z[at + a] - place) : place;
      }
    }
    return { points, extent: onto.extent, size, between: way > 0 };
  }
}
