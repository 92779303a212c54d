"""Series matrix files without values: what they say of their samples is the table."""

from datasets.proposals import apply, propose
from datasets.reading import read_table
from datasets.reading.series import series_cells

N = 24


def line(name, cells):
    return "\t".join([name, *(f'"{cell}"' for cell in cells)])


def matrix(*values):
    about = [
        line("!Sample_title", (f"C_{k}" for k in range(N))),
        line("!Sample_status", ["Public"] * N),
        line("!Sample_characteristics_ch1", (f"diagnosis: {'normal' if k % 3 else 'ill'}" for k in range(N))),
        line("!Sample_characteristics_ch1", (f"age: {60 + k}" if k % 5 else f"sex: {'fm'[k % 2]}" for k in range(N))),
        line("!Sample_characteristics_ch1", (f"age: {60 + k}" if k % 5 == 0 else "" for k in range(N))),
        line("!Sample_characteristics_ch1", [""] * N),
        line("!Sample_relation", ("see: " + "x" * k if k % 2 else "none" for k in range(N))),
    ]
    head = ['!Series_title\t"a study"', '!Series_summary\t"two"', "", *about, "!series_matrix_table_begin"]
    return "\n".join([*head, line('"ID_REF"', (f"GSM{k}" for k in range(N))), *values, "!series_matrix_table_end"])


def test_a_row_for_each_sample_and_a_column_for_each_of_its_characteristics():
    table = read_table(matrix().encode(), "GSE1_series_matrix.txt")
    assert table.columns == ("title", "status", "diagnosis", "sex", "age", "relation")
    assert table.n_rows == N
    assert table.row(5) == ("C_5", "Public", "normal", "m", "65", "see: xxxxx")
    assert table.row(6) == ("C_6", "Public", "ill", "", "66", "none")
    assert "The series matrix holds no values: one row per sample, with its description." in table.notes
    assert apply(propose(table)).label.name == "diagnosis"


def test_a_matrix_with_values_and_other_files_are_read_as_before():
    values = [line(f'"{k}_at"', (f"{k}.{j}" for j in range(N))) for k in range(9)]
    assert series_cells(matrix(*values)) is None
    assert series_cells(matrix(values[0])) is None
    assert series_cells(matrix().replace("!Series_", "Series ")) is None
    assert read_table(matrix(*values).encode(), "t.txt").n_rows == 9
