// The histories of all live panels and one clock for them. `position` is a time of the clock. Following live runs, each
// panel glides to its own newest snapshot and the position is the farthest of them; replaying or held, all panels are
// at the position, each at most at its own last.
import { AT, History } from "./history.js";

// Following, a panel moves to its newest snapshot like a damped spring: it starts and stops gently, and takes about as
// long as the next snapshot will be in coming.
const SPRING = { share: 0.4, least: 0.15, most: 0.8 }; // of the seconds between snapshots; seconds
const NEAR = 0.004; // snapshots
const MOST_BYTES = 256e6; // of all histories together

export class Player {
  constructor(reducedMotion = window.matchMedia("(prefers-reduced-motion: reduce)")) {
    this.reducedMotion = reducedMotion;
    this.mostBytes = MOST_BYTES;
    this.histories = new Map(); // by the panel's key
    this.clock = "number"; // "number" (of the snapshot) | "seconds" (of computing)
    this.position = 0;
    this.mode = "follow"; // "follow" | "replay" | "hold"
    this.speed = 1;
    this.pauses = false; // a replay holds at each of the stops
    this.stops = []; // where phases begin, in numbers of snapshots
    this.time = 0; // seconds that were played
    this.changed = () => {}; // called after each of the actions below
  }

  // Keep the histories of the scene's live panels whose frames still fit; drop the others.
  // `nominalOf`: of a panel, how many seconds it is shown from one frame to the next.
  showPanels(panels, nominalOf = () => undefined) {
    const before = this.histories;
    this.nominal = new Map(panels.map((panel) => [panel.key, nominalOf(panel)]));
    this.histories = new Map(panels.map(({ key }) => [key, before.get(key) ?? new History()]));
    for (const { key, frame } of panels) {
      const history = this.histories.get(key);
      if (history.length && history.snapshots[0].frame.length !== frame.length) history.restart(0);
    }
    if (panels.length < 2) this.useClock("number");
    this.position = Math.min(this.position, this.last);
  }

  // The number of snapshots received of each run, for the live socket.
  held() {
    const runs = [...this.histories].filter(([, history]) => history.received);
    return runs.map(([key, { run, received }]) => `${key}:${run}:${received}`).join(",");
  }

  // Show the run with this number in the panel and drop any other; 0 is none.
  begin(key, run) {
    const history = this.histories.get(key);
    if (!history || history.run === run) return;
    history.restart(run);
    if (run || ![...this.histories.values()].some((other) => other.length)) this.mode = "follow";
    this.position = Math.min(this.position, this.last);
  }

  // Calm where the run has no least interval: until it is held, or another pace is chosen. One `over` is shown at its end.
  pace(key, { state, min_interval: interval } = {}, over = false) {
    const history = this.histories.get(key);
    if (history) Object.assign(history, { calm: interval === null && state !== "paused", over });
  }

  // `shortRun`: which of the short runs that compare starts these are; 0 is the training itself.
  add(key, run, snapshots, shortRun = 0) {
    this.begin(key, run);
    if (shortRun) this.histories.get(key)?.shortRuns.add(shortRun, snapshots);
    else this.histories.get(key)?.add(snapshots, this.time, this.nominal.get(key));
    const all = [...this.histories.values()];
    while (all.reduce((sum, { bytes }) => sum + bytes, 0) > this.mostBytes) {
      const largest = all.reduce((a, b) => (b.bytes > a.bytes ? b : a));
      if (largest.length < 4) return;
      largest.thin();
    }
  }

  get last() {
    return this.lastBy(this.clock);
  }

  lastBy(clock) {
    let last = 0;
    for (const history of this.histories.values()) last = Math.max(last, history.last(clock));
    return last;
  }

  // What one snapshot is on the clock, on average: a replay takes as long by either clock.
  get grain() {
    return this.clock === "number" ? 1 : this.last / Math.max(1, this.lastBy("number"));
  }

  // Moves on by `seconds`; true while a picture changes.
  advance(seconds) {
    this.time += seconds;
    const shortRuns = [...this.histories.values()].map(({ shortRuns }) => shortRuns.advance(seconds)).some(Boolean);
    return this.move(this.mode === "replay" && shortRuns ? 0 : seconds) || shortRuns;
  }

  move(seconds) {
    if (this.mode === "follow") return this.glide(seconds);
    const before = this.position;
    if (this.mode === "replay") {
      const to = this.later(seconds * this.speed);
      const pauses = this.pauses && this.clock === "number";
      const stop = pauses ? this.stops.find((at) => at > before && at <= to && at < this.last) : undefined;
      this.position = stop ?? to;
      if (stop !== undefined) this.mode = "hold";
      if (this.position >= this.last) this.mode = "follow";
    }
    return this.gather() || this.position !== before;
  }

  // Where a replay is after so many seconds: no panel is shown faster than it would be alone.
  later(seconds) {
    let to = Infinity;
    for (const history of this.histories.values()) {
      if (this.position >= history.last(this.clock)) continue;
      const show = history.value("show", this.clock, this.position) + seconds;
      const end = history.snapshots[history.length - 1];
      to = Math.min(to, show < end.show ? history.value(this.clock, "show", show) : end[this.clock]);
    }
    return Math.min(this.last, to);
  }

  glide(seconds) {
    const near = NEAR * this.grain;
    let moved = false, farthest = 0;
    for (const history of this.histories.values()) {
      const before = history.at;
      const rest = history.last(this.clock) - before;
      if (this.reducedMotion.matches || history.over || rest <= near) history.rest(before + rest);
      else if (history.calm && this.clock === "number" && !history.slow) history.advanceCalmly(seconds);
      else {
        const smooth = Math.max(SPRING.least, Math.min(SPRING.most, SPRING.share * history.interval));
        history.springTo(before + rest, seconds, smooth);
      }
      moved ||= history.at !== before;
      farthest = Math.max(farthest, history.at);
    }
    this.position = farthest;
    return moved;
  }

  arrived(key) {
    const history = this.histories.get(key);
    if (!history || this.mode !== "follow") return true;
    return history.last(this.clock) - history.at <= NEAR * this.grain;
  }

  // All panels to the position; true where one had been elsewhere.
  gather() {
    let moved = false;
    for (const history of this.histories.values()) {
      const at = Math.min(this.position, history.last(this.clock));
      const jumps = this.reducedMotion.matches && this.mode === "replay" && history.length;
      const shown = jumps ? history.snapshots[history.place(at, this.clock)][this.clock] : at;
      moved ||= shown !== history.at;
      history.rest(shown);
    }
    return moved;
  }

  seek(position) {
    this.mode = "hold";
    for (const { shortRuns } of this.histories.values()) shortRuns.end();
    this.position = Math.max(0, Math.min(this.last, position));
    this.changed();
  }

  // To the next snapshot of any panel, on (by = 1) or back (by = -1).
  step(by) {
    const times = [...this.histories.values()].map((history) => history.next(this.position, this.clock, by));
    const found = times.filter((time) => time !== null);
    if (!found.length) this.seek(by > 0 ? this.last : this.position);
    else this.seek(by > 0 ? Math.min(...found) : Math.max(...found));
  }

  toggle() {
    if (this.mode === "replay") this.mode = "hold";
    else {
      if (this.position >= this.last - 0.01 * this.grain) {
        this.position = 0;
        for (const { shortRuns } of this.histories.values()) shortRuns.begin();
      }
      this.mode = "replay";
    }
    this.changed();
  }

  toNewest() {
    this.mode = "follow";
    this.changed();
  }

  // Another clock; the panel that is farthest stays at its snapshot.
  useClock(clock) {
    if (clock === this.clock) return;
    for (const history of this.histories.values()) {
      if (history.length) history.rest(history.value(clock, this.clock));
    }
    this.clock = clock;
    this.position = Math.max(0, ...[...this.histories.values()].map((history) => history.at));
    this.changed();
  }

  // The short runs that a panel shows while it looks for its start, else null.
  shownShortRuns(key) {
    const runs = this.histories.get(key)?.shortRuns;
    return runs?.shown ? runs : null;
  }

  // The two snapshots that a panel's picture is between; null where it is at one of them, or nearly.
  between(key) {
    const pair = this.histories.get(key)?.bracket(this.clock);
    return pair && Math.min(pair.t, 1 - pair.t) > AT ? pair : null;
  }

  current(key) {
    return this.histories.get(key)?.current(this.clock) ?? null;
  }
}
