"""DATASETS: key -> Entry. A new data set is one new file and one line here."""

from __future__ import annotations

from functools import lru_cache

from datasets.bundled import BREAST_CANCER, DIGITS, IRIS, WINE
from datasets.dataset import Dataset
from datasets.entry import Entry, Parameter
from datasets.generators.rings import RINGS

DATASETS: dict[str, Entry] = {entry.key: entry for entry in (WINE, DIGITS, IRIS, BREAST_CANCER, RINGS)}

__all__ = ["DATASETS", "Entry", "Parameter", "load_dataset"]


def load_dataset(key: str, **parameters: float) -> Dataset:
    """The data set of the catalogue; the last few that were asked for are kept.

    Raises:
        ValueError: for a key or a parameter that the catalogue does not hold.
    """
    if key not in DATASETS:
        raise ValueError(f"There is no data set {key!r}; there are: {', '.join(DATASETS)}.")
    known = {parameter.name for parameter in DATASETS[key].parameters}
    for name in parameters:
        if name not in known:
            raise ValueError(f"{key} has no parameter {name!r}; it has: {', '.join(sorted(known)) or 'none'}.")
    return _load(key, tuple(sorted(parameters.items())))


@lru_cache(maxsize=16)
def _load(key: str, parameters: tuple[tuple[str, float], ...]) -> Dataset:
    return DATASETS[key].load(**dict(parameters))
