"""Similarity of each pair: p_i = Σ_j M_ij p_ij with M_ij in [0, 1] in place of "same class" (section 5 of the NCA
paper), so that numeric targets, or any other judgement of which points belong together, can be learnt from.

ClassMembership and PairwiseSimilarity have the same methods. The latter looks at every pair, in blocks of rows: time
O(n²), memory O(block x n) for each thread. M may be asymmetric.
"""

from collections.abc import Callable
from functools import partial

import numpy as np

from nca_core.neighbours.base.sums import Classes
from nca_core.neighbours.choose import Summation, summed_by, summed_for
from nca_core.neighbours.pairs.block_sums import BlockSums, each_block, pulled
from nca_core.neighbours.pairs.dense_queries import DenseQueries
from nca_core.neighbours.pairs.tree import Queries

Similarity = Callable[[np.ndarray, np.ndarray], np.ndarray]


class PrecomputedSimilarity:
    """A similarity matrix looked up by row number: with row numbers as targets, a subset of the points uses its own
    part of M, as in a cross-validation.

    Parameters
    ----------
    M : ndarray
        (n, n), every value in [0, 1].

    Examples
    --------
    >>> import numpy as np
    >>> from nca_core import NeighborhoodComponentsAnalysis, PrecomputedSimilarity
    >>> M = np.array([[1.0, 0.8, 0.0], [0.8, 1.0, 0.1], [0.0, 0.1, 1.0]])
    >>> similarity = PrecomputedSimilarity(M)
    >>> similarity(np.array([0]), np.array([1, 2]))
    array([[0.8, 0. ]])
    >>> X = np.array([[0.0, 1.0], [0.2, 0.0], [3.0, 1.0]])
    >>> nca = NeighborhoodComponentsAnalysis(n_components=1, target_similarity=similarity)
    >>> nca.fit(X, np.arange(3)).transform(X).shape  # y holds the row numbers of M
    (3, 1)
    """

    def __init__(self, M: np.ndarray) -> None:
        self.M = np.asarray(M)

    def __call__(self, t: np.ndarray, u: np.ndarray) -> np.ndarray:
        return self.M[np.ix_(self._rows(t), self._rows(u))]

    def _rows(self, targets: np.ndarray) -> np.ndarray:
        targets = np.asarray(targets)
        wrong = ~((targets >= 0) & (targets < len(self.M)) & (targets == np.floor(targets)))
        if wrong.any():
            raise ValueError(
                f"y holds {targets[wrong][0]:g}; it must hold row numbers of M, from 0 to {len(self.M) - 1}."
            )
        return targets.astype(np.int64)


class PairwiseSimilarity:
    """M_ij of fixed points, and the sums over it.

    target_similarity: an array (n_samples, n_samples), or a function of targets (m,) and (n,) that gives (m, n); every
        value in [0, 1]. The diagonal is ignored.
    targets: arguments of the function, (n_samples,); not needed for an array.

    Raises ValueError for an array that is not square or not within [0, 1]; a function's values are checked as they
    come.
    """

    def __init__(self, target_similarity: np.ndarray | Similarity, targets: np.ndarray | None = None) -> None:
        if not callable(target_similarity):
            try:
                M = np.asarray(target_similarity)
                M = M if M.dtype.kind == "f" else M.astype(np.float64)
            except (TypeError, ValueError):
                raise ValueError(
                    "target_similarity holds something that is not a number; every value must be between 0 and 1."
                ) from None
            if M.ndim != 2 or M.shape[0] != M.shape[1]:
                raise ValueError(f"target_similarity has shape {M.shape}; it must be (n_samples, n_samples).")
            _check_range(M)
            target_similarity, targets = PrecomputedSimilarity(M), np.arange(len(M))
        elif targets is None:
            raise ValueError("target_similarity is a function, so targets are needed: one for each row of X.")
        self._function, self._targets = target_similarity, np.asarray(targets)

    def among(self, kept: np.ndarray) -> "PairwiseSimilarity":
        """The same similarities, among the points `kept` alone."""
        return PairwiseSimilarity(self._function, self._targets[kept])

    def block(self, rows: np.ndarray) -> np.ndarray:
        """M of the rows against all, (n_rows, n_samples), with zeros on the diagonal; a copy."""
        M = np.array(self._function(self._targets[rows], self._targets), dtype=np.float64)
        if M.shape != (len(rows), len(self._targets)):
            raise ValueError(f"target_similarity gave shape {M.shape}; it must give {(len(rows), len(self._targets))}.")
        _check_range(M)
        M[np.arange(len(rows)), rows] = 0.0
        return M

    def partners(self, rows: np.ndarray | None = None) -> np.ndarray:
        """Σ_{j≠i} M_ij of each of the rows (all), (n_rows,): how many partners a point has."""
        rows = self._all(rows)
        result = np.empty(len(rows))

        def work(here: slice, _: np.ndarray) -> None:
            result[here] = self.block(rows[here]).sum(axis=1)

        each_block(len(self._targets), rows, work, (0,))
        return result

    def at(self, Y: np.ndarray, rows: np.ndarray | None = None) -> BlockSums:
        """The sums at Y, (n_components, n_samples), of the points `rows` (all) over all others."""
        return BlockSums(self.block, Y, self._all(rows), "pairwise")

    def scatter(self, Y: np.ndarray, weights: np.ndarray, rows: np.ndarray | None = None) -> tuple[float, np.ndarray]:
        """−Σ_i ω_i Σ_j M_ij ‖y_i − y_j‖² over the points `rows` (all), and its derivative in Y."""
        rows = self._all(rows)
        return pulled(Y, rows, lambda here: weights[here, None] * self.block(rows[here]))

    def _all(self, rows: np.ndarray | None) -> np.ndarray:
        return np.arange(len(self._targets)) if rows is None else rows


def _check_range(M: np.ndarray) -> None:
    low, high = M.min(initial=0.0), M.max(initial=0.0)
    if not (low >= 0.0 and high <= 1.0):  # NaN included
        worst = low if not low >= 0.0 else high
        raise ValueError(f"target_similarity holds {worst:g}; every value must be between 0 and 1.")


_RANK_WIDTH = 0.1


def _closeness(t: np.ndarray, u: np.ndarray, width: float) -> np.ndarray:
    """exp(−(t − u)²/(2 width²)) of all pairs."""
    return np.exp(-0.5 * ((t[:, None] - u[None, :]) / width) ** 2)


def _ranks(targets: np.ndarray) -> Similarity:
    """The Gaussian of width 0.1 on r(t), the mid-rank of t as a share of all, so that neither the unit nor an outlier
    counts."""
    ordered = np.sort(targets)

    def rank(t: np.ndarray) -> np.ndarray:
        places = np.searchsorted(ordered, t, side="left") + np.searchsorted(ordered, t, side="right")
        return 0.5 * places / len(ordered)

    return lambda t, u: _closeness(rank(t), rank(u), _RANK_WIDTH)


TARGET_SIMILARITIES: dict[str, Callable[[np.ndarray], Similarity]] = {
    # by Silverman's width (1986, eq. 3.31); 1 for equal targets where none differs
    "gaussian": lambda targets: partial(_closeness, width=silverman_width(targets)),
    "ranks": _ranks,
    "same": lambda targets: lambda t, u: (t[:, None] == u[None, :]).astype(np.float64),  # classes
}


def silverman_width(targets: np.ndarray) -> float:
    """0.9 min(σ, IQR/1.34) n^(−1/5) in the unit of the targets; σ alone where the quartiles are equal, else 1."""
    targets = np.asarray(targets, dtype=np.float64)
    deviation = float(targets.std())
    low, high = np.quantile(targets, [0.25, 0.75])
    spread = min(deviation, float(high - low) / 1.34) if high > low else deviation
    return 0.9 * spread * len(targets) ** -0.2 if spread > 0 else 1.0


class ClassMembership:
    """Points belong together that share a class.

    codes: class codes of points that are sorted by them, (n_samples,); negative: unlabelled.
    logs: compute log p_i exactly even where p_i is negligible.
    """

    def __init__(self, codes: np.ndarray, method: str, logs: bool) -> None:
        self._codes, self._method, self._logs = codes, method, logs
        self.classes = Classes.of(codes)

    def among(self, kept: np.ndarray) -> "ClassMembership":
        """The same among the points `kept` alone, rising row numbers."""
        return ClassMembership(self._codes[kept], self._method, self._logs)

    def partners(self, rows: np.ndarray | None = None) -> np.ndarray:
        """How many others each of the rows (all) goes with, (n_rows,)."""
        return self.classes.partners if rows is None else self.classes.partners[rows]

    def at(self, Y: np.ndarray, rows: np.ndarray | None = None) -> Summation | DenseQueries | Queries | BlockSums:
        """The sums at Y, (n_components, n_samples), of the points `rows` (all), rising, over all others."""
        if rows is None:
            return summed_by(self._method, Y, self.classes, self._logs)
        return summed_for(rows, Y, self.classes)

    def scatter(self, Y: np.ndarray, weights: np.ndarray, rows: np.ndarray | None = None) -> tuple[float, np.ndarray]:
        """−Σ_i ω_i Σ_{j∈C_i} ‖y_i − y_j‖² over the points `rows` (all), and its derivative in Y."""
        if rows is not None:
            of_rows, weights = weights, np.zeros(Y.shape[1])
            weights[rows] = of_rows
        return scatter_within_classes(Y, self.classes, weights)


def scatter_within_classes(Y: np.ndarray, classes: Classes, weights: np.ndarray) -> tuple[float, np.ndarray]:
    """−Σ_i ω_i Σ_{j∈C_i} ‖y_i − y_j‖² and its derivative in Y.

    With z_i = y_i − mean of its class, n_c members, W = Σ ω_i and R = Σ ‖z_i‖² within the class,

        Σ_i ω_i Σ_j ‖y_i − y_j‖² = n_c Σ_i ω_i ‖z_i‖² + W R,   ∂/∂y_m = 2 [(ω_m n_c + W) z_m − Σ_j ω_j z_j];

    centring each class first keeps the digits of a tight class far from the origin.

    Y: (n_components, n_samples), sorted by class.
    weights: ω_i, (n_samples,).

    Returns the value, and (n_components, n_samples).
    """
    size = np.repeat(classes.members, classes.members).astype(np.float64)
    z = Y - classes.sums(Y) / size
    z -= classes.sums(z) / size  # what rounding left of the mean
    squares = np.einsum("ij,ij->j", z, z)
    total = classes.sums(weights)
    # W R summed over classes is Σ_m W ‖z_m‖².
    value = float(np.sum((weights * size + total) * squares))
    return -value, -2.0 * ((weights * size + total) * z - classes.sums(weights * z))
