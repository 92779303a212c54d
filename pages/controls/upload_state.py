"""The uploaded table, the choices made for it, and the data set built from both.

Widgets show this state and change it in callbacks; each change builds the data set again. What cannot be read or
built leaves the previous table in place. Callbacks must not hold a table: Streamlit keeps them as long as the session.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace

import streamlit as st

from datasets.base.dataset import Dataset
from datasets.base.errors import DataError
from datasets.columns import build_dataset
from datasets.proposals import Choices, apply, orientation_question, propose, sentinel_offer
from datasets.reading import (
    FaultyLinesError,
    ReadOptions,
    Table,
    encoding_question,
    faulty_lines_question,
    missing_words,
    read_table,
)
from pages.server.compat import session_id, session_lives
from pages.server.data import choose_data
from pages.server.document import Upload
from pages.server.jobs import logged
from pages.server.limits import GivenUp, Turns, room_for
from pages.server.workspace import HUB, Workspace, trim_memory

TURNS = Turns(2)  # tables that are read at the same time, in child processes


def built_dataset(space: Workspace) -> Dataset | None:
    """The data set built last from the current table; its plan may be newer where that cannot be built."""
    upload = space.document.upload
    return space.document.own_data.get(upload.key) if upload is not None else None


def upload_to_read(space: Workspace, *, failed: bool) -> Upload | None:
    """The current file, or the failed one, with options that were set but not yet read."""
    own = space.document
    upload, waiting = own.failed_upload if failed else own.upload, own.waiting_upload
    same = upload is not None and waiting is not None and waiting.data is upload.data
    return waiting if same else upload


def read_again(space: Workspace, *, failed: bool = False, options: ReadOptions | None = None, sheet: str = "") -> None:
    """Read the current file, or the failed one, again: with other options or another sheet."""
    upload = upload_to_read(space, failed=failed)
    if upload is not None:
        options = upload.options if options is None else options
        new = replace(upload, options=options, sheet=sheet or upload.sheet, error="", question=None)
        space.document.waiting_upload = new


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
                size = len(upload.data)
                held.enter_context(room_for(HUB, space.first, size, upload.filename, session_ended()))
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
        table = read_table(upload.data, upload.filename, upload.options, sheet=upload.sheet, cancelled=session_ended())
        if upload.choices.is_empty and not upload.past:
            earlier = space.document.said.get(table.columns, Choices())
            upload = replace(upload.with_choices(earlier), recalled=not earlier.is_empty)
        use_table(space, _with_plan(upload, table))
    except DataError as error:
        # The table is kept with it: another sheet may do.
        question = faulty_lines_question(error, upload.options) if isinstance(error, FaultyLinesError) else None
        space.document.failed_upload = replace(upload, table=table, error=str(error), question=question)


def _with_plan(upload: Upload, table: Table) -> Upload:
    """The upload with a plan and questions for its table."""
    plan = apply(propose(table), upload.choices)
    options = upload.options
    question = encoding_question(table, options) or orientation_question(plan, options) or sentinel_offer(plan, options)
    return replace(upload, table=table, plan=plan, question=question)


def restore_upload(space: Workspace, upload: Upload) -> None:
    """Read a file whose data set was restored from the store; choices stay, and nothing is built."""
    if upload.key not in space.document.own_data:
        read_upload(space, upload)
        return
    table = read_table(upload.data, upload.filename, upload.options, sheet=upload.sheet, cancelled=session_ended())
    space.document.upload = replace(_with_plan(upload, table), missing=missing_words(table))


def use_table(space: Workspace, upload: Upload) -> None:
    """Replace the current table by one that was read and planned."""
    table = upload.table
    if table is None:
        return
    space.document.failed_upload = space.document.ticks = None
    _build(space, replace(upload, missing=missing_words(table), edition=upload.edition + 1))


def choose(space: Workspace, choices: Choices, *, in_columns: bool = False) -> None:
    """Set the choices for the current table; `in_columns` if by a tick in the table of columns."""
    upload = space.document.upload
    if upload is not None and choices != upload.choices:
        _use(space, replace(upload.with_choices(choices), edition=upload.edition + (not in_columns)))


def change_choices(space: Workspace, make: Callable[[Choices], Choices]) -> None:
    """Change the choices for the table that is current when this is called."""
    upload = space.document.upload
    if upload is not None:
        choose(space, make(upload.choices))


def undo(space: Workspace) -> None:
    """Undo the last choice for the current table."""
    upload = space.document.upload
    if upload is not None:
        _use(space, replace(upload.undone(), edition=upload.edition + 1))


def set_image_shape(space: Workspace, shape: tuple[int, int] | None) -> None:
    """Take the rows of the current table as images of this shape, or as no images."""
    upload = space.document.upload
    if upload is not None:
        _use(space, replace(upload, image_shape=shape))


def _use(space: Workspace, upload: Upload) -> None:
    """Apply the choices to the proposal and build the data set."""
    if upload.plan is None:
        return
    plan = apply(upload.plan.proposal, upload.choices)
    space.document.keep_said(plan.proposal.source.columns, upload.choices)
    _build(space, replace(upload, plan=plan))


def _build(space: Workspace, upload: Upload) -> None:
    """Build the data set from its plan and choose it."""
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
            space.document.in_the_way = space.document.recipe.data
        return
    shape = upload.image_shape
    if shape is not None and shape[0] * shape[1] == dataset.n_features:
        dataset = replace(dataset, image_shape=shape)
    key = f"own:{upload.filename}"
    own.keep_data(key, dataset)
    own.upload = replace(upload, key=key, error="")
    choose_data(space, key)


def session_ended() -> Callable[[], bool]:
    """A function for any thread: whether the tab of this script run is closed or its connection lost.

    Streamlit stops a script only where it calls Streamlit. Without a server (in tests) the session never ends.
    """
    session = session_id()
    return lambda: not session_lives(session)
