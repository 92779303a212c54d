"""PC-Axis cubes: a row for each combination of the stub, a column for each of the heading."""

import pytest

from datasets.base.errors import DataError
from datasets.reading import read_table

HEAD = """CHARSET="ANSI";
TITLE="Población; por región";
STUB="región","sexo";
HEADING="año","medida";
VALUES("región")="Norte","Isla "
"Grande","Sur";
VALUES[en]("región")="North","Big island","South";
VALUES("sexo")="Hombres","Mujeres";
VALUES("año")="2019","2020";
VALUES("medida")="n","%";
DATA=
"""
NUMBERS = [["11", "1.5", "21", "2.5"], ["12", '".."', "22", "-"], *([str(k * j) for j in range(4)] for k in range(4))]


def read(head=HEAD, numbers=NUMBERS, end=";\n"):
    return read_table((head + "\n".join(map(" ".join, numbers)) + end).encode("cp1252"), "t.px")


def test_a_row_for_each_combination_of_the_stub():
    table = read()
    assert table.columns == ("región", "sexo", "2019 n", "2019 %", "2020 n", "2020 %")
    assert [table.row(k)[:2] for k in range(3)] == [
        ("Norte", "Hombres"),
        ("Norte", "Mujeres"),
        ("Isla Grande", "Hombres"),
    ]
    assert table.row(1)[2:] == ("12", "..", "22", "-")
    assert (table.n_rows, table.line_numbers[0]) == (6, 12)
    assert "The rows are those of a PC-Axis cube." in table.notes


def test_a_cube_without_a_stub_has_a_row_for_each_of_its_first_heading():
    head = HEAD.replace('STUB="región","sexo";\n', "").replace('HEADING="', 'HEADING="región","sexo","')
    table = read(head)
    assert table.columns[:3] == ("región", "Hombres 2019 n", "Hombres 2019 %")
    assert table.row(1)[0] == "Isla Grande"


def test_a_cube_with_a_stub_only_has_a_column_of_values():
    head = HEAD.replace('HEADING="año","medida";\n', "").replace('"sexo";', '"sexo","año","medida";', 1)
    table = read(head)
    assert table.columns == ("región", "sexo", "año", "medida", "value")
    assert table.row(2) == ("Norte", "Hombres", "2020", "n", "21")


@pytest.mark.parametrize("numbers", [NUMBERS[:-1], [*NUMBERS, ["1"]]])
def test_a_cube_with_other_numbers_than_its_categories_call_for_is_read_as_any_text(numbers):
    with pytest.raises(DataError):
        read(numbers=numbers)
