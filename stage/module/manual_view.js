// A that is set without a training: the data as a cloud that turns to the side of each panel, a cloud to turn by hand,
// and a slider that multiplies A. The panel that trains shows it, and each frame is a true projection.
import { button, element, setText, slider } from "./dom.js";
import { PictureNumbers } from "./neighbourhood.js";
import { blended } from "./projection.js";
import { countOf, listed, percent } from "./text.js";
import { cloudAxes, planePath, shadowOf } from "./turning.js";
import { IDENTITY, turned } from "./view.js";

const SPIN = 5, WAY = 2.4, REST = 1.4, BACK = 0.7; // seconds
const ROUND = 5.5; // radians of the spin
const FACING = turned(IDENTITY, -0.5, 0.35);
const MOST = 20_000, MANY = 10_000; // points; with more nothing turns, or no numbers are counted
const SLICE = 6; // milliseconds of a frame for the numbers
const SIDES = {
  pca: "PCA takes the side with the most variance; it sees no classes.",
  lda: "LDA takes the side on which class centres are farthest apart, compared with the spread within classes.",
  nca: "NCA looks for the side on which neighbours are of one class.",
};

export class ManualView {
  constructor(stage) {
    this.stage = stage;
    const turn = "Show the data in 3-D and turn it to the side of each panel";
    this.play = button("3-D turn", turn, () => (this.legs && !this.back ? this.end() : this.tour()));
    const find = "Find the side yourself: drag the cloud, or press arrow keys on it";
    this.hand = button("by hand", find, () => this.take());
    this.scale = slider("Scale of A", { min: -3, max: 3, step: 0.05, value: 0 }, (log) => this.resize(2 ** log));
    this.times = element("span", "times");
    const title = "Multiply A: f/n, K̂ and the circle of a pressed point follow";
    this.scaling = element("label", { className: "scaling", title }, this.times, this.scale);
    this.parts = [this.play, this.hand, this.scaling];
    this.reset();
  }

  reset() {
    if (this.panel) Object.assign(this.panel, { manual: null, dirty: true });
    Object.assign(this, { panel: null, back: false, legs: null, leg: null, R: null, factor: 1, label: "", short: "" });
    this.counted = new PictureNumbers();
    this.show();
  }

  // Another scene. `begins`: the cloud turns by itself.
  showScene(begins) {
    this.reset();
    this.axes = null;
    const { panels, scene } = this.stage;
    const matrices = panels.filter(({ projects }) => projects);
    this.home = matrices.find(({ content }) => content.live) ?? matrices.at(-1) ?? null;
    const turns = this.home && scene.components === 2 && this.home.features.columns > 2 && scene.samples <= MOST;
    this.play.hidden = this.hand.hidden = !turns;
    this.scaling.hidden = !this.home;
    if (turns && begins && !this.stage.player.reducedMotion.matches) this.tour();
  }

  // A of the panel as the training has it.
  get own() {
    return blended(...this.home.trainedFrames);
  }

  begin() {
    this.reset();
    this.panel = this.home;
    this.axes ??= cloudAxes(this.home.features, this.stage.scene.samples);
  }

  tour() {
    this.begin();
    const { home, stage } = this, { columns } = home.features;
    const names = columns === 3 ? listed([0, 1, 2].map((f) => home.nameOf(f))) : "";
    const cloud = names ? `The data in 3-D: ${names}.` : "The data in 3-D: their first three principal axes.";
    const untrained = home.content.live && !(home.history?.snapshots.length > 1);
    const beside = (panel) => panel !== home && panel.projects && panel.features === home.features;
    const legTo = (panel, seconds, path) => {
      const { key, content: { title } } = panel, starts = panel === home && untrained;
      const side = SIDES[key.split("-")[0]] ?? `${title} shows the data from this side.`;
      const words = starts ? `${title} starts from this side. Press Train.` : side;
      return { words, short: `turning to ${title}'s ${starts ? "start" : "side"}`, seconds, path };
    };
    const spin = (t) => shadowOf(turned(FACING, ROUND * t, 0), this.axes);
    const words = `${cloud} A picture in 2-D is its shadow from one side.`;
    this.legs = [
      () => ({ words, short: "the data in 3-D", seconds: SPIN, path: spin }),
      ...stage.panels.filter(beside).flatMap((panel) => {
        const { frame } = panel.content;
        return [() => legTo(panel, WAY, planePath(this.A, frame, columns)), () => legTo(panel, REST, () => frame)];
      }),
      () => legTo(home, WAY, planePath(this.A, this.own, columns)),
    ];
    this.show();
    stage.requestFrame();
  }

  // The training moves, or the end of a turn: back to the panel's own picture.
  end() {
    if (!this.panel || this.back) return;
    const from = this.panel.manual, way = { words: "", short: "", seconds: BACK };
    if (from?.length !== this.own.length) this.reset();
    else {
      const legs = [() => ({ ...way, path: (t) => blended(from, this.own, t) })];
      Object.assign(this, { R: null, legs, leg: null, back: true, factor: 1, counted: new PictureNumbers() });
    }
    this.show();
    this.stage.requestFrame();
  }

  get A() {
    return this.panel.manual ?? this.own;
  }

  // Moves on; true while it moves by itself.
  advance(seconds) {
    if (!this.legs) return false;
    if (!this.leg) {
      const next = this.legs.shift();
      if (!next) {
        this.reset();
        return true;
      }
      this.leg = { ...next(), t: 0 };
    }
    const { leg } = this;
    const t = (leg.t = Math.min(1, leg.t + seconds / leg.seconds));
    this.put(leg.path(leg.seconds === SPIN ? t : t * t * (3 - 2 * t)));
    Object.assign(this, { label: leg.words, short: leg.short });
    if (leg.t === 1) this.leg = null;
    return true;
  }

  put(A) {
    this.panel.manual = A;
    this.panel.dirty = true;
    this.stage.requestFrame();
  }

  take() {
    if (this.R) return this.end();
    this.begin();
    const { projections } = this.stage, { content } = this.home;
    const shadow = shadowOf(FACING, this.axes);
    this.size = projections.of(this.own, content).spread / projections.of(shadow, content).spread;
    this.R = FACING;
    this.put(shadowOf(this.R, this.axes, this.size));
    this.show();
  }

  turns(panel) {
    return Boolean(this.R) && panel === this.panel;
  }

  drag(dx, dy) {
    this.R = turned(this.R, 1.6 * dx, 1.6 * dy);
    this.put(shadowOf(this.R, this.axes, this.size * this.factor));
  }

  resize(factor) {
    if (this.legs || !this.panel) {
      this.reset();
      this.panel = this.home;
    }
    this.factor = factor;
    this.put(this.R ? shadowOf(this.R, this.axes, this.size * factor) : this.own.map((value) => factor * value));
    if (factor === 1 && !this.R) this.reset();
    this.show();
  }

  show() {
    this.hand.ariaPressed = Boolean(this.R);
    this.play.ariaPressed = Boolean(this.legs && !this.back);
    setText(this.times, `A × ${this.factor < 1 ? this.factor.toFixed(2) : this.factor.toFixed(1)}`);
    this.scale.value = Math.log2(this.factor);
  }

  caption(panel) {
    if (panel !== this.panel) return "";
    if (this.legs) return this.short;
    if (this.R) return "your side: drag to turn";
    return this.factor === 1 ? "" : `A × ${this.factor.toFixed(2)}`;
  }

  // Of the manual picture, as a snapshot has them; null until they are counted.
  get numbers() {
    const { p, k, own, new: held } = this.counted.found?.means[0] ?? {};
    return p === undefined ? null : { mean_p: p, k_mean_entropy: k, accuracy_1nn: own, held_out_1nn: held };
  }

  // The text shown in place of the story; "" while the training has the picture.
  words() {
    if (this.label) return this.label;
    if (!this.panel || (!this.R && this.factor === 1)) return "";
    if (this.stage.scene.samples <= MANY) this.counted.follow(this.panel, SLICE, this.R ? [1] : [1, 1 / this.factor]);
    if (this.counted.found) return this.sentence();
    return this.R ? "Turn the cloud until the classes part." : "Counting …";
  }

  sentence() {
    const [now, before] = this.counted.found.means, { title } = this.home.content;
    const held = !Number.isNaN(now.new), rows = held ? "held-out" : "training";
    if (!this.R) {
      const voted = (found) => percent(held ? found.newVote : found.ownVote);
      const votes = ` Voting by pᵢⱼ is right on ${voted(now)} of ${rows} rows (${voted(before)}).`;
      return (
        `${title} with A × ${this.factor.toFixed(2)}: f/n ${now.p.toFixed(2)} (${before.p.toFixed(2)} at A × 1), ` +
        `K̂ ${countOf(now.k)} (${countOf(before.k)}).${this.stage.without.has("accuracy") ? "" : votes}`
      );
    }
    const at = this.home.run ? this.stage.player.current(this.home.key) : null;
    const right = at && percent(Number.isNaN(at.held_out_1nn) ? at.accuracy_1nn : at.held_out_1nn);
    const theirs = at ? `${title}: f/n ${at.mean_p.toFixed(2)}, ${right}.` : `Press Train to see ${title}'s.`;
    const share = percent(held ? now.new : now.own);
    return `Your side: f/n ${now.p.toFixed(2)}, 1-NN right on ${share} of ${rows} rows. ${theirs}`;
  }
}
