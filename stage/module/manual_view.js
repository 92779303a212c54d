// A that is set without a training: the data as a cloud that turns to the side of each panel, a cloud to turn by hand,
// and a slider that multiplies A. The panel that trains shows it, and each frame is a true projection.
import { button, element, setText, slider } from "./dom.js";
import { multiply, norm, orthonormal, rowsOf, transpose } from "./matrix.js";
import { PictureNumbers } from "./neighbourhood.js";
import { blended } from "./projection.js";
import { countOf, listed, percent } from "./text.js";
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

  // True while it moves by itself.
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

// Paths of A: three axes through the data, the turning of their picture, and the way from one plane to another. Frames
// are row by row, (2 x columns); each on a path is a true projection.

const ROWS = 500, STEPS = 40;

// Three orthonormal axes, (3 x columns): the features themselves where there are three, else the first principal axes,
// found by orthogonal iteration over evenly spread rows.
export function cloudAxes({ X, columns }, samples) {
  const start = (row, f) => (columns === 3 ? Number(f === row) : Math.sin(1 + f * (row + 1.7) + row));
  let axes = Float64Array.from({ length: 3 * columns }, (_, k) => start(Math.floor(k / columns), k % columns));
  if (columns === 3) return axes;
  const stride = Math.max(1, Math.floor(samples / ROWS));
  const rows = rowsOf(X, columns).filter((_, i) => i % stride === 0);
  for (let step = 0; step < STEPS; step++) {
    const next = new Float64Array(axes.length);
    for (const row of rows) {
      const along = multiply(axes, row, 3, columns, 1);
      for (let k = 0; k < next.length; k++) next[k] += along[Math.floor(k / columns)] * row[k % columns];
    }
    orthonormal(rowsOf(next, columns));
    axes = next;
  }
  return axes;
}

// The picture of the cloud under a rotation R (3 x 3): its first two rows in the axes.
export function shadowOf(R, axes, scale = 1) {
  return Float32Array.from(multiply(R, axes, 2, 3, axes.length / 3), (value) => scale * value);
}

// -> t => A, from one A to another: their planes turn along principal angles (Asimov's and Buja's grand tour), and
// within them scale and shear change evenly. No mirror lies on the way: it turns through another direction.
export function planePath(from, to, columns) {
  const [L0, Q0] = triangular(from, columns), [L1, Q1] = triangular(to, columns);
  if (!L0 || !L1) return (t) => Float32Array.from(from, (value, k) => value + t * (to[k] - value));
  const [U, sizes, W] = rotationsOf(multiply(Q0, transpose(Q1, 2, columns), 2, columns, 2));
  const q0 = multiply(transpose(U, 2, 2), Q0, 2, 2, columns), q1 = multiply(W, Q1, 2, 2, columns);
  const angles = sizes.map((size) => Math.acos(Math.max(-1, Math.min(1, size))));
  const [starts, ends] = [rowsOf(q0, columns), rowsOf(q1, columns)];
  const across = starts.map((q, k) => beside(q, ends[k], sizes[k], [...starts, ...ends]));
  const B0 = multiply(L0, U, 2, 2, 2), B1 = multiply(L1, transpose(W, 2, 2), 2, 2, 2);
  return (t) => {
    if (t >= 1) return to;
    const q = starts.flatMap((start, k) => {
      const c = Math.cos(t * angles[k]), s = Math.sin(t * angles[k]);
      return Array.from(start, (value, f) => c * value + s * across[k][f]);
    });
    return Float32Array.from(multiply(between(B0, B1, t), q, 2, 2, columns));
  };
}

// A = L Q with L lower triangular (2 x 2) and Q of two orthonormal rows; [null] where A has no two directions.
function triangular(A, columns) {
  const Q = Float64Array.from(A);
  orthonormal(rowsOf(Q, columns));
  const L = multiply(A, transpose(Q, 2, columns), 2, columns, 2);
  return L[0] > 1e-12 && L[3] > 1e-9 * L[0] ? [L, Q] : [null];
}

// M = U diag(sizes) W with rotations U and W; the second size is negative where M mirrors.
function rotationsOf([a, b, c, d]) {
  const [E, F, G, H] = [(a + d) / 2, (a - d) / 2, (c + b) / 2, (c - b) / 2];
  const [one, other] = [Math.atan2(G, F), Math.atan2(H, E)];
  const [Q, R] = [Math.hypot(E, H), Math.hypot(F, G)];
  return [rotation((other + one) / 2), [Q + R, Q - R], rotation((other - one) / 2)];
}

function rotation(angle) {
  const c = Math.cos(angle), s = Math.sin(angle);
  return [c, -s, s, c];
}

// The direction in which q turns towards p, their product being `size`; any other one where they are opposite.
function beside(q, p, size, taken) {
  const way = p.map((v, f) => v - size * q[f]);
  const length = norm(way);
  if (length > 1e-6) return way.map((v) => v / length);
  if (size > 0) return way.fill(0);
  const free = Float64Array.from(q, (_, f) => Math.cos(1 + 2 * f));
  return orthonormal([...taken.map((each) => each.slice()), free]).at(-1);
}

// Between two 2 x 2 matrices that do not mirror: their rotations the shorter way, their sizes evenly, their shapes
// straight.
function between(B0, B1, t) {
  const angle = ([a, b, c, d]) => Math.atan2(c - b, a + d);
  const size = ([a, b, c, d]) => Math.sqrt(Math.abs(a * d - b * c));
  const [first, last] = [angle(B0), angle(B1)];
  const way = Math.atan2(Math.sin(last - first), Math.cos(last - first));
  const shape = (B, by) => multiply(rotation(-by), B, 2, 2, 2).map((v) => v / size(B));
  const S0 = shape(B0, first), S1 = shape(B1, last);
  const S = S0.map((v, k) => v + t * (S1[k] - v));
  const wanted = size(B0) ** (1 - t) * size(B1) ** t;
  return multiply(rotation(first + t * way), S.map((v) => (v * wanted) / size(S)), 2, 2, 2);
}
