// A random number generator with a seed (mulberry32), so that a link draws the same data everywhere.
export class Random {
  constructor(seed) {
    this.state = (seed + 0x9e3779b9) >>> 0;
  }

  // In [0, 1).
  uniform() {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let t = this.state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  }

  normal() {
    return Math.sqrt(-2 * Math.log(1 - this.uniform())) * Math.cos(2 * Math.PI * this.uniform());
  }

  shuffled(items) {
    const found = [...items];
    for (let k = found.length - 1; k > 0; k--) {
      const other = Math.floor(this.uniform() * (k + 1));
      [found[k], found[other]] = [found[other], found[k]];
    }
    return found;
  }
}
