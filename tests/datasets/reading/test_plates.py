"""Texts of plate readers."""

import pytest

from datasets.proposals import apply, orientation_question, propose
from datasets.reading import ReadOptions, read_table
from datasets.reading.plates import grid_cells, kinetic_cells, means_of_wells, plate_cells
from tests.datasets.files import workbook

SETTINGS = "Plate:\t{}\t1.3\tPlateFormat\t{}\tAbsorbance\tRaw\tFALSE\t1\t\t\t\t\t\t1\t450 \t1\t12\t96\t1\t8\t\t\n"
COLUMNS = "\t".join(map(str, range(1, 13)))


def well(plate, row, column):
    return f"{plate}.{row}{column:02d}"


def endpoint(n_plates):
    text = f"##BLOCKS= {n_plates}\n"
    for plate in range(n_plates):
        text += (
            SETTINGS.format(f"serum {'IgA' if plate % 2 else 'IgG'}_{plate}", "Endpoint")
            + f"\tTemperature(°C)\t{COLUMNS}\t\t\n"
        )
        for row in range(8):
            cells = "\t".join(well(plate, row, column) for column in range(1, 13))
            text += f"\t{'' if row else 23.5 + plate}\t{cells}\t\t\n"
        text += "\n~End\n"
    return (text + "Original Filename: a.pda; Date Last Saved: today\n").encode()


def kinetic(n_reads, mark="."):
    text = "##BLOCKS= 1\n" + SETTINGS.format("one", "Kinetic") + f"Time(hh:mm:ss)\tTemperature(°C)\t{COLUMNS}\n"
    for k in range(n_reads):
        for row in range(3):
            ahead = f"0:{k:02d}\t{30 + k % 2}" if row == 0 else "\t"
            text += ahead + "".join(f"\t{well(k, row, column).replace('.', mark)}" for column in range(1, 7)) + "\n"
        text += "\n" * 6
    return f"{text}\n~End\n".encode()


def test_each_plate_is_a_row_and_each_well_a_column():
    table = read_table(endpoint(6), "t.txt")
    assert table.columns[:4] == ("plate", "temperature", "A1", "A2")
    assert (table.n_rows, len(table.columns), table.columns[-1]) == (6, 98, "H12")
    assert table.column("plate")[1] == "serum IgA_1"
    assert table.rows[2][1:4] == ("25.5", well(2, 0, 1), well(2, 0, 2))
    assert table.column("H12") == [well(plate, 7, 12) for plate in range(6)]
    assert table.line_numbers.tolist() == [4 + 12 * plate for plate in range(6)]
    assert table.notes == ("Plate reader export: one row per read, one column per well. Its settings were left out.",)
    assert orientation_question(apply(propose(table)), ReadOptions()) is not None


@pytest.mark.parametrize("mark", [".", ","])
def test_each_read_of_a_kinetic_is_a_row_without_the_wells_that_are_blank(mark):
    table = read_table(kinetic(20, mark), "t.txt")
    wells = [f"{row}{column}" for row in "ABC" for column in range(1, 7)]
    assert table.columns == ("time", "temperature", *wells)
    assert (table.n_rows, table.decimal) == (20, mark)
    assert table.column("C2") == [well(k, 2, 2).replace(".", mark) for k in range(20)]


def test_wells_may_be_named_by_the_line_above_the_reads():
    names = [f"{row}{column}" for row in "AB" for column in (1, 2, 10)]
    reads = "".join(f"0:{k:02d}\t37\t" + "\t".join(f"0.{k}{j}" for j in range(6)) + "\n" for k in range(9))
    head = "##BLOCKS= 1\n" + SETTINGS.format("one", "Kinetic") + "Time\tTemperature\t" + "\t".join(names) + "\n"
    table = read_table((head + reads + "~End\n").encode(), "t.txt")
    assert table.columns == ("time", *names)
    assert table.column("B10")[3] == "0.35"


def test_other_texts_that_begin_so_are_none():
    assert read_table(b"##BLOCKS= 1\na,b,label\n" + b"1,2,x\n3,1,y\n" * 4, "t.csv").columns == ("a", "b", "label")


def test_a_plate_of_more_rows_than_have_letters_is_read_as_any_text():
    rows = "".join("\t\t" + "\t".join(f"{row}.{column}" for column in range(1, 13)) + "\n" for row in range(1, 17))
    text = "##BLOCKS= 1\n" + SETTINGS.format("one", "Endpoint") + f"\tTemperature\t{COLUMNS}\n"
    first = "\t37\t" + "\t".join(f"0.{column}" for column in range(1, 13)) + "\n"
    assert plate_cells(text + first + rows + "~End\n") is None
    assert plate_cells(text + first + "".join(rows.splitlines(keepends=True)[:15]) + "~End\n") is not None


def of_wells(*titles, n_wells=24, n_cycles=9, n_measured=6):
    """A Tecan export: cycles that were planned, some of which were measured."""
    rows = [["Application: Tecan i-control"], ["Mode", "Kinetic"], ["Wavelength", 600, "nm"], []]
    for b, title in enumerate(titles):
        rows += [[title], ["Cycle Nr.", *range(1, n_cycles + 1)]]
        rows += [["Time [s]", *(600.5 * k + b for k in range(n_measured))], ["Temp. [°C]", *[37.1] * n_measured]]
        rows += [
            [f"{'AB'[k % 2]}{k // 2 + 1}", *(f"{b}.{k}{j}" for j in range(n_measured))]
            for k in range(n_wells)
            if b < 2 or k > 1
        ]
        rows.append([])
    return [*rows, ["End Time:"]]


def test_each_well_of_a_workbook_is_a_row_with_its_cycles_below_each_title():
    table = read_table(workbook(a=of_wells("OD", "Fluorescence", "Late")), "t.xlsx")
    assert table.columns[:8] == ("well", *(f"OD {k}" for k in range(1, 7)), "Fluorescence 1")
    assert (table.n_rows, len(table.columns)) == (24, 19)
    assert table.rows[3][:8] == ("B2", *(f"0.3{j}" for j in range(6)), "1.30")
    assert table.column("Late 1")[:3] == ["", "", "2.20"]
    assert table.line_numbers[:2].tolist() == [9, 10]
    (note,) = table.notes
    assert note.startswith("Plate reader export: one row per well, one column per cycle. ")
    one = "\n".join("\t".join(map(str, row)) for row in of_wells("OD"))
    table = read_table(one.encode(), "t.txt")
    assert (table.columns, table.n_rows) == (("well", *"123456"), 24)


def as_text(rows):
    return "\n".join("\t".join(map(str, row)) for row in rows)


@pytest.mark.parametrize(
    ("rows", "is_known"),
    [
        (of_wells("OD", n_wells=4), True),
        (of_wells("OD", n_wells=3), False),
        ([*of_wells("OD", n_wells=4), *[["x", "y"]] * 3], True),
        ([*of_wells("OD", n_wells=4), *[["x", "y"]] * 4], False),  # another table is larger
        ([["Cycle Nr.", 1, 2, 3], *([f"row {k}", k, k, k] for k in range(9))], False),  # no wells
        ([["Cycle Nr.", "Time [s]", "A1"], *([k, 60 * k, k] for k in range(1, 9))], False),
    ],
)
def test_only_wells_below_cycles_are_a_kinetic(rows, is_known):
    assert (kinetic_cells(as_text(rows)) is not None) is is_known


@pytest.mark.parametrize(("n_wells", "above"), [(6, ["Cycles / Well"]), (6, ["Well"]), (3, ["Cycles / Well"])])
def test_of_several_reads_of_a_well_the_mean_is_read(n_wells, above):
    lines = ["Application: a reader", ""]
    for k in range(n_wells):
        lines += [*above, "\t".join(["AB"[k % 2] + str(k + 1), *map(str, range(1, 9 - (k == 2)))])]
        lines += [f"{name}\t" + "\t".join(f"{k}.{j}" for j in range(8)) for name in ("Time [s]", "Temp. [°C]")]
        lines += [
            "Mean\t" + "\t".join(f"{k}{j}" for j in range(8 - (k == 2))),
            "StDev\t0.1\t0.2",
            "0;1\t3\t4",
            "\t\t",
            "",
        ]
    known = means_of_wells("\n".join(lines))
    if n_wells < 4:
        assert known is None
        return
    table = read_table("\n".join(lines).encode(), "t.txt")
    assert (table.columns, table.n_rows) == (("well", *map(str, range(1, 9))), n_wells)
    assert table.row(1) == ("B2", *(f"1{j}" for j in range(8)))
    assert table.row(2)[-2:] == ("26", "")
    assert any("the mean of its reads for each cycle" in note for note in table.notes)


def grid(cells, corner="<>", width=12):
    rows = ["\t".join(cells[k : k + width]) for k in range(0, len(cells), width)]
    head = "\t".join([corner, *map(str, range(1, width + 1))])
    return [head, *(f"{letter}\t{row}" for letter, row in zip("ABCDEFGHIJ", rows, strict=False))]


def test_grids_with_a_corner_give_a_column_each_with_their_labels_and_a_row_for_each_well_that_is_filled():
    numbers = [f"0.{k}" if k % 6 else "" for k in range(18)]
    names = [f"s {k % 3}" for k in range(18)]
    text = ["Application: a reader", "Label: OD600", "Gain\t7", "\tTemperature: 25 °C\t\t\t\tSamples"]
    text += [f"{a}\t\t{b}" for a, b in zip(grid(numbers[:6], width=3), grid(names[:6], width=3), strict=True)]
    text += ["", "Label: GFP", "\tTemperature: 25 °C", *grid(names[6:12], width=3), "end", *grid(names[12:], width=3)]
    table = read_table("\n".join(text).encode(), "t.txt")
    assert table.columns == ("well", "OD600", "Samples", "GFP", "end")
    assert list(table.rows[:2]) == [("A2", "0.1", "s 1", "s 1", "s 1"), ("A3", "0.2", "s 2", "s 2", "s 2")]
    assert sorted(table.column("well")) == ["A1", "A2", "A3", "B1", "B2", "B3"]
    said = "one row per well, one column per plate. Its settings were left out, and so were wells without reads."
    assert f"Plate reader export: {said}" in table.notes


@pytest.mark.parametrize(("width", "height", "is_plate"), [(12, 8, True), (6, 4, True), (12, 7, False), (8, 8, False)])
def test_a_grid_without_a_corner_is_one_where_it_is_a_whole_plate(width, height, is_plate):
    lines = grid([f"{k}.5" for k in range(width * height)], "", width)
    assert (grid_cells("\n".join(lines)) is not None) == is_plate


@pytest.mark.parametrize(("n_rows", "is_plate"), [(7, True), (8, False)])
def test_a_whole_plate_is_none_beside_a_table_of_more_cells(n_rows, is_plate):
    plate = grid([f"{k}.5" for k in range(24)], "", 6)
    others = [f"{k}\t{k * k}" for k in range(n_rows)]
    assert (grid_cells("\n".join([*plate, "", *others])) is not None) == is_plate


def test_a_map_of_the_plate_is_offered_beside_the_cycles_of_its_wells():
    cycles = [["Cycle Nr.", *map(str, range(1, 9))], ["Time [s]", *map(str, range(8))]]
    for k in range(24):
        cycles.append([f"{'AB'[k // 12]}{k % 12 + 1}", *[f"{k}.{j}" if k < 18 else "" for j in range(8)]])
    names = [f"s {k % 3}" if k < 18 else "" for k in range(96)]
    plate = [["Samples"], *(line.split("\t") for line in grid(names))]
    table = read_table(workbook(run=cycles, plate=plate), "t.xlsx")
    assert (table.n_rows, table.beside) == (18, ("plate",))
    joined = read_table(workbook(run=cycles, plate=plate), "t.xlsx", ReadOptions(beside="plate"))
    assert joined.column("Samples")[:4] == ["s 0", "s 1", "s 2", "s 0"]


@pytest.mark.parametrize(("mark", "n_grids", "is_read"), [(",", 2, True), ("\t", 2, True), (";", 1, False)])
def test_whole_plates_with_names_in_their_corners_are_grids(mark, n_grids, is_read):
    """As plater writes them."""
    values = [[f"{k % 5}.5" if k > 47 else "" for k in range(96)], [f"s{k % 3}" if k > 47 else "" for k in range(96)]]
    lines = [
        line for name, cells in zip(["dose", "sample"], values[:n_grids], strict=False) for line in grid(cells, name)
    ]
    cells = grid_cells("\n".join(lines).replace("\t", mark))
    assert (cells is not None) == is_read
    if is_read:
        assert cells[0] == ("well", "dose", "sample")
        assert cells[1].split("\n")[:2] == ["E1\t3.5\ts0", "E2\t4.5\ts1"]


def test_parts_of_plates_with_names_in_their_corners_are_tables():
    lines = [*grid([f"{k}.5" for k in range(8)], "dose", 4), *grid([f"s{k}" for k in range(8)], "sample", 4)]
    assert grid_cells("\n".join(lines)) is None
