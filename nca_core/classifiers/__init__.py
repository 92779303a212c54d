"""CLASSIFIERS: key -> Classifier, the rules that a projection is compared by; the table on Explore finds a new one."""

import warnings
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from nca_core.accuracy import (
    class_probabilities,
    k_by_leave_one_out,
    k_mean_entropy,
    k_nearest_classes,
    local_k_classes,
    rounded_k,
)
from nca_core.features.rows import deviations, varies
from nca_core.objectives.evaluator import Evaluator


@dataclass(frozen=True)
class Prediction:
    codes: np.ndarray  # class codes, (n_queries,)
    note: str = ""  # user-facing note on what was chosen or changed; usually empty


@dataclass(frozen=True)
class Classifier:
    """An entry of CLASSIFIERS."""

    key: str  # registry key and display name
    title: str
    description: str
    # ``predict(Y, y, queries) -> Prediction`` of `queries`, (n_queries, n_components), from labelled points Y,
    # (n_samples, n_components), with class codes y from 0, each of which has a member. ValueError, with a sentence,
    # where it cannot.
    predict: Callable[[np.ndarray, np.ndarray, np.ndarray], Prediction]
    by_scale: bool = False  # it uses p_ij, which means something only where the scale of Y was learnt


def predict_nearest(Y: np.ndarray, y: np.ndarray, queries: np.ndarray) -> Prediction:
    return Prediction(k_nearest_classes(Y, y, queries, 1, int(y.max()) + 1))


def predict_by_leave_one_out(Y: np.ndarray, y: np.ndarray, queries: np.ndarray) -> Prediction:
    k = k_by_leave_one_out(Y, y)
    return Prediction(k_nearest_classes(Y, y, queries, k, int(y.max()) + 1), f"K = {k}")


def predict_by_k_estimate(Y: np.ndarray, y: np.ndarray, queries: np.ndarray) -> Prediction:
    """The vote of round(K̂) rows (section 2 of the NCA paper)."""
    entropy = Evaluator(Y, y).evaluate_embedding(Y).entropy
    k = min(rounded_k(k_mean_entropy(entropy)), len(Y))
    return Prediction(k_nearest_classes(Y, y, queries, k, int(y.max()) + 1), f"K = {k}")


def predict_by_own_k(Y: np.ndarray, y: np.ndarray, queries: np.ndarray) -> Prediction:
    codes, own = local_k_classes(Y, y, queries, int(y.max()) + 1)
    return Prediction(codes, f"K from {own.min():.0f} to {own.max():.0f}")


def predict_by_probability(Y: np.ndarray, y: np.ndarray, queries: np.ndarray) -> Prediction:
    return Prediction(class_probabilities(Y, y, queries, int(y.max()) + 1).argmax(axis=1))


def predict_by_variable_kernel(Y: np.ndarray, y: np.ndarray, queries: np.ndarray) -> Prediction:
    """The vote of the 10 nearest rows by a Gaussian whose width follows the density (Lowe 1995)."""
    from nca_core.estimators.variable_kernel import VariableKernelClassifier  # imports scikit-learn

    if len(Y) < 2 or int(y.max()) == 0:
        raise ValueError("it needs rows of two classes")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that so many classes look like numbers
        rule = VariableKernelClassifier("none").fit(Y, y)
    return Prediction(rule.predict(queries), f"r = {rule.r_:.2g}")


_SHRUNK = 0.1  # share of a round covariance in each where one of them is singular
_FULL_RANK = 1e-8  # least of the greatest eigenvalue
_FEW_ROWS = 2  # beyond the number of classes, for each coordinate of a covariance


def _in_units(Y: np.ndarray, queries: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Both about the mean and in units of the spread of each coordinate; those without any are left out."""
    spread = deviations(Y)
    alive = varies(Y, spread)
    if not alive.any():
        raise ValueError("all rows are equal")
    centre = Y.mean(axis=0)
    return tuple((each[:, alive] - centre[alive]) / spread[alive] for each in (Y, queries))


def predict_linear(Y: np.ndarray, y: np.ndarray, queries: np.ndarray) -> Prediction:
    """Linear discriminant analysis, by scikit-learn; the note says where the rows are few for its covariance."""
    if int(y.max()) == 0 or len(Y) <= int(y.max()) + 1:
        raise ValueError("it needs two classes and more rows than classes")
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis  # takes a second

    Z, Z_queries = _in_units(Y, queries)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of collinear coordinates, which its singular values leave out
        predicted = LinearDiscriminantAnalysis().fit(Z, y).predict(Z_queries)
    few = len(Z) - int(y.max()) - 1 < _FEW_ROWS * Z.shape[1]
    return Prediction(predicted, f"{len(Z):,} rows are few for {Z.shape[1]:,} coordinates" if few else "")


def predict_quadratic(Y: np.ndarray, y: np.ndarray, queries: np.ndarray) -> Prediction:
    """Quadratic discriminant analysis, by scikit-learn.

    Where the covariance of a class is singular, those of all classes are shrunk towards a round one of its size;
    classes of one row are left out; the note names both.
    """
    from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis

    Z, Z_queries = _in_units(Y, queries)
    sizes = np.bincount(y)
    kept = sizes[y] > 1
    if np.count_nonzero(sizes > 1) < 2:
        raise ValueError("it needs two classes of more than one row")
    least = min(_conditions(Z[y == code]) for code in np.flatnonzero(sizes > 1))
    shrinkage = 0.0 if least > _FULL_RANK else _SHRUNK
    # What is singular was decided here: scikit-learn calls a class so that is narrow beside the distance to others.
    rule = QuadraticDiscriminantAnalysis(tol=0.0)
    if shrinkage:
        if any(not np.ptp(Z[y == code], axis=0).any() for code in np.flatnonzero(sizes > 1)):
            raise ValueError("the rows of a class are all equal")
        rule = QuadraticDiscriminantAnalysis(solver="eigen", shrinkage=shrinkage, tol=0.0)
    predicted = rule.fit(Z[kept], y[kept]).predict(Z_queries)
    notes = [f"covariances shrunk by {100 * shrinkage:g} %, as one is singular"] if shrinkage else []
    if not kept.all():
        notes.append("classes of one row left out")
    return Prediction(predicted, "; ".join(notes))


def _conditions(Z: np.ndarray) -> float:
    """Least over greatest eigenvalue of the covariance; 0 where rows are too few."""
    if len(Z) <= Z.shape[1]:
        return 0.0
    values = np.linalg.eigvalsh(np.cov(Z, rowvar=False).reshape(Z.shape[1], -1))
    return float(values[0] / values[-1]) if values[-1] > 0 else 0.0


_RULES = (
    Classifier("nearest", "1-NN", "The class of the nearest row.", predict_nearest),
    Classifier(
        "k_leave_one_out",
        "K-NN, K by leave-one-out",
        "A vote of the K nearest rows, with the K by which the training rows tell one another best.",
        predict_by_leave_one_out,
    ),
    Classifier("k_estimate", "K-NN, K = K̂", "A vote of round(K̂) rows.", predict_by_k_estimate, by_scale=True),
    Classifier(
        "own_k",
        "K-NN, own K",
        "A vote in which each new row brings its own K, exp of its entropy.",
        predict_by_own_k,
        True,
    ),
    Classifier(
        "stochastic",
        "stochastic rule",
        "The class with the largest share of p_x·.",
        predict_by_probability,
        by_scale=True,
    ),
    Classifier(
        "variable_kernel",
        "variable kernel",
        "A vote of the 10 nearest rows, by a Gaussian of variable width.",
        predict_by_variable_kernel,
    ),
    Classifier("lda", "LDA", "A Gaussian for each class, with one covariance for all.", predict_linear),
    Classifier("qda", "QDA", "A Gaussian for each class, with a covariance of its own.", predict_quadratic),
)
CLASSIFIERS: dict[str, Classifier] = {rule.key: rule for rule in _RULES}
