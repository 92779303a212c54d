// p_i, own K and whether the nearest neighbour is of the own class, of every point of a panel: n² pairs, so it is done in
// slices between two pictures. As in neighbourhood.js, neighbours are the labelled points that are not held out.
const STRETCH = 16; // points between two looks at the clock

export class LocalNumbers {
  constructor({ Y, components, labels, heldOut, unit = 1 }) {
    const n = labels.length;
    this.done = 0;
    Object.assign(this, { n, components, labels, unit });
    this.Y = Y.slice();
    this.p = new Float64Array(n).fill(NaN);
    this.k = new Float64Array(n).fill(NaN);
    this.right = new Int8Array(n).fill(-1);
    this.others = Int32Array.from([...labels.keys()].filter((j) => !heldOut[j] && labels[j] >= 0));
    this.squares = new Float64Array(this.others.length);
  }

  // Goes on until then (milliseconds of the page's clock); true once all is done.
  work(until) {
    while (this.done < this.n && performance.now() < until) {
      const end = Math.min(this.n, this.done + STRETCH);
      for (let i = this.done; i < end; i++) this.of(i);
      this.done = end;
    }
    return this.done === this.n;
  }

  of(i) {
    const { Y, components, labels, others, squares } = this;
    const scale = this.unit * this.unit, own = labels[i], a = i * components;
    let least = Infinity, nearest = -1;
    for (let s = 0; s < others.length; s++) {
      const j = others[s];
      let square = 0;
      for (let c = 0, b = j * components; c < components; c++, b++) square += (Y[b] - Y[a + c]) ** 2;
      squares[s] = j === i ? NaN : square;
      if (j !== i && square < least) {
        least = square;
        nearest = j;
      }
    }
    if (nearest < 0) return;
    let all = 0, same = 0, mixed = 0;
    for (let s = 0; s < others.length; s++) {
      const square = squares[s];
      if (Number.isNaN(square)) continue;
      const energy = square === least ? 0 : (square - least) * scale;
      if (!(energy < 40)) continue; // exp(−40) beside the nearest counts for nothing
      const w = Math.exp(-energy);
      all += w;
      mixed += w * energy;
      if (labels[others[s]] === own) same += w;
    }
    this.k[i] = Math.exp(Math.log(all) + mixed / all);
    if (own < 0) return;
    this.p[i] = same / all;
    this.right[i] = labels[nearest] === own ? 1 : 0;
  }
}
