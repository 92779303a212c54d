// Short hints on a panel: how to zoom where a wheel scrolls the page, that a 3-D panel can be turned.
import { element } from "./panel.js";

const MOST = 3; // times that the wheel is explained
const LASTS = 1800; // milliseconds

export class Hints {
  constructor() {
    this.wheels = 0;
    this.last = 0;
    this.turned = false;
    const mac = /Mac|iPhone|iPad/.test(navigator.platform ?? "");
    this.wheelText = `Hold ${mac ? "⌘" : "Ctrl"} to zoom, or click the panel first`;
    this.root = element("div", "hint");
    this.turn = element("div", "turn-hint", "drag to turn");
  }

  // The page scrolls, and the panel under the pointer says how to zoom.
  wheel(panel) {
    const now = performance.now();
    if (now - this.last > LASTS) this.wheels++;
    this.last = now;
    if (this.wheels > MOST) return;
    this.root.textContent = this.wheelText;
    panel.frame.append(this.root);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.root.remove(), LASTS);
  }

  // On the panel that moves, or the first; until somebody has turned one.
  offerTurning(panels, components) {
    const panel = panels.find(({ content }) => content.live && !content.problem) ?? panels.find(({ drawn }) => drawn);
    if (components === 3 && !this.turned && panel) panel.frame.append(this.turn);
    else this.turn.remove();
  }

  wasTurned() {
    this.turned = true;
    this.turn.remove();
  }
}
