// The views of the panels: one for all while they are linked, else one for each.
import { View } from "./view.js";

export class Views {
  constructor() {
    this.linked = true;
    this.shared = null;
    this.own = new WeakMap();
    this.last = null; // the panel that was turned or zoomed last
  }

  // Views survive another scene, unless it has other dimensions.
  fit(components, facing = null) {
    if (this.shared?.components === components) {
      this.shared.face(facing);
      return;
    }
    this.shared = new View(components, facing);
    this.own = new WeakMap();
  }

  of(panel) {
    if (this.linked) return this.shared;
    if (!this.own.has(panel)) this.own.set(panel, this.shared.copy());
    return this.own.get(panel);
  }

  // Unlinked, each panel goes on from where all were; linked again, all take the view that was used last.
  toggle() {
    if (!this.linked && this.last && this.own.has(this.last)) this.shared = this.own.get(this.last);
    this.own = new WeakMap();
    this.last = null;
    this.linked = !this.linked;
  }

  // All, or the one of a panel that goes alone.
  reset(panel = null) {
    if (panel && !this.linked) this.of(panel).reset();
    else {
      this.shared.reset();
      this.own = new WeakMap();
    }
  }

  // Zoom and pan as at first; rotations stay.
  recentre(panels) {
    for (const view of [this.shared, ...panels.map((panel) => this.of(panel))]) view?.recentre();
  }
}
