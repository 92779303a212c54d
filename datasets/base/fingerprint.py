"""fingerprint: a short name for the content of a data set, so that a link can name a table that it does not carry."""

from __future__ import annotations

import hashlib
import json

import numpy as np

from datasets.base.dataset import Dataset

LENGTH = 16


def fingerprint(dataset: Dataset) -> str:
    """The first 16 hexadecimal digits of `content_sha256`."""
    return content_sha256(dataset)[:LENGTH]


def content_sha256(dataset: Dataset) -> str:
    """A SHA-256 over values, labels and names, 64 hexadecimal digits.

    The file's name, its notes and the numbers of its rows do not count: the same content under another name has the
    same fingerprint.
    """
    digest = hashlib.sha256()
    names = [dataset.X.shape, dataset.feature_names, dataset.class_names, dataset.target is not None]
    digest.update(json.dumps(names).encode())
    for array in (dataset.X, dataset.y, dataset.target):
        if array is not None:
            digest.update(np.ascontiguousarray(array).data)
    return digest.hexdigest()
