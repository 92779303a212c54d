"""The player's clock over the histories: following, replaying, stepping, short runs, memory, the best iteration."""

from __future__ import annotations

import numpy as np
import pytest

from tests.stage.javascript import run

# `fill(...seconds)`: a panel for each list, with a snapshot at each of these seconds of computing.
SETUP = """
  const { Player } = await import("./player.js");
  const player = new Player({ matches: REDUCED });
  const frame = new Float32Array(4);
  const shot = (iteration, seconds, mean_p = 0.5) => ({ iteration, seconds, frame, mean_p });
  const fill = (...panels) => {
    player.showPanels(panels.map((_, k) => ({ key: `nca-${k}`, frame })));
    panels.forEach((seconds, k) => seconds.length && player.add(`nca-${k}`, k + 1, seconds.map((s, i) => shot(i, s))));
  };
  const at = () => (player.advance(0), [...player.histories.values()].map((history) => history.at));
  const seek = (position) => (player.seek(position), at());
"""


def play(code, argument=None, reduced=False):
    setup = SETUP.replace("REDUCED", str(reduced).lower())
    return run(f"async (given) => {{ {setup} {code} }}", argument)


def test_by_iteration_each_panel_stands_at_the_position_or_at_its_own_last():
    found = play(
        "fill([0.1, 0.2, 0.3, 0.4, 0.5], [1, 2, 3], []); return [seek(1.5), seek(4), seek(99), player.position];"
    )
    assert found == [[1.5, 1.5, 0], [4, 2, 0], [4, 2, 0], 4]


def test_by_seconds_each_panel_finds_its_place_in_its_own_time():
    found = play("""
      fill([0.1, 0.2, 0.3, 0.4, 0.5], [0.25, 1.25, 2.25]);
      seek(2);
      player.useClock("seconds");
      const places = (time) => (seek(time), [...player.histories.values()].map((history) => {
        const { from, t } = history.bracket("seconds");
        return from.number + t;
      }));
      return [player.position, places(0.3), places(1.75), places(0), player.last];
    """)
    assert found[0] == pytest.approx(2.25)  # the farthest stays where it was
    for got, wanted in zip(found[1:4], ([2, 0.05], [4, 1.5], [0, 0]), strict=True):
        assert got == pytest.approx(wanted)
    assert found[4] == 2.25


def test_a_step_by_seconds_goes_to_the_next_snapshot_of_any_panel():
    found = play("""
      fill([0.1, 0.2, 0.3], [0.25, 1.25]);
      player.useClock("seconds");
      seek(0.2);
      const steps = [1, 1, 1, 1, -1, -1, -1, -1, -1].map((by) => (player.step(by), player.position));
      player.useClock("number");
      seek(0);
      player.step(1);
      return [steps, player.position, player.mode];
    """)
    assert found == [[0.25, 0.3, 1.25, 1.25, 0.3, 0.25, 0.2, 0.1, 0.1], 1, "hold"]


@pytest.mark.parametrize(("clock", "ends"), [("number", [19, 2]), ("seconds", [0.2, 0.15])])
def test_a_replay_takes_as_long_by_either_clock_and_ends_together(clock, ends):
    moved = play(
        """
        fill(given[1], [0.05, 0.1, 0.15]);
        player.useClock(given[0]);
        seek(player.last);
        player.toggle();
        const seen = [];
        while (player.mode === "replay" && seen.length < 1000) {
          player.advance(1 / 60);
          seen.push([...player.histories.values()].map((history) => history.at));
        }
        return seen;
        """,
        [clock, [0.01 * k for k in range(1, 21)]],
    )
    assert len(moved) / 60 == pytest.approx(1.9, abs=0.3)  # 19 iterations at 10 a second
    assert np.all(np.diff(np.array(moved), axis=0) >= 0)
    assert moved[-1] == pytest.approx(ends)
    assert moved[3][0] == moved[3][1]  # side by side until the shorter one ends


def test_following_each_panel_glides_to_its_own_newest():
    """A panel that is behind the others must not jump from snapshot to snapshot."""
    lags = play("""
      fill([], []);
      return Array.from({ length: 600 }, (_, frame) => {
        if (frame % 6 === 0) player.add("nca-0", 1, [{}]);
        if (frame % 12 === 0) player.add("nca-1", 2, [{}]);
        player.advance(1 / 60);
        return [...player.histories.values()].map((history) => history.last("number") - history.at);
      });
    """)
    for k, rate in ((0, 10), (1, 5)):
        assert max(lag[k] for lag in lags) / rate < 0.6
        assert len({lag[k] for lag in lags}) > 100


def test_where_snapshots_are_slow_the_motion_fills_the_time_and_is_eased():
    """One snapshot every 0.7 seconds: no jump at its beginning, no overshoot, there before the next."""
    seen = play("""
      fill([]);
      return Array.from({ length: 420 }, (_, frame) => {
        if (frame % 42 === 0) player.add("nca-0", 1, [{}]);
        player.advance(1 / 60);
        return player.position;
      });
    """)
    steps = np.diff(seen[-43:])
    assert np.all(steps >= 0)
    assert 8.9 < seen[-1] <= 9  # there before the next one
    assert steps[0] < 0.5 * steps.max()  # it starts gently
    assert steps[-1] < 0.2 * steps.max()  # and stops gently
    assert np.sum(steps > 0.1 * steps.max()) / 60 > 0.35  # seconds


def test_a_calm_picture_moves_evenly_and_arrives_when_a_replay_would():
    """Snapshots come at nine tenths of the time that the way to them takes, as the server sends them."""
    seen, arrived = play("""
      const ways = [0, 2, 0.5, 1];
      player.showPanels([{ key: "nca-0", frame }], () => () => ways[player.histories.get("nca-0").received - 1]);
      player.begin("nca-0", 1);
      player.pace("nca-0", { state: "running", min_interval: null });
      const comes = [0, 0, 1.8, 2.25, Infinity], seen = [];
      let arrived = 0;
      for (let k = 0; k < 300; k++) {
        const { received } = player.histories.get("nca-0");
        if (k / 60 >= comes[received]) player.add("nca-0", 1, [shot(0, 0)]);
        player.advance(1 / 60);
        seen.push(player.position);
        if (!arrived && player.arrived("nca-0")) arrived = k / 60;
      }
      return [seen, arrived];
    """)
    steps = np.diff(seen)
    assert 3.3 < arrived < 3.8
    assert seen[-1] == 3
    assert steps[:200].min() > 0  # it never rests on its way
    assert steps[10] == pytest.approx(1 / 120, rel=1e-3)  # the first way takes two seconds


def test_a_replay_pauses_where_a_phase_begins_if_asked():
    found = play("""
      fill([1, 2, 3, 4, 5]);
      player.stops = [0, 2, 4];
      const replay = () => {
        player.toggle();
        for (let k = 0; k < 200 && player.mode === "replay"; k++) player.advance(1 / 60);
        return [player.position, player.mode];
      };
      seek(4);
      const whole = replay();
      player.pauses = true;
      seek(4);
      return [whole, replay(), replay()];
    """)
    assert found == [[4, "follow"], [2, "hold"], [4, "follow"]]


def test_with_reduced_motion_pictures_jump():
    moved, replayed = play(
        """
        fill([0.1, 0.2, 0.3]);
        player.advance(1 / 60);
        const moved = player.position, seen = new Set();
        player.toggle();
        while (player.mode === "replay") {
          player.advance(1 / 60);
          seen.add(player.histories.get("nca-0").at);
        }
        return [moved, [...seen]];
        """,
        reduced=True,
    )
    assert (moved, replayed) == (2, [0, 1, 2])


def test_another_run_begins_anew_and_the_others_stay():
    found = play("""
      fill([0.1, 0.2, 0.3], [0.1, 0.2]);
      seek(2);
      const before = player.held();
      player.begin("nca-0", 1); // the same run
      player.begin("nca-0", 9);
      const begun = [player.held(), player.position];
      player.begin("nca-0", 0);
      player.add("nca-0", 9, [shot(0, 0.1)]);
      return [before, begun, player.held()];
    """)
    assert found == ["nca-0:1:3,nca-1:2:2", ["nca-1:2:2", 1], "nca-0:9:1,nca-1:2:2"]


def test_a_history_that_grew_too_large_is_thinned_and_iterations_keep_their_places():
    found = play("""
      fill([], [0.1, 0.2, 0.3]);
      player.mostBytes = 20_000;
      player.add("nca-0", 1, Array.from({ length: 200 }, (_, k) => shot(k, 0.01 * k)));
      const all = [...player.histories.values()];
      const kept = all.map((h) => h.snapshots.map((s) => s.iteration));
      const bytes = all.map((h) => h.bytes), thinned = all.map((h) => h.thinned);
      seek(100);
      const { from, to, t } = player.histories.get("nca-0").bracket("number");
      const place = from.iteration + t * (to.iteration - from.iteration);
      const held = player.held();
      player.add("nca-0", 1, [shot(200, 2)]);
      return { kept, bytes, thinned, place, held, last: player.last };
    """)
    first, second = found["kept"]
    assert sum(found["bytes"]) <= 20_000
    assert found["thinned"] == [True, False]
    assert second == [0, 1, 2]
    assert (first[0], first[-10:]) == (0, list(range(190, 200)))
    assert first == sorted(set(first))
    assert len(first) > 20
    assert found["place"] == pytest.approx(100)
    assert found["held"] == "nca-0:1:200,nca-1:2:3"
    assert found["last"] == 200


def test_short_runs_are_shown_one_after_another_until_the_training_goes_on():
    found = play("""
      fill([]);
      player.add("nca-0", 1, [shot(0, 0, 0.25), shot(1, 0)], 1);
      player.add("nca-0", 1, [0, 1, 2].map((k) => shot(k, 0, 0.75)), 2);
      player.add("nca-0", 1, [shot(0, 0)]);
      const shown = () => player.shownShortRuns("nca-0"), titles = ["PCA", "LDA × 3"];
      player.advance(0.64);
      const first = shown();
      const half = [first.number, first.bracket().t, first.bracket(true).t, first.describe(titles), player.held()];
      player.advance(2.36);
      const second = shown().describe(titles);
      player.advance(0.3);
      const over = shown();
      player.toggle(); // a replay shows them again
      player.advance(0.1);
      const again = shown()?.number;
      player.seek(0);
      const sought = shown();
      player.toggle();
      player.add("nca-0", 1, [shot(1, 0.1)]);
      return [half, second, over, again, sought, shown(), player.last];
    """)
    half, second, *rest = found
    assert half == [1, pytest.approx(0.5), 0, "start 1 of 2: PCA, f/n 0.25", "nca-0:1:1"]
    assert second == "start 2 of 2: LDA × 3, f/n 0.75, the best one goes on"
    assert rest == [None, 1, None, None, 1]  # they are no part of the history


@pytest.mark.parametrize(
    ("held_out", "second", "best"),
    [([1, 0], [0.6, 1.0, 0.6], ["b", 1]), ([1, 0], [0.6, 0.7], ["a", 2]), ([0, 0], [0.6, 1.0], None)],
)
def test_the_best_held_out_iteration_is_the_first_of_the_best_panel(held_out, second, best):
    found = run(
        """async ([heldOut, ...values]) => {
          const { History, bestHeldOut } = await import("./history.js");
          const histories = new Map(["a", "b"].map((key) => [key, new History()]));
          const shots = (values) => values.map((held_out_1nn, iteration) => ({ iteration, held_out_1nn }));
          values.forEach((each, k) => histories.get("ab"[k]).add(shots(each)));
          const best = bestHeldOut({ live: [{ key: "a" }, { key: "b" }], player: { histories }, scene: { heldOut } });
          return best && [best.panel.key, best.snapshot.iteration];
        }""",
        [held_out, [0.5, 0.75, 0.8, 0.8], second],
    )
    assert found == best
