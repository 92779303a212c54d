"""A table from the drop to the Train button: what is asked stands first, nothing else is trained in its place, and what
was replaced is let go."""

import gc
import weakref
from dataclasses import replace

import numpy as np
import pytest

from datasets.proposals import apply, propose
from datasets.reading import ReadOptions, missing_words, read_table
from pages.controls import upload as upload_state
from pages.controls.table import _set_label
from pages.server.document import Upload
from pages.views.uploaded_table import missing_chip
from stage import wording
from tests.datasets.files import workbook
from tests.pages.app_page import (
    TABLE,
    bring,
    choose,
    click,
    keys,
    lines,
    measured,
    opened,
    run_of,
    said,
    space,
)

TWO_WORDS = "size,colour,shape\n" + "".join(f"{k % 7},{'rgb'[k % 3]},{'xy'[k // 20]}\n" for k in range(40))
NO_LABEL = "a,b,c\n" + "".join(f"{k + 0.5},{k % 2 + 0.25},{k * k % 11 + 0.5}\n" for k in range(60))
ODD_CELLS = "a,b,c,label\n" + "".join(
    f"{k % 9},{'high' if k % 12 == 5 else k % 5},{k * k % 11},{'xy'[k % 2]}\n" for k in range(60)
)
LONG_LINES = "a,b,label\n" + "".join(
    f"{k % 9},{k % 5},{'xy'[k % 2]}{',more' if k in (4, 9) else ''}\n" for k in range(40)
)
SURE = "a,b,species\n" + "".join(f"{k},{k % 5},{'xy'[k % 2]}\n" for k in range(40))

SPELT = "a,b,species\n" + "".join(
    f"{k * k % 17},{k**3 % 13},{'X' if k % 7 == 3 else 'xy'[k * k // 3 % 2]}\n" for k in range(60)
)


def drop(page, text, name="mine.csv"):
    data = text.encode() if isinstance(text, str) else text
    page.session_state[FOLDED_REPORT] = True
    page.file_uploader(key="explore.upload").set_value((name, data, "text/csv")).run()


FOLDED_REPORT = "explore.table.folded"  # open, so that a test need not open it


def on_stage(page):
    return bool(page.get("bidi_component"))


def test_labels_in_several_spellings_are_asked_about_beside_the_picture(page):
    page.file_uploader(key="explore.upload").set_value(("mine.csv", SPELT.encode(), "text/csv")).run()
    assert not page.button(key="explore.train").disabled
    assert any("written in several ways" in words for words in said(page.markdown))
    click(page, "explore.table.spellings.0")
    assert "explore.table.spellings.0" not in keys(page)


def test_a_doubtful_label_is_asked_on_explore_and_train_waits_for_the_answer(page):
    drop(page, TWO_WORDS)
    assert any(words in ("Is colour the label?", "Is shape the label?") for words in said(page.subheader))
    assert any("2 classes: x (20), y (20)" in words for words in [*said(page.markdown), *map(label_of, page.button)])
    assert page.button(key="explore.train").disabled
    assert page.button(key="explore.step").disabled
    assert "mine.csv waits for an answer to its question." in said(page.caption)
    assert wording.WHAT_IT_IS in lines(page)
    assert wording.BEFORE_TRAINING not in lines(page)
    click(page, "explore.table.label.yes")
    assert not page.button(key="explore.train").disabled
    assert not any("waits for an answer" in words for words in said(page.caption))
    click(page, "explore.train")
    assert run_of(page).wait_for_end(60)
    page.run()
    page.session_state[FOLDED_REPORT] = False
    page.run()
    assert "explore.table.label.instead.0" not in keys(page)  # the picture has the room
    [report] = [words for words in map(label_of, page.expander) if "mine.csv" in words]
    assert "label colour" in report or "label shape" in report


def test_a_label_that_was_read_from_names_is_taken_by_a_press(page):
    names = (f"{('wt', 'ko')[k % 2]}_{k // 2},{k * k % 11}.5,{k * 3 % 7}.25" for k in range(40))
    drop(page, "\n".join(["sample,a,b", *names]))
    assert "Is group read from sample the label?" in said(page.subheader)
    click(page, "explore.table.label.yes")
    assert not page.button(key="explore.train").disabled
    assert space(page).document.upload.plan.columns.label == "group read from sample"


def test_a_loaded_table_is_named_below_an_empty_field_and_its_notes_are_folded(page):
    drop(page, SURE)
    loaded = "mine.csv is still loaded. Choose another data set to leave it."
    assert loaded not in said(page.caption)
    page.file_uploader(key="explore.upload").set_value(None).run()  # the X beside the file
    assert loaded in said(page.caption)
    page.switch_page("data.py").run()
    assert loaded in said(page.caption)
    page.switch_page("explore.py").run()
    page.selectbox(key="explore.data").set_value("iris").run()
    assert loaded not in said(page.caption)


def label_of(button):
    return button.label.replace("\\", "")


def test_one_press_takes_another_column_as_the_label(page):
    text = SURE.replace("species", "kind").replace("b,", "group,", 1)
    drop(page, text)
    assert space(page).document.upload.data == text.encode()
    # Streamlit keeps the value of a field for as long as the session lives: 50 MB each, of tables that are gone, too.
    assert page.session_state["explore.upload"].getvalue() == b""
    first = space(page).document.upload.plan.label
    other = first.runners_up[0]
    assert other.name in label_of(page.button(key="explore.table.label.instead.0"))
    click(page, "explore.table.label.instead.0")
    assert space(page).document.upload.plan.label.name == other.name
    assert page.selectbox(key="explore.upload.label").value == other.name
    click(page, "explore.table.undo")
    assert space(page).document.upload.plan.label.name == first.name


def test_an_earlier_table_comes_back_with_its_card_and_what_was_chosen(page):
    """And the label that the browser still sends of the table between counts for nothing."""
    drop(page, TWO_WORDS, "first.csv")
    choose(page, "explore.upload.label", "colour")
    drop(page, SURE, "second.csv")
    assert space(page).document.upload.plan.label.name == "species"
    choose(page, "explore.data", "own:first.csv")
    upload = space(page).document.upload
    assert (upload.filename, upload.plan.label.name, upload.plan.label.said) == ("first.csv", "colour", True)
    assert page.selectbox(key="explore.upload.label").options == ["size", "colour", "shape"]
    _set_label(space(page), "species")
    assert space(page).document.upload.choices.label == "colour"
    _set_label(space(page), "shape")
    assert space(page).document.upload.choices.label == "shape"


def test_no_other_data_set_is_shown_while_a_table_has_no_label_unless_it_is_chosen(page):
    page.selectbox(key="explore.data").set_value("iris").run()
    for chosen in ("iris", "own:mine.csv"):
        drop(page, NO_LABEL)
        assert page.selectbox(key="explore.data").value is None
        assert not on_stage(page)
        assert "explore.train" not in keys(page)
        assert not any("Choose a data set on the left" in words for words in said(page.info))
        if chosen == "iris":
            page.selectbox(key="explore.data").set_value("iris").run()
            assert "explore.upload.label" not in [box.key for box in page.selectbox]  # it is not that of iris
        else:
            choose(page, "explore.upload.label", "b")
        assert on_stage(page)
        assert not page.button(key="explore.train").disabled
        assert not page.warning
        assert page.selectbox(key="explore.data").value == chosen


def test_odd_cells_are_asked_about_first_and_one_press_settles_them(page):
    drop(page, ODD_CELLS)
    assert "Column 'b': 5 of 60 cells are not usable numbers" in said(page.warning)[0]
    assert not on_stage(page)
    labels = [label_of(page.button(key=f"explore.table.ask.0.{k}")) for k in range(3)]
    assert labels == [
        "**treat them as missing** · 5 cells lose their value",
        "**take the column as text** · its numbers become words",
        "**leave the column out** · 1 column fewer",
    ]
    click(page, "explore.table.ask.0.2")
    assert not page.warning
    assert space(page).document.own_data["own:mine.csv"].feature_names == ("a", "c")
    click(page, "explore.table.undo")
    assert page.warning
    assert page.button(key="explore.train").disabled  # the stage shows the table as it was, and trains nothing


def test_a_doubtful_encoding_and_a_sentinel_are_asked_about_and_one_press_settles_each(page):
    text = "a,b,label\n" + "".join(f"{k % 9},{k % 5},{'김철'[k % 2]}\n" for k in range(40))
    drop(page, text.encode("euc-kr"), "korean.csv")
    classes = lambda: space(page).document.own_data["own:korean.csv"].class_names  # noqa: E731
    assert "korean.csv is not UTF-8. In which of these does it read right?" in said(page.markdown)
    asked = [button for button in page.button if button.key.startswith("explore.table.reading.")]
    names, previews = [label_of(button) for button in asked], [code.value for code in page.code]
    assert names[0] == "EUC-KR (Korean)"  # what was taken stands first
    assert classes() == ("김", "철")
    assert "0,0,김" in previews[0]
    other = names.index("GB 18030 (Chinese)")
    chinese = tuple(sorted(name.encode("euc-kr").decode("gb18030") for name in "김철"))
    assert f"0,0,{'김'.encode('euc-kr').decode('gb18030')}" in previews[other]
    click(page, f"explore.table.reading.{other}")
    assert classes() == chinese
    assert not [button for button in page.button if button.key.startswith("explore.table.reading.")]
    rows = ["p,t,species", *(f"{-9999 if k % 17 == 0 else 1013 + k % 7},{k % 9},{'xy'[k % 2]}" for k in range(60))]
    drop(page, "\n".join(rows))
    assert "-9999 in 'p' stands apart from all other values." in lines(page)
    assert not page.button(key="explore.train").disabled  # an offer
    click(page, "explore.table.reading.0")
    assert space(page).document.own_data["own:mine.csv"].X[:, 0].min() > 1_000
    assert "explore.table.reading.0" not in keys(page)
    shown = [popover.proto.popover.label.replace("\\", "") for popover in page.get("popover")]
    assert "Missing: blank -9999" in shown


def test_lines_with_too_many_cells_are_shown_together_and_skipped_by_one_press(page):
    page.selectbox(key="explore.data").set_value("iris").run()
    drop(page, LONG_LINES)
    assert "mine.csv, line 6 has 4 columns" in said(page.error)[0]
    assert "also lines 11 (4)" in said(page.error)[0]
    assert "line 6: 4 | 4 | x | more\nline 11: 0 | 4 | y | more" in [code.value for code in page.code]
    assert page.button(key="explore.train").disabled
    click(page, "explore.table.failed.question.0")
    assert said(page.error) == []
    assert space(page).document.own_data["own:mine.csv"].n_samples == 38
    assert not page.button(key="explore.train").disabled
    drop(page, "a,b,c\n" + "1,2,3\n" * 9 + '4,"5,6\n', "torn.csv")
    assert any(code.value.splitlines()[:2] == ["a,b,c", "1,2,3"] for code in page.code)
    assert "The first lines as text. Tried: UTF-8, separated by" in lines(page)
    assert any("Below is still mine.csv, the data from before." in words for words in said(page.info))
    assert on_stage(page)
    page.selectbox(key="explore.table.failed.separator").set_value(";").run()
    assert "one column only" in page.error[0].value


def test_what_was_chosen_stays_and_only_the_user_undoes_it(data_page):
    page, first = data_page, [*measured("ab"), ["", 1, "a"]]
    bring(page, "two.xlsx", workbook(first=first, second=[["x", "y"], [1, 2], [2, 4], [4, 3]]))
    choose(page, "data.table.label", "v")

    def another_word():
        page.text_input(key="data.read.missing").set_value("6").run()

    def another_sheet():
        choose(page, "data.read.sheet", "second")
        assert "This table has no column 'v'; what you chose for it waits." in lines(page)
        choose(page, "data.read.sheet", "first")

    def the_same_columns():
        bring(page, "other.csv", SURE.encode())
        assert space(page).document.upload.choices.is_empty
        bring(page, "again.xlsx", workbook(first=first))
        assert "earlier table with these columns are applied" in lines(page)

    for reread in (another_word, another_sheet, the_same_columns):
        page.radio(key="data.missing").set_value("drop_columns").run()
        reread()
        choices = space(page).document.upload.choices
        assert (choices.label, choices.missing) == ("v", "drop_columns")
        assert page.selectbox(key="data.table.label").value == "v"
        click(page, "data.table.undo")
        assert space(page).document.upload.choices.missing != "drop_columns"


def test_notes_and_costs_stay_in_sight_where_nothing_can_be_built(data_page):
    page = data_page
    text = "a,when,label\n" + "".join(f"{k % 5},2024-0{k // 28 + 1}-{k % 28 + 1:02d},{k}\n" for k in range(60))
    bring(page, "t.csv", text.encode())
    choose(page, "data.table.label", "label")
    page.radio(key="data.label.mode").set_value("classes").run()
    assert page.error
    assert page.button(key="data.table.explore").disabled
    assert any("cannot be trained on as it stands" in words for words in said(page.caption))
    assert any("when (it holds dates)" in words for words in said(page.caption))


def test_features_are_named_and_no_answer_is_waited_for_where_none_can_be_given(page):
    rows = "".join(f"{900 + 7 * k},{k % 9},{k % 5},2024-01-{k % 28 + 1:02d},{'xy'[k % 2]}\n" for k in range(40))
    drop(page, "visit_id,size,weight,when,species\n" + rows)
    assert "Features: size, weight. Not used: visit_id, when." in said(page.markdown)
    drop(page, "kind,comment\n" + "".join(f"{'xy'[k % 2]},this is what somebody wrote on day {k}\n" for k in range(40)))
    shown = [*said(page.error), *said(page.caption)]
    assert any("cannot be trained on as it stands" in words for words in shown)
    assert not any("waits for an answer" in words for words in shown)


def wide(n_rows, n_columns, name):
    values = np.random.default_rng(0).normal(size=(n_rows, n_columns)).round(2).tolist()
    head = [*(f"{name}{k}" for k in range(n_columns)), "species"]
    return "\n".join(",".join(map(str, row)) for row in [head, *([*row, "xyz"[k % 3]] for k, row in enumerate(values))])


def test_a_table_of_very_many_columns_offers_fewer_at_one_press_and_one_of_lengths_no_images(data_page):
    page = data_page
    bring(page, "genes.csv", wide(12, 1_050, "g").encode())
    assert "1,050 features: training is slow" in lines(page)
    offer = page.segmented_control(key="data.table.fewer")
    assert offer.value == "all"
    assert offer.proto.options[0].content == "all 1,050 features"
    page.segmented_control(key="data.table.fewer").set_value("feature_selection").run()
    config = space(page).document.recipe.preparation
    assert (config.components, config.reduction) == (30, "feature_selection")
    page.segmented_control(key="data.table.fewer").set_value("all").run()
    assert space(page).document.recipe.preparation.components is None
    bring(page, "lengths.csv", wide(30, 20, "length ").encode())
    assert not [box for box in page.selectbox if box.key == "data.image"]


def test_a_sample_of_a_larger_table_is_called_so(page):
    page.number_input(key="explore.rows").set_value(15).run()
    drop(page, "a,b,species\n" + "".join(f"{k % 7},{k * k % 11},{'xy'[k % 2]}\n" for k in range(40)))
    sample = "a sample of 15 of the 40 rows"
    assert any(words.startswith(f"Trains on {sample}") for words in said(page.markdown))  # on the card
    assert any(words.startswith("**NCA Explorer**") and sample in words for words in said(page.markdown))
    page.number_input(key="explore.rows").set_value(40).run()
    assert not any("sample of" in words for words in said(page.markdown))


def test_what_was_replaced_is_let_go(data_page):
    page = data_page
    gone = []
    for k in range(3):
        bring(page, f"{k}.csv", SURE.replace("species", f"species{k}").encode())
        choose(page, "data.table.label", "b")
        page.run()
        upload = space(page).document.upload
        gone.append([weakref.ref(held) for held in (upload, upload.table, upload.plan, upload.plan.proposal)])
        del upload
    gc.collect()
    assert [[ref() is None for ref in refs] for refs in gone[:-1]] == [[True] * 4] * 2


_SETTINGS = {"nca.optimiser": "gradient-ascent", "nca.max_iter": "2000"}
LONG = {"recipe": "2", "data": "digits", "panels": "pca,nca", **_SETTINGS}
BAD = b"a,b,label\n1,2,x\n2,3,4,y\n"


def test_a_training_goes_on_where_no_table_is_read_and_ends_where_another_is_in_front(monkeypatch):
    def ended(*_):  # Streamlit ends a run of a page by an exception that is none of `Exception`
        raise GeneratorExit

    page = opened(LONG)
    click(page, "explore.train")
    run = run_of(page)
    with monkeypatch.context() as pressed:
        pressed.setattr(upload_state, "_in_turn", ended)
        space(page).document.waiting_upload = Upload("mine.csv", TABLE.encode())
        with pytest.raises(GeneratorExit):
            upload_state.read_waiting(space(page))
    assert run.state in ("waiting", "running")
    space(page).document.waiting_upload = None
    drop(page, BAD, "bad.csv")
    seen = len(run.trajectory.snapshots)
    assert run.wait_for(seen + 2, 30)
    assert run_of(page) is run
    assert run.ended == ""
    states, really = [], upload_state.reading.read_table
    monkeypatch.setattr(upload_state.reading, "read_table", lambda *a, **k: states.append(run.state) or really(*a, **k))
    drop(page, TABLE)
    assert states == ["paused"]  # it rests while a table is read
    assert run.wait_for_end(30)
    assert run.ended == "stopped"


def test_a_column_of_repeating_ids_is_proposed_to_split_by(page):
    rng = np.random.default_rng(0)
    rows = ["patient,width,height,kind"]
    rows += [f"P{row // 4:03},{rng.normal():.3f},{rng.normal():.3f},{'ab'[row % 2]}" for row in range(120)]
    drop(page, "\n".join(rows), "p.csv")
    assert any("patient repeats" in caption.value for caption in page.caption)
    page.selectbox("explore.split").set_value(("group", "patient")).run()
    ready = space(page).document.comparison.prepared
    groups = np.arange(120) // 4
    assert not set(groups[ready.train]) & set(groups[ready.held_out])
    assert not any("patient repeats" in caption.value for caption in page.caption)
    assert space(page).document.recipe.preparation.split_column == "patient"


def test_transposing_stands_before_the_label_that_would_be_one_sample(page):
    people = ("Alice", "Bob", "Charlie", "David", "Eva", "Frank", "Grace", "John")
    rows = "".join(
        f"quantity {chr(65 + k)}," + ",".join(str(k * k * 40 + j + 0.5) for j in range(8)) + "\n" for k in range(19)
    )
    drop(page, "Name," + ",".join(people) + "\n" + rows.replace("162.5", "-999"))
    assert "Transpose the table?" in said(page.warning)[0]
    assert page.button(key="explore.table.reading.0").proto.type == "primary"
    assert page.button(key="explore.table.label.0").proto.type == "secondary"
    click(page, "explore.table.reading.0")
    assert space(page).document.upload.options.transposed
    assert "-999 in 'quantity C' stands apart" in space(page).document.upload.question.text
    assert page.button(key="explore.table.reading.0").proto.type == "secondary"  # one of the others


def test_sheets_are_joined_and_taken_apart_again(data_page):
    page, sheets = data_page, {name: measured("ab") for name in ("north", "south")}
    bring(page, "two.xlsx", workbook(**sheets))
    click(page, "data.table.reading.0")
    table = space(page).document.upload.table
    assert (table.n_rows, table.columns[-1]) == (2 * (len(sheets["north"]) - 1), "sheet")
    page.toggle(key="data.read.sheets").set_value(False).run()
    assert space(page).document.upload.table.n_rows == len(sheets["north"]) - 1


def test_what_blanks_mean_is_asked_beside_the_offer_to_join_sheets(page):
    names = ["kind", *(f"station {k}" for k in range(12))]
    rows = [["ab"[k % 2], *(20 + k * j if k * (j + 2) % 13 < 4 else "" for j in range(12))] for k in range(30)]
    drop(page, workbook(north=[names, *rows], south=[names, *rows]), "t.xlsx")
    assert page.button(key="explore.table.reading.0").label == "Join 2 sheets"
    click(page, "explore.table.cells.0")
    table = space(page).document.upload.table
    assert table.column("station 1")[:3] == ["20", "21", "0"]
    assert page.button(key="explore.table.reading.0").label == "Join 2 sheets"


@pytest.mark.parametrize(("words", "looks"), [("", "primary"), ("ab", "secondary")])
def test_joining_sheets_stands_out_where_no_column_looks_like_a_label(page, words, looks):
    rng = np.random.default_rng(0)
    kinds = [words[k % 2] if words else rng.normal() for k in range(40)]
    sheets = {
        name: [["size", "mass", "depth"], *([*rng.normal(size=2), kind] for kind in kinds)] for name in ("a", "b")
    }
    drop(page, workbook(**sheets), "two.xlsx")
    assert (space(page).document.upload.plan.label is None) == (not words)
    assert page.button(key="explore.table.reading.0").proto.type == looks


def test_no_label_is_offered_where_it_leads_nowhere(page):
    names = [f"s{k * k % 9973}-{k}" for k in range(60)]
    drop(
        page,
        "sample,note,included\n"
        + "".join(f"{name},{name}n,{'no' if k in (9, 19) else 'yes'}\n" for k, name in enumerate(names)),
    )
    assert "no column is left to project" in said(page.warning)[0].lower()
    assert "Label: included" in said(page.subheader)
    assert "explore.table.label.yes" not in keys(page)
    assert any("cannot be trained on as it stands" in words for words in [*said(page.error), *said(page.caption)])


def test_a_word_for_missing_values_that_is_a_class_is_excepted_in_the_chip():
    rows = "".join(f"{'NA' if k == 3 else k % 7},{'NA' if k % 5 == 0 else 'xy'[k % 2]}\n" for k in range(40))
    table = read_table(("a,label\n" + rows).encode(), "t.csv")
    plan = apply(propose(table))
    assert missing_chip(missing_words(table), plan) == "NA, except in label"
    as_missing = read_table(("a,label\n" + rows).encode(), "t.csv", ReadOptions(missing=("NA",)))
    plan = apply(propose(as_missing))
    assert missing_chip(missing_words(as_missing), plan) == "blank"
    assert plan.label.candidate.n_classes == 2
    assert missing_chip(("", "?"), None) == "blank ?"


def test_lines_left_out_of_one_sheet_stay_in_another(page):
    rows = [["a", "b", "kind"], *([k, k * k % 7, "xy"[k % 2]] for k in range(20))]
    drop(page, workbook(one=rows, two=rows), "mine.xlsx")
    upload = space(page).document.upload
    space(page).document.upload = replace(upload, options=replace(upload.options, without_lines=(3,), transposed=True))
    upload_state.read_again(space(page), sheet="two")
    waiting = space(page).document.waiting_upload
    assert (waiting.sheet, waiting.options.without_lines, waiting.options.transposed) == ("two", (), True)
