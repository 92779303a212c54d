"""Evaluator: the objective, its gradient, every p_i and entropy, at one A or at projected points Y."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from warnings import warn

import numpy as np

from nca_core.accuracy import k_mean_entropy, k_mean_perplexity
from nca_core.features.rows import SparseRows, ordered_rows
from nca_core.features.validation import check_choice, check_codes, check_features, check_sample_weight
from nca_core.neighbours.base.sums import NeighbourSums
from nca_core.neighbours.base.threads import at_most, n_threads_of, one_blas_thread
from nca_core.neighbours.choose import SUMMATION_METHODS, is_prohibitive, pairs_to_visit
from nca_core.neighbours.similarity import TARGET_SIMILARITIES, ClassMembership, PairwiseSimilarity, Similarity
from nca_core.objectives import OBJECTIVES
from nca_core.parts.features_in_parts import FeaturesInParts, OrderedParts, features_of
from nca_core.parts.grids_on_workers import GridsOnWorkers, on_workers
from nca_core.snapshot import Sampled, frozen


@dataclass(frozen=True)
class Evaluation:
    """Objective and sums at one A, or at projected points Y; arrays are read-only and in the order of the rows of X."""

    objective: float  # the maximised value, a sum over points, not a mean; of an A the penalty −λ‖A‖² is included
    # ∂objective/∂A, (n_components, n_features); of points ∂objective/∂Y, (n_samples, n_components)
    gradient: np.ndarray
    # Where Dask's workers carry the sums, p and entropy are Dask arrays that they hold.
    p: np.ndarray  # p_i, the probability that the stochastic rule classifies point i correctly, (n_samples,)
    entropy: np.ndarray  # H_i of the neighbour distribution p_i·, in nats, (n_samples,)
    mean_p: float  # the weighted mean of p_i
    summation: str  # the method used for the sums, a key of SUMMATION_METHODS, "pairwise", or "sampled"
    sampled: Sampled | None = None  # how well objective, gradient, mean p and K̂ are known where they are estimates
    # Of what workers hold: whether each p_i is large enough for `rises_with_size`, and the means of H_i and exp(H_i)
    certain: bool | None = None
    means: tuple[float, float] | None = None

    @property
    def k_mean_entropy(self) -> float:
        return k_mean_entropy(self.entropy) if self.means is None else float(np.exp(self.means[0]))

    @property
    def k_mean_perplexity(self) -> float:
        return k_mean_perplexity(self.entropy) if self.means is None else self.means[1]


SUMMATIONS = ("auto", *SUMMATION_METHODS)
DTYPES = ("float64", "float32")
_FARTHEST = 1e70
Slot = Callable[[], AbstractContextManager[object]]


class Evaluator:
    """Evaluates an NCA objective on fixed data.

    With Y = X Aᵀ and an objective F(log p) of `nca_core.objectives`,

        ∂F/∂y_m = 2 Σ_j w_mj (y_j − y_m) [(a_m + a_j) 1(c_m = c_j) + b_m + b_j],   ∂F/∂A = (∂F/∂Y)ᵀ X,

    a_i = (∂F/∂log S_i)/S_i, b_i = (∂F/∂log Z_i)/Z_i; so it costs two passes over X and two over the pairs.

    X: features, (n_samples, n_features). Of an ndarray one copy is kept, in the order of the classes and about each
        feature's median, which changes no distance but keeps digits, also where a few values are huge.
    y: integer class codes, (n_samples,); negative: without a class, a neighbour to all, correct for none.
    sample_weight: ω_i ≥ 0 for each point's term, (n_samples,).
    regularisation: λ ≥ 0 of the penalty −λ‖A‖², or one for each feature, (n_features,).
    target_similarity: in the place of "same class", M_ij in [0, 1]: an array (n_samples, n_samples), a function of
        targets (m,) and (n,) that gives (m, n), or a key of TARGET_SIMILARITIES; where targets are given, y is then
        ignored.
    targets: numbers that a function `target_similarity` compares, (n_samples,); y where they are not given.
    summation: "auto", or a key of SUMMATION_METHODS for the sums over neighbours; a target similarity always takes
        every pair.
    dtype: "float64", or "float32" to keep X and make the two passes over it with half the bytes; the sums over
        neighbours are in float64 all the same.
    n_jobs: most threads of an evaluation, as in joblib; None for as many as there are cores and as `threadpoolctl` or
        OMP_NUM_THREADS leave. It changes no digit of a result.

    Raises ValueError for data that cannot be evaluated, or a name that its registry does not hold.

    Goldberger, Roweis, Hinton, Salakhutdinov: Neighbourhood Components Analysis, NIPS 2004, eq. 1-7.
    """

    def __init__(
        self,
        X: np.ndarray | SparseRows | FeaturesInParts,
        y: np.ndarray,
        *,
        objective: str = "f",
        sample_weight: np.ndarray | None = None,
        regularisation: float | np.ndarray = 0.0,
        target_similarity: str | np.ndarray | Similarity | None = None,
        targets: np.ndarray | None = None,
        summation: str = "auto",
        dtype: str = "float64",
        n_jobs: int | None = None,
    ) -> None:
        check_choice("objective", objective, OBJECTIVES)
        check_choice("summation", summation, SUMMATIONS)
        check_choice("dtype", dtype, DTYPES)
        X = check_features(features_of(X), dtype)
        codes = np.asarray(y) if target_similarity is not None else check_codes(y, len(X))
        if sample_weight is not None:
            sample_weight = check_sample_weight(sample_weight, len(X))
        pairwise: PairwiseSimilarity | None = None
        if target_similarity is not None:
            targets = codes if targets is None else np.asarray(targets)
            if isinstance(target_similarity, str):
                target_similarity = TARGET_SIMILARITIES[target_similarity](targets)
            pairwise = PairwiseSimilarity(target_similarity, targets)
            codes = np.zeros(len(X), dtype=np.int64)  # the rows stay in their order
        self.n_samples, self.n_features = X.shape
        self._total = float(len(X) if sample_weight is None else sample_weight.sum())
        self._objective = OBJECTIVES[objective]
        self.largest = self._objective.largest  # what the objective cannot exceed, for a weight of 1
        self._penalty = np.asarray(regularisation, dtype=np.float64)
        self.penalised = bool(self._penalty.any())
        self._n_threads = n_threads_of(n_jobs)
        self._unprepared: Any = X, codes, sample_weight, pairwise, summation, dtype
        self._may_be_sampled = objective == "f" and summation == "auto" and not isinstance(X, FeaturesInParts)
        self._for_workers = pairwise is None and isinstance(X, FeaturesInParts) and X.source.for_workers
        of = self._objective
        simple = of.additive and not of.scatter and not of.logs and summation in ("auto", "spectral")
        self._grids: GridsOnWorkers | None = None
        if self._for_workers and simple and on_workers(len(X)):
            rows = OrderedParts(X, None, dtype)  # type: ignore[arg-type]
            self._grids = GridsOnWorkers(rows, codes, sample_weight, of.terms)
        else:
            self._prepare()

    def _prepare(self) -> None:
        """Prepare for sums in this process, once; where workers carry them, not before they turn out unable to."""
        if self._unprepared is None:
            return
        X, codes, sample_weight, pairwise, summation, dtype = self._unprepared
        self._unprepared = None
        if self._for_workers and on_workers(len(X)):
            warn(
                "Dask's workers carry the sums of f alone, in one to three components of at most 100 classes and where "
                "Y fits a grid; here the caller computes them, and needs about 520 bytes a row.",
                stacklevel=3,
            )
        self._order = order = np.argsort(codes, kind="stable")
        self._rows = ordered_rows(X, order, dtype)
        self._weights = np.ones(len(X)) if sample_weight is None else np.asarray(sample_weight, float)[order]
        self._total = float(self._weights.sum())
        self._similarity: PairwiseSimilarity | ClassMembership = (
            ClassMembership(codes[order], summation, self._objective.logs) if pairwise is None else pairwise
        )
        # Counted only where needed: PairwiseSimilarity looks at every pair for it.
        self._partners = self._similarity.partners() if self._objective.scatter else np.zeros(len(X))
        self._pull = self._weights
        if self._objective.shared:
            self._pull = self._weights / np.where(self._partners > 0, self._partners, 1.0)

    @cached_property
    def spread(self) -> np.ndarray:
        """Standard deviation of each feature, (n_features,)."""
        return self._rows.deviations() if self._unprepared is None else self._unprepared[0].deviations()

    def evaluate(self, transformation: np.ndarray) -> Evaluation:
        """Objective, gradient, p_i and entropies at A."""
        A = np.ascontiguousarray(transformation, dtype=np.float64)
        with one_blas_thread() as threads, at_most(threads, self._n_threads):
            found: Any = None if self._grids is None else self._grids.evaluate(A)
            if found is None:
                self._prepare()
                value, d_Y, sums, name = self._evaluate_at(self._rows.projected(A))
                p = np.exp(sums.log_p)
                of_points = self._in_order(p), self._in_order(sums.entropy), self._mean(p)
                found = value, self._rows.over_rows(d_Y), *of_points, name
        value, gradient, *others = found
        if self.penalised:
            value -= float(np.sum(self._penalty * A * A))
            gradient -= 2.0 * self._penalty * A
        return Evaluation(value, frozen(gradient), *others)

    def rises_with_size(self, at: Evaluation) -> bool:
        """Whether c A is at least as good as A for every c ≥ 1, for certain, given the evaluation at A.

        Only of objectives that rise with each p_i and are bounded, f and g.
        It is where each p_i is at least m_i / (m_i + 1), of m_i partners: with S the sum of w over these and O over
        the others, S_i(c A) ≥ S_i^(c²) / m_i^(c² − 1) and O_i(c A) ≤ O_i^(c²), so that S_i / O_i ≥ m_i does not fall.
        """
        if self.largest == np.inf or self.penalised:
            return False
        if at.certain is not None:
            return at.certain
        if isinstance(self._similarity, PairwiseSimilarity):
            return False
        partners, p = self._similarity.partners(), at.p[self._order]
        return bool(np.all((partners == 0) | (p * (partners + 1.0) >= partners)))

    def gradient_of_queries(
        self, transformation: np.ndarray, queries: np.ndarray, references: np.ndarray | None = None
    ) -> np.ndarray:
        """An estimate of ∂objective/∂A from the terms of some points alone.

        Averaged over random queries it is the gradient itself, for objectives that are sums over points and as long
        as all points are neighbours of the queries.

        queries: row numbers of X, (n_queries,).
        references: row numbers of X; where given, only these and the queries are neighbours.

        Returns (n_components, n_features).
        """
        self._prepare()
        A = np.ascontiguousarray(transformation, dtype=np.float64)
        with one_blas_thread() as found, at_most(found, self._n_threads):
            return self._of_queries(A, queries, references)[0]

    def is_prohibitive(self, transformation: np.ndarray) -> bool:
        """Whether to estimate f at first: exact sums take long, and X is in one place for batches of rows."""
        if not (self._may_be_sampled and isinstance(self._similarity, ClassMembership)):
            return False
        Y = self._rows.projected(np.ascontiguousarray(transformation, np.float64))
        return is_prohibitive(Y, self._similarity.classes)

    def pairs_to_visit(self, transformation: np.ndarray) -> float:
        """About how many pairs an exact evaluation of more than three components and of class codes looks at."""
        Y = self._rows.projected(np.ascontiguousarray(transformation, np.float64))
        return pairs_to_visit(Y, self._similarity.classes)  # type: ignore[union-attr]

    def estimate(self, transformation: np.ndarray, batches: Sequence[np.ndarray], slot: Slot) -> Evaluation:
        """f at A estimated from some points, each summed over all others, in single precision if those are many.

        batches: row numbers of X, drawn without replacement, in batches of equal length.
        slot: entered around each batch.

        Returns p and entropies of these points alone, in their order; the gradient is from the first batch only.
        """
        A = np.ascontiguousarray(transformation, dtype=np.float64)
        found: list[tuple[np.ndarray, ...]] = []
        for queries in batches:
            with slot(), one_blas_thread() as threads, at_most(threads, self._n_threads):
                found.append(self._of_queries(A, queries, None, climbs=not found))
        p, entropy, weights = (np.concatenate([each[k] for each in found]) for k in (1, 2, 3))
        left = 1.0 - len(p) / self.n_samples  # of the variance, as the points are drawn without replacement
        mean_p = float(weights @ p / weights.sum()) if weights.any() else 0.0
        # Σ ω p / Σ ω is a ratio of means, whose error is that of ω (p − ratio) / mean ω.
        apart = weights * (p - mean_p) / max(float(weights.mean()), np.finfo(float).tiny)
        error = float(np.sqrt(left * np.mean(apart**2) / max(1, len(p) - 1)))
        k_error = float(np.exp(entropy.mean()) * np.sqrt(left * entropy.var() / max(1, len(p) - 1)))
        return Evaluation(
            objective=self._total * mean_p - float(np.sum(self._penalty * A * A)),
            gradient=frozen(found[0][0]),
            p=frozen(p),
            entropy=frozen(entropy),
            mean_p=mean_p,
            summation="sampled",
            sampled=Sampled(len(p), self.n_samples, error, k_error),
        )

    def _of_queries(
        self, A: np.ndarray, queries: np.ndarray, references: np.ndarray | None, climbs: bool = True
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """The estimate of the gradient, zeros unless it `climbs`, and p, entropies and weights of the points."""
        place = np.empty(self.n_samples, dtype=np.int64)
        place[self._order] = np.arange(self.n_samples)
        order = np.argsort(place[queries])
        rows = members = place[queries][order]
        given = np.argsort(order)  # back to the order of the queries
        features, similarity = self._rows, self._similarity
        if references is not None:
            kept = np.union1d(rows, place[references])
            features, similarity = self._rows.among(kept), self._similarity.among(kept)
            rows = np.searchsorted(kept, rows)
        weights, partners = self._weights[members], self._partners[members]
        Y = features.projected(A)  # (n_components, n_references)
        batch = similarity.at(Y, rows)
        p = np.exp(batch.sums.log_p)
        if not climbs:
            return np.zeros_like(A), p[given], batch.sums.entropy[given], weights[given]
        terms = self._objective.terms(batch.sums, partners, weights)
        d_Y = batch.gradient(terms.d_log_s, terms.d_log_z)
        if self._objective.scatter:  # of a sample each partner counts for several
            here = similarity.partners(rows)
            d_Y += similarity.scatter(Y, self._pull[members] * partners / np.where(here > 0, here, 1.0), rows)[1]
        share = self.n_samples / len(rows) if self._objective.additive else 1.0
        gradient = share * features.over_rows(d_Y) - 2.0 * self._penalty * A
        return gradient, p[given], batch.sums.entropy[given], weights[given]

    def evaluate_embedding(self, Y: np.ndarray) -> Evaluation:
        """Objective, its gradient in Y, p_i and entropies at projected points Y, however they were projected.

        Y: (n_samples, n_components), in the order of the rows of X.
        """
        Y = np.asarray(Y, dtype=np.float64)
        if Y.ndim != 2 or len(Y) != self.n_samples:
            raise ValueError(f"Y has shape {Y.shape}; it must be ({self.n_samples}, n_components).")
        self._prepare()
        Y = np.clip(Y, -_FARTHEST, _FARTHEST)  # a line search may ask for more, and takes no such step
        Y = np.ascontiguousarray((Y - Y.mean(axis=0))[self._order].T)
        with one_blas_thread() as found, at_most(found, self._n_threads):
            value, d_Y, sums, name = self._evaluate_at(Y)
        p = np.exp(sums.log_p)
        return Evaluation(
            value, self._in_order(d_Y.T), self._in_order(p), self._in_order(sums.entropy), self._mean(p), name
        )

    def _evaluate_at(self, Y: np.ndarray) -> tuple[float, np.ndarray, NeighbourSums, str]:
        """Objective without penalty, ∂/∂Y, the sums and how they were computed, at Y, (n_components, n_samples)."""
        at = self._similarity.at(Y)
        terms = self._objective.terms(at.sums, self._partners, self._weights)
        d_Y, value = at.gradient(terms.d_log_s, terms.d_log_z), terms.value
        if self._objective.scatter:
            scatter, scatter_d_Y = self._similarity.scatter(Y, self._pull)
            value += scatter
            d_Y += scatter_d_Y
        return value, d_Y, at.sums, at.name

    def _mean(self, p: np.ndarray) -> float:
        return float(self._weights @ p) / self._total if self._total > 0 else 0.0

    def _in_order(self, values: np.ndarray) -> np.ndarray:
        result = np.empty_like(values)
        result[self._order] = values
        return frozen(result)
