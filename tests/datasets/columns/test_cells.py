"""Numbers of a whole column at once against the same cells taken one by one; sentinels among them are pointed out."""

import math

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from datasets.columns.cells import _decimal_of, cleaned_number, column_of, sentinel_note
from datasets.columns.lists import pairs_in
from datasets.reading import Table, is_missing, read_table

ODD = ["1", "-2.5", "1e3", "1,234", "1.234", "1 234", "7%", "−4", "NA", "", "?", "inf", "1_0", "nan", "-nan", "word"]
ODD += ["0x1", "½"]


def table_of(cells, decimal):
    return Table.from_rows("t", ("a",), [(cell,) for cell in cells], range(1, len(cells) + 1), decimal=decimal)


@settings(max_examples=300, deadline=None)
@given(st.lists(st.one_of(st.sampled_from(ODD), st.floats().map(repr)), min_size=1), st.sampled_from([".", ","]))
@example(["1.234", "2"], ",")
@example(["1,5", "2"], ",")
def test_at_once_is_as_one_by_one(cells, decimal):
    numbers = column_of(table_of(cells, decimal), "a").numbers
    decimal = _decimal_of([cell for cell in cells if not is_missing(cell)], decimal)
    for k, cell in enumerate(cells):
        value = None if is_missing(cell) else cleaned_number(cell, decimal)[0]
        assert numbers.gaps[k] == is_missing(cell)
        assert numbers.words[k] == (value is None and not is_missing(cell))
        np.testing.assert_equal(numbers.values[k], math.nan if value is None else value)


@pytest.mark.parametrize(
    ("cell", "last"), [("{k}.5", 4_999.5), ("{k},5", 4_999.5), ("{k} kg", 4_999.0), ("w{k}", None)]
)
def test_a_long_column_is_numbers_or_levels(cell, last):
    words = [cell.format(k=k % 5_000) for k in range(25_000)]
    table = table_of(words, "," if "," in cell else ".")
    numbers, levels = column_of(table, "a").numbers, column_of(table, "a").levels
    assert [levels.values[code] for code in levels.codes] == words
    assert levels.counts.tolist() == [5] * 5_000
    assert numbers.words[-1] if last is None else numbers.values[-1] == last


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ([1.0, 2.0, -999.0, 3.0], "1 cell says -999"),
        ([1.5, 2.0, 4.5, -99.999, -99.999], "2 cells say -99.999"),
        ([1.5, 2.0, 4.5, 99.999, 99.999], "2 cells say 99.999"),
        ([38.2, 33.5, 34.1, 99.999999, 99.999999], "2 cells say 99.999999"),  # degrees
        ([38.2, 33.5, 34.1, 99.99, 99.99], ""),
        ([38.2, 53.5, 34.1, 99.999999, 99.999999], ""),
        ([1.5, 2.0, 4.5, 99.99, 99.99], "2 cells say 99.99"),
        ([1.5, 2.0, -99999.99, 3.0], "1 cell says -99999.99"),
        ([1.0, np.nan, -99.0, -99.0], "2 cells say -99"),
        ([-50.0, -60.0, -99.0], ""),  # a reading like the others
        ([1.0, 2.0, -998.0, -999.0, -995.0], "3 cells say -999 or -998 or -995"),
        ([1.0, -9.0, -998.0, -999.0, -9999.0], "3 cells say -9999 or -999 or -998"),
        ([1.0, -200.0, -998.0, -999.0], ""),
        ([1.0, 2.0, -998.0, -997.0], ""),
        ([-999.0, -999.0], ""),
        ([1.0, 5.0, 4.0, 99.0], "1 cell says 99"),
        ([1.0, 5.5, 4.0, 99.0], ""),
        ([1.0, 11.0, 4.0, 99.0], ""),
        ([1.0, 11.0, 4.0, 99.0, 99.0], "2 cells say 99"),
        ([], ""),
    ],
)
def test_numbers_that_stand_for_missing_values_are_pointed_out(values, said):
    note = sentinel_note("a", np.array(values))
    assert note.startswith(f"Column 'a': {said}") if said else note == ""


@pytest.mark.parametrize(
    ("cells", "numbers"),
    [
        (["1 - never", "2", "3", "5 – fully"], [1, 2, 3, 5]),
        (["1=no", "0", "2: so so"], [1, 0, 2]),
        (["17-Dec", "2", "3"], [np.nan, 2, 3]),  # a day
        (["1·5", "22·64", ">3·0"], [1.5, 22.64, 3]),  # as The Lancet writes
        (["1 - never", "5 - fully"], None),  # words, which all say what they mean
        (["1 - never", "2", "x"], [np.nan, 2, np.nan]),
        (["12.5*", "7#", "3 †", "4"], [12.5, 7, 3, 4]),
        (["21**", "7***", "4"], [21, 7, 4]),
    ],
)
def test_names_at_the_ends_of_a_scale_and_marks_of_footnotes(cells, numbers):
    table = Table.from_rows("t.csv", ("a",), [(cell,) for cell in cells], range(len(cells)))
    found = column_of(table, "a").numbers.values
    np.testing.assert_array_equal(found, [np.nan] * len(cells) if numbers is None else numbers)


def test_a_comma_for_the_point_among_numbers_with_a_point_is_read_and_said():
    column = column_of(read_table(b"a\tkind\n1.5\tu\n2.5\tv\n1,51\tu\n3.25\tv\n7\tu\n2.5\tv\n", "t.tsv"), "a")
    assert column.numbers.values.tolist() == [1.5, 2.5, 1.51, 3.25, 7.0, 2.5]
    assert column.numbers.cleaned.tolist() == [False, False, True, False, False, False]


@pytest.mark.parametrize(("cell", "number"), [("2,3,4", np.nan), ("2,3", 1.2)])
def test_lists_of_codes_among_whole_numbers_are_no_decimals(cell, number):
    cells = ["1", "2", "1,2", cell, "3", "4", "1", "2"]
    column = column_of(Table.from_rows("t.csv", ("phase",), [(each,) for each in cells], range(8)), "phase")
    np.testing.assert_array_equal(column.numbers.values[2], number)


@pytest.mark.parametrize(
    ("codes", "kind"),
    [
        (["EC1", "H10", "WC5"] * 3, "words"),
        (["EC1", "H10"] * 3, "numbers"),
        (["EC1", "H10", "1-3"] * 3, "numbers"),
        (["EC1", "H10", "WC5"], "numbers"),  # in few rows
        (["EC1", "H10", "WC5"] * 6 + [str(k) for k in range(20, 60)], "numbers"),  # most of them once
    ],
)
def test_codes_of_letters_beside_whole_numbers_make_a_column_of_words(codes, kind):
    cells = [*["996", "1008", "10", "11"] * 6, *codes]
    assert column_of(table_of(cells, "."), "a").kind == kind
    halves = [f"{cell}.5" if cell.isdigit() else cell for cell in cells]
    assert column_of(table_of(halves, "."), "a").kind == "numbers"


@pytest.mark.parametrize(
    ("cell", "number"),
    [("u$s6.800", 6800), ("R$ 6.800", 6800), ("Rp6.800", 6800), ("S/ 6.800", 6800), ("US$6.800", 6800)],
)
def test_currencies_before_thousands(cell, number):
    assert cleaned_number(cell, ",") == (number, True)


def test_two_gaps_in_a_cell_are_a_gap_among_pairs():
    pairs = ["182/184", "178/182", "178/178", "160/184"] * 4
    assert pairs_in([*pairs, "NA/NA", "NA/NA"]) == [*(tuple(cell.split("/")) for cell in pairs), ("", ""), ("", "")]
    assert pairs_in([*pairs, "x/y", "x/y"]) == []


@pytest.mark.parametrize(
    ("cells", "number"),
    [
        (["5.4", "6.1", "7.2 p", "8.5 bu"], 7.2),
        (["5.4", "6.1", "7.2 !", "8.5"], 7.2),
        (["-5.4", "-6.1", "-7.2 p", "-8.5"], -7.2),
        (["5.4 p", "6.1 e", "7.2 p", "8.5"], None),  # more than without
        (["5.4", "6.1", "7.2 m", "8.5"], None),  # months or metres
        (["5.4", "6.1", "7.2 p", "much"], None),
    ],
)
def test_flags_behind_numbers_are_left_off(cells, number):
    values = column_of(table_of(cells * 3, "."), "a").numbers.values
    assert values[2] == number if number else np.isnan(values[2])


@pytest.mark.parametrize(
    ("cell", "kind"),
    [
        ("2018/10/18 9:55:21 p. m. GMT-5", "dates"),
        ("2024/11/19 8:18:13 pm EET", "dates"),
        ("2024/11/19 8:18 in the hall", "words"),
        ("2024/11/19 8:18 hall", "words"),
    ],
)
def test_dates_as_forms_write_them_with_the_half_of_the_day_and_a_zone(cell, kind):
    cells = [(cell.replace("8", str(k % 10)),) for k in range(1, 10)]
    assert column_of(Table.from_rows("t.csv", ("a",), cells, range(len(cells))), "a").kind == kind


@pytest.mark.parametrize(
    ("cells", "numbers"),
    [
        (["1,42,782", "89,150", "326,70,930", "1389,65,820.5"], [142_782, 89_150, 32_670_930, 138_965_820.5]),
        (["1,42,782", "1,4,2", "7,8,9,3", "2,41"], None),  # lists of codes
        (["1,42,78", "1,42,7", "1,4,782", "1.42.782"], None),
    ],
)
def test_groups_of_two_digits_before_one_of_three_are_those_of_india(cells, numbers):
    rows = "".join(f'p{k};"{cell}";{k}\n' for k, cell in enumerate(cells * 3))
    column = column_of(read_table(f"place;votes;seats\n{rows}".encode(), "t.csv"), "votes")
    assert column.kind == ("numbers" if numbers else "words")
    if numbers:
        assert column.numbers.values.tolist() == numbers * 3
