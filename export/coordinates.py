"""Coordinates: where each row lies in each panel, with its label, its split, p_i, its own K and its predictions."""

from __future__ import annotations

import io
from collections.abc import Generator, Mapping, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from datasets.base.dataset import UNLABELLED, Dataset
from datasets.export import escaped, export_csv
from export.entry import Export, File, Made, Wish, safe_name
from export.row_numbers import RowNumbers, row_numbers
from export.subject import Subject
from nca_core.run import Slot

Columns = Mapping[str, Sequence[object]]
_MIMES = {"csv": "text/csv", "parquet": "application/vnd.apache.parquet"}


def _problem(subject: Subject, wish: Wish) -> str:
    if not subject.shown:
        return "No panel shows points."
    if wish.only_selected and not subject.rows:
        return "No rows are selected; select some with the lasso or the box on the stage."
    return ""


def _make(subject: Subject, wish: Wish, slot: Slot) -> Generator[Made, None, None]:
    wanted = len(subject.shown) + 1
    yield Made(0, wanted)
    raw = subject.comparison.prepared.raw
    rows = np.array(subject.rows, dtype=np.int64) if wish.only_selected else np.arange(raw.n_samples)
    columns = dict(_of_rows(subject, rows))
    for done, panel in enumerate(subject.shown, start=1):
        with slot():
            columns |= _of_panel(subject.titles[panel.key], row_numbers(subject, panel.key), raw, rows)
        yield Made(done, wanted)
    with slot():
        data = _parquet(columns) if wish.form == "parquet" else _csv(columns)
    name = safe_name(raw.name, f"-coordinates.{wish.form}")
    yield Made(wanted, wanted, File(name, _MIMES[wish.form], data))


def _of_rows(subject: Subject, rows: np.ndarray) -> Columns:
    """Number in the file, label, and what the row is used for."""
    prepared = subject.comparison.prepared
    raw = prepared.raw
    split = np.where(prepared.train, "trained on", np.where(prepared.held_out, "held out", "no label"))
    labels = _named(raw, raw.y) if raw.target is None else _numbers(np.where(raw.y < 0, np.nan, raw.target))
    return {
        "row": raw.row_numbers[rows].tolist(),
        "label": [labels[row] for row in rows],
        "split": split[rows].tolist(),
    }


def _of_panel(title: str, found: RowNumbers, raw: Dataset, rows: np.ndarray) -> Columns:
    columns: dict[str, Sequence[object]] = {
        f"{title}: y{axis + 1}": _numbers(values) for axis, values in enumerate(found.Y[rows].T)
    }
    if not np.isnan(found.p).all() or not np.isnan(found.local_k).all():
        columns[f"{title}: p_i"] = _numbers(found.p[rows])
        columns[f"{title}: local K"] = _numbers(found.local_k[rows])
    columns[f"{title}: told by 1-NN"] = _named(raw, found.told_1nn[rows])
    if (found.told_knn >= 0).any():
        columns[f"{title}: told by K-NN"] = _named(raw, found.told_knn[rows])
    return columns


def _numbers(values: np.ndarray) -> list[float | None]:
    return [None if np.isnan(value) else float(value) for value in values]


def _named(raw: Dataset, codes: np.ndarray) -> list[str | None]:
    return [None if code == UNLABELLED else raw.class_names[code] for code in codes]


def _csv(columns: Columns) -> bytes:
    """With a byte order mark, so that spreadsheets read it as UTF-8."""
    return export_csv(list(columns), zip(*columns.values(), strict=True)).encode("utf-8-sig")


def _parquet(columns: Columns) -> bytes:
    """Texts that a spreadsheet would run as formulas are escaped here too: they end up in one."""
    packed = io.BytesIO()
    names = [str(escaped(name)) for name in columns]
    arrays = [pa.array([escaped(cell) for cell in values]) for values in columns.values()]
    pq.write_table(pa.Table.from_arrays(arrays, names=names), packed)
    return packed.getvalue()


COORDINATES = Export(
    key="coordinates",
    title="Coordinates: where every row lies",
    description="A table of all rows: number in the file, label, split, and for each panel the coordinates, p_i, own K "
    "and what the neighbours take the row for. Nothing in it can run as a formula.",
    forms={"csv": "CSV", "parquet": "Parquet"},
    make=_make,
    problem=_problem,
    of_rows=True,
)
