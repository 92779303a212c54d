"""train: maximise an objective of NCA over A. train_diagonal: over one weight for each feature."""

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from nca_core.features.covariance import principal_axes, turned_towards
from nca_core.features.rows import spreads, units_of
from nca_core.features.validation import check_initial
from nca_core.objectives.evaluator import Evaluation
from nca_core.snapshot import Candidate, frozen
from nca_core.training.config import TrainingConfig
from nca_core.training.problem import Iterate, MatrixProblem, Recorder
from nca_core.training.starts import nearest_diagonal, scaled_start, unit_of_data
from nca_core.training.train import ALL_EQUAL, CheckedInput, train_problem

_SHARE = 1e-2  # of the greatest squared weight: a start without it would never see a feature whose weight is 0


class NCAProblem(MatrixProblem):
    """An objective of NCA over A.

    unit: size of A at which the optimiser's own constants (its first step, its tolerance) are right. None: that of the
        start, or for an `initial` that of the data; without `scale_start` 1, as in scikit-learn.

    Goldberger, Roweis, Hinton, Salakhutdinov: Neighbourhood Components Analysis, NIPS 2004; eq. 3 (f), eq. 6 (g).
    """

    takes_parts = compares_targets = True

    def __init__(
        self,
        inputs: CheckedInput,
        config: TrainingConfig,
        recorder: Recorder,
        initial: Any = None,
        *,
        unit: float | None = None,
        n_jobs: int | None = None,
    ) -> None:
        X, diagonal = inputs.X, config.shape == "diagonal"
        self.nothing_to_learn = inputs.labels.nothing_to_learn()
        spread = units_of(X) if config.standardise else np.ones(X.shape[1])
        # The penalty is on the A of the standardised features, which is A times their spread.
        penalty = config.regularisation * spread**2
        evaluator = inputs.evaluator(config, regularisation=penalty, dtype=config.dtype, n_jobs=n_jobs)
        if not self.nothing_to_learn and not evaluator.spread.any():
            self.nothing_to_learn = ALL_EQUAL
        starts: tuple[Candidate, ...] = ()
        if initial is None:
            start = scaled_start(
                X / spread if config.standardise else X,
                inputs.labels.start_codes,
                config.n_components,
                config.initialisation,
                config.random_state,
                scale_start=config.scale_start,
                sample_weight=inputs.sample_weight,
                diagonal=diagonal,
                slot=recorder.slot,
            )
            for candidate in start.candidates:  # in the units of X, as every other A
                path = tuple(replace(at, transformation=frozen(at.transformation / spread)) for at in candidate.path)
                starts += (replace(candidate, transformation=path[-1].transformation, path=path),)
            initial = start.transformation / spread
            unit = start.unit if unit is None else unit
        else:
            initial = check_initial(initial, config.n_components, X.shape[1])
            if unit is None and config.scale_start and not config.standardise:
                unit = unit_of_data(spreads(X))
        if diagonal:
            initial = nearest_diagonal(initial)
        super().__init__(
            evaluator,
            recorder,
            initial,
            (1.0 if unit is None else unit) / spread,
            inputs.total(config),
            diagonal=diagonal,
            optimiser=config.optimiser,
            random_state=config.random_state,
            starts=starts,
        )
        free = config.optimiser in ("l-bfgs", "stochastic") and not self.nothing_to_learn
        if free and evaluator.is_prohibitive(initial):
            self.sample()


class DiagonalProblem(NCAProblem):
    """An objective of NCA over A = diag(a) in all dimensions.

    A snapshot's `transformation` is V diag(a), V the leading principal axes of the weighted rows, turned to lie on the
    one before; accuracies, mean p_i and K̂ belong to it, `objective` to diag(a) itself. From an `initial` A,
    (n_components, n_features), a starts at the lengths of its columns.

    Goldberger, Roweis, Hinton, Salakhutdinov: Neighbourhood Components Analysis, NIPS 2004, figure 1 ("diag-NCA").
    """

    takes_parts = False

    def __init__(self, inputs: CheckedInput, config: TrainingConfig, recorder: Recorder, initial: Any = None) -> None:
        X = inputs.X
        self._centred, self._n_shown = X - X.mean(axis=0), config.n_components
        if initial is not None:
            lengths = np.sum(check_initial(initial, config.n_components, X.shape[1]) ** 2, axis=0)
            initial = np.diag(np.sqrt(np.maximum(lengths, _SHARE * lengths.max())))
        super().__init__(inputs, replace(config, n_components=X.shape[1], shape="diagonal"), recorder, initial)

    def shown(self, A: np.ndarray, at: Evaluation, gradient_norm: float, fields: dict[str, object]) -> Iterate:
        a = np.diag(A)
        shown = principal_axes(self._centred * a, self._n_shown) * a
        if self.recorder.snapshots:
            shown = turned_towards(shown, self.recorder.snapshots[-1].transformation, self._centred)
        return Iterate(shown, at.objective, gradient_norm, fields={"sampled": at.sampled})


train = partial(train_problem, NCAProblem)
train_diagonal = partial(train_problem, DiagonalProblem)
