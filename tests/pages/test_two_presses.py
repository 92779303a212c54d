"""Two things said before the page was drawn again: both hold, and neither takes the other back."""

from __future__ import annotations

import time
from types import SimpleNamespace

import pytest

from datasets.base.errors import DataError
from datasets.reading import ReadAnswer, ReadOptions, ReadQuestion
from pages.controls.base import asked
from pages.controls.base.bound import change_panel
from pages.controls.compare.panel_change import new_panels
from pages.controls.recipe import comparison
from pages.server import trainings
from pages.server.data import chosen_dataset
from pages.server.upload import Upload
from study.panel_changes import moved, removed
from tests.pages.app_page import TABLE, bring, button, opened, press, run_of, space
from tests.pages.test_data import ODD

NUMBERS = "a,b,price\n" + "".join(f"{k % 7},{k * k % 11},{0.37 * k:.2f}\n" for k in range(90))
SPELT = "a,b,label\n" + "".join(
    f"{k},{k % 5 if k != 5 else ''},{('Ill', 'ill ', 'Healthy')[k % 3]}\n" for k in range(60)
)
GAPS = "a,b,kind\n" + "".join(f"{k % 7},{'' if k == 5 else k * k % 11},{'xy'[k % 2]}\n" for k in range(60))


def both(page, first, second):
    """Two callbacks of one page as it was drawn, in this order and in runs of their own but for the drawing."""
    first()
    second()
    page.run()
    assert not page.exception


def test_how_the_label_is_taken_is_said_of_the_one_just_picked():
    page = opened({}, "data.py")
    bring(page, "prices.csv", NUMBERS.encode())
    assert space(page).belongings.upload.plan.label.name == "a"
    both(
        page,
        lambda: page.selectbox(key="data.table.label").set_value("price"),
        lambda: page.radio(key="data.label.mode").set_value("continuous"),
    )
    plan = space(page).belongings.upload.plan
    assert (plan.columns.label, plan.columns.label_mode) == ("price", "continuous")
    assert not page.button(key="data.table.explore").disabled


@pytest.mark.parametrize(
    ("text", "button", "said"),
    [(GAPS, "data.table.label.instead.0", "label"), (SPELT, "data.table.spellings.0", "merge_spellings")],
)
def test_an_answer_keeps_what_was_said_just_before(text, button, said):
    page = opened({}, "data.py")
    bring(page, "mine.csv", text.encode())
    both(
        page,
        lambda: page.radio(key="data.missing").set_value("impute"),
        lambda: page.button(key=button).click(),
    )
    assert set(space(page).belongings.upload.choices.said()) == {"missing", said}


def test_what_is_asked_is_bounded(monkeypatch):
    monkeypatch.setattr(asked.st, "session_state", {})
    for k in range(80):
        asked._ask("here", str(k))
    assert [act for _, act in asked.st.session_state[asked._ASKED]] == [str(k) for k in range(30, 80)]


def test_what_is_taken_back_leaves_what_other_buttons_were_asked(monkeypatch):
    monkeypatch.setattr(asked.st, "session_state", {asked._ASKED: [("here", "train"), ("here", "answer")]})
    asked.forget_asked("train", "step")
    assert asked.st.session_state[asked._ASKED] == [("here", "answer")]
    asked.forget_asked()
    assert asked._ASKED not in asked.st.session_state


def test_a_press_counts_once_for_what_it_was_about_and_not_where_it_is_disabled(monkeypatch):
    page = SimpleNamespace(session_state={}, button=lambda *_, **look: drawn.append(look))
    drawn = []
    monkeypatch.setattr(asked, "st", page)
    monkeypatch.setattr(asked, "_page", lambda: "here")
    assert not asked.pressed("Go", "go", of="mine")
    drawn[0]["on_click"](*drawn[0]["args"])
    assert not asked.pressed("Go", "go", of="other")
    assert not asked.pressed("Stop", "stop", of="mine")
    assert asked.pressed("Go", "go", of="mine")
    assert not asked.pressed("Go", "go", of="mine")
    drawn[0]["on_click"](*drawn[0]["args"])
    assert not asked.pressed("Go", "go", of="mine", disabled=True)
    assert drawn[-1]["disabled"]


def test_two_options_of_reading_are_read_together():
    page = opened({}, "data.py")
    bring(page, "mine.csv", b"# one\na;b;kind\n1;2;x\n3;5;y\n4;5;x\n6;7;y\n")
    both(
        page,
        lambda: page.selectbox(key="data.read.separator").set_value(";"),
        lambda: page.selectbox(key="data.read.comment").set_value("#"),
    )
    options = space(page).belongings.upload.options
    assert (options.separator, options.comment) == (";", "#")


def test_two_settings_of_a_panel_and_of_the_data():
    page = opened({"data": "rings", "panels": "nca"})
    page.slider(key="explore.rings.n_classes").set_value(3)
    page.slider(key="explore.rings.noise").set_value(2.0)
    page.selectbox(key="explore.nca.start").set_value("identity")
    page.selectbox(key="explore.nca.objective").set_value("log_f")
    page.number_input(key="explore.nca.max_iter").set_value(7)
    page.run()
    recipe = space(page).belongings.recipe
    said = dict(recipe.data.parameters)
    assert (said["n_classes"], said["noise"]) == (3, 2.0)
    panel = recipe.panel("nca")
    settings = panel.all_settings()
    assert (panel.start_name, settings["objective"], settings["max_iter"]) == ("identity", "log_f", 7)


def test_a_setting_of_a_panel_that_was_just_removed_is_let_go():
    page = opened({"panels": "pca,nca"})
    change_panel(space(page), "lda", lambda panel: panel.with_setting("nothing", 1))
    assert [panel.key for panel in space(page).belongings.recipe.panels] == ["pca", "nca"]


@pytest.fixture
def here(monkeypatch):
    """Every page is the same one to what is asked, so that a test can ask as a run does that was ended right after."""
    monkeypatch.setattr(asked, "_page", lambda: "here")
    return lambda page, *acts: page.session_state.__setitem__(asked._ASKED, [("here", act) for act in acts])


def test_what_an_ended_run_was_asked_for_is_carried_out_in_its_order(here):
    page = opened({"panels": "nca", "nca.max_iter": "200", "pace": "calm"})
    here(page, "train", "hold")
    page.run()
    assert run_of(page).state == "paused"
    here(page, "go on", "hold", "step", "step", "step")
    page.run()
    run = run_of(page)
    assert run.wait_for(4, 60)
    for _ in range(100):
        if run.state == "paused":
            break
        time.sleep(0.05)
    assert len(run.trajectory.snapshots) == 4
    page.run()
    assert run_of(page) is run  # nothing is carried out twice


def test_reset_takes_back_what_was_asked_before_it(here):
    page = opened({"panels": "nca"})
    press(page, "Train")
    here(page, "train")
    press(page, "Reset")
    assert run_of(page) is None


def test_another_page_does_not_carry_it_out(monkeypatch):
    page = opened({"panels": "nca"})
    page.session_state[asked._ASKED] = [("another page", "train")]
    page.run()
    assert run_of(page) is None
    assert asked._ASKED not in page.session_state


def test_who_goes_elsewhere_has_let_go_of_it(here):
    page = opened({"panels": "nca"})
    here(page, "train")
    page.switch_page("data.py").run()
    page.switch_page("explore.py").run()
    assert run_of(page) is None


def test_explore_this_data_is_carried_out_by_the_run_after_the_one_that_was_ended(here):
    page = opened({}, "data.py")
    bring(page, "mine.csv", TABLE.encode())
    here(page, "data.table.explore own:mine.csv", "nobody carries this out")
    page.run()
    assert space(page).belongings.comparison.dataset.name == "mine.csv"
    assert run_of(page) is None
    assert asked._ASKED not in page.session_state  # nor does a later page


def test_a_table_that_became_unfit_meanwhile_is_not_explored(here):
    page = opened({}, "data.py")
    bring(page, "odd.csv", ODD.encode())
    assert button(page, "Explore this data").disabled  # it asks for its label first
    before = space(page).belongings.recipe
    for name in ("odd.csv", "mine.csv"):  # which was there when the button was pressed
        here(page, f"data.table.explore own:{name}")
        page.run()
        assert not page.exception
        assert space(page).belongings.recipe == before
    assert asked._ASKED not in page.session_state


def test_a_page_that_stops_lets_go_of_what_it_was_asked(here, monkeypatch):
    page = opened({"panels": "nca"})
    with monkeypatch.context() as broken:
        broken.setattr(comparison, "put_on_stage", _cannot)
        here(page, "train")
        page.run()
        assert not page.exception
    page.run()
    assert run_of(page) is None


@pytest.mark.parametrize(
    ("address", "screen", "title"), [({}, "learn.py", "Learn"), ({"present": "1"}, None, "Explore")]
)
def test_what_stands_below_every_page_is_there_where_one_ends_early(address, screen, title):
    assert opened(address, screen).session_state["main.page"] == title


def _cannot(*_):
    raise DataError("No.")


def test_train_waits_for_the_table_that_is_being_read(here):
    page = opened({"panels": "nca"})
    bring_on_explore = page.file_uploader(key="explore.upload")
    bring_on_explore.set_value(("mine.csv", TABLE.encode(), "text/csv"))
    here(page, "train")
    page.run()
    assert run_of(page) is not None
    assert space(page).belongings.comparison.dataset.name.startswith("mine")
    here(page, "train")
    space(page).belongings.failed_upload = Upload("odd.csv", b"", question=_question())
    before = run_of(page)
    page.run()
    assert not page.exception
    assert asked._ASKED not in page.session_state
    assert run_of(page) is before  # a table waits for an answer


def _question():
    return ReadQuestion("Which?", (ReadAnswer("UTF-8", ReadOptions(), ""),))


def test_a_lesson_trains_the_step_that_one_has_gone_to(here):
    page = opened({"lesson": "shadow", "step": "3"}, "learn.py")
    before = space(page).lessons.belongings.recipe
    page.session_state["learn.place"] = ("neighbour", 1)  # as by Next, whose run was ended
    here(page, "train")
    page.run()
    assert space(page).lessons.belongings.recipe != before
    assert list(space(page).lessons.runs)


def test_what_was_asked_of_a_step_is_let_go_with_next(here):
    page = opened({"lesson": "shadow", "step": "3"}, "learn.py")
    here(page, "train")
    press(page, "Next")
    assert not space(page).lessons.runs


def test_a_panel_that_was_removed_twice_is_gone():
    page = opened({"panels": "pca,lda,nca"})
    for _ in range(2):
        new_panels(space(page), lambda now: removed(now, "lda"))
    new_panels(space(page), lambda now: moved(now, "lda", 1))
    assert [panel.key for panel in space(page).belongings.recipe.panels] == ["pca", "nca"]


def test_two_changes_of_the_data_under_the_trainings():
    page = opened({"data": "wine", "panels": "pca,nca", "nca.max_iter": "6", "ask": "cope"}, "understand.py")
    press(page, "Train")
    assert run_of(page).wait_for(2, 60)
    page.run()
    button(page, "Add noise").click()
    button(page, "Flip labels").click()
    page.run()
    assert not page.exception
    noise = space(page).belongings.recipe.noise
    assert (noise.noise_columns, noise.flipped_share) == (5, 0.2)


def test_three_steps_in_quick_succession_are_three_iterations():
    page = opened({"panels": "nca"})
    page.button(key="explore.step").click().run()
    for _ in range(2):
        trainings.step(space(page), chosen_dataset(space(page)))
    run = run_of(page)
    assert run.wait_for(4, 60)
    for _ in range(100):
        if run.state == "paused":
            break
        time.sleep(0.05)
    assert [snapshot.iteration for snapshot in run.trajectory.snapshots] == [0, 1, 2, 3]
