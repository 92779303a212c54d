"""train_mlkr: the metric in which the mean of a row's neighbours, weighed by p_ij, comes nearest to its own target."""

from functools import partial
from typing import Any

import numpy as np

from nca_core.features.rows import units_of
from nca_core.neighbours.pairs.block_sums import each_block
from nca_core.training.config import TrainingConfig
from nca_core.training.problem import LARGEST, Iterate, Problem, Recorder
from nca_core.training.train import CheckedInput, initial_matrix, train_problem


def regression_error(Y: np.ndarray, T: np.ndarray, weights: np.ndarray) -> tuple[float, np.ndarray]:
    """Σ_i ω_i ‖t_i − t̂_i‖², t̂_i = Σ_{j≠i} p_ij t_j, and its gradient in Y; O(n²).

    With h_ij = −2 ω_i p_ij (t̂_i − t_i)·(t_j − t̂_i), which is the derivative in ‖y_i − y_j‖²,

        ∂/∂y_m = 2 Σ_j (h_mj + h_jm) (y_m − y_j).

    Y: places, (n_samples, n_components).
    T: targets, (n_samples, n_targets).
    weights: ω_i, (n_samples,).

    Returns the error, and its gradient, (n_samples, n_components).

    Weinberger, Tesauro: Metric learning for kernel regression, AISTATS 2007, eq. 2 and 6.
    """
    n, d = Y.shape
    squares, rows = np.einsum("ij,ij->i", Y, Y), np.arange(n)

    def work(here: slice, out: np.ndarray) -> None:
        p = 2.0 * Y[here] @ Y.T  # (n_block, n_samples)
        p -= squares
        p -= squares[here, None]
        p[np.arange(len(p)), rows[here]] = -np.inf
        p -= p.max(axis=1, keepdims=True)
        np.exp(p, out=p)
        p /= p.sum(axis=1, keepdims=True)
        predicted = p @ T  # (n_block, n_targets)
        off = predicted - T[here]
        out[n, 0] += weights[here] @ np.einsum("ij,ij->i", off, off)
        h = off @ T.T  # (n_block, n_samples)
        h -= np.einsum("ij,ij->i", off, predicted)[:, None]
        h *= p
        h *= -2.0 * weights[here, None]
        out[:n] += h.sum(axis=0)[:, None] * Y - h.T @ Y[here]
        out[here] += h.sum(axis=1)[:, None] * Y[here] - h @ Y

    total = each_block(n, rows, work, (n + 1, d))
    return float(total[n, 0]), 2.0 * total[:n]


class KernelRegressionProblem(Problem):
    """Minimise the leave-one-out squared error of kernel regression over A; `objective` is less that error.

    Numeric targets count in units of their standard deviation, so that the objective over n is the coefficient of
    determination less 1. Without any, the shares of the classes among the neighbours are regressed on the classes.

    Of `config`, `n_components`, `initialisation`, `regularisation` (λ), `max_iter`, `tol` and `random_state` count.

    Weinberger, Tesauro: Metric learning for kernel regression, AISTATS 2007.
    """

    regresses = True

    def __init__(self, inputs: CheckedInput, config: TrainingConfig, recorder: Recorder, initial: Any = None) -> None:
        codes, numbers = inputs.labels.codes, inputs.labels.targets
        self.nothing_to_learn = inputs.nothing_to_learn()
        if numbers is None:  # the classes as rows of the identity
            rows = np.flatnonzero(codes >= 0)
            classes, places = np.unique(codes[rows], return_inverse=True)
            self._T = np.eye(len(classes))[places]
        else:
            rows, spread = np.arange(len(codes)), float(numbers.std())
            self._T = ((numbers - numbers.mean()) / (spread or 1.0))[:, None]
        weights = np.ones(len(rows)) if inputs.sample_weight is None else inputs.sample_weight[rows]
        super().__init__(recorder, len(rows), float(weights.sum()))
        self._weights, self._spread = weights, units_of(inputs.X)
        self._start = initial_matrix(inputs, config, recorder, initial) * self._spread
        self._Z = (inputs.X[rows] - inputs.X.mean(axis=0)) / self._spread
        self._penalty = config.regularisation / self._spread**2

    def evaluate(self, variables: np.ndarray) -> tuple[float, np.ndarray]:
        A, B = variables, np.clip(variables, -LARGEST, LARGEST)
        error, d_Y = regression_error(self._Z @ B.T, self._T, self._weights)
        return -error - float(np.sum(self._penalty * A * A)), -d_Y.T @ self._Z - 2.0 * self._penalty * A

    def describe(self, variables: np.ndarray) -> Iterate:
        if self.nothing_to_learn:
            return Iterate(variables / self._spread, 0.0, 0.0)
        value, gradient = self.evaluated(variables)
        return Iterate(variables / self._spread, value, float(np.linalg.norm(gradient * self._spread)))


train_mlkr = partial(train_problem, KernelRegressionProblem)
