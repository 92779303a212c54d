"""The statistics of a comparison as tables: values of each split, its held-out rows, differences of all pairs."""

import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from datasets.base.dataset import Dataset
from datasets.export import escaped, export_csv
from study.features import prepare_rows
from study.inference import Difference
from study.measure import NAMES
from study.repetitions import Splits

Columns = Mapping[str, Sequence[object]]
FORMS = {"csv": "CSV", "parquet": "Parquet"}
MIMES = {"csv": "text/csv", "parquet": "application/vnd.apache.parquet"}


def pair_columns(titles: Mapping[str, str], family: Mapping[tuple[str, str], Difference]) -> Columns:
    """A row for each pair: first minus second, its 95 % interval, p, p corrected over the pairs, and what follows."""
    found = family.values()
    return {
        "first": [titles[first] for first, _ in family],
        "second": [titles[second] for _, second in family],
        "difference": [one.estimate for one in found],
        "low": [one.low for one in found],
        "high": [one.high for one in found],
        "p": [one.p_value for one in found],
        "corrected p": [one.corrected_p for one in found],
        "corrected p of a difference beyond the margin": [one.corrected_p_margin for one in found],
        "first is": [str(one.answer) for one in found],
        "rows or splits": [one.n for one in found],
    }


def split_values(titles: Mapping[str, str], splits: Splits) -> Columns:
    """A row for each split and panel, with every number."""
    places = [(k, place, panel.key) for k in range(splits.done) for place, panel in enumerate(splits.recipe.panels)]
    seed = splits.recipe.preparation.random_state
    columns: dict[str, Sequence[object]] = {
        "split": [k + 1 for k, *_ in places],
        "seed": [seed + k for k, *_ in places],
        "training rows": [splits.n_train] * len(places),
        "held-out rows": [splits.n_test] * len(places),
        "panel": [titles.get(key, key) for *_, key in places],
    }
    for number, name in enumerate(NAMES):
        columns[name] = column_numbers(splits.values[k, place, number] for k, place, _ in places)
    return columns


def split_rows(splits: Splits, dataset: Dataset) -> Columns:
    """A row for each split and held-out row, by its number in the file and its name."""
    recipe, columns = splits.recipe, dict[str, list[object]](split=[])
    for k in range(splits.done):
        preparation = replace(recipe.preparation, random_state=recipe.preparation.random_state + k)
        prepared = prepare_rows(dataset, recipe.noise, preparation)
        held_out = np.flatnonzero(prepared.held_out)
        columns["split"] += [k + 1] * len(held_out)
        for title, values in prepared.raw.row_columns(held_out).items():
            columns.setdefault(f"held-out {title}", []).extend(values)
    return columns


def encoded(columns: Columns, form: str) -> bytes:
    """The table as a key of FORMS; texts that a spreadsheet would run as formulas are escaped."""
    if form == "csv":  # with a byte order mark, so that spreadsheets read it as UTF-8
        return export_csv(list(columns), zip(*columns.values(), strict=True)).encode("utf-8-sig")
    packed = io.BytesIO()
    names = [str(escaped(name)) for name in columns]
    arrays = [pa.array([escaped(cell) for cell in values]) for values in columns.values()]
    pq.write_table(pa.Table.from_arrays(arrays, names=names), packed)
    return packed.getvalue()


def column_numbers(values: Iterable[float]) -> list[float | None]:
    """Values of a column, None for NaN."""
    return [None if np.isnan(value) else float(value) for value in values]
