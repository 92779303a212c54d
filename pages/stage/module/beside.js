// What stands beside the points: scale, scrubber, charts, numbers, story. While the projection moves they may be a little slower
// than the points.
import { bestHeldOut } from "./best.js";
import { showNumbers } from "./captions.js";

const REST = 30; // milliseconds, for each live panel, that they may wait while points move
const LONGEST_REST = 120;

export class Beside {
  constructor(stage) {
    this.stage = stage;
    this.at = 0;
  }

  // `moved`: the player has; `moving`: or what is shown still follows. -> whether to show it once more.
  show(time, moved, moving) {
    const { stage } = this;
    if (moving && time - this.at <= Math.min(LONGEST_REST, REST * stage.live.length)) return true;
    this.at = time;
    for (const panel of stage.panels) panel.showScale();
    stage.best = bestHeldOut(stage);
    stage.toolbar.show();
    stage.curves.paint();
    showNumbers(stage, time, moving);
    stage.story.show(time, moving);
    stage.question.show(time, moving);
    if (!moved) stage.spotlight.show();
    stage.card.refresh();
    if (!moving) stage.rested();
    return moving; // when it rests: some numbers wait for that
  }
}
