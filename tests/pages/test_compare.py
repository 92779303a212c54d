"""The page of comparisons without a browser: its cards, its own recipe and link, runs kept from Explore."""

from dataclasses import replace
from unittest.mock import Mock

import pytest

from datasets.base.words import percent
from pages.server.jobs import EndedJob
from study.link import from_link, to_link
from study.measure import measure
from study.panel_changes import without_names
from tests.pages.app_page import address, click, lines, said, space, train
from tests.waiting import has_ended

LINK = {"data": "wine", "panels": "pca,nca"}


@pytest.fixture
def compare(open_page):
    return open_page(LINK, "compare.py")


def second(page):
    return space(page).second


def keys(page):
    return [panel.key for panel in second(page).document.recipe.panels]


def test_a_link_opens_its_comparison_trains_it_if_asked_and_leaves_explore_alone(open_page):
    page = open_page({**LINK, "train": "1", "pace": "full_speed"}, "compare.py")
    assert keys(page) == ["pca", "nca"]
    assert address(page)["panels"] == "pca,nca"
    assert "train" not in address(page)
    assert list(second(page).runs) == ["nca"]
    assert second(page).shown.version == 1
    assert not page.error
    page.switch_page("explore.py").run()
    assert [panel.key for panel in space(page).document.recipe.panels] == ["pca", "lda", "nca"]
    assert not space(page).runs


def test_without_a_link_it_begins_with_what_explore_shows(page):
    page.switch_page("compare.py").run()
    assert second(page).document.recipe == space(page).document.recipe
    assert second(page).document.comparison.prepared.raw.name == "Wine"


def test_cards_change_the_panels_and_the_address(compare):
    click(compare, "compare.Shuffled twin.nca")
    assert keys(compare) == ["pca", "nca", "nca-2"]
    assert address(compare)["nca-2.labels"] == "shuffled"
    assert any("labels shuffled" in line for line in said(compare.caption))
    click(compare, "compare.Move up.nca")
    assert keys(compare) == ["nca", "pca", "nca-2"]
    click(compare, "compare.Remove.pca")
    assert keys(compare) == ["nca", "nca-2"]
    compare.selectbox(key="compare.add").set_value("lda").run()
    assert keys(compare) == ["nca", "nca-2", "lda"]
    compare.text_input(key="compare.name.nca").set_value("mine").run()
    assert second(compare).document.recipe.panel("nca").shown_title == "mine"
    second(compare).document.undo()
    assert second(compare).document.recipe.panel("nca").shown_title == "NCA"


def test_what_cannot_be_done_is_said_and_nothing_changes(open_page):
    page = open_page({**LINK, "panels": "nca,nca-2", "nca-2.start": "nca@3"}, "compare.py")
    click(page, "compare.Remove.nca")
    assert keys(page) == ["nca", "nca-2"]
    assert any("remove NCA 2 first" in line for line in said(page.error))


def test_a_run_kept_on_explore_stands_on_compare(page):
    click(page, "explore.train")
    run = space(page).runs["nca"].run
    assert run.wait_for_end(60)
    click(page, "explore.keep")
    assert page.toast[0].value.startswith("Kept on Compare.")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pages.server.trainings.keep_on_compare", Mock(side_effect=ValueError("too many")))
        click(page, "explore.keep")
    assert page.toast[0].value == "too many"
    page.switch_page("compare.py").run()
    assert keys(page) == ["pca", "lda", "nca"]  # what was beside it stays beside it
    assert second(page).runs["nca"].run is run
    page.switch_page("explore.py").run()
    assert space(page).runs["nca"].run is run
    assert address(page).get("panels") is None


def test_compare_shows_what_explore_has_trained_with_the_same_settings(page):
    run = train(page)
    page.switch_page("compare.py").run()
    assert second(page).runs["nca"].run is run
    assert "Not trained yet" not in lines(page)
    click(page, "explore.reset")  # here alone, and it is not shown again
    page.run()
    assert not second(page).runs
    assert space(page).runs["nca"].run is run
    page.switch_page("explore.py").run()
    again = train(page)
    own = second(page).document
    own.change(own.recipe.with_panel(own.recipe.panel("nca").with_setting("regularisation", 0.5)))
    page.switch_page("compare.py").run()
    assert not second(page).runs  # other settings
    own.undo()
    page.run()
    assert second(page).runs["nca"].run is again


def test_table_name_and_card_follow_a_training(compare):
    frame = compare.dataframe[0].value
    assert list(frame.index) == ["PCA", "NCA"]
    assert frame.loc["NCA"].isna().all()
    run = train(compare)
    frame = compare.dataframe[0].value
    last = run.latest()
    assert frame.loc["NCA", ("Held-out rows", "1-NN")] == last.held_out_1nn
    assert frame.loc["NCA", ("Projection", "f/n")] == last.mean_p
    assert frame.loc["PCA", ("Projection", "K used")] == round(last.k_mean_entropy)
    compare.text_input(key="compare.name.nca").set_value("My model").run()
    assert "**My model**" in lines(compare)
    pca = measure(second(compare).document.comparison, "pca").held_out_1nn
    assert 0 < pca < 1
    line = next(line for line in said(compare.markdown) if line.startswith("≈ My model"))
    assert line.endswith(f" PCA: {percent(pca)}. No clear difference on 44 rows.")
    assert second(compare).runs["nca"].run is run
    assert not any(words in lines(compare) for words in ("have changed", "not trained with"))
    own = second(compare).document
    own.change(own.recipe.with_panel(replace(own.recipe.panel("nca"), settings={"objective": "g"})))
    compare.run()
    assert "Its settings have changed:" in lines(compare)


def test_splits_are_repeated_in_the_background(compare):
    own = second(compare).document
    own.jobs["splits"] = EndedJob(without_names(own.comparison.recipe), "running", None)
    compare.run()
    assert [bar.proto.text for bar in compare.get("progress")] == [r"Splits\: starting"]  # no number yet
    own.jobs.cancel("splits")
    compare.number_input(key="compare.n_splits").set_value(3).run()
    click(compare, "compare.repeat")
    job = own.jobs["splits"]
    assert has_ended(job, 60)
    compare.run()
    assert job.result.done == 3
    frame = compare.dataframe[0].value
    assert frame.loc["PCA", ("Held-out rows", "1-NN")] == pytest.approx(job.result.mean("pca", "held_out_1nn"))
    assert "3 splits of 134 training and 44 held-out rows" in lines(compare)
    assert any(text.startswith("Over 3 splits, ") and "give no verdict" in text for text in said(compare.markdown))
    of = from_link(to_link(own.jobs.pop("splits").of)).recipe  # as after a restart of the server in the middle of it
    own.jobs["splits"] = EndedJob(of, "interrupted", replace(job.result, wanted=7))
    compare.run()
    assert compare.dataframe[0].value.equals(frame)
    assert "The server restarted after 3 of 7" in lines(compare)
    click(compare, "compare.Remove.pca")  # another comparison: its numbers are not those
    assert list(compare.dataframe[0].value.index) == ["NCA"]
    assert "One split" in lines(compare)


def test_a_panel_is_tested_against_chance(open_page):
    compare = open_page({**LINK, "nca.max_iter": "6"}, "compare.py")
    compare.session_state["compare.tab"] = "Against chance"
    compare.run()
    compare.number_input(key="compare.n_permutations").set_value(79).run()  # the fewest that decide
    click(compare, "compare.test")
    job = second(compare).document.jobs["chance"]
    assert has_ended(job, 240)
    compare.run()
    assert job.result.done == 79
    assert any("NCA: better than chance" in line for line in said(compare.markdown))
    assert any(line.startswith("Training rows, leave-one-out") for line in said(compare.caption))


def test_a_preset_takes_the_place_of_the_panels_and_their_trainings_and_undo_brings_them_back(compare):
    compare.selectbox(key="compare.preset").set_value("starts").run()
    assert keys(compare) == ["nca", "nca-2", "nca-3"]
    assert address(compare)["nca-2.start"] == "lda"
    click(compare, "explore.undo")
    assert keys(compare) == ["pca", "nca"]
    compare.selectbox(key="compare.preset").set_value("objectives").run()
    run = train(compare, *keys(compare))
    compare.selectbox(key="compare.preset").set_value("twin").run()
    assert list(second(compare).runs) == ["nca"]  # the same panel in both
    assert second(compare).runs["nca"].run is run
    shown = [panel.recipe for panel in second(compare).document.comparison.panels]
    assert [(panel.shown_title, panel.labels) for panel in shown] == [
        ("NCA", "true"),
        ("NCA, shuffled labels", "shuffled"),
    ]


def test_a_pinned_point_its_tables_differences_between_panels_and_rows_to_select(open_page):
    page = open_page({**LINK, "panels": "pca,lda,nca", "point": "12"}, "compare.py")
    assert not [frame for frame in page.dataframe if "Rule" in frame.value]
    page.toggle(key="compare.why_here").set_value(True).run()
    assert "Row 12 is of class" in lines(page)
    table = next(frame.value for frame in page.dataframe if "Rule" in frame.value)
    assert list(table.columns) == ["Rule", "All features", "PCA", "LDA"]  # NCA is not trained
    page.toggle(key="compare.why_here").set_value(False).run()
    page.session_state["compare.tab"] = "Differences"
    page.run()
    changed, confusion, agreement = (frame.value for frame in page.dataframe)
    assert confusion.to_numpy().sum() == 44  # the held-out rows
    assert list(agreement.index) == ["PCA", "LDA", "NCA"]
    assert agreement.loc["PCA", "NCA"] == 1  # NCA stands at its start, which is PCA's
    assert agreement.loc["PCA", "LDA"] < 1
    assert changed.empty  # from PCA to NCA
    page.selectbox(key="compare.to_panel").set_value("lda").run()
    changed = page.dataframe[0].value
    assert len(changed) == 50
    assert changed["neighbours in common"].is_monotonic_increasing
    click(page, "compare.select_changed")
    number, rows = page.session_state["compare.select"]
    assert number == 1
    assert list(second(page).document.comparison.prepared.raw.row_numbers[list(rows)]) == list(changed["row"])
