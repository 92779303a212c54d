"""Names that are no text, and faults of the server: one sentence, no page goes down, nothing repeats at every rerun."""

import errno
import logging
import os
import re

import pytest

from datasets.local_folder import VARIABLE, local_entries
from pages.controls import upload
from pages.server import trainings
from tests.pages.app_page import TABLE, bring, built, said, space


def test_a_file_name_that_is_no_utf_8(page, tmp_path, monkeypatch):
    path = os.fsencode(tmp_path) + b"/b\xff_\xc3\xa9d.csv"
    with open(path, "w") as file:
        file.write(TABLE)
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    (key,) = local_entries()
    assert key == "folder:b\\xff_éd.csv"
    page.run()
    page.selectbox(key="explore.data").set_value(key).run()
    assert "20 rows" in " ".join(said(page.caption))
    page.switch_page("data.py")
    page.query_params["tab"] = "Catalogue"
    page.run()


def test_a_column_name_that_ends_in_a_number_of_thousands_of_digits(data_page):
    name = "pixel_0_" + "7" * 5_000
    lines = [f"{name},b,label", *(f"{k % 9},{k * k % 7},{'xy'[k % 2]}" for k in range(20))]
    bring(data_page, "t.csv", "\n".join(lines).encode())
    assert built(data_page).feature_names == (name, "b")


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)), "the server's disk failed (No space left on device)"),
        (FileNotFoundError(errno.ENOENT, "No usable temporary directory found"), "the server's disk failed"),
        (MemoryError(), "needs more memory to read than this server has left"),
        (RecursionError("deep"), "because of an error in this app. The server's log has it as error "),
    ],
)
def test_what_could_not_be_read_is_dropped_with_its_sentence(data_page, monkeypatch, error, words):
    page, asked = data_page, []

    def fails(*args, **kwargs):
        asked.append(1)
        raise error

    bring(page, "good.csv", TABLE.encode())
    before = built(page)
    with monkeypatch.context() as faulty:
        faulty.setattr(upload.reading, "read_table", fails)
        bring(page, "bad.csv", TABLE.encode())
        page.run()
        page.run()
    assert words in said(page.error)[0]
    assert asked == [1]
    assert space(page).document.waiting_upload is None
    assert built(page) is before


def test_an_unexpected_error_shows_an_id_that_the_log_has_and_a_way_on(page, monkeypatch, caplog):
    def fails(*_):
        raise RuntimeError("secret of the house")

    monkeypatch.undo()  # the page shows what it shows to people
    monkeypatch.setattr(trainings, "show", fails)
    with caplog.at_level(logging.ERROR):
        page.run()
    sentence = said(page.error)[0]
    name = re.search(r"error ([0-9a-f]{8})\.", sentence)[1]
    assert "secret" not in sentence
    assert name in caplog.text
    assert "secret of the house" in caplog.text
    assert "Your data and settings are kept" in sentence
    monkeypatch.undo()
    page.run()
    assert not page.error
