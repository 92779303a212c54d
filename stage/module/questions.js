// One question at a time, answered below the panels for the picture that is shown.
import { element } from "./dom.js";
import { PullView } from "./arrows.js";
import { GrabView } from "./grab_view.js";
import { MetricView } from "./metric_view.js";
import { PointView } from "./point_view.js";

export const QUESTIONS = { point: PointView, metric: MetricView, grab: GrabView, pull: PullView };

export class Question {
  constructor(stage) {
    this.stage = stage;
    this.root = element("section", "question");
    this.root.hidden = true;
    this.key = "";
    this.view = null;
  }

  // Show another question, or none; the current one keeps its state.
  ask(key) {
    if (key === this.key) return;
    this.key = key;
    this.view?.end?.();
    this.view = QUESTIONS[key] ? new QUESTIONS[key](this.stage) : null;
    this.root.replaceChildren(...(this.view ? [this.view.root] : []));
    this.root.hidden = !this.view;
    this.stage.root.classList.toggle("asked", key !== ""); // hides the story, and the curves where K needs none
    this.stage.root.dataset.question = key;
    this.stage.redraw();
  }

  // A panel has a new picture.
  painted(panel) {
    this.view?.painted?.(panel);
  }

  show(time, moving) {
    this.view?.show(time, moving);
  }
}
