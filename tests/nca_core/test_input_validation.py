"""Input validation beyond scikit-learn's own checks: one ValueError, one plain sentence, no warning, no hang."""

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_matrix

from nca_core import NCAClassifier, NeighborhoodComponentsAnalysis
from nca_core.features.validation import UNLABELLED
from nca_core.objectives import OBJECTIVES
from nca_core.optimisers import OPTIMISERS
from nca_core.training.config import TrainingConfig
from nca_core.training.nca import train
from nca_core.training.starts import INITIALISATIONS

pytestmark = pytest.mark.filterwarnings("error")

N, D = 12, 3
GOOD = np.random.default_rng(0).normal(size=(N, D))
CLASSES = np.arange(N) % 3


def with_cell(value, dtype=float):
    X = GOOD.astype(dtype)
    X[1, 2] = value
    return X


ESTIMATORS = [NeighborhoodComponentsAnalysis, NCAClassifier]
# What is given as X, and a word that the sentence must have.
BAD_X = {
    "text": (with_cell("red", object), ""),
    "masked": (np.ma.masked_array(GOOD, GOOD > 1), "masked"),
    "dates": (np.full((N, D), "2026-01-01", dtype="M8[D]"), "dates"),
    "three dimensions": (GOOD[None], ""),
    "unequal rows": ([[1.0, 2.0], [3.0]], ""),
    "too large": (GOOD * 1e200, "scale the column down"),
    "None": (None, "X"),
    "a word": ("petals", ""),
    "a dict": ({"a": 1}, ""),
    "a table with dates": (pd.DataFrame(GOOD, columns=list("abc")).assign(d=pd.Timestamp("2026-01-01")), "column 'd'"),
    "a table with words": (pd.DataFrame(GOOD, columns=list("abc")).assign(d="red"), "red"),
}
BAD_Y = {
    "too short": CLASSES[:5],
    "two dimensions": np.stack([CLASSES, CLASSES], axis=1),
    "fractions": CLASSES + 0.5,
    "complex": CLASSES + 1j,
    "text and numbers": np.array(["a", 1, 2.5] * 4, dtype=object),
    "text and None": np.array(["a", None, "b"] * 4, dtype=object),
    "a number": 3,
    "unequal": [[1], [2, 3]] * 6,
    "sparse": csr_matrix(CLASSES),
    "nothing": [],
}


def refused(call, *words):
    with pytest.raises(ValueError) as error:
        call()
    said = str(error.value)
    assert "\n" not in said
    assert 10 < len(said) < 300
    for word in words:
        assert word.lower() in said.lower()


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_bad_features_and_labels(estimator):
    fit = estimator(2, max_iter=2).fit
    for X, word in BAD_X.values():
        refused(lambda X=X: fit(X, CLASSES), word)
    for y in BAD_Y.values():
        refused(lambda y=y: fit(GOOD, y))


def test_codes_may_be_any_other_numbers():
    large = train(GOOD, CLASSES * 10**12, TrainingConfig(max_iter=2)).snapshots
    small = train(GOOD, CLASSES, TrainingConfig(max_iter=2)).snapshots
    assert [s.accuracy_knn for s in large] == [s.accuracy_knn for s in small]
    np.testing.assert_array_equal(large[-1].transformation, small[-1].transformation)


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("optimiser", ("adam", None, 3)),
        ("init", ("zero", None, 3, [[1.0, 2.0, 3.0]])),
        ("init", (np.zeros((2, 2)), np.zeros((4, 3)), np.zeros((1, 3)), np.zeros((0, 3)), np.full((2, 3), np.nan))),
        ("init", (np.full((2, 3), np.inf), np.full((2, 3), 1j), np.array([["a"] * 3] * 2), np.full((2, 3), 1e200))),
        ("target_similarity", ("close", 3, np.eye(3), lambda t, u: None, lambda t, u: np.ones(3))),
        ("rule", ("majority", None)),
        ("shape", ("round", None)),
    ],
)
def test_bad_settings(name, values):
    for value in values:
        for estimator in ESTIMATORS:
            model = estimator(2, max_iter=2)
            if name in model.get_params():
                model.set_params(**{name: value})
                refused(lambda model=model: model.fit(GOOD, CLASSES))


@pytest.mark.parametrize("name", ["objective", "initialisation", "optimiser", "summation", "dtype", "shape"])
def test_an_unknown_name_is_answered_by_the_names_there_are(name):
    for value in ("zero", None, 3, ["f"]):
        refused(lambda value=value: train(GOOD, CLASSES, TrainingConfig(**{name: value})), name, "the names there are")


@pytest.mark.parametrize(
    ("name", "values"),
    [
        (
            "sample_weight",
            (np.zeros(N), -np.ones(N), np.full(N, np.nan), np.full(N, np.inf), np.full(N, 1e300), np.full(N, 1e-300)),
        ),
        ("sample_weight", (np.ones(3), "heavy", 3, np.ones((N, 1)), np.full(N, 1j))),
        ("initial", (np.zeros((2, 2)), np.full((2, 3), np.nan), "zero", np.full((2, 3), 1j), csr_matrix((2, 3)))),
    ],
)
def test_bad_company(name, values):
    for value in values:
        refused(lambda value=value: train(GOOD, CLASSES, TrainingConfig(), **{name: value}))


@pytest.mark.parametrize("method", ["predict", "predict_proba"])
def test_bad_new_points(method):
    tell = getattr(NCAClassifier(2, max_iter=2).fit(GOOD, CLASSES), method)
    for what, (X, _) in BAD_X.items():
        if not what.startswith("a table"):
            refused(lambda X=X: tell(X))
    refused(lambda: tell(GOOD[:, :2]), "2 features")


NOTHING_TO_LEARN = {
    "one class": (np.zeros(N, dtype=int), "only one class"),
    "no label": (np.full(N, UNLABELLED), "No point has a label"),
    "one label": (np.where(np.arange(N) == 3, 0, UNLABELLED), "only one class"),
    "singletons": (np.arange(N), "single member"),
    "equal rows": (CLASSES, "All rows are equal"),
}


@pytest.mark.parametrize("initialisation", INITIALISATIONS)
@pytest.mark.parametrize("what", NOTHING_TO_LEARN)
def test_where_nothing_can_be_learnt_it_is_said_from_every_start(what, initialisation):
    y, words = NOTHING_TO_LEARN[what]
    X = np.full(GOOD.shape, 0.1) if what == "equal rows" else GOOD
    end = train(X, y, TrainingConfig(initialisation=initialisation))
    assert end.ended == "cannot_move"
    assert words in end.reason
    assert len(end.snapshots) == 1
    assert np.isfinite(end.snapshots[0].transformation).all()


@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_an_estimator_that_cannot_move_warns_once(estimator):
    with pytest.warns(UserWarning, match="stayed at its start. There is only one class") as heard:
        model = estimator(2).fit(GOOD, np.zeros(N))
    assert len(heard) == 1
    assert model.ended_ == "cannot_move"
    assert "only one class" in model.reason_


HOSTILE = {
    "constant": np.ones((N, D)),
    "one value in each class": np.repeat(GOOD[:3], 4, axis=0),
    "two points": np.repeat(GOOD[:2], N // 2, axis=0),
    "a line": np.outer(GOOD[:, 0], [1.0, 2.0, 3.0]),
    "far off": GOOD + 1e8,
    "an outlier": np.vstack([GOOD[:-1], GOOD[-1:] * 1e12]),
    "huge": GOOD * 1e60,
    "tiny": GOOD * 1e-60,
    "vanishing": GOOD * 1e-300,
    "all scales": GOOD * [1e-60, 1.0, 1e60],
    "wide": np.random.default_rng(1).normal(size=(N, 40)),
}


def check_climb(X, **options):
    snapshots = train(X, CLASSES, TrainingConfig(max_iter=3, random_state=1, **options)).snapshots
    for s in snapshots:
        assert np.isfinite(s.transformation).all()
        assert np.isfinite([s.objective, s.gradient_norm, s.mean_p, s.k_mean_entropy]).all()
    values = np.array([s.objective for s in snapshots])
    assert (np.diff(values) >= -1e-9 * np.abs(values[:-1])).all()


@pytest.mark.parametrize("optimiser", OPTIMISERS)
@pytest.mark.parametrize("what", HOSTILE)
def test_hostile_numbers_stay_finite_and_never_fall(what, optimiser):
    """Each pair of data, optimiser and objective."""
    place = list(HOSTILE).index(what) + list(OPTIMISERS).index(optimiser)
    for objective in (list(OBJECTIVES)[k % len(OBJECTIVES)] for k in (place, place + 3)):
        check_climb(HOSTILE[what], optimiser=optimiser, objective=objective, initialisation="random")


@pytest.mark.parametrize("what", HOSTILE)
def test_every_start_takes_hostile_numbers(what):
    for initialisation in INITIALISATIONS:
        check_climb(HOSTILE[what], initialisation=initialisation)
