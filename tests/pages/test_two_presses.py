"""Two things said before the page was drawn again: both hold, and neither takes the other back."""

from operator import attrgetter

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
    f"{k * k % 17},{k % 5 if k != 5 else ''},{('Ill', 'ill ', 'Healthy')[k % 3]}\n" for k in range(60)
)
COMMENTED = "# one\na;b;kind\n1;2;x\n3;5;y\n4;5;x\n6;7;y\n"
GAPS = "a,b,kind\n" + "".join(f"{k % 7},{'' if k == 5 else k * k % 11},{'xy'[k % 2]}\n" for k in range(60))


@pytest.mark.parametrize(
    ("text", "chosen", "said"),
    [
        (
            NUMBERS,
            {"table.label": "price", "label.mode": "continuous"},
            {"plan.columns.label": "price", "plan.columns.label_mode": "continuous"},
        ),
        (
            GAPS,
            {"missing": "impute", "table.label.instead.0": True},
            {"choices.missing": "impute", "choices.label": "a"},
        ),
        (
            SPELT,
            {"missing": "impute", "table.spellings.0": True},
            {"choices.missing": "impute", "choices.merge_spellings": True},
        ),
        (COMMENTED, {"read.separator": ";", "read.comment": "#"}, {"options.separator": ";", "options.comment": "#"}),
    ],
    ids=["label and mode", "gaps and label", "gaps and spellings", "separator and comments"],
)
def test_two_things_said_of_a_table_hold_both(text, chosen, said):
    """Two callbacks of one page as it was drawn, in this order and in runs of their own but for the drawing."""
    page = opened({}, "data.py")
    bring(page, "mine.csv", text.encode())
    widgets = {widget.key: widget for widget in (*page.selectbox, *page.radio, *page.button)}
    for key, value in chosen.items():
        widgets[f"data.{key}"].set_value(value)
    page.run()
    upload = space(page).document.upload
    assert {name: attrgetter(name)(upload) for name in said} == said
    assert not page.button(key="data.table.explore").disabled


def test_two_settings_of_a_panel_and_of_the_data_hold_both():
    page = opened({"data": "rings", "panels": "nca"})
    for kind, key, value in (
        ("slider", "rings.n_classes", 3),
        ("slider", "rings.noise", 2.0),
        ("selectbox", "nca.start", "identity"),
        ("selectbox", "nca.objective", "log_f"),
        ("number_input", "nca.max_iter", 7),
    ):
        getattr(page, kind)(key=f"explore.{key}").set_value(value)
    page.run()
    recipe = space(page).document.recipe
    parameters, panel = dict(recipe.data.parameters), recipe.panel("nca")
    assert (parameters["n_classes"], parameters["noise"]) == (3, 2.0)
    settings = panel.all_settings()
    assert (panel.start_name, settings["objective"], settings["max_iter"]) == ("identity", "log_f", 7)


def test_a_chosen_page_opens_also_where_another_press_ended_the_run_before():
    page = opened({}, "data.py")
    bring(page, "mine.csv", TABLE.encode())
    page.session_state["page.next"] = "Explore"  # as a callback leaves it whose run was ended
    page.run()
    assert page.session_state["main.page"] == "Explore"
    assert "page.next" not in page.session_state
    assert space(page).document.comparison.dataset.name == "mine.csv"


def test_no_training_begins_before_an_answer_and_where_nothing_can_be_prepared(monkeypatch):
    def refused(*_):
        raise DataError("No.")

    page = opened({"panels": "nca"})
    begin, own = page.button(key="explore.train"), space(page).document
    question = ReadQuestion("Which?", (ReadAnswer("UTF-8", ReadOptions(), ""),))
    own.failed_upload = Upload("odd.csv", b"", question=question)
    begin.click().run()
    assert run_of(page) is None
    own.failed_upload = None
    page.run()
    with monkeypatch.context() as broken:
        broken.setattr(trainings, "show", refused)
        page.button(key="explore.train").click().run()
        assert [error.value for error in page.error] == ["No\\."]
    page.run()
    assert run_of(page) is None


def test_a_panel_that_was_just_removed_takes_no_more_changes():
    page = opened({"panels": "pca,lda,nca"})
    for _ in range(2):
        change_panels(space(page), lambda now: removed(now, "lda"))
    change_panels(space(page), lambda now: moved(now, "lda", 1))
    change_panel(space(page), "lda", lambda panel: panel.with_setting("nothing", 1))
    assert [panel.key for panel in space(page).document.recipe.panels] == ["pca", "nca"]
