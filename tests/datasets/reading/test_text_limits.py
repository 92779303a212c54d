"""Long and wide text: sampled or refused in a sentence; and every guess about text can be overruled."""

import pytest

from datasets.base.errors import DataError
from datasets.reading import Limits, ReadOptions, read_table

ROWS = [f"{k},{k}.5,{'xy'[k % 2]}" for k in range(2000)]
TEXT = "\n".join(["a,b,label", *ROWS, ""]).encode()


def test_lines_inside_quotes_are_no_rows_that_are_too_many():
    """As the questions of Qualtrics, which its second record holds."""
    question = "Which of these would you rather have, and why?\n" * 600
    names = ",".join(f"Q{k}" for k in range(20))
    questions = ",".join(f'"{question}{k}"' for k in range(20))
    rows = [",".join([str(k * j % 11) for j in range(19)] + ["xy"[k % 2]]) for k in range(40)]
    data = "\n".join([names, questions, *rows]).encode()
    table = read_table(data, "t.csv", limits=Limits(cells=20 * 5000))
    assert table.n_rows == 40
    assert "drawn at random" not in " ".join(table.notes)


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"], ids=["lf", "crlf", "cr"])
def test_53_too_many_rows_are_drawn_at_random_and_said(end):
    table = read_table(TEXT.replace(b"\n", end), "t.csv", limits=Limits(cells=600))
    assert 120 < len(table.rows) < 280
    assert all(
        row == tuple(ROWS[line - 2].split(",")) for row, line in zip(table.rows, table.line_numbers, strict=True)
    )
    assert table.line_numbers[-1] > 1500
    assert "drawn at random" in " ".join(table.notes)
    again = read_table(TEXT.replace(b"\n", end), "t.csv", limits=Limits(cells=600))
    assert again.rows == table.rows


def test_too_much_text_is_refused():
    with pytest.raises(DataError, match=r"MB of text; at most 0 MB"):
        read_table(TEXT, "t.csv", limits=Limits(text_bytes=1000))


@pytest.mark.parametrize(
    ("data", "options", "columns", "first"),
    [
        (b"1,2\n3,4\n", ReadOptions(header_lines=1), ("1", "2"), ("3", "4")),
        (b"a,b\nc,d\ne,f\n", ReadOptions(header_lines=2), ("a c", "b d"), ("e", "f")),
        (b"a,b\nc,d\n", ReadOptions(header_lines=0), ("column 1", "column 2"), ("a", "b")),
        (b"a;b,c\n1;2,5\n", ReadOptions(separator=","), ("a;b", "c"), ("1;2", "5")),
        ("ö,b\n1,2\n".encode("latin-1"), ReadOptions(encoding="latin-1"), ("ö", "b"), ("1", "2")),
        (b"a,b\n#1,2\n3,4\n", ReadOptions(comment="#"), ("a", "b"), ("3", "4")),
        (b"a,b\n#1\n3,4\n", ReadOptions(comment=""), ("a", "b"), ("#1", "")),
        (b"a  b   c\n1 2  3\n 4 5 6\n", ReadOptions(), ("a", "b", "c"), ("1", "2", "3")),
        (
            b"5.1,3.5,setosa\n4.9,3.0,other\n",
            ReadOptions(),
            ("column 1", "column 2", "column 3"),
            ("5.1", "3.5", "setosa"),
        ),
    ],
)
def test_guesses_and_what_overrules_them(data, options, columns, first):
    table = read_table(data, "t.csv", options)
    assert table.columns == columns
    assert table.rows[0] == first


def test_an_encoding_that_does_not_fit_is_one_sentence():
    with pytest.raises(DataError, match=r"t\.csv cannot be read as UTF-16; save it as UTF-8"):
        read_table(TEXT + b"x", "t.csv", ReadOptions(encoding="utf-16"))


def test_too_many_lines_are_refused_though_they_are_blank_or_comments():
    for line in ("\n", "# said\n"):
        text = "a,label\n" + line * 30 + "1,x\n2,y\n"
        with pytest.raises(DataError, match=r"has 33 lines; at most 20 are read\. Save a sample"):
            read_table(text.encode(), "t.csv", limits=Limits(lines=20))
        assert len(read_table(text.encode(), "t.csv", limits=Limits(lines=33)).rows) == 2


@pytest.mark.parametrize("tail", [";;;\r\n", "\n", ";\n", " \n"])
def test_blank_lines_at_the_end_do_not_thin_out_the_rows(tail):
    text = "a;b;label;\n" + "1,5;2;x;\n2,5;;y;\n" * 10 + "3,5;7;;\n"
    table = read_table((text + tail * 3_000).encode(), "t.csv", limits=Limits(cells=120))
    assert len(table.rows) == 21
    assert table.rows[-1] == ("3,5", "7", "")
    assert "drawn" not in " ".join(table.notes)


@pytest.mark.parametrize(("end", "last", "named"), [("", "", True), (",,,,", ",,,,", True), (",,,,", ",,,,x", False)])
def test_separators_at_the_ends_of_lines_hide_no_names(end, last, named):
    """Numbers of samples are names; a cell behind them in a row makes a wider table in which they have gaps."""
    lines = ["Sample,10850,10023,10188,10029", "Group,well,well,ill,ill", "Sex,M,F,F,M"]
    lines = [line + end for line in lines] + [f"m{k},{k}.5,{k * k},{k % 7},1{last}" for k in range(30)]
    assert ("10850" in read_table("\n".join(lines).encode(), "t.csv").columns[1]) == named


def test_header_lines_are_kept_where_rows_are_drawn():
    text = "a,b,label\ncm,kg,name\n" + "1,2,x\n2,5,y\n" * 2_000
    table = read_table(text.encode(), "t.csv", limits=Limits(cells=600))
    assert table.columns == ("a cm", "b kg", "label name")
    assert len(table.rows) < 400


def test_decimal_commas_that_separate_are_refused():
    rows = [f"town {k},{k},5,-{k % 7},25,{k * k % 11},75" for k in range(12)]
    with pytest.raises(
        DataError, match=r"line 2 has 7 cells, and there are 4 names: numbers are written with a decimal"
    ):
        read_table("\n".join(["name,2001,2002,2003,,,", *rows]).encode(), "t.csv")
    words = [row.replace(",5,", ",x,").replace(",25,", ",y,").replace(",75", ",z") for row in rows]
    assert read_table("\n".join(["name,a,b,c,,,", *words]).encode(), "t.csv").n_rows == 12
    five = ["name,2001,2002,2003,,", *(row.removesuffix(",75") for row in rows)]
    assert read_table("\n".join(five).encode(), "t.csv").n_rows == 12


def test_columns_without_names_are_no_decimals_where_few_or_where_a_second_line_names_them():
    rows = [f"{k},{k * k % 7},5" for k in range(12)]
    assert len(read_table("\n".join(["x,y,", *rows]).encode(), "t.csv").columns) == 3
    head = ["run,site,counts,,,,", "a,b,c,d,e,f,g"]
    rows = [f"r{k},{k % 3},{k},{k * k % 7},5,{k % 4},1" for k in range(12)]
    table = read_table("\n".join([*head, *rows]).encode(), "t.csv")
    assert (len(table.columns), table.n_rows) == (7, 12)


def test_an_enormous_cell_is_named_in_plain_words():
    rows = [f"{k},{'x' * (200_000 if k == 7 else 2)},u" for k in range(12)]
    with pytest.raises(DataError, match=r"line 9: a cell is longer than 131,072 letters\."):
        read_table("\n".join(["a,b,label", *rows]).encode(), "t.csv")
