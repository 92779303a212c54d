// The neighbourhood of one point i, as NCA has it: p_ij ∝ exp(−‖y_i − y_j‖²) over the training points j ≠ i, which are
// the labelled ones that are not held out. Exact for as many points as a scene may hold.
const SHARE = 0.9; // of p_ij that the circle holds
const FAR = 40; // exp(−40) beside the nearest counts for nothing
const BUCKETS = 2048;
const weights = new Float64Array(BUCKETS + 1);

// -> { radius, p, k }: the least radius that holds SHARE of p_ij, p_i and exp(entropy of p_ij); null where there are none.
// `unit`: what 1 in Y stands for; the radius is in Y's own. `squares`: where they are known already, as squaresFrom has them.
export function neighbourhood({ Y, components, i, labels, heldOut, unit = 1, squares = squaresFrom(Y, components, i, labels, heldOut) }) {
  let least = Infinity, most = 0;
  for (let j = 0; j < squares.length; j++) {
    if (squares[j] < least) least = squares[j];
    if (squares[j] > most) most = squares[j];
  }
  if (least === Infinity) return null;
  const scale = unit * unit;
  const energy = (square) => (square === least ? 0 : (square - least) * scale);
  const limit = Math.min(FAR, energy(most));
  const toBucket = limit > 0 ? BUCKETS / limit : 0;
  weights.fill(0);
  let all = 0, same = 0, mixed = 0;
  for (let j = 0; j < squares.length; j++) {
    const e = energy(squares[j]);
    if (!(e <= limit)) continue;
    const w = Math.exp(-e);
    all += w;
    mixed += w * e;
    if (labels[j] === labels[i]) same += w;
    weights[(e * toBucket) | 0] += w;
  }
  const reached = radiusOf(squares, energy, limit, toBucket, SHARE * all);
  return { radius: Math.sqrt(least + reached / scale), p: same / all, k: Math.exp(Math.log(all) + mixed / all) };
}

// Of each point; NaN for those that are no neighbours of i. `components`: how many numbers of Y a point has.
export function squaresFrom(Y, components, i, labels, heldOut) {
  const squares = new Float64Array(labels.length);
  const own = Y.slice(i * components, (i + 1) * components);
  for (let j = 0, at = 0; j < squares.length; j++) {
    let square = 0;
    for (let c = 0; c < components; c++, at++) square += (Y[at] - own[c]) ** 2;
    squares[j] = j === i || heldOut[j] || labels[j] < 0 ? NaN : square;
  }
  return squares;
}

// The energy within which the nearest neighbours weigh `wanted` together: its bucket first, then its place there.
function radiusOf(squares, energy, limit, toBucket, wanted) {
  let bucket = 0, sum = 0;
  while (bucket < BUCKETS && sum + weights[bucket] < wanted) sum += weights[bucket++];
  const there = [];
  for (let j = 0; j < squares.length; j++) {
    const e = energy(squares[j]);
    if (e <= limit && ((e * toBucket) | 0) === bucket) there.push(e);
  }
  there.sort((a, b) => a - b);
  for (const e of there) {
    sum += Math.exp(-e);
    if (sum >= wanted) return e;
  }
  return there.length ? there[there.length - 1] : 0;
}
