"""Numbers of a projection; Snapshot: one iteration of a training; Trajectory: all of its iterations, in order.

Network: y = V s(W (x − c) / σ + b), one hidden layer (section 5 of the NCA paper)."""

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass, replace

import numpy as np


@dataclass(frozen=True)
class Units:
    """A kind of hidden unit: its value, and its slope as a function of that value."""

    value: Callable[[np.ndarray], np.ndarray]
    slope: Callable[[np.ndarray], np.ndarray]


UNITS: dict[str, Units] = {
    # 1 / (1 + exp(−z)), which overflows nowhere in this form.
    "logistic": Units(lambda z: 0.5 * (1.0 + np.tanh(0.5 * z)), lambda h: h * (1.0 - h)),
    "linear": Units(lambda z: z, np.ones_like),
}


@dataclass(frozen=True)
class Network:
    """A projection that is not linear; arrays are read-only."""

    units: str  # key of UNITS
    centre: np.ndarray  # c and σ: features are taken in these units first, (n_features,)
    spread: np.ndarray
    W: np.ndarray  # weights into the hidden units, (n_hidden, n_features)
    b: np.ndarray  # their biases, (n_hidden,)
    V: np.ndarray  # weights out of them, (n_components, n_hidden); no bias, as distances do not depend on one

    def apply(self, X: np.ndarray) -> np.ndarray:
        """Project rows X, (n_samples, n_components)."""
        hidden = UNITS[self.units].value((X - self.centre) / self.spread @ self.W.T + self.b)
        return hidden @ self.V.T


# The numbers of a snapshot in the order in which they are sent and stored.
NUMBERS = (
    "iteration",
    "objective",
    "mean_p",
    "gradient_norm",
    "k_mean_entropy",
    "k_mean_perplexity",
    "accuracy_1nn",
    "accuracy_knn",
    "held_out_1nn",
    "held_out_knn",
    "seconds",
)


@dataclass(frozen=True, kw_only=True)
class Numbers:
    """What is measured of one projection, by the same names in curves, tables, experiments and exports.

    A number that does not apply is NaN.
    """

    # mean p_i, the expected leave-one-out accuracy of the stochastic neighbour rule (f/n; NCA paper, eq. 3).
    mean_p: float = float("nan")
    k_mean_entropy: float = float("nan")  # K̂ = exp(mean_i H_i), H_i the entropy of p_i· in nats
    k_mean_perplexity: float = float("nan")  # the other average, mean_i exp(H_i)
    accuracy_1nn: float = float("nan")  # leave-one-out accuracy of the 1-nearest-neighbour rule on the training rows
    # the same with K neighbours; of a training K = round(k_mean_entropy), at least 1
    accuracy_knn: float = float("nan")
    held_out_1nn: float = float("nan")  # accuracy of the 1-nearest-neighbour rule on held-out rows
    held_out_knn: float = float("nan")  # the same with K neighbours
    seconds: float = 0.0  # time spent computing, pauses excluded


@dataclass(frozen=True)
class Sampled:
    """Standard errors of numbers estimated from a random sample of the points, each summed over all others."""

    n_points: int  # in the sample
    of: int  # all points
    # standard errors, with which an estimate of n points varies from one sample to another: of mean p_i, which times
    # the sum of the weights is that of f; and of K̂
    mean_p: float
    k_mean_entropy: float


@dataclass(frozen=True)
class Snapshot(Numbers):
    """One iteration of a training, everything in it measured at the same A."""

    iteration: int  # 0 is the start, before the first step
    # A, shape (n_components, n_features), read-only; of a network the matrix over its hidden units, (n_components,
    # n_hidden)
    transformation: np.ndarray
    _: KW_ONLY
    objective: float  # value that is maximised, the penalty −λ‖A‖² included
    gradient_norm: float  # Frobenius norm of the objective's gradient in A
    # the summation method used ("dense", "truncated", "spectral"; "pairwise" for a target similarity; "sampled" where
    # objective, gradient, mean p_i and K̂ are estimates, as `sampled` says how good)
    summation: str = "dense"
    sampled: Sampled | None = None
    # Y of a method whose projection is not linear, (n_samples, n_components), read-only
    coordinates: np.ndarray | None = None
    network: Network | None = None  # what computes these coordinates, and places new rows
    # eigenvalues of the metric of full rank of which `transformation` shows the leading axes, the greatest first
    spectrum: np.ndarray | None = None
    # of iteration 0, where "best_of_several" led there: the starts that it compared, best first
    starts: tuple["Candidate", ...] = ()

    def after(self, before: "Snapshot") -> "Snapshot":
        """The same snapshot, its iteration and seconds counted on from those of `before`."""
        iteration, seconds = before.iteration + self.iteration, before.seconds + self.seconds
        return replace(self, iteration=iteration, seconds=seconds)


@dataclass(frozen=True)
class Candidate:
    """A start that was tried by "best_of_several"."""

    initialisation: str  # its name in INITIALISATIONS
    scale: float  # how much larger than a start with a sensible K̂ it began
    transformation: np.ndarray  # the A that a short run reached, (n_components, n_features), read-only
    mean_p: float  # the weighted mean p_i there, over the points of the short runs (at most 5,000)
    # the short run, from its start to `transformation`: first iterations of g, then of f. No accuracies.
    path: tuple[Snapshot, ...] = ()


@dataclass(frozen=True)
class Trajectory:
    """The snapshots of one training in order."""

    snapshots: tuple[Snapshot, ...]  # from iteration 0, the start
    ended: str = ""  # "converged", "max_iter", "stopped", "cannot_move", "failed"; "" while it runs
    reason: str = ""  # the same in one plain sentence
    # false where the objective would rise with the size of A without end, as on separable data: then K̂ depends on `tol`
    # and `max_iter` alone
    k_determined: bool = True

    @property
    def starts(self) -> tuple[Candidate, ...]:
        """The starts that "best_of_several" compared, best first; the training went on from the first."""
        return self.snapshots[0].starts if self.snapshots else ()


def frozen(array: np.ndarray) -> np.ndarray:
    """The array itself, read-only from now on."""
    array.flags.writeable = False
    return array
