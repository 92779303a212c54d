"""The module's sums over neighbours, against NumPy and the engine: p_ij, the circle, slopes, distances by feature."""

import numpy as np
import pytest

from nca_core.objectives.evaluator import Evaluator
from tests.stage.javascript import run
from tests.stage.oracle import A1, HELD_OUT, LABELS, POINT, TRAIN, X, local, picks

RNG = np.random.default_rng(11)
A = A1 / 2
ASKED = {"labels": LABELS, "heldOut": HELD_OUT}


@pytest.mark.parametrize(("d", "scale", "unit"), [(2, 0.01, 1), (2, 6.0, 1), (3, 0.5, 1), (3, 1.0, 0.5), (7, 1.0, 1)])
def test_p_ij_the_circle_and_the_nearest_equal_picks(d, scale, unit):
    Y = scale * RNG.normal(size=(70, d))
    asked = [0, 3, 33, POINT]  # held out, unlabelled, training
    found = run(
        """async ([asked, points]) => {
          const { circleRadius, mostProbable, picksOf } = await import("./neighbourhood.js");
          return points.map((i) => {
            const picks = picksOf({ ...asked, i });
            return { p: picks.p, k: picks.k, radius: circleRadius(picks, asked.unit),
              near: mostProbable(picks, i, asked.labels, 12) };
          });
        }""",
        [{**ASKED, "Y": Y.ravel(), "components": d, "unit": unit}, asked],
    )
    for i, got in zip(asked, found, strict=True):
        rows, _, p = picks(unit * Y, i)
        radius, own, k = local(unit * Y, i)
        assert [got["radius"], got["p"], got["k"]] == pytest.approx([radius / unit, own, k], rel=1e-9)
        kept = [k for k in range(12) if k == 0 or p[k] >= 1e-6]
        assert [each["j"] for each in got["near"]] == rows[kept].tolist()
        assert [each["p"] for each in got["near"]] == pytest.approx(p[kept], rel=1e-9)
        same = [None if LABELS[i] < 0 else bool(LABELS[j] == LABELS[i]) for j in rows[kept]]
        assert [each["same"] for each in got["near"]] == same


def test_without_training_points_there_are_no_neighbours():
    assert run(
        """async () => (await import("./neighbourhood.js"))
          .picksOf({ Y: [0, 0, 1, 1], components: 2, i: 0, labels: [0, 0], heldOut: [0, 1] })"""
    ) is None  # fmt: skip


def test_the_numbers_of_every_point_are_the_engine_s():
    found = run(
        """async (asked) => {
          const { LocalNumbers } = await import("./neighbourhood.js");
          const { means } = await import("./matrix.js");
          const numbers = new LocalNumbers(asked);
          numbers.work(Infinity);
          return { ...numbers, means: means(numbers, asked.labels, asked.heldOut) };
        }""",
        {**ASKED, "Y": (X @ A.T).ravel(), "components": 2},
    )
    engine = Evaluator(X[TRAIN], LABELS[TRAIN]).evaluate(A)
    votes = []
    for i in np.flatnonzero(LABELS >= 0):
        rows, _, p = picks(X @ A.T, i)
        sums = [p[LABELS[rows] == label].sum() for label in (0, 1)]
        votes.append(int(np.argmax(sums) == LABELS[i]))
    np.testing.assert_array_equal(np.array(found["voted"])[LABELS >= 0], votes)
    assert votes != np.array(found["right"])[LABELS >= 0].tolist()  # else the nearest neighbour would pass for the vote
    assert found["means"]["newVote"] == np.mean(np.array(votes)[HELD_OUT[LABELS >= 0]])
    assert np.array(found["p"])[TRAIN] == pytest.approx(engine.p, abs=1e-9)
    assert np.log(np.array(found["k"])[TRAIN]) == pytest.approx(engine.entropy, abs=1e-9)
    nearest = np.array([LABELS[picks(X @ A.T, i)[0][0]] for i in range(70)])
    np.testing.assert_array_equal(found["right"], np.where(LABELS < 0, -1, nearest == LABELS))
    held = HELD_OUT & (LABELS >= 0)
    wanted = [engine.mean_p, np.exp(engine.entropy.mean()), *((nearest == LABELS)[of].mean() for of in (TRAIN, held))]
    assert [found["means"][name] for name in ("p", "k", "own", "new")] == pytest.approx(wanted)


def test_what_each_feature_adds_to_a_distance_adds_up_to_it():
    parts = run(
        """async ([X, A]) => (await import("./neighbourhood.js")).splitByFeature(X, 4, A, 2, 7, 50, 3)""",
        [X.ravel(), A.ravel()],
    )
    delta = 3 * (X[7] - X[50])
    assert parts == pytest.approx(delta * (A.T @ A @ delta))
    assert sum(parts) == pytest.approx(np.linalg.norm(A @ delta) ** 2)


def test_forces_and_their_sum_are_the_engine_s_gradient():
    forces, norm = run(
        """async ([asked, X]) => {
          const { forcesOn, gradientNorm } = await import("./neighbourhood.js");
          const forces = forcesOn(asked);
          return [forces, gradientNorm(forces, 2, X, 4)];
        }""",
        [{**ASKED, "Y": (X @ A.T).ravel(), "components": 2}, X.ravel()],
    )
    evaluator = Evaluator(X[TRAIN], LABELS[TRAIN])
    wanted = np.zeros((len(X), 2))
    wanted[TRAIN] = evaluator.evaluate_embedding(X[TRAIN] @ A.T).gradient
    np.testing.assert_allclose(np.reshape(forces, (-1, 2)), wanted, atol=1e-9 * np.abs(wanted).max())
    assert norm == pytest.approx(np.linalg.norm(evaluator.evaluate(A).gradient), rel=1e-9)


def test_one_point_s_pulls_are_the_slopes_of_its_own_chance():
    Y, i = X @ A.T, np.count_nonzero(TRAIN[:POINT])
    found = run(
        """async (asked) => (await import("./neighbourhood.js")).pullsOf(asked)""",
        {**ASKED, "Y": Y.ravel(), "components": 2, "i": POINT},
    )

    def own(places):
        return Evaluator(X[TRAIN], LABELS[TRAIN]).evaluate_embedding(places[TRAIN]).p[i]

    assert found["p"] == pytest.approx(own(Y))
    moves = np.reshape(found["moves"], (-1, 2))
    assert not moves[~TRAIN].any()
    for j in np.flatnonzero(TRAIN)[::6]:
        for c in range(2):
            step = np.zeros_like(Y)
            step[j, c] = 1e-6
            assert moves[j, c] == pytest.approx((own(Y + step) - own(Y - step)) / 2e-6, abs=1e-7)


def test_where_a_direction_does_not_count_the_ellipse_has_no_end():
    assert run("async () => (await import('./matrix.js')).unitEllipse(1, 1, 1)")["long"] == float("inf")
