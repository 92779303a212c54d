"""Tables of Arrow strings: the cells that were given, in little memory, and no pandas in the child."""

import dataclasses
import random
import subprocess
import sys

import pyarrow.compute as pc
import pytest
from hypothesis import given
from hypothesis import strategies as st

from datasets.reading import Table, missing_words, read_table
from datasets.reading.table import missing_cells, string_array, strings, without_words
from tests.tracked_files import ROOT

CELLS = st.text(st.characters(exclude_categories=["Cs"]), max_size=3) | st.sampled_from(["\0", "", "é", "\n", "😀"])
ROWS = st.integers(1, 4).flatmap(lambda width: st.lists(st.tuples(*[CELLS] * width), min_size=1, max_size=9))


def table_of(rows, **more):
    names = [f"c{k}" for k in range(len(rows[0]))]
    return Table.from_rows("t.csv", names, rows, range(2, 2 + len(rows)), **more)


@given(ROWS, st.integers(0, 9), st.integers(0, 9))
def test_a_table_holds_what_was_given(rows, first, last):
    table = table_of(rows)
    assert table.rows == rows
    assert table.some_rows(first, last) == rows[first:last]
    assert (table.n_rows, table.row(0)) == (len(rows), rows[0])
    for k, name in enumerate(table.columns):
        assert table.column(name) == [row[k] for row in rows]
        assert table.cell(len(rows) - 1, name) == rows[-1][k]
    with pytest.raises(KeyError):
        table.column("d")


@pytest.mark.parametrize(("n", "width"), [(9_000, 9), (200, 3_000), (41_000, 1)])
def test_batches_meet_without_a_seam(n, width):
    rows = [tuple(f"{k}.{j}" for j in range(width)) for k in range(n)]
    table = table_of(rows)
    assert table.rows == rows
    assert table.some_rows(n - 130, n - 60) == rows[n - 130 : n - 60]
    assert table.column(table.columns[-1]) == [row[-1] for row in rows]
    assert all(column.num_chunks == 1 for column in table.cells.columns)


def test_a_long_table_takes_little_more_than_its_text():
    rng = random.Random(0)
    table = table_of([tuple(f"{rng.random():.5f}" for _ in range(9)) for _ in range(20_000)])
    n_letters = 20_000 * 9 * 7
    assert n_letters < table.n_bytes < 2 * n_letters  # Python strings would take 8 times as much
    assert pc.sum(pc.binary_length(table.cells.column(0))).as_py() == 20_000 * 7


def test_half_a_surrogate_pair_is_replaced():
    assert string_array(["é", "\ud800!", "", "\U0001f600"]).to_pylist() == ["é", "\ufffd!", "", "\U0001f600"]


def test_long_columns_become_strings_in_pieces():
    """While one piece is converted, no other thread of the server runs."""
    column = string_array([str(k) for k in range(25_001)])
    assert strings(column) == [str(k) for k in range(25_001)]
    lengths = []

    class Counting:
        def __len__(self):
            return len(column)

        def slice(self, first, length):
            lengths.append(length)
            return column.slice(first, length)

    assert strings(Counting()) == strings(column)
    assert max(lengths) == 10_000


def test_cells_that_mean_a_missing_value():
    table = table_of([("1", "x"), ("NA", "-1"), ("", "#Div/0!"), ("n/a", "Unknown"), ("n.a.", "n.d.")])
    assert missing_words(table) == ("", "#Div/0!", "NA", "n.a.", "n.d.", "n/a")
    times = table_of([("NaT", "NAT"), ("2020-01-02", "none"), ("NaT", "HUMAN")])
    assert missing_words(times) == ("NaT",)
    blanked = without_words(table, ["-1", " Unknown ", ""])
    assert blanked.column("c1") == ["x", "", "#Div/0!", "", "n.d."]
    assert blanked.notes == ("2 cells that say '-1' or 'Unknown' count as missing.",)
    assert without_words(table, [""]) is table
    assert dataclasses.replace(blanked, notes=()).rows[0] == ("1", "x")


def test_strings_become_arrow_without_pandas():
    """Importing it takes the child 0.2 s and much of its memory."""
    program = (
        "import io, sys; from dataclasses import asdict;"
        "from datasets.reading import Limits, ReadOptions; from datasets.reading.reader import read_file, write_answer;"
        "known = {'filename': 't.csv', 'sheet': None, 'options': asdict(ReadOptions()), 'limits': asdict(Limits())};"
        "table = read_file(known, b'a,b,\\n1,x,\\n2,\\xc3\\xa9,\\n');"
        "write_answer(table, io.BytesIO()); print('pandas' in sys.modules, table.n_rows)"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.stdout.split() == ["False", "2"], done.stderr


def test_names_of_several_lines_are_on_one():
    table = read_table(b'"Age\n(in years)","Age (in years)",label\n1,2,x\n3,4,y\n', "t.csv")
    assert table.columns == ("Age (in years)", "Age (in years) (2)", "label")


def test_rows_of_words_for_missing_values_only_are_left_out_and_said():
    text = "a,b,kind\n1,2,x\nNULL,NULL,\n3,n/a,y\nNULL,,\nNA,null,-\n5,6,x\n"
    table = read_table(text.encode(), "t.csv")
    assert table.line_numbers.tolist() == [2, 4, 5, 7]  # of one such cell a footer may be made
    assert "2 rows hold no value and were left out (lines 3, 6)." in table.notes
    assert read_table(b"a,b\nNA,NA\nNA,NA\n", "t.csv").n_rows == 2


def test_a_star_alone_beside_gaps_is_a_mark_and_no_gap():
    table = read_table(b"a,b,kind\n1,*,x\n2,NA,*\n3,,y\n4,*,x\n", "t.csv")
    assert missing_cells(table.cells.column("b")).to_pylist() == [False, True, True, False]
    assert missing_cells(table.cells.column("kind")).to_pylist() == [False, True, False, False]


@pytest.mark.parametrize(
    ("cells", "is_gap"),
    [
        ("*P+W&", False),
        ("*+", False),
        ("*PW", True),  # grades, say
        ("*+1", True),
        (["*", "+", "low"], True),
    ],
)
def test_a_star_among_other_signs_is_a_mark_and_no_gap(cells, is_gap):
    table = read_table("\n".join(["a,b", *(f"{k},{cell}" for k, cell in enumerate([*cells, ""]))]).encode(), "t.csv")
    assert missing_cells(table.cells.column("b")).to_pylist() == [is_gap, *[False] * (len(cells) - 1), True]


@pytest.mark.parametrize(("n_texts", "decimal"), [(11, "."), (10, ",")])
def test_a_single_list_among_many_texts_says_nothing_of_the_decimal_mark(n_texts, decimal):
    texts = "\n".join(f"{k};word {chr(97 + k)}" for k in range(n_texts))
    assert read_table(f"n;said\n{texts}\n99;1,1\n".encode(), "t.csv").decimal == decimal


@pytest.mark.parametrize(("n_lists", "decimal"), [(2, "."), (3, ",")])
def test_a_few_decimals_among_very_many_texts_say_it(n_lists, decimal):
    texts = "\n".join([*(f"{k};word {k}x" for k in range(31)), *["99;1,5"] * n_lists])
    assert read_table(f"n;said\n{texts}\n".encode(), "t.csv").decimal == decimal
