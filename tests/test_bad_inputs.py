"""The 62 bad inputs that are files: each is read, or refused in one sentence. 63 and 64 are tested in the browser."""

import warnings

import numpy as np
import pytest

from datasets.base.errors import DataError
from datasets.columns import build_dataset
from datasets.proposals import Choices, unasked_plan
from datasets.reading import FaultyLinesError, ReadOptions, read_table
from tests.evidence.bad_inputs import INPUTS

REFUSED = {
    1: "is empty",
    2: "header line and no rows",
    4: "is damaged and cannot be read as a Parquet file",
    5: "is damaged and cannot be read as a Parquet file",
    6: "Python objects in y",
    7: "is a Python pickle",
    8: "1,000,000,000,000 x 2 entries; at most 5,000,000",
    9: "8,000,000 x 8 entries; at most 5,000,000",
    10: "Save it again",
    11: "60,000,000 rows of 1 columns; at most 5,000,000 cells",
    12: "more than 100 MB of cells",
    13: "a cell at XFD1048576",
    14: "more than 2,500,000 cells",
    15: "XML entities",
    16: "a workbook with a password",
    21: "line 2 holds a zero byte",
    22: "line 4: a quote that is opened there is never closed",
    25: "line 1 has 1,000,000 columns; at most 20,000",
    37: "no column is left to project (a: it holds codes, nearly all different; b:",
    39: "no column is left to project (a: it is 5 in every row; b: it is 7 in every row)",
    45: "has 1 class",
    46: "has a single row",
    50: "Choose the label column",
    51: "2 usable rows are too few",
    54: "no column is left to project (a: it is 1 in every row",
}
# number: (shape, classes, words among the notes)
READ = {
    3: ((12, 2), "x y z", ""),
    17: ((12, 2), "x y z", "The workbook has 2 sheets; 'one' was read."),
    18: ((12, 2), "x y z", ""),
    19: ((12, 2), "x y z", "The text is UTF-16."),
    20: ((12, 2), "herb süß", "read as Windows-1252"),
    23: ((11, 2), "x y z", "1 line with too many cells was skipped (line 4)."),
    24: ((12, 2), "x y z", "1 short line was filled up with missing cells (line 4)."),
    26: ((12, 2), "x y z", "Numbers are read with a decimal comma."),
    27: ((12, 2), "x y z", "a, a (2)"),
    28: ((12, 2), "x y z", "a, column 2"),
    29: ((12, 2), "x y z", "<b onclick=x>**a**</b>, b"),
    30: ((12, 2), "x y z", "a\u202e\x07, b"),
    31: ((12, 2), "x y z", "3 missing cells were filled with the median"),
    32: ((12, 2), "x y z", "3 cells that are not usable numbers count as missing (the first on line 4, 'inf')"),
    33: ((12, 1), "x y z", "a (it is 18446744073709551617 in every row)"),
    34: ((12, 2), "x y z", "12 cells were cleaned into numbers (the first on line 2, '1,101' as 1101)"),
    35: ((12, 2), "x y z", "when (it holds dates)"),
    36: ((12, 4), "x y z", "colour: each of its 3 values became a column of 0 and 1."),
    38: ((12, 2), "x y z", "const (it is 7 in every row)"),
    40: ((12, 2), "x y z", "2 cells that are not usable numbers count as missing (the first on line 4, '1e200')"),
    41: ((12, 2), "NA None x", "'NA' is a class of its own; where it means a missing label"),
    42: ((12, 2), "001 01 1", ""),
    43: ((12, 2), "1 2.5 one", ""),
    44: ((12, 2), "x y", "4 rows have no label"),
    47: ((12, 2), "one x y", "1 class has a single row"),
    48: ((20_000, 1), "", "The numbers of 'label' were cut into 3 classes"),
    49: ((200, 2), "", "The numbers of 'target' were cut into 3 classes"),
    52: ((12, 38), "x y z", ""),
    53: ((1_100_000, 2), "x y", ""),
    55: ((14, 2), "x y z", "2 rows repeat the features of an earlier row, 2 of them under another label."),
    56: ((12, 2), "x y z", ""),
    57: ((12, 3), "x y z", ""),
    58: ((3, 2), "0 1", "label (it holds names or text"),
    59: ((4, 2), "x y zebra", "on line 8, the value 'zebra', which its attribute does not declare"),
    60: ((4, 2), "x y", ""),
    61: ((4, 2), "x y", ""),
    62: ((12, 2), "@0 @1", "=a, b"),
}


@pytest.fixture(autouse=True)
def _no_warnings():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def opened(number):
    """The data set after first answers, and with the label called so where there is one."""
    name, data = INPUTS[number]()
    try:
        table = read_table(data, name)
    except FaultyLinesError:
        table = read_table(data, name, ReadOptions(faulty_lines="skip"))
    has_label = number not in (50, 58) and "label" in table.columns
    plan = unasked_plan(table, Choices(label="label" if has_label else None))
    return build_dataset(plan.table, plan.columns)


def test_each_number_is_held():
    assert sorted(REFUSED.keys() | READ.keys()) == sorted(INPUTS) == list(range(1, 63))


@pytest.mark.parametrize("number", REFUSED)
def test_refused_in_one_sentence(number):
    with pytest.raises(DataError) as error:
        opened(number)
    sentence = str(error.value)
    assert sentence.startswith("t.")
    assert REFUSED[number] in sentence
    assert sentence.endswith(".")
    assert "\n" not in sentence


@pytest.mark.parametrize("number", READ)
def test_read_and_said(number):
    shape, classes, words = READ[number]
    dataset = opened(number)
    assert dataset.X.shape == shape
    assert np.isfinite(dataset.X).all()
    assert not classes or " ".join(dataset.class_names) == classes
    assert words in "\n".join([*dataset.notes, ", ".join(dataset.feature_names)])


def test_the_same_numbers_in_every_encoding_and_dialect():
    for number in (18, 19, 26, 29, 30):
        np.testing.assert_array_equal(opened(number).X, opened(27).X)
