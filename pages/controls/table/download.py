"""Rows as CSV to take along; nothing in it can run as a formula."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from datasets.base.dataset import UNLABELLED, Dataset
from datasets.export import export_csv


def download_button(dataset: Dataset, key: str, rows: Sequence[int] | None = None) -> None:
    """All rows of the data set, or those given, as they came; written when the button is pressed."""
    n_rows = dataset.n_samples if rows is None else len(rows)
    st.download_button(
        f"Download {n_rows:,} rows as CSV",
        data=lambda: _csv(dataset, rows),
        file_name="rows.csv",
        mime="text/csv",
        key=key,
        on_click="ignore",
    )


def _csv(dataset: Dataset, rows: Sequence[int] | None) -> bytes:
    """Row number, features, class or number; with a byte order mark, so that spreadsheets read it as UTF-8."""
    chosen = range(dataset.n_samples) if rows is None else rows
    lines = ([int(dataset.row_numbers[row]), *dataset.X[row].tolist(), _label(dataset, row)] for row in chosen)
    last = "class" if dataset.target is None else "label"
    return export_csv(["row", *dataset.feature_names, last], lines).encode("utf-8-sig")


def _label(dataset: Dataset, row: int) -> str | float | None:
    if dataset.y[row] == UNLABELLED:
        return None
    return dataset.class_names[dataset.y[row]] if dataset.target is None else float(dataset.target[row])
