"""LDA and QDA as classifiers: a Gaussian for each class, with one covariance for all or one for each."""

from __future__ import annotations

import warnings

import numpy as np

from nca_core.classifiers.classifier import Classifier, Told
from nca_core.covariance import deviations, varies

_SHRUNK = 0.1  # share of a round covariance in each where one of them is singular
_FULL_RANK = 1e-8  # least of the greatest eigenvalue


def _in_units(Y: np.ndarray, queries: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Both about the mean and in units of the spread of each coordinate; those without any are left out."""
    spread = deviations(Y)
    alive = varies(Y, spread)
    if not alive.any():
        raise ValueError("all rows are equal")
    centre = Y.mean(axis=0)
    return tuple((each[:, alive] - centre[alive]) / spread[alive] for each in (Y, queries))


def tell_linear(Y: np.ndarray, y: np.ndarray, queries: np.ndarray) -> Told:
    """Linear discriminant analysis, by scikit-learn."""
    if int(y.max()) == 0 or len(Y) <= int(y.max()) + 1:
        raise ValueError("it needs two classes and more rows than classes")
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis  # takes a second, and few ask

    Z, asked = _in_units(Y, queries)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of collinear coordinates, which its singular values leave out
        return Told(LinearDiscriminantAnalysis().fit(Z, y).predict(asked))


def tell_quadratic(Y: np.ndarray, y: np.ndarray, queries: np.ndarray) -> Told:
    """Quadratic discriminant analysis, by scikit-learn.

    Where the covariance of a class is singular, those of all classes are shrunk towards a round one of its size;
    classes of one row are left out. Both is said.
    """
    from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis

    Z, asked = _in_units(Y, queries)
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
    told = rule.fit(Z[kept], y[kept]).predict(asked)
    notes = [f"covariances shrunk by {100 * shrinkage:g} %, as one is singular"] if shrinkage else []
    if not kept.all():
        notes.append("classes of one row left out")
    return Told(told, "; ".join(notes))


def _conditions(Z: np.ndarray) -> float:
    """Least over greatest eigenvalue of the covariance; 0 where rows are too few."""
    if len(Z) <= Z.shape[1]:
        return 0.0
    values = np.linalg.eigvalsh(np.cov(Z, rowvar=False).reshape(Z.shape[1], -1))
    return float(values[0] / values[-1]) if values[-1] > 0 else 0.0


LDA_RULE = Classifier("lda", "LDA", "A Gaussian for each class, with one covariance for all.", tell_linear)
QDA_RULE = Classifier("qda", "QDA", "A Gaussian for each class, with a covariance of its own.", tell_quadratic)
