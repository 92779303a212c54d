"""Records that list their values line by line, as programs and people write them: a row for each."""

import pytest

from datasets.base.errors import DataError
from datasets.reading import read_table

N = 8
KINDS = ["oak", "elm"]


def read(text, name="t.txt"):
    return read_table(text.encode(), name)


def each(form, n=N, **more):
    return "".join(form.format(k=k, kind=KINDS[k % 2], mass=k * k + 0.5, **more) for k in range(n))


def molecule(k):
    head = f"mol{k}\n  made up\n\n  1  0  0  0  0  0  0  0  0  0999 V2000\n    {k}.0000    0.0000    0.0000 C   0  0\n"
    return f"{head}M  END\n>  <mass>  ({k + 1})\n{k * k + 0.5}\n\n> <kind>\n{KINDS[k % 2]}\n\n> <tag>\nt{k}\n\n$$$$\n"


FORMS = {
    "by hand": each("Tag: t{k}\nKind: {kind}\nMass (kg): {mass}\n\n"),
    "YAML": "# made up\n" + each('- tag: "t{k}"\n  kind: {kind}\n  mass: {mass}\n'),
    "TOML": each('[[tree]]\ntag = "t{k}"\nkind = "{kind}"\nmass = {mass}\n\n'),
    "INI": each("[t{k}]\nkind={kind}\nmass={mass}\n"),
    "a benchmark": each("=== t{k} ===\n\nkind: {kind}\n\nmass: {mass}\n\nsize: {k}\n\nsaved to `./result.txt`.\n\n"),
    "E-Prime": "*** Header Start ***\nSubject: 1\n*** Header End ***\n"
    + each(
        "\tLevel: 2\n\t*** LogFrame Start ***\n\tTag: t{k}\n\tKind: {kind}\n\tMass: {mass}\n\t*** LogFrame End ***\n"
    ),
    "MGF": each("BEGIN IONS\nTITLE=t{k}\nKIND={kind}\nPEPMASS={mass}\n100.{k} 7\n101.{k} 3\n102.{k} 3\nEND IONS\n\n"),
    "chess": each('[Event "t{k}"]\n[Kind "{kind}"]\n[Mass "{mass}"]\n\n1. e4 e5 2. Nf{k} Nc6\n3. Bb{k} 1-0\n\n'),
    "molecules": "".join(map(molecule, range(N))),
}


@pytest.mark.parametrize("name", FORMS)
def test_a_row_for_each_record(name):
    table = read(FORMS[name])
    assert table.n_rows == N
    columns = {column.lower(): k for k, column in enumerate(table.columns)}
    mass = next(k for column, k in columns.items() if "mass" in column)
    for k in range(N):
        row = table.row(k)
        assert (row[columns["kind"]], row[mass]) == (KINDS[k % 2], str(k * k + 0.5))
        assert f"t{k}" in row
    assert "Each line of a record names a value; a row is made of each record." in table.notes


def test_a_row_has_the_number_of_its_first_line():
    assert read(FORMS["by hand"]).line_numbers.tolist() == [1 + 4 * k for k in range(N)]


@pytest.mark.parametrize(
    ("name", "k", "other"),
    [
        ("chess", 2, "1. e4 e5 2. Nf2 Nc6; 3. Bb2 1-0"),
        ("MGF", 1, "100.1 7; 101.1 3; 102.1 3"),
        ("molecules", 1, "mol1; 1.0000    0.0000    0.0000 C   0  0"),
        ("E-Prime", 0, "*** Header Start ***; *** Header End ***"),
    ],
)
def test_what_names_no_value_is_kept_unless_it_is_the_same_in_each_record(name, k, other):
    table = read(FORMS[name])
    assert table.columns[-1] == "other lines"
    assert table.row(k)[-1] == other


def test_a_name_that_comes_twice_in_a_record_has_both_values():
    table = read(FORMS["by hand"].replace("Tag: t3\n", "Tag: t3\nBy: Li\nBy: Wu\n"))
    assert table.row(3)[table.columns.index("By")] == "Li; Wu"


@pytest.mark.parametrize(
    "text",
    [
        each("{kind}: {mass}\n", 40),  # one value for each of two names
        each("Tag: t{k}\nKind: {kind}\nMass: {mass}\n\n", 4),  # few records
        each("Tag: t{k}\nKind: {kind}\n\n", 20),  # few names
        each("Tag: t{k}\nKind: {kind}\nMass: {mass}\n{k} 5 7\n{k} 6 8\n\n", 20),  # tables below names
        each("Tag: t{k}\nKind: {kind}\nMass: {mass}\nwords {k}\n\n", 20),  # a quarter of the lines names no value
        each("Tag: t{k}\nKind: {kind}\nMass: {mass}\nMass: 7\n\n", 20),  # lists
    ],
)
def test_other_lines_with_colons_are_no_records(text):
    try:
        notes = read(text).notes
    except DataError:
        notes = ()
    assert "Each line of a record names a value; a row is made of each record." not in notes
