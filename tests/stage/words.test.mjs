// How the stage writes names and chooses the ticks of its charts, and the phases of a training.
import assert from "node:assert/strict";
import test from "node:test";
import { axisOf } from "../../stage/module/curves.js";
import { Phases } from "../../stage/module/story.js";
import { inTwo } from "../../stage/module/text.js";
import { meanwhile } from "../../stage/module/toolbar.js";

const ANY = [-Infinity, Infinity], SHARE = [0, 1], K = [1, Infinity];
const AXES = [
  [[4.76, 37], { bounds: K, from: 1 }, ["1", "20", "40"]],
  [[1.01, 6.5], { bounds: K, from: 1 }, ["1", "2", "4", "6", "8"]],
  [[0.909, 1], { bounds: SHARE }, ["0.90", "0.95", "1.00"]],
  [[0.5, 0.5], { bounds: SHARE }],
  [[-123, -40], { bounds: ANY }, ["-150", "-100", "-50", "0"]],
  [[-3.2e6, -1.1e6], { bounds: ANY }],
  [null, { bounds: SHARE }, ["0.0", "0.5", "1.0"]],
  [null, { bounds: K, from: 1 }, ["1", "5", "10"]],
  [[40, 50], { bounds: K, from: 1 }, ["1", "20", "40", "60"]],
];

test("a reset while the connection was lost is told", () => {
  const live = [{ content: { title: "NCA" } }], ended = { run: { run: 1, state: "ended" }, at: 9 };
  assert.equal(meanwhile(live, [ended], [{}]), "Connected again. Meanwhile NCA was reset.");
  assert.equal(meanwhile(live, [ended], [ended]), "Connected again. Nothing has changed meanwhile.");
});

for (const [values, chart, wanted] of AXES) {
  test(`ticks are round and the axis holds ${values}`, () => {
    const { low, high, ticks, texts } = axisOf(values, chart);
    assert.ok(low < high && (!values || (low <= values[0] && values[1] <= high)));
    assert.ok(ticks.length >= 2 && ticks.length <= 7 && new Set(texts).size === texts.length);
    assert.ok(Math.abs(low - ticks[0]) < 1e-9 * high ** 2 + 1e-9 && high === ticks.at(-1));
    if (wanted) assert.deepEqual(texts, wanted);
  });
}

test("long names with one beginning stay apart", () => {
  const long = "a very long beginning that both of these classes share, first";
  assert.ok(inTwo(long)[1].endsWith("first") && inTwo(long).join("") === long);
  assert.deepEqual(inTwo("short"), ["short", ""]);
});

const X = Float64Array.from({ length: 120 }, (_, k) => Math.sin(7.3 * k * k + k));
const NAMES = ["x", "y", "noise"];
// Two axes over x and y, the first with some noise.
const frame = (noise, size = 1) => [1, 0, noise, 0, 1, 0].map((value) => size * value);
const TRAINING = [
  [frame(1), 0.4, 20],
  [frame(0.3), 0.42, 20], // the noise leaves
  [frame(0.1), 0.43, 20],
  [frame(0.1), 0.43, 20],
  [frame(0.1), 0.6, 20], // the classes part
  [frame(0.1), 0.9, 20],
  [frame(0.1), 0.91, 20],
  [frame(0.1, 1.5), 0.91, 12], // the picture grows
  [frame(0.1, 2), 0.91, 8],
  [frame(1, 2), 0.99, 8], // nothing is told twice
];

// What is told after every `step` snapshots.
function follow(shots, step = 1, names = NAMES) {
  const shown = { labels: new Array(40).fill(0), heldOut: [], components: 2 };
  const phases = new Phases({ X, columns: 3, names }, shown);
  const snapshots = shots.map(([A, mean_p, k], number) => ({ number, frame: A, mean_p, k_mean_entropy: k }));
  const told = [];
  for (let n = step; n <= shots.length; n += step) {
    const found = phases.follow({ snapshots: snapshots.slice(0, n), received: n });
    told.push(found.map((phase) => ({ ...phase, end: phase.last.number, open: phases.textOf(phase, false), text: phases.textOf(phase, true) })));
  }
  return told;
}

const kinds = (told) => told.map(({ number, kind }) => [number, kind]);

test("each phase begins with the way on which it was found", () => {
  const told = follow(TRAINING).at(-1);
  assert.deepEqual(kinds(told), [[0, "weight"], [3, "part"], [6, "grow"]]);
  const variance = NAMES.map((_, f) => {
    const column = [...X].filter((_, k) => k % 3 === f), mean = column.reduce((a, b) => a + b) / 40;
    return column.reduce((sum, x) => sum + (x - mean) ** 2, 0);
  });
  const share = Math.round((100 * variance[2]) / variance.reduce((a, b) => a + b));
  assert.equal(told[0].head, "Squeezing out noise");
  assert.match(told[0].text, new RegExp(`^from ${share}\u00a0% to (under )?\\d\u00a0% of the picture.$`));
  assert.equal(told[0].open, `from ${share}\u00a0% of the picture.`); // its end is not known yet
  assert.equal(told[1].text, "f/n rises from 0.430 to 0.910.");
  assert.equal(told[2].text, "K̂ falls from 20.0 to 8.0.");
  assert.deepEqual(told.map(({ end }) => end), [3, 6, 8]);
});

test("one by one or all at once it is the same, and no phase changes later", () => {
  const one = follow(TRAINING);
  assert.deepEqual(one.at(-1), follow(TRAINING, 10)[0]);
  const heads = (told) => told.map(({ number, head }) => [number, head]);
  one.slice(1).forEach((told, k) => assert.deepEqual(heads(told).slice(0, one[k].length), heads(one[k])));
});

test("a phase goes on while it brings much", () => {
  // f/n rises by leaps while the picture grows too: the growth is told once f/n has come to rest.
  const shots = Array.from({ length: 9 }, (_, k) => [frame(0, 1.4 ** k), 0.3 + 0.1 * Math.min(k, 4), 20 / 1.4 ** k]);
  assert.deepEqual(kinds(follow(shots).at(-1)), [[0, "part"], [4, "grow"]]);
});

test("the largest change makes the phase, and what else changes is told with it", () => {
  // The first iteration of a run on rings: K\u0302 falls most, f/n rises too; then the noise leaves.
  const told = follow([[frame(1), 0.427, 19.4], [frame(0.7, 4), 0.592, 2.2], [frame(0.6, 4), 0.6, 2.1], [frame(0.1, 4), 0.61, 2.1]]).at(-1);
  assert.deepEqual(kinds(told), [[0, "grow"], [2, "weight"]]);
  assert.equal(told[0].text, "K̂ falls from 19.4 to 2.1, f/n rises from 0.427 to 0.600.");
});

test("without names or numbers it says less and fails not", () => {
  const told = follow(TRAINING.map(([A]) => [A, NaN, NaN]), 1, []).at(-1);
  assert.deepEqual(kinds(told), [[0, "weight"]]);
  assert.equal(told[0].text, "weight moves to the features that tell the classes apart.");
});
