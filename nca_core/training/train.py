"""train_problem: check the arguments of a training once, build its problem, climb.

CheckedInput: the arguments of a training. Supervision: class codes, or similarity of targets."""

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from nca_core.features import validation
from nca_core.neighbours.base.threads import one_blas_thread
from nca_core.neighbours.similarity import TARGET_SIMILARITIES, PrecomputedSimilarity, Similarity
from nca_core.objectives import OBJECTIVES
from nca_core.objectives.evaluator import Evaluator
from nca_core.parts.features_in_parts import FeaturesInParts, features_of
from nca_core.parts.sources import classes_of
from nca_core.snapshot import Snapshot, Trajectory
from nca_core.training.config import TrainingConfig
from nca_core.training.problem import Problem, Recorder, Slot, climb
from nca_core.training.starts import scaled_start


@dataclass(frozen=True)
class Supervision:
    """Labels of the training points, checked."""

    # class codes whose nearest-neighbour accuracy is measured, (n_samples,); −1 where there are only targets
    codes: np.ndarray
    # what starts take for classes, (n_samples,): the codes, or for targets their slices, so that "lda" is sliced
    # inverse regression (Li 1991)
    start_codes: np.ndarray
    # array (n_samples, n_samples) or function, None for classes; as Evaluator takes it
    target_similarity: np.ndarray | Similarity | None = None
    targets: np.ndarray | None = None  # what the function compares, (n_samples,), or None

    def nothing_to_learn(self) -> str:
        """Why there is nothing to learn; "" if there is."""
        if self.targets is not None and np.ptp(self.targets) == 0:
            return "All targets are equal, so every projection is as good as any other."
        if self.targets is not None or self.target_similarity is not None:
            return ""
        classes, counts = classes_of(self.codes)
        counts = counts[classes >= 0]
        if len(counts) == 0:
            return "No point has a label, so there is nothing to learn from."
        if len(counts) < 2:
            return "There is only one class; NCA learns to tell classes apart."
        if counts.max() < 2:
            return "Every class has a single member, so no point has a neighbour of its own class."
        return ""


def check_supervision(
    y: Any, n_samples: int, target_similarity: str | np.ndarray | Similarity | None, targets: Any = None
) -> Supervision:
    """y as class codes; with `target_similarity`, y as targets, or as codes beside `targets`.

    One ValueError for what is neither.

    target_similarity: a key of TARGET_SIMILARITIES, a function of targets, an array (n_samples, n_samples), or None.
    """
    if target_similarity is None:
        if targets is not None:
            raise ValueError(f"targets need target_similarity; the names there are: {', '.join(TARGET_SIMILARITIES)}.")
        codes = validation.check_codes(y, n_samples)
        return Supervision(codes, codes)
    unlabelled = np.full(n_samples, -1)
    if not isinstance(target_similarity, str) and not callable(target_similarity):
        codes = validation.check_codes(y, n_samples) if np.asarray(y).dtype.kind in "iub" else unlabelled
        if np.shape(target_similarity) != (n_samples, n_samples):
            raise ValueError(
                f"target_similarity has shape {np.shape(target_similarity)}; it must be ({n_samples}, {n_samples})."
            )
        return Supervision(codes, codes, np.asarray(target_similarity))
    codes = unlabelled if targets is None else validation.check_codes(y, n_samples)
    targets = validation.check_targets(y if targets is None else targets, n_samples)
    if isinstance(target_similarity, str):
        validation.check_choice("target_similarity", target_similarity, TARGET_SIMILARITIES)
        target_similarity = TARGET_SIMILARITIES[target_similarity](targets)
    # Row numbers of a matrix say nothing of classes.
    by_row = isinstance(target_similarity, PrecomputedSimilarity)
    return Supervision(codes, unlabelled if by_row else slices_of(targets), target_similarity, targets)


def slices_of(targets: np.ndarray, n_slices: int = 10) -> np.ndarray:
    """Codes from 0 of about equally many points each, by size of the target, (n_samples,); equal targets share one."""
    n = len(targets)
    ordered = np.sort(targets)
    # By the first place of its value among all, so that equal targets have one code.
    places = np.searchsorted(ordered, targets, side="left")
    return np.unique(places * min(n_slices, max(1, n // 2)) // n, return_inverse=True)[1].astype(np.int64)


ALL_EQUAL = "All rows are equal, so every projection is as good as any other."


@dataclass(frozen=True)
class CheckedInput:
    X: np.ndarray  # finite float64, (n_samples, n_features)
    labels: Supervision  # class codes, or the similarity of targets
    sample_weight: np.ndarray | None  # ω_i ≥ 0, not all 0, (n_samples,)

    def nothing_to_learn(self) -> str:
        """Why every projection is as good as any other; "" if not."""
        return self.labels.nothing_to_learn() or ("" if np.ptp(self.X, axis=0).any() else ALL_EQUAL)

    def evaluator(self, config: TrainingConfig, **options: Any) -> Evaluator:
        """Evaluates the objective of `config`; `options` of Evaluator."""
        return Evaluator(
            self.X,
            self.labels.codes,
            objective=config.objective,
            sample_weight=self.sample_weight,
            target_similarity=self.labels.target_similarity,
            targets=self.labels.targets,
            summation=config.summation,
            **options,
        )

    def total(self, config: TrainingConfig) -> float:
        """What the objective is divided by: a sum over points grows with their weights, a logarithm of one does not."""
        if not OBJECTIVES[config.objective].grows:
            return 1.0
        return float(len(self.X) if self.sample_weight is None else self.sample_weight.sum())


# On an optimiser's short vectors a second BLAS thread only waits; the passes over X have threads of their own.
@one_blas_thread()
def train_problem(
    problem: Callable[..., Problem],
    X: np.ndarray | FeaturesInParts,
    y: np.ndarray,
    config: TrainingConfig,
    on_snapshot: Callable[[Snapshot], None] | None = None,
    *,
    sample_weight: np.ndarray | None = None,
    held_out: tuple[np.ndarray, np.ndarray] | None = None,
    initial: Any = None,
    target_similarity: np.ndarray | Similarity | None = None,
    targets: np.ndarray | None = None,
    slot: Slot = nullcontext,
    measure_accuracy: bool = True,
    keep_path: bool = True,
    **options: Any,
) -> Trajectory:
    """Learn as `config` says; the snapshots begin with iteration 0, the start.

    problem: class of the problem, ``problem(inputs, config, recorder, initial, **options)``.
    X: features, (n_samples, n_features), finite; NCA takes a Dask array in parts too.
    y: integer class codes, (n_samples,), negative for none; with target_similarity and without targets, the numeric
        targets; then no accuracies are measured.
    on_snapshot: called with each Snapshot; raising StopIteration in it ends the training.
    sample_weight: weight of each point's term in the objective, (n_samples,).
    held_out: (X_test, y_test) whose accuracy is measured along.
    initial: start A, (n_components, n_features), in place of `config.initialisation`; for a network also a Network.
    target_similarity: in place of `config.target_similarity`, as for Evaluator; an evaluation then takes O(n²).
    targets: numeric targets, (n_samples,), beside class codes y whose accuracy is measured.
    slot: gives a context to enter around each piece of work, so that many trainings share the machine fairly; may raise
        TrainingStopped.
    measure_accuracy: put nearest-neighbour accuracies into the snapshots; without, they are NaN.
    keep_path: return all snapshots; without, the first and the last, so that no A is held for each iteration.
    **options: of the problem: `unit` and `n_jobs` for NCA, `shown_rows` for a network.

    Returns the snapshots from the start on, how the training ended, and why.

    Raises ValueError for input that cannot be trained on.
    """
    kind: Any = problem
    rows: Any = features_of(X)
    if not kind.takes_parts:
        validation.refuse_parts(rows)
    rows = validation.check_features(rows, config.dtype if kind.takes_parts else "float64")
    config.check(rows.shape[1])
    if not kind.compares_targets:
        target_similarity = None
    elif target_similarity is None:
        target_similarity = config.target_similarity  # type: ignore[assignment]
    labels = check_supervision(y, len(rows), target_similarity, None if kind.regresses else targets)
    if kind.regresses and targets is not None:
        labels = replace(labels, targets=validation.check_targets(targets, len(rows)))
    if sample_weight is not None:
        sample_weight = validation.check_sample_weight(sample_weight, len(rows))
    if held_out is not None:
        held_out = held_out[0], validation.check_codes(held_out[1], len(held_out[0]))
    recorder = Recorder(
        rows,
        labels.codes,
        slot,
        held_out=held_out,
        random_state=config.random_state,
        on_snapshot=on_snapshot,
        measure_accuracy=measure_accuracy,
        keep_path=keep_path,
    )
    inputs = CheckedInput(rows, labels, sample_weight)
    return climb(problem(inputs, config, recorder, initial, **options), config.max_iter, config.tol)


def initial_matrix(inputs: CheckedInput, config: TrainingConfig, recorder: Recorder, initial: Any) -> np.ndarray:
    """The A to start from, (n_components, n_features): the one given, or that of `config.initialisation`."""
    if initial is not None:
        return validation.check_initial(initial, config.n_components, inputs.X.shape[1])
    name, seed = config.initialisation, config.random_state
    start = scaled_start(inputs.X, inputs.labels.start_codes, config.n_components, name, seed, slot=recorder.slot)
    return start.transformation
