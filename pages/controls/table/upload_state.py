"""The table that was brought along, what was said about it, and the data set built from it: the only truth.

The widgets show this state and change it in their callbacks; each change builds the data set anew. What cannot be
read or built leaves what was loaded before in place. Callbacks hold what was said, never a table: Streamlit keeps
them for as long as a session lives.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from datasets.base.dataset import Dataset
from datasets.base.errors import DataError
from datasets.columns import build_dataset
from datasets.proposals import Choices, apply, propose, sentinel_offer
from datasets.reading import (
    FaultyLinesError,
    ReadOptions,
    Table,
    encoding_question,
    faulty_lines_question,
    missing_words,
    read_table,
)
from pages.controls.table.listener import session_ended
from pages.server.data import choose_data, put_in_front
from pages.server.errors import logged
from pages.server.given_back import give_back
from pages.server.hub import HUB
from pages.server.memory import room_for
from pages.server.turns import GivenUp, Turns
from pages.server.upload import Upload
from pages.server.workspace import Workspace

TURNS = Turns(2)  # tables that are read at a time, in processes of their own
_LOOKING_OVER = threading.Lock()  # here they are looked over one by one: everybody waits for the interpreter's lock


def current_upload(space: Workspace) -> Upload | None:
    """The table that was read last."""
    return space.belongings.upload


def failed_upload(space: Workspace) -> Upload | None:
    """A file brought along later that could not be read, or whose table holds nothing to project (yet)."""
    return space.belongings.failed_upload


def built_dataset(space: Workspace) -> Dataset | None:
    """The data set built last from the current table; older than its plan where that cannot be built."""
    upload = current_upload(space)
    return space.belongings.own_data.get(upload.key) if upload is not None else None


def put_down(space: Workspace, upload: Upload) -> None:
    """Leave a file to be read where the page next comes by."""
    space.belongings.waiting_upload = upload


def to_be_read(space: Workspace, *, failed: bool) -> Upload | None:
    """The current file, or the failed one, with what was said since and has not been read yet."""
    upload, waiting = failed_upload(space) if failed else current_upload(space), space.belongings.waiting_upload
    same = upload is not None and waiting is not None and waiting.data is upload.data
    return waiting if same else upload


def read_again(space: Workspace, *, failed: bool = False, options: ReadOptions | None = None, sheet: str = "") -> None:
    """Read the current file, or the failed one, again: with other options, or another of its sheets."""
    upload = to_be_read(space, failed=failed)
    if upload is not None:
        options = upload.options if options is None else options
        put_down(space, replace(upload, options=options, sheet=sheet or upload.sheet, error="", question=None))


def take_up(space: Workspace) -> None:
    """Read the file that waits, if there is one. A training under way rests meanwhile; it ends where another table is
    in front then, and goes on where the file was refused.

    A table of before a restart is looked over again, so that its questions are there; nothing ends for it.
    """
    own = space.belongings
    if own.upload_before is not None and _in_turn(space, own.upload_before, look_over_again):
        own.upload_before = None
    if own.waiting_upload is not None:
        resting = [held.run for held in space.runs.values() if held.run.state in ("waiting", "running")]
        for run in resting:
            run.pause()
        taken = False
        try:
            if _in_turn(space, own.waiting_upload, read_upload):
                own.waiting_upload = None
                taken = failed_upload(space) is None
        finally:  # whatever ends this, as another press does: no run rests for a table that is not read
            for run in resting if not taken else ():
                run.resume()
        if taken:
            for held in space.runs.values():
                held.run.stop()


def _in_turn(space: Workspace, upload: Upload, read: Callable[[Workspace, Upload], None]) -> bool:
    """Whether the file was read, or refused with its sentence; False where nobody waits for it any more."""
    queue = st.empty()
    try:
        with ExitStack() as held:
            held.enter_context(TURNS.turn(session_ended(), lambda place: _say_place(queue, place)))
            queue.empty()
            try:
                size = len(upload.data)
                held.enter_context(room_for(HUB, space.first, size, upload.filename, session_ended()))
            except DataError as error:  # there is no room for the file, so it is not held either
                space.belongings.failed_upload = replace(upload, data=b"", error=str(error))
                return True
            with st.spinner("Reading the table"):
                read(space, upload)
            give_back()
    except GivenUp:
        return False  # the file is still there for whoever comes back
    except DataError as error:
        space.belongings.failed_upload = replace(upload, table=None, error=str(error))
    except Exception as error:  # a library met a foreign file, or the disk is full: the page goes on without it
        space.belongings.failed_upload = replace(upload, table=None, error=_why_not_read(upload, error))
    return True


def _say_place(line: DeltaGenerator, place: int) -> None:
    line.info(f"Other tables are being read; yours is number {place} in the queue.")


def _why_not_read(upload: Upload, error: Exception) -> str:
    """One sentence for what went wrong with us and not with the file; the log has the rest."""
    name = upload.filename
    if isinstance(error, MemoryError):
        return f"{name} needs more memory to read than this server has left. Try a smaller part of it."
    if isinstance(error, OSError):
        why = error.strerror or "no reason given"
        return f"{name} could not be read, for the server's disk failed ({why}). Try again later, or save it as CSV."
    return f"{name} could not be read: an error that is ours. {logged(error)}"


def read_upload(space: Workspace, upload: Upload) -> None:
    """Read the file as its options say, look it over, build the data set.

    What was said about the columns stays said; about a table with the same columns as an earlier one, it is taken
    from there, and can be undone.
    """
    table = None
    try:
        table = read_table(upload.data, upload.filename, upload.options, sheet=upload.sheet, cancelled=session_ended())
        if not upload.choices.said() and not upload.past:
            earlier = space.belongings.said.get(table.columns, Choices())
            upload = replace(upload.with_choices(earlier), recalled=not earlier.is_empty)
        with _LOOKING_OVER:
            use_table(space, _looked_over(upload, table))
    except DataError as error:
        # A table that was read but cannot be used is kept with it: another of its sheets may do.
        question = faulty_lines_question(error, upload.options) if isinstance(error, FaultyLinesError) else None
        space.belongings.failed_upload = replace(upload, table=table, error=str(error), question=question)


def _looked_over(upload: Upload, table: Table) -> Upload:
    """With the plan for its table and what has to be asked."""
    plan = apply(propose(table), upload.choices)
    question = encoding_question(table, upload.options) or sentinel_offer(plan, upload.options)
    return replace(upload, table=table, plan=plan, question=question)


def look_over_again(space: Workspace, upload: Upload) -> None:
    """Read a file whose data set came back from the store: what was said stays said, and nothing is built or chosen."""
    if upload.key not in space.belongings.own_data:
        read_upload(space, upload)
        return
    table = read_table(upload.data, upload.filename, upload.options, sheet=upload.sheet, cancelled=session_ended())
    space.belongings.upload = replace(_looked_over(upload, table), missing=missing_words(table))


def use_table(space: Workspace, upload: Upload) -> None:
    """Take a table that was read and looked over in the place of the one before."""
    table = upload.table
    if table is None:
        return
    dismiss(space)
    space.belongings.ticks = None
    _build(space, replace(upload, missing=missing_words(table), edition=upload.edition + 1))


def dismiss(space: Workspace) -> None:
    """Think no more of the file that could not be read."""
    space.belongings.failed_upload = None


def choose(space: Workspace, choices: Choices, *, in_columns: bool = False) -> None:
    """Say something else about the current table; `in_columns` where it was said in the table of columns."""
    upload = current_upload(space)
    if upload is not None and choices != upload.choices:
        _use(space, replace(upload.with_choices(choices), edition=upload.edition + (not in_columns)))


def change(space: Workspace, make: Callable[[Choices], Choices]) -> Callable[[], None]:
    """A callback for a widget: it changes what was said about the table that is current when it is called."""

    def said() -> None:
        upload = current_upload(space)
        if upload is not None:
            choose(space, make(upload.choices))

    return said


def undo(space: Workspace) -> None:
    """Take back the last thing that was said about the current table."""
    upload = current_upload(space)
    if upload is not None:
        _use(space, replace(upload.undone(), edition=upload.edition + 1))


def see_images(space: Workspace, shape: tuple[int, int] | None) -> None:
    """Take the rows of the current table as images of this shape, or as none."""
    upload = current_upload(space)
    if upload is not None:
        _use(space, replace(upload, image_shape=shape))


def _use(space: Workspace, upload: Upload) -> None:
    """Join what was proposed and what is said, and build the data set."""
    if upload.plan is None:
        return
    plan = apply(upload.plan.proposal, upload.choices)
    space.belongings.keep_said(plan.proposal.source.columns, upload.choices)
    _build(space, replace(upload, plan=plan))


def _build(space: Workspace, upload: Upload) -> None:
    """Build the data set as the plan says and choose it on the Explore page."""
    plan, own = upload.plan, space.belongings
    if plan is None:
        return
    try:
        dataset = build_dataset(plan.table, plan.columns)
    except DataError as error:
        _show_no_other(space, replace(upload, error=str(error)))
        return
    finally:
        for table in filter(None, (upload.table, plan.table)):
            table.let_go()
    shape = upload.image_shape
    if shape is not None and shape[0] * shape[1] == dataset.n_features:
        dataset = replace(dataset, image_shape=shape)
    key = f"own:{upload.filename}"
    own.keep_data(key, dataset)
    own.upload = replace(upload, key=key, error="")
    choose_data(space, key)


def _show_no_other(space: Workspace, upload: Upload) -> None:
    """Where nothing could be built: the Explore page shows the table as it was before, else none, but no other one."""
    own = space.belongings
    own.upload = replace(upload, key=upload.key if upload.key in own.own_data else "")
    if own.upload.key:
        choose_data(space, own.upload.key)
    else:
        put_in_front(space)
