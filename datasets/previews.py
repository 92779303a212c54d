"""What the gallery shows of a data set: its size and a small picture; slow ones are made in the background."""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, replace

from datasets.base.dataset import Dataset
from datasets.base.entry import Entry
from datasets.base.errors import DataError
from datasets.thumbnails import Thumbnail, thumbnail
from datasets.trained_pictures import trained_picture

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Preview:
    """Rows, features and classes of a data set, and its small picture; or the sentence that says why there is none.

    `trained` is the same rows where NCA put them, for sets of which that was computed beforehand.
    """

    n_samples: int = 0
    n_features: int = 0
    n_classes: int = 0
    picture: Thumbnail | None = None
    trained: Thumbnail | None = None
    error: str = ""


def preview(dataset: Dataset) -> Preview:
    return Preview(dataset.n_samples, dataset.n_features, dataset.n_classes, thumbnail(dataset))


def _loaded(entry: Entry) -> Dataset:
    return entry.load(**{parameter.name: parameter.default for parameter in entry.parameters})


class Previews:
    """Previews of entries, kept by key and version, at most `most` of them.

    `now` makes one at once. `ask` leaves it to a worker thread, which makes one after the other, so that many large
    files cannot fill the memory, and ends when none is waiting.
    """

    def __init__(self, load: Callable[[Entry], Dataset] = _loaded, most: int = 256) -> None:
        self._load = load
        self._most = most
        self._kept: OrderedDict[tuple[str, str], Preview] = OrderedDict()
        self._waiting: OrderedDict[tuple[str, str], Entry] = OrderedDict()
        self._thread: threading.Thread | None = None
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
            if key in self._kept:
                return self._kept[key]
            if key not in self._waiting and len(self._waiting) < self._most:
                self._waiting[key] = entry
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="previews", daemon=True)
                self._thread.start()
        return None

    def _work(self) -> None:
        while True:
            with self._lock:
                if not self._waiting:
                    self._thread = None
                    return
                entry = next(iter(self._waiting.values()))
            self._make(entry)
            with self._lock:
                self._waiting.pop((entry.key, entry.version), None)

    def _make(self, entry: Entry) -> Preview:
        try:
            dataset = self._load(entry)
            made = replace(preview(dataset), trained=trained_picture(entry.key, dataset))
        except DataError as error:
            made = Preview(error=str(error))
        except Exception:  # a picture is never worth a page, nor the worker
            _log.exception("The preview of %s failed", entry.key)
            made = Preview(error=f"{entry.title} cannot be shown: an error that is ours.")
        with self._lock:
            self._kept[(entry.key, entry.version)] = made
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)
        return made
