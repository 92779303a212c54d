"""Rows as CSV to take along; nothing in it can run as a formula."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from datasets.dataset import Dataset
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
    """Row number, features, class; with a byte order mark, so that spreadsheets read it as UTF-8."""
    chosen = range(dataset.n_samples) if rows is None else rows
    names = [*dataset.class_names, ""]  # UNLABELLED is -1: the last one
    lines = ([int(dataset.row_numbers[row]), *dataset.X[row].tolist(), names[dataset.y[row]]] for row in chosen)
    return export_csv(["row", *dataset.feature_names, "class"], lines).encode("utf-8-sig")
