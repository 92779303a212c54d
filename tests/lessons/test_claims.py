"""What every lesson says is true: each claim from the engine, by the lesson's recipe, against an oracle of its own."""

from __future__ import annotations

import numpy as np
import pytest

from lessons import (
    LESSONS,
    choosing_k,
    neighbour,
    other_methods,
    outliers,
    overfitting,
    pull,
    scale,
    scaling,
    shadow,
    starts,
)
from lessons.base.measured import measured
from tests.lessons.oracle import chances, held_out, leave_one_out, trained


def facts(key, step):
    return LESSONS[key].steps[step].question.facts()


def right(key, step):
    question = LESSONS[key].steps[step].question
    return question.options[question.right]


def f(found, key, iteration=-1):
    return chances(*trained(found, key, iteration))[1].mean()


def k_hat(found, key, iteration=-1, scale=1.0):
    return float(np.exp(np.log(chances(*trained(found, key, iteration, scale))[2]).mean()))


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
    assert right("shadow", 0).startswith("A mixture")


def test_the_means_of_rings_coincide_and_lda_finds_next_to_nothing():
    found, said = measured(shadow.LDA), facts("shadow", 1)
    X, y = found.comparison.panel("lda").X[:, :2], found.comparison.panel("lda").y
    means = np.array([X[y == code].mean(axis=0) for code in range(5)])
    assert np.linalg.norm(means - means.mean(axis=0), axis=1).max() < 0.8  # where the radii are 1 to 5
    assert said["right"] == leave_one_out(found, "lda") < 0.55
    assert right("shadow", 1).startswith("Next to nothing")


def test_nca_finds_the_rings_and_they_hold_for_new_points():
    found, said = measured(shadow.NCA), facts("shadow", 2)
    assert said["before"] == pytest.approx(f(found, "nca", 0), abs=1e-9)
    assert said["before"] < 0.4
    assert said["after"] == pytest.approx(f(found, "nca"), abs=1e-6)
    assert said["after"] > 0.95
    assert said["new"] == held_out(found, "nca") > 0.95
    assert said["noise"] < 0.01
    assert right("shadow", 2).startswith("The rings")


# -- 2. what p_ij is


def test_a_neighbour_at_half_the_squared_distance_is_e_times_as_likely():
    said = facts("neighbour", 0)
    assert said["ratio"] == pytest.approx(np.e)
    assert (said["near"], said["far"]) == pytest.approx((np.e / (1 + np.e), 1 / (1 + np.e)))
    assert "2.7" in right("neighbour", 0)
    assert np.exp(-10) < 1e-4  # "at squared distance 10 hardly anybody is picked"


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
    assert right("scale", 0) == "8"


def test_twice_the_size_is_fewer_neighbours():
    found, said = measured(scale.NCA), facts("scale", 1)
    for name, times in (("k", 1), ("k2", 2), ("half", 0.5)):
        assert said[name] == pytest.approx(k_hat(found, "nca", 0, times), rel=1e-6)
    assert said["k2"] < said["k"] < said["half"]
    assert "falls" in right("scale", 1)


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
    assert right("scale", 3) == "λ = 1"


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
    assert (right("overfitting", 0), right("overfitting", 1)[:7]) == ("Nearly all", "About a")


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


# -- 6. starts


def test_four_starts_end_in_different_places_and_f_tells_the_bad_one():
    found, said = measured(starts.FOUR), facts("starts", 0)
    values = [f(found, key) for key in starts.KEYS]
    assert (said["best"], said["worst"]) == pytest.approx((max(values), min(values)), abs=1e-6)
    assert said["best"] - said["worst"] > 0.1
    assert said["one"] == pytest.approx(values[0], abs=1e-6)
    best, worst = (starts.KEYS[place(values)] for place in (np.argmax, np.argmin))
    assert said["best_new"] == held_out(found, best) > 0.9
    assert said["worst_new"] == held_out(found, worst) < 0.6  # "hardly better than a coin"
    assert f(measured(starts.ONE), "nca") == pytest.approx(values[0], abs=1e-6)


def test_the_best_of_several_starts_reaches_a_higher_top():
    found, said = measured(starts.SEVERAL), facts("starts", 2)
    assert (said["f"], said["f2"]) == pytest.approx((f(found, "nca"), f(found, "nca-2")), abs=1e-6)
    assert said["f2"] > said["f"] + 0.03
    for name, key in (("new", "nca"), ("new2", "nca-2")):  # rows of balance lie on a grid, so several are equally near
        assert said[name] == pytest.approx(held_out(found, key), abs=0.02)
    assert said["new2"] > said["new"] + 0.03


# -- 7. f against g


def test_f_gives_the_mislabelled_up_and_g_does_not():
    found, said = measured(outliers.BOTH), facts("outliers", 1)
    ready = found.comparison.prepared
    wrong = (found.comparison.dataset.y != ready.raw.y)[ready.train]
    assert (said["n"], said["wrong"]) == (len(wrong), wrong.sum())
    for end, key in (("f", "nca"), ("g", "nca-2")):
        p = chances(*trained(found, key))[1]
        assert said[f"lost_{end}"] == (p < 0.01).sum()
        assert said[f"wrong_{end}"] == ((p < 0.01) & wrong).sum()
        assert said[f"k_{end}"] == pytest.approx(k_hat(found, key), rel=1e-3)
        assert (said[f"right_{end}"], said[f"new_{end}"]) == (leave_one_out(found, key), held_out(found, key))
    assert said["wrong_f"] > 0.7 * said["wrong"]
    assert said["lost_g"] <= 2
    assert said["k_f"] < 2 < 10 < said["k_g"]
    assert said["right_f"] - said["new_f"] > 0.08 > abs(said["right_g"] - said["new_g"])


def test_what_one_point_costs():
    said = facts("outliers", 0)
    assert (said["f"], said["g"]) == pytest.approx((0.499, np.log(500)))


# -- 8. other methods


def test_on_round_clouds_lda_is_enough():
    found, said = measured(other_methods.CLOUDS), facts("methods", 0)
    assert (said["lda_new"], said["nca_new"]) == (held_out(found, "lda"), held_out(found, "nca"))
    assert abs(said["lda_new"] - said["nca_new"]) < said["error"]
    assert said["nca"] == leave_one_out(found, "nca") > said["lda"] + 0.02


def test_mcml_fails_on_rings():
    found, said = measured(other_methods.RINGS), facts("methods", 1)
    assert said["k"] == pytest.approx(k_hat(found, "mcml"), rel=1e-3)
    assert said["k"] > 0.9 * said["n"]
    assert said["mcml_new"] == held_out(found, "mcml") < 0.75
    assert said["nca_new"] == held_out(found, "nca") > 0.95
    assert said["k_nca"] < 5


# -- 9. units and noise


def test_two_features_rule_where_units_do():
    found, said = measured(scaling.BOTH_PCA), facts("scaling", 0)
    X = found.comparison.panel("pca").X
    rows = found.comparison.prepared.train
    axes = np.linalg.svd(X[rows] - X[rows].mean(axis=0))[2][:2]
    names = found.comparison.prepared.raw.feature_names
    two = [names.index("proline"), names.index("magnesium")]
    assert said["two"] == pytest.approx((axes[:, two] ** 2).sum() / 2)
    assert said["two"] > 0.99
    assert said["raw"] == held_out(found, "pca") < said["standardised"] - 0.15
    assert said["standardised"] == held_out(found, "pca-2")


def test_nca_is_stuck_where_only_the_nearest_counts():
    found, said = measured(scaling.BOTH_NCA), facts("scaling", 1)
    assert said["k"] == pytest.approx(k_hat(found, "nca", 0), rel=1e-6)
    assert said["k"] < 1.2 < 10 < said["k2"]
    assert said["new"] == held_out(found, "nca") < said["new2"] - 0.15
    assert said["new2"] == held_out(found, "nca-2")


def test_noise_misleads_pca_more_than_nca():
    found, said = measured(scaling.NOISY), facts("scaling", 2)
    for name, key in (("pca", "pca"), ("pca2", "pca-2"), ("nca", "nca"), ("nca2", "nca-2")):
        assert said[name] == held_out(found, key)
    assert said["pca"] - said["pca2"] > 2 * (said["nca"] - said["nca2"]) > 0
    assert said["pca_seen"] > 0.9 > 0.6 > said["nca_seen"]
    assert found.comparison.panel("pca-2").X.shape[1] == 4 + 5


def test_rca_keeps_what_whitening_shrinks():
    found, said = measured(scaling.WHITE_AND_RCA), facts("scaling", 3)
    assert (said["white"], said["rca"]) == (held_out(found, "whitening"), held_out(found, "rca"))
    assert said["rca"] > said["white"] + 0.05


# -- 10. choosing K


def test_a_larger_k_is_wiser_where_classes_overlap():
    found, said = measured(choosing_k.NCA), facts("k", 0)
    assert said["k"] == pytest.approx(k_hat(found, "nca"), rel=1e-3)
    assert said["k"] < 5
    assert (said["one"], said["many"]) == (held_out(found, "nca"), held_out(found, "nca", choosing_k.MANY))
    assert said["at"] == pytest.approx(held_out(found, "nca", round(said["k"])))
    assert said["many"] > max(said["one"], said["at"]) + 0.08


def test_a_penalty_makes_the_vote_with_k_better():
    found, said = measured(choosing_k.TAMED), facts("k", 1)
    assert said["k2"] == pytest.approx(k_hat(found, "nca-2"), rel=1e-3)
    assert said["k2"] > 3 * said["k"]
    assert said["at2"] > said["at"] + 0.05
    assert said["at2"] == pytest.approx(held_out(found, "nca-2", round(said["k2"])))


def test_two_bars_are_stretched_across():
    X, y = choosing_k.two_bars()
    assert X[:, 0].std() > 2 * X[y == 0, 1].std()  # long, one above the other
    assert X[y == 1, 1].min() > X[y == 0, 1].max()
    assert facts("k", 2)["ratio"] > 2
