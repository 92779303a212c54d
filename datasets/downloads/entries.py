"""Entries of the catalogue that are downloaded on demand; openml_entry makes one of any OpenML set."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np

from datasets.base.dataset import Dataset, Source
from datasets.base.entry import Entry
from datasets.base.errors import DataError
from datasets.columns.images import shape_by_likeness
from datasets.downloads.fetch import Watch
from datasets.downloads.olivetti import SOURCE as OLIVETTI_SOURCE
from datasets.downloads.olivetti import open_olivetti
from datasets.downloads.openml import OPENML, Opened, Server, open_openml
from datasets.reading import Limits

_PAPER = "Goldberger et al. (2004), NCA"
_WHY_NO_B = (
    "it is computed from the share of black residents, an assumption about people that scikit-learn and others "
    "discourage to use; it can be put back"
)
_UMIST_SHAPE = (112, 92)


def openml_entry(name_or_id: str, server: Server = OPENML) -> Entry:
    """An entry for any OpenML data set; nothing is asked before it is downloaded, so an unknown name fails there."""
    query = name_or_id.strip()
    source = Source(f"OpenML: {query[:60]}", url="https://www.openml.org")
    return _entry(
        f"openml:{query.lower()[:60]}",
        query[:60],
        "A data set of OpenML.",
        source,
        partial(open_openml, query, server=server),
    )


def open_images(data_id: int, shape: tuple[int, int], watch: Watch | None = None, server: Server = OPENML) -> Opened:
    """An OpenML set each row of which is an image of `shape` (rows, columns), turned upright where the file stores its
    pixels column by column; which of the two it does is told by which pixels resemble each other.

    Raises DataError: as `open_openml`, and where the number of columns is not that of the pixels.
    """
    n_pixels = shape[0] * shape[1]
    limits = Limits(columns=max(Limits().columns, n_pixels + 100), cells=6_500_000)
    opened = open_openml(str(data_id), watch, server, whole_rows=True, limits=limits)
    dataset, plan = opened.dataset, opened.plan
    if dataset.n_features != n_pixels:
        raise DataError(
            f"{dataset.name} has {dataset.n_features:,} columns, not {n_pixels:,} pixels as it used to. "
            f"Open it by its number, {data_id}, as a table."
        )
    if shape[0] != shape[1] and shape_by_likeness(dataset.X) == shape[::-1]:
        order = np.arange(n_pixels).reshape(shape[::-1]).T.ravel()
        names = tuple(dataset.feature_names[k] for k in order)
        dataset = replace(dataset, X=dataset.X[:, order], feature_names=names)
        plan = replace(plan, features=names) if plan is not None else None
    return Opened(replace(dataset, image_shape=shape), opened.table, plan)


def _entry(key: str, title: str, description: str, source: Source, download: Callable[[Watch], Opened]) -> Entry:
    def load() -> Dataset:
        return download(Watch()).dataset

    return Entry(key, title, description, "download", source, load, download=download)


def _source(data_id: int, title: str, licence: str, paper: str = "") -> Source:
    return Source(f"{title}, from OpenML (id {data_id})", licence, f"https://www.openml.org/d/{data_id}", paper)


IONOSPHERE = _entry(
    "ionosphere",
    "Ionosphere",
    "351 radar returns from the ionosphere, good or bad, by 34 measures.",
    _source(59, "Ionosphere", "UCI repository: CC BY 4.0", _PAPER),
    partial(open_openml, "59"),
)
BOSTON = _entry(
    "boston",
    "Boston housing",
    "506 districts of Boston by the price of their houses, cut into three classes; without its column b.",
    _source(531, "Boston housing", "licence not stated by OpenML's donors; R's mlbench ships it under GPL-2", _PAPER),
    partial(open_openml, "531", left_out=(("b", _WHY_NO_B),)),
)
USPS = _entry(
    "usps",
    "USPS digits",
    "9,298 handwritten digits of 16 by 16 pixels from envelopes.",
    _source(41082, "USPS", "licence not stated", _PAPER),
    partial(open_images, 41082, (16, 16)),
)
UMIST = _entry(
    "umist",
    "UMIST faces",
    "575 faces of 20 people, turning from profile to front, of 112 by 92 pixels.",
    _source(41084, "UMIST faces, cropped", "licence not stated; pictures of real people"),
    partial(open_images, 41084, _UMIST_SHAPE),
)
OLIVETTI = _entry(
    "olivetti",
    "Olivetti faces",
    "400 faces of 40 people of 64 by 64 pixels.",
    OLIVETTI_SOURCE,
    open_olivetti,
)
DOWNLOADS = (IONOSPHERE, BOSTON, USPS, UMIST, OLIVETTI)
