"""What a panel is fed: the features as the recipe prepares them, the same rows prepared otherwise, or kernel features.

One recipe has one preparation, so that the panels have the same rows and the same split. A panel that asks for its
features prepared otherwise keeps both: scaling, PCA and noise columns decide neither which rows there are nor which of
them are held out.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from weakref import WeakValueDictionary

import numpy as np

from datasets.base.dataset import Dataset
from datasets.noise_lab import NoiseConfig, add_noise
from datasets.preparation import PreparationConfig, Prepared, prepare
from nca_core.kernel_features import KERNELS, fit_kernel_features

PREPARED = "prepared"
_IN_USE: WeakValueDictionary[tuple[int, PreparationConfig], Prepared] = WeakValueDictionary()


@dataclass(frozen=True)
class Preparation:
    """Another preparation of the same rows.

    Attributes
    ----------
    title : str
        What people read.
    of : callable
        ``of(noise, preparation)``, of the recipe, gives those that make the features so.
    """

    title: str
    of: Callable[[NoiseConfig, PreparationConfig], tuple[NoiseConfig, PreparationConfig]]


def _scaled(step: str) -> Callable[[NoiseConfig, PreparationConfig], tuple[NoiseConfig, PreparationConfig]]:
    return lambda noise, preparation: (noise, replace(preparation, step=step, components=None))


def _without_noise_columns(noise: NoiseConfig, preparation: PreparationConfig) -> tuple[NoiseConfig, PreparationConfig]:
    return replace(noise, noise_columns=0), preparation


PREPARATIONS: dict[str, Preparation] = {
    "standardised": Preparation("standardised", _scaled("standardise")),
    "raw": Preparation("as they came, not scaled", _scaled("none")),
    "clean": Preparation("without the noise columns", _without_noise_columns),
}
TITLES: dict[str, str] = {
    PREPARED: "as prepared",
    **{key: preparation.title for key, preparation in PREPARATIONS.items()},
    **{key: kernel.title for key, kernel in KERNELS.items()},
}


class FeatureSets:
    """The features of a comparison's panels, each made once.

    Parameters
    ----------
    dataset : Dataset
        The data as they came.
    noise, preparation : NoiseConfig, PreparationConfig
        What the recipe does to them.
    prepared : Prepared
        What came of it.
    known : dict of str to ndarray
        Those that were made before, by their keys.
    """

    def __init__(
        self,
        dataset: Dataset,
        noise: NoiseConfig,
        preparation: PreparationConfig,
        prepared: Prepared,
        known: dict[str, np.ndarray],
    ) -> None:
        self._dataset, self._noise, self._preparation, self._prepared = dataset, noise, preparation, prepared
        self._made = {PREPARED: prepared.dataset.X, **known}

    def of(self, key: str) -> np.ndarray:
        """Features of all rows, (n_samples, n_panel_features).

        Raises
        ------
        DataError
            Where the rows cannot be prepared so, as a value not scaled may be too large to train on.
        """
        if key not in self._made:
            self._made[key] = self._make(key)
        return self._made[key]

    def _make(self, key: str) -> np.ndarray:
        if key not in PREPARATIONS:
            fitted = fit_kernel_features(self._prepared.dataset.X[self._prepared.train], key)
            return fitted.apply(self._prepared.dataset.X)
        noise, preparation = PREPARATIONS[key].of(self._noise, self._preparation)
        return carried_out(self._dataset, noise, preparation).dataset.X


def prepared_for(
    key: str, dataset: Dataset, noise: NoiseConfig, preparation: PreparationConfig, prepared: Prepared
) -> Prepared | None:
    """How the features `key` of a panel came from the data; None for kernel features, which no matrix makes."""
    if key == PREPARED:
        return prepared
    return carried_out(dataset, *PREPARATIONS[key].of(noise, preparation)) if key in PREPARATIONS else None


def carried_out(dataset: Dataset, noise: NoiseConfig, preparation: PreparationConfig) -> Prepared:
    """The data as these two leave them; no more features are made than the data have, whatever was chosen for other
    data, and by PCA no more than rows. Of data as they came, whoever asks for the same gets the very same object for
    as long as somebody has it: thirty tabs of one data set hold its features once.

    Raises
    ------
    DataError
        Where the data cannot be prepared so.
    """
    if preparation.components is not None:
        most = dataset.n_features + noise.noise_columns
        if preparation.reduction == "pca":
            most = min(most, dataset.n_samples)
        preparation = replace(preparation, components=min(preparation.components, most))
    noisy, key = add_noise(dataset, noise), (id(dataset), preparation)
    prepared = _IN_USE.get(key) if noisy is dataset else None
    if prepared is None or prepared.raw is not dataset:
        prepared = prepare(noisy, preparation, dataset.y)
        if prepared.raw is dataset:  # which keeps its id from being given to another one
            _IN_USE[key] = prepared
    return prepared
