"""Answers of a survey in a column each."""

import pytest

from datasets.reading import read_table


def survey(names="Sex Male|Sex Female|Sex other", answers="Male|Female|", n_gaps=9, again=0):
    """20 persons with one answer each; the first `n_gaps` gave none, the last `again` gave all."""
    rows = [[str(k * k + 1000), *[""] * 3, "uv"[k % 2]] for k in range(20)]
    for k, row in enumerate(rows[n_gaps:]):
        row[1 + k % 2] = answers.split("|")[k % 2]
    for row in rows[20 - again :]:
        row[1:4] = answers.split("|")
    return "\n".join(map("\t".join, [["id", *names.split("|"), "kind"], *rows])).encode()


@pytest.mark.parametrize(
    ("about", "columns"),
    [
        ({}, "id|Sex|Sex other|kind"),
        ({"names": "Sex?: Male|Sex?: Female|other"}, "id|Sex?|other|kind"),
        ({"n_gaps": 10}, None),  # half of the persons gave none
        ({"again": 1}, None),  # several could be ticked
        ({"answers": "male|female|"}, None),
        ({"names": "Male|Female|other"}, None),  # no question
        ({"names": "Sex Male|Female|other"}, "id|Sex|other|kind"),
        ({"names": "Sex Male|Gender Female|other"}, None),
        ({"names": "Sex Male|Sex Female|Sex"}, None),
    ],
)
def test_columns_that_hold_an_answer_each_are_one(about, columns):
    data = survey(**about)
    table = read_table(data, "t.tsv")
    assert table.columns == tuple((columns or data.decode().splitlines()[0].replace("\t", "|")).split("|"))
    assert any("were joined into one for each question" in note for note in table.notes) == (columns is not None)
    if columns:
        assert table.column(table.columns[1])[8:12] == ["", "Male", "Female", "Male"]


def test_answers_named_alone_belong_to_the_question_before_them():
    """As below a heading that stands above the first of them only."""
    cells = {"Coffee? Black": "Black", "Filter": "Filter", "None": "None"}
    rows = [
        ["1", *(cell if k % 3 == j else "" for j, cell in enumerate(cells.values())), f"{k % 7}"] for k in range(30)
    ]
    table = read_table("\n".join(map(",".join, [["id", *cells, "sleep"], *rows])).encode(), "t.csv")
    assert table.columns == ("id", "Coffee?", "sleep")
    assert table.column("Coffee?")[:4] == ["Black", "Filter", "None", "Black"]
    alone = read_table("\n".join(map(",".join, [["id", "sort", *[*cells][1:], "sleep"], *rows])).encode(), "t.csv")
    assert alone.columns == ("id", "sort", "Filter", "None", "sleep")


def test_a_lone_column_with_its_answer_keeps_its_name():
    rows = [[str(k * k), "Male" if k % 4 else "", "uv"[k % 2]] for k in range(20)]
    table = read_table("\n".join(map(",".join, [["id", "Sex Male", "kind"], *rows])).encode(), "t.csv")
    assert table.columns == ("id", "Sex Male", "kind")
