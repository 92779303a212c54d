"""Olivetti faces: the file that scikit-learn fetches, known by its SHA-256, read without any pickle."""

from __future__ import annotations

import hashlib
import io
from dataclasses import dataclass, field
from typing import Any, cast

import numpy as np

from datasets.base.dataset import Dataset, Source
from datasets.base.errors import DataError
from datasets.base.words import numbered
from datasets.downloads.cache import Cache
from datasets.downloads.fetch import Site, Watch, fetch
from datasets.downloads.openml import Opened

SOURCE = Source(
    "Olivetti faces (AT&T Laboratories Cambridge), through scikit-learn",
    "licence not stated; please give credit to AT&T Laboratories Cambridge",
    "https://scikit-learn.org/stable/modules/generated/sklearn.datasets.fetch_olivetti_faces.html",
)
_PEOPLE, _IMAGES, _SIDE = 40, 10, 64


@dataclass(frozen=True)
class FacesFile:
    """Where the file is, and what it must hash to. figshare hands over to a host that others use too: the SHA-256,
    not the host, says that the file is the right one."""

    url: str = "https://ndownloader.figshare.com/files/5976027"
    sha256: str = "b612fb967f2dc77c9c62d3e1266e0c73d5fca46a4b8906c18e454d41af987794"
    site: Site = field(
        default_factory=lambda: Site("figshare", ("figshare.com", "*.figshare.com", "s3-eu-west-1.amazonaws.com"))
    )
    cache: Cache = field(default_factory=Cache)


def open_olivetti(watch: Watch | None = None, place: FacesFile | None = None) -> Opened:
    """400 grey pictures of 64 x 64 pixels, 0 to 1, ten of each of 40 people, as `fetch_olivetti_faces()` gives them.

    Raises DataError without a network, on time-out, or for a file that is not the known one.
    """
    watch, place = watch or Watch(), place or FacesFile()
    kept = place.cache.get(place.url)
    data = fetch(place.url, place.site, "The file of Olivetti faces", watch) if kept is None else kept
    if hashlib.sha256(data).hexdigest() != place.sha256:
        place.cache.remove(place.url)
        raise DataError("The file of Olivetti faces arrived damaged (its checksum is not the known one). Try again.")
    if kept is None:
        place.cache.put(place.url, data)
    watch.tell("Olivetti faces are being read.", len(data), len(data))
    return Opened(olivetti_dataset(data))


def olivetti_dataset(data: bytes) -> Dataset:
    """The data set in the bytes of olivettifaces.mat, which holds one picture a column, each column by column."""
    from scipy.io import loadmat

    pixels = np.array(loadmat(cast(Any, io.BytesIO(data)), variable_names=["faces"])["faces"], dtype=np.float64).T
    pixels = (pixels - pixels.min()) / (pixels.max() - pixels.min())  # (400, 4096)
    X = pixels.reshape(-1, _SIDE, _SIDE).transpose(0, 2, 1).reshape(len(pixels), -1)
    return Dataset(
        name="Olivetti faces",
        X=np.ascontiguousarray(X),
        y=np.repeat(np.arange(_PEOPLE), _IMAGES),
        feature_names=tuple(f"pixel_{r}_{c}" for r in range(_SIDE) for c in range(_SIDE)),
        class_names=numbered("person", _PEOPLE),
        source=SOURCE,
        image_shape=(_SIDE, _SIDE),
    )
