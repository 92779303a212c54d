// Why is this point here? Lists the neighbours that the pinned point most probably picks, among all features and in
// each panel, and splits its distance to one of them by feature.
import { button, element, setText } from "./dom.js";
import { mostProbable, picksOf, splitByFeature } from "./neighbourhood.js";
import { classMarker, largest, paintSigned } from "./palette.js";
import { className, rowTitle, valuesOf } from "./rows.js";
import { featureName, isPicture, shortNumber } from "./text.js";

const LISTED = 10;
const OFTEN = 150; // milliseconds, for each list, between two while the panels move
const PRESS_ONE = "Press a point in any panel, or choose a row below, to see its neighbours and what brings them near.";

export class PointView {
  constructor(stage) {
    this.stage = stage;
    this.title = element("h3");
    this.answer = element("p", "answer");
    this.columns = element("div", "neighbour-lists");
    this.split = new DistanceSplit(stage);
    this.root = element("div", "point-view", this.title, this.answer, this.columns, this.split.root);
    this.lists = [];
    this.chosen = null; // { key, j } of the neighbour chosen: its list and index
    this.at = -Infinity;
  }

  show(time, moving) {
    const { spotlight } = this.stage;
    const i = spotlight.pinned;
    if (moving && i === this.i && time - this.at < OFTEN * Math.max(1, this.lists.length)) return;
    this.at = time;
    if (i !== this.i) this.chosen = null;
    this.i = i;
    const spaces = i < 0 ? [] : this.spaces();
    this.columns.hidden = !spaces.length;
    setText(this.title, i < 0 ? "Why is this point here?" : `Why is ${rowTitle(this.stage.scene, i)} here?`);
    this.bring(spaces);
    const found = spaces.map((space) => this.near(space, i));
    setText(this.answer, i < 0 ? PRESS_ONE : this.sentence(i, spaces, found));
    const choice = this.choice(spaces, found);
    this.lists.forEach((list, k) => list.show(found[k], choice));
    this.split.root.hidden = !choice;
    if (!choice) return;
    const { title, features, panel } = spaces.find(({ key }) => key === choice.key);
    this.split.show(i, choice.j, title, features, panel?.matrix ?? null);
  }

  // The spaces with lists of neighbours: all features, then each panel that is a projection by a matrix.
  spaces() {
    const { scene: { features, labels }, panels, hidden } = this.stage;
    const raw = { key: "", panel: null, title: "All features", features: features[0], labels, live: false };
    const shown = panels.filter(({ projects }) => projects).map((panel) => {
      const { key, content: { title, live } } = panel;
      return { key, panel, title, features: panel.features, labels: panel.labels, live };
    });
    return [raw, ...shown].filter(({ labels }) => !hidden.has(labels[this.i]));
  }

  // The most probable neighbours there; among all features they stay the same for a point.
  near({ panel, features: { X, columns, unit }, labels }, i) {
    const { scene, spotlight } = this.stage;
    if (panel) return (spotlight.neighbourhood(panel, i)?.near ?? []).slice(0, LISTED);
    if (this.raw?.scene !== scene || this.raw.i !== i) {
      const picks = picksOf({ Y: X, components: columns, i, labels, heldOut: scene.heldOut, unit });
      const near = picks ? mostProbable(picks, i, labels, LISTED) : [];
      this.raw = { scene, i, near };
    }
    return this.raw.near;
  }

  // As many lists as spaces; those that stay keep their buttons, so that the focus stays.
  bring(spaces) {
    const names = spaces.map(({ key, title }) => `${key}\n${title}`).join("\n");
    if (names === this.names) return;
    this.names = names;
    this.lists = spaces.map(({ key, title, live }) => {
      return new NeighbourList(this.stage, title, live, (j) => this.choose(key, j));
    });
    this.columns.replaceChildren(...this.lists.map(({ root }) => root));
  }

  choose(key, j) {
    this.chosen = { key, j };
    this.at = -Infinity;
    this.stage.requestFrame();
  }

  // The neighbour to split the distance to: the chosen one, else the most probable in the last panel that trains, or
  // the last.
  choice(spaces, found) {
    if (this.chosen && spaces.some(({ key }) => key === this.chosen.key)) return this.chosen;
    const last = spaces.findLastIndex(({ live }) => live);
    const k = last < 0 ? spaces.length - 1 : last;
    return found[k]?.length ? { key: spaces[k].key, j: found[k][0].j } : null;
  }

  // With which probability the point picks its class where the scale is learnt, and how many of the listed share its
  // class elsewhere: there distance is all that counts. Without a label, the class of the most probable neighbour.
  sentence(i, spaces, found) {
    const { scene, spotlight } = this.stage;
    const label = scene.labels[i], kind = scene.ordered ? "range" : "class";
    const nameOf = (code) => className(scene, code);
    const held = scene.heldOut[i] ? "held out, " : "";
    const about = `${held}${label < 0 ? "without a label" : `${kind} ${nameOf(label)}`}`;
    const what = rowTitle(scene, i, { about, capital: true });
    if (!found.some((list) => list.length)) return `${what} has no neighbours to learn from.`;
    const picks = spaces.map(({ panel, title, live, labels }) => {
      const circle = live && labels[i] >= 0 ? spotlight.neighbourhood(panel, i)?.circle : null;
      const own = panel?.content.labels ? `the shuffled ${kind} ${nameOf(labels[i])}` : `its own ${kind}`;
      return circle ? `In ${title} it picks ${own} with probability ${circle.p.toFixed(3)}.` : "";
    });
    const others = found.map((list, k) => ({ list, title: spaces[k].title, picks: picks[k] }))
      .filter(({ list, picks }) => list.length && !picks);
    const most = Math.max(...others.map(({ list }) => list.length));
    const shared = others.map(({ list, title }) => {
      if (label < 0) return `${title}: ${nameOf(scene.labels[list[0].j])}`;
      const count = list.filter(({ same }) => same).length;
      return `${title}: ${count}${list.length < most ? ` of ${list.length}` : ""}`;
    });
    const of = label < 0 ? "Most probable neighbour" : `Of its ${most} nearest neighbours, of its ${kind}`;
    const said = shared.length ? `${of}: ${shared.join(", ")}.` : "";
    return [`${what}.`, ...picks, said].filter(Boolean).join(" ");
  }
}

// The most probable neighbours of a point in one space, as buttons: class, row, p_ij, and its picture where rows are
// pictures. A press chooses the neighbour.
class NeighbourList {
  constructor(stage, title, learnt, choose) {
    this.stage = stage;
    this.items = Array.from({ length: LISTED }, () => {
      const [sign, name, p] = ["sign", "name", "p"].map((each) => element("span", each));
      const item = { sign, name, p, shown: "" };
      item.button = button("", "", () => choose(item.j), "neighbour");
      item.button.replaceChildren(sign, name, p);
      return item;
    });
    const heading = element("h4", "", learnt ? title : `${title} (scale not learnt)`);
    this.root = element("section", "neighbours", heading, ...this.items.map(({ button }) => button));
  }

  // `near`: as mostProbable has it; `choice`: { j } of the neighbour that is chosen somewhere, or null.
  show(near, choice) {
    const { scene, theme } = this.stage;
    this.items.forEach((item, k) => {
      item.button.hidden = !near[k];
      if (!near[k]) return;
      const { j, p, same } = near[k];
      item.j = j;
      item.button.ariaPressed = choice?.j === j;
      setText(item.p, p >= 0.01 ? p.toFixed(2) : "<.01");
      const shown = `${j} ${same} ${theme.dark}`;
      if (shown === item.shown) return;
      item.shown = shown;
      const { image_shape: shape, labels } = scene;
      const sign = shape ? this.stage.card.picture(valuesOf(scene, j)) : classMarker(labels[j], scene, theme.dark);
      item.sign.replaceChildren(sign);
      item.name.textContent = `${same === false ? "≠ " : ""}${scene.rowNames?.[j] || rowTitle(scene, j)}`;
      item.button.classList.toggle("foreign", same === false);
      const what = rowTitle(scene, j, { capital: true });
      item.button.title = `${what}, ${className(scene, labels[j])}: which features make up the distance to it?`;
    });
  }
}

// Which features make up the squared distance between two points in one space: bars by feature, the largest first, or a
// picture where the features are pixels.

class DistanceSplit {
  constructor(stage) {
    this.stage = stage;
    this.title = element("h4");
    this.answer = element("p", "answer");
    this.picture = element("canvas", { className: "signed", role: "img" });
    this.bars = element("div", "bars");
    this.root = element("div", "distance-split", this.title, this.answer, this.picture, this.bars);
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
    setText(this.title, `What makes up the distance from ${rowTitle(scene, i)} to ${rowTitle(scene, j)} in ${title}?`);
    setText(this.answer, sentence(parts, whole, order, name));
    this.picture.hidden = !asPicture;
    if (asPicture) {
      paintSigned(this.picture, parts, scene.image_shape, theme);
      this.picture.ariaLabel = this.answer.textContent;
    }
    const limit = largest(parts) || 1;
    this.bars.replaceChildren(...order.slice(0, 10).filter((f) => parts[f] !== 0).map((f) => {
      const fill = element("span", parts[f] < 0 ? "fill below" : "fill"), track = element("span", "bar-track", fill);
      fill.style.width = `${(50 * Math.abs(parts[f])) / limit}%`;
      return element("div", "bar-row", element("span", "name", name(f)), track, element("span", "value", shortNumber(parts[f])));
    }));
  }
}

function sentence(parts, whole, order, name) {
  if (!(whole > 0)) return "Both points are in the same place.";
  // Parts below 0 make others larger than the whole, so shares of it would say nothing.
  const mixed = parts.some((part) => part < 0);
  const written = (part) => (mixed ? shortNumber(part) : `${Math.round((100 * part) / whole)}\u00a0%`);
  const top = order.slice(0, 3).filter((f) => parts[f] !== 0);
  const rest = whole - top.reduce((sum, f) => sum + parts[f], 0);
  const texts = top.map((f) => `${name(f)}: ${written(parts[f])}`);
  if (order.length > top.length) texts.push(`all others: ${written(rest)}`);
  const said = `Their squared distance is ${shortNumber(whole)}. It is the sum of ${texts.join("; ")}.`;
  return mixed ? `${said} A part below 0 brings them nearer, because features act together.` : said;
}
