"""Explore's address, files, undo and reload: what was set comes back, and what cannot is said."""

from urllib.parse import parse_qsl, urlsplit

import pytest

from pages.controls.upload import change_choices
from pages.server.workspace import HUB
from study.link import to_json
from tests.pages.app_page import TABLE, address, prepared, press, run_of, said, space


def test_another_browser_gets_the_settings_and_nothing_else_by_a_link_and_by_a_rerun(browsers, open_page):
    browsers("ann")
    page = open_page({"data": "wine", "held_out": "0"})
    press(page, "Train")
    old = space(page)
    browsers("bob")
    page.run()
    assert space(page) is not old
    assert space(page).owner == "bob"
    assert space(page).document.recipe == old.document.recipe
    assert space(page).document.own_data is not old.document.own_data
    browsers("ann")
    page.run()
    space(page).release_session(page.session_state["session.id"])
    browsers("bob")
    other = open_page(address(page))
    assert space(other) is not space(page)
    assert not space(other).runs
    assert space(other).document.recipe == space(page).document.recipe
    assert not space(other).document.problems


def test_a_session_whose_workspace_was_taken_up_meanwhile_goes_on_in_one_of_its_own(browsers, open_page):
    browsers("ann")
    page = open_page({"data": "wine"})
    old = space(page)
    old.release_session(page.session_state["session.id"])  # the line was cut for a moment
    again = open_page(address(page))
    assert space(again) is old
    page.run()
    assert space(page) is not old
    assert space(page).document.recipe == old.document.recipe
    assert space(page).document.own_data is old.document.own_data  # it is the same person's


def test_a_link_to_ones_own_table_opens_in_the_same_browser_and_asks_another_for_it(browsers, open_page):
    browsers("ann")
    page = open_page()
    page.file_uploader(key="explore.upload").set_value(("mine.csv", TABLE.encode(), "text/csv")).run()
    page.selectbox(key="explore.nca.objective").set_value("g").run()
    assert address(page)["data"] == "own"
    assert "kind" not in str(address(page))
    assert prepared(open_page(address(page)))[0] is prepared(page)[0]
    browsers("bob")
    other = open_page(address(page))
    assert "mine.csv, which does not travel with it" in said(other.error)[0]
    assert not other.get("bidi_component")  # nothing else is shown in its place
    other.file_uploader(key="explore.upload").set_value(("mine.csv", TABLE.encode(), "text/csv")).run()
    assert not other.error
    assert space(other).document.recipe == space(page).document.recipe


def test_a_label_that_was_chosen_travels_and_other_differences_are_said(browsers, open_page):
    rows = [f"{k * k % 17},{'uv'[k % 2]},{'xyz'[k * k % 3]}\n" for k in range(40)]

    def dropped(page, text):
        file = ("mine.csv", text.encode(), "text/csv")
        page.session_state["explore.table.folded"] = True
        page.file_uploader(key="explore.upload").set_value(file).run()

    browsers("ann")
    page = open_page()
    text = "size,colour,species\n" + "".join(rows)
    dropped(page, text)
    change_choices(space(page), lambda now: now.with_label("colour"))
    page.run()
    assert address(page)["data.label"] == "colour"
    browsers("bob")
    other = open_page(address(page))
    assert other.slider(key="explore.held_out").value == 25  # as once the table is there
    dropped(other, text)
    assert other.slider(key="explore.held_out").value == 25
    assert space(other).document.recipe == space(page).document.recipe
    assert space(other).document.own_data["own:mine.csv"].class_names == ("u", "v")
    assert not space(other).document.problems
    assert not space(other).document.upload.past  # there is nothing to undo
    browsers("eve")
    third = open_page(address(page))
    dropped(third, text + "3,u,x\n")
    [said_once] = space(third).document.problems
    assert said_once.startswith("mine.csv is not mine.csv as the link knows it: its rows, ")
    assert space(third).document.own_data["own:mine.csv"].class_names == ("u", "v")


def test_a_label_that_was_read_from_names_travels(browsers, open_page):
    rows = [f"{('wt', 'ko')[k % 2]}_{k // 2},{k * k % 11}.5,{k * 3 % 7}.25\n" for k in range(40)]
    file = ("mine.csv", "".join(["sample,a,b\n", *rows]).encode(), "text/csv")
    browsers("ann")
    page = open_page()
    page.file_uploader(key="explore.upload").set_value(file).run()
    names = space(page).document.upload.plan.table.columns
    label = next((name for name in names if name.endswith("read from sample")), "")
    change_choices(space(page), lambda now: now.with_label(label))
    page.run()
    browsers("bob")
    other = open_page(address(page))
    other.file_uploader(key="explore.upload").set_value(file).run()
    assert (label != "", space(other).document.upload.choices.label) == (True, label)


def test_a_saved_recipe_opens_again_and_a_broken_one_changes_nothing(page, open_page):
    page.selectbox(key="explore.data").set_value("iris").run()
    page.selectbox(key="explore.nca.start").set_value("lda").run()
    text = to_json(space(page).document.recipe)
    other = open_page()
    other.file_uploader(key="explore.open_recipe").set_value(("r.json", text.encode(), "application/json")).run()
    assert space(other).document.recipe == space(page).document.recipe
    assert other.selectbox(key="explore.nca.start").value == "lda"
    broken = text[: len(text) // 2].encode()
    other.file_uploader(key="explore.open_recipe").set_value(("r.json", broken, "application/json")).run()
    assert "line" in other.error[0].value
    assert space(other).document.recipe == space(page).document.recipe


def test_a_link_that_asks_for_it_such_as_the_one_to_copy_trains_at_once_and_no_other(open_page):
    page = open_page({"data": "iris", "train": "1", "pace": "full_speed"})
    assert not page.warning
    assert run_of(page) is not None
    assert "train" not in address(page)
    press(page, "Reset")
    page.run()
    assert run_of(page) is None  # once
    assert run_of(open_page({"data": "iris"})) is None
    [link] = [code.value for code in page.code]
    names = dict(parse_qsl(urlsplit(link).query))
    other = open_page(names)
    assert space(other) is not space(page)
    assert space(other).document.recipe == space(page).document.recipe
    assert run_of(other) is not None


@pytest.mark.parametrize(("label", "at_once"), [("Show it trained", True), ("Watch it train", False)])
def test_a_link_to_a_trained_picture_offers_its_end_and_its_training(open_page, label, at_once):
    page = open_page({"data": "iris", "train": "1", "pace": "auto"})
    assert run_of(page) is None
    press(page, label)
    assert (run_of(page).min_interval == 0.0) is at_once
    assert "Show it trained" not in [button.label for button in page.button]


def test_settings_that_go_along_to_other_data_are_said_there(page):
    page.slider(key="explore.held_out").set_value(40).run()
    assert not any("Kept from the previous data" in one for one in said(page.caption))
    page.selectbox(key="explore.data").set_value("iris").run()
    assert any("Kept from the previous data: 40\N{NO-BREAK SPACE}% held out." in one for one in said(page.caption))
    assert page.slider(key="explore.held_out").value == 40
    page.selectbox(key="explore.nca.start").set_value("lda").run()
    assert not any("Kept from the previous data" in one for one in said(page.caption))


def test_what_a_link_says_that_nobody_understands_is_said_and_the_rest_is_kept(open_page):
    page = open_page({"recipe": "2", "data": "iris", "nca.objective": "zz", "nca.seed": "7", "held_out": "0.2"})
    assert "nca.objective is zz" in said(page.warning)[0]
    recipe = space(page).document.recipe
    assert (recipe.data.key, recipe.panel("nca").random_state) == ("iris", 7)
    assert recipe.preparation.held_out_fraction == 0.2
    press(page, "Dismiss")
    assert not page.warning


WINE = {"data": "wine", "held_out": "0"}
WORDS = "Already training in another tab."


def offered(page):
    return [line.value for line in page.caption if line.value == WORDS]


@pytest.fixture
def tabs(open_page, browsers):
    """One that trains, and a later one with its address."""
    browsers("ann")
    one = open_page(WINE)
    press(one, "Train")
    return one, open_page(address(one))


def test_a_training_is_brought_here_and_the_other_tab_begins_anew(tabs):
    one, two = tabs
    held, run, before = space(one), run_of(one), space(two)
    assert not offered(one)
    assert offered(two)
    assert space(two) is not held
    press(two, "Bring it here")
    assert space(two) is held
    assert run_of(two) is run
    assert run.ended != "stopped"
    assert not offered(two)
    assert HUB.find(before.token) is before  # as that of a closed tab
    assert not before.has_session
    one.run()
    assert space(one) is not held
    assert space(one).document.recipe == held.document.recipe
    assert offered(one)  # and can have it back
    press(one, "Bring it here")
    assert run_of(one) is run
    two.run()
    assert offered(two)
    press(two, "Train")
    assert not offered(two)  # as this tab trains, too


def test_a_line_that_another_browser_presses_brings_nothing(tabs, browsers):
    one, two = tabs
    held = space(one)
    browsers("bob")
    two.button(key="recipe.bring_here").click().run()
    assert space(two) is not held
    browsers("ann")
    one.run()
    assert space(one) is held


def test_undo_in_the_sidebar_brings_back_the_label_and_the_table_before(page):
    rows = "".join(f"{k * k % 17},{'uv'[k % 2]},w,{'xyz'[k * k % 3]}\n" for k in range(40))

    def dropped(name, text):
        page.session_state["explore.table.folded"] = True
        page.file_uploader(key="explore.upload").set_value((name, text.encode(), "text/csv")).run()

    def undone():
        page.session_state["explore.share"] = True
        page.button(key="explore.undo").click().run()
        page.run()
        own = space(page).document
        assert not page.error
        return own.upload.filename, own.upload.plan.label.name, own.own_data[own.key_of(own.recipe.data)].class_names

    dropped("mine.csv", "size,colour,always,species\n" + rows)
    change_choices(space(page), lambda now: now.with_label("colour"))
    page.run()
    change_choices(space(page), lambda now: now.with_label("size"))  # cut into ranges
    page.run()
    assert undone() == ("mine.csv", "colour", ("u", "v"))
    assert undone() == ("mine.csv", "species", ("x", "y"))
    change_choices(space(page), lambda now: now.with_label("always"))  # one class
    page.run()
    assert "Below is still the picture from before this choice." in said(page.info)
    assert undone() == ("mine.csv", "species", ("x", "y"))
    dropped("other.csv", "size,kind\n" + "".join(f"{k * k % 19},{'pq'[k % 2]}\n" for k in range(30)))
    assert undone() == ("mine.csv", "species", ("x", "y"))
