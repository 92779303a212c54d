// The player's clock over the histories: following, replaying, stepping, short runs, memory, the best iteration.
import assert from "node:assert/strict";
import test from "node:test";
import { bestHeldOut, History, Player } from "../../stage/module/player.js";

const frame = new Float32Array(4), FRAME = 1 / 60;
const shot = (iteration, seconds, mean_p = 0.5) => ({ iteration, seconds, frame, mean_p });
const close = (found, wanted, by = 1e-9) => assert.ok(Math.abs(found - wanted) <= by, `${found} instead of ${wanted}`);
const steps = (seen) => seen.slice(1).map((value, k) => value - seen[k]);

// A panel for each list, with a snapshot at each of these seconds of computing.
function filled(...panels) {
  const player = new Player({ matches: false });
  player.showPanels(panels.map((_, k) => ({ key: `nca-${k}`, frame })));
  panels.forEach((seconds, k) => seconds.length && player.add(`nca-${k}`, k + 1, seconds.map((s, i) => shot(i, s))));
  return player;
}

const histories = (player) => [...player.histories.values()];

function seek(player, position) {
  player.seek(position);
  player.advance(0);
  return histories(player).map((history) => history.at);
}

test("by iteration each panel stands at the position or at its own last", () => {
  const player = filled([0.1, 0.2, 0.3, 0.4, 0.5], [1, 2, 3], []);
  assert.deepEqual([1.5, 4, 99].map((at) => seek(player, at)), [[1.5, 1.5, 0], [4, 2, 0], [4, 2, 0]]);
  assert.equal(player.position, 4);
});

test("by seconds each panel finds its place in its own time", () => {
  const player = filled([0.1, 0.2, 0.3, 0.4, 0.5], [0.25, 1.25, 2.25]);
  seek(player, 2);
  player.useClock("seconds");
  assert.deepEqual([player.position, player.last], [2.25, 2.25]); // the farthest stays where it was
  for (const [time, ...wanted] of [[0.3, 2, 0.05], [1.75, 4, 1.5], [0, 0, 0]]) {
    seek(player, time);
    histories(player).forEach((history, k) => {
      const { from, t } = history.bracket("seconds");
      close(from.number + t, wanted[k]);
    });
  }
});

test("a step by seconds goes to the next snapshot of any panel", () => {
  const player = filled([0.1, 0.2, 0.3], [0.25, 1.25]);
  const step = (by) => {
    player.step(by);
    return player.position;
  };
  player.useClock("seconds");
  seek(player, 0.2);
  const seen = [1, 1, 1, 1, -1, -1, -1, -1, -1].map(step);
  assert.deepEqual(seen, [0.25, 0.3, 1.25, 1.25, 0.3, 0.25, 0.2, 0.1, 0.1]);
  player.useClock("number");
  seek(player, 0);
  assert.deepEqual([step(1), player.mode], [1, "hold"]);
});

for (const [clock, ...ends] of [["number", 19, 2], ["seconds", 0.2, 0.15]]) {
  test(`a replay takes as long by either clock and ends together: ${clock}`, () => {
    const player = filled(Array.from({ length: 20 }, (_, k) => 0.01 * (k + 1)), [0.05, 0.1, 0.15]);
    player.useClock(clock);
    seek(player, player.last);
    player.toggle();
    const seen = [];
    while (player.mode === "replay" && seen.length < 1000) {
      player.advance(FRAME);
      seen.push(histories(player).map((history) => history.at));
    }
    close(seen.length * FRAME, 1.9, 0.3); // 19 iterations at 10 a second
    for (const k of [0, 1]) {
      assert.ok(Math.min(...steps(seen.map((at) => at[k]))) >= 0);
      close(seen.at(-1)[k], ends[k]);
    }
    assert.equal(seen[3][0], seen[3][1]); // side by side until the shorter one ends
  });
}

test("following, each panel glides to its own newest and does not jump", () => {
  const player = filled([], []);
  const lags = [[], []];
  for (let k = 0; k < 600; k++) {
    if (k % 6 === 0) player.add("nca-0", 1, [{}]);
    if (k % 12 === 0) player.add("nca-1", 2, [{}]);
    player.advance(FRAME);
    histories(player).forEach((history, panel) => lags[panel].push(history.last("number") - history.at));
  }
  [10, 5].forEach((rate, k) => {
    assert.ok(Math.max(...lags[k]) / rate < 0.6);
    assert.ok(new Set(lags[k]).size > 100);
  });
});

test("where snapshots are slow the motion fills the time, starts and stops gently, and is there before the next", () => {
  const player = filled([]);
  const seen = [];
  for (let k = 0; k < 420; k++) {
    if (k % 42 === 0) player.add("nca-0", 1, [{}]); // every 0.7 seconds
    player.advance(FRAME);
    seen.push(player.position);
  }
  const last = steps(seen.slice(-43)), most = Math.max(...last);
  assert.ok(Math.min(...last) >= 0);
  assert.ok(seen.at(-1) > 8.9 && seen.at(-1) <= 9);
  assert.ok(last[0] < 0.5 * most && last.at(-1) < 0.2 * most);
  assert.ok(last.filter((step) => step > 0.1 * most).length * FRAME > 0.35); // seconds
});

test("a calm picture moves evenly and arrives when a replay would", () => {
  const player = filled([]), ways = [0, 2, 0.5, 1];
  player.showPanels([{ key: "nca-0", frame }], () => () => ways[player.histories.get("nca-0").received - 1]);
  player.begin("nca-0", 1);
  player.pace("nca-0", { state: "running", min_interval: null });
  const comes = [0, 0, 1.8, 2.25, Infinity]; // at nine tenths of the time that the way takes, as the server sends them
  const seen = [];
  let arrived = 0;
  for (let k = 0; k < 300; k++) {
    if (k * FRAME >= comes[player.histories.get("nca-0").received]) player.add("nca-0", 1, [shot(0, 0)]);
    player.advance(FRAME);
    seen.push(player.position);
    arrived ||= player.arrived("nca-0") ? k * FRAME : 0;
  }
  assert.ok(arrived > 3.3 && arrived < 3.8);
  assert.equal(seen.at(-1), 3);
  assert.ok(Math.min(...steps(seen).slice(0, 200)) > 0); // it never rests on its way
  close(steps(seen)[10], 1 / 120, 1e-5); // the first way takes two seconds
});

test("a replay pauses where a phase begins, if asked", () => {
  const player = filled([1, 2, 3, 4, 5]);
  player.stops = [0, 2, 4];
  const replay = () => {
    player.toggle();
    for (let k = 0; k < 200 && player.mode === "replay"; k++) player.advance(FRAME);
    return [player.position, player.mode];
  };
  seek(player, 4);
  assert.deepEqual(replay(), [4, "follow"]);
  player.pauses = true;
  seek(player, 4);
  assert.deepEqual([replay(), replay()], [[2, "hold"], [4, "follow"]]);
});

test("with reduced motion pictures jump", () => {
  const player = filled([0.1, 0.2, 0.3]), seen = new Set();
  player.reducedMotion = { matches: true };
  player.advance(FRAME);
  assert.equal(player.position, 2);
  player.toggle();
  while (player.mode === "replay") {
    player.advance(FRAME);
    seen.add(player.histories.get("nca-0").at);
  }
  assert.deepEqual([...seen], [0, 1, 2]);
});

test("another run begins anew and the others stay", () => {
  const player = filled([0.1, 0.2, 0.3], [0.1, 0.2]);
  seek(player, 2);
  player.begin("nca-0", 1); // the same run
  assert.equal(player.held(), "nca-0:1:3,nca-1:2:2");
  player.begin("nca-0", 9);
  assert.deepEqual([player.held(), player.position], ["nca-1:2:2", 1]);
  player.begin("nca-0", 0);
  player.add("nca-0", 9, [shot(0, 0.1)]);
  assert.equal(player.held(), "nca-0:9:1,nca-1:2:2");
});

test("a history that grew too large is thinned and iterations keep their places", () => {
  const player = filled([], [0.1, 0.2, 0.3]);
  player.mostBytes = 20_000;
  player.add("nca-0", 1, Array.from({ length: 200 }, (_, k) => shot(k, 0.01 * k)));
  const [first, second] = histories(player), kept = first.snapshots.map(({ iteration }) => iteration);
  assert.ok(first.bytes + second.bytes <= 20_000);
  assert.deepEqual([first.thinned, second.thinned, second.length], [true, false, 3]);
  assert.ok(kept.length > 20 && kept[0] === 0 && Math.min(...steps(kept)) > 0);
  assert.deepEqual(kept.slice(-10), Array.from({ length: 10 }, (_, k) => 190 + k));
  seek(player, 100);
  close(first.value("iteration", "number"), 100);
  assert.equal(player.held(), "nca-0:1:200,nca-1:2:3");
  player.add("nca-0", 1, [shot(200, 2)]);
  assert.equal(player.last, 200);
});

test("short runs are shown one after another until the training goes on", () => {
  const player = filled([]), titles = ["PCA", "LDA × 3"];
  const shown = () => player.shownShortRuns("nca-0");
  player.add("nca-0", 1, [shot(0, 0, 0.25), shot(1, 0)], 1);
  player.add("nca-0", 1, [0, 1, 2].map((k) => shot(k, 0, 0.75)), 2);
  player.add("nca-0", 1, [shot(0, 0)]);
  player.advance(0.64);
  close(shown().bracket().t, 0.5);
  assert.deepEqual([shown().number, shown().bracket(true).t, player.held()], [1, 0, "nca-0:1:1"]);
  assert.equal(shown().describe(titles), "start 1 of 2: PCA, f/n 0.25");
  player.advance(2.36);
  assert.equal(shown().describe(titles), "start 2 of 2: LDA × 3, f/n 0.75; training continues from it");
  player.advance(0.3);
  assert.equal(shown(), null);
  player.toggle(); // a replay shows them again
  player.advance(0.1);
  assert.equal(shown().number, 1);
  player.seek(0);
  assert.equal(shown(), null);
  player.toggle();
  player.add("nca-0", 1, [shot(1, 0.1)]);
  assert.deepEqual([shown(), player.last], [null, 1]); // they are no part of the history
});

for (const [heldOut, second, wanted] of [[[1, 0], [0.6, 1.0, 0.6], ["b", 1]], [[1, 0], [0.6, 0.7], ["a", 2]], [[0, 0], [0.6, 1], null]]) {
  test(`the best held-out iteration is the first of the best panel: ${wanted}`, () => {
    const of = new Map(["a", "b"].map((key) => [key, new History()]));
    [[0.5, 0.75, 0.8, 0.8], second].forEach((values, k) => {
      of.get("ab"[k]).add(values.map((held_out_1nn, iteration) => ({ iteration, held_out_1nn })));
    });
    const best = bestHeldOut({ live: [{ key: "a" }, { key: "b" }], player: { histories: of }, scene: { heldOut } });
    assert.deepEqual(best && [best.panel.key, best.snapshot.iteration], wanted);
  });
}

test("a picture is between two snapshots until it is nearly at one", () => {
  const player = filled([0.1, 0.2, 0.3], []);
  const found = (at) => {
    seek(player, at);
    const pair = player.between("nca-0");
    return pair && [pair.from.iteration, pair.to.iteration];
  };
  assert.deepEqual([0, 0.01, 0.1, 0.9, 0.995, 1.5, 2].map(found), [null, null, [0, 1], [0, 1], null, [1, 2], null]);
  assert.equal(player.between("nca-1"), null);
});
