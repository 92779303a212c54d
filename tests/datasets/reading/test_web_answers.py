"""JSON that web interfaces answer: wrapped, tagged, with lists in it."""

import json

import pytest

from datasets.base.errors import DataError
from datasets.columns.lists import answers_in
from datasets.proposals import apply, propose
from datasets.reading import read_table


def of_map(n_ways=20, n_nodes=60, **other):
    ways = [
        {
            "type": "way",
            "id": 7 * k + 1000,
            "nodes": [k] * (k % 3 + 2),
            "tags": {"highway": "path" if k % 3 else "track"},
        }
        for k in range(n_ways)
    ]
    nodes = [{"type": "node", "id": k, "lat": 53.7 + k / 999, "lon": -2.0 - k / 777} for k in range(n_nodes)]
    peak = {"type": "node", "id": 9, "lat": 1.5, "lon": 2.5, "tags": {"natural": "peak"}}
    return {"version": 0.6, "elements": [*ways, *nodes, peak], **other}


def test_the_points_of_ways_are_no_rows():
    table = read_table(json.dumps(of_map()).encode(), "t.json")
    assert table.columns == ("element", "id", "nodes", "tags.highway", "lat", "lon", "tags.natural")
    assert (table.n_rows, table.rows[-1][0]) == (21, "node")
    assert table.notes[0] == "60 elements without tags, as the points of ways, were left out."
    assert apply(propose(table)).label.name == "tags.highway"


@pytest.mark.parametrize(
    ("elements", "n_rows"),
    [
        ([{"type": "node", "id": k, "lat": k} for k in range(9)], 9),  # none has tags
        ([{"type": "metal", "id": k, "tags": {"a": k} if k % 2 else {}} for k in range(9)], 9),  # no map
    ],
)
def test_other_elements_without_tags_are_rows(elements, n_rows):
    table = read_table(json.dumps({"elements": elements}).encode(), "t.json")
    assert (table.n_rows, table.columns[0]) == (n_rows, "type")


@pytest.mark.parametrize(
    ("n_rare", "mark", "found"), [(28, "|", {"war", "horror"}), (29, "|", set()), (28, ";", set())]
)
def test_a_few_frequent_words_of_sure_lists_are_answers(n_rare, mark, found):
    """Lists of JSON, which are told by their mark, hold many words that few others do."""
    lists = [["war" if k % 2 else "horror", f"rare {k}"] for k in range(12)]
    lists += [[f"rare {k}"] for k in range(12, n_rare)]
    assert set(answers_in([f" {mark} ".join(each) for each in lists], [1] * len(lists))) == found


@pytest.mark.parametrize(("n_letters", "cell"), [(40, "a | {}"), (41, "a; {}")])
def test_lists_of_long_texts_are_no_answers(n_letters, cell):
    records = [{"size": k, "tags": ["a", "b" * n_letters][: 1 + k % 2]} for k in range(9)]
    assert read_table(json.dumps(records).encode(), "t.json").column("tags")[1] == cell.format("b" * n_letters)


def test_lists_of_values_without_names_are_rows():
    rows = [[1558099417.5 + k, k, 0.5 + k / 99, "uv"[k % 2]] for k in range(20)]
    table = read_table(json.dumps(rows).encode(), "t.json")
    assert (table.columns, table.n_rows) == (("column 1", "column 2", "column 3", "column 4"), 20)
    assert table.row(1)[1:] == ("1", str(0.5 + 1 / 99), "v")
    assert read_table(json.dumps([["t", "k", "x", "kind"], *rows]).encode(), "t.json").columns[3] == "kind"
    for other in ([[*row, {"a": 1}] for row in rows], [row[: 3 + k % 2] for k, row in enumerate(rows)]):
        with pytest.raises(DataError, match="not a list of records"):
            read_table(json.dumps(other).encode(), "t.json")


def test_keys_that_an_object_holds_several_times_are_named():
    rows = [
        f'{{"a": {k}, {"".join(f"{chr(34)}b{chr(34)}: {j}, " for j in range(1 + k % 2))}"kind": "u"}}' for k in range(9)
    ]
    for text in (f"[{', '.join(rows[1:])}]", "\n".join(rows[1:])):
        table = read_table(text.encode(), "t.json")
        assert table.column("b")[:3] == ["1", "0", "1"]
        assert "Of keys that an object holds several times the last value was read: 'b' (in 4 objects)." in table.notes
    assert not any("several times" in note for note in read_table(f"[{rows[0]}, {rows[2]}]".encode(), "t.json").notes)


@pytest.mark.parametrize(("n", "columns"), [(42, ("name", "at 1", "at 2")), (41, ("name",))])
def test_a_few_nested_lists_beside_numbers_are_gaps(n, columns):
    """As a MultiPoint among points."""
    places = [{"name": f"p{k}", "at": [k / 2, k / 3]} for k in range(n)]
    places[5]["at"] = places[9]["at"] = [[1, 2], [3, 4]]
    table = read_table(json.dumps(places).encode(), "t.json")
    assert table.columns[:3] == columns
    if n == 42:
        assert "A column for each number of a list: at (2 other lists count as missing)." in table.notes
        assert (table.row(5)[1:], table.row(6)[1:]) == (("", ""), ("3", "2"))


@pytest.mark.parametrize(
    ("first", "n_keys", "sheet", "read"),
    [
        ("a", 3, None, "rows"),  # the names are the keys of the others
        ("a", 3, "about", "about"),
        ("other", 3, None, "about"),  # the most values
        ("other", 7, None, "rows"),
    ],
)
def test_of_lists_of_records_that_describes_another_and_the_smaller_are_sheets(first, n_keys, sheet, read):
    keys = [first, *"bcdefgh"[: n_keys - 1]]
    about = [{"name": key, "type": "x", "unit": "y", "text": k} for k, key in enumerate(keys)]
    rows = [{key: k + j for j, key in enumerate(["a", *keys[1:]])} for k in range(3)]
    content = {"about": about if n_keys == 3 else about[:5], "rows": rows, "links": [{"b": 1}]}
    table = read_table(json.dumps(content).encode(), "t.json", sheet=sheet)
    assert (table.sheet, table.sheets) == (read, ("about", "rows"))
    assert table.columns[0] == ("a" if read == "rows" else "name")
    assert "Left out beside the records: links." in table.notes


@pytest.mark.parametrize(("n_last", "n_rows"), [(2, 10), (4, 3)])
def test_lists_as_long_as_each_other_are_rows_where_other_records_have_longer_ones(n_last, n_rows):
    """As in the traces of a plot; of one length everywhere they are numbers of one thing."""
    traces = [
        {"name": name, "lat": [*range(n)], "lon": [0.5] * n} for name, n in zip("abc", (4, 4, n_last), strict=True)
    ]
    table = read_table(json.dumps({"data": traces, "layout": {"title": "x"}}).encode(), "t.json")
    assert table.n_rows == n_rows
    if n_rows == 10:
        assert table.columns == ("name", "lat", "lon")
        assert table.row(9) == ("c", "1", "0.5")
        assert "A row for each value of lists as long as each other: lat, lon." in table.notes


def test_records_below_keys_may_lack_some_of_their_fields():
    matches = {str(k): {"home": f"t{k % 3}", "goals": k % 4, **({"late": 1} if k % 5 == 0 else {})} for k in range(20)}
    table = read_table(json.dumps({"league": "PL", "matches": matches}).encode(), "t.json")
    assert (table.n_rows, table.columns[0]) == (20, "key")
    parts = {str(k): {f"f{k}": 1, "goals" if k < 5 else "cards": 2} for k in range(20)}
    assert "key" not in read_table(json.dumps({"league": "PL", "matches": parts}).encode(), "t.json").columns
