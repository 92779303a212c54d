"""Cells that do not fit the others of their column are counted, and those that mark or spell a number are read."""

from datasets.proposals import propose
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
