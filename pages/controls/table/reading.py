"""How the file was read, and widgets that overrule each guess -> ReadOptions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import streamlit as st

from datasets.reading import ENCODINGS, SEPARATORS, THOUSANDS
from pages.controls.table.upload_state import current_upload, dismiss, read_again, to_be_read
from pages.server.upload import Upload
from pages.server.workspace import Workspace
from pages.text.plain_text import as_text
from pages.views.detected import DECIMAL_WORDS, ENCODING_WORDS, detected_words

# A choice of its own: to a select box None is no choice at all, and the box would look empty.
DETECTED = "as detected"
_COMMENTS = {"": "none", "#": "#", "%": "%", "//": "//", ";": ";"}
_HEADERS = {0: "none", 1: "1", 2: "2", 3: "3", 4: "4"}


def detected_line(upload: Upload) -> None:
    """What was detected, as a line of chips."""
    if upload.table is None:
        return
    words = [upload.filename, *detected_words(upload.table, upload.missing)]
    st.markdown(" ".join(f":gray-badge[{as_text(word)}]" for word in words))


def reading_controls(space: Workspace, upload: Upload, key: str, *, failed: bool = False) -> None:
    """Each guess about a text file with what was detected as its first choice; missing words for every format."""
    table = upload.table
    found = table.detected if table is not None else None
    # With a key the browser keeps it open when a choice in it makes the page run again.
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
            if table is not None and found is None:  # a workbook knows all but what its first rows are
                choices = {"header_lines": choices["header_lines"]}
            for place, (name, (label, words)) in enumerate(choices.items()):
                with columns[place % 3]:
                    now = getattr(upload.options, name)
                    _select(space, now, failed, name, label, words, detected[name], f"{key}.{name}")
        _missing_words(space, upload.options.missing, failed, f"{key}.missing")


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
    st.session_state[key] = DETECTED if now is None else now
    as_detected = f"{DETECTED} ({detected})" if detected and now is None else DETECTED

    def changed() -> None:
        said = st.session_state[key]
        chosen: Any = None if said == DETECTED else said
        _say(space, failed, **{name: chosen})

    st.selectbox(
        label,
        [DETECTED, *words],
        format_func=lambda choice: as_detected if choice == DETECTED else words[choice],
        key=key,
        on_change=changed,
    )


def _missing_words(space: Workspace, words: tuple[str, ...], failed: bool, key: str) -> None:
    st.session_state[key] = ", ".join(words)
    st.text_input(
        "More words for missing values, with commas between",
        key=key,
        placeholder="-999, unknown",
        on_change=lambda: _say(space, failed, missing=_words(st.session_state[key])),
        help="Blank cells, ?, NA, N/A, NaN, null, None, -, a lone point and a spreadsheet's errors such as #N/A always "
        "count as missing.",
    )


def _words(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(filter(None, (word.strip() for word in text.split(",")))))


def _say(space: Workspace, failed: bool, **options: Any) -> None:
    """Read the table that is current by then, or the failed one, with other options."""
    upload = to_be_read(space, failed=failed)
    if upload is not None:
        read_again(space, failed=failed, options=replace(upload.options, **options))


def dismiss_button(space: Workspace, key: str) -> None:
    """Back to what was there before the file that could not be read."""
    upload = current_upload(space)
    words = "Forget this file" if upload is None else f"Keep {as_text(upload.filename)}"
    st.button(words, key=key, on_click=dismiss, args=(space,))


def thousands_button(space: Workspace, upload: Upload, key: str) -> None:
    """Offered where the decimal mark could as well group thousands."""
    table = upload.table
    if table is None or table.detected is None or not table.detected.doubtful:
        return
    doubtful, decimal = table.detected.doubtful, table.decimal
    st.button(
        as_text(f"{doubtful} means {doubtful.replace(table.decimal, '')}"),
        key=key,
        on_click=lambda: _say(space, False, thousands=decimal),
        help=f"The {DECIMAL_WORDS[table.decimal]} then groups thousands.",
    )
