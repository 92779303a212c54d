"""train_variable_kernel: metrics learnt for a vote by a Gaussian of variable width (VSM, GVSM)."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from nca_core.features.covariance import truncated, turned_towards
from nca_core.features.rows import deviations, varies
from nca_core.optimisers import OptimiserResult
from nca_core.snapshot import frozen
from nca_core.training.config import TrainingConfig
from nca_core.training.problem import Iterate, Problem, Recorder
from nca_core.training.train import CheckedInput, initial_matrix, train_problem

_SMALLEST = 1e-12  # of the mean squared distance: the least squared width, for points with duplicates


@dataclass(frozen=True)
class Votes:
    """Weights of the K nearest neighbours of some points."""

    squares: np.ndarray  # d², the nearest first, (n_queries, K)
    width: np.ndarray  # σ = (r/M) Σ_{m≤M} d_m, (n_queries,)
    weights: np.ndarray  # n_k / Σ n_k, n_k = exp(−d_k² / 2σ²), (n_queries, K)


def nearest(Y: np.ndarray, n_neighbours: int, queries: np.ndarray | None = None) -> np.ndarray:
    """Row numbers of the neighbours in Y, (n_samples, n_components), the nearest first, (n_queries, K).

    Without queries, of each row of Y itself, which is not its own neighbour.
    """
    from sklearn.neighbors import NearestNeighbors

    search = NearestNeighbors(n_neighbors=n_neighbours).fit(Y)
    return np.asarray(search.kneighbors(queries, return_distance=False))


def votes(Y: np.ndarray, neighbours: np.ndarray, r: float, queries: np.ndarray | None = None) -> Votes:
    """The weights of the neighbours of each query; without queries, of each row of Y."""
    steps = (Y if queries is None else queries)[:, None] - Y[neighbours]  # (n_queries, K, n_components)
    squares = np.einsum("tkd,tkd->tk", steps, steps)
    M = max(1, neighbours.shape[1] // 2)  # the neighbours whose mean distance is the width
    width = r * np.sqrt(squares[:, :M]).mean(axis=1)
    least = max(_SMALLEST * float(squares.mean()), np.finfo(float).tiny)
    exponents = -squares / (2.0 * np.maximum(width**2, least))[:, None]
    weights = np.exp(exponents - exponents.max(axis=1, keepdims=True))
    return Votes(squares, width, weights / weights.sum(axis=1, keepdims=True))


def class_shares(weights: np.ndarray, codes: np.ndarray, n_classes: int) -> np.ndarray:
    """p_i = Σ_k n_k s_ki / Σ_k n_k, (n_queries, n_classes); `codes`, (n_queries, K), of the neighbours."""
    shares = np.zeros((len(weights), n_classes))
    np.add.at(shares, (np.arange(len(weights))[:, None], codes), weights)
    return shares


def error_and_gradient(
    X: np.ndarray,
    y: np.ndarray,
    neighbours: np.ndarray,
    L: np.ndarray,
    r: float,
    sample_weight: np.ndarray | None = None,
) -> tuple[float, np.ndarray, float]:
    """E = Σ_t ω_t Σ_i (s_ti − p_ti)², leave one out, at fixed neighbour lists, with its derivatives.

    With the weights P_k = n_k/Σn, e_k = ∂E/∂P_k = 2 ω_t (p_{c_k} − [c_k = y_t]) and h_k = P_k (e_k − Σ_l P_l e_l),

        ∂E/∂d_k² = −h_k/2σ² + [k ≤ M] (r/M) Σ_l h_l d_l²/σ³ / 2 d_k,   ∂E/∂log r = Σ_k h_k d_k²/σ²,
        ∂E/∂L = 2 L Σ_tk ∂E/∂d_tk² (x_t − c_k)(x_t − c_k)ᵀ.

    X: rows, (n_samples, n_features).
    y: their class codes, from 0, (n_samples,).
    neighbours: of each row, the nearest first, (n_samples, K).
    L: d² = (x − c)ᵀ LᵀL (x − c), (n_features, n_features).
    r: width of the kernel, in mean distances to the M nearest neighbours.
    sample_weight: ω_t; None: 1, (n_samples,).

    Returns E, ∂E/∂L with respect to every entry, and ∂E/∂log r, (n_features, n_features).

    Naudé, van Wyk, van Wyk: Generalized variable-kernel similarity metric learning, SSPR 2004, section 4.
    """
    from scipy.sparse import csr_array

    n, K = neighbours.shape
    found = votes(X @ L.T, neighbours, r)
    P, squares = found.weights, found.squares
    codes = y[neighbours]  # (n_samples, K)
    right = codes == y[:, None]
    of_its_class = np.einsum("tkl,tl->tk", codes[:, :, None] == codes[:, None, :], P)  # p of each neighbour's class
    weights = np.ones(n) if sample_weight is None else sample_weight
    error = float(weights @ (1.0 - 2.0 * (P * right).sum(axis=1) + (P * of_its_class).sum(axis=1)))
    e = 2.0 * weights[:, None] * (of_its_class - right)
    h = P * (e - (P * e).sum(axis=1, keepdims=True))
    M = max(1, K // 2)
    least = max(_SMALLEST * float(squares.mean()), np.finfo(float).tiny)
    moves = found.width**2 > least  # at its floor the width follows nothing, and the nearest ones alone vote
    variance = np.maximum(found.width**2, least)[:, None]
    d_log_width = np.where(moves[:, None], (h * squares / variance), 0.0).sum(axis=1, keepdims=True)
    d_squares = np.where(moves[:, None], -h / (2.0 * variance), 0.0)
    distances = np.sqrt(squares[:, :M])
    slope = np.divide(0.5, distances, out=np.zeros_like(distances), where=distances > 0)
    d_squares[:, :M] += d_log_width / np.sqrt(variance) * (r / M) * slope
    W = csr_array((d_squares.ravel(), neighbours.ravel(), np.arange(0, n * K + 1, K)), shape=(n, n))
    seen = d_squares.sum(axis=1) + np.asarray(W.sum(axis=0)).ravel()
    cross = X.T @ (W @ X)
    scatter = (X * seen[:, None]).T @ X - cross - cross.T
    return error, 2.0 * L @ scatter, float(d_log_width.sum())


METRICS = ("none", "diagonal", "full")
_INNER = 8  # iterations of L-BFGS between two searches for neighbours
_HALVINGS = 6
# Narrower than this, the nearest neighbour alone votes and no derivative is left; wider, all K vote the same.
_R_RANGE = 0.5, 5.0
_GAIN_OF_TOL = 100.0  # a gain of so many times config.tol, for each row, ends the training


@dataclass(frozen=True)
class VariableKernelConfig(TrainingConfig):
    # K; cut to the number of other labelled rows. The paper does not give its own; Lowe (1995) took 10.
    n_neighbours: int = 10
    metric: str = "full"  # "diagonal" (VSM) or "full" (GVSM, L upper triangular); "none" learns the width r alone
    # the width of the kernel, in mean distances to the K/2 nearest neighbours; None: learnt, from 1
    r: float | None = None


@dataclass(frozen=True)
class Learnt:
    """L and r, with E at the neighbours that L gives."""

    L: np.ndarray
    r: float
    error: float
    neighbours: np.ndarray


class KernelMetricProblem(Problem):
    """Lower E over the free entries of L and log r; a snapshot has L as `transformation`, −E as `objective`.

    X: labelled rows in units of each feature's spread, so that a step suits every one, (n_samples, n_features).
    y: their class codes, from 0, (n_samples,).
    L, r: where it starts, L in the units of X, (n_features, n_features).
    spread: the units of X, (n_features,).
    sample_weight: weight of each row's term of E, (n_samples,).
    """

    def __init__(
        self,
        recorder: Recorder,
        X: np.ndarray,
        y: np.ndarray,
        config: VariableKernelConfig,
        L: np.ndarray,
        r: float = 1.0,
        *,
        spread: np.ndarray,
        sample_weight: np.ndarray | None = None,
    ) -> None:
        total = float(len(X) if sample_weight is None else sample_weight.sum())
        super().__init__(recorder, len(X), max(total, np.finfo(float).tiny))
        self._X, self._y, self._weight, self.spread = X, y, sample_weight, spread
        self._L, self._r, self._learns_r = L, config.r or r, config.r is None
        self._K = min(config.n_neighbours, len(X) - 1)
        D = X.shape[1]
        shapes = {
            "none": np.zeros((D, D), dtype=bool),
            "diagonal": np.eye(D, dtype=bool),
            "full": np.tri(D, dtype=bool).T,
        }
        self._free = shapes[config.metric]

    def start(self) -> Learnt:
        with self.recorder.timed_slot():
            return self.at(self._L, self._r)

    def at(self, L: np.ndarray, r: float) -> Learnt:
        neighbours = nearest(self._X @ L.T, self._K)
        return Learnt(L, r, self.error_at(neighbours, L, r)[0], neighbours)

    def error_at(self, neighbours: np.ndarray, L: np.ndarray, r: float) -> tuple[float, np.ndarray]:
        """E, and its derivatives in the free entries of L and log r, (n_free + 1,)."""
        error, d_L, d_log_r = error_and_gradient(self._X, self._y, neighbours, L, r, self._weight)
        return error, np.append(d_L[self._free], d_log_r if self._learns_r else 0.0)

    def describe(self, variables: Learnt) -> Iterate:
        self.learnt = variables  # each lowers the error
        return Iterate(variables.L / self.spread, -variables.error, np.nan)

    def ascend(self, start: Learnt, max_iter: int, tol: float, on_step: Callable[[Learnt], None]) -> OptimiserResult:
        """Take steps, each in a slot, until one gains almost nothing."""
        at = start
        for iteration in range(1, max_iter + 1):
            with self.recorder.timed_slot():
                new = self.step(at)
            if new is None:
                reason = f"No step lowers the error any more, after {iteration - 1} iterations; {_width(at.r)}."
                return OptimiserResult("converged", reason)
            gained, at = at.error - new.error, new
            on_step(at)
            if gained <= _GAIN_OF_TOL * tol * self.total:
                return OptimiserResult("converged", f"Converged after {iteration} iterations; {_width(at.r)}.")
        return OptimiserResult("max_iter", f"Reached the maximum of {max_iter} iterations; {_width(at.r)}.")

    def step(self, at: Learnt) -> Learnt | None:
        """Some iterations with fixed neighbours, then that step halved until E is lower with its own neighbours.

        Found anew, the neighbours change E by a jump, which no gradient knows of. None where nothing lowers E.
        """
        from scipy.optimize import minimize

        def value(flat: np.ndarray) -> tuple[float, np.ndarray]:
            error, slope = self.error_at(at.neighbours, *self._unpacked(at.L, flat))
            return error / self.total, slope / self.total

        start = np.append(at.L[self._free], np.log(at.r))
        options: Any = {"maxiter": _INNER, "ftol": 0.0, "gtol": 1e-10}
        bounds: Any = [(None, None)] * (len(start) - 1) + [tuple(np.log(_R_RANGE)) if self._learns_r else (None, None)]
        reached = minimize(value, start, jac=True, method="L-BFGS-B", bounds=bounds, options=options).x
        for halving in range(_HALVINGS):
            L, r = self._unpacked(at.L, start + 0.5**halving * (reached - start))
            size = float(np.linalg.norm(L))
            if not np.isfinite(size) or size == 0.0:
                continue
            new = self.at(L * (np.linalg.norm(at.L) / size), r)  # E does not depend on the scale of L
            if new.error < at.error:
                return new
        return None

    def _unpacked(self, L: np.ndarray, flat: np.ndarray) -> tuple[np.ndarray, float]:
        new = L.copy()
        new[self._free] = flat[:-1]
        return new, float(np.exp(flat[-1]))


def _width(r: float) -> str:
    bound = next((name for name, at in zip(("least", "largest"), _R_RANGE, strict=True) if np.isclose(r, at)), "")
    return f"r = {r:.2g}" + (f", the {bound} that is tried" if bound else "")


def spread_of(X: np.ndarray) -> np.ndarray:
    """Standard deviation of each feature, (n_features,); where it does not vary, the mean of the others."""
    deviation = deviations(X)
    varying = varies(X, deviation)
    usual = float(deviation[varying].mean()) if varying.any() else 1.0
    return np.where(varying, deviation, usual)


def start_of(initial: np.ndarray | None, spread: np.ndarray, metric: str) -> np.ndarray:
    """L in units of the spread: the Euclidean distance of the rows, and as much again along the axes of `initial`."""
    n_features = len(spread)
    Q = np.eye(n_features)
    if initial is not None and metric != "none":
        own = initial.T @ initial
        Q = Q + own / max(float(np.linalg.norm(own, 2)), np.finfo(float).tiny)
    Q = Q * np.outer(spread, spread) / float(np.mean(spread**2))
    Q = np.diag(np.diag(Q)) if metric == "diagonal" else Q
    ridge = 1e-12 * float(np.trace(Q)) / n_features * np.eye(n_features)
    return np.linalg.cholesky(Q + ridge).T


class VariableKernelProblem(KernelMetricProblem):
    """Learn L and r by lowering E, the squared error of the variable-kernel rule, leave one out.

    `objective` of a snapshot is −E, which is maximised. What is shown is the eigen-truncation of LᵀL / 2σ̄², σ̄² the
    mean squared width, turned to lie on the one before; accuracies, mean p_i and K̂ belong to it. Rows without a label
    are left out.

    Lowe: Similarity metric learning for a variable-kernel classifier, Neural Computation 1995 (VSM); Naudé, van Wyk,
    van Wyk: Generalized variable-kernel similarity metric learning, SSPR 2004 (GVSM).
    """

    def __init__(
        self, inputs: CheckedInput, config: VariableKernelConfig, recorder: Recorder, initial: Any = None
    ) -> None:
        X, rows = inputs.X, inputs.labels.codes >= 0
        self.nothing_to_learn = inputs.nothing_to_learn()
        if not self.nothing_to_learn and not np.ptp(X[rows], axis=0).any():
            self.nothing_to_learn = "All labelled rows are equal, so every projection is as good as any other."
        self._shown, spread = initial_matrix(inputs, config, recorder, initial), spread_of(X)
        self._centred = X - X.mean(axis=0)
        self._labelled = self._centred[rows]
        super().__init__(
            recorder,
            self._labelled / spread,
            np.unique(inputs.labels.codes[rows], return_inverse=True)[1],
            config,
            start_of(self._shown, spread, config.metric),
            spread=spread,
            sample_weight=None if inputs.sample_weight is None else inputs.sample_weight[rows],
        )

    def start(self) -> Any:
        return None if self.nothing_to_learn else super().start()

    def describe(self, variables: Any) -> Iterate:
        if self.nothing_to_learn:
            return Iterate(self._shown, 0.0, 0.0)
        at: Learnt = variables
        L = at.L / self.spread
        width = votes(self._labelled @ L.T, at.neighbours, at.r).width
        Q = L.T @ L / (2.0 * max(float(np.mean(width**2)), np.finfo(float).tiny))
        A, spectrum = truncated(Q, len(self._shown))
        self._shown = turned_towards(A, self._shown, self._centred)
        norm = float(np.linalg.norm(self.error_at(at.neighbours, at.L, at.r)[1]))
        return Iterate(self._shown, -at.error, norm, fields={"spectrum": frozen(spectrum)})


train_variable_kernel = partial(train_problem, VariableKernelProblem)
