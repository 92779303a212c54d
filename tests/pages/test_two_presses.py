"""Two things said before the page was drawn again: both hold, and neither takes the other back."""

import pytest

from datasets.base.errors import DataError
from datasets.reading import ReadAnswer, ReadOptions, ReadQuestion
from pages.controls.panel_cards import change_panels
from pages.controls.recipe_widgets import change_panel
from pages.server import trainings
from pages.server.document import Upload
from study.panel_changes import moved, removed
from tests.pages.app_page import TABLE, bring, opened, run_of, space

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


def test_how_the_label_is_taken_is_said_of_the_one_just_picked():
    page = opened({}, "data.py")
    bring(page, "prices.csv", NUMBERS.encode())
    assert space(page).document.upload.plan.label.name == "a"
    both(
        page,
        lambda: page.selectbox(key="data.table.label").set_value("price"),
        lambda: page.radio(key="data.label.mode").set_value("continuous"),
    )
    plan = space(page).document.upload.plan
    assert (plan.columns.label, plan.columns.label_mode) == ("price", "continuous")
    assert not page.button(key="data.table.explore").disabled


@pytest.mark.parametrize(
    ("text", "button", "said"),
    [(GAPS, "data.table.label.instead.0", "label"), (SPELT, "data.table.spellings.0", "merge_spellings")],
)
def test_an_answer_keeps_what_was_said_just_before(text, button, said):
    page = opened({}, "data.py")
    bring(page, "mine.csv", text.encode())
    both(page, lambda: page.radio(key="data.missing").set_value("impute"), lambda: page.button(key=button).click())
    choices = space(page).document.upload.choices
    assert choices.missing == "impute"
    assert getattr(choices, said) is not None


def test_two_options_of_reading_are_read_together():
    page = opened({}, "data.py")
    bring(page, "mine.csv", b"# one\na;b;kind\n1;2;x\n3;5;y\n4;5;x\n6;7;y\n")
    both(
        page,
        lambda: page.selectbox(key="data.read.separator").set_value(";"),
        lambda: page.selectbox(key="data.read.comment").set_value("#"),
    )
    options = space(page).document.upload.options
    assert (options.separator, options.comment) == (";", "#")


def test_two_settings_of_a_panel_and_of_the_data():
    page = opened({"data": "rings", "panels": "nca"})
    page.slider(key="explore.rings.n_classes").set_value(3)
    page.slider(key="explore.rings.noise").set_value(2.0)
    page.selectbox(key="explore.nca.start").set_value("identity")
    page.selectbox(key="explore.nca.objective").set_value("log_f")
    page.number_input(key="explore.nca.max_iter").set_value(7)
    page.run()
    recipe = space(page).document.recipe
    said = dict(recipe.data.parameters)
    assert (said["n_classes"], said["noise"]) == (3, 2.0)
    panel = recipe.panel("nca")
    settings = panel.all_settings()
    assert (panel.start_name, settings["objective"], settings["max_iter"]) == ("identity", "log_f", 7)


def test_a_setting_of_a_panel_that_was_just_removed_is_let_go():
    page = opened({"panels": "pca,nca"})
    change_panel(space(page), "lda", lambda panel: panel.with_setting("nothing", 1))
    assert [panel.key for panel in space(page).document.recipe.panels] == ["pca", "nca"]


def test_a_chosen_page_opens_also_where_another_press_ended_the_run_before():
    page = opened({}, "data.py")
    bring(page, "mine.csv", TABLE.encode())
    page.session_state["page.next"] = "Explore"  # as a callback leaves it whose run was ended
    page.run()
    assert page.session_state["main.page"] == "Explore"
    assert "page.next" not in page.session_state
    assert space(page).document.comparison.dataset.name == "mine.csv"


def test_train_waits_for_an_answer_about_a_table_however_it_is_called():
    page = opened({"panels": "nca"})
    begin = page.button(key="explore.train")
    space(page).document.failed_upload = Upload("odd.csv", b"", question=_question())
    begin.click().run()
    assert run_of(page) is None


def _question():
    return ReadQuestion("Which?", (ReadAnswer("UTF-8", ReadOptions(), ""),))


def test_settings_that_cannot_be_prepared_start_no_training(monkeypatch):
    page = opened({"panels": "nca"})
    with monkeypatch.context() as broken:
        broken.setattr(trainings, "show", _refused)
        page.button(key="explore.train").click().run()
        assert [error.value for error in page.error] == ["No\\."]
    page.run()
    assert run_of(page) is None


def _refused(*_):
    raise DataError("No.")


def test_a_panel_that_was_removed_twice_is_gone():
    page = opened({"panels": "pca,lda,nca"})
    for _ in range(2):
        change_panels(space(page), lambda now: removed(now, "lda"))
    change_panels(space(page), lambda now: moved(now, "lda", 1))
    assert [panel.key for panel in space(page).document.recipe.panels] == ["pca", "nca"]
