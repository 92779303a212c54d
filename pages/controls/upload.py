"""The user's file: the field to drop it on, and how it is read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import streamlit as st

from datasets.base.errors import DataError
from datasets.reading import ENCODINGS, SEPARATORS, THOUSANDS
from pages.controls.messages import show_error
from pages.controls.recipe_widgets import bind
from pages.controls.upload_state import (
    current_upload,
    dismiss,
    failed_upload,
    queue_upload,
    read_again,
    read_waiting,
    upload_to_read,
)
from pages.server.compat import DeletedFile, UploadedFile, run_context
from pages.server.document import Upload
from pages.server.limits import forget_upload
from pages.server.workspace import Workspace
from pages.views.uploaded_table import DECIMAL_WORDS, ENCODING_WORDS, detected_words
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
    if lost and current_upload(space) is None and failed_upload(space) is None:
        st.warning("The server restarted and lost this file: drop it again.")


def unread_file(space: Workspace, key: str) -> None:
    """Why a file could not be read, and what to do about it."""
    failed = failed_upload(space)
    if failed is None:
        return
    show_error(DataError(failed.error))
    reading_question(space, failed, f"{key}.question", failed=True)
    sheet_select(space, failed, f"{key}.sheet", failed=True)
    upload = current_upload(space)
    words = "Discard this file" if upload is None else f"Keep {as_text(upload.filename)}"
    st.button(words, key=f"{key}.dismiss", on_click=dismiss, args=(space,))


def _opened(space: Workspace, key: str) -> None:
    file = st.session_state.get(key)
    if not isinstance(file, UploadedFile):
        return
    queue_upload(space, Upload(file.name, file.getvalue()))
    file.truncate(0)  # Streamlit keeps the widget's value until minutes after the session
    st.session_state["data.tab"] = TAB
    # The workspace holds the file: Streamlit's copy goes, and is called deleted from now on.
    st.session_state[_TAKEN] = (*st.session_state.get(_TAKEN, ()), file.file_id)[-_MOST_TAKEN:]
    forget_upload(run_context()[0], file.file_id)


# A select box shows None as empty.
DETECTED = "as detected"
_COMMENTS = {"": "none", "#": "#", "%": "%", "//": "//", ";": ";"}
_HEADERS = {0: "none", 1: "1", 2: "2", 3: "3", 4: "4"}


def detected_line(upload: Upload) -> None:
    """What was detected, as badges."""
    if upload.table is None:
        return
    words = [upload.filename, *detected_words(upload.table, upload.missing)]
    st.markdown(" ".join(f":gray-badge[{as_text(word)}]" for word in words))


def reading_controls(space: Workspace, upload: Upload, key: str, *, failed: bool = False) -> None:
    """A select box for each guess about a text file, the detected value first; and words for missing values."""
    table = upload.table
    found = table.detected if table is not None else None
    with st.expander(f"Read {as_text(upload.filename)} differently", upload.table is None, key=f"{key}.differently"):
        if table is None or found is not None or table.sheets:
            detected: dict[str, str | None] = dict.fromkeys(("encoding", "separator", "header_lines", "comment"))
            if found is not None:
                detected |= {
                    "encoding": ENCODING_WORDS.get(found.encoding),
                    "separator": SEPARATORS[found.separator],
                    "header_lines": _HEADERS.get(found.header_lines),
                    "comment": f"{found.n_comments} lines",
                }
            detected |= {
                "decimal": DECIMAL_WORDS[table.decimal] if table is not None else None,
                "thousands": "wherever three digits are grouped" if table is not None else None,
            }
            choices: dict[str, tuple[str, Mapping[Any, str]]] = {
                "encoding": ("Encoding", {name: ENCODING_WORDS[name] for name in ENCODINGS}),
                "separator": ("Separator", SEPARATORS),
                "decimal": ("Decimal mark", DECIMAL_WORDS),
                "header_lines": ("Header lines", _HEADERS),
                "comment": ("Comment lines begin with", _COMMENTS),
                "thousands": ("Thousands mark", THOUSANDS),
            }
            columns = st.columns(3)
            if table is not None and found is None:  # a workbook
                choices = {"header_lines": choices["header_lines"]}
            for place, (name, (label, words)) in enumerate(choices.items()):
                with columns[place % 3]:
                    now = getattr(upload.options, name)
                    _select(space, now, failed, name, label, words, detected[name], f"{key}.{name}")
        st.text_input(
            "Other words for missing values, separated by commas",
            placeholder="-999, unknown",
            **bind(
                f"{key}.missing",
                ", ".join(upload.options.missing),
                lambda text: _set_options(space, failed, missing=_words(text)),
            ),
            help="Blank cells, ?, NA, N/A, NaN, null, None, -, a lone point and a spreadsheet's errors such as #N/A "
            "always count as missing.",
        )


def _select(
    space: Workspace,
    now: Any,
    failed: bool,
    name: str,
    label: str,
    words: Mapping[Any, str],
    detected: str | None,
    key: str,
) -> None:
    as_detected = f"{DETECTED} ({detected})" if detected and now is None else DETECTED

    def put(choice: Any) -> None:
        _set_options(space, failed, **{name: None if choice == DETECTED else choice})

    st.selectbox(
        label,
        [DETECTED, *words],
        format_func=lambda choice: as_detected if choice == DETECTED else words[choice],
        **bind(key, DETECTED if now is None else now, put),
    )


def _words(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(filter(None, (word.strip() for word in text.split(",")))))


def _set_options(space: Workspace, failed: bool, **options: Any) -> None:
    """Read the current file, or the failed one, with other options."""
    upload = upload_to_read(space, failed=failed)
    if upload is not None:
        read_again(space, failed=failed, options=replace(upload.options, **options))


def thousands_button(space: Workspace, upload: Upload, key: str) -> None:
    """A button where the decimal mark may group thousands."""
    table = upload.table
    if table is None or table.detected is None or not table.detected.doubtful:
        return
    doubtful, decimal = table.detected.doubtful, table.decimal
    st.button(
        as_text(f"{doubtful} means {doubtful.replace(table.decimal, '')}"),
        key=key,
        on_click=lambda: _set_options(space, False, thousands=decimal),
        help=f"Read the {DECIMAL_WORDS[table.decimal]} as a thousands mark.",
    )


def sheet_select(space: Workspace, upload: Upload, key: str, *, failed: bool = False) -> None:
    """A select box where there are several sheets; `failed` for the upload that could not be read."""
    if upload.table is None or len(upload.table.sheets) < 2:
        return
    st.selectbox(
        "Sheet to read instead" if failed else "Sheet",
        list(upload.table.sheets),
        format_func=visible,
        **bind(key, upload.table.sheet, lambda sheet: read_again(space, failed=failed, sheet=sheet)),
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
