"""The Export menu makes what was asked for, says its size, and why it cannot."""

import threading
from dataclasses import replace

import numpy as np

from export import EXPORTS
from export.entry import ExportProgress, File
from pages.controls.export import export_subject
from pages.server import trainings
from tests.export.subjects import mixed_table
from tests.pages import app_page
from tests.waiting import has_ended


def opened(page):
    page.session_state["export.menu"] = True
    page.run()
    return page


def test_a_file_is_made_and_its_size_said(page):
    page = opened(page)
    page.selectbox("export.what").set_value("model").run()
    page.selectbox("export.panel").set_value("nca").run()
    assert "press Train" in app_page.lines(page)
    assert "export.make" not in app_page.keys(page)
    page.selectbox("export.what").set_value("coordinates").run()
    page.button("export.make").click().run()
    job = app_page.space(page).document.jobs["export"]
    assert has_ended(job, 60)
    page.run()
    made = job.result
    assert isinstance(made, ExportProgress)
    assert (job.state, made.file.name) == ("done", "Wine-coordinates.csv")
    labels = [element.proto.label for element in page.get("download_button")]
    assert f"Download Wine-coordinates.csv ({round(len(made.file.data) / 1e3):,} kB)" in labels


def test_what_is_taken_is_what_the_page_shows(page):
    """The training as it stands, the start that a hand gave it, and the file that the data were built from."""
    space = app_page.space(page)
    comparison = space.document.comparison
    page.button("explore.step").click().run()
    space.runs["nca"].run.wait_for(2, 30)
    subject = export_subject(space, comparison, (3, 5), "http://here/", True)
    assert [snapshot.iteration for snapshot in subject.histories["nca"]] == [0, 1]
    assert (subject.rows, subject.address, subject.dark) == ((3, 5), "http://here/", True)
    assert dict(subject.given_starts) == {}
    A = np.random.default_rng(0).normal(size=(2, 13))
    trainings.train(space, comparison.dataset, "nca", A)
    space.runs["nca"].run.wait_for(1, 30)
    np.testing.assert_array_equal(export_subject(space, comparison, (), "", False).given_starts["nca"], A)
    for bring, has_source in (
        (lambda: page.file_uploader(key="explore.upload").set_value(("mixed.csv", mixed_table(), "text/csv")), True),
        (lambda: page.selectbox("explore.data").set_value("wine"), False),
    ):
        bring().run()
        source = export_subject(space, space.document.comparison, (), "", False).source
        assert (source is not None) == has_source
        assert source is None or (source.filename, source.content) == ("mixed.csv", mixed_table())


def test_a_long_export_can_be_cancelled(page, monkeypatch):
    """While it goes on there is a bar and a button; after that no file."""
    began, go_on = threading.Event(), threading.Event()

    def slowly(subject, wish, slot):
        yield ExportProgress(1, 3)
        began.set()
        go_on.wait(30)
        yield ExportProgress(3, 3, File("late.csv", "text/csv", b""))

    monkeypatch.setitem(EXPORTS, "coordinates", replace(EXPORTS["coordinates"], make=slowly))
    page = opened(page)
    page.selectbox("export.what").set_value("coordinates").run()
    page.button("export.make").click().run()
    assert began.wait(30)
    page.run()
    assert page.button("export.make").disabled
    page.button("export.cancel").click().run()
    go_on.set()
    assert "Cancelled." in [caption.value for caption in page.caption]
    assert not [element for element in page.get("download_button") if "late.csv" in element.proto.label]
