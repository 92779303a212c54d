"""What NCA makes of a set of the catalogue, for its small picture: points trained beforehand by
`python -m study.trained_pictures`, kept beside the code, each file with the fingerprint of the data it is of."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np

from datasets.base.dataset import Dataset
from datasets.base.fingerprint import fingerprint
from datasets.thumbnails import Thumbnail, shown_rows

FOLDER = Path(__file__).parent / "pictures"
_FINENESS = 1_000  # the longer side of the picture, in steps
_DIGITS = 6  # of the largest value: the last bits of generated data are not the same on every processor


def trained_picture(key: str, dataset: Dataset) -> Thumbnail | None:
    """The rows of `thumbnail(dataset)` where NCA put them; None where there is no file, or it is of other data."""
    try:
        kept = json.loads((FOLDER / f"{key}.json").read_text(encoding="utf-8"))
    except OSError:
        return None
    if kept["data"] != _fingerprint(dataset):
        return None
    return Thumbnail(np.array(kept["points"], dtype=float), dataset.y[shown_rows(dataset)])


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
