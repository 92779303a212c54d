"""Chemical formulas in a column."""

import pytest

from datasets.columns.formulas import amounts_in
from datasets.proposals import apply, propose
from tests.datasets.proposals.tables import cycled, normal, table_of

ALLOYS = [f"Mg{60 + k}Ni{20.5 - k / 2:g}La{19 - k}" for k in range(12)]


def test_each_element_has_its_amount():
    found = amounts_in(["(Ti0.5Zr.5)2 C", "Ca(OH)2", "NbC3", "", *ALLOYS])
    assert {element: cells[:4] for element, cells in found.items()} == {
        "Ti": ["1", "0", "0", ""],
        "Zr": ["1", "0", "0", ""],
        "C": ["1", "0", "3", ""],
        "Ca": ["0", "1", "0", ""],
        "O": ["0", "2", "0", ""],
        "H": ["0", "2", "0", ""],
        "Nb": ["0", "0", "1", ""],
        **{element: ["0", "0", "0", ""] for element in ("Mg", "Ni", "La")},
    }


def test_an_element_of_which_all_have_as_much_is_no_column():
    assert list(amounts_in([f"Al{k + 1}O3" for k in range(10)])) == ["Al"]


def test_deuterium_is_an_element():
    assert set(amounts_in([f"C{k + 9}H{2 * k}D7O" for k in range(12)])) == {"C", "H"}
    assert amounts_in([*(f"C{k + 9}H{2 * k}O" for k in range(12)), "C5D7"])["D"][-2:] == ["0", "7"]


@pytest.mark.parametrize(
    "cells",
    [
        ALLOYS[:9],  # few
        [*ALLOYS, "glass"],  # more than one in twenty are none
        [f"SC{k}" for k in range(20)],  # codes
        [f"Co{k}" for k in range(20)],  # of one element
        [f"Zz{k}Mg{k}" for k in range(20)],
        [f"Mg{k}(Ni" for k in range(20)],
        [f"Mg{k})Ni" for k in range(20)],
    ],
)
def test_other_words_are_no_formulas(cells):
    assert amounts_in(cells) == {}


def test_a_table_of_formulas_trains_on_its_elements():
    n = 48
    table = table_of(alloy=[ALLOYS[k % 12] for k in range(n)], grain=normal(n), kind=cycled("uv", n))
    plan = apply(propose(table))
    assert plan.columns.features == ("grain", "alloy: Mg", "alloy: Ni", "alloy: La")
    assert dict(plan.columns.left_out)["alloy"] == "it holds formulas, of which each element is a column"
    assert "'alloy' holds formulas: the amount of each of 3 elements is a column." in plan.table.notes


def test_cells_that_are_no_formulas_are_counted():
    cells = [*(f"Mg{60 + k}Ni{40 - k}" for k in range(24)), *ALLOYS * 2]
    cells[20] = "Mg-Ni"
    plan = apply(propose(table_of(alloy=cells, grain=normal(48), kind=cycled("uv", 48))))
    assert "1 cell of 'alloy' without a formula counts as missing (the first on line 22, 'Mg-Ni')." in plan.table.notes
