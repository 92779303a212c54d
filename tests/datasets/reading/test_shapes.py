"""Lines of one form among others, as programs print their results, where no mark cuts the text into a table."""

import pytest

from datasets.reading import ReadOptions, Table, read_table
from datasets.reading.shapes import cells_of_one_shape
from datasets.reading.text import _is_hardly_cut

SOLVERS = ["Branch and Bound", "LKH", "Ant-Colony"]
NOTE = "No mark cuts most lines alike, so lines of the most frequent form were read"


def benchmark(n_instances=6, n_solvers=3):
    lines = ["=" * 40, "TSP Solver Benchmark Suite", ""]
    for k in range(n_instances):
        lines += [f"Instance: gr{k + 10}.tsp | Size: {k + 10} | Optimum: {k * k + 100}.0", "-" * 40]
        for j in range(n_solvers):
            lines += [f"Starting {SOLVERS[j]} (timeout 60s):", f"  best so far: {k}", f"  best so far: {j}"]
            lines += [f"Results: {k * j + 100}.5 ({j}.{k}1s)"]
    return [*lines, "Done."]


def read(lines, **options):
    return read_table("\n".join(lines).encode(), "t.log", ReadOptions(**options))


def test_what_differs_in_the_lines_of_the_most_frequent_form_and_above_them_are_columns():
    table = read(benchmark())
    assert table.columns == ("Instance", "Size", "Optimum", "column 4", "Results", "column 6")
    assert table.row(0) == ("gr10.tsp", "10", "100.0", "Starting Branch and Bound", "100.5", "0.01")
    assert table.row(4) == ("gr11.tsp", "11", "101.0", "Starting LKH", "101.5", "1.11")
    assert table.n_rows == 18
    assert table.line_numbers.tolist()[:4] == [9, 13, 17, 23]
    assert any(note.startswith(NOTE) for note in table.notes)
    assert any("among the rows were left out (lines 10, 11, 12, 14, 15 and more: " in note for note in table.notes)


@pytest.mark.parametrize(("names", "found"), [("Device r/s w/s %util", True), ("Device r/s w/s", False)])
def test_the_line_above_the_rows_names_their_cells_where_it_has_as_many(names, found):
    lines = []
    for k in range(12):
        lines += [f"({'busy' if k % 2 else 'at rest now'}; {k} of 12)", f"{names}  "]
        lines += [f"sd{'ab'[k % 2]}   {k}.5 {k * k}.25 0.{k}"]
    names, _ = cells_of_one_shape("\n".join(lines))
    assert names[-4:] == (("Device", "r/s", "w/s", "%util") if found else tuple(f"column {k}" for k in range(3, 7)))


def test_words_of_any_number_are_one_cell():
    names = ["東邦大学", "La Paz", "Rio de Janeiro", "Ürümqi"]
    lines = []
    for k in range(3):
        lines += [f"=== CLUSTER {k} ===", *(f"{names[(j * j + k) % 4]}[ {k}.{j}5 -{j}.5]" for j in range(5))]
    table = read(lines)
    assert table.row(1) == ("0", "La Paz", "0.15", "-1.5")
    assert [table.row(k)[0] for k in (4, 5, 14)] == ["0", "1", "2"]


def test_a_heading_that_says_the_same_each_time_or_has_no_rows_is_no_column():
    rows = [f"({k}.5 | {'at home'[: 2 + 5 * (k % 2)]} / {k * k})" for k in range(30)]
    few = [line for line in benchmark() if line.startswith("Instance")]
    again = [line for k, row in enumerate(rows) for line in ([row, "", "Again (and again):"][: 1 + 2 * (k % 5 == 0)])]
    names, text = cells_of_one_shape("\n".join([*few, *again]))
    assert names == ("column 1", "column 2", "column 3")
    assert text.split("\n")[-1] == "29.5\tat home\t841"


@pytest.mark.parametrize(
    "lines",
    [
        [line for line in benchmark(3) if "best" not in line],  # 9 rows
        [f"{'a b c'[: 1 + k % 5]} word; and, {'x' * (k % 7)}: {'(y)' * (k % 3)}" for k in range(40)],  # no numbers
        [f"step {k * k % 7} done" for k in range(40)],  # one cell
        [*(f"text {'of any: ' * (k % 6)}{'kind, ' * (k % 4)}{k}" for k in range(120)), *benchmark(4)],  # a small part
    ],
)
def test_other_texts_have_no_such_rows(lines):
    assert cells_of_one_shape("\n".join(lines)) is None


def test_a_separator_that_a_person_chose_is_used():
    assert read(benchmark(), separator=";").columns == ("TSP Solver Benchmark Suite",)
    assert read(benchmark(), separator="log").columns == read(benchmark()).columns


@pytest.mark.parametrize(("n_filled", "is_hardly"), [(2, True), (3, False)])
def test_a_cut_that_leaves_one_column_in_nearly_all_rows_is_none(n_filled, is_hardly):
    """As gaps in a few long lines of a log make at fixed widths."""
    rows = [(f"line {k}", *["4k page" if k < n_filled else ""] * 3) for k in range(100)]
    assert _is_hardly_cut(Table.from_rows("t.log", tuple("abcd"), rows, range(100))) == is_hardly
