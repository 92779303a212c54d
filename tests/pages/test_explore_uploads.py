"""A table of one's own on Explore, also a broken one."""

import numpy as np
import pytest

from pages.controls import upload_state
from pages.server.document import Upload
from tests.pages.app_page import TABLE, opened, press, run_of, space

_SETTINGS = {"nca.optimiser": "gradient-ascent", "nca.max_iter": "2000"}
LONG = {"recipe": "2", "data": "digits", "panels": "pca,nca", **_SETTINGS}
BAD = b"a,b,label\n1,2,x\n2,3,4,y\n"


def test_too_few_columns_are_one_sentence(page):
    data = b"a,label\n" + b"".join(b"%d,%d\n" % (i * i, i % 2) for i in range(9))
    page.file_uploader(key="explore.upload").set_value(("one.csv", data, "text/csv")).run()
    assert "1 feature" in page.error[0].value


def test_a_training_goes_on_where_a_table_is_refused_and_ends_where_another_is_in_front():
    page = opened(LONG)
    press(page, "Train")
    run = run_of(page)
    page.file_uploader(key="explore.upload").set_value(("bad.csv", BAD, "text/csv")).run()
    seen = len(run.trajectory.snapshots)
    assert run.wait_for(seen + 2, 30)
    assert run_of(page) is run
    assert run.ended == ""
    page.file_uploader(key="explore.upload").set_value(("mine.csv", TABLE.encode(), "text/csv")).run()
    assert run.wait_for_end(30)
    assert run.ended == "stopped"


def test_a_press_that_ends_the_reading_leaves_the_training_going(monkeypatch):
    """Streamlit ends a run of a page by an exception that is none of `Exception`."""

    def ended(*_):
        raise GeneratorExit

    page = opened(LONG)
    press(page, "Train")
    run = run_of(page)
    monkeypatch.setattr(upload_state, "_in_turn", ended)
    space(page).document.waiting_upload = Upload("mine.csv", TABLE.encode())
    with pytest.raises(GeneratorExit):
        upload_state.read_waiting(space(page))
    assert run.state in ("waiting", "running")


def test_a_column_of_repeating_ids_is_proposed_to_split_by(page):
    rng = np.random.default_rng(0)
    lines = ["patient,width,height,kind"]
    lines += [f"P{row // 4:03},{rng.normal():.3f},{rng.normal():.3f},{'ab'[row % 2]}" for row in range(120)]
    page.file_uploader(key="explore.upload").set_value(("p.csv", "\n".join(lines).encode(), "text/csv")).run()
    assert any("patient repeats" in caption.value for caption in page.caption)
    page.selectbox("explore.split").set_value(("group", "patient")).run()
    ready = space(page).document.comparison.prepared
    groups = np.arange(120) // 4
    assert not set(groups[ready.train]) & set(groups[ready.held_out])
    assert not any("patient repeats" in caption.value for caption in page.caption)
    assert space(page).document.recipe.preparation.split_column == "patient"
