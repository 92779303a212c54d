"""What lessons 6 to 10 say is true: each claim from the engine, by the lesson's recipe, against an oracle."""

from __future__ import annotations

import numpy as np
import pytest

from lessons import choosing_k, other_methods, outliers, scaling, starts
from lessons.base.material import measured
from tests.lessons.oracle import chances, f, facts, held_out, k_hat, leave_one_out, trained

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
    assert said["wrong_f"] > 0.6 * said["wrong"]
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
