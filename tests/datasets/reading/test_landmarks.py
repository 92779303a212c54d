"""Landmarks of tpsDig are read, one row per specimen."""

import pytest

from datasets.reading import read_table


def specimens(n_points=3, n=12, axes=2):
    points = [[" ".join(f"{k * j + a}.5" for a in range(axes)) for j in range(n_points)] for k in range(n)]
    return "\n".join(
        "\n".join([f"LM{'3' if axes == 3 else ''}={n_points}", *own, f"IMAGE=a{k}.jpg", f"ID=s{k % 2}_{k}"])
        for k, own in enumerate(points)
    )


@pytest.mark.parametrize("axes", [2, 3])
def test_each_specimen_is_a_row(axes):
    table = read_table(specimens(axes=axes).encode(), "t.tps")
    assert table.columns == ("IMAGE", "ID", *(f"{axis}{k}" for k in (1, 2, 3) for axis in "xyz"[:axes]))
    assert table.n_rows == 12
    assert table.row(5)[:6] == ("a5.jpg", "s1_5", "0.5", "1.5", *(["5.5", "6.5"] if axes == 2 else ["2.5", "5.5"]))
    assert table.line_numbers[1] == 7
    assert "Landmarks of tpsDig" in table.notes[0]


def test_specimens_of_different_points_are_no_table_of_landmarks():
    table = specimens(3, 6) + "\n" + specimens(2, 6)
    assert "tpsDig" not in " ".join(read_table(table.encode(), "t.txt").notes)
