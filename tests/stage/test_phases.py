"""The phases of a training: found in order, told once, and the same however snapshots come."""

from __future__ import annotations

import numpy as np

from tests.stage.javascript import run

X = np.random.default_rng(2).normal(size=(40, 3))
NAMES = ["x", "y", "noise"]
FOLLOW = """async ({ X, names, shots, step }) => {
  const { Phases } = await import("./phases.js");
  const features = { X, columns: 3, names };
  const phases = new Phases(features, { labels: new Array(40).fill(0), heldOut: [], components: 2 });
  const snapshots = shots.map(([A, mean_p, k], number) => ({ number, frame: A, mean_p, k_mean_entropy: k }));
  let told = [];
  const texts = [];
  for (let n = step; n <= shots.length; n += step) {
    told = phases.follow({ snapshots: snapshots.slice(0, n), received: n });
    texts.push(told.map(({ head }) => head).join());
  }
  return { told, texts };
}"""


def frame(noise, size=1.0):
    """Two axes over x and y, the first with some noise."""
    return size * np.array([[1.0, 0.0, noise], [0.0, 1.0, 0.0]])


def follow(shots, step=1, names=NAMES):
    return run(
        FOLLOW, {"X": X.ravel(), "names": names, "shots": [[A.ravel(), p, k] for A, p, k in shots], "step": step}
    )


TRAINING = [
    (frame(1.0), 0.40, 20.0),
    (frame(0.3), 0.42, 20.0),  # the noise leaves
    (frame(0.1), 0.43, 20.0),
    (frame(0.1), 0.43, 20.0),
    (frame(0.1), 0.60, 20.0),  # the classes part
    (frame(0.1), 0.90, 20.0),
    (frame(0.1), 0.91, 20.0),
    (frame(0.1, 1.5), 0.91, 12.0),  # the picture grows
    (frame(0.1, 2.0), 0.91, 8.0),
    (frame(1.0, 2.0), 0.99, 8.0),  # nothing is told twice
]


def test_each_phase_begins_with_the_way_on_which_it_was_found():
    told = follow(TRAINING)["told"]
    assert [(phase["number"], phase["kind"]) for phase in told] == [(0, "weight"), (3, "part"), (6, "grow")]
    share = X[:, 2].var() / X.var(axis=0).sum()
    assert told[0]["head"] == "Squeezing out noise"
    assert f"{100 * share:.0f}\N{NO-BREAK SPACE}% of the picture" in told[0]["text"]
    assert "rises from 0.43" in told[1]["text"]
    assert "falls from 20.0" in told[2]["text"]


def test_one_by_one_or_all_at_once_it_is_the_same_and_no_phase_changes_later():
    one, all_at_once = follow(TRAINING), follow(TRAINING, step=10)
    assert one["told"] == all_at_once["told"]
    assert all(later.startswith(before) for before, later in zip(one["texts"], one["texts"][1:], strict=False))


def test_a_phase_goes_on_while_it_brings_much():
    """f/n rises by leaps while the picture grows too: the growth is told once f/n has come to rest."""
    shots = [(frame(0.0, 1.5**k), 0.3 + 0.1 * min(k, 4), 20.0 / 1.5**k) for k in range(9)]
    assert [(phase["number"], phase["kind"]) for phase in follow(shots)["told"]] == [(0, "part"), (4, "grow")]


def test_without_names_or_numbers_it_says_less_and_fails_not():
    nothing = [(A, float("nan"), float("nan")) for A, _, _ in TRAINING]
    told = follow(nothing, names=[])["told"]
    assert [phase["kind"] for phase in told] == ["weight"]
    assert told[0]["text"] == "Weight moves to the features that tell the classes apart."
