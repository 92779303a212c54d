"""Numbers with their nouns, the first few of many names, shares: as one reads them."""

from datasets.base.words import counted, duration, first_few, numbered, percent, short_name
from datasets.columns import build_dataset
from datasets.reading import ReadOptions, read_table
from tests.datasets.planned import column_plan


def test_words():
    assert [counted(1, "row"), counted(0, "row")] == ["1 row", "0 rows"]
    assert counted(2000, "class has", "classes have") == "2,000 classes have"
    assert first_few(list("abcde")) == "a, b, c, d, e"
    assert first_few(list("abcdef")) == "a, b, c, d, e and more"
    assert numbered("noise", 2) == ("noise 1", "noise 2")
    assert percent(1 / 3, 1) == "33.3\N{NO-BREAK SPACE}%"
    assert [duration(seconds) for seconds in (89, 90, 5399, 5400)] == ["89 s", "2 min", "90 min", "1.5 h"]


def test_long_names_are_shortened_in_the_middle():
    assert short_name("x" * 80) == "x" * 80
    assert short_name("GAT" + "x" * 75 + "ACA") == f"GAT{'x' * 36}…{'x' * 37}ACA"
    assert first_few(["a", "x" * 81]) == f"a, {short_name('x' * 81)}"


def test_one_of_each_is_said_in_the_singular():
    text = "# made by hand\na,b,label\n1,2,x\n1,2,x\n3,4,x\n3.5,5,y\n7%,4,y\n?,4,y\n5,gone,y\n5,6,\n8,4,z\n8\n"
    table = read_table(text.encode(), "t.csv", ReadOptions(missing=("gone",)))
    notes = " ".join(build_dataset(table, column_plan(table, label="label")).notes)
    for words in (
        "The title '# made by hand' above the names was left out",
        "1 short line was filled up",
        "1 cell that says 'gone' counts as missing",
        "1 cell was cleaned",
        "1 row repeats",
        "1 row has no label",
        "1 class has a single row",
    ):
        assert words in notes
    assert "(s)" not in notes
