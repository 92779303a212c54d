// The most probable neighbours of a point in one space, as buttons: class, row, p_ij, and its picture where rows are
// pictures. A press chooses the neighbour.
import { visibleName } from "./names.js";
import { element } from "./panel.js";
import { colourOf, marker, shapePath } from "./palette.js";

const MOST = 10;

export class NeighbourList {
  constructor(stage, title, learnt, choose) {
    this.stage = stage;
    this.root = element("section", "neighbours");
    this.root.append(element("h4", "", learnt ? title : `${title} (scale not learnt)`));
    this.items = Array.from({ length: MOST }, () => {
      const button = element("button", "neighbour");
      button.type = "button";
      const item = { button, sign: element("span", "sign"), name: element("span", "name"), p: element("span", "p"), told: "" };
      button.append(item.sign, item.name, item.p);
      button.onclick = () => choose(item.j);
      return item;
    });
    this.root.append(...this.items.map(({ button }) => button));
  }

  // `near`: as mostProbable has it; `choice`: { j } of the neighbour that is chosen somewhere, or null.
  show(i, near, choice) {
    const { scene, theme } = this.stage;
    this.items.forEach((item, k) => {
      const there = near[k];
      item.button.hidden = !there;
      if (!there) return;
      const { j, p, same } = there;
      item.j = j;
      item.button.setAttribute("aria-pressed", String(choice?.j === j));
      const told = `${j} ${same} ${theme.dark}`;
      if (told !== item.told) {
        item.told = told;
        this.write(item, j, same, scene, theme);
      }
      const share = p >= 0.995 ? "1.00" : p >= 0.01 ? p.toFixed(2) : "<.01";
      if (item.p.textContent !== share) item.p.textContent = share;
    });
  }

  write(item, j, same, scene, theme) {
    const { classes, ordered, rows, labels } = scene;
    const label = labels[j];
    const width = scene.hover_names.length;
    const picture = scene.image_shape
      ? this.stage.card.picture(scene.hover.subarray(j * width, (j + 1) * width), scene)
      : marker(shapePath(ordered ? 0 : label, classes.length), colourOf(label, theme.dark, ordered ? classes.length : 0));
    item.sign.replaceChildren(picture);
    item.name.textContent = `${same === false ? "≠ " : ""}row ${rows[j]}`;
    item.button.classList.toggle("foreign", same === false);
    item.button.title = `Row ${rows[j]}, ${visibleName(classes[label])}: which features make up the distance to it?`;
  }
}
