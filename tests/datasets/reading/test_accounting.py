"""Every line of a file is a row, a line of names, or counted in a sentence; doubtful lines of names are offered."""

from __future__ import annotations

import csv
import io
import json
import random
import re

import pytest

from datasets.base.errors import DataError
from datasets.proposals import apply, propose
from datasets.reading import FaultyLinesError, ReadOptions, header_question, read_table
from tests.datasets.corpus import tables
from tests.datasets.corpus.messy import TABLES

assert tables  # which enters them in TABLES when it is imported
COUNTED = re.compile(
    r"^(?:(\d[\d,]*) lines?|(The title)) (?:above the (?:names|rows)|among the rows|with too many cells|'.*' above)"
)


def n_named(table):
    """Lines that the sentences count."""
    found = [COUNTED.match(note) for note in table.notes]
    return sum(1 if match[2] else int(match[1].replace(",", "")) for match in found if match)


def unaccounted(data, name):
    table = read_table(data, name, ReadOptions(faulty_lines="skip"))
    text = data.decode("utf-8-sig")
    filled = [line for line in re.split(r"\r\n|\r|\n", text) if line.strip(' \t;,|"')]
    if '"' in text:  # a row may have several lines
        records = csv.reader(io.StringIO(text, newline=""), delimiter=table.detected.separator)
        filled = [record for record in records if any(cell.strip() for cell in record)]
    return len(filled) - table.n_rows - table.detected.header_lines - n_named(table)


def generated(seed):
    """Rows below names or not, with titles, comments, blank lines, short and long lines at random."""
    rng = random.Random(seed)
    separator, width = rng.choice(",;\t|"), rng.randint(3, 6)
    rows = [
        separator.join([*(f"{rng.uniform(0, 9):.2f}" for _ in range(width - 1)), rng.choice("xyz")])
        for _ in range(rng.randint(6, 60))
    ]
    for k, row in enumerate(rows[2:], start=2):
        chance = rng.random()
        if chance < 0.03:
            rows[k] = row.rpartition(separator)[0]
        elif chance < 0.06:
            rows[k] = row + separator + "more"
        elif chance < 0.15:
            rows[k] = f"{row}\n{rng.choice(['# a remark', '', separator * (width - 1), '# with ' + separator])}"
    names = [separator.join(f"name {chr(97 + k)}" for k in range(width))] if rng.random() < 0.7 else []
    above = [
        rng.choice(["Report of the office", "# 3 runs", "", "Made by us on Monday"]) for _ in range(rng.randint(0, 4))
    ]
    return rng.choice(["\n", "\r\n"]).join("\n".join([*above, *names, *rows, ""]).split("\n")).encode()


def test_lines_of_generated_files_are_accounted_for():
    n_read = 0
    for seed in range(300):
        try:
            assert unaccounted(generated(seed), "t.csv") == 0, seed
            n_read += 1
        except DataError:
            continue
    assert n_read > 270


@pytest.mark.parametrize("name", TABLES)
def test_lines_of_the_corpus_are_accounted_for(name):
    table = TABLES[name]()
    if table.name.endswith((".csv", ".tsv", ".txt")) and b"\0" not in table.data:
        try:
            table.data.decode("utf-8-sig")
            assert unaccounted(table.data, table.name) == 0
        except (FaultyLinesError, UnicodeDecodeError):
            pass


def test_rows_on_several_lines_and_remarks_among_them():
    text = 'a,b,label\n1,"two\nlines",x\n# remark\n2,one,y\n' + "".join(f"{k},w{k},x\n" for k in range(9))
    table = read_table(text.encode(), "t.csv")
    assert (table.n_rows, table.line_numbers[1]) == (11, 5)
    assert "1 line among the rows was left out (line 4: '# remark')." in table.notes


CODES = "".join(f"n{k * 7 + 100},w{chr(97 + k)}\n" for k in range(12))


@pytest.mark.parametrize(
    ("text", "n_rows", "answer"),
    [
        (CODES, 12, "use it as names"),  # codes above codes
        ("low,big,2,u\n" + "low,big,2,u\nhigh,small,2,v\n" * 9, 19, None),  # a row that occurs again may be names
        ("big,low,more\n" + "big,low,2\nsmall,high,3\n" * 9, 19, "use it as names"),
        ("3,Total,1998,7\n" + "".join(f"{k},{k},1998,{k * k}\n" for k in range(12)), 13, "use it as names"),
        ("ab,cd\n" + "".join(f"{chr(97 + k)}x,{chr(98 + k)}y\n" for k in range(12)), 12, "use it as data"),
    ],
)
def test_a_first_line_that_could_be_names_or_data(text, n_rows, answer):
    table = read_table(text.encode(), "t.csv")
    question = header_question(table, ReadOptions())
    if answer is None:
        assert question is None
        return
    assert (table.n_rows, question.answers[0].text) == (n_rows, answer)
    again = read_table(text.encode(), "t.csv", question.answers[0].options)
    assert again.n_rows == n_rows + (1 if answer == "use it as data" else -1)
    assert header_question(again, question.answers[0].options) is None


@pytest.mark.parametrize("names", ["place,2011,2012,2000", "place,2011,2012,Group", "a,b,c,d"])
def test_clear_names_are_not_asked_about(names):
    text = f"{names}\n" + "".join(f"p{k},{k * 977},{k * 31},{k * 7}\n" for k in range(12))
    table = read_table(text.encode(), "t.csv")
    assert table.columns == tuple(names.split(","))
    assert header_question(table, ReadOptions()) is None


def test_few_rows_of_words_are_no_names():
    text = (
        "given\tname\trole\n" + "Jo\tRoe\towner\nAl\tPoe\tguest\nJo\tMoe\towner\nBo\tRoe\tguest\nAl\tRoe\towner\n" * 1
    )
    assert read_table(text.encode(), "t.txt").n_rows == 5


def test_single_quotes_around_cells_are_no_part_of_them():
    text = "'a'\t'kind of'\n" + "".join(f"{k}\t'it, {'xy'[k % 2]}'\n" for k in range(12))
    table = read_table(text.encode(), "t.tab")
    assert (table.columns, table.row(0)) == (("a", "kind of"), ("0", "it, x"))
    text = "a,kind\n" + "".join(f"{k},{['rock', chr(39) + 'tis'][k % 2]}\n" for k in range(12))
    assert read_table(text.encode(), "t.csv").row(1) == ("1", "'tis")


def test_what_stands_beside_json_records_is_named():
    text = '{"source": "us", "more": [{"x": 1}], "data": [{"a": 1, "b": "x"}, {"a": 2, "b": "y"}, {"a": 3, "b": "x"}]}'
    table = read_table(text.encode(), "t.json")
    assert (table.columns, table.n_rows) == (("a", "b"), 3)
    assert "Left out beside the records: source, more." in table.notes


N = 40
KINDS, BITS = ["uvw"[k % 3] for k in range(N)], [str(k * k % 7 % 2) for k in range(N)]
SIZES = [f"{k * k % 17}.5" for k in range(N)]


@pytest.mark.parametrize(
    ("names", "ready"),
    [
        ("tooth_class,flag,size,pop", False),  # a part of a name, at the first place
        ("class,flag,size,pop", True),
        ("kicks,flag,size,corps", False),  # the last column, by its place alone
        ("kicks,flag,size,species", True),
        (None, True),  # no names that could disagree
    ],
)
def test_a_label_is_taken_where_name_place_and_values_agree(names, ready):
    first = names is not None and names.endswith("pop")
    columns = (KINDS, BITS, SIZES, SIZES[::-1]) if first else (SIZES[::-1], BITS, SIZES, KINDS)
    rows = [",".join(row) for row in zip(*columns, strict=True)]
    plan = apply(propose(read_table("\n".join([*([names] if names else []), *rows]).encode(), "t.csv")))
    assert plan.ready == ready
    assert plan.label.name in ("tooth_class", "class", "corps", "species", "column 4")


def test_records_inside_a_few_records_are_rows():
    groups = [{"group": g, "points": [{"a": k, "kind": "xy"[k % 2]} for k in range(5)]} for g in (1, 2)]
    table = read_table(json.dumps({"data": groups}).encode(), "t.json")
    assert (table.columns, table.n_rows) == (("group", "a", "kind"), 10)
    assert table.row(7) == ("2", "2", "x")
