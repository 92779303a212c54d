"""Supervision: what says which points belong together: class codes, or similarity of numeric targets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from nca_core.neighbours.pairwise_similarity import Similarity
from nca_core.neighbours.target_similarity import TARGET_SIMILARITIES
from nca_core.validation import UNLABELLED, check_choice, check_codes, check_targets

_SLICES = 10


@dataclass(frozen=True)
class Supervision:
    """Labels of the training points, checked.

    Attributes
    ----------
    codes : ndarray
        Class codes whose nearest-neighbour accuracy is measured, (n_samples,); UNLABELLED where there are only targets.
    start_codes : ndarray
        What starts take for classes, (n_samples,): the codes, or for targets their slices, so that "lda" is sliced
        inverse regression (Li 1991).
    target_similarity : ndarray or Similarity or None
        Array (n_samples, n_samples) or function, None for classes; as Evaluator takes it.
    targets : ndarray or None
        What the function compares, (n_samples,), or None.
    """

    codes: np.ndarray
    start_codes: np.ndarray
    target_similarity: np.ndarray | Similarity | None = None
    targets: np.ndarray | None = None

    def why_nothing_can_be_learnt(self) -> str:
        """A sentence where there is nothing to learn; else empty."""
        if self.target_similarity is not None:
            if self.targets is not None and np.ptp(self.targets) == 0:
                return "All targets are equal, so every projection is as good as any other."
            return ""
        counts = np.unique(self.codes[self.codes >= 0], return_counts=True)[1]
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

    Parameters
    ----------
    target_similarity : str or ndarray or Similarity or None
        A key of TARGET_SIMILARITIES, a function of targets, an array (n_samples, n_samples), or None.
    """
    if target_similarity is None:
        if targets is not None:
            raise ValueError(f"targets need target_similarity; the names there are: {', '.join(TARGET_SIMILARITIES)}.")
        codes = check_codes(y, n_samples)
        return Supervision(codes, codes)
    unlabelled = np.full(n_samples, UNLABELLED, dtype=np.int64)
    if not isinstance(target_similarity, str) and not callable(target_similarity):
        codes = check_codes(y, n_samples) if np.asarray(y).dtype.kind in "iub" else unlabelled
        if np.shape(target_similarity) != (n_samples, n_samples):
            raise ValueError(
                f"target_similarity has shape {np.shape(target_similarity)}; it must be ({n_samples}, {n_samples})."
            )
        return Supervision(codes, codes, np.asarray(target_similarity))
    codes = unlabelled if targets is None else check_codes(y, n_samples)
    targets = check_targets(y if targets is None else targets, n_samples)
    if isinstance(target_similarity, str):
        check_choice("target_similarity", target_similarity, TARGET_SIMILARITIES)
        target_similarity = TARGET_SIMILARITIES[target_similarity](targets)
    return Supervision(codes, slices_of(targets), target_similarity, targets)


def slices_of(targets: np.ndarray, n_slices: int = _SLICES) -> np.ndarray:
    """Codes from 0 of about equally many points each, by size of the target, (n_samples,); equal targets share one."""
    n = len(targets)
    ordered = np.sort(targets)
    # By the first place of its value among all, so that equal targets have one code.
    places = np.searchsorted(ordered, targets, side="left")
    return np.unique(places * min(n_slices, max(1, n // 2)) // n, return_inverse=True)[1].astype(np.int64)
