"""train_mcml: maximally collapsing metric learning over all Q ⪰ 0, with the gap to its dual."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from nca_core.features.covariance import truncated, turned_towards
from nca_core.neighbours.pairs.block_sums import each_block
from nca_core.optimisers import OptimiserResult
from nca_core.snapshot import frozen
from nca_core.training.config import TrainingConfig
from nca_core.training.problem import LARGEST, Iterate, Problem, Recorder
from nca_core.training.train import CheckedInput, initial_matrix, train_problem

_FLAT = 1e-7  # of the greatest eigenvalue, below which no direction is stretched any further


@dataclass(frozen=True)
class CollapseAt:
    """Everything known at one B."""

    primal: float  # L + λ s tr Q + Σ ω_i H[p⁰(·|i)], which is minimised; Q is B's
    gradient: np.ndarray  # ∂primal/∂B, (n_features, n_features)
    dual: float  # a number that no primal value anywhere can be below


class Collapse:
    """L(Q) = Σ_i ω_i KL[p⁰(·|i) ‖ p_Q(·|i)] + λ s tr Q for Q = R BᵀB R ⪰ 0, s the mean variance of a feature.

    With M₀ = Σ_i ω_i Σ_j p⁰(j|i) v_ij v_ijᵀ and M_p the same for p_Q, v_ij = x_j − x_i,

        L = tr M₀ Q + Σ_i ω_i log Z_i + λ s tr Q − const,   ∂L/∂Q = M₀ − M_p + λ s I.

    The factor makes Q positive semidefinite, and as B is square it adds no local optimum. R = (M₀ + λ s I)^(−1/2)
    up to a number, so that an optimiser's steps suit every direction and every unit of the features.

    X: rows whose mean is 0, (n_samples, n_features).
    y: class codes; a row with a negative one is a neighbour to all, and has no p⁰, (n_samples,).
    regularisation: λ. As it is multiplied by s, it means the same in every unit; on standardised features it is the
        paper's λ.
    sample_weight: ω_i, (n_samples,).

    Globerson, Roweis: Metric learning by collapsing classes, NIPS 2005; the dual is its eq. 9.
    """

    def __init__(
        self, X: np.ndarray, y: np.ndarray, regularisation: float, sample_weight: np.ndarray | None = None
    ) -> None:
        self._X = X
        n, D = X.shape
        members = np.zeros(n)
        weights = np.ones(n) if sample_weight is None else np.asarray(sample_weight, dtype=np.float64)
        M0 = np.zeros((D, D))
        for code in np.unique(y[y >= 0]):
            rows = np.flatnonzero(y == code)
            members[rows] = len(rows) - 1
            if len(rows) > 1:
                z = X[rows] - X[rows].mean(axis=0)
                own = weights[rows]
                M0 += ((len(rows) * own + own.sum())[:, None] * z).T @ z / (len(rows) - 1)
        self._weights = np.where(members > 0, weights, 0.0)
        self._rows = np.flatnonzero(self._weights)
        self.total = float(self._weights.sum())
        self.entropy = float(self._weights @ np.log(np.maximum(members, 1.0)))  # Σ ω_i H[p⁰(·|i)]
        self._pull = regularisation * float(np.mean(X.var(axis=0)))  # λ s
        linear = M0 + self._pull * np.eye(D)
        values, vectors = np.linalg.eigh(linear / max(self.total, 1.0))
        greatest = max(float(values[-1]), float(np.mean(X.var(axis=0))) * _FLAT, np.finfo(float).tiny)
        values = np.maximum(values, _FLAT * greatest)
        self.R = (vectors / np.sqrt(values)) @ vectors.T
        self._back = (vectors * np.sqrt(values)) @ vectors.T  # R⁻¹
        self._linear = self.R @ linear @ self.R
        self._Z = X @ self.R  # (n_samples, n_features)
        self._spread_within = np.linalg.eigvalsh(M0)

    def q_of(self, B: np.ndarray) -> np.ndarray:
        return (B @ self.R).T @ (B @ self.R)

    def start(self, A: np.ndarray, share: float = 1e-2) -> np.ndarray:
        """A square B of full rank near that of Q = AᵀA: a direction that is 0 in B would stay 0."""
        values, vectors = np.linalg.eigh(self._back @ A.T @ A @ self._back)
        values = np.maximum(values, share * max(float(values[-1]), np.finfo(float).tiny))
        return (vectors * np.sqrt(values)).T

    def evaluate(self, B: np.ndarray) -> CollapseAt:
        """Primal and dual value, and the gradients.

        The dual is max Σ ω_i H[p_i] over p with M₀ − M_p + λ s I ⪰ 0. The p of any Q, blended towards p⁰ far enough,
        is feasible where λ > 0; as the entropy is concave, a blend has at least the blend of the entropies.
        """
        B = np.clip(B, -LARGEST, LARGEST)
        log_z, M_p = self._neighbours(self._Z @ B.T, self._Z)
        in_q = self._linear - M_p  # ∂primal/∂Q̃, Q̃ = BᵀB
        Q = B.T @ B
        primal = float(np.sum(self._linear * Q)) + log_z
        entropy = log_z + float(np.sum(M_p * Q))  # Σ ω_i H[p_Q(·|i)], as H = log Z + E[d]
        slack = float(np.linalg.eigvalsh(self._back @ in_q @ self._back)[0]) - self._pull  # least of M₀ − M_p
        blend = 0.0 if slack >= -self._pull else 1.0 - self._pull / -slack
        return CollapseAt(primal, 2.0 * B @ in_q, (1.0 - blend) * entropy + blend * self.entropy)

    def runs_away(self, at: CollapseAt) -> bool:
        """Whether Q grows without end: without λ, where every class can collapse to a point."""
        if self._pull > 0.0:
            return False
        spread = np.linalg.eigvalsh(self._X.T @ self._X)
        alive = spread > 1e-10 * max(float(spread[-1]), np.finfo(float).tiny)
        within = self._spread_within > 1e-10 * max(float(self._spread_within[-1]), np.finfo(float).tiny)
        return int(within.sum()) < int(alive.sum()) or at.primal - self.entropy < 1e-2 * self.total

    def _neighbours(self, Y: np.ndarray, Z: np.ndarray) -> tuple[float, np.ndarray]:
        """Σ ω_i log Z_i and M_p in the coordinates Z, of neighbours by their distances in Y; O(n² D)."""
        n, D = Z.shape
        squares = np.einsum("ij,ij->i", Y, Y)
        weights = self._weights

        def work(block: slice, out: np.ndarray) -> None:
            here = self._rows[block]
            d = Y[here] @ Y.T  # (n_block, n_samples)
            d *= -2.0
            d += squares
            d += squares[here, None]
            d[np.arange(len(here)), here] = np.inf
            least = d.min(axis=1)
            np.subtract(least[:, None], d, out=d)
            p = np.exp(d, out=d)
            sums = p.sum(axis=1)
            out[D + 1, 0] += weights[here] @ (np.log(sums) - least)
            p *= (weights[here] / sums)[:, None]
            out[:D, :D] += Z[here].T @ (p @ Z)
            out[D, :n] += p.sum(axis=0)

        # One array for what each thread adds up: the products, then the sums over columns, then Σ ω log Z.
        total = each_block(n, self._rows, work, (D + 2, max(D, n)))
        cross = total[:D, :D]
        seen = weights + total[D, :n]
        return float(total[D + 1, 0]), (Z * seen[:, None]).T @ Z - cross - cross.T


_GAP_OF_TOL = 100.0  # the relative duality gap that ends a training is so many times config.tol
_LEAST_TOTAL = 1e-100
_PATIENCE = 1e-6  # of config.tol, for the optimiser where the gap ends the training


class MCMLProblem(Problem):
    """Minimise L(Q) + λ s tr Q over Q ⪰ 0; s is the mean variance of a feature.

    Convex in Q: there is one optimum whatever the start. Each snapshot shows the eigen-truncation of its Q to
    `config.n_components` rows, turned to lie on the one before; its `objective` is Σ_i Σ_j p⁰(j|i) log p_Q(j|i) − λ s
    tr Q, which is maximised and belongs to Q itself. Accuracies, mean p_i and K̂ belong to the A that is shown.

    Of `config`, `n_components`, `initialisation`, `regularisation` (λ), `max_iter`, `tol` and `random_state` count. The
    training ends where the duality gap is below 100 tol of L.

    Globerson, Roweis: Metric learning by collapsing classes, NIPS 2005.
    """

    def __init__(self, inputs: CheckedInput, config: TrainingConfig, recorder: Recorder, initial: Any = None) -> None:
        self.nothing_to_learn, self._gap = inputs.nothing_to_learn(), _GAP_OF_TOL * config.tol
        # With λ the gap ends the training, not a small gain alone.
        self._patience = _PATIENCE if config.regularisation > 0 else 1.0
        self._shown = initial_matrix(inputs, config, recorder, initial)
        self._X = inputs.X - inputs.X.mean(axis=0)
        self._collapse = Collapse(self._X, inputs.labels.codes, config.regularisation, inputs.sample_weight)
        # Beside weights that are next to nothing the penalty is all there is; its square stays finite.
        least = _LEAST_TOTAL if config.regularisation > 0 else 0.0
        super().__init__(recorder, len(self._X), max(self._collapse.total, least))
        self._start = self._collapse.start(self._shown)
        self._recorded: CollapseAt
        self._dual = -np.inf  # the best bound of all that were seen; near the optimum they go up and down
        self._spectrum = np.zeros(0)

    def evaluate(self, variables: np.ndarray) -> tuple[float, np.ndarray, CollapseAt]:
        found = self._collapse.evaluate(variables)
        self._dual = max(self._dual, found.dual)
        return -found.primal, -found.gradient, found

    def describe(self, variables: np.ndarray) -> Iterate:
        value, gradient, self._recorded = self.evaluated(variables)
        A, self._spectrum = truncated(self._collapse.q_of(variables), len(self._shown))
        self._shown = turned_towards(A, self._shown, self._X)
        # The gradient in B, whose unit is that of no feature.
        norm = float(np.linalg.norm(gradient))
        return Iterate(self._shown, value, norm, fields={"spectrum": frozen(self._spectrum)})

    def converged(self) -> bool:
        return self.relative_gap() <= self._gap

    def relative_gap(self) -> float:
        """(L − dual) / L: how far above the optimum the last iterate may be at most, as a share of L."""
        found = self._recorded
        loss = found.primal - self._collapse.entropy
        return (found.primal - self._dual) / max(loss, np.finfo(float).tiny)

    def ascend(self, start: Any, max_iter: int, tol: float, on_step: Callable[[Any], None]) -> OptimiserResult:
        return super().ascend(start, max_iter, tol * self._patience, on_step)

    def conclude(self, result: OptimiserResult) -> OptimiserResult:
        """How it ended, with the certificate and the spectrum of Q."""
        last = self.recorder.snapshots[-1]
        ended, sentences, gap = result.ended, [result.reason], self.relative_gap()
        if self.converged():
            ended, sentences = "converged", [f"Converged after {last.iteration} iterations."]
        if ended != "stopped":
            if gap < 1.0:
                sentences.append(f"The duality gap proves it to be within {100 * gap:.2g} % of the one optimum.")
            if self._collapse.runs_away(self._recorded):
                sentences.append("The classes can be brought to points, so Q runs away; a penalty λ > 0 holds it.")
            total = float(self._spectrum.sum())
            shown, D = len(last.transformation), len(self._spectrum)
            if shown < D and total > 0:
                share = 100 * float(self._spectrum[:shown].sum()) / total
                sentences.append(f"The axes shown hold {share:.0f} % of the sum of the metric's {D} eigenvalues.")
        return OptimiserResult(ended, " ".join(sentences))


train_mcml = partial(train_problem, MCMLProblem)
