// What a page that watches is told once the picture rests: which iteration is shown, which classes are hidden, whether the
// scale is held. Only what differs from what was told before is told.
const REST = 250; // milliseconds without another picture

export class Seen {
  constructor(stage, tell) {
    Object.assign(this, { stage, tell, told: "", waiting: 0 });
  }

  end() {
    clearTimeout(this.waiting);
  }

  // Another scene: what was told was of the one before.
  forget() {
    this.told = "";
    this.look();
  }

  look() {
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.say(), REST);
  }

  say() {
    const { player, hidden, sameScale, runs, scene } = this.stage;
    if (!scene || Object.values(runs).some(({ state }) => state === "running")) return; // it does not rest
    const iteration = player.clock === "number" ? Math.round(player.position) : null;
    const seen = { iteration, hidden: [...hidden].sort((a, b) => a - b), same: sameScale };
    const text = JSON.stringify(seen);
    if (text === this.told) return;
    this.told = text;
    this.tell(seen);
  }
}
