"""The page for one's own table without a browser: what was read is shown, each guess can be overruled."""

import csv
import io
import tomllib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from datasets.base.dataset import Dataset, Source
from pages.controls import upload
from pages.controls.table import rows_csv
from tests.pages.app_page import address, bring, built, choose, click, keys, lines, said

ODD = "id;a;b;colour;kind\n" + "".join(
    f"{k};{k * k % 7},5;{'NA' if k % 9 == 0 else k % 5};{'rgb'[k * k % 7 % 3]};{'xyz'[k % 3] if k < 39 else 'alone'}\n"
    for k in range(40)
)


@pytest.fixture
def page(data_page):
    return data_page


def chips(page):
    """What the chips say of the table and of how it was read."""
    badges = next(words for words in said(page.markdown) if "badge[" in words)
    return badges + " ".join(f"[{label}]" for label in popovers(page.main)).replace("\\", "")


def popovers(block):
    if getattr(getattr(block, "proto", None), "popover", None) is not None and block.proto.popover.label:
        yield block.proto.popover.label
    for child in getattr(block, "children", {}).values():
        yield from popovers(child)


def test_what_was_detected_what_missing_values_cost_and_single_rows(page):
    bring(page, "odd.csv", ODD.encode("utf-16"))
    for word in ("odd.csv", "40 rows x 5 columns", "Encoding: UTF-16", "Separator: semicolon", "Decimal mark: comma"):
        assert f"[{word}]" in chips(page)
    first = page.dataframe[0].value
    assert list(first.columns) == ["line", "id", "a", "b", "colour", "kind"]
    assert first.iloc[1].tolist() == [3, "1", "1,5", "1", "g", "y"]
    for words in ("All 40 rows", "Proposed: its name is 'kind'", "5 missing cells are filled"):
        assert words in lines(page)
    radio = page.radio(key="data.missing")
    assert list(radio.proto.captions)[:3] == [
        "35 of 40 rows and 3 of 3 columns stay",
        "40 of 40 rows and 2 of 3 columns stay",
        "40 of 40 rows and 3 of 3 columns stay, 5 cells filled",
    ]
    assert (radio.value, built(page).n_samples) == ("impute", 40)
    radio.set_value("drop_rows").run()
    assert page.metric[0].value == "35"
    assert page.radio(key="data.singles").label == "1 class has a single row"
    page.radio(key="data.singles").set_value("leave_out").run()
    assert built(page).class_names == ("x", "y", "z")
    bring(page, "plain.csv", ODD.replace("alone", "x").encode())
    assert not [r for r in page.radio if r.key == "data.singles"]


def test_34_each_guess_can_be_overruled_and_the_preview_follows(page):
    bring(page, "t.csv", b"a;b;label\n1,234;5;x\n2,500;6;y\n3,500;7;x\n4,500;8;y\n")
    assert built(page).X[0, 0] == 1.234
    button = page.button(key="data.thousands")
    assert button.label.replace("\\", "") == "1,234 means 1234"
    button.click().run()
    assert built(page).X[:, 0].tolist() == [1234, 2500, 3500, 4500]
    assert "data.thousands" not in keys(page)
    choose(page, "data.read.thousands", "as detected")
    assert built(page).X[0, 0] == 1.234
    choose(page, "data.read.separator", ",")
    assert "line 2 has 2 columns" in page.error[0].value
    assert list(page.dataframe[0].value.columns) == ["line", "a", "b", "label"]  # what was loaded stays
    choose(page, "data.failed.separator", ";")
    assert not page.error
    choose(page, "data.read.header_lines", 0)
    assert page.dataframe[0].value.iloc[0].tolist()[1:] == ["a", "b", "label"]


def test_48_and_49_many_numbers_as_label_are_cut_or_kept_and_ten_thousand_classes_offer_a_number(page):
    text = "a,price\n" + "".join(f"{k % 17},{0.37 * k:.2f}\n" for k in range(90))
    bring(page, "t.csv", text.encode())
    choose(page, "data.table.label", "price")
    assert page.radio(key="data.label.mode").value == "bins"
    page.slider(key="data.label.bins").set_value(5).run()
    assert np.bincount(built(page).y).tolist() == [18] * 5
    page.radio(key="data.label.mode").set_value("continuous").run()
    assert built(page).target[1] == 0.37
    text = "a,label\n" + "".join(f"{k % 7},{k // 2}\n" for k in range(20_000))
    bring(page, "many.csv", text.encode())
    choose(page, "data.table.label", "label")
    if page.radio(key="data.label.mode").value == "bins":  # so it was proposed; say that they are classes
        page.radio(key="data.label.mode").set_value("classes").run()
    assert "10,000 different values" in said(page.error)[0]
    click(page, "data.table.label.as_number")
    assert not page.error
    assert built(page).n_classes == 3


def test_images_are_asked_about_and_their_shape_goes_along(page):
    names = ",".join(f"c{k}" for k in range(20))
    rows = "".join(",".join(str((k * j + k * k) % 17) for j in range(1, 21)) + f",{'xy'[k % 2]}\n" for k in range(12))
    bring(page, "t.csv", f"{names},label\n{rows}".encode())
    assert built(page).image_shape is None
    choose(page, "data.image", (5, 4))
    assert built(page).image_shape == (5, 4)


def test_a_broken_file_gets_a_sentence_and_what_was_loaded_stays(page):
    bring(page, "odd.csv", ODD.encode())
    before = built(page)
    bring(page, "bad.csv", b"a,b,label\n1,2,x\n2,3,4,y\n")
    assert "bad.csv, line 3" in said(page.error)[0]
    assert built(page) is before
    assert "[bad.csv]" in chips(page)
    assert page.button(key="data.failed.dismiss").label == "Keep odd\\.csv"
    choose(page, "data.failed.separator", ";")
    assert "bad.csv" in said(page.error)[0]
    click(page, "data.failed.dismiss")
    assert not page.error
    assert built(page) is before


def test_each_choice_is_taken_back_by_undo_and_all_of_them_at_once(page):
    bring(page, "odd.csv", ODD.encode())
    assert not {"data.table.undo", "data.table.proposed"} & set(keys(page))
    choose(page, "data.table.label", "colour")
    page.radio(key="data.missing").set_value("drop_rows").run()
    assert built(page).class_names == ("b", "g", "r")
    click(page, "data.table.undo")
    assert (page.selectbox(key="data.table.label").value, page.radio(key="data.missing").value) == ("colour", "impute")
    page.radio(key="data.missing").set_value("drop_rows").run()
    click(page, "data.table.proposed")
    assert page.selectbox(key="data.table.label").value == "kind"
    assert built(page).class_names == ("alone", "x", "y", "z")
    assert built(page).n_samples == 40
    click(page, "data.table.undo")
    assert built(page).class_names == ("b", "g", "r")
    assert built(page).n_samples == 35
    click(page, "data.table.undo")
    assert (built(page).class_names, built(page).n_samples) == (("b", "g", "r"), 40)
    click(page, "data.table.undo")
    assert page.selectbox(key="data.table.label").value == "kind"


def test_explore_this_data_goes_there(page):
    bring(page, "odd.csv", ODD.encode())
    assert page.button(key="data.table.explore").disabled  # an answer is needed first
    page.button(key="data.table.label.yes").click().run()
    page.button(key="data.table.explore").click().run()
    assert page.selectbox(key="explore.data").value == "own:odd.csv"
    link = address(page)  # names it without carrying it; a reload keeps it
    assert (link["data"], link["data.name"], len(link["data.content"])) == ("own", "odd.csv", 16)
    assert page.get("bidi_component")


def test_64_a_reading_asks_whether_its_session_still_lives(page, monkeypatch):
    asked = []
    really = upload.reading.read_table

    def reading(*args, cancelled, **options):
        asked.append(cancelled)
        return really(*args, cancelled=cancelled, **options)

    monkeypatch.setattr(upload.reading, "read_table", reading)
    bring(page, "odd.csv", ODD.encode())
    assert asked[0]() is False
    alive = {"this tab"}

    monkeypatch.setattr(upload, "session_id", lambda: "this tab")
    monkeypatch.setattr(upload, "session_lives", alive.__contains__)
    ended = upload.session_ended()
    assert ended() is False
    alive.clear()
    assert ended() is True


ROOT = Path(__file__).resolve().parents[2]
DATASET = Dataset(
    "t",
    np.array([[1.5, -2.0], [3.0, 4.0], [5.0, 6.0]]),
    np.array([0, -1, 1]),
    ("a", "=b"),
    ("@x", "y"),
    Source("t"),
    row_numbers=np.array([2, 3, 7]),
)


def test_62_exported_rows_cannot_run_and_the_export_of_tables_on_screen_is_off():
    def rows_of(dataset, rows):
        return list(csv.reader(io.StringIO(rows_csv(dataset, rows).decode("utf-8-sig"))))

    assert rows_of(DATASET, range(3)) == [
        ["row", "a", "'=b", "class"],
        ["2", "1.5", "-2.0", "'@x"],
        ["3", "3.0", "4.0", ""],
        ["7", "5.0", "6.0", "y"],
    ]
    numeric = replace(DATASET, target=np.array([17.25, np.nan, -3.0]))
    assert [row[-1] for row in rows_of(numeric, range(3))] == ["label", "17.25", "", "-3.0"]
    assert [row[0] for row in rows_of(DATASET, [2, 0])] == ["row", "7", "2"]
    named = replace(DATASET, row_names=np.array(["=x", "", "Ann"]), row_word="line")
    assert [row[:2] for row in rows_of(named, (0, 2))] == [["line", "name"], ["2", "'=x"], ["7", "Ann"]]
    settings = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))
    assert settings["client"]["disableDataExport"] is True


def test_all_open_questions_are_answered_as_proposed_in_one_press(page):
    cells = [
        ("lost" if k % 8 == 1 else k * k % 7, k % 9 if k % 3 else "", "" if k % 3 == 1 else k % 8) for k in range(60)
    ]
    rows = [f"{a},{b},{c},{'uv'[k % 2]}" for k, (a, b, c) in enumerate(cells)]
    bring(page, "t.csv", "\n".join(["a,b,c,kind", *rows]).encode())
    assert sum(key.startswith("data.table.ask.") and key.endswith(".0") for key in keys(page)) == 2
    click(page, "data.table.ask.all")
    assert not any(key.startswith("data.table.ask.") for key in keys(page))
    assert not page.button(key="data.table.explore").disabled
    click(page, "data.table.undo")
    assert "data.table.ask.all" in keys(page)
