// The snapshots of one run and its panel's position in them. Times are those of the player's clock, "number" (of the
// snapshot, from 0) or "seconds" (of computing); each snapshot has both under these names, and as "show" when a calm
// replay is there.
import { pressed } from "./pacing.js";

const OVERHEAD = 400; // bytes of a snapshot besides its frame, about
const SLOW = 1.2, SLACK = 0.3; // times the way before, and seconds
const ALLOWED = 1.5; // seconds that a calm picture may be behind
export const AT = 0.02; // of the way between two snapshots, within which it is one of them
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

  // `nominal`: seconds from one snapshot to the next, as in pacing.js.
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
