"""Trainings end where they should, their snapshots tell the truth, and published numbers come out."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_digits, load_iris, load_wine
from sklearn.model_selection import train_test_split
from sklearn.neighbors import KNeighborsClassifier
from sklearn.neighbors import NeighborhoodComponentsAnalysis as TheirNCA
from sklearn.preprocessing import StandardScaler

from nca_core.accuracy.evaluation import leave_one_out_accuracy
from nca_core.accuracy.k_estimate import k_mean_entropy
from nca_core.evaluator import Evaluator
from nca_core.initialisation import INITIALISATIONS, start_transformation
from nca_core.methods import METHODS
from nca_core.objectives import OBJECTIVES
from nca_core.optimisers import OPTIMISERS
from nca_core.training import TrainingConfig, train


@pytest.fixture(scope="module")
def wine():
    X, y = load_wine(return_X_y=True)
    return (X - X.mean(axis=0)) / X.std(axis=0), y


@pytest.mark.parametrize("optimiser", OPTIMISERS)
@pytest.mark.parametrize("objective", OBJECTIVES)
def test_every_optimiser_climbs_every_objective(wine, optimiser, objective):
    trajectory = train(*wine, TrainingConfig(optimiser=optimiser, objective=objective, max_iter=60))
    values = [snapshot.objective for snapshot in trajectory.snapshots]
    assert trajectory.ended in ("converged", "max_iter")
    assert trajectory.reason
    assert np.all(np.diff(values) >= -1e-9 * np.abs(values[:-1]))
    # "pairs" wants all mates of a point near, not some of them: p_i stays lower, the classes are apart all the same.
    assert trajectory.snapshots[-1].mean_p > (0.85 if objective in ("pairs", "mcml", "pair_weights") else 0.98)
    assert trajectory.snapshots[-1].accuracy_knn > 0.98


@pytest.mark.parametrize("initialisation", INITIALISATIONS)
@pytest.mark.parametrize("scale", [1e-3, 1.0, 1e3])
def test_every_start_has_a_sensible_k(wine, initialisation, scale):
    X, y = wine
    start = start_transformation(X * scale, y, 2, initialisation, 0)
    k = k_mean_entropy(Evaluator(X * scale, y).evaluate(start).entropy)
    assert 2.0 < k < 100.0


def test_snapshots_are_measured_at_their_own_transformation(wine):
    X, y = wine
    trajectory = train(X, y, TrainingConfig(max_iter=12, regularisation=0.5))
    assert [s.iteration for s in trajectory.snapshots] == list(range(len(trajectory.snapshots)))
    for snapshot in trajectory.snapshots:
        at = Evaluator(X, y, regularisation=0.5).evaluate(snapshot.transformation)
        assert snapshot.objective == pytest.approx(at.objective, rel=1e-12)
        assert snapshot.gradient_norm == pytest.approx(np.linalg.norm(at.gradient), rel=1e-9, abs=1e-12)
        assert snapshot.k_mean_entropy == pytest.approx(k_mean_entropy(at.entropy), rel=1e-12)
        ks = (1, round(snapshot.k_mean_entropy))
        accuracies = leave_one_out_accuracy(X @ snapshot.transformation.T, y, ks)
        assert (snapshot.accuracy_1nn, snapshot.accuracy_knn) == accuracies


def test_a_seed_gives_the_same_trajectory(wine):
    config = TrainingConfig(initialisation="random", random_state=3, max_iter=10)
    one, two = train(*wine, config), train(*wine, config)
    np.testing.assert_array_equal(one.snapshots[-1].transformation, two.snapshots[-1].transformation)
    other = train(*wine, TrainingConfig(initialisation="random", random_state=4, max_iter=10))
    assert not np.array_equal(one.snapshots[0].transformation, other.snapshots[0].transformation)


def test_without_its_path_a_training_is_the_same_from_its_start_to_its_end(wine):
    seen = []
    whole = train(*wine, TrainingConfig(max_iter=10))
    ends = train(*wine, TrainingConfig(max_iter=10), seen.append, keep_path=False)
    assert [snapshot.iteration for snapshot in seen] == list(range(11))
    assert [snapshot.iteration for snapshot in ends.snapshots] == [0, 10]
    for kept, there in zip(ends.snapshots, (whole.snapshots[0], whole.snapshots[-1]), strict=True):
        np.testing.assert_array_equal(kept.transformation, there.transformation)
        assert kept.objective == there.objective
    assert (ends.ended, ends.reason) == (whole.ended, whole.reason)


def test_a_penalty_keeps_the_scale_of_a_down(wine):
    free, held = (train(*wine, TrainingConfig(regularisation=v)).snapshots[-1] for v in (0.0, 2.0))
    assert np.linalg.norm(held.transformation) < 0.8 * np.linalg.norm(free.transformation)
    assert held.k_mean_entropy > free.k_mean_entropy


@pytest.mark.parametrize(
    ("y", "words"),
    [
        (np.zeros(20, dtype=int), "only one class"),
        (np.arange(20), "single member"),
    ],
)
def test_what_cannot_move_says_why(y, words):
    X = np.random.default_rng(0).normal(size=(20, 3))
    trajectory = train(X, y, TrainingConfig())
    assert trajectory.ended == "cannot_move"
    assert words in trajectory.reason
    assert len(trajectory.snapshots) == 1


def test_a_vanished_gradient_is_said():
    X, y = load_iris(return_X_y=True)
    trajectory = train(X * 1e6, y, TrainingConfig(scale_start=False))
    assert trajectory.ended == "cannot_move"
    assert "choose another" in trajectory.reason
    assert train(X * 1e6, y, TrainingConfig()).snapshots[-1].mean_p > 0.95


def test_stop_iteration_in_the_listener_ends_the_training(wine):
    def stop_at_three(snapshot):
        if snapshot.iteration == 3:
            raise StopIteration

    trajectory = train(*wine, TrainingConfig(), stop_at_three)
    assert trajectory.ended == "stopped"
    assert len(trajectory.snapshots) == 4


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"objective": "h"}, "objective is 'h'; the names there are: f, g"),
        ({"initialisation": "zero"}, "initialisation is 'zero'"),
        ({"optimiser": "adam"}, "optimiser is 'adam'"),
        ({"n_components": 14}, "n_components is 14; it must be between 1 and the 13 features"),
        ({"max_iter": 0}, "max_iter is 0"),
        ({"regularisation": -1.0}, "regularisation is -1.0"),
    ],
)
def test_bad_settings_are_one_sentence(wine, change, words):
    with pytest.raises(ValueError) as error:
        train(*wine, TrainingConfig(**change))
    assert words in str(error.value)


@pytest.mark.parametrize(
    ("X", "y", "words"),
    [
        ([[1.0, np.nan], [1.0, 2.0]], [0, 1], "X[0, 1] is nan"),
        ([[1.0, 2.0], [np.inf, 2.0]], [0, 1], "X[1, 0] is inf"),
        ([["a", "b"], ["c", "d"]], [0, 1], "not a number"),
        ([[1.0, 2.0]], [0], "at least 2 rows"),
        ([1.0, 2.0], [0, 1], "1 dimension"),
        ([[1.0, 2.0], [3.0, 4.0]], [0, 1, 1], "2 rows and y has 3 labels"),
    ],
)
def test_bad_data_are_one_sentence(X, y, words):
    with pytest.raises(ValueError) as error:
        train(X, y, TrainingConfig(n_components=1))
    assert words in str(error.value)


def test_never_below_scikit_learn_from_the_same_start(wine):
    X, y = wine
    for D in (X, load_iris().data):
        labels = y if D is X else load_iris().target
        theirs = TheirNCA(n_components=2, init="pca", max_iter=50, random_state=0).fit(D, labels)
        ours = train(D, labels, TrainingConfig(max_iter=50, scale_start=False)).snapshots[-1]
        reached = Evaluator(D, labels).evaluate(theirs.components_).objective
        assert ours.objective >= reached - 1e-6 * reached


def test_scikit_learns_published_digits_example():
    """Its example prints 3-NN test accuracies of PCA 0.52, LDA 0.66, NCA 0.70."""
    X, y = load_digits(return_X_y=True)
    X, X_test, y, y_test = train_test_split(X, y, test_size=0.5, stratify=y, random_state=0)
    scaler = StandardScaler().fit(X)
    X, X_test = scaler.transform(X), scaler.transform(X_test)

    def three_nearest(A):
        return KNeighborsClassifier(3).fit(X @ A.T, y).score(X_test @ A.T, y_test)

    assert three_nearest(METHODS["pca"].fit(X, y, 2, 0).transformation) == pytest.approx(0.52, abs=0.015)
    assert three_nearest(METHODS["lda"].fit(X, y, 2, 0).transformation) == pytest.approx(0.66, abs=0.02)
    nca = train(X, y, TrainingConfig(max_iter=50, initialisation="pca")).snapshots[-1].transformation
    assert three_nearest(nca) >= 0.68


def test_scikit_learns_published_iris_example():
    """Its docstring: 3-NN on iris 0.933 before and 0.962 after NCA (70 % test rows, seed 42)."""
    X, y = load_iris(return_X_y=True)
    X, X_test, y, y_test = train_test_split(X, y, stratify=y, test_size=0.7, random_state=42)
    assert KNeighborsClassifier(3).fit(X, y).score(X_test, y_test) == pytest.approx(0.933, abs=1e-3)
    A = train(X, y, TrainingConfig(n_components=4, initialisation="identity")).snapshots[-1].transformation
    assert KNeighborsClassifier(3).fit(X @ A.T, y).score(X_test @ A.T, y_test) >= 0.95
