"""What lessons 1 to 5 say is true: each claim from the engine, by the lesson's recipe, against an oracle."""

from __future__ import annotations

import numpy as np
import pytest

from lessons import neighbour, overfitting, pull, scale, shadow
from lessons.base.material import measured
from tests.lessons.oracle import chances, f, facts, held_out, k_hat, leave_one_out, trained

# -- 1. a projection is a shadow


def test_pca_keeps_the_noise_of_the_rings():
    found, said = measured(shadow.PCA), facts("shadow", 0)
    X = found.comparison.panel("pca").X
    deviations = X.std(axis=0)
    assert deviations[2] > deviations[:2].max()  # the question says that noise spreads wider
    axis = np.linalg.svd(X[found.comparison.prepared.train] - X[found.comparison.prepared.train].mean(axis=0))[2][0]
    assert said["noise"] == pytest.approx(axis[2] ** 2, abs=1e-6)
    assert said["noise"] > 0.99
    assert said["right"] == leave_one_out(found, "pca") < 0.5
    assert said["guess"] == 1 / len(np.unique(found.comparison.prepared.dataset.y))


def test_the_means_of_rings_coincide_and_lda_finds_next_to_nothing():
    found, said = measured(shadow.LDA), facts("shadow", 1)
    X, y = found.comparison.panel("lda").X[:, :2], found.comparison.panel("lda").y
    means = np.array([X[y == code].mean(axis=0) for code in range(5)])
    assert np.linalg.norm(means - means.mean(axis=0), axis=1).max() < 0.8  # where the radii are 1 to 5
    assert said["right"] == leave_one_out(found, "lda") < 0.55


def test_nca_finds_the_rings_and_they_hold_for_new_points():
    found, said = measured(shadow.NCA), facts("shadow", 2)
    assert said["before"] == pytest.approx(f(found, "nca", 0), abs=1e-9)
    assert said["before"] < 0.4
    assert said["after"] == pytest.approx(f(found, "nca"), abs=1e-6)
    assert said["after"] > 0.95
    assert said["new"] == held_out(found, "nca") > 0.95
    assert said["noise"] < 0.01


# -- 2. what p_ij is


def test_a_neighbour_at_half_the_squared_distance_is_e_times_as_likely():
    said = facts("neighbour", 0)
    assert said["ratio"] == pytest.approx(np.e)
    assert (said["near"], said["far"]) == pytest.approx((np.e / (1 + np.e), 1 / (1 + np.e)))
    assert np.exp(-10) < 1e-4  # "at squared distance 10 a point is hardly ever picked"


def test_row_107_lies_among_others_and_is_brought_home():
    found, said = measured(neighbour.NCA), facts("neighbour", 1)
    raw = found.comparison.prepared.raw
    assert raw.row_numbers[neighbour.ROW] == 107
    assert raw.class_names[raw.y[neighbour.ROW]] == "virginica"
    assert found.comparison.prepared.train[neighbour.ROW]
    i = neighbour.place_of(neighbour.ROW)
    Y, y = trained(found, "nca", 0)
    p_ij, p, k = chances(Y, y)
    assert (said["p0"], said["k0"]) == pytest.approx((p[i], k[i]))
    assert f"{said['p0']:.2f}" == "0.12"  # as the question and its options say
    assert round(said["of_100"]) == 12
    versicolor = p_ij[i][y == raw.class_names.index("versicolor")].sum()
    assert versicolor > 0.8  # it lies among versicolor
    end = chances(*trained(found, "nca"))
    assert said["p1"] == pytest.approx(end[1][i], abs=1e-6)
    assert said["p1"] > 0.95
    assert said["k1"] == pytest.approx(end[2][i], rel=1e-3)
    assert said["k1"] < said["k0"] / 5
    assert (said["f0"], said["f1"]) == pytest.approx((p.mean(), end[1].mean()), abs=1e-6)
    assert said["f1"] > 0.95 > said["f0"]


def test_points_fly_apart_and_so_the_circle_shrinks():
    found = measured(neighbour.NCA)
    first, last = trained(found, "nca", 0)[0], trained(found, "nca")[0]
    assert np.linalg.norm(last - last.mean(axis=0)) > 2 * np.linalg.norm(first - first.mean(axis=0))


# -- 3. how the gradient pulls and pushes


def test_forces_are_the_derivative_of_f_at_the_places():
    rng = np.random.default_rng(3)
    Y, y = rng.normal(size=(14, 2)), np.arange(14) % 3
    found = pull.forces(Y, y)
    np.testing.assert_allclose(pull.chances_of(Y, 4), chances(Y, y)[0][4], atol=1e-12)
    for m, c in ((0, 0), (5, 1), (13, 0)):
        step = np.zeros_like(Y)
        step[m, c] = 1e-6
        slope = (chances(Y + step, y)[1].sum() - chances(Y - step, y)[1].sum()) / 2e-6
        assert found[m, c] == pytest.approx(slope, rel=1e-6)


def test_most_of_the_arrows_belong_to_those_who_are_picked_often():
    found, said = measured(pull.IRIS), facts("pull", 0)
    assert said["share"] > 0.9
    assert said["rows"] == found.comparison.prepared.train.sum() - 1 > 2 * said["most"]
    Y, y = trained(found, "nca", 0)
    i = neighbour.place_of(pull.ROW)
    p = chances(Y, y)[0]
    arrows = np.empty(len(y))  # by differences of p_i, one neighbour after the other
    for j in range(len(y)):
        slopes = []
        for c in range(2):
            step = np.zeros_like(Y)
            step[j, c] = 1e-6
            slopes.append((chances(Y + step, y)[1][i] - chances(Y - step, y)[1][i]) / 2e-6)
        arrows[j] = 0 if j == i else np.hypot(*slopes)
    most = np.argsort(-p[i])[: pull.MOST]
    assert said["share"] == pytest.approx(arrows[most].sum() / arrows.sum(), rel=1e-3)
    setosa = y == found.comparison.prepared.raw.class_names.index("setosa")
    assert arrows[setosa].max() < 0.01 * arrows.max()  # "look for the setosa"


def test_a_point_inside_its_class_hardly_pulls():
    Y, y = trained(measured(pull.IRIS), "nca", 0)
    p, p_i, _ = chances(Y, y)
    setosa = y == 0  # which the task sends one to
    pulls = np.abs(p * ((y[:, None] == y[None]) - p_i[:, None])).sum(axis=1)
    assert np.median(p_i[setosa]) > 0.99
    assert np.median(pulls[setosa]) < 0.05 * np.median(pulls[~setosa])


def test_at_the_end_the_wishes_remain_and_cancel():
    found, said = measured(pull.NORMALS), facts("pull", 2)
    rows, X = found.comparison.prepared.train, found.comparison.panel("nca").X
    for name, total, at in (("before", "start", 0), ("after", "end", -1)):
        Y, y = trained(found, "nca", at)
        moves = pull.forces(Y, y)
        assert said[name] == pytest.approx(np.linalg.norm(moves, axis=1).mean())
        assert said[total] == pytest.approx(np.linalg.norm(moves.T @ X[rows]), rel=1e-4, abs=1e-6)
    assert said["after"] > 0.3 * said["before"]
    assert said["end"] < 1e-3 * said["start"]


# -- 4. why K̂ falls


def test_eight_equal_neighbours_make_k_eight():
    assert facts("scale", 0)["k"] == pytest.approx(8)


def test_twice_the_size_is_fewer_neighbours():
    found, said = measured(scale.NCA), facts("scale", 1)
    for name, times in (("k", 1), ("k2", 2), ("half", 0.5)):
        assert said[name] == pytest.approx(k_hat(found, "nca", 0, times), rel=1e-6)
    assert said["k2"] < said["k"] < said["half"]


def test_a_grows_and_k_falls():
    found, said = measured(scale.NCA), facts("scale", 2)
    spread = [np.linalg.norm(trained(found, "nca", at)[0]) for at in (0, -1)]
    assert spread[1] > 2 * spread[0]  # they fly apart
    assert said["grew"] > 2
    assert (said["k0"], said["k1"]) == pytest.approx((k_hat(found, "nca", 0), k_hat(found, "nca")), rel=1e-3)
    assert said["k1"] < said["k0"] / 2


def test_the_dearer_size_is_the_greater_k_stays():
    found, said = measured(scale.PENALTIES), facts("scale", 3)
    assert said["k"] < said["k1"] < said["k2"] == pytest.approx(k_hat(found, "nca-3"), rel=1e-3)
    assert min(said["f"], said["f1"], said["f2"]) > 0.95  # "hardly suffers"


# -- 5. a good score that means nothing


def test_noise_is_learned_by_heart_and_new_rows_tell():
    found, said = measured(overfitting.NOISE), facts("overfitting", 0)
    assert said["right"] == leave_one_out(found, "nca") > 0.9
    assert said["new"] == held_out(found, "nca")
    error = np.sqrt(said["guess"] * (1 - said["guess"]) / said["held"])
    assert abs(said["new"] - said["guess"]) < 2 * error
    dataset = found.comparison.dataset
    assert (dataset.n_samples, dataset.n_features, dataset.n_classes) == (150, 50, 3)  # as the text says
    assert said["numbers"] == 2 * 50


def test_the_shuffled_twin_invents_nearly_eighty_percent():
    found, said = measured(overfitting.TWIN), facts("overfitting", 2)
    assert said["twin"] == leave_one_out(found, "nca-2")
    assert 0.7 < said["twin"] < 0.85  # "nearly 80 %"
    assert said["twin_new"] == held_out(found, "nca-2") < 0.5
    assert said["true"] == leave_one_out(found, "nca") > said["twin"] + 0.1
    assert said["true_new"] == held_out(found, "nca") > 0.9
    y = found.comparison.dataset.y
    assert np.bincount(y).max() / len(y) == pytest.approx(0.4, abs=0.01)  # "guessing is right for about 40 %"
    assert found.comparison.dataset.n_features == 13
