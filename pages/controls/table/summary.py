"""What a dropped table came to, at the top of both pages: its label, what is asked, what it costs, and the way on."""

from __future__ import annotations

import streamlit as st

from datasets.base.dataset import Dataset
from datasets.base.errors import DataError
from datasets.preparation import most_rows
from datasets.reduction import REDUCTIONS
from pages.controls.base.asked import pressed
from pages.controls.base.bound import bound
from pages.controls.base.messages import show_error
from pages.controls.recipe.explore_data import explore_data
from pages.controls.recipe.preparation import ALL_FEATURES, COMPONENTS_AT_FIRST, reduce_to
from pages.controls.table.label import label_proposal, label_select, treat_as_number_button
from pages.controls.table.questions import blocking_questions, reading_question, spelling_offer
from pages.controls.table.upload import unread_file
from pages.controls.table.upload_state import built_dataset, choose, undo
from pages.server.front import table_in_front
from pages.server.upload import Upload
from pages.server.workspace import Workspace
from pages.text import wording
from pages.text.plain_text import as_text
from pages.views.table_checks import is_wide, size_sentence, table_checks
from pages.views.table_notes import columns_line

_COSTS_SHOWN = 3
_RECALLED = "What you chose for a table with the same columns holds here, too; Undo takes it back."


def table_summary(space: Workspace, upload: Upload, key: str) -> None:
    """For the Data page: everything that matters before one goes on."""
    with st.container(border=True, gap="small", key=f"{key}.card"):
        _asked(space, upload, key)
        label_select(space, upload, f"{key}.label")
        treat_as_number_button(space, upload, f"{key}.label")
        ready_buttons(space, upload, key)


def table_on_explore(space: Workspace, key: str) -> bool:
    """For the Explore page: until something trains, and for as long as an answer is needed; whether it is there."""
    unread_file(space, f"{key}.failed")
    upload = table_in_front(space)
    if upload is None or (space.runs and not upload.why_not_ready):
        return False
    with st.container(border=True, gap="small", key=f"{key}.card"):
        _asked(space, upload, key)
        undo_button(space, upload, key)
    return True


def _asked(space: Workspace, upload: Upload, key: str) -> None:
    blocking_questions(space, upload, key)
    label_proposal(space, upload, f"{key}.label")
    reading_question(space, upload, f"{key}.reading")
    spelling_offer(space, upload, key)
    if upload.plan is not None:
        st.markdown(as_text(columns_line(upload.plan)))
    _costs(upload, key)
    dataset = built_dataset(space)
    _sampled(space, dataset)
    wide_offer(space, dataset, f"{key}.fewer")
    if upload.error and upload.plan is not None and upload.plan.ready:  # else a question says it
        show_error(DataError(upload.error))


def _costs(upload: Upload, key: str) -> None:
    """The most costly first; then what was said about columns that are not there."""
    plan = upload.plan
    lines = [] if plan is None else [*([_RECALLED] if upload.recalled else []), *plan.costs, *plan.waiting]
    if lines:
        st.markdown("  \n".join(as_text(line) for line in lines[:_COSTS_SHOWN]))
    if lines[_COSTS_SHOWN:]:
        with st.expander(f"{len(lines[_COSTS_SHOWN:])} more", key=f"{key}.costs"):
            st.markdown("  \n".join(as_text(line) for line in lines[_COSTS_SHOWN:]))


def _sampled(space: Workspace, dataset: Dataset | None) -> None:
    """That a larger table is trained on a sample of its rows."""
    if dataset is None:
        return
    limit = most_rows(dataset, space.belongings.recipe.preparation)
    if dataset.n_samples > limit:
        st.markdown(as_text(size_sentence(table_checks(dataset), limit)))


def wide_offer(space: Workspace, dataset: Dataset | None, key: str) -> None:
    """A table of very many features trains on fewer at one press; what it trains on is what is marked."""
    if dataset is None or not is_wide(dataset):
        return
    config = space.belongings.recipe.preparation
    n = config.components or COMPONENTS_AT_FIRST
    words = {key: reduction.to(n) for key, reduction in REDUCTIONS.items()}
    st.segmented_control(
        "Train on",
        [ALL_FEATURES, *REDUCTIONS],
        format_func=wording.labelled({ALL_FEATURES: f"all {dataset.n_features:,} features", **words}),
        required=True,
        **bound(
            key,
            ALL_FEATURES if config.components is None else config.reduction,
            lambda said: reduce_to(space, said),
        ),
        help="Fewer are quicker, and overfit less. 'Fewer features first' under 'Advanced' on the Explore page says "
        "the same, and how many.",
    )


def ready_buttons(space: Workspace, upload: Upload, key: str) -> None:
    """On to the picture, or why not; and the last choice taken back."""
    why = upload.why_not_ready
    with st.container(horizontal=True, vertical_alignment="center"):
        if pressed("Explore this data", f"{key}.explore", of=upload.key, type="primary", disabled=bool(why)):
            explore_data(space, upload.key)
        undo_button(space, upload, key)
        if why:
            st.caption(as_text(why), width="stretch")


def undo_button(space: Workspace, upload: Upload, key: str) -> None:
    """One for everything that was said about the table; it is there once something was."""
    if not upload.past:
        return
    st.button("Undo", key=f"{key}.undo", on_click=undo, args=(space,), help="Take back your last choice.")
    if not upload.choices.is_empty:
        st.button(
            "Back to what was proposed",
            key=f"{key}.proposed",
            on_click=choose,
            args=(space, type(upload.choices)()),
            help="Take back all your choices; Undo brings them back.",
        )
