"""The user's file: the field to drop it on, how it is read, the choices made for its table, and the data set of both.

Each change builds the data set again; what cannot be read or built leaves the previous table in place. Callbacks must
not hold a table: Streamlit keeps them as long as the session.
"""

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from datasets import reading
from datasets.base.dataset import Dataset
from datasets.base.errors import DataError
from datasets.base.words import counted
from datasets.columns import build_dataset
from datasets.proposals import (
    Choices,
    apply,
    blanks_question,
    orientation_question,
    propose,
    sentinel_offer,
    widening_question,
)
from pages.controls.recipe_widgets import bind, select_box
from pages.controls.shell import show_error
from pages.server.compat import DeletedFile, UploadedFile, session_id, session_lives
from pages.server.data import awaited_table, choose_data, table_in_front
from pages.server.document import Upload
from pages.server.jobs import GivenUp, Turns, logged
from pages.server.limits import remove_upload, room_for
from pages.server.workspace import HUB, Workspace, trim_memory
from pages.views.uploaded_table import DECIMAL_WORDS, missing_chip
from stage.plain_text import as_text, visible

TAB = "Your table"
_TAKEN, _MOST_TAKEN = "table.taken", 20  # ids of the files that the workspace has taken
# A select box shows None as empty.
DETECTED = "as detected"
_COMMENTS = {"": "none", "#": "#", "%": "%", "//": "//", ";": ";"}
_HEADERS = {0: "none", 1: "1", 2: "2", 3: "3", 4: "4"}
_LINES_SHOWN = 6
TURNS = Turns(2)  # tables that are read at the same time, in child processes


def drop_field(space: Workspace, key: str) -> None:
    """The file field; a dropped file is read at once."""
    about = "A table with a header line and a label column: CSV, TSV, semicolons, Excel, OpenDocument, SPSS, Stata, SAS"
    about += ", Parquet, ARFF, JSON or XML records, web pages, logs, libsvm, NPZ, or gzipped. It stays on this server."
    st.file_uploader("Your own table", key=key, on_change=_opened, args=(space, key), help=about)
    read_waiting(space)
    file = st.session_state.get(key)
    loaded = table_in_front(space)
    if loaded is not None and not isinstance(file, UploadedFile) and space.document.failed_upload is None:
        # After a press on the file's X, on another page and after a reload the field is empty.
        st.caption(as_text(f"{loaded.filename} is still loaded. Choose another data set to leave it."))
    lost = isinstance(file, DeletedFile) and file.file_id not in st.session_state.get(_TAKEN, ())
    if lost and space.document.upload is None and space.document.failed_upload is None:
        st.warning("The server restarted and lost this file: drop it again.")


def unread_file(space: Workspace, key: str) -> None:
    """Why a file could not be read, its first lines as text, and what to do about it."""
    failed = space.document.failed_upload
    if failed is None:
        return
    show_error(DataError(failed.error))
    reading_question(space, failed.question, f"{key}.question", failed=True)
    lines, tried = reading.raw_lines(failed.data, failed.filename, failed.options)
    if failed.table is None and lines:
        st.code("\n".join(visible(line) for line in lines), language=None)
        st.caption(as_text(f"The first lines as text. Tried: {tried}."))
    reading_chips(space, failed, key, failed=True)
    upload = space.document.upload
    words = "Discard this file" if upload is None else f"Keep {as_text(upload.filename)}"
    st.button(words, key=f"{key}.dismiss", on_click=setattr, args=(space.document, "failed_upload", None))


def _opened(space: Workspace, key: str) -> None:
    file = st.session_state.get(key)
    if not isinstance(file, UploadedFile):
        return
    space.document.waiting_upload = Upload(file.name, file.getvalue())
    file.truncate(0)  # Streamlit keeps the widget's value until minutes after the session
    st.session_state["data.tab"] = TAB
    # The workspace holds the file: Streamlit's copy is removed and reported as deleted from now on.
    st.session_state[_TAKEN] = (*st.session_state.get(_TAKEN, ()), file.file_id)[-_MOST_TAKEN:]
    remove_upload(session_id(), file.file_id)


def reading_chips(space: Workspace, upload: Upload, key: str, *, failed: bool = False) -> None:
    """What was read and how: a chip for each property, which opens what overrules it."""
    table, options = upload.table, upload.options

    def put_missing(text: str) -> None:
        words = dict.fromkeys(filter(None, (word.strip() for word in text.split(","))))
        codes = tuple(word for word in words if word in options.codes)
        missing = tuple(word for word in words if word not in codes)
        _set_options(space, failed, missing=missing, codes=codes)

    with st.container(horizontal=True, gap="xsmall", vertical_alignment="center", key=f"{key}.chips"):
        words = [upload.filename]
        if table is not None:
            words.append(f"{counted(table.n_rows, 'row')} x {counted(len(table.columns), 'column')}")
            words += [f"line breaks: {table.detected.line_end}"] if table.detected is not None else []
        st.markdown(" ".join(f":gray-badge[{as_text(word)}]" for word in words), width="content")
        for name, (label, choices, detected) in _properties(table).items():
            now = getattr(options, name)
            shown = detected if now is None else choices[now]
            with st.popover(f"{label}: {as_text(shown)}", key=f"{key}.{name}.chip"):
                as_detected = f"{DETECTED} ({detected})" if now is None and detected != DETECTED else DETECTED
                put = partial(_set_option, space, failed, name)
                bound = bind(f"{key}.{name}", DETECTED if now is None else now, put)
                select_box(label, {DETECTED: as_detected, **choices}, filter_mode="fuzzy", **bound)
        if table is not None and len(table.sheets) > 1:
            what = "Sheet" if table.detected is None else "Table"
            joins = options.all_sheets and len(table.alike) > 1
            read = f"{len(table.alike)} sheets, joined" if joins else f"{what}: {as_text(table.sheet)}"
            with st.popover(read, key=f"{key}.sheet.chip"):
                bound = bind(f"{key}.sheet", table.sheet, lambda sheet: read_again(space, failed=failed, sheet=sheet))
                st.selectbox(what, list(table.sheets), format_func=visible, **bound)
                beside = (*table.beside, *table.beside_samples)
                if beside and not joins:
                    bound = bind(f"{key}.beside", options.beside, partial(_set_option, space, failed, "beside"))
                    label = "Columns added from another sheet"
                    st.selectbox(label, [None, *beside], format_func=lambda name: visible(name or "none"), **bound)
                if len(table.alike) > 1:
                    put = partial(_set_option, space, failed, "all_sheets")
                    label = f"Join the {len(table.alike)} sheets with its columns"
                    st.toggle(label, **bind(f"{key}.sheets", options.all_sheets, put))
        with st.popover("Columns are samples" if options.transposed else "Rows are samples", key=f"{key}.turn.chip"):
            put = partial(_set_option, space, failed, "transposed")
            st.toggle("Transpose: columns become rows", **bind(f"{key}.turn", options.transposed, put))
            if options.widened:

                def put_wide(on: bool) -> None:
                    _set_options(space, failed, widened=options.widened if on else ())

                st.toggle(f"A column for each {as_text(options.widened[0])}", **bind(f"{key}.wide", True, put_wide))
        missing = missing_chip(tuple(dict.fromkeys((*upload.missing, *options.missing, *options.codes))), upload.plan)
        with st.popover(f"Missing: {as_text(missing)}", key=f"{key}.missing.chip"):
            st.text_input(
                "Other words for missing values, separated by commas",
                placeholder="-999, unknown",
                **bind(f"{key}.missing", ", ".join((*options.missing, *options.codes)), put_missing),
                help="Blank cells, ?, NA, N/A, NaN, null, None, a lone dash, colon or point and a spreadsheet's errors "
                "such as #N/A count as missing. In a label of classes only blank cells and your own words do.",
            )
            if options.blanks_are_0 or (table is not None and table.counts_with_blanks):
                put = partial(_set_option, space, failed, "blanks_are_0")
                st.toggle(
                    "Blanks and dashes beside numbers above 0 mean 0",
                    **bind(f"{key}.blanks", options.blanks_are_0, put),
                )


def _properties(table: reading.Table | None) -> dict[str, tuple[str, Mapping[Any, str], str]]:
    """Field of ReadOptions -> (label, choices, what was detected), for what can be said about the file."""
    found = table.detected if table is not None else None
    header = ("Header lines", _HEADERS, _HEADERS.get(found.header_lines, "") if found else DETECTED)
    if table is not None and found is None:
        return {"header_lines": header} if table.sheets else {}
    return {
        "separator": ("Separator", reading.SEPARATORS, reading.SEPARATORS[found.separator] if found else DETECTED),
        "header_lines": header,
        "comment": ("Comments", _COMMENTS, counted(found.n_comments, "line") if found else DETECTED),
        "decimal": ("Decimal mark", DECIMAL_WORDS, DECIMAL_WORDS[table.decimal] if table is not None else DETECTED),
        "thousands": ("Thousands mark", reading.THOUSANDS, DETECTED),
        "encoding": ("Encoding", reading.ENCODINGS, reading.ENCODINGS[found.encoding] if found else DETECTED),
    }


def _set_option(space: Workspace, failed: bool, name: str, value: Any) -> None:
    """Read the current file, or the failed one, with another option."""
    _set_options(space, failed, **{name: None if value == DETECTED else value})


def _set_options(space: Workspace, failed: bool, **changed: Any) -> None:
    if (upload := upload_to_read(space, failed=failed)) is not None:
        read_again(space, failed=failed, options=replace(upload.options, **changed))


def thousands_button(space: Workspace, upload: Upload) -> None:
    """A button where the decimal mark may group thousands."""
    table = upload.table
    if table is None or table.detected is None or not table.detected.doubtful:
        return
    doubtful, decimal = table.detected.doubtful, table.decimal
    option, mark, meant = ("thousands", decimal, "") if decimal in doubtful else ("decimal", ",", ".")
    label = f"{doubtful} means {doubtful.replace(mark, meant)}"
    about = f"Read the {DECIMAL_WORDS[mark]} as the {option} mark."
    set_mark = partial(_set_option, space, False, option, mark)
    st.button(as_text(label), key="data.thousands", on_click=set_mark, help=about)


def reading_question(
    space: Workspace, question: reading.ReadQuestion | None, key: str, *, failed: bool = False, stands_out: bool = False
) -> None:
    """A question about reading the file; each answer with a preview of some lines."""
    if question is None:
        return
    if not failed:  # else the error message says it
        (st.warning if stands_out else st.markdown)(as_text(question.text))
    for place, (column, answer) in enumerate(zip(st.columns(len(question.answers)), question.answers, strict=True)):
        with column:
            label = as_text(answer.text[:1].upper() + answer.text[1:])
            answered = partial(read_again, space, failed=failed, options=answer.options)
            primary = failed or stands_out
            st.button(label, key=f"{key}.{place}", on_click=answered, type="primary" if primary else "secondary")
            if answer.preview:
                st.code("\n".join(answer.preview.splitlines()[:_LINES_SHOWN]), language=None)


# -- the table and the choices made for it


def built_dataset(space: Workspace) -> Dataset | None:
    """The data set built last from the current table; its plan may be newer where that cannot be built."""
    own = space.document
    return None if own.upload is None else own.own_data.get(own.upload.key)


def upload_to_read(space: Workspace, *, failed: bool) -> Upload | None:
    """The current file, or the failed one, with options that were set but not yet read."""
    own = space.document
    upload, waiting = own.failed_upload if failed else own.upload, own.waiting_upload
    same = upload is not None and waiting is not None and waiting.data is upload.data
    return waiting if same else upload


def read_again(space: Workspace, *, failed: bool = False, **changed: Any) -> None:
    """Read the current file, or the failed one, again: with other `options` or another `sheet`."""
    if (upload := upload_to_read(space, failed=failed)) is not None:
        if "sheet" in changed:  # its lines are others
            changed["options"] = replace(upload.options, without_lines=())
        space.document.waiting_upload = replace(upload, **changed, error="", question=None, of_cells=None)


def read_waiting(space: Workspace) -> None:
    """Read the queued file. Trainings pause meanwhile; they end with the new table, and resume if it is refused.

    A table saved before a restart is planned again, which restores its questions.
    """
    own = space.document
    if own.upload_before is not None and _in_turn(space, own.upload_before, restore_upload):
        own.upload_before = None
    if own.waiting_upload is not None:
        resting = [held.run for held in space.runs.values() if held.run.state in ("waiting", "running")]
        for run in resting:
            run.pause()
        taken = False
        try:
            if _in_turn(space, own.waiting_upload, read_upload):
                own.waiting_upload = None
                taken = space.document.failed_upload is None
        finally:  # also if a rerun interrupts the reading
            for run in resting if not taken else ():
                run.resume()
        if taken:
            for held in space.runs.values():
                held.run.stop()


def _in_turn(space: Workspace, upload: Upload, read: Callable[[Workspace, Upload], None]) -> bool:
    """Whether the file was read or refused; False if the session ended meanwhile."""
    queue = st.empty()
    try:
        with ExitStack() as held:

            def say_place(place: int) -> None:
                queue.info(f"Other tables are read first; yours is number {place} in the queue.")

            held.enter_context(TURNS.turn(session_ended(), say_place))
            queue.empty()
            try:
                held.enter_context(room_for(HUB, space.first, len(upload.data), upload.filename, session_ended()))
            except DataError as error:  # no room: the file is not kept either
                space.document.failed_upload = replace(upload, data=b"", error=str(error))
                return True
            with st.spinner("Reading the table"):
                read(space, upload)
            trim_memory()
    except GivenUp:
        return False  # the file stays queued
    except DataError as error:
        space.document.failed_upload = replace(upload, table=None, error=str(error))
    except Exception as error:  # from a library that reads the file, or the disk
        space.document.failed_upload = replace(upload, table=None, error=_why_not_read(upload, error))
    return True


def _why_not_read(upload: Upload, error: Exception) -> str:
    """One sentence for a fault of the server or the app; the log has the rest."""
    name = upload.filename
    if isinstance(error, MemoryError):
        return f"{name} needs more memory to read than this server has left. Try a smaller part of it."
    if isinstance(error, OSError):
        why = error.strerror or "no reason given"
        return f"{name} could not be read: the server's disk failed ({why}). Try again later."
    return f"{name} could not be read because of an error in this app. {logged(error)}"


def read_upload(space: Workspace, upload: Upload) -> None:
    """Read the file with its options, plan its columns, build the data set.

    Choices stay; for a table with the columns of an earlier one they are taken from there, and can be undone.
    """
    table = None
    try:
        table = _table_of(upload)
        is_new = upload.choices.is_empty and not upload.past and not upload.as_chosen
        if is_new:
            earlier = space.document.said.get(table.columns, Choices())
            upload = replace(upload.with_choices(earlier), recalled=not earlier.is_empty)
        upload = _with_plan(upload, table)
        linked = awaited_table(space) if is_new and not upload.recalled else None
        if linked is not None and upload.plan is not None and linked.label in upload.plan.table.columns:
            upload = _with_plan(replace(upload, choices=Choices(label=linked.label)), table)
        use_table(space, upload)
    except DataError as error:
        # The table is kept with it: another sheet may do.
        question = None
        if isinstance(error, reading.FaultyLinesError):
            question = reading.faulty_lines_question(error, upload.options)
        space.document.failed_upload = replace(upload, table=table, error=str(error), question=question)


def _table_of(upload: Upload) -> reading.Table:
    options, sheet = upload.options, upload.sheet
    return reading.read_table(upload.data, upload.filename, options, sheet=sheet, cancelled=session_ended())


def _with_plan(upload: Upload, table: reading.Table) -> Upload:
    plan = apply(propose(table), upload.choices)
    options = upload.options
    first = reading.encoding_question(table, options) or reading.header_question(table, options)
    first = first or orientation_question(plan, options)
    question = first or reading.other_sheet_question(table, options)
    question = question or reading.sheets_question(table, options) or widening_question(plan, options)
    of_cells = None if first else sentinel_offer(plan, options) or blanks_question(plan, options)
    if question is None:
        question, of_cells = of_cells, None
    return replace(upload, table=table, plan=plan, question=question, of_cells=of_cells)


def restore_upload(space: Workspace, upload: Upload) -> None:
    """Read a file whose data set was restored from the store; keep its choices; build nothing."""
    if upload.key not in space.document.own_data:
        read_upload(space, upload)
        return
    table = _table_of(upload)
    space.document.upload = replace(_with_plan(upload, table), missing=reading.missing_words(table))
    space.document.keep_version(space.document.upload)


def use_table(space: Workspace, upload: Upload) -> None:
    """Replace the current table by one that was read and planned."""
    if upload.table is not None:
        space.document.failed_upload = space.document.ticks = None
        _build(space, replace(upload, missing=reading.missing_words(upload.table), edition=upload.edition + 1))


def choose(space: Workspace, choices: Choices, *, in_columns: bool = False) -> None:
    """Set the choices for the current table; `in_columns` if by a tick in the table of columns."""
    upload = space.document.upload
    if upload is not None and choices != upload.choices:
        _use(space, replace(upload.with_choices(choices), edition=upload.edition + (not in_columns)))


def change_choices(space: Workspace, make: Callable[[Choices], Choices]) -> None:
    """Change the choices for the table that is current when this is called."""
    if space.document.upload is not None:
        choose(space, make(space.document.upload.choices))


def undo(space: Workspace) -> None:
    if (upload := space.document.upload) is not None:
        _use(space, replace(upload.undone(), edition=upload.edition + 1))


def set_image_shape(space: Workspace, shape: tuple[int, int] | None) -> None:
    """Take the rows of the current table as images of this shape, or as no images."""
    if space.document.upload is not None:
        _use(space, replace(space.document.upload, image_shape=shape))


def _use(space: Workspace, upload: Upload) -> None:
    if upload.plan is not None:
        plan = apply(upload.plan.proposal, upload.choices)
        space.document.keep_said(plan.proposal.source.columns, upload.choices)
        _build(space, replace(upload, plan=plan))


def _build(space: Workspace, upload: Upload) -> None:
    plan, own = upload.plan, space.document
    if plan is None:
        return
    try:
        dataset = build_dataset(plan.table, plan.columns)
    except DataError as error:
        # Explore shows the table as it was before, or none, but no other data set.
        own.upload = replace(upload, error=str(error), key=upload.key if upload.key in own.own_data else "")
        if own.upload.key:
            choose_data(space, own.upload.key)
        else:
            own.in_the_way = own.recipe.data
        return
    shape = upload.image_shape or (0, 0)
    if shape[0] * shape[1] == dataset.n_features:
        dataset = replace(dataset, image_shape=shape)
    key, linked = f"own:{upload.filename}", awaited_table(space)
    own.keep_data(key, dataset)
    own.upload = replace(upload, key=key, error="")
    own.keep_version(own.upload)
    if own.content(key) == own.unlike_link[0]:
        own.problems = tuple(problem for problem in own.problems if problem != own.unlike_link[1])
    if linked is not None and linked.content != own.content(key):
        name = visible(linked.name or "the table of the link")
        what = "its rows, the way it is read or choices about its columns are others"
        own.unlike_link = linked.content, f"{visible(upload.filename)} is not {name} as the link knows it: {what}."
        own.problems = (*own.problems, own.unlike_link[1])
    choose_data(space, key)


def session_ended() -> Callable[[], bool]:
    """A function for any thread: whether the tab of this script run is closed or its connection lost.

    Streamlit stops a script only where it calls Streamlit. Without a server (in tests) the session never ends.
    """
    session = session_id()
    return lambda: not session_lives(session)
