"""libsvm files: told from tables, read as scikit-learn reads them, and refused with the line that is none of it."""

import gzip
import io

import numpy as np
import pytest
from sklearn.datasets import dump_svmlight_file

from datasets.catalogue import load_dataset
from datasets.columns import build_dataset
from datasets.proposals import apply, propose
from datasets.reading import Limits, read_table
from datasets.reading.decoding import is_svmlight
from datasets.reading.formats import Refused, read_svmlight


def written(X, y, **options):
    stream = io.BytesIO()
    dump_svmlight_file(X, y, stream, **options)
    return stream.getvalue()


def built(data):
    plan = apply(propose(read_table(data, "t.libsvm")))
    assert plan.ready
    return build_dataset(plan.table, plan.columns)


@pytest.mark.parametrize(("zero_based", "pack"), [(False, bytes), (True, gzip.compress)])
def test_wine_comes_back_as_it_was(zero_based, pack):
    wine = load_dataset("wine")
    dataset = built(pack(written(wine.X, wine.y, zero_based=zero_based, comment="made by scikit-learn")))
    np.testing.assert_array_equal(dataset.X, wine.X)
    np.testing.assert_array_equal(np.array(dataset.class_names)[dataset.y], wine.y.astype(str))
    assert dataset.feature_names[0] == ("feature 0" if zero_based else "feature 1")
    assert any("libsvm" in note for note in dataset.notes)


def test_what_a_line_leaves_out_is_zero_and_lines_keep_their_numbers():
    data = b"# remark\n+1 2:0.5 5:3 # one\n\n-1 qid:3 1:2e-1\n+1 3:7\n-1\n"
    table = read_table(data, "t.txt")
    assert table.columns == ("label", *(f"feature {k}" for k in range(1, 6)))
    assert table.rows == [
        ("1", "0", "0.5", "0", "0", "3"),
        ("-1", "0.2", "0", "0", "0", "0"),
        ("1", "0", "0", "7", "0", "0"),
        ("-1", "0", "0", "0", "0", "0"),
    ]
    assert table.line_numbers.tolist() == [2, 4, 5, 6]


@pytest.mark.parametrize(
    "data",
    [
        b"a 1:2 3:4\nb 1:2 3:4\n",  # words first
        b"1 12:30 08:15\n2 10:10 09:20\n",  # times of day, which do not grow
        b"1 2:5\n2 3:5\n",  # one pair a line is too little to tell
        b"1 2 3\n4 5 6\n",
        b"1 3:0.5,7:1\n",
    ],
)
def test_other_text_is_not_taken_for_it(data):
    assert not is_svmlight(data)


ROWS = [b"%d 1:%d 3:0.25" % (k % 3, k) for k in range(90)]


@pytest.mark.parametrize("bad", [b"1 7:3 3:2", b"1 7:3 x", b"word 1:2", b"1 3:4:5", b"1 1:2 1:3"])
@pytest.mark.parametrize("place", [60, 90])
def test_the_first_line_that_is_none_of_it_is_named(bad, place):
    data = b"\n".join([b"# remark", *ROWS[:place], bad, *ROWS[place:], bad])
    assert is_svmlight(data)
    with pytest.raises(Refused, match=rf"^looks like a libsvm file, but line {place + 2} is not a label"):
        read_svmlight(data, Limits())  # in this process, where it is quicker than in the child


def test_too_many_columns_are_refused_and_of_too_many_rows_some_are_drawn():
    with pytest.raises(Refused, match="indices up to 25,000; at most 20,000 columns"):
        read_svmlight(b"1 2:3 25000:1\n" * 5, Limits())
    cells = read_svmlight(b"\n".join(ROWS), Limits(cells=80))
    assert len(cells.rows) == 20
    wanted = [(str((line - 1) % 3), str(line - 1)) for line in cells.line_numbers]
    assert [row[:2] for row in cells.rows] == wanted
    assert cells.line_numbers != list(range(1, 21))
    assert "It has 90 rows, more than are read at once: 20 were drawn at random." in cells.notes
