// The history of a run and where in it the stage stands. `position` is a snapshot number, between two of them a
// fraction: following a live run it glides to the newest one, replaying it moves at a steady rate.
const GLIDE = 0.18; // seconds in which the distance to the newest snapshot falls to 1/e
const REPLAY_RATE = 10; // snapshots a second at speed 1

export class Player {
  constructor() {
    this.snapshots = [];
    this.position = 0;
    this.mode = "follow"; // "follow" | "replay" | "hold"
    this.speed = 1;
    this.calm = window.matchMedia("(prefers-reduced-motion: reduce)");
  }

  reset() {
    this.snapshots = [];
    this.position = 0;
    this.mode = "follow";
  }

  get last() {
    return Math.max(0, this.snapshots.length - 1);
  }

  add(snapshots) {
    this.snapshots.push(...snapshots);
  }

  // Moves on by `seconds`; true while the picture changes.
  advance(seconds) {
    const before = this.position;
    if (this.mode === "follow") {
      const rest = this.last - this.position;
      if (this.calm.matches || rest < 0.004) this.position = this.last;
      else this.position += rest * (1 - Math.exp(-seconds / GLIDE));
    } else if (this.mode === "replay") {
      this.position = Math.min(this.last, this.position + seconds * REPLAY_RATE * this.speed);
      if (this.position >= this.last) this.mode = "follow";
    }
    return this.position !== before;
  }

  seek(position) {
    this.mode = "hold";
    this.position = Math.max(0, Math.min(this.last, position));
  }

  toggle() {
    if (this.mode === "replay") this.mode = "hold";
    else {
      if (this.position >= this.last - 0.01) this.position = 0;
      this.mode = "replay";
    }
  }

  toNewest() {
    this.mode = "follow";
  }

  // The two snapshots around the position and how far between them.
  around() {
    if (!this.snapshots.length) return null;
    const first = Math.floor(this.position);
    const second = Math.min(first + 1, this.last);
    return { from: this.snapshots[first], to: this.snapshots[second], t: this.position - first };
  }

  get current() {
    return this.snapshots[Math.round(this.position)] ?? null;
  }
}
