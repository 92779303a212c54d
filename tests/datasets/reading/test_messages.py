"""Lines of a few cells and a text behind them are cut into these."""

import pytest

from datasets.reading import read_table

TEXTS = [
    "[parity] error corrected",
    "link in reset",
    "fan speeds 3552 3552 3391",
    "warning",
    "unavailable state now (=3)",
]
LEVELS = ["INFO", "FATAL", "INFO", "ERROR"]


def lines(form, n=40):
    return [
        form.format(
            k=7 * k * k % 1001,
            node=("node-24", "gige7", "12")[k % 3],
            day=f"2005.06.{k % 28 + 1:02}",
            level=LEVELS[k % 4],
            mark="-" if k % 3 else "NULL",
            text=TEXTS[k % 5],
        )
        for k in range(n)
    ]


def read(rows):
    return read_table("\n".join(rows).encode(), "t.log")


@pytest.mark.parametrize(
    ("form", "names", "first"),
    [
        (
            "{k} {node} {day} 1 {text}",
            ("column 1", "column 2", "time", "column 4"),
            ("0", "node-24", "2005.06.01", "1"),
        ),
        ("- {k} {mark} RAS {level} {text}", ("column 1", "column 2", "column 3", "column 4", "level"), None),
        (
            "[{day} 17:01] {k} {node}: {text}",
            ("column 1", "column 2", "column 3"),
            ("2005.06.01 17:01", "0", "node-24"),
        ),
        (
            "[Sun Dec 04 04:47:44 2005] [{level}] {text}",
            ("time", "level"),
            ("Sun Dec 04 04:47:44 2005", "INFO"),
        ),
        (
            "10.0.0.{k}:80  {day}   {level} {text}",
            ("column 1", "time", "level"),
            ("10.0.0.0:80", "2005.06.01", "INFO"),
        ),
    ],
)
def test_cells_of_one_kind_each_are_cut_from_the_text_behind_them(form, names, first):
    table = read(lines(form))
    assert table.columns == (*names, "text", "first word of the text")
    assert table.n_rows == 40
    assert table.row(0)[-2:] == (TEXTS[0], "parity")
    assert first is None or table.row(0)[:-2] == first
    assert any("what follows is their text" in note for note in table.notes)


def test_a_cell_that_is_missing_is_of_any_kind_and_one_that_differs_in_some_lines_of_none():
    rows = lines("{k} {node} {day} 1 {text}", 80)
    gaps = [row.replace(" 1 ", " NULL " if k % 3 else " 1 ", 1) for k, row in enumerate(rows)]
    assert read(gaps).columns[:5] == ("column 1", "column 2", "time", "column 4", "text")
    words = [row.replace(" 1 ", " node " if k % 5 == 0 else " 1 ", 1) for k, row in enumerate(rows)]
    assert read(words).columns[:4] == ("column 1", "column 2", "time", "text")


def test_lines_of_other_cells_are_left_out_and_said():
    rows = lines("{k} {node} {day} 1 {text}", 80)
    rows[30] = "the machine was started again"
    table = read(rows)
    assert table.n_rows == 79
    assert "1 line among the rows was left out (line 31: 'the machine was started again')." in table.notes


@pytest.mark.parametrize(
    "rows",
    [
        ["number node day n text", *lines("{k} {node} {day} 1 {text}")],  # names
        lines("{k} {node} {day} 1 warning sign"),  # as many words everywhere
        lines("{node} {node} {k} {text}"),  # one number only
        lines("{k},{node},{day},1,{text}"),
        lines("{day} {k} INFO {text};{k};{node}"),
        [f"{k:<6}{k * k % 97:<8}{k % 7:<4}{TEXTS[k % 5]}" for k in range(40)],  # fixed widths
        lines("{k} {node} {day} 1 {text}", 9),
    ],
)
def test_tables_are_not_taken_for_such_lines(rows):
    assert not any("what follows is their text" in note for note in read(rows).notes)


def test_a_single_cell_in_brackets_before_a_text_is_no_table_of_messages():
    found = read(["[{}] {}".format("abc"[k % 3], TEXTS[k % 5]) for k in range(40)])
    assert "first word of the text" not in found.columns
    two = read(["[{}] [{}] {}".format("abc"[k % 3], LEVELS[k % 4], TEXTS[k % 5]) for k in range(40)])
    assert two.columns[1] == "level"


def test_words_of_which_some_are_levels_are_no_levels():
    rows = [line.replace("ERROR", "DONE") for line in lines("10.0.0.{k}:80  {day}   {level} {text}")]
    assert read(rows).columns[2] == "column 3"
