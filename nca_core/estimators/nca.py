"""NeighborhoodComponentsAnalysis: the engine as a scikit-learn estimator, a drop-in for its class of that name."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from numbers import Integral
from typing import Any
from warnings import warn

import numpy as np
from sklearn.neighbors import NeighborhoodComponentsAnalysis as ScikitLearnNCA
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from nca_core.compat import one_of, parameter_constraints, scikit_learns_start
from nca_core.estimators.base import TrainedEstimator, check_init, supervision_of
from nca_core.features.covariance import discriminant_axes, leading_axes
from nca_core.features.rows import SparseRows, spreads
from nca_core.neighbours.similarity import TARGET_SIMILARITIES, Similarity
from nca_core.objectives import OBJECTIVES
from nca_core.objectives.evaluator import DTYPES, SUMMATIONS, Evaluator
from nca_core.optimisers import OPTIMISERS, reached_max_iter
from nca_core.parts.dask_chunks import is_dask, projected_chunks
from nca_core.parts.features_in_parts import FeaturesInParts
from nca_core.parts.sources import classes_of, members_of
from nca_core.snapshot import Candidate, Snapshot, Trajectory
from nca_core.training import starts
from nca_core.training.config import TrainingConfig
from nca_core.training.nca import train
from nca_core.training.problem import SOLVED

SCIKIT_LEARN_STARTS = ("auto", "pca", "lda", "identity", "random")


def estimator_start(
    X: np.ndarray | SparseRows | FeaturesInParts,
    codes: np.ndarray,
    n_components: int,
    init: str | np.ndarray,
    random_state: np.random.RandomState,
    *,
    verbose: int = 0,
    diagonal: bool = False,
    sample_weight: np.ndarray | None = None,
) -> starts.Start:
    """A of iteration 0, (n_components, n_features), without scaling for K̂. Of a given one the unit counts for nothing.

    X: (n_samples, n_features). A sparse X too large to be dense for a moment has the engine's own PCA.
    init: as for NeighborhoodComponentsAnalysis, checked.
    """
    if not isinstance(init, str):
        return starts.Start(np.asarray(init, dtype=np.float64), 1.0)
    if isinstance(X, SparseRows):
        X = X.dense_where_small()
    theirs = init in ("identity", "random") or (init in SCIKIT_LEARN_STARTS and not isinstance(X, SparseRows))
    if init == "lda" and n_components >= len(classes_of(codes)[0]):
        theirs = False  # which refuses; ours is completed with principal axes
    if not theirs:
        seed = int(random_state.randint(2**31 - 1))
        return starts.scaled_start(
            X, codes, n_components, init, seed, scale_start=False, sample_weight=sample_weight, diagonal=diagonal
        )
    if init == "auto":
        init = starts.auto_initialisation(X.shape, len(classes_of(codes)[0]), n_components)
    if init == "lda" and not np.any(spreads(X)):
        init = "pca"  # no axis is better than another, and scikit-learn's LDA finds none
    if isinstance(X, FeaturesInParts) and init == "pca":
        start = leading_axes(X, n_components)
    elif isinstance(X, FeaturesInParts) and init == "lda":
        codes = members_of(codes, classes_of(codes)[0])  # rows without a label are a class of their own, as there
        start = discriminant_axes(X, codes, n_components)[0]
    else:
        start = np.asarray(scikit_learns_start(X, codes, n_components, init, random_state, verbose), dtype=np.float64)
    if len(start) < n_components:  # collinear features
        start = discriminant_axes(X, codes, n_components)[0]  # type: ignore[arg-type]
    return starts.Start(start, starts.unit_of_data(spreads(X)) if init == "lda" else 1.0)


_ONE_NEIGHBOUR = 1.1  # K̂ at most so large: the gradient is nearly zero, and a climb ends where it began or close by


def retry_from_smaller_start(
    end: Trajectory,
    X: np.ndarray,
    codes: np.ndarray,
    max_iter: int,
    least_gain: float,
    climb: Callable[[np.ndarray, int, int], Trajectory],
) -> tuple[Trajectory, float]:
    """The better of two climbs: the one that ended before `max_iter` from such a start, and one from a smaller start
    with the iterations that are left; and what the start was multiplied by, 1 where the first climb stands.

    end: the first climb.
    X, codes: features, (n_samples, n_features), and class codes, (n_samples,).
    max_iter: most iterations of both together.
    least_gain: of the objective, by which the second has to end higher.
    climb: climbs from a start, with at most so many iterations, after so many made before.
    """
    first = end.snapshots[0]
    n_before = end.snapshots[-1].iteration
    if end.ended not in ("cannot_move", "converged") or n_before >= max_iter:
        return end, 1.0
    if first.k_mean_entropy > _ONE_NEIGHBOUR or first.mean_p >= SOLVED:
        return end, 1.0
    smaller = starts.scale_to_sensible_k(first.transformation, X, codes)
    by = float(np.linalg.norm(smaller) / np.linalg.norm(first.transformation)) if np.any(smaller) else 1.0
    if by >= 1.0:
        return end, 1.0
    again = climb(smaller, max_iter - n_before, n_before)
    gained = again.snapshots[-1].objective - end.snapshots[-1].objective
    return (again, by) if gained > least_gain else (end, 1.0)


@dataclass(eq=False, repr=False, kw_only=True)
class NeighborhoodComponentsAnalysis(TrainedEstimator, ScikitLearnNCA):
    """Neighbourhood Components Analysis with scikit-learn's parameters, attributes and error texts, and more.

    Maximises f(A) = Σ_i p_i (eq. 3) or another key of OBJECTIVES.
    From the same start its climb as a rule goes on where scikit-learn's ends, in memory that grows with n instead of
    n².
    The first eight parameters are scikit-learn's, the others are this engine's own.

    Parameters
    ----------
    n_components : int or None
        d, rows of A; None keeps all features.
    init : str or ndarray
        "auto", "pca", "lda", "identity", "random" as in scikit-learn, another key of INITIALISATIONS, or an array of
        shape (n_components, n_features).
    warm_start : bool
        Begin at the components of the last fit, if they are `n_components` many, and stay there where the climb gains
        at most tol in the mean.
    max_iter : int
        Most iterations.
    tol : float
        The climb ends when three iterations in a row each gain less than 0.5 tol in the mean of the objective over
        points, whatever the unit of the features: stricter than scikit-learn's rule at the same tol where the mean of
        p_i is above a half. Where at most tol is left to gain in that mean, as on separable data, where A would only
        grow, one that gains no more is enough, which for f is scikit-learn's rule; with 0.01 tol left any is.
    callback : callable or None
        Called after each iteration with A as a flat array and the number of the iteration, from 1.
    verbose : int
        1 prints a line an iteration and warns where max_iter ended the training.
    random_state : int, RandomState or None
        Seed of random starts.
    objective : str
        A key of OBJECTIVES.
    optimiser : str
        A key of OPTIMISERS. From 100,000 rows on in four or more components, where an exact evaluation takes minutes,
        "l-bfgs" and "stochastic" both climb f by batches of rows against all others, and estimate it: see `sampled_`.
        Exact iterations follow where there is time for them.
    regularisation : float
        λ of the penalty −λ‖A‖².
    shape : str
        "full", or "diagonal" for A = diag(a), one weight for each feature; n_components then counts for nothing.
    scale_start : bool
        Multiply the start by a number that gives a sensible first K̂, and climb in the unit of the data, so that neither
        the unit of X nor the size of a start that is scaled matters. Without, this is tried with the iterations left
        where the start lets each point see one neighbour alone; where that ends higher it counts, with a warning.
    target_similarity : str or ndarray or Similarity or None
        None for classes; for numeric y a key of TARGET_SIMILARITIES or a function of targets (m,) and (n,) that gives
        M_ij, (m, n), in [0, 1]; or M itself, (n_samples, n_samples), with any y. An evaluation then takes O(n²). For
        cross-validation give `PrecomputedSimilarity(M)` and as y the row numbers of M.
    standardise : bool
        Climb in units of each feature's standard deviation; the start and A stay in the units of X.
    summation : str
        "auto", or a key of SUMMATION_METHODS ("dense", "truncated", "spectral"): how the sums over neighbours are
        computed. Named, every evaluation is exact, however long it takes.
    dtype : str
        "float64", or "float32" to keep X in half the memory.
    n_jobs : int or None
        Most threads, as in joblib; None for every core that OMP_NUM_THREADS, `threadpoolctl` and loky leave. The
        result is the same for any number.
    keep_path : bool
        Keep every iteration in `path_`.

    Attributes
    ----------
    components_
        A, (n_components, n_features).
    n_features_in_, feature_names_in_, n_iter_, random_state_
        As in scikit-learn.
    objective_
        The objective at `components_`.
    k_estimate_
        K̂ = exp(mean entropy) at `components_`.
    k_determined_
        False where the objective rises with the size of A without end, as on separable data; K̂ then depends on `tol`
        and `max_iter` alone.
    ended_, reason_
        How the training ended, as in Trajectory.
    sampled_
        None where `objective_` and `k_estimate_` are exact; else a Sampled: from how many rows they are estimated, and
        the standard errors.
    path_
        With keep_path a tuple of Snapshot, from iteration 0, the start.
    starts_
        What init="best_of_several" compared, a tuple of Candidate, best first; else empty.

    Notes
    -----
    X may be sparse, and is then never made dense; or in parts (`parts_of_folder`, `parts_of_arrays`, chunks of a Dask
    array), which are never in one place. Of these only Y, (n, d), the labels and the sums over neighbours are in one
    place, about 520 bytes a row; where Dask's workers carry the sums (f, from 500,000 rows on) at most 12. y may hold
    numbers, where `target_similarity` says how similar two are.

    `sample_weight` weighs a point's own term, Σ_i ω_i p_i; a point of weight 0 stays a neighbour to the others, where
    scikit-learn's meaning would leave it out.

    References
    ----------
    Goldberger, Roweis, Hinton, Salakhutdinov: Neighbourhood Components Analysis, NIPS 2004.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from nca_core import NeighborhoodComponentsAnalysis
    >>> X, y = load_iris(return_X_y=True)
    >>> nca = NeighborhoodComponentsAnalysis(n_components=2, random_state=0).fit(X, y)
    >>> nca.transform(X).shape
    (150, 2)
    >>> round(nca.objective_)  # Σ p_i: how many of the 150 rows pick their own class
    150
    >>> nca.k_determined_  # the classes can be separated, so a larger A is always better
    False
    """

    _takes_parts = True

    # scikit-learn makes its error texts from this table.
    _parameter_constraints = parameter_constraints(
        TrainedEstimator,
        init=[one_of((*SCIKIT_LEARN_STARTS, *starts.INITIALISATIONS)), np.ndarray],
        optimiser=[one_of(OPTIMISERS)],
        shape=[one_of(("full", "diagonal"))],
        scale_start=["boolean"],
        target_similarity=[one_of(TARGET_SIMILARITIES), np.ndarray, callable, None],
        standardise=["boolean"],
        summation=[one_of(SUMMATIONS)],
        dtype=[one_of(DTYPES)],
        n_jobs=[Integral, None],
    )

    n_components: int | None = field(default=None, kw_only=False)
    init: str | np.ndarray = "auto"
    max_iter: int = 50
    random_state: Any = None
    objective: str = "f"
    optimiser: str = "l-bfgs"
    regularisation: float = 0.0
    shape: str = "full"
    scale_start: bool = False
    target_similarity: str | np.ndarray | Similarity | None = None
    standardise: bool = False
    summation: str = "auto"
    dtype: str = "float64"
    n_jobs: int | None = None
    keep_path: bool = False

    def _train(self, X: Any, y: np.ndarray, sample_weight: np.ndarray | None, warm: bool) -> Trajectory:
        labels = supervision_of(y, self.target_similarity)
        codes, diagonal = labels.start_codes, self.shape == "diagonal"
        wanted = X.shape[1] if diagonal else self.n_components
        init = check_init(self.init, wanted, X.shape[1])
        self.random_state_ = check_random_state(self.random_state)
        self.starts_: tuple[Candidate, ...] = ()
        warm = warm and wanted in (None, len(self.components_))
        if warm:
            first = np.array(self.components_, dtype=np.float64)
        else:
            found = estimator_start(
                X, codes, wanted or X.shape[1], init, self.random_state_,
                verbose=self.verbose, diagonal=diagonal, sample_weight=sample_weight,
            )  # fmt: skip
            first, self.starts_ = found.transformation, found.candidates
        if diagonal and first.shape[0] == first.shape[1]:
            first = starts.nearest_diagonal(first)
        # The end of a training has learnt its scale already.
        trained = warm or (isinstance(init, str) and init in starts.TRAINED_INITIALISATIONS)
        start = starts.scale_to_sensible_k(first, X, codes) if self.scale_start and not trained else first
        config = self._config(TrainingConfig, n_components=start.shape[0], random_state=0, target_similarity=None)
        size = float(np.linalg.norm(first))

        def climb(start: np.ndarray, max_iter: int, n_before: int = 0) -> Trajectory:
            unit = 1.0  # of A for the optimiser, as in scikit-learn
            if start is not first or self.scale_start or (trained and not warm):
                of_data = starts.unit_of_data(spreads(X))
                if trained or not isinstance(init, str):
                    unit = of_data  # of a start that is given or learnt
                elif size > 0.0:
                    unit = found.unit * float(np.linalg.norm(start)) / size
                unit = unit / of_data if self.standardise else unit
            end = self._climb(
                train,
                X,
                labels.codes,
                replace(config, max_iter=max_iter),
                n_before=n_before,
                sample_weight=sample_weight,
                initial=start,
                unit=unit,
                target_similarity=labels.target_similarity,
                targets=labels.targets,
                n_jobs=self.n_jobs,
            )
            of_both = reached_max_iter(config.max_iter).reason  # where this is a second climb
            return replace(end, reason=end.reason.replace(reached_max_iter(max_iter).reason, of_both))

        end, by = climb(start, config.max_iter), 1.0
        points = float(len(X) if sample_weight is None else sample_weight.sum())
        next_to_nothing = self.tol * (points if OBJECTIVES[self.objective].grows else 1.0)
        if not trained:
            end, by = retry_from_smaller_start(end, X, codes, config.max_iter, next_to_nothing, climb)
        if by < 1.0:
            warn(
                f"[{type(self).__name__}] At the start each point saw its nearest neighbour alone; the climb from "
                f"{by:.2g} times that start ended higher, and is the one that counts.",
                stacklevel=3,
            )
        if warm and end.ended == "converged":
            first_of, last = end.snapshots[0], end.snapshots[-1]
            if last.objective - first_of.objective <= next_to_nothing:  # fitted again, A is the same
                end = replace(end, snapshots=(first_of,))
        return end

    def _finish(self, end: Trajectory, X: Any, y: np.ndarray) -> None:
        self.k_determined_ = end.k_determined
        super()._finish(end, X, y)

    def _store(self, last: Snapshot, X: Any, y: np.ndarray) -> None:
        self.components_ = np.array(last.transformation)
        self.k_estimate_ = last.k_mean_entropy
        self.sampled_ = last.sampled

    def _warning(self, end: Trajectory) -> str:
        if end.ended == "cannot_move":
            return f"NCA stayed at its start. {end.reason}"
        return f"NCA did not converge: {end.reason}" if end.ended == "max_iter" and self.verbose else ""

    def transform(self, X: Any) -> np.ndarray:
        """X Aᵀ of new points, (n_queries, n_components): an ndarray, also where X is in parts; of a Dask array a lazy
        one."""
        if is_dask(X):
            check_is_fitted(self)
            projected = projected_chunks(X, self.components_)
            self._check_width(X)
            return projected
        return self._project(X)

    def score(self, X: Any, y: Any) -> float:
        """Mean p_i of these points among themselves: how often the stochastic rule finds the class of one that is left
        out. X and y as for `fit`."""
        check_is_fitted(self)
        X, y = self._labelled_features(X, y, reset=False)
        labels = supervision_of(y, self.target_similarity)
        like, targets = labels.target_similarity, labels.targets
        evaluator = Evaluator(X, labels.codes, target_similarity=like, targets=targets, n_jobs=self.n_jobs)
        return evaluator.evaluate(self.components_).mean_p
