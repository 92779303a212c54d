"""Compare's tables and figures: numbers over splits, tests against chance, differences between panels."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from datasets.base.dataset import Dataset
from datasets.base.words import counted, percent
from nca_core.snapshot import Snapshot
from pages.controls.long_work import progress, start_button, watched
from pages.controls.recipe_widgets import select_key
from pages.controls.results import figure_config, show_moments
from pages.server.jobs import Job
from pages.server.measurements import scores
from pages.server.workers import WORKERS
from pages.server.workspace import Workspace
from pages.views.comparison_tables import (
    COLUMNS,
    agreement_frame,
    changed_frame,
    confusion_frame,
    differences_table,
    fair_table,
    splits_table,
    table_csv,
)
from stage.plain_text import as_text
from study.chance import Chance, repeat_permutations
from study.compare import Comparison
from study.differences import (
    agreement,
    cell_rows,
    changed_rows,
    common_neighbours,
    confusion,
    evaluated_rows,
    predictions,
)
from study.panel_changes import unnamed
from study.splits import Splits, repeat_splits

_SPLITS = "splits"
_ONE = "compare.numbers_one"  # the panel whose differences to the others are listed
MOST_SPLITS = 100
_WIDTH, _WIDTH_WITH_ERROR = 92, 124  # pixels of a column


def numbers(space: Workspace, comparison: Comparison, dataset: Dataset) -> None:
    """The numbers of one split or over several, as a table and as CSV, with paired differences."""
    job = space.document.jobs.find(_SPLITS, unnamed(comparison.recipe))
    watched(partial(_table, space, comparison, job), job)
    _repeat(space, comparison, dataset)


def _table(space: Workspace, comparison: Comparison, job: Job | None, was_running: bool) -> None:
    titles = {panel.key: panel.recipe.shown_title for panel in comparison.panels}
    splits: Splits | None = job.result if job is not None else None
    if job is not None:
        done, wanted = (0, 0) if splits is None else (splits.done, splits.wanted)
        progress(job, was_running, done, wanted, "Splits", "compare.splits")
    measured = {} if splits is not None else scores(space, comparison)
    table = (
        fair_table(titles, measured)
        if splits is None
        else space.document.cached("splits table", partial(splits_table, titles, splits), splits, tuple(titles.items()))
    )
    wide = st.column_config.Column(width=_WIDTH if splits is None else _WIDTH_WITH_ERROR)
    widths: Any = dict.fromkeys(range(len(COLUMNS)), wide)  # by position: the names have two levels
    st.dataframe(table, column_config=widths, placeholder="–", key="compare.numbers")
    if splits is None:
        waiting = [titles[panel.key] for panel in comparison.panels if panel.trains and panel.key not in measured]
        st.caption(
            "One split: small differences may be luck. Repeat it to tell. "
            + (f"Not trained yet: {len(waiting)}. " if waiting else "")
            + "A dash: the method has no such number. Panels without a K̂ use that of the first training (K used)."
        )
        show_moments(measured.values())
    else:
        _paired_differences(titles, splits)
    st.download_button(
        "Download as CSV",
        data=lambda: table_csv(titles, measured, splits),
        file_name="comparison.csv",
        mime="text/csv",
        key="compare.csv",
        on_click="ignore",
    )


def _paired_differences(titles: dict[str, str], splits: Splits) -> None:
    st.caption(
        f"Mean ± standard error over {counted(splits.done, 'split')} of {splits.n_train:,} training and "
        f"{splits.n_test:,} held-out rows, corrected for overlapping splits (Nadeau and Bengio 2003). Bold: better "
        f"than every other panel beyond chance (95 %)."
    )
    name = "held_out_1nn" if splits.n_test else "accuracy_1nn"
    keys = splits.ranked(name)
    if len(keys) > 1:
        column = COLUMNS[name]
        st.caption(f"{column.title.strip()}, {column.group.lower()}: one panel against the others, split by split.")
        one = select_key("Which panel", {key: titles.get(key, key) for key in keys}, _ONE)
        table = differences_table(titles, splits, name, one)
        digits = st.column_config.NumberColumn(format="%.3f")
        config = {"mean difference": digits, "standard error": digits}
        st.dataframe(table, hide_index=True, column_config=config, placeholder="–", key="compare.differences")


def _repeat(space: Workspace, comparison: Comparison, dataset: Dataset) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        many = st.number_input(
            "Splits",
            2,
            MOST_SPLITS,
            value=20,
            key="compare.n_splits",
            persist_state="session",
            width=140,
            help="Each split holds out other rows, stratified by class, and refits everything.",
        )
        recipe = unnamed(comparison.recipe)
        work = partial(repeat_splits, recipe, dataset, int(many), spread=WORKERS.spread)
        start_button("Repeat over splits", "compare.repeat", space, _SPLITS, recipe, work)


_CHANCE = "chance"
_OF = "compare.chance_of"
MOST_PERMUTATIONS = 1_999


def against_chance(space: Workspace, comparison: Comparison, dataset: Dataset) -> None:
    """The panel, the number of permutations, and the result of the test."""
    titles = {p.key: p.recipe.shown_title for p in comparison.panels if not p.problem and p.recipe.labels != "none"}
    if not titles:
        st.caption("No panel here uses labels.")
        return
    trained = [panel.key for panel in comparison.panels if panel.trains and panel.key in titles]
    tested = space.document.jobs.panel(_CHANCE)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        key = select_key("Panel", titles, _OF, tested if tested in titles else next(iter([*trained, *titles])))
        many = st.number_input(
            "Permutations",
            19,
            MOST_PERMUTATIONS,
            value=199,
            step=20,
            key="compare.n_permutations",
            persist_state="session",
            width=160,
            help="How often the labels are shuffled and the method is trained on them.",
        )
        of = unnamed(comparison.recipe), key
        work = partial(repeat_permutations, comparison.recipe, dataset, key, int(many), spread=WORKERS.spread)
        job = start_button("Test against shuffled labels", "compare.test", space, _CHANCE, of, work)
    watched(partial(_test_result, job), job)


def _test_result(job: Job | None, was_running: bool) -> None:
    if job is None:
        st.caption("Would the method do as well with shuffled labels? Run the test to find out.")
        return
    found: Chance | None = job.result
    done, wanted = (0, 0) if found is None else (found.done, found.wanted)
    progress(job, was_running, done, wanted, "Permutations", "compare.chance")
    if found is None:
        return
    st.markdown(f"{'✓' if found.better else '⚠'} {as_text(found.sentence)}")
    if found.of_own_rows:
        st.caption(found.of_own_rows)
    # Plotly takes long to import.
    from pages.views.figures import chance_figure

    st.plotly_chart(chance_figure(found), key="compare.chance_figure", config=figure_config("chance"))


_CONFUSION = "compare.confusion"
SELECT = "compare.select"  # (a growing number, rows): the rows that the stage shall select


def differences(space: Workspace, comparison: Comparison) -> None:
    """Where the panels differ: each training at the iteration on the stage, or at its start."""
    panels = {panel.key: panel.recipe.shown_title for panel in comparison.panels if not panel.problem}
    at = {key: space.at(key) for key in panels}
    if not panels:
        st.caption("There is no panel to compare.")
        return
    if len(panels) > 1:
        _neighbours(comparison, panels, at)
    predicted = {key: predictions(comparison, key, at[key]) for key in panels}
    left, right = st.columns(2)
    with left:
        _confusion(comparison, panels, predicted)
    if len(panels) > 1:
        with right:
            st.markdown("**Agreement**", help="The share of rows that two panels give the same class.")
            digits = st.column_config.NumberColumn(format="%.3f")
            frame = agreement_frame(agreement(predicted), list(panels.values()))
            st.dataframe(frame, column_config=dict.fromkeys(frame.columns, digits), key="compare.agreement")


def select_rows(rows: np.ndarray) -> None:
    """Select these rows on the stage at the next rerun."""
    number = st.session_state.get(SELECT, (0, ()))[0] + 1
    st.session_state[SELECT] = number, tuple(int(row) for row in rows)


def _neighbours(comparison: Comparison, panels: dict[str, str], at: dict[str, Snapshot | None]) -> None:
    st.markdown("**Rows whose neighbours change most**")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        first = select_key("From", panels, "compare.from_panel")
        second = select_key("to", panels, "compare.to_panel", list(panels)[-1])
        k = st.number_input("Neighbours", 1, 100, 10, key="compare.k", persist_state="session", width=130)
        Y, other = (comparison.panel(key).projected(at[key]) for key in (first, second))
        common = common_neighbours(Y, other, int(k))
        rows = changed_rows(common)
        st.button(
            f"Select these {len(rows)} on the stage",
            key="compare.select_changed",
            disabled=not len(rows),
            on_click=select_rows,
            args=(rows,),
        )
    names = f"{as_text(panels[first])} and {as_text(panels[second])}"
    st.caption(f"{names} have {percent(np.mean(common))} of the {int(k)} nearest neighbours in common, on average.")
    frame = changed_frame(comparison.prepared.raw, common, rows)
    config = {"neighbours in common": st.column_config.NumberColumn(format="%.2f")}
    st.dataframe(frame, hide_index=True, height=220, column_config=config, key="compare.changed")


def _confusion(comparison: Comparison, panels: dict[str, str], predicted: dict[str, np.ndarray]) -> None:
    key = select_key("Confusion of", panels, "compare.confusion_of", list(panels)[-1])
    held_out = comparison.prepared.held_out[evaluated_rows(comparison, predicted[key])].any()
    frame = confusion_frame(confusion(comparison, key, predicted[key]), comparison.prepared.dataset.class_names)

    def pressed() -> None:
        cells = st.session_state[_CONFUSION].selection.cells
        if cells:
            row, column = cells[0]
            place = list(frame.columns).index(column)
            select_rows(cell_rows(comparison, key, predicted[key], int(row), place))

    st.dataframe(frame, key=_CONFUSION, on_select=pressed, selection_mode="single-cell")
    rows = "held-out rows" if held_out else "training rows, leave-one-out"
    if comparison.panel(key).recipe.labels == "shuffled":
        rows += ", with the shuffled labels of this panel"
    st.caption(f"By the nearest neighbour, {rows}. Press a cell to select its rows on the stage.")
