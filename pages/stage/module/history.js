// The snapshots of one run, and where in them its panel stands. Times are those of the player's clock, "number" (of the
// snapshot, from 0) or "seconds" (of computing); each snapshot has both under these names.
import { ShortRuns } from "./short_runs.js";

const OVERHEAD = 400; // bytes of a snapshot besides its frame, about

export class History {
  constructor() {
    this.startAnew(0);
  }

  startAnew(run) {
    this.run = run;
    this.snapshots = [];
    this.received = 0; // those included that were dropped since
    this.bytes = 0;
    this.thinned = false;
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
  swing(to, seconds, smooth) {
    const omega = 2 / smooth, off = this.at - to;
    const pull = (this.velocity + omega * off) * seconds, decay = Math.exp(-omega * seconds);
    this.velocity = (this.velocity - omega * pull) * decay;
    this.at = to + (off + pull) * decay;
    if (this.at >= to) this.rest(to);
  }

  add(snapshots, now = NaN) {
    const gap = (now - this.arrived) / snapshots.length;
    if (gap >= 0) this.interval = this.interval ? (this.interval + gap) / 2 : gap;
    this.arrived = now;
    for (const snapshot of snapshots) {
      snapshot.number = this.received++;
      this.bytes += sizeOf(snapshot);
      this.snapshots.push(snapshot);
    }
    if (this.received > 1) this.shortRuns.end(); // the training goes on
  }

  get length() {
    return this.snapshots.length;
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

  // The time of that snapshot.
  before(time, clock) {
    return this.length ? this.snapshots[this.place(time, clock)][clock] : time;
  }

  // The two snapshots around a time and how far between them; null where there are none.
  around(clock, time = this.at) {
    if (!this.length) return null;
    const first = this.place(time, clock);
    const from = this.snapshots[first], to = this.snapshots[Math.min(first + 1, this.length - 1)];
    const gap = to[clock] - from[clock];
    return { from, to, t: gap > 0 ? Math.max(0, Math.min(1, (time - from[clock]) / gap)) : 0 };
  }

  current(clock) {
    const around = this.around(clock);
    return around && (around.t < 0.5 ? around.from : around.to);
  }

  // A value of the snapshots at a time, between two of them on the straight line.
  value(name, clock, time = this.at) {
    const { from, to, t } = this.around(clock, time);
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

  // Makes room: of the older half every second snapshot goes, never the first.
  thin() {
    const half = this.length >> 1;
    this.snapshots = this.snapshots.filter((_, k) => k >= half || k % 2 === 0);
    this.bytes = this.snapshots.reduce((sum, snapshot) => sum + sizeOf(snapshot), 0);
    this.thinned = true;
  }
}

function sizeOf({ frame }) {
  return OVERHEAD + (frame?.byteLength ?? 0);
}
