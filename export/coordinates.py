"""Coordinates: the place of each row in each panel, with its name, label, split, p_i, own K and predicted classes."""

from collections.abc import Generator, Sequence

import numpy as np

from datasets.base.dataset import UNLABELLED, Dataset
from export.entry import Export, ExportProgress, ExportRequest, File, Subject
from export.statistics import FORMS, MIMES, Columns, column_numbers, encoded
from nca_core.accuracy import class_probabilities, k_nearest_classes, leave_one_out_local_k, perplexity_of_queries
from nca_core.training.run import Slot
from study.measure import accuracy_labels, own_p_and_k


def _problem(subject: Subject, request: ExportRequest) -> str:
    if not subject.shown:
        return "No panel shows points."
    if request.only_selected and not subject.rows:
        return "No rows are selected; select some with the lasso or the box on the stage."
    return ""


def _make(subject: Subject, request: ExportRequest, slot: Slot) -> Generator[ExportProgress, None, None]:
    wanted = len(subject.shown) + 1
    yield ExportProgress(0, wanted)
    prepared = subject.comparison.prepared
    raw = prepared.raw
    rows = np.array(subject.rows, dtype=np.int64) if request.only_selected else np.arange(raw.n_samples)
    split = np.where(prepared.train, "trained on", np.where(prepared.held_out, "held out", "no label"))
    labels = _named(raw, raw.y) if raw.target is None else column_numbers(np.where(raw.y < 0, np.nan, raw.target))
    columns: dict[str, Sequence[object]] = {
        **raw.row_columns(rows),
        "label": [labels[row] for row in rows],
        "split": split[rows].tolist(),
    }
    for done, panel in enumerate(subject.shown, start=1):
        with slot():
            columns |= _of_panel(subject, panel.key, rows)
        yield ExportProgress(done, wanted)
    with slot():
        data = encoded(columns, request.form)
    name = subject.file_name(f"coordinates.{request.form}")
    yield ExportProgress(wanted, wanted, File(name, MIMES[request.form], data))


def _of_panel(subject: Subject, key: str, rows: np.ndarray) -> Columns:
    """Numbers of each row: of training rows leave-one-out, of the others by the training rows.

    p_i and the own K = exp(H_i) are there where the scale was learnt; new rows of an embedding get no class.
    """
    comparison, snapshot, title = subject.comparison, subject.at(key), subject.titles[key]
    panel, raw, train = comparison.panel(key), comparison.prepared.raw, comparison.prepared.train
    y, Y = accuracy_labels(comparison, panel), subject.coordinates(key)
    placed = np.isfinite(Y).all(axis=1)
    own, new = train & placed, ~train & placed
    columns: dict[str, Sequence[object]] = {}
    for axis, values in enumerate(Y[rows].T, start=1):
        columns[f"{title}: y{axis}"] = column_numbers(values)
    if snapshot is not None:
        p, local_k = np.full((2, len(Y)), np.nan)
        p[train], local_k[train] = own_p_and_k(comparison, key, snapshot)
        if new.any():
            local_k[new] = perplexity_of_queries(Y[own], Y[new])
        labelled = new & (y >= 0)
        if labelled.any() and (panel.config is None or panel.config.target_similarity is None):
            shares = class_probabilities(Y[own], y[own], Y[labelled], int(y.max()) + 1)
            p[labelled] = shares[np.arange(len(shares)), y[labelled]]
        columns[f"{title}: shown at"] = [subject.moment(key)] * len(rows)
        columns[f"{title}: p_i"] = column_numbers(p[rows])
        columns[f"{title}: local K"] = column_numbers(local_k[rows])
    if panel.recipe.method.kind == "embedding":
        new = np.zeros_like(new)
    columns[f"{title}: predicted by 1-NN"] = _named(raw, _classes(Y, y, own, new, 1)[rows])
    by_k = _classes(Y, y, own, new, subject.k_of(key))
    if (by_k >= 0).any():
        columns[f"{title}: predicted by K-NN"] = _named(raw, by_k[rows])
    return columns


def _named(raw: Dataset, codes: np.ndarray) -> list[str | None]:
    return [None if code == UNLABELLED else raw.class_names[code] for code in codes]


def _classes(Y: np.ndarray, y: np.ndarray, own: np.ndarray, new: np.ndarray, k: int) -> np.ndarray:
    """The class that k neighbours predict for each row; −1 where there is none."""
    predicted = np.full(len(Y), -1, dtype=np.int64)
    k = min(k, int(own.sum()) - 1)
    if k < 1:
        return predicted
    predicted[own] = leave_one_out_local_k(Y[own], y[own], np.full(int(own.sum()), float(k)))[0]
    if new.any():
        present, codes = np.unique(y[own], return_inverse=True)
        predicted[new] = present[k_nearest_classes(Y[own], codes, Y[new], k, len(present))]
    return predicted


COORDINATES = Export(
    key="coordinates",
    title="Coordinates: the place of every row",
    description="A table of all rows: number in the file, name if it has one, label, split, and for each panel the "
    "coordinates, p_i, own K and the class that its neighbours predict. Nothing in it can run as a formula.",
    forms=FORMS,
    make=_make,
    problem=_problem,
    of_rows=True,
)
