"""Class codes of a data set as the engine takes them."""

from __future__ import annotations

import numpy as np

from datasets.base.dataset import UNLABELLED as BLANK
from nca_core import UNLABELLED


def engine_codes(y: np.ndarray) -> np.ndarray:
    """The codes of a data set, (n_samples,), with the engine's mark for a row without a label."""
    return np.where(y == BLANK, UNLABELLED, y)
