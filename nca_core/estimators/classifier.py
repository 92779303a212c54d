"""NCAClassifier: an NCA projection and the nearest-neighbour rule on it, as one scikit-learn classifier."""

from dataclasses import dataclass, field
from numbers import Integral
from typing import Any
from warnings import warn

import numpy as np
from sklearn.base import ClassifierMixin

from nca_core.accuracy import class_probabilities, k_by_leave_one_out, k_nearest_classes, local_k_classes, rounded_k
from nca_core.compat import at_least, one_of, parameter_constraints
from nca_core.estimators.base import codes_of
from nca_core.estimators.nca import NeighborhoodComponentsAnalysis
from nca_core.snapshot import Snapshot, Trajectory

_RULES = ("neighbours", "local", "stochastic")
_AHEAD = 1e-9  # by how much a voted class leads after `with_argmax`; above rounding, below any use of a probability


def with_argmax(probabilities: np.ndarray, chosen: np.ndarray) -> np.ndarray:
    """The nearest distributions (least squares) in which no class is more probable than the chosen one.

    Classes above the chosen one give way to a common level t, which the chosen one rises to:
    t = (P_chosen + Σ of the m largest others)/(m + 1) with the smallest m whose t is at least the next one.
    A row whose largest entry is the chosen class already stays as it is.

    probabilities: (n_queries, n_classes), rows sum to 1.
    chosen: a column for each row, (n_queries,).

    Returns (n_queries, n_classes); rows sum to 1, and argmax is `chosen`.
    """
    rows = np.flatnonzero(probabilities.argmax(axis=1) != chosen)
    if not rows.size:
        return probabilities
    column = chosen[rows]
    P = probabilities[rows]  # (n_rows, n_classes)
    here = np.arange(len(rows))
    others = P.copy()
    others[here, column] = -1.0
    others = -np.sort(-others, axis=1)[:, :-1]  # (n_rows, n_classes - 1), largest first
    levels = (P[here, column, None] + np.cumsum(others, axis=1)) / np.arange(2, P.shape[1] + 1)
    following = np.hstack([others[:, 1:], np.full((len(rows), 1), -1.0)])
    level = levels[here, (levels >= following).argmax(axis=1)]
    P = np.minimum(P, level[:, None])
    P[here, column] = level + _AHEAD
    result = probabilities.copy()
    result[rows] = P / P.sum(axis=1, keepdims=True)
    return result


@dataclass(eq=False, repr=False, kw_only=True)
class NCAClassifier(ClassifierMixin, NeighborhoodComponentsAnalysis):
    """K nearest neighbours on Y = X Aᵀ, with A and K both learnt by NCA (Goldberger et al. 2004, sections 2 and 6).

    `predict` lets the K nearest training points vote, K = round(K̂) unless given. `predict_proba` is the stochastic
    rule P(c | x) = Σ_{j: c_j = c} p_xj, p_xj ∝ exp(−‖A x − A x_j‖²), over all training points. Near a border
    between classes the vote and the most probable class may differ; as scikit-learn's contract wants them to agree,
    the probabilities of such a point are moved, by the least amount, until the voted class is the most probable one
    (`with_argmax`). With rule="stochastic" `predict` follows the probabilities, which then are never moved.

    Parameters
    ----------
    n_components : int or None
        d, rows of A; None keeps all features.
    n_neighbors : int or None
        K of rule="neighbours", cut to the number of points; None takes round(K̂), or where K̂ is not determined, as on
        separable data, the K of the best leave-one-out accuracy (of equally good ones the middle), with a warning.
    rule : str
        What `predict` follows: "neighbours"; "local", the same vote with each new point's own K = round(exp(H_x)), H_x
        the entropy of p_x·; or "stochastic".
    init, warm_start, max_iter, tol, callback, verbose, random_state, objective, optimiser, regularisation, shape, \
    scale_start, target_similarity, standardise, summation, dtype, n_jobs, keep_path
        As in NeighborhoodComponentsAnalysis.

    Attributes
    ----------
    embedding_
        Y of the training points, (n_samples, n_components); X itself is not kept.
    classes_
        The labels, sorted.
    k_chosen_by_
        Where `n_neighbors_` comes from: "given", "entropy" or "leave-one-out".
    n_neighbors_
        The K that votes where rule="neighbours".
    components_, objective_, k_estimate_, k_determined_, n_iter_, ended_, reason_, starts_, path_
        As in NeighborhoodComponentsAnalysis.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from nca_core import NCAClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> classifier = NCAClassifier(n_components=2, n_neighbors=3, random_state=0).fit(X[::2], y[::2])
    >>> classifier.predict(X[[1, 51, 101]])
    array([0, 1, 2])
    >>> round(classifier.score(X[1::2], y[1::2]), 2)
    0.96
    """

    # What A is learnt with is checked as there.
    _parameter_constraints = parameter_constraints(
        NeighborhoodComponentsAnalysis,
        n_neighbors=[at_least(Integral, 1), None],
        rule=[one_of(_RULES)],
    )

    n_components: int | None = field(default=2, kw_only=False)
    n_neighbors: int | None = None
    rule: str = "neighbours"
    scale_start: bool = True

    def _train(self, X: Any, y: np.ndarray, sample_weight: np.ndarray | None, warm: bool) -> Trajectory:
        if not len(codes_of(y)[0]):
            raise ValueError("No row of y has a label.")
        return super()._train(X, y, sample_weight, warm)

    def _store(self, last: Snapshot, X: Any, y: np.ndarray) -> None:
        super()._store(last, X, y)
        self.classes_, codes = codes_of(y)
        self._centre = X.mean(axis=0) if isinstance(X, np.ndarray) else X.mean
        self.embedding_ = self._embed(X)
        self._codes = codes[codes >= 0]
        self._voters = self.embedding_[codes >= 0] if len(self._codes) < len(codes) else self.embedding_
        if self.n_neighbors is not None:
            self.k_chosen_by_, k = "given", int(self.n_neighbors)
        elif self.k_determined_ or self.rule != "neighbours":
            self.k_chosen_by_, k = "entropy", rounded_k(self.k_estimate_)
        else:
            self.k_chosen_by_, k = "leave-one-out", k_by_leave_one_out(self._voters, self._codes)
            warn(
                f"[{type(self).__name__}] K is not determined by the entropies here: the objective would rise with the "
                f"size of A for ever, and K̂ = {self.k_estimate_:.3g} tells where the training ended. K = {k} is chosen "
                "by leave-one-out instead; give n_neighbors or a regularisation to decide yourself.",
                UserWarning,
                stacklevel=5,
            )
        self.n_neighbors_ = min(k, len(self._voters))

    def _embed(self, rows: Any) -> np.ndarray:
        if isinstance(rows, np.ndarray):
            return (rows - self._centre) @ self.components_.T
        return rows @ self.components_.T - self.components_ @ self._centre  # itself never centred, or it would be dense

    def predict(self, X: Any) -> np.ndarray:
        """The class that most of the K nearest training points have, (n_queries,); of tied ones the nearer.

        With rule="stochastic" the class of the largest probability.
        """
        codes = self._decide(self._project(X))[0]
        return self.classes_[codes]

    def predict_proba(self, X: Any) -> np.ndarray:
        """Σ_{j: c_j = c} p_xj for each class c of `classes_`, (n_queries, n_classes); rows sum to 1.

        Where the neighbours vote for another class than the most probable one, `with_argmax` their vote.
        """
        Y = self._project(X)
        codes, probabilities = self._decide(Y)
        if probabilities is not None:
            return probabilities
        return with_argmax(class_probabilities(self._voters, self._codes, Y, len(self.classes_)), codes)

    def _decide(self, Y: np.ndarray) -> tuple[np.ndarray, np.ndarray | None]:
        """Class codes of projected points by the rule, and the probabilities where they are what it follows."""
        n_classes = len(self.classes_)
        if self.rule == "stochastic":
            probabilities = class_probabilities(self._voters, self._codes, Y, n_classes)
            return probabilities.argmax(axis=1), probabilities
        if self.rule == "local":
            return local_k_classes(self._voters, self._codes, Y, n_classes)[0], None
        return k_nearest_classes(self._voters, self._codes, Y, self.n_neighbors_, n_classes), None
