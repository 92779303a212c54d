"""Training on numeric targets: what it reaches, what a snapshot says, and which input is refused."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.neighbors import KNeighborsRegressor
from sklearn.pipeline import make_pipeline

from nca_core import NeighborhoodComponentsAnalysis
from nca_core.neighbours.similarity import TARGET_SIMILARITIES
from nca_core.objectives.evaluator import Evaluator
from nca_core.training.config import TrainingConfig
from nca_core.training.nca import train
from nca_core.training.starts import INITIALISATIONS, TRAINED_INITIALISATIONS
from nca_core.training.train import slices_of


@pytest.fixture(scope="module")
def curved():
    """A target that depends on the two features of least spread, so that plain distances hide it."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 6)) * np.array([1, 1, 3, 3, 3, 3])
    return X, np.tanh(2 * X[:, 0]) + 0.5 * X[:, 1] + 0.05 * rng.normal(size=400)


@pytest.mark.parametrize("target_similarity", ["gaussian", "ranks"])
def test_targets_are_predicted_better_from_the_projection(curved, target_similarity):
    X, t = curved
    config = TrainingConfig(target_similarity=target_similarity, initialisation="lda", regularisation=0.1)
    end = train(X[:200], t[:200], config)

    def error(A):
        """Mean squared error of 5 nearest neighbours on the other half, as a share of the variance."""
        knn = KNeighborsRegressor(5).fit(X[:200] @ A.T, t[:200])
        return np.mean((knn.predict(X[200:] @ A.T) - t[200:]) ** 2) / t[200:].var()

    start, last = end.snapshots[0], end.snapshots[-1]
    assert error(last.transformation) < 0.03 < error(start.transformation) < 0.06 < 0.8 < error(np.eye(6))
    assert np.linalg.norm(last.transformation[:, :2]) > 0.999 * np.linalg.norm(last.transformation)
    assert np.isnan(last.accuracy_1nn)
    at = Evaluator(X[:200], t[:200], target_similarity=target_similarity, regularisation=0.1).evaluate(
        last.transformation
    )
    assert at.objective == pytest.approx(last.objective, rel=1e-12)


@pytest.mark.parametrize("initialisation", INITIALISATIONS)
def test_every_start_takes_targets(curved, initialisation):
    X, t = curved
    snapshots = train(
        X, t, TrainingConfig(target_similarity="ranks", initialisation=initialisation, max_iter=2)
    ).snapshots
    assert snapshots[-1].objective > snapshots[0].objective
    assert initialisation in TRAINED_INITIALISATIONS or 2.0 < snapshots[0].k_mean_entropy < 200


def test_targets_beside_classes_are_measured_by_the_classes(wine):
    X, y = wine
    beside = train(X, y, TrainingConfig(target_similarity="same"), targets=y.astype(float)).snapshots[-1]
    classes = train(X, y, TrainingConfig()).snapshots[-1]
    assert beside.objective == pytest.approx(classes.objective, rel=1e-3)
    assert beside.accuracy_1nn > 0.97
    given = train(X, y, TrainingConfig(), target_similarity=(y[:, None] == y[None, :]).astype(float)).snapshots[-1]
    assert given.objective == pytest.approx(beside.objective, rel=1e-3)
    assert given.accuracy_1nn > 0.97


def test_slices_hold_equally_many_and_never_part_equal_targets():
    t = np.random.default_rng(0).gamma(1.0, size=1000)
    codes = slices_of(t)
    assert np.bincount(codes).tolist() == [100] * 10
    assert np.all(np.diff(codes[np.argsort(t)]) >= 0)
    rounded = np.floor(t * 3)
    codes = slices_of(rounded)
    assert all(len(np.unique(codes[rounded == value])) == 1 for value in np.unique(rounded))
    assert slices_of(np.array([1.0, 2.0])).tolist() == [0, 0]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"y": [0.0, np.nan, 1.0, 2.0]}, "targets[1] is nan"),
        ({"y": ["a", "b", "c", "d"]}, "targets holds something that is not a real number"),
        ({"y": [1j, 0, 1, 2]}, "targets holds something that is not a real number"),
        ({"targets": [0.0, 1.0], "y": [0, 1, 0, 1]}, "X has 4 rows and targets has shape"),
        ({"targets": [0.0, 1.0, 2.0, 3.0], "y": [0.5, 1, 2, 3]}, "integer class codes"),
        (
            {"targets": [0, 1, 2, 3], "y": [0, 1, 0, 1], "config": TrainingConfig(n_components=1)},
            "targets need target_similarity",
        ),
    ],
)
def test_bad_targets_are_one_sentence(options, words):
    X = np.array([[0.0, 1.0], [1.0, 0.0], [2.0, 1.0], [3.0, 5.0]])
    options = {
        "y": [0.0, 1.0, 2.0, 3.0],
        "config": TrainingConfig(n_components=1, target_similarity="gaussian"),
        **options,
    }
    with pytest.raises(ValueError) as error:
        train(X, options.pop("y"), options.pop("config"), **options)
    assert words in str(error.value)
    assert "\n" not in str(error.value)


def test_the_estimator_takes_numeric_y(curved):
    X, t = curved
    options = {"init": "lda", "regularisation": 0.1, "scale_start": True}
    search = make_pipeline(
        NeighborhoodComponentsAnalysis(2, target_similarity="gaussian", **options), KNeighborsRegressor(5)
    ).fit(X[:200], t[:200])
    assert search.score(X[200:], t[200:]) > 0.97
    nca = search[0]
    assert clone(nca).target_similarity == "gaussian"
    at = Evaluator(X[:200], t[:200], target_similarity="gaussian", regularisation=0.1).evaluate(nca.components_)
    assert nca.objective_ == pytest.approx(at.objective, rel=1e-12)
    M = TARGET_SIMILARITIES["gaussian"](t[:200])(t[:200], t[:200])
    for target_similarity in (M, TARGET_SIMILARITIES["gaussian"](t[:200])):
        given = NeighborhoodComponentsAnalysis(2, target_similarity=target_similarity, **options).fit(X[:200], t[:200])
        np.testing.assert_allclose(given.components_, nca.components_, rtol=1e-3, atol=1e-3)
    names = np.array(["low", "middle", "high"])[slices_of(t[:200], 3)]  # with M given, y only says what a start sees
    assert (
        NeighborhoodComponentsAnalysis(2, target_similarity=M, **options).fit(X[:200], names).objective_
        > 0.9 * at.objective
    )
    with pytest.raises(ValueError, match="'target_similarity' parameter"):
        NeighborhoodComponentsAnalysis(2, target_similarity="close").fit(X, t)
    with pytest.raises(ValueError, match="Unknown label type"):
        NeighborhoodComponentsAnalysis(2).fit(X, t)
