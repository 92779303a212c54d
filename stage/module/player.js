// The histories of all live panels and one clock for them. `position` is a time of the clock. Following live runs, each
// panel glides to its own newest snapshot and the position is the farthest of them; replaying or held, all panels are
// at the position, each at most at its own last.
import { transpose } from "./matrix.js";
import { project } from "./projection.js";

// Following, a panel moves to its newest snapshot like a damped spring: it starts and stops gently, and takes about as
// long as the next snapshot will be in coming.
const SPRING = { share: 0.4, least: 0.15, most: 0.8 }; // of the seconds between snapshots; seconds
const NEAR = 0.004; // snapshots

export class Player {
  constructor(reducedMotion = window.matchMedia("(prefers-reduced-motion: reduce)")) {
    this.reducedMotion = reducedMotion;
    this.mostBytes = 256e6; // of all histories together
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

// The snapshots of one run and its panel's position in them. Times are those of the player's clock, "number" (of the
// snapshot, from 0) or "seconds" (of computing); each snapshot has both under these names, and as "show" when a calm
// replay is there.

const OVERHEAD = 400; // bytes of a snapshot besides its frame, about
const SLOW = 1.2, SLACK = 0.3; // times the way before, and seconds
const ALLOWED = 1.5; // seconds that a calm picture may be behind
const AT = 0.02; // of the way between two snapshots, within which it is one of them
const USUAL = 0.1; // seconds for a snapshot of which nothing is known

export class History {
  constructor() {
    this.restart(0);
  }

  restart(run) {
    // `received`: those included that were dropped since; `calm`: follow the training at the pace of a calm replay.
    Object.assign(this, { run, snapshots: [], received: 0, bytes: 0, thinned: false, late: false, calm: false });
    this.over = false;
    this.shortRuns = new ShortRuns();
    this.arrived = NaN; // when the last ones came
    this.interval = 0; // seconds between two of them, of late
    this.rest(0);
  }

  rest(at) {
    this.at = at;
    this.velocity = 0;
  }

  // Towards a time, critically damped: in about 2.4 times `smooth` seconds it is there.
  springTo(to, seconds, smooth) {
    const omega = 2 / smooth, off = this.at - to;
    const pull = (this.velocity + omega * off) * seconds, decay = Math.exp(-omega * seconds);
    this.velocity = (this.velocity - omega * pull) * decay;
    this.at = to + (off + pull) * decay;
    if (this.at >= to) this.rest(to);
  }

  // On by `seconds` of a calm replay; faster where more has come than it can follow.
  advanceCalmly(seconds) {
    const last = this.snapshots[this.length - 1], before = this.snapshots[this.length - 2] ?? last;
    const now = this.value("show", "number"), behind = last.show - now;
    const rate = 1 + Math.max(0, behind - (last.show - before.show) - ALLOWED);
    const next = now + seconds * rate;
    this.rest(next < last.show ? this.value("number", "show", next) : last.number);
  }

  // `nominal`: seconds from one snapshot to the next, as nominalSeconds has it.
  add(snapshots, now = NaN, nominal = () => USUAL) {
    const gap = (now - this.arrived) / snapshots.length;
    const [first, second] = this.snapshots.slice(-2);
    this.late = gap > SLOW * (second ? second.show - first.show : gap) + SLACK;
    if (gap >= 0) this.interval = this.interval ? (this.interval + gap) / 2 : gap;
    this.arrived = now;
    for (const snapshot of snapshots) {
      snapshot.number = this.received++;
      const before = this.snapshots[this.length - 1];
      snapshot.due = before ? before.due + nominal(before.frame, snapshot.frame) : 0;
      snapshot.show = pressed(snapshot.due);
      this.bytes += bytesOf(snapshot);
      this.snapshots.push(snapshot);
    }
    if (this.received > 1) this.shortRuns.end(); // the training has begun
  }

  get length() {
    return this.snapshots.length;
  }

  // Whether iterations take longer to compute than to show, so that a calm picture would come to rest between them.
  get slow() {
    return this.late && this.last("show") - this.value("show", "number") < ALLOWED;
  }

  last(clock) {
    return this.length ? this.snapshots[this.length - 1][clock] : 0;
  }

  // The last snapshot that is not later than `time`, or the first.
  place(time, clock) {
    let low = 0, high = this.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.snapshots[middle][clock] <= time) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  // The two snapshots around a time and how far between them; null where there are none.
  bracket(clock, time = this.at) {
    if (!this.length) return null;
    const first = this.place(time, clock);
    const from = this.snapshots[first], to = this.snapshots[Math.min(first + 1, this.length - 1)];
    const gap = to[clock] - from[clock];
    return { from, to, t: gap > 0 ? Math.max(0, Math.min(1, (time - from[clock]) / gap)) : 0 };
  }

  // The snapshot whose numbers are shown: between two of them the one that has passed.
  current(clock) {
    const pair = this.bracket(clock);
    return pair && (pair.t > 1 - AT ? pair.to : pair.from);
  }

  // A value of the snapshots at a time, between two of them on the straight line.
  value(name, clock, time = this.at) {
    const { from, to, t } = this.bracket(clock, time);
    return from[name] + t * (to[name] - from[name]);
  }

  // The time of the next snapshot after `time` (by = 1) or before it (by = -1); null where there is none.
  next(time, clock, by) {
    if (!this.length) return null;
    const at = this.place(time, clock);
    const there = this.snapshots[at][clock];
    const beyond = by > 0 ? there > time : there < time;
    return (beyond ? there : this.snapshots[at + by]?.[clock]) ?? null;
  }

  // Drop every second snapshot of the older half, never the first.
  thin() {
    const half = this.length >> 1;
    this.snapshots = this.snapshots.filter((_, k) => k >= half || k % 2 === 0);
    this.bytes = this.snapshots.reduce((sum, snapshot) => sum + bytesOf(snapshot), 0);
    this.thinned = true;
  }
}

function bytesOf({ frame }) {
  return OVERHEAD + (frame?.byteLength ?? 0);
}

// The short runs that compare starts of a training, each the snapshots of one start, the best one last. They are shown
// one after another while the training waits at iteration 0, and are not part of its history.
const SECONDS = 1.6; // for each, as the server waits; the last share of it at its end
const MOVING = 0.8;

class ShortRuns {
  runs = [];
  seconds = 0; // since the first one began to be shown
  shown = false;

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

  advance(seconds) {
    if (!this.shown) return false;
    this.seconds += seconds;
    if (this.seconds >= SECONDS * this.length) this.end();
    return true;
  }

  get number() {
    return Math.min(this.length, 1 + Math.floor(this.seconds / SECONDS));
  }

  // The two snapshots around the moment and how far between them; `jumps`: never between.
  bracket(jumps = false) {
    const run = this.runs[this.number - 1];
    const share = Math.min(1, (this.seconds / SECONDS - (this.number - 1)) / MOVING);
    const at = share * (run.length - 1);
    const first = Math.min(Math.floor(at), run.length - 1);
    return { from: run[first], to: run[Math.min(first + 1, run.length - 1)], t: jumps ? 0 : at - first };
  }

  // As in "start 2 of 5: LDA × 3, f/n 0.83". `titles` are those of all; f/n is left out where it is in `without`.
  describe(titles = [], without = new Set()) {
    const { number, length } = this, title = titles[number - 1];
    const best = number === length ? "; training continues from it" : "";
    const p = without.has("f") ? "" : `, f/n ${this.bracket(true).from.mean_p.toFixed(2)}`;
    return `start ${number} of ${length}${title ? `: ${title}` : ""}${p}${best}`;
  }
}

// The first of the snapshots with the greatest held-out accuracy; null where none is measured.
export function bestSnapshot(history) {
  let best = null;
  for (const snapshot of history.snapshots) {
    if (snapshot.held_out_1nn > (best?.held_out_1nn ?? -Infinity)) best = snapshot;
  }
  return best;
}

// Of all live panels: { panel, snapshot }, or null.
export function bestHeldOut({ live, player, scene }) {
  if (!scene?.heldOut.includes(1)) return null;
  let best = null;
  for (const panel of live) {
    const snapshot = bestSnapshot(player.histories.get(panel.key));
    if (snapshot && !(best?.snapshot.held_out_1nn >= snapshot.held_out_1nn)) best = { panel, snapshot };
  }
  return best;
}

// How long the way from one picture to the next is shown: a calm training lasts 8 to 10 s and takes its time where the
// picture changes. As in nca_core/training/pace.py.

const PER_PICTURE = 0.05, PER_MOTION = 4.5, GROWTH = 0.06, POWER = 0.7;
const EASY = 7, MOST = 10, BEND = 5; // seconds: played as they are, in all, and how fast the rest is pressed together
const SAMPLE = 300; // rows

// Seconds between two pictures, each the centred places of the same points one after the other: (n_points x
// components).
export function nominalSeconds(before, after, components) {
  const n = before.length / components;
  const size = (Y) => Math.sqrt(Y.reduce((sum, y) => sum + y * y, 0) / n) || 1;
  const first = size(before), last = size(after);
  let square = 0;
  for (let k = 0; k < before.length; k++) square += (after[k] / last - before[k] / first) ** 2;
  const motion = Math.sqrt(square / n), growth = Math.abs(Math.log(last / first));
  const seconds = PER_PICTURE + PER_MOTION * (motion ** POWER + GROWTH * growth);
  return Number.isFinite(seconds) ? seconds : PER_PICTURE;
}

// When a picture is shown that would be due after `seconds`.
export function pressed(seconds) {
  return Math.min(seconds, EASY + (MOST - EASY) * (1 - Math.exp(-Math.max(0, seconds - EASY) / BEND)));
}

// -> (frame, panel) => centred places of evenly spread points, for `nominalSeconds`.
export function sampler({ samples, components, features }) {
  const stride = Math.max(1, Math.floor(samples / SAMPLE)), count = Math.ceil(samples / stride);
  const sampled = (values, columns) => Float32Array.from({ length: count * columns }, (_, k) => {
    return values[Math.floor(k / columns) * stride * columns + (k % columns)];
  });
  const rows = features.map(({ X, columns }) => sampled(X, columns));
  return (frame, { kind, features: set }) => {
    if (kind === "coordinates") return sampled(transpose(frame, components, samples), components);
    return project(rows[set], count, features[set].columns, frame, components);
  };
}
