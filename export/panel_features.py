"""How the features that a panel is fed are made of the rows as they came."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from datasets.noise_lab import add_noise
from datasets.preparation import Prepared
from nca_core.kernel_features import KERNELS, KernelFeatures, fit_kernel_features
from study.compare import Comparison
from study.features import PREPARATIONS, carried_out


@dataclass(frozen=True)
class PanelFeatures:
    """What a row goes through before the projection.

    Attributes
    ----------
    prepared : Prepared
        The fitted steps, with the rows as they came.
    kernel : KernelFeatures or None
        Features of similarities that are made of the prepared ones.
    medians : ndarray of shape (n_raw_features,)
        Of each feature as it came, over all rows: with these, gaps are filled.
    """

    prepared: Prepared
    kernel: KernelFeatures | None
    medians: np.ndarray


def panel_features(comparison: Comparison, key: str) -> PanelFeatures:
    """Those of the panel `key`."""
    recipe, features = comparison.recipe, comparison.panel(key).recipe.features
    noise, prepared = recipe.noise, comparison.prepared
    if features in PREPARATIONS:
        noise, preparation = PREPARATIONS[features].of(recipe.noise, recipe.preparation)
        prepared = carried_out(comparison.dataset, noise, preparation)
    kernel = None
    if features in KERNELS:
        kernel = fit_kernel_features(comparison.prepared.dataset.X[comparison.prepared.train], features)
    medians = np.median(add_noise(comparison.dataset, noise).X, axis=0)
    return PanelFeatures(prepared, kernel, medians)
