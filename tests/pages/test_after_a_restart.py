"""What a page does with a file of before a restart: its questions are there again, nothing else changes by it."""

import pytest
import streamlit as st
from streamlit.runtime.uploaded_file_manager import DeletedFile

from datasets.proposals import Choices
from pages.controls import comparison
from pages.server.document import Upload
from tests.pages.app_page import TABLE, press, run_of, said, space


def test_a_table_of_before_is_looked_over_and_nothing_is_chosen_or_ended_for_it(page):
    page.file_uploader(key="explore.upload").set_value(("mine.csv", TABLE.encode(), "text/csv")).run()
    own = space(page).document
    dataset, read = own.own_data["own:mine.csv"], own.upload
    page.selectbox(key="explore.data").set_value("iris").run()
    press(page, "Train")
    run = run_of(page)
    own.upload_before = Upload(read.filename, read.data, choices=Choices(label="width"), key=read.key)
    own.upload = None
    page.run()
    assert own.upload_before is None
    assert own.upload.choices == Choices(label="width")
    assert own.upload.plan.columns.label == "width"
    assert own.own_data["own:mine.csv"] is dataset
    assert page.selectbox(key="explore.data").value == "iris"
    assert run_of(page) is run
    assert run.ended != "stopped"
    other = TABLE.replace("width", "girth").encode()
    own.upload_before, own.upload = Upload("gone.csv", other, key="own:gone.csv"), None
    page.run()  # its data set is gone, too: it is read anew
    assert page.selectbox(key="explore.data").value == "own:gone.csv"


def test_a_file_for_which_there_is_no_room_is_not_held(page, monkeypatch):
    monkeypatch.setenv("NCA_EXPLORER_TABLES_MB", "1")
    large = TABLE.splitlines()[0] + "\n" + "\n".join(TABLE.splitlines()[1:] * 20_000)
    page.file_uploader(key="explore.upload").set_value(("mine.csv", large.encode(), "text/csv")).run()
    assert "leave room for a file of" in page.error[0].value
    assert space(page).document.failed_upload.data == b""


@pytest.mark.parametrize(("taken", "lost"), [((), True), (("f",), False), (("other",), True)])
def test_a_file_that_went_with_the_server_is_called_lost_and_no_other(page, monkeypatch, taken, lost):
    """The field still shows a file that the server no longer has: lost, unless this session has read it."""

    def field(*_, key, **__):
        st.session_state[key] = DeletedFile("f")

    monkeypatch.setattr(st, "file_uploader", field)
    page.session_state["table.taken"] = taken
    page.run()
    words = "The server restarted and lost this file: drop it again."
    assert [warning.value for warning in page.warning] == [words] * lost
    space(page).document.failed_upload = Upload("bad.csv", b"", error="It could not be read.")
    page.run()
    assert not page.warning  # its own sentence stands there


def test_where_nothing_is_kept_on_disk_the_page_says_so_at_each_run_and_once(page, monkeypatch):
    monkeypatch.setattr(comparison.SAVER, "problem", "No space left on device")
    for _ in range(2):
        page.run()
        (line,) = [line for line in said(page.caption) if "save your work" in line]
        assert line.startswith("⚠ This server cannot save your work (No space left on device)")
