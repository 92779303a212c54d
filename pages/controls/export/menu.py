"""The Export menu: what to take away, in which form, and then the file with its size."""

from __future__ import annotations

from functools import partial
from typing import Any

import streamlit as st

from export import EXPORTS
from export.entry import Export, Made, Wish
from export.subject import Subject
from pages.controls.base.figure_config import FORM, FORMS
from pages.controls.base.long_work import progress, start_button, watched
from pages.controls.base.persistence import IN_SESSION
from pages.server.job import Job
from pages.server.takeaway import takeaway
from pages.server.workspace import Workspace
from pages.stage.component import StageState
from pages.text.plain_text import as_text, visible
from study.compare import Comparison

_JOB = "export"
_ASKED = "export.picture_asked"
PICTURE = "picture"
_PICTURES = {"png1": "PNG", "png2": "PNG ×2", "png4": "PNG ×4", "svg": "SVG"}
_TITLES = {PICTURE: "Picture: the stage as it is shown", **{key: export.title for key, export in EXPORTS.items()}}


def picture_wish(comparison: Comparison) -> tuple[int, str, str]:
    """(number, form, name) of the picture that the stage shall save; each number is granted once."""
    number, form = st.session_state.get(_ASKED, (0, ""))
    return number, form, visible(comparison.prepared.raw.name)


def export_menu(space: Workspace, comparison: Comparison, stage: StageState) -> None:
    """Draw nothing but its head while it is closed."""
    opened = st.expander("Export", key="export.menu", on_change="rerun")
    if not opened.open:
        return
    with opened:
        what = st.selectbox("What to take along", list(_TITLES), format_func=_TITLES.__getitem__, key="export.what")
        if what == PICTURE:
            _picture()
            return
        dark = st.context.theme.type == "dark"
        subject = takeaway(space, comparison, stage.selection, st.context.url or "", dark)
        export = EXPORTS[what]
        st.caption(as_text(export.description))
        wish = _wish(export, subject)
        if problem := export.problem(subject, wish):
            st.caption(as_text(problem))
            return
        about = (what, wish, subject.rows if wish.only_selected else (), dark, *_shown(space, subject))
        job = start_button("Make the file", "export.make", space, _JOB, about, partial(export.make, subject, wish))
        watched(partial(_made, job), job)


def _picture() -> None:
    st.caption(
        "The panels as you see them now: this iteration, turned and zoomed, with hidden classes hidden, titles and "
        "legend. SVG has real shapes, and a picture of the points where there are more than 20,000."
    )
    form = _form("picture", _PICTURES)
    st.button("Save the picture", key="export.picture", on_click=_ask, args=(form,))
    st.segmented_control(
        "Charts: the camera on each saves it as",
        list(FORMS),
        default="png",
        required=True,
        format_func=FORMS.__getitem__,
        key=FORM,
        **IN_SESSION,
    )


def _ask(form: str) -> None:
    st.session_state[_ASKED] = (st.session_state.get(_ASKED, (0, ""))[0] + 1, form)


def _form(key: str, forms: Any) -> str:
    if len(forms) == 1:
        return str(next(iter(forms)))
    return str(
        st.segmented_control(
            "As",
            list(forms),
            default=next(iter(forms)),
            required=True,
            format_func=lambda form: forms[form],
            key=f"export.{key}.form",
            **IN_SESSION,
        )
    )


def _wish(export: Export, subject: Subject) -> Wish:
    form, panel, only_selected = _form(export.key, export.forms), "", False
    if export.of_panel:
        keys = [each.key for each in subject.shown]
        trained = [key for key in keys if subject.at(key) is not None]
        chosen = keys.index(trained[0]) if trained else 0
        titles = {key: visible(title) for key, title in subject.titles.items()}
        panel = st.selectbox("Panel", keys, index=chosen, format_func=titles.__getitem__, key="export.panel")
    if export.of_rows:
        only_selected = st.checkbox(
            f"Only the {len(subject.rows):,} selected rows" if subject.rows else "Only the selected rows",
            key="export.only_selected",
            disabled=not subject.rows,
            help="Rows are selected on the stage, with the lasso or the box.",
        )
    return Wish(form, panel, bool(only_selected and subject.rows))


def _shown(space: Workspace, subject: Subject) -> list[object]:
    """What tells one state of the page from another: what is compared, and how far each training is."""
    trained = [(key, space.runs[key].number, len(history)) for key, history in subject.histories.items()]
    return [subject.comparison.recipe, id(subject.comparison.dataset), tuple(trained), subject.address]


def _made(job: Job | None, was_running: bool) -> None:
    """How far it is, and the file once it is there."""
    if job is None:
        return
    made: Made = job.result if job.result is not None else Made(0, 1)
    done = made.done if job.state == "running" else 0  # of a cancelled one nothing is handed out
    progress(job, was_running, done, made.wanted, "Making the file", "export")
    if job.state == "done" and made.file is not None:
        file = made.file
        st.download_button(
            f"Download {file.name} ({_size(len(file.data))})",
            data=file.data,
            file_name=file.name,
            mime=file.mime,
            key="export.download",
            type="primary",
            on_click="ignore",
        )


def _size(n_bytes: int) -> str:
    return f"{n_bytes / 1e6:.1f} MB" if n_bytes >= 1e6 else f"{max(1, round(n_bytes / 1e3)):,} kB"
