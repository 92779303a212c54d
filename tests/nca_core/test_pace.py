"""A calm training: how long pictures are shown, here and in the browser alike."""

import itertools

import numpy as np
import pytest

from nca_core.snapshot import Snapshot
from nca_core.training.pace import CalmPace, nominal_seconds, pressed, show_times
from tests.stage.javascript import run

RNG = np.random.default_rng(5)
X = RNG.normal(size=(50, 4)) * [1, 2, 3, 4]
START = RNG.normal(size=(2, 4))
TURN = np.array([[0.0, -1.0], [1.0, 0.0]])
FRAMES = [START, 3.0 * START, TURN @ START, START + 0.05, START + 0.05]


def pictures(frames=FRAMES):
    centred = X - X.mean(axis=0)
    return [centred @ A.T for A in frames]


def test_the_browser_counts_the_same_seconds():
    found = run(
        """async ({ X, frames }) => {
          const { nominalSeconds, pressed, sampler } = await import("./player.js");
          const places = sampler({ samples: 50, components: 2, features: [{ X, columns: 4 }] });
          const shown = frames.map((frame) => places(new Float64Array(frame), { kind: "matrix", features: 0 }));
          const seconds = shown.slice(1).map((Y, k) => nominalSeconds(shown[k], Y, 2));
          return [seconds, [1, 7, 9, 50].map(pressed)];
        }""",
        {"X": (X - X.mean(axis=0)).ravel(), "frames": [A.ravel() for A in FRAMES]},
    )
    shown = pictures()
    assert found[0] == pytest.approx(
        [nominal_seconds(a, b) for a, b in itertools.pairwise(shown)], rel=1e-3
    )  # in single precision
    assert found[1] == pytest.approx([pressed(seconds) for seconds in (1, 7, 9, 50)])


def test_a_turn_takes_longer_than_growth_and_what_stays_takes_no_time():
    grown, turned, _, same = (nominal_seconds(a, b) for a, b in zip(pictures(), pictures()[1:], strict=False))
    assert same == pytest.approx(0.05)
    assert grown == pytest.approx(0.05 + 4.5 * 0.06 * np.log(3))
    assert turned == pytest.approx(0.05 + 4.5 * (2**0.35 + 0.06 * np.log(3)))


def test_however_long_a_training_is_it_is_shown_within_ten_seconds():
    times = show_times(pictures(FRAMES * 20))
    assert np.all(np.diff(times) >= 0)
    assert 9.9 < times[-1] <= 10
    assert times[1] == pytest.approx(nominal_seconds(*pictures()[:2]))  # the beginning is not pressed


def test_a_run_rests_as_long_as_the_picture_needs():
    calm = CalmPace(X)
    rests = [calm(Snapshot(k, A, objective=0.0, gradient_norm=0.0)) for k, A in enumerate(FRAMES)]
    assert rests == pytest.approx(np.diff([0, *show_times(pictures())]), abs=1e-9)
