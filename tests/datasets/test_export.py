"""62: exported text cannot run as a formula; numbers stay numbers; what is quoted comes back as it was."""

import csv
import io

import pytest

from datasets.export import export_csv


@pytest.mark.parametrize(
    "cell", ["=1+1", "+1+1", "-1+2", "-A1", "+inf", "-1e", "@SUM(A1)", "\tx", "\rx", '=HYPERLINK("http://x","y")']
)
def test_62_text_that_begins_like_a_formula_gets_an_apostrophe(cell):
    rows = list(csv.reader(io.StringIO(export_csv([cell], [[cell]]), newline="")))
    assert rows == [["'" + cell], ["'" + cell]]


def test_classes_called_by_numbers_stay_what_they_are():
    rows = list(csv.reader(io.StringIO(export_csv(["a"], [["-1"], ["+1"], ["-2.5"], ["+1e-3"]]), newline="")))
    assert rows == [["a"], ["-1"], ["+1"], ["-2.5"], ["+1e-3"]]


def test_numbers_and_plain_text_stay():
    text = export_csv(["a", "b"], [[-1.5, "x,y"], [1e-7, 'say "hi"'], [None, "a=b"]])
    assert text == 'a,b\r\n-1.5,"x,y"\r\n1e-07,"say ""hi"""\r\n,a=b\r\n'
