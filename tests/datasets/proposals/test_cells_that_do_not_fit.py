"""Cells that do not fit the others of their column are counted, and those that mark or spell a number are read."""

import numpy as np
import pytest

from datasets.columns import build_dataset, column_of
from datasets.columns.build import split_column
from datasets.columns.cells import ordered_levels
from datasets.columns.lists import answers_in, numbers_in
from datasets.proposals import apply, propose
from tests.datasets.proposals.tables import cycled, normal, table_of

N = 60
KIND = cycled("uv", N)


def test_cells_without_two_numbers_among_pairs_are_counted():
    pairs = [f"{20 + k / 100},{70 + k % 7 / 10}" for k in range(N)]
    pairs[4:8] = ["", "20=06,70.5", "NA,NA", "20.6 70. 2"]
    notes = propose(table_of(age=normal(N), place=pairs, kind=KIND)).table.notes
    assert "2 cells of 'place' without two numbers count as missing (the first on line 7, '20=06,70.5')." in notes
    pairs[5], pairs[7] = pairs[9:11]
    assert not any("without" in note for note in propose(table_of(age=normal(N), place=pairs, kind=KIND)).table.notes)


@pytest.mark.parametrize(
    ("cells", "steps"),
    [
        (["0"] * 8 + ["1-10"] * 2 + ["10-20", "60-100"], ("0", "1-10", "10-20", "60-100")),
        (["0"] * 8 + ["1-10%"] * 2 + ["10-20%", "100"], ("0", "1-10%", "10-20%", "100")),
        (["0"] * 8 + ["1-10"] * 2 + ["10-20", "15"], ()),  # a number within
        (["0"] * 8 + ["1-10"] * 4, ()),
        (["0"] * 8 + ["10-1", "20-10", "60-100", "5-3"], ()),  # codes
        (["0", "1", "0.5"] * 3 + ["1-10", "10-20"], ()),
        (["0"] * 8 + ["1-10"] * 2 + ["10-20", "much"], ()),
    ],
)
def test_a_number_at_the_end_of_ranges_is_a_step_of_their_scale(cells, steps):
    table = table_of(cover=cells * 5, age=normal(5 * len(cells)), kind=cycled("uv", 5 * len(cells)))
    column = column_of(table, "cover")
    assert (column.kind == "words", column.order) == (bool(steps), steps)
    assert ("cover" in apply(propose(table)).columns.ordered) == bool(steps)


def test_a_scale_of_sixteen_ranges_is_none():
    for n, kind in ((14, "words"), (15, "numbers")):
        cells = ["0"] * 99 + [f"{k}-{k + 1}" for k in range(1, n + 1)]
        assert column_of(table_of(a=cells, b=cells), "a").kind == kind


def test_ranges_and_dates_are_not_ordered_together():
    ranges = ["20-40", "40-60", "60-100"]
    assert ordered_levels(ranges) == tuple(ranges)
    assert ordered_levels([*ranges, "2021-10-01"]) == ()


SECONDS = [1_600_000_000 + 86_400 * 7 * (k * k % 61) for k in range(N)]


@pytest.mark.parametrize(
    ("name", "cells", "is_date"),
    [
        ("updated", [1_000 * s + 250 for s in SECONDS], True),
        ("created_at", SECONDS, True),
        ("ts", [f"{s}.125" for s in SECONDS], True),
        ("time", [631_152_000 + k * k % 61 for k in range(N)], True),
        ("time", [631_151_999, *range(631_152_000, 631_151_999 + N)], False),
        ("time", [2_208_988_799 - k for k in range(N)], True),
        ("time", [2_208_988_800 - k for k in range(N)], False),
        ("income", SECONDS, False),
        ("at_bats", SECONDS, False),
        ("time", [f"{k}.5" for k in range(N)], False),
    ],
)
def test_seconds_since_1970_below_the_name_of_a_time_are_dates(name, cells, is_date):
    table = table_of(**{"a": normal(N), name: cells, "b": normal(N, 1), "kind": KIND})
    plan = apply(propose(table))
    assert (dict(plan.columns.left_out).get(name) == "it holds dates") == is_date
    if is_date:
        split = split_column(column_of(table, name), np.ones(N, dtype=bool))
        assert split.times.tolist() == [float(cell) for cell in cells]


@pytest.mark.parametrize(
    ("marked", "is_one"),
    [("Jan†", True), ("Jan ‡", True), ("Jan¹", True), ("Jan1", False), ("Feb†", False), ("Jan*", False)],
)
def test_marks_of_footnotes_behind_words_make_spellings(marked, is_one):
    column = column_of(table_of(month=[*["Jan", "Mar"] * 5, marked], a=range(11)), "month")
    assert column.spellings == (((("Jan", 5), (marked, 1)),) if is_one else ())
    short = column_of(table_of(unit=[*["m", "kg"] * 5, "m²"], a=range(11)), "unit")
    assert short.spellings == ()


def test_merged_footnotes_are_said():
    plan = apply(propose(table_of(a=normal(N), month=[*["Jan", "Mar"] * 29, "Jan†", "Mar¹"], kind=KIND)))
    merged = apply(plan.proposal, next(each for each in plan.questions if each.key == "spellings").answers[0].choices)
    assert "Spellings that differ in capitals, blanks, accents or footnote marks only were merged: month (2)." in (
        build_dataset(merged.table, merged.columns).notes
    )


def test_pieces_of_one_sentence_are_no_answers():
    prose = [f"Your shop {k}, serves food, including tacos, burritos, and fries" for k in range(N)]
    assert answers_in(prose, [1] * N) == {}
    tacos = ["tacos, fries", "tacos", "fries, cola", "cola"]
    assert set(answers_in(tacos, [9] * 4)) == {"tacos", "fries", "cola"}
    parks = ["Art#wood", "Art#Lake#wood", "Lake#Art", "Lake", "Art#Lake", "Lake#wood"]  # no answer goes on behind #
    assert set(answers_in(parks, [9] * 6)) == {"Art", "wood", "Lake"}
    for mark in "#|":
        marked = [mark + cell.replace("cola", "cola, ice").replace(", fr", f"{mark}fr") for cell in tacos]
        marked = [cell.replace("s, c", f"s{mark}c") for cell in marked]
        assert set(answers_in(marked, [9] * 4)) == {"tacos", "fries", "cola, ice"}


@pytest.mark.parametrize(
    ("form", "n_different", "n_numbers"),
    [
        ("{a} cm x {b}-9 m, no: 1", 10, 4),
        ("{a} cm x {b}-9 m, no: 1", 9, 0),
        ("{a} cm x {b}-9 m, 1", 10, 4),
        ("{a} x {b} m", 10, 0),  # four words may be a name
        ("{a} cm x {b}-9 m, no: 1/A", 10, 4),
        ("plot {a} of the farm", 10, 0),
        ("page {a} of the book 0{b}", 10, 0),  # codes
        ("{a} / {b} / {a} / {b} / 1", 10, 0),
    ],
)
def test_numbers_in_a_fixed_text_are_columns(form, n_different, n_numbers):
    cells = [form.format(a=f"{k}.5", b=k * k % 7) for k in range(n_different)]
    assert [len(numbers) for numbers in numbers_in(cells)] == [n_numbers] * n_different * bool(n_numbers)


def test_a_minus_behind_a_blank_belongs_to_the_number():
    found = numbers_in([f"at 41.{k}; -{k}.5; {k}-9; is {'-' if k % 2 else ''}3" for k in range(12)])
    assert found[1:3] == [("41.1", "-1.5", "1", "9", "-3"), ("41.2", "-2.5", "2", "9", "3")]


def test_a_column_of_numbers_in_a_fixed_text_is_split_and_said():
    texts = [f"{k % 23} cm x {k % 5}-{k % 5 + 5} m, no: {k % 2}" for k in range(N)]
    texts[6], texts[7], texts[8] = f"{texts[6]}/A", "felled in 2020", ""
    plan = apply(propose(table_of(a=normal(N), tree=texts, kind=KIND)))
    assert plan.columns.features == ("a", "tree 1", "tree 2", "tree 3", "tree 4")
    assert dict(plan.columns.left_out) == {"tree": "it holds several numbers, each of which is a column"}
    assert "'tree' holds 4 numbers in a text: each number is a column." in plan.table.notes
    assert "1 cell of 'tree' without 4 numbers counts as missing (the first on line 9, 'felled in 2020')." in (
        plan.table.notes
    )
