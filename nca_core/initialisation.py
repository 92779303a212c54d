"""INITIALISATIONS: name -> the A from which a training starts."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext

import numpy as np

from nca_core.best_start import best_of_several, sample_first
from nca_core.features_in_parts import FeaturesInParts
from nca_core.simple_starts import SIMPLE_STARTS, Start, simple_start
from nca_core.sparse_rows import SparseRows
from nca_core.validation import check_choice, check_labelled_data, check_n_components, check_square

_TRAINED: dict[str, Callable[..., Start]] = {"best_of_several": best_of_several, "sample_first": sample_first}
INITIALISATIONS: dict[str, Callable[..., object]] = {**SIMPLE_STARTS, **_TRAINED}
# The end of a short training: its scale is learnt already.
TRAINED_INITIALISATIONS = frozenset(_TRAINED)


def scaled_start(
    X: np.ndarray | SparseRows | FeaturesInParts,
    y: np.ndarray,
    n_components: int,
    initialisation: str,
    random_state: int,
    *,
    scale_start: bool = True,
    sample_weight: np.ndarray | None = None,
    diagonal: bool = False,
    slot: Callable[[], AbstractContextManager[object]] = nullcontext,
) -> Start:
    """The A of iteration 0, by how much it was scaled, and the starts it was chosen from.

    Parameters
    ----------
    sample_weight : ndarray or None
        Weights of the points, (n_samples,), which a start that is the end of trainings climbs with.
    diagonal : bool
        A diagonal A is wanted; n_components = n_features.
    slot : callable
        Gives a context to enter around each piece of work, as in `train`; a start that is itself the end of trainings
        does many.

    Raises
    ------
    ValueError
        For data that cannot be trained on, or a name that INITIALISATIONS does not hold.
    """
    check_choice("initialisation", initialisation, INITIALISATIONS)
    X, y = check_labelled_data(X, y)
    check_n_components(n_components, X.shape[1])
    if diagonal:
        check_square(n_components, X.shape[1])
    rng = np.random.default_rng(random_state)
    if initialisation in _TRAINED:
        return _TRAINED[initialisation](X, y, n_components, rng, slot, sample_weight=sample_weight, diagonal=diagonal)
    return simple_start(X, y, n_components, initialisation, rng, scale_start=scale_start, diagonal=diagonal, slot=slot)


def start_transformation(
    X: np.ndarray,
    y: np.ndarray,
    n_components: int,
    initialisation: str,
    random_state: int,
    *,
    scale_start: bool = True,
) -> np.ndarray:
    """The A of iteration 0 alone, (n_components, n_features); else as `scaled_start`."""
    return scaled_start(X, y, n_components, initialisation, random_state, scale_start=scale_start).transformation
