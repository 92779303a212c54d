"""INITIALISATIONS: name -> the A from which a training starts.

SIMPLE_STARTS are computed from the data at once; the others are the end of a short training.
"""

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from nca_core.accuracy import k_mean_entropy
from nca_core.features.covariance import class_statistics, covariance, discriminant_axes, leading_axes, whitening_axes
from nca_core.features.rows import SparseRows, spreads, stratified_sample
from nca_core.features.validation import check_choice
from nca_core.objectives.evaluator import Evaluation, Evaluator
from nca_core.snapshot import Candidate, Snapshot
from nca_core.training.problem import MatrixProblem, Recorder, Slot

Initialiser = Callable[[np.ndarray, np.ndarray, int, np.random.Generator], np.ndarray]


def _pooled_whitening(X: np.ndarray, y: np.ndarray, d: int, rng: np.random.Generator) -> np.ndarray:
    return whitening_axes(class_statistics(X, y).within if np.any(y >= 0) else covariance(X), d, spreads(X))


def auto_initialisation(shape: tuple[int, int], n_classes: int, n_components: int) -> str:
    """scikit-learn's rule for "auto": LDA where the classes span enough axes, else PCA, else identity.

    shape: (n_samples, n_features).
    """
    if n_components <= min(shape[1], n_classes - 1):
        return "lda"
    return "pca" if n_components < min(shape) else "identity"


def _auto_name(X: np.ndarray, y: np.ndarray, d: int) -> str:
    return auto_initialisation(X.shape, len(np.unique(y[y >= 0])), d)


SIMPLE_STARTS: dict[str, Initialiser] = {
    "pca": lambda X, y, d, rng: leading_axes(X, d),
    "lda": lambda X, y, d, rng: discriminant_axes(X, y, d)[0] if np.any(y >= 0) else leading_axes(X, d),
    "identity": lambda X, y, d, rng: np.eye(d, X.shape[1]),
    "random": lambda X, y, d, rng: rng.standard_normal((d, X.shape[1])),
    "uniform": lambda X, y, d, rng: rng.uniform(0.0, 1.0, (d, X.shape[1])),
    "whitening": lambda X, y, d, rng: whitening_axes(covariance(X), d, spreads(X)),
    "pooled_whitening": _pooled_whitening,
    "auto": lambda X, y, d, rng: SIMPLE_STARTS[_auto_name(X, y, d)](X, y, d, rng),
}
# Their size is that of 1 / X; the others are as large in every unit of X.
_FOLLOW_X = ("lda", "whitening", "pooled_whitening")

_NEED_DENSE = ("lda", "whitening", "pooled_whitening", "auto")
_SCALED_ON = 1_000
_LARGEST_LOG_SCALE = 60.0
_FACTORS = np.exp(np.arange(-3.0, 9.0))  # times 1 / the extent of Y: from all pairs alike to the nearest alone
_LARGEST_FACTOR = 1e70


def nearest_diagonal(transformation: np.ndarray) -> np.ndarray:
    """diag(‖a_1‖, ‖a_2‖, ...) of the columns a_k of a square A: a rotation of Y does not change their lengths."""
    return np.diag(np.linalg.norm(transformation, axis=0))


def unit_of_data(spread: np.ndarray) -> float:
    """The size of A at which Y is about as wide as one standardised feature: 1 / the root mean square of the spreads.

    spread: standard deviation of each feature, (n_features,); those of 0 do not count.
    """
    varying = spread[spread > 0]
    if not varying.size:
        return 1.0
    widest = float(varying.max())
    size = widest * float(np.sqrt(np.mean((varying / widest) ** 2)))
    if not 1.0 / _LARGEST_FACTOR < size < _LARGEST_FACTOR:
        return 1.0
    # Twenty binary digits, so that for standardised features it is 1 and changes no digit of a training.
    share, exponent = np.frexp(1.0 / size)
    return float(np.ldexp(np.round(share * 2.0**20) / 2.0**20, exponent))


def scale_to_sensible_k(transformation: np.ndarray, X: np.ndarray, y: np.ndarray) -> np.ndarray:
    """`transformation` times one positive number, so that the first K̂ lies between 3 and a third of the points.

    Too large a start gives each point one neighbour, too small a one gives it all of them; in both the gradient
    vanishes. A start that is already between stays as it is. So does one of more neighbours at which the objective
    answers more strongly than at the scaled one; of fewer, a strong answer comes from some far pairs and leads nowhere.
    Where duplicates leave no scale with a sensible K̂, that of the strongest answer is taken. Measured on at most 1,000
    points.
    """
    n = len(X)
    rows = np.linspace(0, n - 1, min(n, _SCALED_ON)).astype(int)
    evaluator = Evaluator(X[rows], y[rows])
    Y = X[rows] @ transformation.T
    extent = float(np.abs(Y - Y.mean(axis=0)).max())  # scales are looked for around 1 / extent
    if not 1.0 / _LARGEST_FACTOR < extent < _LARGEST_FACTOR:
        return transformation

    def at(factor: float) -> Evaluation:
        return evaluator.evaluate(transformation * factor)

    def pull(factor: float) -> float:
        """How strongly the objective answers to a relative change of A."""
        return float(np.linalg.norm(at(factor).gradient) * factor)

    low, high = min(3.0, len(rows) / 4), max(len(rows) / 3, 1.5)
    k = k_mean_entropy(at(1.0).entropy)
    if low <= k <= high:
        return transformation
    target = np.sqrt(low * high)
    small, large = -_LARGEST_LOG_SCALE, _LARGEST_LOG_SCALE  # K̂ falls as the scale grows
    for _ in range(32):
        middle = 0.5 * (small + large)
        if k_mean_entropy(at(np.exp(middle) / extent).entropy) > target:
            small = middle
        else:
            large = middle
    found = float(np.exp(large) / extent)
    if not 1.0 / _LARGEST_FACTOR < found < _LARGEST_FACTOR:
        return transformation
    if low <= k_mean_entropy(at(found).entropy) <= high:
        return transformation * found if k < low or pull(found) > pull(1.0) else transformation
    strongest = max((float(factor) for factor in _FACTORS / extent), key=pull)
    return transformation * strongest if pull(strongest) > 0.0 else transformation


@dataclass(frozen=True)
class Start:
    """Where a training begins."""

    transformation: np.ndarray  # A of iteration 0, (n_components, n_features)
    unit: float  # size of A at which an optimiser's own constants (its first step) are right, whatever the unit of X
    candidates: tuple[Candidate, ...] = ()  # what "best_of_several" compared, best first; empty for every other start


_CANDIDATES = (("lda", 1.0), ("lda", 3.0), ("pca", 1.0), ("whitening", 1.0), ("random", 0.1))
_SMOOTH, _SHARP = 15, 10  # iterations of g, then of f
MOST_CANDIDATE_SNAPSHOTS = len(_CANDIDATES) * (_SMOOTH + _SHARP + 1)  # snapshots of all short runs together
_MOST_POINTS = 5_000
_SAMPLE_ITERATIONS = 40


class _ShortRuns:
    """Short trainings on some of the points.

    X, y: of the points, (n_samples, n_features) and (n_samples,).
    rows: those of all points that these are; `sample_weight`, (n_all,), is of all.
    """

    def __init__(
        self,
        X: np.ndarray,
        y: np.ndarray,
        sample_weight: np.ndarray | None,
        diagonal: bool,
        slot: Slot,
        rows: np.ndarray,
    ) -> None:
        self.X, self.y, self.diagonal, self.slot = X[rows], y[rows], diagonal, slot
        self.weights = None if sample_weight is None else sample_weight[rows]
        if self.weights is not None and not self.weights.any():
            self.weights = None  # of so few points that count none was drawn: any start is better than none
        self.unit = unit_of_data(spreads(X))  # of an end, whose size is learnt
        self.total = float(len(rows)) if self.weights is None else float(self.weights.sum())

    def start(self, n_components: int, name: str, random_state: int) -> Start:
        return scaled_start(self.X, self.y, n_components, name, random_state, diagonal=self.diagonal, slot=self.slot)

    def climb(self, A: np.ndarray, unit: float, objective: str, max_iter: int, first: int = 0) -> list[Snapshot]:
        """Climb by L-BFGS from A; the start is iteration `first`."""
        evaluator = Evaluator(self.X, self.y, objective=objective, sample_weight=self.weights)
        recorder = Recorder(self.X, self.y, self.slot, first=first)
        problem = MatrixProblem(evaluator, recorder, A, unit, self.total, diagonal=self.diagonal)
        recorder.record(problem.describe(problem.start()))
        problem.ascend(problem.start(), max_iter, 1e-5, lambda reached: recorder.record(problem.describe(reached)))
        return recorder.snapshots


ShortRunsOn = Callable[[np.ndarray], _ShortRuns]  # of these rows


def best_of_several(runs_on: ShortRunsOn, y: np.ndarray, n_components: int, rng: np.random.Generator) -> Start:
    """Return the end of the best of short runs from several starts and scales.

    Each climbs g (eq. 6), whose pull reaches far, and then f (eq. 3), by whose mean p_i they are ranked: on digits
    in two dimensions that leads to better optima of f than f alone. At most 5,000 points, stratified, are used.
    """
    seed = int(rng.integers(2**31 - 1))
    runs = runs_on(stratified_sample(y, _MOST_POINTS, np.random.default_rng(seed)))
    candidates = []
    for name, scale in _CANDIDATES:
        start = runs.start(n_components, name, seed)
        smooth = runs.climb(start.transformation * scale, start.unit, "g", _SMOOTH)
        reached = smooth.pop()  # where f begins
        sharp = runs.climb(reached.transformation, start.unit, "f", _SHARP, reached.iteration)
        end = sharp[-1]
        candidates.append(Candidate(name, scale, end.transformation, end.mean_p, (*smooth, *sharp)))
    candidates.sort(key=lambda candidate: -candidate.mean_p)
    return Start(candidates[0].transformation, runs.unit, tuple(candidates))


def sample_first(runs_on: ShortRunsOn, y: np.ndarray, n_components: int, rng: np.random.Generator) -> Start:
    """Continuation: the end of a training on a stratified sample, at most 5,000 points or half of them."""
    runs = runs_on(stratified_sample(y, min(_MOST_POINTS, len(y) // 2), rng))
    start = runs.start(n_components, "lda", 0)
    path = runs.climb(start.transformation, start.unit, "f", _SAMPLE_ITERATIONS)
    return Start(path[-1].transformation, runs.unit)


_TRAINED = {"best_of_several": best_of_several, "sample_first": sample_first}
INITIALISATIONS: dict[str, Callable[..., object]] = {**SIMPLE_STARTS, **_TRAINED}
# The end of a short training: its scale is learnt already.
TRAINED_INITIALISATIONS = frozenset(_TRAINED)


def scaled_start(
    X: Any,
    y: np.ndarray,
    n_components: int,
    initialisation: str,
    random_state: int,
    *,
    scale_start: bool = True,
    sample_weight: np.ndarray | None = None,
    diagonal: bool = False,
    slot: Slot = nullcontext,
) -> Start:
    """The A of iteration 0, the unit to climb it in, and the starts it was chosen from.

    X: checked features, (n_samples, n_features).
    sample_weight: weights of the points, (n_samples,), which a start that is the end of trainings climbs with.
    diagonal: a diagonal A is wanted; n_components = n_features.
    slot: gives a context to enter around each piece of work, as in `train`; a start that is itself the end of trainings
        does many.

    Raises ValueError for a name that INITIALISATIONS does not hold, or X too large for it.
    """
    check_choice("initialisation", initialisation, INITIALISATIONS)
    rng = np.random.default_rng(random_state)
    if initialisation in _TRAINED:
        return _TRAINED[initialisation](partial(_ShortRuns, X, y, sample_weight, diagonal, slot), y, n_components, rng)
    with slot():
        if isinstance(X, SparseRows):
            X = X.dense_where_small()
            if isinstance(X, SparseRows) and initialisation in _NEED_DENSE:
                if initialisation != "auto":
                    raise ValueError(
                        f"The start {initialisation!r} needs a dense X, and this sparse one of shape {X.shape} is too "
                        "large for that; choose 'pca', 'identity' or 'random'."
                    )
                initialisation = "pca" if n_components < min(X.shape) else "identity"
        if initialisation == "auto":
            initialisation = _auto_name(X, y, n_components)
        start = SIMPLE_STARTS[initialisation](X, y, n_components, rng)
        if diagonal:
            start = nearest_diagonal(start)
        unit = unit_of_data(spreads(X)) if initialisation in _FOLLOW_X else 1.0
        if not scale_start or not np.any(start):
            return Start(start, unit)
        scaled = scale_to_sensible_k(start, X, y)
    return Start(scaled, unit * float(np.linalg.norm(scaled) / np.linalg.norm(start)))
