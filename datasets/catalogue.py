"""DATASETS: key -> Entry. A new data set is one new file and one line here."""

from __future__ import annotations

from functools import lru_cache

from datasets.base.dataset import Dataset
from datasets.base.entry import Entry, Parameter
from datasets.bundled import BALANCE, BREAST_CANCER, DIGITS, IRIS, WINE
from datasets.downloads.entries import DOWNLOADS
from datasets.generators.curves import MOONS, RING, RINGS, SPIRALS, SWISS_ROLL
from datasets.generators.normals import BLOBS, N2D, PURE_NOISE
from datasets.generators.turned_faces import TURNED_FACES
from datasets.generators.xor import LOWE_XOR, NOISY_XOR, XOR

_BUNDLED = (WINE, DIGITS, IRIS, BREAST_CANCER, BALANCE)
_GENERATORS = (RINGS, N2D, RING, NOISY_XOR, LOWE_XOR, XOR, MOONS, SPIRALS, SWISS_ROLL, TURNED_FACES, BLOBS, PURE_NOISE)
DATASETS: dict[str, Entry] = {entry.key: entry for entry in (*_BUNDLED, *_GENERATORS, *DOWNLOADS)}

__all__ = ["DATASETS", "Entry", "Parameter", "load_dataset"]


def load_dataset(key: str, **parameters: float) -> Dataset:
    """The data set of the catalogue, with the defaults of what `parameters` leaves out; the last few are kept.

    Raises ValueError for a key or a parameter that the catalogue does not hold, and for a value outside its parameter's
    range.
    """
    if key not in DATASETS:
        raise ValueError(f"There is no data set {key!r}; there are: {', '.join(DATASETS)}.")
    entry = DATASETS[key]
    known = {parameter.name: parameter for parameter in entry.parameters}
    for name, value in parameters.items():
        if name not in known:
            raise ValueError(f"{key} has no parameter {name!r}; it has: {', '.join(sorted(known)) or 'none'}.")
        known[name].check(value)
    return _load(key, tuple(sorted((entry.defaults | parameters).items())))


@lru_cache(maxsize=16)
def _load(key: str, parameters: tuple[tuple[str, float], ...]) -> Dataset:
    return DATASETS[key].load(**dict(parameters))
