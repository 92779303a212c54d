// The time machine: on every live panel a button with what can be made of the iteration that it shows, as another panel.
import { element } from "./panel.js";

export class Machine {
  constructor(stage, ask) {
    this.stage = stage;
    this.ask = ask; // (panel's key, "branch" | "again" | "seed", iteration)
    this.opened = null; // the panel whose list is open
    this.parts = new WeakMap(); // of each panel: its button and its list
    stage.root.addEventListener("pointerdown", (event) => {
      if (this.opened && !event.composedPath().includes(this.parts.get(this.opened).root)) this.close();
    });
  }

  // Another scene: the panels that train have a button.
  showPanels() {
    this.close();
    for (const panel of this.stage.panels) {
      if (!this.parts.has(panel)) this.parts.set(panel, this.build(panel));
      this.parts.get(panel).root.hidden = !(panel.drawn && panel.content.live);
    }
  }

  build(panel) {
    const root = element("span", "machine"), list = element("div", "list");
    const button = element("button", "");
    button.append(fork());
    button.type = "button";
    button.title = "Another panel from this one: a branch, the same start again, another seed";
    button.setAttribute("aria-label", "Another panel from this one");
    button.setAttribute("aria-expanded", "false");
    button.onclick = () => (this.opened === panel ? this.close() : this.open(panel));
    list.hidden = true;
    root.onkeydown = (event) => {
      if (event.key !== "Escape" || this.opened !== panel) return;
      event.preventDefault(); // the selection stays
      this.close();
      button.focus();
    };
    root.append(button, list);
    panel.head.append(root);
    return { root, button, list };
  }

  open(panel) {
    this.close();
    const { player } = this.stage;
    const { button, list } = this.parts.get(panel);
    const iteration = player.current(panel.key)?.iteration ?? 0;
    const act = (words, what) => {
      const made = element("button", "", words);
      made.type = "button";
      made.onclick = () => {
        this.close();
        this.ask(panel.key, what, iteration);
      };
      return made;
    };
    const acts = [act("Again from the same start", "again"), act("Replay with another seed", "seed")];
    if (panel.content.kind === "matrix") acts.unshift(act(`Branch from iteration ${iteration}`, "branch"));
    list.replaceChildren(...acts);
    list.hidden = false;
    button.setAttribute("aria-expanded", "true");
    this.opened = panel;
    acts[0].focus();
  }

  close() {
    const parts = this.opened && this.parts.get(this.opened);
    this.opened = null;
    if (!parts) return;
    parts.list.hidden = true;
    parts.button.setAttribute("aria-expanded", "false");
  }
}

// A line that forks; no letter for it is in every font.
function fork() {
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg"), path = document.createElementNS(space, "path");
  for (const [name, value] of Object.entries({ viewBox: "0 0 12 14", width: 12, height: 14, "aria-hidden": true })) svg.setAttribute(name, value);
  path.setAttribute("d", "M2.5 1.5V12.5M9.5 1.5V4C9.5 7 2.5 6.5 2.5 9.5");
  svg.append(path);
  return svg;
}
