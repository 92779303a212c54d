"""The user's file: the field to drop it on, and how it is read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from datasets.base.errors import DataError
from datasets.base.words import counted
from datasets.reading import ENCODINGS, SEPARATORS, THOUSANDS, Table, raw_lines
from pages.controls.messages import show_error
from pages.controls.recipe_widgets import bind
from pages.controls.upload_state import read_again, read_waiting, upload_to_read
from pages.server.compat import DeletedFile, UploadedFile, session_id
from pages.server.document import Upload
from pages.server.limits import forget_upload
from pages.server.workspace import Workspace
from pages.views.uploaded_table import DECIMAL_WORDS, missing_line, shape_words
from stage import wording
from stage.plain_text import as_text, visible

TAB = "Your table"
_TAKEN, _MOST_TAKEN = "table.taken", 20  # ids of the files that the workspace has taken


def drop_field(space: Workspace, key: str) -> None:
    """The file field; a dropped file is read at once."""
    st.file_uploader(
        "Your own table",
        key=key,
        on_change=_opened,
        args=(space, key),
        help="A table with a header line and a label column: CSV, TSV, semicolons, Excel, Parquet, ARFF, JSON "
        "records, libsvm or NPZ, also gzipped. It stays on this server.",
    )
    read_waiting(space)
    file = st.session_state.get(key)
    lost = isinstance(file, DeletedFile) and file.file_id not in st.session_state.get(_TAKEN, ())
    if lost and space.document.upload is None and space.document.failed_upload is None:
        st.warning("The server restarted and lost this file: drop it again.")


def unread_file(space: Workspace, key: str) -> None:
    """Why a file could not be read, its first lines as text, and what to do about it."""
    failed = space.document.failed_upload
    if failed is None:
        return
    show_error(DataError(failed.error))
    reading_question(space, failed, f"{key}.question", failed=True)
    lines, tried = raw_lines(failed.data, failed.filename, failed.options)
    if failed.table is None and lines:
        st.code("\n".join(visible(line) for line in lines), language=None)
        st.caption(as_text(f"The first lines as text. Tried: {tried}."))
    reading_chips(space, failed, key, failed=True)
    upload = space.document.upload
    words = "Discard this file" if upload is None else f"Keep {as_text(upload.filename)}"
    st.button(words, key=f"{key}.dismiss", on_click=_discard, args=(space,))


def _discard(space: Workspace) -> None:
    space.document.failed_upload = None


def _opened(space: Workspace, key: str) -> None:
    file = st.session_state.get(key)
    if not isinstance(file, UploadedFile):
        return
    space.document.waiting_upload = Upload(file.name, file.getvalue())
    file.truncate(0)  # Streamlit keeps the widget's value until minutes after the session
    st.session_state["data.tab"] = TAB
    # The workspace holds the file: Streamlit's copy goes, and is called deleted from now on.
    st.session_state[_TAKEN] = (*st.session_state.get(_TAKEN, ()), file.file_id)[-_MOST_TAKEN:]
    forget_upload(session_id(), file.file_id)


# A select box shows None as empty.
DETECTED = "as detected"
_COMMENTS = {"": "none", "#": "#", "%": "%", "//": "//", ";": ";"}
_HEADERS = {0: "none", 1: "1", 2: "2", 3: "3", 4: "4"}


def reading_chips(space: Workspace, upload: Upload, key: str, *, failed: bool = False) -> None:
    """What was read and how: a chip for each property, which opens what overrules it."""
    table, options = upload.table, upload.options
    with st.container(horizontal=True, gap="xsmall", vertical_alignment="center", key=f"{key}.chips"):
        words = [upload.filename, *(shape_words(table) if table is not None else [])]
        st.markdown(" ".join(f":gray-badge[{as_text(word)}]" for word in words), width="content")
        for name, (label, choices, detected) in _properties(table).items():
            now = getattr(options, name)
            shown = detected if now is None else choices[now]
            with st.popover(f"{label}: {as_text(shown)}", key=f"{key}.{name}.chip"):
                as_detected = f"{DETECTED} ({detected})" if now is None and detected != DETECTED else DETECTED
                put = partial(_set_option, space, failed, name)
                st.selectbox(
                    label,
                    [DETECTED, *choices],
                    format_func=wording.labelled({DETECTED: as_detected, **choices}),
                    **bind(f"{key}.{name}", DETECTED if now is None else now, put),
                )
        if table is not None and len(table.sheets) > 1:
            with st.popover(f"Sheet: {as_text(table.sheet)}", key=f"{key}.sheet.chip"):
                st.selectbox(
                    "Sheet",
                    list(table.sheets),
                    format_func=visible,
                    **bind(f"{key}.sheet", table.sheet, lambda sheet: read_again(space, failed=failed, sheet=sheet)),
                )
        with st.popover("Columns are samples" if options.transposed else "Rows are samples", key=f"{key}.turn.chip"):
            put = partial(_set_option, space, failed, "transposed")
            st.toggle("Transpose: columns become rows", **bind(f"{key}.turn", options.transposed, put))
        with st.popover(f"Missing: {as_text(missing_line(upload.missing))}", key=f"{key}.missing.chip"):
            st.text_input(
                "Other words for missing values, separated by commas",
                placeholder="-999, unknown",
                **bind(
                    f"{key}.missing",
                    ", ".join(options.missing),
                    lambda text: _set_option(space, failed, "missing", _words(text)),
                ),
                help="Blank cells, ?, NA, N/A, NaN, null, None, -, a lone point and a spreadsheet's errors such as "
                "#N/A always count as missing.",
            )


def _properties(table: Table | None) -> dict[str, tuple[str, Mapping[Any, str], str]]:
    """Field of ReadOptions -> (label, choices, what was detected), for what can be said about the file."""
    found = table.detected if table is not None else None
    header = ("Header lines", _HEADERS, _HEADERS.get(found.header_lines, "") if found else DETECTED)
    if table is not None and found is None:
        return {"header_lines": header} if table.sheets else {}
    return {
        "separator": ("Separator", SEPARATORS, SEPARATORS[found.separator] if found else DETECTED),
        "header_lines": header,
        "comment": ("Comments", _COMMENTS, counted(found.n_comments, "line") if found else DETECTED),
        "decimal": ("Decimal mark", DECIMAL_WORDS, DECIMAL_WORDS[table.decimal] if table is not None else DETECTED),
        "thousands": ("Thousands mark", THOUSANDS, DETECTED),
        "encoding": ("Encoding", ENCODINGS, ENCODINGS[found.encoding] if found else DETECTED),
    }


def _words(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(filter(None, (word.strip() for word in text.split(",")))))


def _set_option(space: Workspace, failed: bool, name: str, value: Any) -> None:
    """Read the current file, or the failed one, with another option."""
    upload = upload_to_read(space, failed=failed)
    if upload is not None:
        changed: dict[str, Any] = {name: None if value == DETECTED else value}
        read_again(space, failed=failed, options=replace(upload.options, **changed))


def thousands_button(space: Workspace, upload: Upload, key: str) -> None:
    """A button where the decimal mark may group thousands."""
    table = upload.table
    if table is None or table.detected is None or not table.detected.doubtful:
        return
    doubtful, decimal = table.detected.doubtful, table.decimal
    option, mark, meant = "thousands", decimal, ""
    if decimal not in doubtful:
        option, mark, meant = "decimal", ",", "."
    st.button(
        as_text(f"{doubtful} means {doubtful.replace(mark, meant)}"),
        key=key,
        on_click=lambda: _set_option(space, False, option, mark),
        help=f"Read the {DECIMAL_WORDS[mark]} as the {option} mark.",
    )


_LINES_SHOWN = 6


def reading_question(space: Workspace, upload: Upload, key: str, *, failed: bool = False) -> None:
    """A question about reading the file; each answer with a preview of some lines."""
    question = upload.question
    if question is None:
        return
    if not failed:  # else the error message says it
        st.markdown(as_text(question.text))
    for place, (column, answer) in enumerate(zip(st.columns(len(question.answers)), question.answers, strict=True)):
        with column:
            st.button(
                as_text(answer.text[:1].upper() + answer.text[1:]),
                key=f"{key}.{place}",
                type="primary" if failed else "secondary",
                on_click=lambda options=answer.options: read_again(space, failed=failed, options=options),
            )
            if answer.preview:
                st.code("\n".join(answer.preview.splitlines()[:_LINES_SHOWN]), language=None)
