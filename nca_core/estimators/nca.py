"""NeighborhoodComponentsAnalysis: the engine as a scikit-learn estimator, a drop-in for its class of that name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from numbers import Integral, Real
from typing import Any
from warnings import warn

import numpy as np
from sklearn.neighbors import NeighborhoodComponentsAnalysis as ScikitLearnNCA
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from nca_core.compat import at_least, one_of, parameter_constraints
from nca_core.estimators.base import TrainedEstimator
from nca_core.estimators.checks import check_init, labelled_features, supervision_of
from nca_core.estimators.start import SCIKIT_LEARN_STARTS, better_from_a_smaller_start, estimator_start
from nca_core.neighbours.pairwise_similarity import Similarity
from nca_core.neighbours.target_similarity import TARGET_SIMILARITIES
from nca_core.objectives import OBJECTIVES
from nca_core.objectives.evaluator import DTYPES, SUMMATIONS, Evaluator
from nca_core.optimisers import OPTIMISERS
from nca_core.optimisers.climb import at_the_maximum
from nca_core.snapshot import Candidate, Snapshot, Trajectory
from nca_core.training.config import TrainingConfig
from nca_core.training.nca import train
from nca_core.training.starts import INITIALISATIONS, TRAINED_INITIALISATIONS, nearest_diagonal, scale_to_sensible_k


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
        Begin at the components of the last fit, and stay there where the climb gains at most tol in the mean.
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
        A key of OPTIMISERS.
    regularisation : float
        λ of the penalty −λ‖A‖².
    shape : str
        "full", or "diagonal" for A = diag(a), one weight for each feature; n_components then counts for nothing.
    scale_start : bool
        Multiply the start by a number that gives a sensible first K̂. Without, this is tried with the iterations left
        where the start lets each point see one neighbour alone; where that ends higher it counts, with a warning.
    target_similarity : str or ndarray or Similarity or None
        None for classes; for numeric y a key of TARGET_SIMILARITIES or a function of targets (m,) and (n,) that gives
        M_ij, (m, n), in [0, 1]; or M itself, (n_samples, n_samples), with any y. An evaluation then takes O(n²). For
        cross-validation give `PrecomputedSimilarity(M)` and as y the row numbers of M.
    standardise : bool
        Climb in units of each feature's standard deviation; the start and A stay in the units of X.
    summation : str
        "auto", or a key of SUMMATION_METHODS ("dense", "truncated", "spectral"): how the sums over neighbours are
        computed.
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
        False where the objective rises with the size of A for ever, as on separable data; K̂ then depends on `tol` and
        `max_iter` alone.
    ended_, reason_
        How the training ended, as in Trajectory.
    path_
        With keep_path a tuple of Snapshot, from iteration 0, the start.
    starts_
        What init="best_of_several" compared, a tuple of Candidate, best first; else empty.

    Notes
    -----
    X may be sparse, and is then never made dense; or in parts (`parts_of_folder`, `parts_of_arrays`, chunks of a Dask
    array), which are never in one place. Of these only Y, (n, d), the labels and the sums over neighbours are in one
    place, about 520 bytes a row. Of a Dask array 16 n d bytes travel in an evaluation, Y one way and ∂F/∂Y the other,
    beside A and its gradient for each chunk. y may hold numbers, where `target_similarity` says how similar two are.

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

    components_: np.ndarray
    _takes_parts = True

    # scikit-learn's table of what each parameter may be, which its error texts are made from.
    _parameter_constraints = parameter_constraints(
        ScikitLearnNCA,
        init=[one_of((*SCIKIT_LEARN_STARTS, *INITIALISATIONS)), np.ndarray],
        objective=[one_of(OBJECTIVES)],
        optimiser=[one_of(OPTIMISERS)],
        regularisation=[at_least(Real, 0)],
        shape=[one_of(("full", "diagonal"))],
        scale_start=["boolean"],
        target_similarity=[one_of(TARGET_SIMILARITIES), np.ndarray, callable, None],
        standardise=["boolean"],
        summation=[one_of(SUMMATIONS)],
        dtype=[one_of(DTYPES)],
        n_jobs=[Integral, None],
        keep_path=["boolean"],
    )

    def __init__(
        self,
        n_components: int | None = None,
        *,
        init: str | np.ndarray = "auto",
        warm_start: bool = False,
        max_iter: int = 50,
        tol: float = 1e-5,
        callback: Callable[[np.ndarray, int], None] | None = None,
        verbose: int = 0,
        random_state: Any = None,
        objective: str = "f",
        optimiser: str = "l-bfgs",
        regularisation: float = 0.0,
        shape: str = "full",
        scale_start: bool = False,
        target_similarity: str | np.ndarray | Similarity | None = None,
        standardise: bool = False,
        summation: str = "auto",
        dtype: str = "float64",
        n_jobs: int | None = None,
        keep_path: bool = False,
    ) -> None:
        super().__init__(
            n_components,
            init=init,
            warm_start=warm_start,
            max_iter=max_iter,
            tol=tol,
            callback=callback,
            verbose=verbose,
            random_state=random_state,
        )
        self.objective = objective
        self.optimiser = optimiser
        self.regularisation = regularisation
        self.shape = shape
        self.scale_start = scale_start
        self.target_similarity = target_similarity
        self.standardise = standardise
        self.summation = summation
        self.dtype = dtype
        self.n_jobs = n_jobs
        self.keep_path = keep_path

    def _train(self, X: Any, y: np.ndarray, sample_weight: np.ndarray | None, warm: bool) -> Trajectory:
        labels = supervision_of(y, self.target_similarity)
        codes, diagonal = labels.start_codes, self.shape == "diagonal"
        wanted = X.shape[1] if diagonal else self.n_components
        init = check_init(self.init, wanted, X.shape[1])
        self.random_state_ = check_random_state(self.random_state)
        self.starts_: tuple[Candidate, ...] = ()
        if warm:
            first = np.array(self.components_, dtype=np.float64)
        else:
            found = estimator_start(
                X, codes, wanted or X.shape[1], init, self.random_state_,
                verbose=self.verbose, diagonal=diagonal, sample_weight=sample_weight,
            )  # fmt: skip
            first, self.starts_ = found.transformation, found.tried
        if diagonal and first.shape[0] == first.shape[1]:
            first = nearest_diagonal(first)
        # The end of a training has learnt its scale already.
        trained = warm or (isinstance(init, str) and init in TRAINED_INITIALISATIONS)
        # With a scaled start the optimiser works in units of that scale, as if X had been scaled instead.
        start = scale_to_sensible_k(first, X, codes) if self.scale_start and not trained else first
        config = TrainingConfig(
            objective=self.objective,
            n_components=start.shape[0],
            optimiser=self.optimiser,
            regularisation=float(self.regularisation),
            shape=self.shape,
            max_iter=int(self.max_iter),
            tol=float(self.tol),
            standardise=self.standardise,
            summation=self.summation,
            dtype=self.dtype,
        )
        size = float(np.linalg.norm(first))

        def climb(start: np.ndarray, max_iter: int, made: int = 0) -> Trajectory:
            return train(
                X,
                labels.codes,
                replace(config, max_iter=max_iter),
                partial(self._heard, made=made),
                sample_weight=sample_weight,
                initial=start,
                unit=float(np.linalg.norm(start)) / size if size > 0.0 else 1.0,
                target_similarity=labels.target_similarity,
                targets=labels.targets,
                measure_accuracy=False,
                keep_path=False,
                n_jobs=self.n_jobs,
            )

        end, by = climb(start, config.max_iter), 1.0
        points = float(len(X) if sample_weight is None else sample_weight.sum())
        next_to_nothing = self.tol * (points if OBJECTIVES[self.objective].grows else 1.0)
        if not trained:
            end, by = better_from_a_smaller_start(end, X, codes, config.max_iter, next_to_nothing, climb)
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
        if end.ended == "max_iter":  # of both climbs together
            end = replace(end, reason=at_the_maximum(config.max_iter).reason)
        return end

    def _finish(self, end: Trajectory, X: Any, y: np.ndarray) -> None:
        self.k_determined_ = end.k_determined
        super()._finish(end, X, y)

    def _keep(self, last: Snapshot, X: Any, y: np.ndarray) -> None:
        self.components_ = np.array(last.transformation)
        self.k_estimate_ = last.k_mean_entropy

    def _warns(self, end: Trajectory) -> bool:
        return end.ended == "cannot_move" or (end.ended == "max_iter" and bool(self.verbose))

    def _warning(self, end: Trajectory) -> str:
        return f"NCA {'stayed at its start.' if end.ended == 'cannot_move' else 'did not converge:'} {end.reason}"

    def transform(self, X: Any) -> np.ndarray:
        """X Aᵀ of new points, an ndarray (n_queries, n_components), in one place also where X is in parts or Dask's."""
        return self._project(X)

    def score(self, X: Any, y: Any) -> float:
        """Mean p_i of these points among themselves: how often the stochastic rule finds the class of one that is left
        out. X and y as for `fit`."""
        check_is_fitted(self)
        X, y = labelled_features(self, X, y, parts=True, reset=False)
        labels = supervision_of(y, self.target_similarity)
        evaluator = Evaluator(
            X,
            labels.codes,
            target_similarity=labels.target_similarity,
            targets=labels.targets,
            n_jobs=self.n_jobs,
        )
        return evaluator.evaluate(self.components_).mean_p
