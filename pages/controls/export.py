"""The Export menu: choose an export and its format, make the file, download it."""

from collections.abc import Sequence
from functools import partial

import streamlit as st

from export import EXPORTS
from export.entry import Export, ExportProgress, ExportRequest, File, SourceFile, Subject
from pages.controls.long_work import start_button, watched
from pages.controls.recipe_widgets import FORM, FORMS, folded, is_dark, one_of_few, save_file
from pages.server.jobs import Job
from pages.server.workspace import Workspace
from stage.plain_text import as_text, visible
from stage.streamlit_host import StageState
from study.compare import Comparison
from study.opening import rows_key, scores_of

_JOB = "export"
_PICTURE_REQUEST = "export.picture_request"
PICTURE = "picture"
_PICTURES = {"png1": "PNG", "png2": "PNG ×2", "png4": "PNG ×4", "svg": "SVG"}
_TITLES = {PICTURE: "Picture: the stage as it is shown", **{key: export.title for key, export in EXPORTS.items()}}


def picture_request(comparison: Comparison) -> tuple[int, str, str]:
    """(number, form, name) of the picture to save; each number once."""
    number, form = st.session_state.get(_PICTURE_REQUEST, (0, ""))
    return number, form, visible(comparison.prepared.raw.name)


@folded("Export", "export.menu")
def export_menu(space: Workspace, comparison: Comparison, stage: StageState) -> None:
    what = st.selectbox("Export as", list(_TITLES), format_func=_TITLES.__getitem__, key="export.what")
    if what == PICTURE:
        _picture()
        return
    dark = is_dark()
    subject = export_subject(space, comparison, stage.selection, st.context.url or "", dark)
    export = EXPORTS[what]
    st.caption(as_text(export.description))
    if moments := [f"{subject.titles[key]}: {subject.moment(key)}" for key in subject.histories]:
        st.caption(as_text(f"As on the stage. {'; '.join(moments)}."))
    request = _request(export, subject)
    if problem := export.problem(subject, request):
        st.caption(as_text(problem))
        return
    trained = [
        (key, space.runs[key].number, len(history), subject.places.get(key))
        for key, history in subject.histories.items()
    ]
    rows = subject.rows if request.only_selected else ()
    of = what, request, rows, dark, comparison.recipe, id(comparison.dataset), tuple(trained), subject.address
    job = start_button("Make the file", "export.make", space, _JOB, of, partial(export.make, subject, request))
    watched(job, partial(_file, job), "Making the file", "export", partial(_far, job))


def _far(job: Job | None, at: ExportProgress | None) -> tuple[int, int, str]:
    """(steps done, wanted, ""); nothing of a cancelled export is offered."""
    done = at.done if at is not None and job is not None and job.state == "running" else 0
    return done, 1 if at is None else at.wanted, ""


def export_subject(space: Workspace, comparison: Comparison, rows: Sequence[int], address: str, dark: bool) -> Subject:
    """What a workspace shows now, to be exported while its trainings continue.

    `rows` are selected on the stage; `address` is that of the page, to link back to.
    """
    histories, places, starts = {}, {}, {}
    for panel in comparison.panels:
        held = space.runs.get(panel.key)
        if held is None or not panel.trains or not (snapshots := held.run.trajectory.snapshots):
            continue
        histories[panel.key] = snapshots
        if (place := space.shown_index(panel.key)) < len(snapshots) - 1:
            places[panel.key] = place
        if panel.recipe.frame is None and held.run.given_start is not None:
            starts[panel.key] = held.run.given_start
    own, dataset, source = space.first.document, comparison.dataset, None
    upload = own.upload
    if upload is not None and upload.plan is not None and own.own_data.get(upload.key) is dataset:
        read = upload.options, upload.sheet, upload.choices
        source = SourceFile(upload.filename, upload.data, *read, dataset.image_shape)
    openings = own.openings.get(rows_key(comparison.recipe), 0)
    scores = scores_of(comparison, space.document.test_scores)
    return Subject(comparison, histories, places, starts, source, address, tuple(rows), dark, openings, scores)


def _picture() -> None:
    st.caption(
        "The panels as shown now: iteration, rotation, zoom and hidden classes. SVG holds shapes, or an image of "
        "more than 20,000 points."
    )
    form = one_of_few("As", _PICTURES, "export.picture.form")
    number = st.session_state.get(_PICTURE_REQUEST, (0, ""))[0] + 1
    save = partial(st.session_state.__setitem__, _PICTURE_REQUEST, (number, form))
    st.button("Save the picture", key="export.picture", on_click=save)
    one_of_few("The camera icon on charts saves as", FORMS, FORM)


def _request(export: Export, subject: Subject) -> ExportRequest:
    form, panel, only_selected = next(iter(export.forms)), "", False
    if len(export.forms) > 1:
        form = one_of_few("As", export.forms, f"export.{export.key}.form")
    if export.of_panel:
        keys = [each.key for each in subject.shown]
        chosen = next((k for k, key in enumerate(keys) if subject.at(key) is not None), 0)
        titles = {key: visible(title) for key, title in subject.titles.items()}
        panel = st.selectbox("Panel", keys, index=chosen, format_func=titles.__getitem__, key="export.panel")
    if export.of_rows:
        label = f"Only the {len(subject.rows):,} selected rows" if subject.rows else "Only the selected rows"
        about = "Select rows on the stage with the lasso or the box."
        only_selected = st.checkbox(label, key="export.only_selected", help=about, disabled=not subject.rows)
    return ExportRequest(form, panel, bool(only_selected and subject.rows))


def _file(job: Job | None) -> None:
    if job is not None and job.state == "done" and job.result is not None and job.result.file is not None:
        file: File = job.result.file
        n_bytes = len(file.data)
        size = f"{n_bytes / 1e6:.1f} MB" if n_bytes >= 1e6 else f"{max(1, round(n_bytes / 1e3)):,} kB"
        save_file(f"Download {file.name} ({size})", file.data, file.name, file.mime, "export.download", type="primary")
