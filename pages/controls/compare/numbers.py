"""The table of a comparison, and its repetition over several splits."""

from __future__ import annotations

from functools import partial
from typing import Any

import streamlit as st
from pandas.io.formats.style import Styler

from datasets.base.counted import counted
from datasets.base.dataset import Dataset
from pages.controls.base.long_work import progress, start_button, watched
from pages.controls.base.persistence import IN_SESSION
from pages.server.job import Job
from pages.server.jobs import job_of
from pages.server.scores import scores
from pages.server.workers import WORKERS
from pages.server.workspace import Workspace
from pages.views.fair_table import COLUMNS, differences_table, fair_table, splits_table, table_csv, told_apart
from study.compare import Comparison
from study.panel_changes import unnamed
from study.splits import Splits, repeat_splits

_JOB = "splits"
_ONE = "compare.numbers_one"  # the panel whose differences to the others are listed
_WRITTEN = "compare.numbers_written"  # (splits, titles, their table)
MOST_SPLITS = 100
_WIDTH, _WIDTH_WITH_ERROR = 92, 124  # pixels of a column


def numbers(space: Workspace, comparison: Comparison, dataset: Dataset) -> None:
    """One split, or as many as were asked for; a table, its CSV, and what of it is beyond chance."""
    job = job_of(space, _JOB, unnamed(comparison.recipe))
    watched(partial(_table, space, comparison, job), job)
    _repeat(space, comparison, dataset)


def _table(space: Workspace, comparison: Comparison, job: Job | None, was_running: bool) -> None:
    titles = {panel.key: panel.recipe.shown_title for panel in comparison.panels}
    splits: Splits | None = job.result if job is not None else None
    if job is not None:
        done, wanted = (0, 0) if splits is None else (splits.done, splits.wanted)
        progress(job, was_running, done, wanted, "Splits", "compare.splits")
    measured = {} if splits is not None else scores(space, comparison)
    table = fair_table(titles, measured) if splits is None else _of_splits(titles, splits)
    wide = st.column_config.Column(width=_WIDTH if splits is None else _WIDTH_WITH_ERROR)
    widths: Any = dict.fromkeys(range(len(COLUMNS)), wide)  # by place, as the names have two levels
    st.dataframe(table, column_config=widths, placeholder="–", key="compare.numbers")
    if splits is None:
        waiting = [titles[panel.key] for panel in comparison.panels if panel.trains and panel.key not in measured]
        st.caption(
            "One split: small differences may be luck; repeat it to tell. "
            + (f"Not trained yet, or under way: {len(waiting)}. " if waiting else "")
            + "– where the method cannot say: p_ij needs a scale that was learnt, new rows a matrix. A panel without "
            "a K̂ votes with that of the first training (K asked)."
        )
    else:
        _uncertainty(titles, splits)
    st.download_button(
        "Download as CSV",
        data=lambda: table_csv(titles, measured, splits),
        file_name="comparison.csv",
        mime="text/csv",
        key="compare.csv",
        on_click="ignore",
    )


def _of_splits(titles: dict[str, str], splits: Splits) -> Styler:
    """Their table, written once: it takes a fifth of a second, and the page comes by twice a second."""
    kept = st.session_state.get(_WRITTEN)
    if kept is None or kept[0] is not splits or kept[1] != titles:
        kept = st.session_state[_WRITTEN] = splits, titles, splits_table(titles, splits)
    table: Styler = kept[2]
    return table


def _uncertainty(titles: dict[str, str], splits: Splits) -> None:
    st.caption(
        f"Mean ± standard error over {counted(splits.done, 'split')} of {splits.n_train:,} training and "
        f"{splits.n_test:,} held-out rows; the error allows for the rows that splits share (Nadeau and Bengio 2003). "
        "Bold: better than every other panel beyond chance, at 95 %."
    )
    name = "held_out_1nn" if splits.n_test else "own_1nn"
    keys = told_apart(splits, name)
    if len(keys) > 1:
        column = COLUMNS[name]
        st.caption(f"{column.title.strip()}, {column.group.lower()}: one panel against the others, split by split.")
        if st.session_state.get(_ONE) not in keys:
            st.session_state[_ONE] = keys[0]  # the best mean
        one = st.selectbox("Which panel", keys, format_func=lambda key: titles.get(key, key), key=_ONE, width=240)
        differences = differences_table(titles, splits, name, one)
        digits = st.column_config.NumberColumn(format="%.3f")
        shown = {"mean difference": digits, "standard error": digits}
        name = "compare.differences"
        st.dataframe(differences, hide_index=True, column_config=shown, placeholder="–", key=name)


def _repeat(space: Workspace, comparison: Comparison, dataset: Dataset) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        many = st.number_input(
            "Splits",
            2,
            MOST_SPLITS,
            value=20,
            key="compare.n_splits",
            **IN_SESSION,
            width=140,
            help="Each holds out other rows, stratified by class, and everything is prepared, fitted and trained anew.",
        )
        recipe = unnamed(comparison.recipe)
        work = partial(repeat_splits, recipe, dataset, int(many), spread=WORKERS.spread)
        start_button("Repeat over splits", "compare.repeat", space, _JOB, recipe, work)
