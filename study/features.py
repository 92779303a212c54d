"""Features of a panel: as the recipe prepares them, the same rows prepared otherwise, or kernel features.

One recipe has one preparation, so that the panels have the same rows and the same split. Features prepared
otherwise keep both: scaling, PCA and noise columns decide neither which rows there are nor which are held out.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any
from weakref import WeakValueDictionary

from datasets.base.dataset import Dataset
from datasets.noise_lab import NoiseConfig, add_noise
from datasets.preparation import PreparationConfig, Prepared, prepare, training_rows
from nca_core.features.kernels import KERNELS

PREPARED = "prepared"
_IN_USE: WeakValueDictionary[tuple[int, PreparationConfig], Prepared] = WeakValueDictionary()


@dataclass(frozen=True)
class Preparation:
    """Another preparation of the same rows."""

    title: str  # on the screen
    noise: Mapping[str, Any] = field(default_factory=dict)  # what differs from the recipe's own noise
    preparation: Mapping[str, Any] = field(default_factory=dict)  # and from its preparation


PREPARATIONS: dict[str, Preparation] = {
    "standardised": Preparation("standardised", preparation={"step": "standardise", "components": None}),
    "raw": Preparation("as they came, not scaled", preparation={"step": "none", "components": None}),
    "clean": Preparation("without the noise columns", noise={"noise_columns": 0}),
}
TITLES: dict[str, str] = {
    PREPARED: "as prepared",
    **{key: preparation.title for key, preparation in PREPARATIONS.items()},
    **{key: kernel.title for key, kernel in KERNELS.items()},
}


def prepared_for(
    key: str, dataset: Dataset, noise: NoiseConfig, preparation: PreparationConfig, prepared: Prepared
) -> Prepared | None:
    """How the features `key` of a panel came from the data; None for kernel features, which no matrix makes.

    Raises DataError where the rows cannot be prepared so, as a value not scaled may be too large to train on.
    """
    if (other := PREPARATIONS.get(key)) is None:
        return prepared if key == PREPARED else None
    return prepare_rows(dataset, replace(noise, **other.noise), replace(preparation, **other.preparation))


def prepare_rows(dataset: Dataset, noise: NoiseConfig, preparation: PreparationConfig) -> Prepared:
    """Add noise and prepare; with no more components than features, and by PCA no more than rows.

    Without noise the same data and preparation give the same object, so thirty tabs of one data set hold its features
    once.

    Raises DataError where the data cannot be prepared so.
    """
    if preparation.components is not None:
        most = dataset.n_features + noise.noise_columns
        if preparation.reduction == "pca":
            most = min(most, dataset.n_samples)
        preparation = replace(preparation, components=min(preparation.components, most))
    train = None if noise.idle else training_rows(dataset, preparation)
    noisy, key = add_noise(dataset, noise, train), (id(dataset), preparation)
    prepared = _IN_USE.get(key) if noisy is dataset else None
    if prepared is None or prepared.raw is not dataset:
        prepared = prepare(noisy, preparation, dataset.y)
        if prepared.raw is dataset:  # so its id is not used again meanwhile
            _IN_USE[key] = prepared
    return prepared
