"""Currencies, percent, and which mark is the decimal one where cells leave only one way to read them."""

from __future__ import annotations

import numpy as np
import pytest

from datasets.base.errors import DataError
from datasets.columns import build_dataset
from datasets.reading import bare_number, read_table
from datasets.reading.number_formats import decimal_mark
from tests.datasets.planned import column_plan


@pytest.mark.parametrize(
    ("cell", "bare"),
    [
        ("$1,200.50", "1,200.50"),
        ("-$5", "-5"),
        ("€ -5,50", "-5,50"),
        ("1\u00a0000,5\u00a0€", "1\u00a0000,5"),
        ("CHF 5'100.00", "5'100.00"),
        ("US$ 3.5", "3.5"),
        ("−7 %", "-7"),
        ("12 kr.", "12"),
        ("12.5", "12.5"),
        ("12 kg", "12 kg"),
        ("$", "$"),
        ("price in €", "price in €"),
        ("USD rate", "USD rate"),
    ],
)
def test_signs_around_a_number_are_taken_off_and_nothing_else(cell, bare):
    assert bare_number(cell) == bare


@pytest.mark.parametrize(
    ("cells", "separator", "mark"),
    [
        (["1.100,00", "2.300,05"], "\t", ","),
        (["1,100.00", "2,300.05"], "\t", "."),
        (["1.100.200", "7"], ";", ","),
        (["1,100,200", "7"], ";", "."),
        (["1 100,5 €", "3 €"], ";", ","),
        (["1,5", "2,25"], ",", ","),  # quoted
        (["1,234", "2,500"], ",", "."),  # quoted thousands
        (["1.5", "x, y"], ",", "."),
        (["20,3 °C", "1,015 bar"], ";", ","),  # of a sensor, with units
        (["20.3 °C", "1.015 bar"], ";", "."),
        (["5,5 apples", "1.5"], ";", "."),
        ([], ";", "."),
    ],
)
def test_the_decimal_mark_is_the_one_that_explains_more_cells(cells, separator, mark):
    assert decimal_mark(cells, separator) == mark


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("a\tlabel\n1.100,00\tx\n2.300,05\ty\n7,5\tx\n", [1100.0, 2300.05, 7.5]),
        ('a,label\n"1,5",x\n"2,25",y\n"-3,75",x\n', [1.5, 2.25, -3.75]),
        ('a,label\n"$1,200.50",x\n$7,y\n-$2.5,x\n', [1200.5, 7.0, -2.5]),
        ("a;label\n1 000,5 €;x\n12 €;y\n−3,5 €;x\n", [1000.5, 12.0, -3.5]),
    ],
)
def test_amounts_become_numbers(text, values):
    table = read_table(text.encode(), "t.csv")
    np.testing.assert_array_equal(build_dataset(table, column_plan(table)).X[:, 0], values)


def test_a_quote_inside_a_quoted_cell_is_named_with_its_line():
    with pytest.raises(DataError, match="line 2: a quote stands inside a quoted cell, where it must be doubled"):
        read_table(b'a,label\n1,"the \\"x\\" one"\n2,y\n', "t.csv")
