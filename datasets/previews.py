"""What the gallery shows of a data set: its size, and small pictures of at most 300 rows by PCA and by NCA.

Slow pictures are made in the background. Those by NCA were trained beforehand by `python -m study.trained_pictures`;
each is a file beside the code with the fingerprint of the data it is of.
"""

from __future__ import annotations

import json
import logging
import threading
from collections import OrderedDict
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from datasets.base.dataset import Dataset, ReadOnlyArrays
from datasets.base.entry import Entry
from datasets.base.errors import DataError
from datasets.base.fingerprint import fingerprint
from datasets.base.stratified import stratified_rows
from datasets.preparation_steps import pca, standardise

FOLDER = Path(__file__).parent / "pictures"
_MOST_POINTS = 300
_FINENESS = 1_000  # the longer side of a kept picture, in steps
_DIGITS = 6  # of the largest value: the last bits of generated data are not the same on every processor
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Thumbnail(ReadOnlyArrays):
    """The points of a small picture."""

    points: np.ndarray  # float64 (n_points, 2), standardised PCA; a direction that is not there is 0
    codes: np.ndarray  # int64 (n_points,), class codes as in Dataset.y


def thumbnail(dataset: Dataset) -> Thumbnail:
    """The picture of `dataset` by PCA, kept with the data set: a page asks for it at each rerun."""
    kept = vars(dataset)
    if "thumbnail" not in kept:
        rows = preview_rows(dataset)
        points = np.zeros((len(rows), 2))
        if len(rows) > 1 and dataset.n_features > 0:
            X = dataset.X[rows]
            X = X / np.maximum(np.abs(X).max(axis=0), 1e-300)  # squares of huge values leave the range of floats
            X = standardise(X).apply(X)
            seen = pca(X, 2).apply(X)  # (n_points, at most 2)
            points[:, : seen.shape[1]] = seen
        kept["thumbnail"] = Thumbnail(points, dataset.y[rows])
    return kept["thumbnail"]


def preview_rows(dataset: Dataset) -> np.ndarray:
    """The rows that a picture shows, int (at most 300,): all, or the same share of each class."""
    if dataset.n_samples <= _MOST_POINTS:
        return np.arange(dataset.n_samples)
    return stratified_rows(dataset.y, _MOST_POINTS, np.random.default_rng(0))


def trained_picture(key: str, dataset: Dataset) -> Thumbnail | None:
    """The rows of `thumbnail(dataset)` where NCA put them; None where there is no file, or it is of other data."""
    try:
        kept = json.loads((FOLDER / f"{key}.json").read_text(encoding="utf-8"))
    except OSError:
        return None
    if kept["data"] != _fingerprint(dataset):
        return None
    return Thumbnail(np.array(kept["points"], dtype=float), dataset.y[preview_rows(dataset)])


def keep_picture(key: str, dataset: Dataset, points: np.ndarray) -> Path:
    """Write the points, (n_shown, 2), rounded to a thousandth of the picture."""
    low, high = points.min(axis=0), points.max(axis=0)
    steps = np.rint((points - low) * (_FINENESS / (high - low).max())).astype(int)
    path = FOLDER / f"{key}.json"
    content = json.dumps({"data": _fingerprint(dataset), "points": steps.tolist()}, separators=(",", ":"))
    path.write_text(f"{content}\n", encoding="utf-8")
    return path


def _fingerprint(dataset: Dataset) -> str:
    """Of the values as far as every machine makes the same."""
    target = None if dataset.target is None else _rounded(dataset.target)
    return fingerprint(replace(dataset, X=_rounded(dataset.X), target=target))


def _rounded(values: np.ndarray) -> np.ndarray:
    largest = max(float(np.abs(values).max()), np.finfo(float).tiny)
    return np.round(values / largest, _DIGITS) + 0.0  # −0 is 0


@dataclass(frozen=True)
class Preview:
    """Rows, features and classes of a data set and its small pictures, or the sentence that says why there is none."""

    n_samples: int = 0
    n_features: int = 0
    n_classes: int = 0
    picture: Thumbnail | None = None
    trained: Thumbnail | None = None  # the same rows where NCA put them
    error: str = ""


def preview(dataset: Dataset, key: str = "") -> Preview:
    """The preview of a data set; with that by NCA where it is an entry of the catalogue."""
    picture = thumbnail(dataset)
    trained = trained_picture(key, dataset) if key else None
    return Preview(dataset.n_samples, dataset.n_features, dataset.n_classes, picture, trained)


class Previews:
    """Previews of entries, kept by key and version, at most `most` of them.

    `now` makes one at once. `ask` leaves it to a worker thread, which makes one after the other, so that many large
    files cannot fill the memory, and ends when none is waiting.
    """

    def __init__(self, most: int = 256) -> None:
        self._most = most
        self._kept: OrderedDict[tuple[str, str], Preview] = OrderedDict()
        self._waiting: dict[tuple[str, str], Entry] = {}  # in order; the worker makes the first
        self._lock = threading.Lock()

    def known(self, entry: Entry) -> Preview | None:
        """The preview where it was made already."""
        with self._lock:
            return self._kept.get((entry.key, entry.version))

    def now(self, entry: Entry) -> Preview:
        """The preview, made here where it was not made yet."""
        return self.known(entry) or self._make(entry)

    def ask(self, entry: Entry) -> Preview | None:
        """The preview, or None after having asked the worker for it."""
        key = (entry.key, entry.version)
        with self._lock:
            if key not in self._kept and len(self._waiting) < self._most:
                if not self._waiting:
                    threading.Thread(target=self._work, args=(entry,), name="previews", daemon=True).start()
                self._waiting.setdefault(key, entry)
            return self._kept.get(key)

    def _work(self, entry: Entry | None) -> None:
        while entry is not None:
            self._make(entry)
            with self._lock:
                del self._waiting[(entry.key, entry.version)]
                entry = next(iter(self._waiting.values()), None)

    def _make(self, entry: Entry) -> Preview:
        try:
            dataset = entry.load(**entry.defaults)
            result = preview(dataset, entry.key)
        except DataError as error:
            result = Preview(error=str(error))
        except Exception:  # a picture is never worth a page, nor the worker
            _log.exception("The preview of %s failed", entry.key)
            result = Preview(error=f"{entry.title} cannot be shown: an error that is ours.")
        with self._lock:
            self._kept[(entry.key, entry.version)] = result
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)
        return result
