// The short runs that looked for the start of a training, each the snapshots of one start, the best one last. They are
// shown one after another while the training waits at its iteration 0; of its history they are no part.
const SECONDS = 1.6; // for each, as the server waits; the last share of it at its end
const MOVING = 0.8;

export class ShortRuns {
  constructor() {
    this.runs = [];
    this.seconds = 0; // since the first one began to be shown
    this.shown = false;
  }

  get length() {
    return this.runs.length;
  }

  // All snapshots of the short run with this number, from 1 on.
  add(number, snapshots) {
    this.runs[number - 1] = snapshots;
    this.begin();
  }

  begin() {
    this.shown = this.length > 0;
    this.seconds = 0;
  }

  end() {
    this.shown = false;
  }

  // Moves on; true while they are shown.
  advance(seconds) {
    if (!this.shown) return false;
    this.seconds += seconds;
    if (this.seconds >= SECONDS * this.length) this.end();
    return true;
  }

  // The number of the one that is shown, from 1 on.
  get number() {
    return Math.min(this.length, 1 + Math.floor(this.seconds / SECONDS));
  }

  // The two snapshots around the moment and how far between them; `jumps`: never between.
  around(jumps = false) {
    const run = this.runs[this.number - 1];
    const share = Math.min(1, (this.seconds / SECONDS - (this.number - 1)) / MOVING);
    const at = share * (run.length - 1);
    const first = Math.min(Math.floor(at), run.length - 1);
    return { from: run[first], to: run[Math.min(first + 1, run.length - 1)], t: jumps ? 0 : at - first };
  }

  // As in "start 2 of 5: LDA × 3, f/n 0.83". `titles` are those of all.
  describe(titles = []) {
    const { number, length } = this;
    const { from } = this.around(true);
    const best = number === length ? ", the best one goes on" : "";
    const title = titles[number - 1] ? `: ${titles[number - 1]}` : "";
    return `start ${number} of ${length}${title}, f/n ${from.mean_p.toFixed(2)}${best}`;
  }
}
