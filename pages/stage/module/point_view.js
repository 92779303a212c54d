// Why is this point here? The neighbours that the pinned point most probably picks, panel by panel beside those among all
// features, and which features make up its distance to one of them.
import { DistanceSplit } from "./distance_split.js";
import { frameOf } from "./frame_of.js";
import { NeighbourList } from "./neighbour_list.js";
import { visibleName } from "./names.js";
import { element } from "./panel.js";
import { mostProbable } from "./probable.js";

export const LISTED = 10;
const OFTEN = 150; // milliseconds, for each list, between two while the panels move
const NOBODY = "Press a point in any panel, or choose a row below. Its neighbours, and the features that bring them near, stand here.";

export class PointView {
  constructor(stage) {
    this.stage = stage;
    this.root = element("div", "point-view");
    this.title = element("h3", "");
    this.answer = element("p", "answer");
    this.columns = element("div", "neighbour-lists");
    this.split = new DistanceSplit(stage);
    this.root.append(this.title, this.answer, this.columns, this.split.root);
    this.lists = [];
    this.chosen = null; // { key, j }: the list in which a neighbour was chosen, and whom
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
    this.columns.hidden = this.split.root.hidden = !spaces.length;
    say(this.title, i < 0 ? "Why is this point here?" : `Why is row ${this.stage.scene.rows[i]} here?`);
    this.bring(spaces);
    const found = spaces.map((space) => this.near(space, i));
    say(this.answer, i < 0 ? NOBODY : this.sentence(i, spaces, found));
    this.lists.forEach((list, k) => list.show(i, found[k], this.choice(spaces, found)));
    this.showSplit(i, spaces, found);
  }

  // Where neighbours are asked for: among all features, then in each panel that is a projection by a matrix.
  spaces() {
    const { scene, panels, hidden } = this.stage;
    const [{ X, columns, unit }] = scene.features;
    const raw = { key: "", panel: null, title: "All features", Y: X, components: columns, unit, labels: scene.labels, live: false };
    const drawn = panels.filter(({ drawn, content }) => drawn && content.kind === "matrix");
    const shown = drawn.map((panel) => {
      const { key, content, labels } = panel;
      return { key, panel, title: content.title, labels, live: content.live };
    });
    return [raw, ...shown].filter(({ labels }) => !hidden.has(labels[this.i]));
  }

  // The most probable neighbours there; among all features they stay the same for a point.
  near({ panel, Y, components, unit, labels }, i) {
    const { scene, spotlight } = this.stage;
    if (panel) return (spotlight.arounds.of(panel, i)?.near ?? []).slice(0, LISTED);
    if (this.raw?.scene !== scene || this.raw.i !== i) {
      const near = mostProbable({ Y, components, i, labels, heldOut: scene.heldOut, unit, most: LISTED });
      this.raw = { scene, i, near };
    }
    return this.raw.near;
  }

  // As many lists as spaces; those that stay keep their buttons, so that the focus stays.
  bring(spaces) {
    const names = spaces.map(({ key, title }) => `${key}\n${title}`).join("\n");
    if (names === this.names) return;
    this.names = names;
    this.lists = spaces.map(({ key, title, live }) => new NeighbourList(this.stage, title, live, (j) => this.choose(key, j)));
    this.columns.replaceChildren(...this.lists.map(({ root }) => root));
  }

  choose(key, j) {
    this.chosen = { key, j };
    this.at = -Infinity;
    this.stage.stir();
  }

  // Whom the split is of: who was chosen, else the most probable neighbour in the last panel that trains, or the last.
  choice(spaces, found) {
    if (this.chosen && spaces.some(({ key }) => key === this.chosen.key)) return this.chosen;
    const last = spaces.findLastIndex(({ live }) => live);
    const k = last < 0 ? spaces.length - 1 : last;
    return found[k]?.length ? { key: spaces[k].key, j: found[k][0].j } : null;
  }

  showSplit(i, spaces, found) {
    const choice = spaces.length ? this.choice(spaces, found) : null;
    this.split.root.hidden = !choice;
    if (!choice) return;
    const panel = this.stage.panels.find(({ key }) => key === choice.key);
    const { title } = spaces.find(({ key }) => key === choice.key);
    this.split.show(i, choice.j, title, this.stage.scene.features[panel?.content.features ?? 0], panel ? frameOf(panel) : null);
  }

  // How many of the listed share the point's class, space by space, and with what chance it picks its class where the
  // scale is learnt.
  sentence(i, spaces, found) {
    const { scene, panels, spotlight } = this.stage;
    const label = scene.labels[i];
    const held = scene.heldOut[i] ? "held out, " : "";
    const what = label < 0 ? `${held}without a label` : `${held}${scene.ordered ? "range" : "class"} ${visibleName(scene.classes[label])}`;
    if (!found.some((list) => list.length)) return `Row ${scene.rows[i]} (${what}) has no neighbour to learn from.`;
    const picks = panels.filter(({ content, drawn }) => drawn && content.live && content.kind === "matrix").map((panel) => {
      const around = spotlight.around(panel, i);
      if (!around || panel.labels[i] < 0) return "";
      const kind = scene.ordered ? "range" : "class";
      const own = panel.content.labels ? `the ${kind} dealt to it there, ${visibleName(scene.classes[panel.labels[i]])},` : `its own ${kind}`;
      return `${panel.content.title} lets it pick ${own} with a chance of ${around.p.toFixed(2)}`;
    });
    const most = Math.max(...found.map((list) => list.length)); // fewer where hardly any other is ever picked
    const counts = spaces.map(({ title }, k) => `${title} ${found[k].filter(({ same }) => same).length}${found[k].length < most ? ` of ${found[k].length}` : ""}`);
    const nearest = spaces.map(({ title }, k) => (found[k].length ? `${title} ${visibleName(scene.classes[scene.labels[found[k][0].j]])}` : "")).filter(Boolean);
    const shared = label < 0 ? [`the most probable neighbour is of ${scene.ordered ? "range" : "class"}: ${nearest.join(", ")}`] : [`of its ${most} most probable neighbours share its ${scene.ordered ? "range" : "class"}: ${counts.join(", ")}`];
    return `Row ${scene.rows[i]} (${what}): ${[...picks.filter(Boolean), ...shared].join("; ")}.`;
  }
}

export function say(place, text) {
  if (place.textContent !== text) place.textContent = text;
}
