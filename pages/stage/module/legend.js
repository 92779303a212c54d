// The classes as buttons: a press hides one in all panels, a double press leaves it alone on the stage.
import { inTwo, visibleName } from "./names.js";
import { element } from "./panel.js";
import { colourOf, marker, shapePath } from "./palette.js";

const MOST = 50;

export function buildLegend(stage) {
  const root = element("div", "legend");
  const { scene, hidden, theme } = stage;
  const labels = [...scene.classes.keys()].slice(0, MOST);
  if ([scene, ...scene.panels].some((each) => each.labels?.includes(-1))) labels.push(-1);
  const buttons = new Map();
  const refresh = () => {
    for (const [label, button] of buttons) button.setAttribute("aria-pressed", String(!hidden.has(label)));
    everything.hidden = hidden.size === 0;
  };
  const everything = element("button", "quiet", "show all");
  everything.type = "button";
  everything.onclick = () => {
    hidden.clear();
    refresh();
    stage.chosen();
  };
  for (const label of labels) {
    const button = element("button", "class");
    button.type = "button";
    const name = label < 0 ? "unlabelled" : visibleName(scene.classes[label]);
    button.title = `${name}: press to hide or show, double press to see it alone`;
    button.append(markerOf(label, scene, theme.dark), nameOf(name));
    button.onclick = () => {
      if (hidden.has(label)) hidden.delete(label);
      else hidden.add(label);
      refresh();
      stage.chosen();
    };
    button.ondblclick = () => {
      hidden.clear();
      for (const other of [...scene.classes.keys(), -1]) if (other !== label) hidden.add(other);
      refresh();
      stage.chosen();
    };
    buttons.set(label, button);
    root.append(button);
  }
  if (scene.classes.length > MOST) root.append(element("span", "quiet", `and ${scene.classes.length - MOST} more classes`));
  if (scene.heldOut.includes(1)) root.append(element("span", "quiet hollow", "hollow: held out, not trained on"));
  root.append(everything);
  refresh();
  return root;
}

function nameOf(name) {
  const [start, end] = inTwo(name);
  const whole = element("bdi", "name");
  whole.append(element("span", "start", start));
  if (end) whole.append(element("span", "end", end));
  return whole;
}

function markerOf(label, { classes, ordered }, dark) {
  const path = shapePath(ordered ? 0 : label, classes.length);
  return marker(path, colourOf(label, dark, ordered ? classes.length : 0));
}
