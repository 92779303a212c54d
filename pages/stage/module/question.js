// One question at a time, answered below the panels for the picture that is shown: QUESTIONS has what may be asked.
import { GrabView } from "./grab_view.js";
import { MetricView } from "./metric_view.js";
import { element } from "./panel.js";
import { PointView } from "./point_view.js";
import { PullView } from "./pull_view.js";

export const QUESTIONS = { point: PointView, metric: MetricView, grab: GrabView, pull: PullView };

export class Question {
  constructor(stage) {
    this.stage = stage;
    this.root = element("section", "question");
    this.root.hidden = true;
    this.key = "";
    this.view = null;
  }

  // Another question, or none; the one that is asked already stays as it is.
  ask(key) {
    if (key === this.key) return;
    this.key = key;
    this.view?.end?.();
    this.view = QUESTIONS[key] ? new QUESTIONS[key](this.stage) : null;
    this.root.replaceChildren(...(this.view ? [this.view.root] : []));
    this.root.hidden = !this.view;
    this.stage.root.classList.toggle("asked", key !== ""); // then no story is told, and only K needs its curve
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
